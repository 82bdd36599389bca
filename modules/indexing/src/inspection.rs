//! The operation `indexing.inspection.run`, the job, and what an inspection says.

use std::collections::BTreeMap;

use kit::crawled::page_id;
use sdk::Degraded;
use sdk::prelude::*;
use sdk::{Job, JobState};

use crate::authority::Authority;
use crate::google::{self, A_DAY};
use crate::stored::UrlState;
use search::Reached;
use site::Site;

/// What is incomplete when Google's quota ends a run.
const QUOTA: &str = "quota";
/// Addresses that one step inspects: Google lets 600 a minute.
const AT_ONCE: usize = 40;
/// After so many days what Google said counts as stale.
pub(crate) const STALE_DAYS: u64 = 60;

/// What Google says of an address, in its own words.
#[value]
pub(crate) struct Coverage {
    /// `PASS` when it is indexed, `PARTIAL`, `FAIL` or `NEUTRAL`.
    pub(crate) verdict: String,
    /// Such as `Submitted and indexed` or `Crawled - currently not indexed`.
    pub(crate) coverage: String,
    /// `ALLOWED` or `DISALLOWED`.
    pub(crate) robots: String,
    /// `INDEXING_ALLOWED`, `BLOCKED_BY_META_TAG` or `BLOCKED_BY_HTTP_HEADER`.
    pub(crate) indexing: String,
    /// `SUCCESSFUL`, or how fetching failed.
    pub(crate) fetch: String,
    /// The page that Google holds for the original.
    #[serde(rename = "canonical")]
    pub(crate) google_canonical: Option<String>,
    /// The canonical that Google saw on the page.
    pub(crate) user_canonical: Option<String>,
    /// When Google fetched it last.
    pub(crate) last_crawled_at: Option<Moment>,
    /// `DESKTOP` or `MOBILE`.
    pub(crate) crawled_as: Option<String>,
    /// Sitemaps that Google knows it from.
    pub(crate) sitemaps: Vec<String>,
    /// Pages that Google knows it from.
    pub(crate) referring_urls: Vec<String>,
}

impl Coverage {
    /// Whether it is indexed.
    pub(crate) fn is_indexed(&self) -> bool {
        self.verdict == "PASS"
    }
}

/// Which addresses are inspected first.
#[value]
pub(crate) enum Choose {
    /// Those that are given, in their order.
    Listed,
    /// The strongest pages.
    TopAuthority,
    /// Those that were not indexed when they were asked last, or were never asked.
    NotIndexed,
    /// Those that were asked longest ago.
    Stale,
}

#[args]
pub(crate) struct Run {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Only these; the indexable pages of the newest crawl when left out.
    urls: Option<List<Url, 0, 2_000>>,
    /// Which come first; `listed` needs `urls`.
    #[default("top_authority")]
    choose: Choose,
    /// At most this many; Google lets 2,000 a day.
    #[default(500)]
    max: Count<1, 2_000>,
}

/// A job that began.
#[value]
pub(crate) struct Started {
    job_ref: Id<Job>,
    /// Always `queued`.
    state: JobState,
    /// The property that is asked.
    property: String,
    /// Inspections left today, before this job.
    quota_left: u32,
}

/// What the job works on.
#[value]
pub(crate) struct Payload {
    site_id: Id<Site>,
    reached: Reached,
    urls: Vec<String>,
    choose: Choose,
    most: usize,
    /// Inspections of today before this job.
    used: u32,
}

/// What one step hands to the next.
#[value]
pub(crate) struct Checkpoint {
    /// Addresses that wait, the next one last.
    waiting: Vec<String>,
    inspected: u32,
    states: BTreeMap<String, u32>,
    failed: Vec<Failed>,
    degraded: Vec<Degraded>,
}

/// An address that could not be inspected.
#[value]
pub(crate) struct Failed {
    url: String,
    reason: String,
}

/// Where the job stands.
#[value]
pub(crate) struct Progress {
    inspected: u32,
    waiting: u32,
}

