//! Which rules have a fixer.

use sdk::prelude::*;
use sdk::serde_json::json;

use super::draft::{Page, Part};
use super::site::Site;
use super::{alt, canonical, document, link, text};
use crate::rule::Rule;
use crate::rules;

/// Says what could stand in the places of a page that a rule finds fault with.
type Parts = fn(&Rule, &Page, &Site) -> Vec<Part>;

/// What mends one rule.
pub(super) struct Fixer {
    pub(super) rule: &'static Rule,
    pub(super) parts: Parts,
    /// It is a text, so that a language model can write it.
    pub(super) written: bool,
    /// It needs the links of the page.
    pub(super) links: bool,
}

/// Rules by what mends them: the rules, the function, whether it is a text, whether it needs links.
const ALL: &[(&[&str], Parts, bool, bool)] = &[
    (
        &[
            "title.missing",
            "title.multiple",
            "title.too_long",
            "title.too_short",
            "title.placeholder",
            "title.h1_mismatch",
            "title.duplicate",
        ],
        text::titles,
        true,
        false,
    ),
    (
        &[
            "description.missing",
            "description.multiple",
            "description.too_long",
            "description.too_short",
            "description.duplicate",
        ],
        text::descriptions,
        true,
        false,
    ),
    (&["heading.h1_missing", "heading.h1_empty"], text::headings, true, false),
    (
        &[
            "canonical.missing",
            "canonical.relative",
            "canonical.invalid",
            "canonical.fragment",
            "canonical.insecure",
            "canonical.target_redirects",
            "canonical.target_error",
            "canonical.target_not_indexable",
            "canonical.chain",
        ],
        canonical::parts,
        false,
        false,
    ),
    (&["image.alt_missing", "image.alt_file_name", "image.linked_without_alt"], alt::parts, true, false),
    (&["links.to_redirect", "links.broken_internal"], link::links, false, true),
    (&["redirect.chain", "redirect.to_error", "response.client_error"], link::redirects, false, false),
    (&["content.lang_missing", "mobile.viewport_missing"], document::parts, false, false),
];

/// Rules that have one, in the order of the table.
pub(super) fn rules() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|it| it.0).copied()
}

/// Whether a rule has one.
pub(crate) fn mends(id: &str) -> bool {
    rules().any(|it| it == id)
}

/// The fixer of a rule.
pub(super) fn fixer(id: &str) -> Result<Fixer> {
    let Some(rule) = rules::find(id) else {
        return Err(Fault::invalid(
            "/rule",
            "unknown_rule",
            format!("there is no rule {id}; audit.rule.list names them all"),
        ));
    };
    let known = ALL.iter().find(|it| it.0.contains(&id));
    known.map(|(_, parts, written, links)| Fixer { rule, parts: *parts, written: *written, links: *links }).ok_or_else(|| {
        let mut subjects: Vec<&str> = rules().filter_map(|it| it.split('.').next()).collect();
        subjects.dedup();
        let subjects = subjects.join(", ");
        let message = format!("{id} has no fixer; audit.issue.get says what to do. `rules` names those that have one, about {subjects}");
        Fault::invalid("/rule", "no_fixer", message).detail(json!({ "rules": rules().collect::<Vec<_>>() }))
    })
}
