//! The read-only opportunity audit: the latest crawl and some live pages, judged together.

mod ground;

use std::collections::BTreeSet;

use kit::page::PageFacts;
use sdk::Basis;
use sdk::Degraded;
use sdk::prelude::*;

use self::ground::Ground;
use crate::act::Known;
use crate::opportunity::{self, FORMULA, Focus, Found};
use crate::page::origin;
use crate::rule::SiteContext;
use crate::settings::Settings;
use crate::stored::{Audit, Opportunity};
use site::Site;
use site::live::{self, Reach};

/// Outside requests of one call; the host allows as many to a read.
const REQUESTS: usize = 8;
/// What is read of the first page; eight of this size are what a read has fuel to parse.
const FIRST: Reach = Reach { bytes: 128 << 10, time: 4_500 };
/// What is read of the others, which are fetched together.
const REST: Reach = Reach { time: 3_500, ..FIRST };

/// A page that was looked at.
#[value]
pub(crate) struct Looked {
    /// The address.
    url: String,
    /// Its status; 0 when there was no answer.
    status: u16,
    /// Where it was looked at.
    source: Source,
    /// Rules that it breaks.
    findings: u32,
}

/// Where a page was looked at.
#[value]
pub(crate) enum Source {
    /// Fetched now.
    Live,
    /// As the latest crawl stored it.
    Crawl,
}

/// What the audit says.
#[value]
pub(crate) struct Analysis {
    /// What is worth doing, the best first.
    opportunities: Vec<Opportunity>,
    /// From 0 to 100, over the pages looked at or, with a stored audit, over all its pages.
    score: f64,
    /// How score and impact are made.
    formula: String,
    /// The pages looked at in this call.
    checked: Vec<Looked>,
    /// The crawl that went into it beside the live pages; its `run_ref` is null when only live pages did.
    basis: Basis,
    /// The audit of that crawl; null without one.
    audit_ref: Option<Id<Audit>>,
    /// Addresses of the crawl that were judged.
    crawled_pages: u32,
    /// Pages fetched now.
    live_pages: u32,
    /// What could not be done, in words; empty when nothing is missing.
    degraded: Vec<Degraded>,
}

/// The crawl that went into an analysis.
#[derive(Default)]
pub(crate) struct Crawl {
    basis: Option<Basis>,
    audit_ref: Option<Id<Audit>>,
    /// Addresses of it that were judged.
    pages: u32,
    /// Whether the worth of its pages counts their clicks.
    by_clicks: bool,
}

/// Judges a website, a page, or both.
pub(crate) fn analyze(
    cx: &Cx,
    site_id: Option<&Id<Site>>,
    url: Option<&Url>,
    pages: usize,
    focus: Focus,
) -> Result<Analysis> {
    let site = site_id.map(|id| site::get(cx, id)).transpose()?;
    let start = match (&site, url) {
        (None, None) => {
            return Err(Fault::invalid("", "nothing_to_audit", "give site_id, url, or both"));
        }
        (Some(site), Some(url)) if !same_site(&site.origin, url) => {
            let message = format!("the page is not on {}; leave site_id out to audit another site", site.domain);
            return Err(Fault::invalid("/url", "url_not_on_site", message));
        }
        (_, Some(url)) => url.clone(),
        (Some(site), None) => format!("{}/", site.origin).parse().map_err(|_| {
            Fault::conflict("website_without_origin", "the website has no address yet; set its domain anew")
        })?,
    };
    let mut degraded = Vec::new();
    if pages > REQUESTS {
        degraded.push(Degraded::new(
            "pages",
            format!("{REQUESTS} live pages instead of {pages}: one call makes at most {REQUESTS} outside requests"),
        ));
    }
    let mut crawl = Crawl::default();
    let settings = site.as_ref().map_or_else(Settings::default, |site| Settings::of(cx, &site.id));
    let mut ground = match site_id {
        Some(id) => Ground::read(cx, id, &settings, &mut crawl),
        None => Ground::new(&settings),
    };
    if site_id.is_some() && crawl.basis.is_none() {
        degraded.push(Degraded::new(
            "crawl",
            "the website has no finished crawl: only live pages were judged; start one with crawl.run.start",
        ));
    }
    degraded.extend(without_clicks(&crawl, site_id));
    let live = fetch(cx, &start, pages.min(REQUESTS), &ground)?;
    let live_pages = u32::try_from(live.len()).unwrap_or(u32::MAX);
    if live.iter().any(|facts| facts.truncated) {
        degraded
            .push(Degraded::new("pages", format!("only the first {} KiB of long pages were read", FIRST.bytes >> 10)));
    }
    ground.judge(&live, &SiteContext { origin: origin(start.as_str()), limits: settings.limits() });
    let score = ground.tally.score(&ground.choice).0;
    let found: Vec<Found> = ground.found.into_values().filter(|found| focus.holds(found.rule.area)).collect();
    let origin = origin(start.as_str());
    let known = Known {
        audit: crawl.audit_ref.as_ref().map(Id::as_str),
        run: crawl.basis.as_ref().and_then(|it| it.run_ref.as_ref()).map(Id::as_str),
        site: site.as_ref().map(|site| site.id.as_str()),
        origin: &origin,
    };
    Ok(Analysis {
        opportunities: opportunity::rank(found, &known),
        score,
        formula: format!("score = {}; {FORMULA}", crate::score::FORMULA),
        checked: ground.looked,
        basis: crawl.basis.unwrap_or(Basis { run_ref: None, at: cx.now(), age_seconds: 0, complete: false }),
        audit_ref: crawl.audit_ref,
        crawled_pages: crawl.pages,
        live_pages,
        degraded,
    })
}

/// What to say where the worth of pages does not count their clicks.
fn without_clicks(crawl: &Crawl, site: Option<&Id<Site>>) -> Option<Degraded> {
    if crawl.by_clicks {
        return None;
    }
    let why = match (site, &crawl.audit_ref) {
        (None, _) => "the clicks of pages do not count: an address alone has no search figures",
        (Some(_), None) => "the clicks of pages do not count before a whole crawl was audited",
        (Some(_), Some(_)) => {
            "the clicks of pages do not count: fewer than 100 were stored when the website was audited"
        }
    };
    let told = Degraded::new("clicks", why);
    Some(match site {
        Some(site) => told.supplied_by("search_console.sync.run", sdk::json!({ "site_id": site })),
        None => told,
    })
}

fn same_site(origin: &str, url: &Url) -> bool {
    kit::url::Url::parse(origin).is_ok_and(|origin| kit::url::same_site(&origin, url))
}

/// The first page, then the pages that matter most: those the crawl saw nearest to the home page, or those it links to.
fn fetch(cx: &Cx, start: &Url, pages: usize, ground: &Ground) -> Result<Vec<PageFacts>> {
    let first = live::fetch(cx, start, FIRST)?;
    let mut seen: BTreeSet<&str> = [first.url.as_str(), first.final_url.as_str()].into();
    let linked = first.links.iter().filter(|link| link.internal && !link.nofollow()).map(|link| link.url.as_str());
    let known = ground.near.iter().map(String::as_str);
    let next: Vec<Url> = known
        .chain(linked)
        .filter(|url| !url.is_empty() && seen.insert(url))
        .filter_map(|url| url.parse().ok())
        .take(pages.saturating_sub(1))
        .collect();
    let rest = live::fetch_many(cx, &next, REST);
    Ok(std::iter::once(first).chain(rest).collect())
}

#[cfg(test)]
mod tests;
