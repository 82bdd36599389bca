//! The operation `indexing.sitemap.generate`, the job, and its result; `lastmod` says when an address really changed.

mod entries;
mod lastmod;

pub(crate) use lastmod::History;

use sdk::Degraded;
use sdk::prelude::*;
use sdk::{Job, JobState, Media};

use super::write::{self, Extensions, File, MOST_BYTES};
use entries::Selected;
use site::{Run, Segment};

/// Addresses whose pages are looked at by one step.
const PAGES: usize = 2_000;
/// Addresses that one step writes where pages need not be looked at.
const PLAIN: usize = 50_000;
/// Addresses of one stored part of the list.
const PART: usize = 20_000;
/// Seconds for which the files can be fetched: 30 days.
const LIFE: u32 = 30 * 86_400;

#[args]
pub(crate) struct Generate {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// Only addresses of this segment.
    segment_ref: Option<Id<Segment>>,
    /// What entries say beside address and date.
    include: Option<List<Include, 0, 3>>,
    /// Whether the files are compressed.
    #[default(true)]
    gzip: bool,
    /// The folder that you will put the files into, on this website: `https://shop.example/`.
    base_url: Url,
}

/// What entries may say beside address and date.
#[value]
pub(crate) enum Include {
    /// Pictures of the page.
    Image,
    /// Language versions that the page names.
    Hreflang,
    /// Articles of the last two days, for news search.
    News,
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
    segment_ref: Option<Id<Segment>>,
    include: Vec<Include>,
    gzip: bool,
    base_url: String,
    /// Where its blobs are.
    folder: String,
}

impl Payload {
    fn extensions(&self) -> Extensions {
        let has = |it: Include| self.include.contains(&it);
        Extensions { image: has(Include::Image), hreflang: has(Include::Hreflang), news: has(Include::News) }
    }

    fn key(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }
}

/// What one step hands to the next.
#[value]
pub(crate) struct Checkpoint {
    /// Addresses chosen.
    total: usize,
    /// Of these, written.
    written: usize,
    /// Files that are done.
    files: Vec<Made>,
    /// Entries of the file that is not done; its beginning is a blob.
    open: usize,
    /// The newest date in it.
    newest: Option<String>,
    degraded: Vec<Degraded>,
}

/// A file that was made.
#[value]
pub(crate) struct Made {
    name: String,
    urls: u32,
    bytes: u64,
    /// The newest date in it.
    lastmod: Option<String>,
}

/// A file to be fetched and put into place.
#[value]
pub(crate) struct FileRef {
    /// What to call it.
    name: String,
    urls: u32,
    bytes: u64,
    /// Where it can be fetched for 30 days, by whoever has the address.
    #[serde(rename = "ref")]
    reference: String,
}

/// Where the job stands.
#[value]
pub(crate) struct Progress {
    urls: u64,
    total: u64,
    files: u32,
}

/// The job's result.
#[value]
pub(crate) struct Outcome {
    files: Vec<FileRef>,
    /// The index of the files, to be named in robots.txt and at search engines.
    index_ref: String,
    /// Where the index will be.
    index_url: String,
    /// Addresses written.
    urls: u64,
    /// Of these, with a date.
    lastmod: u64,
    degraded: Vec<Degraded>,
}

/// Generates sitemaps from indexable crawled or CMS URLs, split at 50,000 URLs or 50 MB, with truthful lastmod from content hashes and optional image and hreflang entries.
///
/// `lastmod` is when a crawl first saw the text that a page has now after another one, else the date that the page
/// declares; where neither is known there is none. Files are split at 8 MiB, which is within what search engines read.
/// Put the files at `base_url`, name the index in robots.txt, and check it with `indexing.sitemap.validate`.
#[operation(
    job,
    scope = "seo:analyze",
    cost = job(unit = "urls", every = 50, most = 100_000),
    queued(step = "generate"),
    result_operation = "account.job.get",
    side_effects = ["makes files that whoever has their addresses can fetch for 30 days"],
    needs = ["store", "jobs"],
    phrasings = [
        "make a sitemap for my website",
        "generate sitemap.xml with hreflang",
        "build an image sitemap",
        "create a sitemap index with correct last modified dates",
    ],
    examples = [
        { "run_ref": "run_01", "base_url": "https://shop.example/" },
        { "run_ref": "run_01", "base_url": "https://shop.example/", "include": ["image", "hreflang"], "gzip": false },
    ]
)]
pub(crate) fn generate(cx: &Cx, args: Generate) -> Result<Started> {
    let run = site::readable(cx, &args.run_ref)?;
    site::rules(cx, &run.0.site_id, args.segment_ref.as_ref())?;
    let origin = kit::url::Url::parse(&run.0.origin);
    let base = kit::url::Url::parse(args.base_url.as_str());
    let own = matches!((&origin, &base), (Ok(own), Ok(base)) if kit::url::origin(own) == kit::url::origin(base));
    if !own {
        let message = format!("a sitemap stands on the website that it lists, which is at {}", run.0.origin);
        return Err(Fault::invalid("/base_url", "url_not_of_site", message));
    }
    let mut base_url = args.base_url.without_fragment().as_str().split('?').next().unwrap_or_default().to_owned();
    if !base_url.ends_with('/') {
        base_url.push('/');
    }
    let payload = Payload {
        run_ref: args.run_ref.clone(),
        segment_ref: args.segment_ref,
        include: args.include.into_iter().flatten().collect(),
        gzip: args.gzip,
        base_url,
        folder: format!("generated/{}", kit::text::hex(&cx.random::<12>())),
    };
    let job_ref = cx.jobs().enqueue("generate", &payload)?;
    Ok(Started { job_ref, state: JobState::Queued, run_ref: args.run_ref })
}

