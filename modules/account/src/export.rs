//! The operation `account.export.create`. The files are its job's: `export/work.rs`.

mod line;
mod part;
mod source;
pub(crate) mod work;

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Degraded, IsQueued};

use crate::known;
use site::Site;
use source::Source;
use work::Payload;

/// How the rows are written.
#[value]
pub(crate) enum Format {
    /// JSON Lines: `{"id", "version", "body"}` each. Nothing is lost.
    Jsonl,
    /// RFC 4180, for tables.
    Csv,
}

impl Format {
    /// The end of a file's name.
    const fn ending(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }
}

#[args]
pub(crate) struct Create {
    /// Only rows that name this website in `site_id`, and the website itself.
    site_id: Option<Id<Site>>,
    /// Only these, such as `crawl.runs`; `crawl.blobs` are the larger bytes that the module crawl keeps. All when empty.
    #[serde(default)]
    collections: List<Text<1, 128>, 0, 60>,
    /// How the rows are written.
    #[default("jsonl")]
    format: Format,
}

/// An export that was accepted.
#[value]
pub(crate) struct Started {
    /// The job; follow it with account.job.get, whose `result` has the files.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// What will be exported.
    manifest: Vec<Planned>,
    /// Where the manifest will be; null until the job has ended.
    #[schemars(url)]
    download_ref: Option<String>,
    /// Data that are left out because the grant does not reach them.
    degraded: Vec<Degraded>,
}

/// A collection that will be exported.
#[value]
pub(crate) struct Planned {
    collection: String,
    /// Rows that there are now, before any narrowing; blobs where it is a module's blobs.
    rows: u64,
    /// Of each file, once there are files; null until then.
    sha256: Option<String>,
}

/// Builds a portable archive of all owned collections as JSON Lines with a manifest of counts and SHA-256 sums, for backup or leaving the service.
///
/// The job ends with a list of files of at most 4 MiB, each with its rows, bytes, SHA-256 sum and address, and with
/// `download_ref`: the address of `manifest.json`, which has the same list. Whoever has an address may read the file, for
/// seven days, or until the access that asked for the export is ended. A line of JSON Lines is `{"id", "version", "body"}`, or `{"key", "bytes", "offset", "base64"}` of a blob,
/// which comes in pieces when it is large: put together those of a key by their offsets.
///
/// A file of CSV has a header of its own: `id`, `version`, then the members that its rows have, in the order of their
/// names. Nested values are JSON, an absent one and null are empty, and an empty text is `""`; a member called `id` or
/// `version` is headed `body.id` or `body.version`. Texts stand as they are stored, so a spreadsheet may take one for a
/// formula.
///
/// What the grant could not read one operation at a time is left out, and `degraded` names it.
///
/// With `site_id`, rows that do not name a website are left out, and blobs too. Collections without rows have no file.
/// Rows that change while the job runs are exported as they are when their page is read. Credentials of connections are
/// in no collection and are never exported.
#[operation(
    job,
    scope = "assets:read",
    cost = job(unit = "rows", every = 10_000, most = 300_000),
    queued(step = "export"),
    result_operation = "account.job.get",
    needs = ["store", "jobs"],
    side_effects = ["publishes files at addresses that work for seven days"],
    phrasings = [
        "export all my data",
        "download a backup of my account",
        "I want to leave and take my data with me",
        "dump a website's data as CSV",
    ],
    examples = [{}, { "collections": ["websites.sites", "crawl.runs"], "format": "csv" }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Started> {
    if let Some(site) = &args.site_id {
        known::site(cx, site, "/site_id")?;
    }
    let (mut sources, degraded) = source::all(cx)?;
    for (position, name) in args.collections.iter().enumerate() {
        if !sources.iter().any(|it| it.name == name.as_str()) {
            let message = format!("nothing is stored under {name}; leave `collections` out for everything there is");
            return Err(Fault::invalid(format!("/collections/{position}"), "collection_not_found", message));
        }
    }
    if !args.collections.is_empty() {
        let wanted: BTreeSet<&str> = args.collections.iter().map(Text::as_str).collect();
        sources.retain(|it| wanted.contains(it.name.as_str()));
    }
    if args.site_id.is_some() {
        sources.retain(|it| !it.is_blobs());
    }
    let planned = |it: &Source| Planned { collection: it.name.clone(), rows: it.rows, sha256: None };
    let manifest = sources.iter().map(planned).collect();
    let folder = format!("exports/{}", kit::text::hex(&cx.random::<8>()));
    let payload = Payload { sources, site_id: args.site_id, format: args.format, folder };
    Ok(Started {
        job_ref: cx.jobs().enqueue("export", &payload)?,
        state: IsQueued::Queued,
        manifest,
        download_ref: None,
        degraded,
    })
}

#[cfg(test)]
mod tests;
