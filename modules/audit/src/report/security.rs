//! Kept here: `audit.security.report`.

use sdk::prelude::*;

use super::{Basis, Ground, Row, Sum, about, sums};
use crate::rule::Area;
use crate::stored::Run;

/// What `audit.security.report` takes.
#[args]
pub(crate) struct Report {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// How many rows.
    #[default(25)]
    limit: Count<1, 100>,
    /// Where the page before ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cursor: Option<Cursor>,
}

/// What is unsafe.
#[page]
pub(crate) struct Findings {
    /// Pages, problem by problem.
    rows: Vec<Row>,
    /// Problems with their numbers of pages, the worst first.
    summary: Vec<Sum>,
    /// What the report stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<String>,
}

/// Reports HTTP pages, mixed content, insecure forms, weak or missing HSTS, CSP, nosniff, referrer and frame headers,
/// links to insecure addresses and exposed development hosts.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which pages have mixed content", "are the security headers of my site right", "find forms and links that are not secure"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Findings>> {
    let ground = Ground::of(cx, &args.run_ref)?;
    let linked = ["links.insecure", "links.local"];
    let rules = about(&ground, |rule| rule.area == Area::Security || linked.contains(&rule.id));
    let (found, next_cursor) = ground.page(&rules, usize::from(args.limit), args.cursor.as_ref())?;
    let units = found.len() as u64;
    let rows = found.into_iter().map(Row::from).collect();
    let summary = sums(&ground, &rules);
    Ok(Answer::new(Findings { summary, rows, basis: ground.basis, degraded: ground.degraded, next_cursor })
        .units(units))
}
