//! The operation `backlinks.import.run`.

use files::Open;
use sdk::prelude::*;
use sdk::{IsQueued, Upload, json};
use site::Site;

use super::table::Tool;
use super::work::Payload;
use crate::stored::{Links, Profile};
use crate::subject::subject;

/// Rows that are held for while the file is waited for.
const MOST_ROWS: u64 = 1_000;
/// Bytes of a part of a file that waits for its job.
const CHUNK: usize = 4 << 20;

#[args]
pub(crate) struct Run {
    /// The website.
    site_id: Id<Site>,
    /// The export. For more than a few hundred kilobytes hand it over as an upload.
    csv: Option<Text<1, 10_000_000>>,
    /// An upload of the export: CSV or the same packed with gzip, up to 20 MB unpacked. A call without a file opens one.
    upload_ref: Option<Id<Upload>>,
    /// The competitor whose links these are: backlinks.gap.analyze compares. The website's own when left out.
    of: Option<Domain>,
    /// The tool that made it.
    #[default("auto")]
    source: Tool,
    /// Whether the first number of dates such as 03/04 is the day, where no date decides it.
    day_first: Option<bool>,
}

/// An import that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// Rows of the file; null while it is waited for.
    rows: Option<u64>,
    /// Where to put the file, for a call without one: the job goes on once it is there.
    upload: Option<Open>,
}

/// Imports backlinks from CSV exports (Search Console, Bing, Ahrefs, Semrush, Moz, Majestic) with column detection, URL normalisation and merging on source and target.
///
/// Columns are found by their names, in any order, encoding and delimiter. The same link in several files is one link: it keeps its
/// earliest and latest day, the tools that know it, and what the newest file says of it; an older file never makes a lost link live.
/// Search Console names no target: such a row is joined with the links of the same page that other tools know. Called without a
/// file, it opens an upload, and the job waits for the file for an hour.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = 1_000_000, unit = "rows"),
    queued(step = "import"),
    result_operation = "account.job.get",
    side_effects = ["adds links to the website's profile"],
    needs = ["store", "jobs"],
    phrasings = ["import my backlinks", "upload an ahrefs export", "load links from search console", "add semrush backlinks"],
    examples = [{ "site_id": "4503599627370496", "csv": "Source url,Target url,Anchor,Nofollow,First seen,Last seen\nhttps://blog.example/lamps,https://shop.example/,lamp shop,false,2026-01-03,2026-09-01\n" }]
)]
pub(crate) fn run(cx: &Cx, args: Run) -> Result<Answer<Started>> {
    let subject = subject(cx, &args.site_id, args.of.as_ref().map(Domain::as_str))?;
    if args.csv.is_some() && args.upload_ref.is_some() {
        let message = "the file comes as `csv` or by `upload_ref`; give one of them";
        return Err(Fault::invalid("/csv", "one_source", message));
    }
    none_running(cx, &Links::of(cx, &subject.id).profile)?;
    let (bytes, pointer) = match (&args.csv, &args.upload_ref) {
        (Some(csv), _) => (Some(csv.as_str().as_bytes().to_vec()), "/csv"),
        (None, Some(reference)) => (Some(files::read(cx, reference)?), "/upload_ref"),
        (None, None) => (None, ""),
    };
    let (mut rows, mut parts, mut upload) = (None, 0, None);
    match bytes {
        Some(bytes) => {
            // What cannot be read is refused now, and not by the job.
            let read = super::table::read(&bytes, args.source, &subject.site, pointer, args.day_first)?;
            rows = Some(read.links.len() as u64 + read.rejected_total + read.own_pages);
            parts = keep(cx, &subject.id, &bytes)?;
        }
        None => upload = Some(Open::of(cx, "backlinks", &MEDIA_TYPES)?),
    }
    let payload = Payload {
        site_id: args.site_id.clone(),
        of: subject.is_rival.then(|| subject.site.domain.clone()),
        parts,
        upload_ref: upload.as_ref().map(|it| it.reference().clone()),
        source: args.source,
        day_first: args.day_first,
    };
    let job_ref = cx.jobs().enqueue("import", &payload)?;
    let mut profile = Links::of(cx, &subject.id).profile;
    profile.job_ref = Some(job_ref.clone());
    let id: Id<Profile> = subject.id.cast();
    cx.records::<Profile>().put_many_as([(&id, &profile)])?;
    let started = Started { job_ref, state: IsQueued::Queued, rows, upload };
    Ok(Answer::new(started).units(rows.unwrap_or(MOST_ROWS)))
}

/// Keeps a file for its job; its parts.
///
/// # Errors
/// The host's refusal of a blob.
pub(super) fn keep(cx: &Cx, site: &Id<Site>, bytes: &[u8]) -> Result<u64> {
    let parts: Vec<&[u8]> = bytes.chunks(CHUNK).collect();
    for (at, part) in parts.iter().enumerate() {
        cx.blobs().write(&super::work::file(site, at), part)?;
    }
    Ok(parts.len() as u64)
}

/// Refuses what would change links that a job is changing.
///
/// # Errors
/// 409 `import_running` with the job.
pub(crate) fn none_running(cx: &Cx, profile: &Profile) -> Result<()> {
    let Some(job) = profile.job_ref.as_ref().filter(|job| is_alive(cx, job)) else { return Ok(()) };
    let message = "links of this website are being imported; wait for it or stop it with account.job.cancel";
    Err(Fault::conflict("import_running", message).at("/site_id").detail(json!({ "job_ref": job })))
}

/// Whether a job has not ended.
pub(crate) fn is_alive(cx: &Cx, job: &Id<Job>) -> bool {
    let job = cx.jobs().get(job);
    job.is_ok_and(|it| matches!(it.state, sdk::JobState::Queued | sdk::JobState::Running))
}

/// Kinds of files that are taken as uploads.
const MEDIA_TYPES: [&str; 5] =
    ["text/csv", "text/plain", "text/tab-separated-values", "application/gzip", "application/octet-stream"];
