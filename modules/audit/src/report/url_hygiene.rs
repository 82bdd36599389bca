//! The operation `audit.url_hygiene.report`.

use sdk::prelude::*;

use super::findings::{self, Findings, Report};
use crate::rule::Area;

/// Reports URLs with spaces, uppercase, underscores, double slashes, non-ASCII, repeated segments, excess length or parameters, and case or slash duplicates.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which urls are badly formed", "find addresses with uppercase letters or underscores", "do pages answer with and without a slash"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "problem": "url.uppercase", "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Findings>> {
    findings::report(cx, &args, |rule| rule.area == Area::Url)
}
