//! The operation `indexing.sitemap.audit`, the job; `compare` holds what it found against the crawl.

mod compare;

use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;
use sdk::{Job, JobState};
use serde::{Deserialize, Serialize};

use super::xml::{self, Kind};
use super::{BYTES, Fetched};
use crate::stored::{SitemapAudit, only_sitemap_blob};
use site::Run;

/// Files that one step fetches.
const AT_ONCE: usize = 4;
/// Files of one audit, those that indexes list among them.
const FILES: usize = 200;
/// Addresses of one audit.
const URLS: usize = 200_000;
/// Addresses of one stored part.
const PART: usize = 20_000;

#[args]
pub(crate) struct Audit {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// The sitemaps; those that robots.txt named to the crawl when left out, else `/sitemap.xml`.
    sitemaps: Option<List<Url, 0, 50>>,
}

/// A job that began.
#[value]
pub(crate) struct Started {
    job_ref: Id<Job>,
    /// Always `queued`.
    state: JobState,
    /// The crawl.
    run_ref: Id<Run>,
}

/// What the job works on.
#[value]
pub(crate) struct Payload {
    run_ref: Id<Run>,
    sitemaps: Vec<String>,
    /// Where its blobs are.
    folder: String,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// Files to be fetched, and how many indexes led to each.
    waiting: Vec<(String, u32)>,
    /// Files that were read.
    files: Vec<String>,
    /// Addresses read.
    urls: usize,
    /// Parts written.
    parts: usize,
    /// Files that could not be read, and why.
    unread: Vec<Unread>,
    degraded: Vec<Degraded>,
}

/// A file that could not be read.
#[value]
pub(crate) struct Unread {
    pub(crate) url: String,
    pub(crate) why: String,
}

/// Where the job stands.
#[value]
pub(crate) struct Progress {
    files: u32,
    urls: u64,
}

/// One address of a sitemap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// Normalised.
    pub(crate) url: String,
    pub(crate) lastmod: Option<String>,
    /// Which of the files, from 0.
    pub(crate) file: u32,
}

/// Compares all sitemap URLs with a crawl and logs: non-200, redirecting, noindexed, canonicalised, blocked, orphaned, missing indexable pages, and lastmod dates that do not match content changes.
///
/// A date is stale when the text changed after it between two crawls, and untrue when it says a change that no crawl
/// saw. At most 200 files and 200,000 addresses are compared.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = 200_000, unit = "urls"),
    queued(step = "audit"),
    result_operation = "account.job.get",
    side_effects = ["fetches the sitemaps; keeps which addresses only they name"],
    needs = ["web", "store", "jobs"],
    phrasings = [
        "compare my sitemap with my website",
        "which sitemap urls are broken or redirect",
        "find pages missing from my sitemap",
        "are the lastmod dates in my sitemap true",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "sitemaps": ["https://shop.example/sitemap.xml"] }]
)]
pub(crate) fn audit(cx: &Cx, args: Audit) -> Result<Started> {
    let run = site::readable(cx, &args.run_ref)?;
    let own =
        kit::url::Url::parse(&run.0.origin).map_err(|_| Fault::refused("no_origin", "the crawl has no origin"))?;
    let given: Vec<Url> = args.sitemaps.into_iter().flatten().collect();
    if let Some(at) = given.iter().position(|it| !kit::url::same_site(&own, it)) {
        let message = "the sitemap is not one of the crawled website";
        return Err(Fault::invalid(format!("/sitemaps/{at}"), "url_not_of_site", message));
    }
    let mut sitemaps: Vec<String> = given.iter().map(|it| it.as_str().to_owned()).collect();
    if sitemaps.is_empty() {
        sitemaps.extend(run.0.robots.sitemaps.iter().filter_map(|it| kit::url::resolve_normal(&own, it)));
    }
    if sitemaps.is_empty() {
        sitemaps.push(format!("{}/sitemap.xml", run.0.origin));
    }
    let folder = format!("audited/{}", kit::text::hex(&cx.random::<12>()));
    let payload = Payload { run_ref: args.run_ref.clone(), sitemaps, folder };
    let job_ref = cx.jobs().enqueue("audit", &payload)?;
    Ok(Started { job_ref, state: JobState::Queued, run_ref: args.run_ref })
}