/// Chooses addresses first, then writes some in each step.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let Some(mut state) = checkpoint else { return choose(cx, &payload) };
    let extensions = payload.extensions();
    let pages = extensions.image || extensions.hreflang || extensions.news;
    let most = if pages { PAGES } else { PLAIN };
    let selected = entries::read(cx, &payload, state.written, most);
    let before = state.written;
    let mut file = match cx.blobs().read(&payload.key("open"), 0, 8 << 20).filter(|_| state.open > 0) {
        Some(text) => File::resume(String::from_utf8_lossy(&text).into_owned(), state.open, MOST_BYTES),
        None => File::begin(extensions, MOST_BYTES),
    };
    let known = if extensions.hreflang { entries::addresses(cx, &payload, state.total) } else { Default::default() };
    let run = cx.records::<Run>().get(&payload.run_ref)?;
    for Selected { url, lastmod } in selected {
        let entry = entries::entry(cx, &payload, &run, url, lastmod, &known);
        if !file.add(&entry) {
            let full = std::mem::replace(&mut file, File::begin(extensions, MOST_BYTES));
            finish(cx, &payload, &mut state, full)?;
            file.add(&entry);
        }
        state.newest = state.newest.take().max(entry.lastmod);
        state.written += 1;
    }
    let units = (state.written - before) as u64;
    let progress = |state: &Checkpoint| Progress {
        urls: state.written as u64,
        total: state.total as u64,
        files: u32::try_from(state.files.len()).unwrap_or(u32::MAX),
    };
    if state.written < state.total {
        state.open = file.urls;
        cx.blobs().write(&payload.key("open"), file.unfinished().as_bytes())?;
        let progress = progress(&state);
        return Ok(Step::next(state, progress).units(units));
    }
    if file.urls > 0 {
        finish(cx, &payload, &mut state, file)?;
    }
    let progress = progress(&state);
    Ok(Step::done(hand_over(cx, &payload, state)?, progress).units(units))
}

fn choose(cx: &Cx, payload: &Payload) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let run = cx.records::<Run>().get(&payload.run_ref)?;
    let segment = site::rules(cx, &run.0.site_id, payload.segment_ref.as_ref())?;
    let (selected, mut degraded) = entries::choose(cx, &run, segment.as_ref());
    if selected.is_empty() {
        let message = "no page of the crawl is one that search engines may show; indexing.coverage.report says why";
        return Err(Fault::conflict("nothing_indexable", message).at("/run_ref"));
    }
    degraded.push(Degraded::new(
        "cms",
        "no list of items of the content system is stored; addresses are those of the crawl",
    ));
    for (number, part) in selected.chunks(PART).enumerate() {
        let bytes = serde_json::to_vec(part).unwrap_or_default();
        cx.blobs().write(&payload.key(&format!("part-{number}")), &bytes)?;
    }
    let total = selected.len();
    let state = Checkpoint { total, written: 0, files: Vec::new(), open: 0, newest: None, degraded };
    Ok(Step::next(state, Progress { urls: 0, total: total as u64, files: 0 }))
}

/// Ends a file and keeps it.
fn finish(cx: &Cx, payload: &Payload, state: &mut Checkpoint, file: File) -> Result<()> {
    let urls = u32::try_from(file.urls).unwrap_or(u32::MAX);
    let ending = if payload.gzip { "xml.gz" } else { "xml" };
    let name = format!("sitemap-{}.{ending}", state.files.len() + 1);
    let text = file.end();
    let bytes = if payload.gzip { write::gzip(&text) } else { text.into_bytes() };
    cx.blobs().write(&payload.key(&name), &bytes)?;
    state.files.push(Made { name, urls, bytes: bytes.len() as u64, lastmod: state.newest.take() });
    Ok(())
}

/// Writes the index, and makes every file one that can be fetched.
fn hand_over(cx: &Cx, payload: &Payload, state: Checkpoint) -> Result<Outcome> {
    let address = |name: &str| format!("{}{name}", payload.base_url);
    let listed: Vec<(String, Option<String>)> =
        state.files.iter().map(|it| (address(&it.name), it.lastmod.clone())).collect();
    let name = "sitemap.xml";
    cx.blobs().write(&payload.key(name), write::index(&listed).as_bytes())?;
    // A share knows no XML; as a file it is told by its name alone.
    let share = |name: &str| cx.shares().publish(&payload.key(name), Media::Csv, Some(name), LIFE);
    let mut files = Vec::with_capacity(state.files.len());
    for file in &state.files {
        files.push(FileRef {
            name: file.name.clone(),
            urls: file.urls,
            bytes: file.bytes,
            reference: share(&file.name)?.url,
        });
    }
    let mut degraded = state.degraded;
    let dated = entries::dated(cx, payload, state.total);
    if dated < state.total as u64 {
        degraded.push(Degraded::new(
            "lastmod",
            "pages without an observed change or a declared date have none; crawl again to observe changes",
        ));
    }
    Ok(Outcome {
        files,
        index_ref: share(name)?.url,
        index_url: address(name),
        urls: state.written as u64,
        lastmod: dated,
        degraded,
    })
}

#[cfg(test)]
mod tests;
