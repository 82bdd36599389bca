//! The operation `local_grid.business.list`.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::geodesy::Point;
use crate::metrics::Figures;
use crate::recognise::Rules;
use crate::stored::{Business, Run, Tally};
use site::Site;

/// Results of scans that a list looks through for the latest of each keyword.
const RECENT: u64 = 40;

#[args(paged)]
pub(crate) struct ListArgs {
    /// The website, as listed; all of the account when left out.
    site_id: Option<Id<Site>>,
}

/// What the latest scan of a keyword found.
#[value]
pub(crate) struct Latest {
    /// The keyword.
    keyword: String,
    /// The scan.
    run_ref: Id<Run>,
    /// When it ended.
    finished_at: Moment,
    /// What it found; `local_grid.run.get` prints the definitions.
    figures: Figures,
}

/// A business in a list.
#[value]
pub(crate) struct Line {
    /// The business.
    business_ref: Id<Business>,
    /// Its website.
    site_id: Id<Site>,
    /// Its name.
    name: String,
    /// Where it stands, in words.
    address: Option<String>,
    /// Where it stands; without it no scan can be made.
    point: Option<Point>,
    /// How it is recognised among results.
    match_rules: Rules,
    /// Its recurring scan, if `local_grid.schedule.set` has set one.
    schedule: Option<crate::schedule::Recurring>,
    /// The latest ended scan of each keyword, among the last 40 results.
    latest: Vec<Latest>,
}

/// Businesses.
#[page]
pub(crate) struct Businesses {
    /// In the order of being added.
    businesses: Vec<Line>,
}

/// Lists businesses with last scan figures per keyword.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which of my shops are tracked on the map",
        "how do my locations rank on google maps right now",
        "list the businesses set up for grid scans",
    ],
    examples = [{}, { "site_id": "4503599627370496" }]
)]
pub(crate) fn list(cx: &Cx, args: ListArgs) -> Result<Businesses> {
    let businesses = match &args.site_id {
        Some(site) => cx.records::<Business>().by("site_id").equals(&site::get(cx, site)?.id),
        None => cx.records::<Business>().all(),
    };
    let page = businesses.page(args.limit, args.cursor)?;
    let mut lines = Vec::with_capacity(page.items.len());
    for business in page.items {
        let latest = latest(cx, &business.id)?;
        let schedule = crate::schedule::of(cx, business.id.as_str());
        let Stored { id, it, .. } = business;
        lines.push(Line {
            business_ref: id,
            site_id: it.site_id.into(),
            name: it.name,
            address: it.address,
            point: it.point,
            match_rules: it.rules,
            schedule,
            latest,
        });
    }
    Ok(Page { items: lines, next: page.next }.into())
}

/// The latest result of each keyword of a business.
fn latest(cx: &Cx, business: &Id<Business>) -> Result<Vec<Latest>> {
    let tallies = cx.records::<Tally>().by("business_finished_ms").equals(business).at_least(1_u64).descending();
    let mut latest: BTreeMap<String, Latest> = BTreeMap::new();
    for tally in tallies.page(RECENT, None)?.items {
        let Some(finished) = tally.finished_ms.map(Moment::from_millis) else { continue };
        let Tally { keyword, run, figures, .. } = tally.into_inner();
        let found = Latest { keyword: keyword.clone(), run_ref: run.into(), finished_at: finished, figures };
        latest.entry(keyword).or_insert(found);
    }
    Ok(latest.into_values().collect())
}
