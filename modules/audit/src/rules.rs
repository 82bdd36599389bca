//! Kept here: the list of all rules.

mod address;
mod assistant;
mod canonical;
mod content;
mod heading;
mod hreflang;
mod image;
mod indexability;
mod link;
mod metadata;
mod mobile;
mod performance;
mod response;
mod security;
mod site;
mod social;
mod structured;

use crate::rule::Rule;

/// Every file of rules, in the order of reports.
const FILES: [&[Rule]; 22] = [
    response::RULES,
    site::redirect::RULES,
    indexability::RULES,
    canonical::RULES,
    site::canonical::RULES,
    metadata::RULES,
    site::duplicate::RULES,
    heading::RULES,
    content::RULES,
    link::RULES,
    site::link::RULES,
    image::RULES,
    hreflang::RULES,
    site::hreflang::RULES,
    structured::RULES,
    social::RULES,
    security::RULES,
    address::RULES,
    mobile::RULES,
    performance::RULES,
    site::sitemap::RULES,
    assistant::RULES,
];

/// All rules. Their order is stable within a version of the module.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    FILES.into_iter().flatten()
}

/// The rule of this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Rule> {
    all().find(|rule| rule.id == id)
}

#[cfg(test)]
pub(crate) mod tests;