/// Fetches some files in each step, then compares.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, compare::Findings>> {
    let mut state = checkpoint.unwrap_or_else(|| Checkpoint {
        waiting: payload.sitemaps.iter().rev().map(|url| (url.clone(), 0)).collect(),
        ..Checkpoint::default()
    });
    let before = state.urls;
    read_some(cx, &payload, &mut state)?;
    let units = (state.urls - before) as u64;
    let files = u32::try_from(state.files.len()).unwrap_or(u32::MAX);
    let progress = Progress { files, urls: state.urls as u64 };
    if !state.waiting.is_empty() {
        return Ok(Step::next(state, progress).units(units));
    }
    if state.files.is_empty() {
        let why = state.unread.first().map_or(String::new(), |it| format!(": {} {}", it.url, it.why));
        let message = format!("no sitemap could be read{why}");
        return Err(Fault::conflict("no_sitemap", message).at("/sitemaps"));
    }
    let run = cx.records::<Run>().get(&payload.run_ref)?;
    let listed = (0..state.parts).flat_map(|number| {
        let bytes = cx.blobs().read(&format!("{}/{number}", payload.folder), 0, 8 << 20).unwrap_or_default();
        serde_json::from_slice::<Vec<Listed>>(&bytes).unwrap_or_default()
    });
    let (findings, only) = compare::compare(cx, &run, listed.collect(), &state);
    keep(cx, &run, &state, &only)?;
    Ok(Step::done(findings, progress).units(units))
}

/// Fetches the next files.
fn read_some(cx: &Cx, payload: &Payload, state: &mut Checkpoint) -> Result<()> {
    let mut asked = Vec::new();
    while asked.len() < AT_ONCE
        && let Some((url, depth)) = state.waiting.pop()
    {
        match url.parse::<Url>() {
            Ok(parsed) => asked.push((parsed, depth)),
            Err(why) => state.unread.push(Unread { url, why }),
        }
    }
    let requests = asked.iter().map(|(url, _)| Request::get(url).max_bytes(BYTES).timeout(20_000));
    let answers = cx.web().fetch_many(requests);
    let mut listed: Vec<Listed> = Vec::new();
    for ((url, depth), answer) in asked.iter().zip(answers) {
        let unread = |why: String| Unread { url: url.as_str().to_owned(), why };
        match answer {
            Err(failure) => state.unread.push(unread(failure.name().to_owned())),
            Ok(response) if !response.is_success() => state.unread.push(unread(format!("status {}", response.status))),
            Ok(response) => {
                let fetched = Fetched::of(&response, BYTES);
                if fetched.truncated {
                    state.degraded.push(Degraded::new(url.as_str(), "only its first 8 MiB were read"));
                }
                take(&fetched, url, *depth, state, &mut listed);
            }
        }
    }
    for part in listed.chunks(PART) {
        let bytes = serde_json::to_vec(part).unwrap_or_default();
        cx.blobs().write(&format!("{}/{}", payload.folder, state.parts), &bytes)?;
        state.parts += 1;
    }
    Ok(())
}

/// Takes what a file lists.
fn take(fetched: &Fetched, url: &Url, depth: u32, state: &mut Checkpoint, listed: &mut Vec<Listed>) {
    let items: Vec<(String, Option<String>)> = if fetched.is_list() {
        kit::sitemap::read(fetched.text.as_bytes()).urls.into_iter().map(|it| (it.url, None)).collect()
    } else {
        let read = xml::read(&fetched.text);
        match read.kind {
            Kind::Unknown => {
                let why = "it is no sitemap".to_owned();
                state.unread.push(Unread { url: url.as_str().to_owned(), why });
                return;
            }
            Kind::Index => {
                if depth > 0 {
                    state.degraded.push(Degraded::new(url.as_str(), "an index within an index is not followed"));
                    return;
                }
                for item in read.items {
                    if state.files.len() + state.waiting.len() >= FILES {
                        state.degraded.push(Degraded::new("files", format!("only the first {FILES} are compared")));
                        break;
                    }
                    state.waiting.push((item.loc, depth + 1));
                }
                state.files.push(url.as_str().to_owned());
                return;
            }
            Kind::UrlSet => read.items.into_iter().map(|it| (it.loc, it.lastmod)).collect(),
        }
    };
    let file = u32::try_from(state.files.len()).unwrap_or(u32::MAX);
    state.files.push(url.as_str().to_owned());
    for (loc, lastmod) in items {
        if state.urls == URLS {
            state.degraded.push(Degraded::new("addresses", format!("only the first {URLS} are compared")));
            break;
        }
        let url = kit::url::normalize(&loc).unwrap_or(loc);
        listed.push(Listed { url, lastmod, file });
        state.urls += 1;
    }
}

/// Keeps what `indexing.coverage.report` reads of it.
fn keep(cx: &Cx, run: &Stored<Run>, state: &Checkpoint, only: &[String]) -> Result<()> {
    let site = run.0.site_id.clone();
    cx.blobs().write(&only_sitemap_blob(&site), &serde_json::to_vec(only).unwrap_or_default())?;
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let row = SitemapAudit {
        site_id: site.clone(),
        run_ref: run.id.to_string(),
        audited_ms: cx.now().millis(),
        files: state.files.iter().take(FILES).cloned().collect(),
        urls: number(state.urls),
        only_sitemap: number(only.len()),
    };
    cx.records::<SitemapAudit>().put_many_as([(&Id::new(site), &row)])?;
    Ok(())
}

/// What looks at one address closely.
pub(crate) fn look(url: &str) -> Fix {
    Fix::on("indexing.url.check", url)
}

#[cfg(test)]
mod tests;
