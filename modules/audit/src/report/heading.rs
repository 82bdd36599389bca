//! The operation `audit.heading.report`.

use sdk::prelude::*;

use super::findings::{self, Findings, Report};
use crate::rule::Area;

/// Reports missing, multiple, duplicate and empty H1s, skipped levels and headings that repeat each other or the title.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which pages have no h1", "find pages with several h1 headings", "check the heading structure of the site"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "problem": "heading.h1_missing", "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Findings>> {
    findings::report(cx, &args, |rule| rule.area == Area::Headings)
}
