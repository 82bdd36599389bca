//! The operation `logs.import.run`.

use sdk::prelude::*;
use sdk::{Answer, IsQueued, Upload, UploadState, json};
use search::Period;

use super::reading::File;
use super::stream::Stream;
use super::work::{Payload, is_alive};
use crate::stored::{Import, Source, State};

/// Bytes that are looked at to tell how many lines a file has; packed ones unpack to 66 MiB at most.
const SAMPLE: u32 = 64 << 10;
/// Lines that one import reads, at most.
pub(crate) const MOST_LINES: u64 = 1_000_000_000;
/// Streams of one source.
const MOST_STREAMS: usize = 100;
/// Lines that are paid for together.
const STARTED: u64 = 5_000_000;
/// Lines that a file of 8 MiB, the most that is fetched, has as a rule when it is packed.
const FETCHED: u64 = 1_000_000;

#[args]
pub(crate) struct Run {
    /// The source whose lines these are, as saved.
    source_ref: Id<Source>,
    /// An upload of the file: plain or gzip, up to 1 GiB. logs.source.save opens one.
    upload_ref: Option<Id<Upload>>,
    /// An address that the file is fetched from, up to 8 MiB.
    url: Option<Url>,
    /// The first day that is counted, in UTC; all when left out.
    from: Option<Day>,
    /// The last day that is counted.
    to: Option<Day>,
    /// Which of several equal servers wrote the file. Lines of different streams are never taken for lines that were sent
    /// again.
    #[default("main")]
    stream: Text<1, 60>,
}

/// An import that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    import_ref: Id<Import>,
    /// Always `queued`.
    state: IsQueued,
    /// About how many lines the file has, by its first 64 KiB; null for one that is fetched.
    estimated_lines: Option<u64>,
    /// Lines that are read at most: what the credits that are held pay for.
    most_lines: u64,
}

/// Imports log lines from an upload reference or HTTPS address (plain or gzip), de-duplicates re-sent ranges and aggregates hits by day, URL, status, bot and section.
///
/// Bots are verified while lines are read: by the address ranges that their operators publish, and where they publish names of
/// addresses instead, by logs.bot.verify afterwards. A file that was imported before is refused; hours that were counted before
/// are left out and not charged, and an hour that comes again with more lines takes the place of the earlier one for 7 days.
/// Days are those of UTC.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "lines", every = 5_000_000, most = 1_000_000_000),
    native_price(unit = "lines", every = 5_000_000, credits_milli = 1000, most = 1_000_000_000),
    queued(step = "import"),
    result_operation = "account.job.get",
    side_effects = ["stores requests by day, address, bot and status", "fetches the file from its address, and the published address ranges of bots"],
    needs = ["web", "store", "jobs", "credits"],
    phrasings = ["import my server log", "upload access logs", "load an nginx access log", "analyse a gzip log file"],
    examples = [
        { "source_ref": "source_01", "upload_ref": "up_01" },
        { "source_ref": "source_01", "url": "https://shop.example/logs/access.log.1.gz", "stream": "web-2" },
    ]
)]
pub(crate) fn run(cx: &Cx, args: Run) -> Result<Answer<Started>> {
    let source = cx.records::<Source>().get(&args.source_ref).map_err(|fault| fault.at("/source_ref"))?;
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from > to
    {
        return Err(Fault::invalid("/to", "range_reversed", "to is a day before from"));
    }
    let (sha256, estimated_lines) = match (&args.upload_ref, &args.url) {
        (Some(_), Some(_)) => {
            let message = "the file comes by `upload_ref` or by `url`; give one of them";
            return Err(Fault::invalid("/url", "one_source", message));
        }
        (None, None) => {
            let message = "give `upload_ref` or `url`; logs.source.save opens an upload";
            return Err(Fault::invalid("/upload_ref", "file_required", message));
        }
        (Some(reference), None) => {
            let (sha256, bytes) = complete(cx, reference)?;
            (sha256, Some(estimate(cx, reference, bytes)?))
        }
        (None, Some(_)) => (String::new(), None),
    };
    if !sha256.is_empty() {
        duplicate(cx, &source, &sha256)?;
    }
    // A quarter more than its first bytes say; what is not read goes back.
    let likely = estimated_lines.unwrap_or(FETCHED);
    let most_lines = (likely + likely / 4).div_ceil(STARTED).max(1) * STARTED;
    let most_lines = most_lines.min(MOST_LINES);
    let period = match (args.from, args.to) {
        (None, None) => None,
        (first, last) => Some(Period {
            first: first.unwrap_or(Day::from_epoch(9_131)),
            last: last.unwrap_or_else(|| cx.now().day().plus(1)),
        }),
    };
    let import = Import {
        site_id: source.site_id.clone(),
        source_ref: source.id.to_string(),
        stream: args.stream.as_str().to_owned(),
        sha256,
        state: State::Running,
        created_ms: cx.now().millis(),
        ..Import::default()
    };
    stream(cx, &source, args.stream.as_str())?;
    let queued = cx.start("import", import, |import_ref| Payload {
        import_ref,
        upload_ref: args.upload_ref.clone(),
        url: args.url.clone(),
        from: period.map(|it| it.first),
        to: period.map(|it| it.last),
        most_lines,
    })?;
    let (job_ref, import_ref) = (queued.job, queued.id);
    let started = Started { job_ref, import_ref, state: IsQueued::Queued, estimated_lines, most_lines };
    Ok(Answer::new(started).units(most_lines))
}

