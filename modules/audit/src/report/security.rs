//! The operation `audit.security.report`.

use sdk::prelude::*;

use super::findings::{self, Findings, Whole};
use crate::rule::Area;

/// Rules about links that belong to this report too.
const LINKED: [&str; 2] = ["links.insecure", "links.local"];

/// Reports HTTP pages, mixed content, insecure forms, weak or missing HSTS, CSP, nosniff, referrer and frame headers,
/// links to insecure addresses and exposed development hosts.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which pages have mixed content", "are the security headers of my site right", "find forms and links that are not secure"],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn report(cx: &Cx, args: Whole) -> Result<Answer<Findings>> {
    findings::report(cx, &args.into(), |rule| rule.area == Area::Security || LINKED.contains(&rule.id))
}
