//! What plans and health read of whole audits: those that asked every rule and have ended.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;

use crate::stored::Website;
use crate::task::source::Issue;

/// An audit with what each area took from its score.
#[foreign(collection = "audit.audits", index(site_id, created_ms))]
pub(crate) struct Audited {
    /// The website.
    pub(crate) site_id: String,
    /// The crawl.
    pub(crate) run_ref: String,
    /// When it was asked for.
    pub(crate) created_ms: u64,
    /// When it ended.
    #[serde(default)]
    pub(crate) finished_ms: Option<u64>,
    /// From 0 to 100.
    #[serde(default)]
    pub(crate) score: Option<f64>,
    /// The rules asked for; empty means all.
    #[serde(default)]
    pub(crate) rules: Vec<String>,
    /// What each area took from the score.
    #[serde(default)]
    pub(crate) by_area: BTreeMap<String, Area>,
}

/// What one area took from the score.
#[value]
pub(crate) struct Area {
    /// Points of 100.
    pub(crate) lost: f64,
}

/// What an area of audits is about, where plans and health ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// Whether pages can be fetched, understood and shown.
    Technical,
    /// Titles, descriptions, headings, texts, pictures, and whether everybody can use them.
    Content,
    /// Links inside the website.
    Links,
    /// Whether machines can read what a page says.
    Readable,
}

/// What an area is about; one that is not known here is technical.
pub(crate) fn about(area: &str) -> About {
    match area {
        "metadata" | "headings" | "content" | "images" | "social" | "accessibility" => About::Content,
        "links" => About::Links,
        "structured_data" | "ai" => About::Readable,
        _ => About::Technical,
    }
}

/// The newest whole audit of a website.
pub(crate) fn newest(cx: &Cx, site: &Id<Website>) -> Option<Stored<Audited>> {
    let audits = cx.records::<Audited>().by("site_id_created_ms").equals(site).descending();
    let recent = audits.page(20u64, None).ok()?;
    recent.items.into_iter().find(|it| it.finished_ms.is_some() && it.score.is_some() && it.rules.is_empty())
}

/// The rules that an audit found something for.
pub(crate) fn found(cx: &Cx, audit: &Id<Audited>) -> BTreeSet<String> {
    let issues = cx.records::<Issue>().by("audit_rule").equals(audit).scan();
    issues.filter(|it| it.affected > 0).map(|it| it.into_inner().rule).collect()
}