/// The job's result.
#[value]
pub(crate) struct Outcome {
    inspected: u32,
    /// How many are in which state, in Google's words.
    states: BTreeMap<String, u32>,
    /// Inspections left today, as far as this service asked for them.
    quota_left: u32,
    /// At most 100.
    failed: Vec<Failed>,
    degraded: Vec<Degraded>,
}

/// Milliseconds of the beginning of today in UTC.
fn today(cx: &Cx) -> u64 {
    let now = cx.now().millis();
    now - now % 86_400_000
}

/// Inspects up to 2,000 URLs a day per property within Google's quota, most valuable first, and stores each coverage state with its date.
///
/// A page is the more valuable the stronger the link graph makes it, and where there is none the fewer clicks it is from
/// the home page. `indexing.coverage.report` and `indexing.priority.list` read what is stored.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = max, unit = "urls"),
    queued(step = "inspect"),
    result_operation = "account.job.get",
    side_effects = ["uses the inspections of your Search Console property", "stores what Google says of each address"],
    needs = ["store", "jobs", "connection:google_search_console"],
    outside = [
        "google_search_console GET /webmasters/v3/sites",
        "google_search_console.inspection POST /v1/urlInspection/index:inspect query",
    ],
    phrasings = [
        "check which of my pages google has indexed",
        "inspect my most important pages in search console",
        "bulk url inspection",
        "refresh the index status of my pages",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "choose": "listed", "urls": ["https://shop.example/lamps"] },
    ]
)]
pub(crate) fn run(cx: &Cx, args: Run) -> Result<Started> {
    let site = site::get(cx, &args.site_id)?;
    let urls: Vec<Url> = args.urls.into_iter().flatten().collect();
    if args.choose == Choose::Listed && urls.is_empty() {
        return Err(Fault::invalid("/urls", "urls_needed", "choose = listed needs urls"));
    }
    site::all_own(&site, &urls)?;
    if urls.is_empty() {
        site::required(cx, &site.id)?;
    }
    let reached = google::property(cx, &site)?;
    let asked = cx.records::<UrlState>().by("site_id_inspected_ms").equals(&site.id).at_least(today(cx)).count();
    let used = u32::try_from(asked).unwrap_or(u32::MAX);
    let quota_left = A_DAY.saturating_sub(used);
    if quota_left == 0 {
        let message = format!("all {A_DAY} inspections of today are used; ask again tomorrow (UTC)");
        return Err(Fault::conflict("provider_quota_exhausted", message).at("/site_id"));
    }
    let most = usize::from(args.max).min(quota_left as usize);
    let urls =
        urls.iter().map(|it| kit::url::normalize(it.as_str()).unwrap_or_else(|| it.as_str().to_owned())).collect();
    let property = reached.property.clone();
    let payload = Payload { site_id: site.id.clone(), reached, urls, choose: args.choose, most, used };
    let job_ref = cx.jobs().enqueue("inspect", &payload)?;
    Ok(Started { job_ref, state: JobState::Queued, property, quota_left })
}

