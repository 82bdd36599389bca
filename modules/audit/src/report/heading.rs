//! Kept here: `audit.heading.report`.

use sdk::prelude::*;

use super::{Basis, Ground, Row, Sum, about, chosen, sums};
use crate::rule::Area;
use crate::stored::Run;

/// What `audit.heading.report` takes.
#[args]
pub(crate) struct Report {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// Only this problem, such as `heading.h1_missing`; the summary names those that were found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    problem: Option<Text<1, 64>>,
    /// How many rows.
    #[default(25)]
    limit: Count<1, 100>,
    /// Where the page before ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cursor: Option<Cursor>,
}

/// What is wrong with headings.
#[page]
pub(crate) struct Headings {
    /// Pages, problem by problem.
    rows: Vec<Row>,
    /// Problems with their numbers of pages, the worst first.
    summary: Vec<Sum>,
    /// What the report stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<String>,
}

/// Reports missing, multiple, duplicate and empty H1s, skipped levels and headings that repeat each other or the title.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which pages have no h1", "find pages with several h1 headings", "check the heading structure of the site"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "problem": "heading.h1_missing", "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Headings>> {
    let ground = Ground::of(cx, &args.run_ref)?;
    let all = about(&ground, |rule| rule.area == Area::Headings);
    let rules = chosen(&all, args.problem.as_deref())?;
    let (found, next_cursor) = ground.page(&rules, usize::from(args.limit), args.cursor.as_ref())?;
    let units = found.len() as u64;
    let rows = found.into_iter().map(Row::from).collect();
    let summary = sums(&ground, &all);
    Ok(Answer::new(Headings { summary, rows, basis: ground.basis, degraded: ground.degraded, next_cursor })
        .units(units))
}
