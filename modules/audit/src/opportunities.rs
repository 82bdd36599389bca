//! `audit.opportunities.*`, what is worth doing next.

use sdk::prelude::*;

use crate::analysis::{self, Analysis};
use crate::opportunity::Focus;
use crate::rule::Area;
use crate::run;
use crate::stored::{Audit, Kept, Opportunity, Trend};
use site::Site;

/// A website, a page, or both.
#[args]
pub(crate) struct Analyze {
    /// The website.
    site_id: Option<Id<Site>>,
    /// A page to begin with; on the website when both are given.
    url: Option<Url>,
    /// How many live pages to read; one call makes at most 8 outside requests, so past 8 it is 8.
    #[default(5)]
    max_pages: Count<1, 20>,
    /// What to look at.
    #[default("all")]
    focus: Focus,
}

/// Runs the read-only opportunity audit: combines the latest crawl and live pages into ranked opportunities.
///
/// The engine behind the route `POST /seo/audits`. It changes nothing. With a website, what its latest audit or crawl
/// says is combined with pages fetched now; with a URL alone, that page and pages it links to are read.
/// One call makes at most 8 outside requests, so `max_pages` above 8 counts as 8.
/// Clicks at stake are estimated only where search data is connected; `degraded` says when they are not.
#[operation(
    read,
    scope = "seo:audit",
    cost = live(most = 8),
    needs = ["web"],
    phrasings = [
        "what should I fix first on my website",
        "find seo opportunities",
        "how can I get more organic traffic",
        "quick seo audit of a site",
        "which seo problems cost me most",
    ],
    examples = [{ "site_id": "4503599627370496", "max_pages": 5 }, { "url": "https://shop.example/", "focus": "content" }]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Analysis> {
    let pages = usize::from(args.max_pages);
    analysis::analyze(cx, args.site_id.as_ref(), args.url.as_ref(), pages, args.focus)
}

#[args(paged)]
pub(crate) struct ListOpportunities {
    /// The website.
    site_id: Id<Site>,
    /// Only this area.
    area: Option<Area>,
    /// Only this impact and more.
    #[default(0)]
    min_impact: Count<0, 100>,
}

/// A stored opportunity.
#[value]
pub(crate) struct Listed {
    /// Its reference.
    opportunity_ref: Id<Kept>,
    /// The audit that found it.
    audit_ref: Id<Audit>,
    /// Place in the audit's list, from 1.
    rank: u32,
    /// The change since the audit before.
    trend: Trend,
    /// The opportunity.
    #[serde(flatten)]
    opportunity: Opportunity,
}

/// Opportunities, the best first.
#[page]
pub(crate) struct Opportunities {
    /// Of the latest audit that has ended.
    opportunities: Vec<Listed>,
}

/// Lists stored opportunities of a website with state, estimate and how they changed since the previous audit.
#[operation(
    read,
    scope = "seo:audit",
    cost = list,
    phrasings = ["show the opportunities of the last audit", "what did the audit say to fix", "list seo quick wins"],
    examples = [{ "site_id": "4503599627370496", "min_impact": 20 }]
)]
pub(crate) fn list(cx: &Cx, args: ListOpportunities) -> Result<Opportunities> {
    site::get(cx, &args.site_id)?;
    let Some(audit) = run::latest(cx, args.site_id.as_str()) else {
        return Ok(Opportunities { opportunities: Vec::new(), next_cursor: None });
    };
    // An audit has one opportunity a rule at most, so that its whole list is one read.
    let after = match &args.cursor {
        None => 0,
        Some(cursor) => {
            let (of, rank) = cursor.as_str().split_once('.').ok_or_else(sdk::invalid_cursor)?;
            if of != audit.id.as_str() {
                let message = "a newer audit has ended since the cursor was made; start without it";
                return Err(Fault::invalid("/cursor", "stale_cursor", message));
            }
            rank.parse().map_err(|_| sdk::invalid_cursor())?
        }
    };
    let least = u32::try_from(args.min_impact.get()).unwrap_or(0);
    let kept = cx.records::<Kept>().by("audit_rank").equals(&audit.id).scan();
    let mut fitting = kept.filter(|kept| {
        let area = args.area.is_none_or(|area| area == kept.opportunity.area);
        kept.rank > after && area && kept.opportunity.impact >= least
    });
    let limit = usize::try_from(args.limit.get()).unwrap_or(usize::MAX);
    let rows: Vec<Stored<Kept>> = fitting.by_ref().take(limit).collect();
    let next_cursor = match (fitting.next(), rows.last()) {
        (Some(_), Some(last)) => Some(Cursor::new(format!("{}.{}", audit.id, last.rank))),
        _ => None,
    };
    let opportunities = rows
        .into_iter()
        .map(|Stored { id, it, .. }| Listed {
            opportunity_ref: id,
            audit_ref: audit.id.clone(),
            rank: it.rank,
            trend: it.trend,
            opportunity: it.opportunity,
        })
        .collect();
    Ok(Opportunities { opportunities, next_cursor })
}
