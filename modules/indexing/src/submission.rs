//! What was handed to search engines, and `indexing.submission.list`.

use std::collections::HashMap;

use kit::crawled::page_id;
use sdk::Degraded;
use sdk::prelude::*;

use crate::stored::{Receiver, Submission, UrlState};
use addresses::Known;
use site::Site;
use site::live::{self, Reach};
use visits::Newest;

/// Pages that are looked at live, of those that no crawl knows.
const LIVE: usize = 20;
/// Bytes of such a page: its head.
const BYTES: u32 = 256 << 10;

/// An address to be handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ready {
    pub(crate) url: String,
    pub(crate) text_sha256: String,
    pub(crate) removed: bool,
}

/// An address that is not handed over.
#[value]
pub(crate) struct Skipped {
    pub(crate) url: String,
    /// `noindex`, `canonicalised`, `robots_blocked`, `server_error`, `unchanged`, `repeated` and the like.
    pub(crate) reason: String,
}

/// Addresses sorted into those to be handed over and those that are not.
#[derive(Default)]
pub(crate) struct Sorted {
    pub(crate) ready: Vec<Ready>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) degraded: Vec<Degraded>,
}

/// Sorts addresses by what the newest crawl knows of them, or the live page where none does, and by what was handed over
/// before. `force` takes those too that were handed over unchanged.
pub(crate) fn sort(cx: &Cx, site: &Id<Site>, receiver: Receiver, urls: &[Url], force: bool) -> Sorted {
    let mut out = Sorted::default();
    let run = site::newest(cx, site);
    let crawled = run.as_ref().map(|run| addresses::of(cx, &run.id));
    let known: HashMap<&str, &Known> = crawled.iter().flat_map(|it| &it.all).map(|it| (it.url.as_str(), it)).collect();
    if run.is_none() {
        out.degraded
            .push(Degraded::new("crawl", format!("none has ended; the first {LIVE} addresses are looked at live")));
    }
    let mut seen = std::collections::HashSet::new();
    let mut unknown: Vec<Url> = Vec::new();
    for url in urls {
        let normal = kit::url::normalize(url.as_str()).unwrap_or_else(|| url.as_str().to_owned());
        if !seen.insert(normal.clone()) {
            out.skipped.push(Skipped { url: normal, reason: "repeated".to_owned() });
            continue;
        }
        match known.get(normal.as_str()) {
            Some(page) => {
                place(
                    cx,
                    site,
                    receiver,
                    force,
                    (&page.url, &page.reason, page.is_gone(), &page.text_sha256),
                    &mut out,
                );
            }
            None => unknown.push(url.clone()),
        }
    }
    let unseen = unknown.split_off(unknown.len().min(LIVE));
    for (url, facts) in unknown.iter().zip(live::unfollowed(cx, &unknown, Reach::bytes(BYTES))) {
        let normal = kit::url::normalize(url.as_str()).unwrap_or_else(|| url.as_str().to_owned());
        let gone = matches!(facts.status, 404 | 410);
        let reason = facts.indexability.reason.word();
        place(cx, site, receiver, force, (&normal, reason, gone, &facts.text_sha256), &mut out);
    }
    if !unseen.is_empty() {
        out.degraded.push(Degraded::new(
            "crawl",
            format!("{} addresses are in no crawl and were handed over without a look", unseen.len()),
        ));
    }
    for url in unseen {
        let normal = kit::url::normalize(url.as_str()).unwrap_or_else(|| url.as_str().to_owned());
        place(cx, site, receiver, force, (&normal, "ok", false, ""), &mut out);
    }
    out
}

/// Puts one address where it belongs. One that is gone, or leads elsewhere, is news for a search engine too.
fn place(cx: &Cx, site: &Id<Site>, receiver: Receiver, force: bool, page: (&str, &str, bool, &str), out: &mut Sorted) {
    let (url, reason, removed, text) = page;
    let news = matches!(reason, "ok" | "redirect" | "meta_refresh") || removed;
    if !news {
        out.skipped.push(Skipped { url: url.to_owned(), reason: reason.to_owned() });
        return;
    }
    let last = latest(cx, site, receiver, url);
    let same = |it: &Submission| {
        let took = (200..300).contains(&it.code);
        took && it.removed == removed && (removed || (!text.is_empty() && it.text_sha256 == text))
    };
    if !force && last.as_ref().is_some_and(same) {
        out.skipped.push(Skipped { url: url.to_owned(), reason: "unchanged".to_owned() });
        return;
    }
    out.ready.push(Ready { url: url.to_owned(), text_sha256: text.to_owned(), removed });
}

/// The newest submission of an address.
fn latest(cx: &Cx, site: &Id<Site>, receiver: Receiver, url: &str) -> Option<Submission> {
    let index = cx.records::<Submission>().by("site_id_engine_url_at_ms");
    index.equals(site).equals(receiver).equals(url).descending().first().map(Stored::into_inner)
}

/// Keeps that addresses were handed over, and what was answered.
pub(crate) fn keep(cx: &Cx, site: &Id<Site>, receiver: Receiver, ready: &[Ready], code: u16) -> Result<()> {
    let at_ms = cx.now().millis();
    let rows: Vec<Submission> = ready
        .iter()
        .map(|it| Submission {
            site_id: site.to_string(),
            engine: receiver,
            url: it.url.clone(),
            at_ms,
            code,
            text_sha256: it.text_sha256.clone(),
            removed: it.removed,
        })
        .collect();
    cx.records::<Submission>().put_many(&rows)?;
    Ok(())
}

