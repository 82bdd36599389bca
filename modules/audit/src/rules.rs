//! The list of all rules.

mod accessibility;
mod address;
mod assistant;
mod canonical;
mod content;
mod fact;
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

pub(crate) use indexability::unmeant::is_service_page;
pub(crate) use link::says_something;

use crate::rule::Rule;

/// Every file of rules, in the order of reports.
const FILES: [&[Rule]; 59] = [
    response::RULES,
    response::answer::RULES,
    response::charset::RULES,
    site::redirect::RULES,
    site::arrival::RULES,
    indexability::RULES,
    indexability::directive::RULES,
    indexability::unmeant::RULES,
    site::robots::RULES,
    canonical::RULES,
    canonical::target::RULES,
    canonical::series::RULES,
    site::canonical::RULES,
    site::series::RULES,
    metadata::RULES,
    metadata::wording::RULES,
    site::duplicate::RULES,
    site::twin::RULES,
    heading::RULES,
    heading::order::RULES,
    content::RULES,
    content::language::RULES,
    content::leak::RULES,
    content::age::RULES,
    link::RULES,
    link::form::RULES,
    site::link::RULES,
    site::graph::RULES,
    site::target::RULES,
    image::RULES,
    image::text::RULES,
    image::delivery::RULES,
    hreflang::RULES,
    hreflang::form::RULES,
    site::hreflang::RULES,
    site::versions::RULES,
    structured::RULES,
    structured::commerce::RULES,
    structured::creative::RULES,
    structured::organisation::RULES,
    structured::form::RULES,
    structured::number::RULES,
    structured::sense::RULES,
    structured::list::RULES,
    structured::author::RULES,
    social::RULES,
    social::detail::RULES,
    security::RULES,
    security::policy::RULES,
    security::script::RULES,
    address::RULES,
    address::spelling::RULES,
    mobile::RULES,
    performance::RULES,
    performance::load::RULES,
    performance::transfer::RULES,
    site::sitemap::RULES,
    assistant::RULES,
    accessibility::RULES,
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
