//! The website and the crawl that a call speaks of, what a result stands on, and the refusals without them.

use kit::crawled::RunKind;
use kit::segments::{Address, Segment as Rules};
use sdk::Basis;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::stored::{Run, Segment, Site};

/// Runs that are looked at for the newest crawl that has ended.
const RUNS: usize = 50;

/// The crawl that a result rests on.
pub(crate) fn basis(cx: &Cx, run: &Stored<Run>) -> Basis {
    Basis::of_run(run.id.as_str(), Moment::from_millis(ended_ms(run)), cx.now(), run.0.is_complete())
}

/// When a crawl ended.
pub(crate) fn ended_ms(run: &Run) -> u64 {
    run.0.finished_ms.unwrap_or(run.0.created_ms)
}

/// The website of an argument; 404 for one that is not the customer's.
pub(crate) fn get(cx: &Cx, site: &Id<Site>) -> Result<Stored<Site>> {
    cx.records::<Site>().get(site).map_err(|fault| fault.at("/site_id"))
}

/// Whether an address is of a website: the same host, `www.` aside.
pub(crate) fn has(site: &Site, url: &str) -> bool {
    let parsed = |it: &str| kit::url::Url::parse(it).ok();
    match (parsed(&site.origin), parsed(url)) {
        (Some(own), Some(other)) => kit::url::same_site(&own, &other),
        _ => false,
    }
}

/// Refuses addresses that are not of the website, naming the first at fault.
pub(crate) fn all_own(site: &Site, urls: &[Url]) -> Result<()> {
    let Some(at) = urls.iter().position(|url| !has(site, url.as_str())) else { return Ok(()) };
    let message = format!("the address is not one of this website, which is at {}", site.origin);
    Err(Fault::invalid(format!("/urls/{at}"), "url_not_of_site", message))
}

/// A crawl that has ended: 404 for one that is not the customer's, 409 while it runs.
pub(crate) fn ended(cx: &Cx, run: &Id<Run>) -> Result<Stored<Run>> {
    let run = cx.records::<Run>().get(run).map_err(|fault| fault.at("/run_ref"))?;
    if run.0.has_ended() {
        return Ok(run);
    }
    let message = "the crawl has not ended; follow it with crawl.run.get and ask again then";
    Err(Fault::conflict("run_unfinished", message).at("/run_ref"))
}

/// The newest crawls of a website that have ended, the newest first.
pub(crate) fn crawls(cx: &Cx, site: &Id<Site>) -> impl Iterator<Item = Stored<Run>> {
    let runs = cx.records::<Run>().by("site_id").equals(site).descending().scan().take(RUNS);
    runs.filter(|run| run.0.has_ended() && run.0.kind == RunKind::Crawl)
}

/// The newest crawl of a website that has ended.
pub(crate) fn newest(cx: &Cx, site: &Id<Site>) -> Option<Stored<Run>> {
    crawls(cx, site).next()
}

/// As [`newest`]; 409 `crawl_required` with the call that makes one.
pub(crate) fn newest_needed(cx: &Cx, site: &Id<Site>) -> Result<Stored<Run>> {
    newest(cx, site).ok_or_else(|| {
        let first = Fix::new("crawl.run.start", json!({ "site_id": site }));
        Fault::conflict("crawl_required", "no crawl of this website has ended yet; call crawl.run.start first")
            .at("/site_id")
            .detail(json!({ "operation_id": first.operation_id, "arguments": first.arguments }))
    })
}

/// The rules of a segment of a website; 404 for one of another website.
pub(crate) fn segment(cx: &Cx, site: &str, segment: Option<&Id<Segment>>) -> Result<Option<Rules>> {
    let Some(segment) = segment else { return Ok(None) };
    let found = cx.records::<Segment>().get(segment).map_err(|fault| fault.at("/segment_ref"))?;
    if found.site_id != site {
        return Err(Fault::not_found("segment_not_found", "this segment is of another website").at("/segment_ref"));
    }
    let unreadable = |_| {
        let message = "the rules of this segment no longer read; set it anew with websites.segment.set";
        Fault::conflict("segment_unreadable", message).at("/segment_ref")
    };
    Ok(Some(Rules::new(&found.rules).map_err(unreadable)?))
}

/// Whether an address is in a segment, or there is none to be in.
pub(crate) fn within(segment: Option<&Rules>, url: &str) -> bool {
    segment.is_none_or(|rules| rules.holds(Address { url, content_type: Some("text/html") }))
}
