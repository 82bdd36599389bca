//! What the fixed route `POST /seo/audits` shows.

use sdk::prelude::*;

use crate::analysis::{self, Analysis};
use crate::opportunity::Focus;
use site::Site;

/// The body of `POST /seo/audits`: a website, a page, or both. Other members are allowed and not read.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(extend("additionalProperties" = true))]
pub(crate) struct Audits {
    /// The website.
    site_id: Option<Id<Site>>,
    /// A page to begin with; on the website when both are given.
    url: Option<Url>,
    /// How many live pages to read; one call makes at most 8 outside requests, so past 8 it is 8.
    #[serde(default = "five")]
    max_pages: Count<1, 20>,
    /// What to look at.
    #[serde(default = "all")]
    focus: Focus,
}

fn five() -> Count<1, 20> {
    Count::try_from(5).expect("5 is from 1 to 20")
}

fn all() -> Focus {
    Focus::All
}

/// Runs the read-only SEO opportunity audit of a website or page.
///
/// The same engine as `audit.opportunities.analyze`.
#[operation(
    read,
    scope = "seo:audit",
    cost = live(most = 8),
    needs = ["web"],
    phrasings = ["run a read-only seo audit"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn audits(cx: &Cx, args: Audits) -> Result<Analysis> {
    let pages = usize::from(args.max_pages);
    analysis::analyze(cx, args.site_id.as_ref(), args.url.as_ref(), pages, args.focus)
}
