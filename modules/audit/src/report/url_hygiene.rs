//! Kept here: `audit.url_hygiene.report`.

use sdk::prelude::*;

use super::{Basis, Ground, Row, Sum, about, chosen, sums};
use crate::rule::Area;
use crate::stored::Run;

/// What `audit.url_hygiene.report` takes.
#[args]
pub(crate) struct Report {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// Only this problem, such as `url.uppercase`; the summary names those that were found.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    problem: Option<Text<1, 64>>,
    /// How many rows.
    #[default(25)]
    limit: Count<1, 100>,
    /// Where the page before ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cursor: Option<Cursor>,
}

/// What is wrong with addresses.
#[page]
pub(crate) struct Addresses {
    /// Pages, problem by problem.
    rows: Vec<Row>,
    /// Problems with their numbers of pages, the worst first.
    summary: Vec<Sum>,
    /// What the report stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<String>,
}

/// Reports URLs with spaces, uppercase, underscores, double slashes, non-ASCII, repeated segments, excess length or parameters, and case or slash duplicates.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which urls are badly formed", "find addresses with uppercase letters or underscores", "do pages answer with and without a slash"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "problem": "url.uppercase", "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Addresses>> {
    let ground = Ground::of(cx, &args.run_ref)?;
    let all = about(&ground, |rule| rule.area == Area::Url);
    let rules = chosen(&all, args.problem.as_deref())?;
    let (found, next_cursor) = ground.page(&rules, usize::from(args.limit), args.cursor.as_ref())?;
    let units = found.len() as u64;
    let rows = found.into_iter().map(Row::from).collect();
    let summary = sums(&ground, &all);
    Ok(Answer::new(Addresses { summary, rows, basis: ground.basis, degraded: ground.degraded, next_cursor })
        .units(units))
}
