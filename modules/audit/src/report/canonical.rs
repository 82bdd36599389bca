//! The operation `audit.canonical.report`.

use std::collections::HashMap;

use sdk::Degraded;
use sdk::prelude::*;

use super::findings::{Found, Report, found};
use super::{Ground, Judged, Sum};
use crate::index::Entry;
use crate::rule::{Area, Severity};

/// A page whose canonical is at fault.
#[value]
pub(crate) struct Row {
    /// The page.
    url: String,
    /// The canonical that it names, as far as one can be read.
    canonical: Option<String>,
    /// The rule.
    problem: String,
    /// What it costs.
    severity: Severity,
    /// What the canonical answered, such as `404` or `200, noindex`; `not crawled` when nobody asked.
    target_state: Option<String>,
    /// The element and its exact value, as it stands on the page.
    element: String,
    /// See `element`.
    value: String,
    /// What would have been right.
    expected: Option<String>,
}

/// What is wrong with canonicals.
#[page]
pub(crate) struct Canonicals {
    /// Pages, problem by problem.
    rows: Vec<Row>,
    /// Problems with their numbers of pages, the worst first.
    summary: Vec<Sum>,
    /// What the report stands on.
    #[serde(flatten)]
    judged: Judged,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports canonical faults: missing, multiple, relative, outside head, HTML versus header conflict, chains, and targets
/// that redirect, fail, are blocked or noindexed.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which canonicals point to broken pages", "find pages with conflicting canonical tags", "canonical to a redirect or noindex page"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "problem": "canonical.target_error" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Canonicals>> {
    let Found { mut ground, summary, found, next_cursor } = found(cx, &args, |rule| rule.area == Area::Canonical)?;
    let units = found.len() as u64;
    let entries = ground.entries();
    let known: HashMap<&str, &Entry> = entries.iter().map(|entry| (entry.url.as_str(), entry)).collect();
    let rows = found.into_iter().map(|found| {
        let canonical = known.get(found.url.as_str()).and_then(|entry| entry.canonical.clone());
        let target = canonical.as_deref().filter(|target| *target != found.url);
        let state = |target: &str| known.get(target).map_or_else(|| "not crawled".to_owned(), |entry| entry.state());
        Row {
            target_state: target.map(state),
            url: found.url,
            canonical,
            problem: found.rule.id.to_owned(),
            severity: found.rule.severity,
            element: found.evidence.element,
            value: found.evidence.value,
            expected: found.evidence.expected,
        }
    });
    let rows = rows.collect();
    let Ground { judged, degraded, .. } = ground;
    let canonicals = Canonicals { rows, summary, judged, degraded, next_cursor };
    Ok(Answer::new(canonicals).units(units))
}