/// Chooses first, then inspects some in each step.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let Some(mut state) = checkpoint else {
        let state = choose(cx, &payload);
        let waiting = u32::try_from(state.waiting.len()).unwrap_or(u32::MAX);
        return Ok(Step::next(state, Progress { inspected: 0, waiting }));
    };
    let from = state.waiting.len().saturating_sub(AT_ONCE);
    let mut now: Vec<String> = state.waiting.split_off(from);
    now.reverse();
    let answers = cx.connections().send_many(now.iter().map(|url| google::inspection(&payload.reached, url)));
    let mut rows = Vec::new();
    for (url, answer) in now.iter().zip(answers) {
        match google::coverage(answer) {
            Ok(coverage) => {
                *state.states.entry(coverage.coverage.clone()).or_default() += 1;
                let row = UrlState {
                    site_id: payload.site_id.to_string(),
                    url: url.clone(),
                    inspected_ms: cx.now().millis(),
                    coverage,
                };
                rows.push((Id::new(page_id(payload.site_id.as_str(), url)), row));
            }
            Err(fault) if fault.code == "provider_quota_exhausted" => {
                state.degraded.push(Degraded::new(QUOTA, "Google's quota is used up; the rest was not inspected"));
                state.waiting.clear();
                break;
            }
            Err(fault) if matches!(fault.code.as_str(), "connection_expired" | "connection_gone") => return Err(fault),
            Err(fault) if state.failed.len() < 100 => {
                state.failed.push(Failed { url: url.clone(), reason: fault.code })
            }
            Err(_) => {}
        }
    }
    cx.records::<UrlState>().put_many_as(rows.iter().map(|(id, row)| (id, row)))?;
    let done = u32::try_from(rows.len()).unwrap_or(0);
    state.inspected += done;
    let waiting = u32::try_from(state.waiting.len()).unwrap_or(u32::MAX);
    let progress = Progress { inspected: state.inspected, waiting };
    if !state.waiting.is_empty() {
        // 40 at a time, every four seconds: 600 a minute.
        return Ok(Step::next(state, progress).after(4_000).units(u64::from(done)));
    }
    let exhausted = state.degraded.iter().any(|it| it.what == QUOTA);
    let quota_left = if exhausted { 0 } else { A_DAY.saturating_sub(payload.used + state.inspected) };
    let outcome = Outcome {
        inspected: state.inspected,
        states: state.states,
        quota_left,
        failed: state.failed,
        degraded: state.degraded,
    };
    Ok(Step::done(outcome, progress).units(u64::from(done)))
}

/// The addresses to be inspected, the most valuable last.
fn choose(cx: &Cx, payload: &Payload) -> Checkpoint {
    let mut degraded = Vec::new();
    let run = site::newest(cx, &payload.site_id);
    let crawled = run.as_ref().map(|run| addresses::of(cx, &run.id));
    let mut chosen: Vec<String> = payload.urls.clone();
    if let (true, Some(crawled)) = (chosen.is_empty(), &crawled) {
        chosen = crawled.all.iter().filter(|it| it.is_indexable()).map(|it| it.url.clone()).collect();
    }
    chosen.retain(|url| search::covers(&payload.reached.property, url));
    let mut seen = std::collections::HashSet::new();
    chosen.retain(|url| seen.insert(url.clone()));
    if payload.choose != Choose::Listed {
        let authority = run.as_ref().map(|run| Authority::of(cx, run));
        degraded.extend(authority.as_ref().and_then(|it| it.degraded.clone()));
        let depths: BTreeMap<&str, u32> =
            crawled.iter().flat_map(|it| &it.all).map(|it| (it.url.as_str(), it.depth)).collect();
        let worth = |url: &String| {
            let depth = depths.get(url.as_str()).copied().unwrap_or(u32::MAX);
            authority.as_ref().map_or(0.0, |it| it.of_page(url, depth))
        };
        let known: BTreeMap<String, (u64, bool)> = cx
            .records::<UrlState>()
            .by("site_id_url")
            .equals(&payload.site_id)
            .scan()
            .map(|it| (it.url.clone(), (it.inspected_ms, it.coverage.is_indexed())))
            .collect();
        match payload.choose {
            Choose::NotIndexed => chosen.retain(|url| known.get(url).is_none_or(|(_, indexed)| !indexed)),
            Choose::Stale => {
                let limit = cx.now().millis().saturating_sub(STALE_DAYS * 86_400_000);
                chosen.retain(|url| known.get(url).is_none_or(|(at, _)| *at < limit));
            }
            Choose::Listed | Choose::TopAuthority => {}
        }
        chosen.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        if payload.choose == Choose::Stale {
            chosen.sort_by_key(|url| known.get(url).map_or(0, |(at, _)| *at));
        }
    }
    chosen.truncate(payload.most);
    chosen.reverse();
    Checkpoint { waiting: chosen, inspected: 0, states: BTreeMap::new(), failed: Vec::new(), degraded }
}

#[cfg(test)]
mod tests;
