//! The job of an export, step by step: reading what is stored, writing files, and publishing them at the end.
//!
//! Each step writes whole files and hands over where it is, so that a job that is killed goes on with its last file.
//! Addresses are made in the last step: until then nothing can be read from outside, and no checkpoint has one.

use sdk::Media;
use sdk::prelude::*;
use sdk::serde_json::{self, json};

use super::Format;
use super::part::Part;
use super::source::{self, Source};
use site::Site;

/// What reads the files can tell their shape by this; a new one when it changes.
const VERSION: u32 = 1;
/// Seconds that an address works: seven days.
const LIFE: u32 = 7 * 86_400;
/// A step that has written so much hands over, for the fuel that it has: most often with its third file.
const MOST_BYTES: u64 = 10 << 20;
/// Rows that one step looks at; the host allows 100,000.
const MOST_ROWS: u64 = 50_000;
/// A step that has run so long hands over, in milliseconds; the host allows 60,000.
const LONG: u64 = 20_000;

/// What the job is given.
#[value]
pub(crate) struct Payload {
    pub(super) sources: Vec<Source>,
    pub(super) site_id: Option<Id<Site>>,
    pub(super) format: Format,
    /// Where its files are among the module's blobs.
    pub(super) folder: String,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// The source that is read.
    source: usize,
    /// Where its last page ended.
    after: Option<String>,
    /// Files of this source so far.
    parts: u32,
    /// Rows looked at so far.
    done: u64,
    /// All files so far.
    files: Vec<File>,
}

/// A file that was written.
#[value]
pub(crate) struct File {
    /// `crawl.runs-0001.jsonl`.
    pub(crate) name: String,
    /// `crawl.runs`, or `crawl.blobs`.
    pub(crate) collection: String,
    /// Lines, without the header of a table.
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    /// 64 hexadecimal digits.
    pub(crate) sha256: String,
}

/// A file with its address.
#[value]
pub(crate) struct Published {
    #[serde(flatten)]
    file: File,
    /// Whoever has it may read the file.
    url: String,
}

/// What followers of the job see.
#[value]
pub(crate) struct Progress {
    /// Rows and blobs looked at.
    done: u64,
    /// Rows and blobs that there were when the export was asked for.
    total: u64,
    /// What is read, or `done`.
    step: String,
}

/// What the job ends with.
#[value]
pub(crate) struct Outcome {
    manifest: Vec<Published>,
    /// The address of `manifest.json`.
    download_ref: String,
    /// Until when the addresses work.
    expires_at: Moment,
}

/// Writes a few files, or publishes all of them.
#[step]
pub(crate) fn work(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let before = state.done;
    let mut written = 0;
    while let Some(source) = payload.sources.get(state.source) {
        let lasts = |written: u64, done: u64| written < MOST_BYTES && done - before < MOST_ROWS && cx.elapsed() < LONG;
        if !lasts(written, state.done) {
            let (progress, units) = (progress(&payload, &state), state.done - before);
            return Ok(Step::next(state, progress).units(units));
        }
        let mut part = Part::new(payload.format);
        let more = loop {
            let page = source::read(cx, source, state.after.take(), payload.site_id.as_ref().map(Id::as_str))?;
            state.done += page.looked_at;
            state.after = page.next;
            for line in &page.lines {
                if !part.takes(line) {
                    let full = std::mem::replace(&mut part, Part::new(payload.format));
                    written += keep(cx, &payload, source, &mut state, full)?;
                    part.takes(line);
                }
            }
            if state.after.is_none() {
                break false;
            }
            if !lasts(written, state.done) {
                break true;
            }
        };
        if part.rows() > 0 {
            written += keep(cx, &payload, source, &mut state, part)?;
        }
        if !more {
            state.source += 1;
            state.parts = 0;
        }
    }
    let (progress, units) = (progress(&payload, &state), state.done - before);
    Ok(Step::done(publish(cx, &payload, state.files)?, progress).units(units))
}

fn progress(payload: &Payload, state: &Checkpoint) -> Progress {
    let total: u64 = payload.sources.iter().map(|it| it.rows).sum();
    let step = payload.sources.get(state.source).map_or("done", |it| it.name.as_str());
    // What came while the job ran was not counted.
    Progress { done: state.done, total: total.max(state.done), step: step.to_owned() }
}

/// Writes a file among the blobs; how many bytes.
fn keep(cx: &Cx, payload: &Payload, source: &Source, state: &mut Checkpoint, part: Part) -> Result<u64> {
    state.parts += 1;
    let name = format!("{}-{:04}.{}", source.name, state.parts, payload.format.ending());
    let rows = part.rows();
    let content = part.into_bytes();
    cx.blobs().write(&key(payload, &name), &content)?;
    let bytes = content.len() as u64;
    let sha256 = kit::text::hex(&kit::text::sha256(&content));
    state.files.push(File { name, collection: source.name.clone(), rows, bytes, sha256 });
    Ok(bytes)
}

fn key(payload: &Payload, name: &str) -> String {
    format!("{}/{name}", payload.folder)
}

fn publish(cx: &Cx, payload: &Payload, files: Vec<File>) -> Result<Outcome> {
    let media = match payload.format {
        Format::Jsonl => Media::Json,
        Format::Csv => Media::Csv,
    };
    let mut manifest = Vec::with_capacity(files.len());
    for file in files {
        let url = cx.shares().publish_with_grant(&key(payload, &file.name), media, Some(&file.name), LIFE)?.url;
        manifest.push(Published { file, url });
    }
    let document = json!({
        "format_version": VERSION,
        "format": payload.format,
        "created": cx.now(),
        "site_id": payload.site_id,
        "files": manifest,
    });
    let bytes = serde_json::to_vec_pretty(&document)
        .map_err(|_| Fault::unavailable("export_unwritable", "the list of files could not be written"))?;
    let name = key(payload, "manifest.json");
    cx.blobs().write(&name, &bytes)?;
    let shared = cx.shares().publish_with_grant(&name, Media::Json, Some("manifest.json"), LIFE)?;
    Ok(Outcome { manifest, download_ref: shared.url, expires_at: shared.expires })
}