/// How many addresses a receiver was handed today (UTC) and took.
pub(crate) fn today(cx: &Cx, site: &Id<Site>, receiver: Receiver) -> u64 {
    let now = cx.now().millis();
    let index = cx.records::<Submission>().by("site_id_engine_at_ms");
    index.equals(site).equals(receiver).at_least(now - now % 86_400_000).count()
}

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Only those to this engine.
    engine: Option<Receiver>,
    /// Only from this day on, in UTC.
    from: Option<Day>,
    /// Only up to this day, it included.
    to: Option<Day>,
}

/// One address that was handed over.
#[value]
pub(crate) struct Sent {
    url: String,
    engine: Receiver,
    /// The status that answered.
    code: u16,
    submitted_at: Moment,
    /// Whether it was handed over as one that is gone.
    removed: bool,
    /// The first visit afterwards that is known of; none where none is.
    first_crawl_after: Option<Moment>,
    /// Hours between the two.
    delay_hours: Option<f64>,
}

/// Addresses that were handed over.
#[page]
pub(crate) struct Submissions {
    /// The newest first.
    submissions: Vec<Sent>,
    /// Of the rows of this page whose visit is known.
    median_delay_hours: Option<f64>,
    degraded: Vec<Degraded>,
}

/// Lists submissions with engine, answer and the first bot visit seen afterwards in logs or inspection, giving the delay per URL.
///
/// A visit is known from the newest inspection of the address (`indexing.inspection.run`), which is Google's, and from the first
/// and the newest verified visit that the imported logs have of it: of Googlebot for what was sent to Google, else of Bingbot.
/// Where an address was visited before, the delay is an upper bound.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "what did I submit to indexnow",
        "list my url submissions",
        "how long until google crawled what I submitted",
        "did bing accept my urls",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "engine": "indexnow", "from": "2026-09-01" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Submissions> {
    let site = site::get(cx, &args.site_id)?;
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        return Err(Fault::invalid("/to", "range_reversed", "to is a day before from"));
    }
    let records = cx.records::<Submission>();
    let mut query = match args.engine {
        Some(engine) => records.by("site_id_engine_at_ms").equals(&site.id).equals(engine),
        None => records.by("site_id_at_ms").equals(&site.id),
    };
    let millis = |day: Day| u64::try_from(i64::from(day.since_epoch()) * 86_400_000).unwrap_or(0);
    if let Some(from) = args.from {
        query = query.at_least(millis(from));
    }
    if let Some(to) = args.to {
        query = query.below(millis(to.plus(1)));
    }
    let page = query.descending().page(args.limit, args.cursor)?;
    let store = visits::Store::of(cx, &site.id);
    let among = |family: &str| {
        let urls = page.items.iter().map(|it| it.url.as_str());
        store.newest_among(urls, family).map_err(|why| why.at("/site_id"))
    };
    let (google, bing) = (among("googlebot")?, among("bingbot")?);
    let submissions: Vec<Sent> = page.items.into_iter().map(|it| shown(cx, &site, it.it, &google, &bing)).collect();
    let delays: Vec<f64> = submissions.iter().filter_map(|it| it.delay_hours).collect();
    let median = (!delays.is_empty()).then(|| kit::statistics::round(kit::statistics::quantile(&delays, 0.5), 1));
    let mut degraded = Vec::new();
    if store.is_empty() {
        let why = "no log files of this website are stored; visits are those that inspections report";
        let save = sdk::json!({ "site_id": site.id, "name": "web", "format": "combined" });
        degraded.push(Degraded::new("logs", why).supplied_by("logs.source.save", save));
    }
    if delays.is_empty() && !submissions.is_empty() {
        degraded.push(Degraded::new(
            "inspection",
            "no visit after a submission is known; indexing.inspection.run asks Google",
        ));
    }
    Ok(Submissions { submissions, median_delay_hours: median, degraded, next_cursor: page.next })
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of some years are far below 2^52")]
fn shown(
    cx: &Cx,
    site: &Stored<Site>,
    it: Submission,
    google: &HashMap<String, Newest>,
    bing: &HashMap<String, Newest>,
) -> Sent {
    let state = cx.records::<UrlState>().find(&Id::new(page_id(site.id.as_str(), &it.url)));
    let submitted_at = Moment::from_millis(it.at_ms);
    let logged = if it.engine == Receiver::GoogleJobs { google.get(&it.url) } else { bing.get(&it.url) };
    let inspected = state.and_then(|it| it.it.coverage.last_crawled_at);
    let visits = logged.into_iter().flat_map(|it| [it.first_verified, it.last_verified]);
    let visits = visits.filter(|second| *second > 0).map(|second| Moment::from_millis(second * 1_000));
    let visit = inspected.into_iter().chain(visits).filter(|at| *at > submitted_at).min();
    Sent {
        url: it.url,
        engine: it.engine,
        code: it.code,
        submitted_at,
        removed: it.removed,
        first_crawl_after: visit,
        delay_hours: visit.map(|at| kit::statistics::round(at.since(submitted_at) as f64 / 3_600_000.0, 1)),
    }
}

#[cfg(test)]
mod tests;
