//! What reports about the rules of one area share: their arguments, their rows, and how they are put together.

use sdk::Degraded;
use sdk::prelude::*;

use super::{Finding, Ground, Judged, Row, Sum, about, chosen, sums};
use crate::rule::Rule;
use site::Run;

/// What a report takes that can be narrowed to one problem.
#[args(paged)]
pub(crate) struct Report {
    /// A crawl that has ended.
    pub(super) run_ref: Id<Run>,
    /// Only this problem, by the name that the summary has for it; the summary names those that were found.
    pub(super) problem: Option<Text<1, 64>>,
}

/// What a report takes that is always whole.
#[args(paged)]
pub(crate) struct Whole {
    /// A crawl that has ended.
    pub(super) run_ref: Id<Run>,
}

impl From<Whole> for Report {
    fn from(args: Whole) -> Self {
        Self { run_ref: args.run_ref, problem: None, limit: args.limit, cursor: args.cursor }
    }
}

/// What is wrong in one area.
#[page]
pub(crate) struct Findings {
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

/// Findings before they are rows.
pub(super) struct Found<'a> {
    pub(super) ground: Ground<'a>,
    pub(super) summary: Vec<Sum>,
    pub(super) found: Vec<Finding>,
    pub(super) next_cursor: Option<Cursor>,
}

/// What the rules that fit found in a crawl.
pub(super) fn found<'a>(cx: &'a Cx, args: &Report, fits: impl Fn(&Rule) -> bool) -> Result<Found<'a>> {
    let ground = Ground::of(cx, &args.run_ref)?;
    let all = about(&ground, fits);
    let rules = chosen(&all, args.problem.as_deref())?;
    let (found, next_cursor) = ground.page(&rules, usize::from(args.limit), args.cursor.as_ref())?;
    Ok(Found { summary: sums(&ground, &all), ground, found, next_cursor })
}

/// The report of the rules that fit.
pub(super) fn report(cx: &Cx, args: &Report, fits: impl Fn(&Rule) -> bool) -> Result<Answer<Findings>> {
    let Found { ground, summary, found, next_cursor } = found(cx, args, fits)?;
    let rows: Vec<Row> = found.into_iter().map(Row::from).collect();
    let units = rows.len() as u64;
    let Ground { judged, degraded, .. } = ground;
    Ok(Answer::new(Findings { rows, summary, judged, degraded, next_cursor }).units(units))
}
