//! The search features, the types that lead to each, what each needs, and which were retired.

mod content;
mod retired;
mod trade;

use crate::vocabulary;

/// Whether a feature is still shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Shown.
    Current,
    /// No longer shown since this day or month; the markup does no harm.
    Retired(&'static str),
}

/// A search feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// The types that lead to it, and those below them.
    pub(crate) types: &'static [&'static str],
    /// Properties that it needs; `a|b` is one of them, `a.b` one of an inner item.
    pub(crate) required: &'static [&'static str],
    /// Properties that it is better with; what Google recommends of some items only, as a size of clothes, is not here.
    pub(crate) recommended: &'static [&'static str],
    pub(crate) standing: Standing,
    /// A property without which an item of the type does not ask for the feature at all; empty for none.
    pub(crate) asks: &'static str,
}

const fn shown(
    id: &'static str,
    title: &'static str,
    types: &'static [&'static str],
    required: &'static [&'static str],
    recommended: &'static [&'static str],
) -> Feature {
    Feature { id, title, types, required, recommended, standing: Standing::Current, asks: "" }
}

const fn retired(
    id: &'static str,
    title: &'static str,
    types: &'static [&'static str],
    since: &'static str,
) -> Feature {
    Feature { id, title, types, required: &[], recommended: &[], standing: Standing::Retired(since), asks: "" }
}

/// Types below another that do not lead where it leads: Google asks a car to be named a product as well, looks at the
/// variants of a group, and takes a blog's posting for an article.
const APART: &[(&str, &str)] = &[
    ("Product", "Car"),
    ("Product", "ProductGroup"),
    ("SocialMediaPosting", "BlogPosting"),
    ("SocialMediaPosting", "LiveBlogPosting"),
];

/// Every feature, as of [`super::CHECKED`].
pub(crate) fn all() -> impl Iterator<Item = &'static Feature> {
    content::FEATURES.iter().chain(trade::FEATURES).chain(retired::FEATURES)
}

/// The features that a type leads to, by itself or by one above it.
pub(crate) fn of_types<'a>(names: &'a [&'a str]) -> impl Iterator<Item = &'static Feature> + 'a {
    all().filter(move |it| names.iter().any(|name| it.types.iter().any(|kind| leads(name, kind))))
}

fn leads(name: &str, kind: &str) -> bool {
    let all = vocabulary::get();
    all.is_a(name, kind) && !APART.iter().any(|(above, below)| *above == kind && all.is_a(name, below))
}

#[cfg(test)]
mod tests;
