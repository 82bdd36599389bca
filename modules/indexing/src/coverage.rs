//! The operation `indexing.coverage.report`; `state` decides where each address stands.

pub(crate) mod state;

use std::collections::BTreeMap;

use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use site::{Segment, Site};
use state::{Address, State};

/// Segments that are counted.
const SEGMENTS: usize = 10;

#[args(paged)]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Only addresses of this segment.
    segment_ref: Option<Id<Segment>>,
    /// Only addresses in this state.
    state: Option<State>,
}

/// How many addresses are in which state.
#[value]
pub(crate) struct Summary {
    /// All known addresses; the states below add up to it.
    total: u64,
    indexed: u64,
    likely_indexed: u64,
    discovered_only: u64,
    excluded: u64,
    unknown: u64,
    /// Excluded ones by reason.
    reasons: BTreeMap<String, u64>,
    /// The same by segment, when none is asked for; at most 10.
    by_segment: Vec<InSegment>,
}

/// A segment's addresses by state.
#[value]
pub(crate) struct InSegment {
    segment_ref: Id<Segment>,
    total: u64,
    states: BTreeMap<String, u64>,
}

/// Where one address stands.
#[value]
pub(crate) struct Row {
    url: String,
    state: State,
    /// What decides it, such as `noindex` or `crawled_currently_not_indexed`; `ok` when nothing is wrong.
    reason: String,
    /// `inspection`, `crawl` or `sitemap`.
    evidence: String,
    /// When that was seen.
    seen_at: Option<Moment>,
    /// The last visit of Googlebot that its address confirms; null where none is in the imported logs.
    last_visit_at: Option<Moment>,
    /// What looks closer.
    fix: Fix,
}

/// The coverage of a website.
#[page]
pub(crate) struct Covered {
    /// In the order of their spelling.
    rows: Vec<Row>,
    summary: Summary,
    /// The crawl; none when none has ended.
    basis: Option<Basis>,
    degraded: Vec<Degraded>,
}

/// Reconciles every known URL across sitemap, crawl, inspection and logs into indexed, likely indexed, discovered only, excluded (with reason) and unknown, per segment.
///
/// The strongest evidence decides: what Google said when it was asked, unless a newer crawl found the address closed to
/// it; then the crawl; then a sitemap. An inspection older than 60 days makes an address likely indexed at best. Every
/// address is in one state.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "rows"),
    needs = ["store"],
    phrasings = [
        "how many of my pages are indexed",
        "index coverage report",
        "why are my pages excluded from google",
        "which pages are discovered but not indexed",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "state": "excluded", "limit": 50 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Covered> {
    let site = site::get(cx, &args.site_id)?;
    let segment = site::rules(cx, site.id.as_str(), args.segment_ref.as_ref())?;
    let known = state::known(cx, &site.id);
    let all: Vec<&Address> = known.all.iter().filter(|it| site::held(segment.as_ref(), &it.url)).collect();
    let mut summary = count(&all);
    if segment.is_none() {
        for one in site::segments(cx, &site.id).take(SEGMENTS) {
            let Some(rules) = one.ready() else { continue };
            let within: Vec<&Address> = all.iter().copied().filter(|it| site::held(Some(&rules), &it.url)).collect();
            let mut states: BTreeMap<String, u64> = BTreeMap::new();
            for address in &within {
                *states.entry(address.state.word().to_owned()).or_default() += 1;
            }
            summary.by_segment.push(InSegment { segment_ref: one.id.clone(), total: within.len() as u64, states });
        }
    }
    let wanted: Vec<&Address> = all.into_iter().filter(|it| args.state.is_none_or(|state| it.state == state)).collect();
    let page = args.window(wanted)?;
    let visited =
        visits::Store::of(cx, &site.id).newest_among(page.items.iter().map(|it| it.url.as_str()), "googlebot");
    let visited = visited.map_err(|why| why.at("/site_id"))?;
    let visit = |it: &Address| visited.get(&it.url).map(|it| it.last_verified).filter(|it| *it > 0);
    let rows = page.items.into_iter().map(|it| row(&site, it, visit(it))).collect();
    Ok(Covered {
        rows,
        summary,
        basis: known.run.map(|run| site::basis(cx, &run)),
        degraded: known.degraded,
        next_cursor: page.next,
    })
}

fn count(all: &[&Address]) -> Summary {
    let of = |state: State| all.iter().filter(|it| it.state == state).count() as u64;
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    for address in all.iter().filter(|it| it.state == State::Excluded) {
        *reasons.entry(address.reason.clone()).or_default() += 1;
    }
    Summary {
        total: all.len() as u64,
        indexed: of(State::Indexed),
        likely_indexed: of(State::LikelyIndexed),
        discovered_only: of(State::DiscoveredOnly),
        excluded: of(State::Excluded),
        unknown: of(State::Unknown),
        reasons,
        by_segment: Vec::new(),
    }
}

fn row(site: &Stored<Site>, it: &Address, visit: Option<u64>) -> Row {
    let fix = match it.state {
        State::Excluded => Fix::on("indexing.url.check", &it.url),
        _ => Fix::new("indexing.url.inspect", json!({ "site_id": site.id, "url": it.url })),
    };
    Row {
        url: it.url.clone(),
        state: it.state,
        reason: it.reason.clone(),
        evidence: it.evidence.to_owned(),
        seen_at: it.seen_ms.map(Moment::from_millis),
        last_visit_at: visit.map(|second| Moment::from_millis(second * 1_000)),
        fix,
    }
}

#[cfg(test)]
mod tests;