/// Remembers a stream of a source.
fn stream(cx: &Cx, source: &Stored<Source>, stream: &str) -> Result<()> {
    if source.streams.iter().any(|it| it == stream) {
        return Ok(());
    }
    if source.streams.len() >= MOST_STREAMS {
        let message = format!("a source has at most {MOST_STREAMS} streams; save another source for the others");
        return Err(Fault::conflict("too_many_streams", message).at("/stream"));
    }
    cx.records::<Source>().update(&source.id, |it| it.streams.push(stream.to_owned()))?;
    Ok(())
}

/// SHA-256 and bytes of an upload that is here.
fn complete(cx: &Cx, reference: &Id<Upload>) -> Result<(String, u64)> {
    let upload = cx.uploads().get(reference).map_err(|fault| fault.at("/upload_ref"))?;
    match upload.state {
        UploadState::Complete => Ok((upload.sha256.unwrap_or_default(), upload.bytes)),
        UploadState::Waiting => {
            let message = "the file was not sent yet; put it to the upload's address first";
            Err(Fault::conflict("upload_waiting", message).at("/upload_ref"))
        }
        _ => Err(Fault::conflict("upload_gone", "the upload has ended; open another one").at("/upload_ref")),
    }
}

/// How many lines a file has, by its first bytes.
fn estimate(cx: &Cx, reference: &Id<Upload>, bytes: u64) -> Result<u64> {
    let file = File::Upload(reference.clone());
    let sample = file.first(cx, SAMPLE).unwrap_or_default();
    if sample.is_empty() {
        return Err(Fault::invalid("/upload_ref", "file_empty", "the file is empty"));
    }
    let mut stream = Stream::new();
    let read = stream.feed(&sample, &mut |_, _| {});
    if read.is_err() && stream.lines == 0 {
        let message = "the file is packed in a way that is not read here; send it plain or as gzip";
        return Err(Fault::invalid("/upload_ref", "not_unpacked", message));
    }
    Ok((stream.lines.max(1) * bytes).div_ceil(sample.len() as u64))
}

/// Refuses a file that was imported whole before.
pub(super) fn duplicate(cx: &Cx, source: &Stored<Source>, sha256: &str) -> Result<()> {
    let same = cx.records::<Import>().by("site_id_sha256").equals(&source.site_id).equals(sha256);
    let other = same.scan().find(|it| {
        let is_alive = it.state == State::Running && is_alive(cx, it.job_ref.as_ref());
        it.source_ref == source.id.as_str() && ((it.state == State::Done && it.whole) || is_alive)
    });
    match other {
        None => Ok(()),
        Some(other) => Err(Fault::conflict("duplicate_file", "this file was imported before; nothing was charged")
            .at("/upload_ref")
            .detail(json!({ "import_ref": other.id }))),
    }
}
