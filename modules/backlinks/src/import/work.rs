//! The job of an import: reads a file, merges its links with those that are stored, and sums up.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Next, Progress, Upload, UploadState, json};
use site::Site;

use super::merging::Merging;
use super::table::{self, Rejected, Tool};
use crate::link::TOOLS;
use crate::stored::Links;
use crate::subject::{Subject, subject};

/// Milliseconds after which is looked again whether a file is there.
const AGAIN_MS: u32 = 10_000;
/// The largest part of a file.
const MAX_BLOB: u32 = 8 << 20;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    /// The competitor whose links these are.
    pub(super) of: Option<String>,
    /// Parts of the file; none while it is waited for.
    pub(super) parts: u64,
    pub(super) upload_ref: Option<Id<Upload>>,
    pub(super) source: Tool,
    pub(super) day_first: Option<bool>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// Parts of the file that came by an upload.
    parts: u64,
    /// What was read of the file.
    read: Option<Told>,
    merging: Merging,
}

/// What a file holds beside its links.
#[value]
pub(crate) struct Told {
    tool: usize,
    own_pages: u64,
    rejected: Vec<Rejected>,
    rejected_total: u64,
    columns: Vec<(String, String)>,
    unknown_columns: Vec<String>,
}

/// The result of an import.
#[value]
pub(crate) struct Outcome {
    /// Links of the website now.
    links: u64,
    /// Links that nobody had named before.
    new_links: u64,
    /// Links that were known and now have what this file says.
    merged_links: u64,
    /// Registrable domains that link.
    domains: u64,
    /// Rows that are pages of the website itself.
    own_pages: u64,
    /// The first 100 rows that are no links to the website.
    rejected: Vec<Rejected>,
    rejected_total: u64,
    /// The tool that the file is of.
    #[own]
    tool: String,
    /// What each column was read as.
    columns: BTreeMap<String, String>,
    unknown_columns: Vec<String>,
    next: Vec<Next>,
}

/// The name of a part of a file.
pub(super) fn file(site: &Id<Site>, part: usize) -> String {
    format!("file/{site}/{part}")
}

/// Merges some parts, or ends.
#[step]
pub(crate) fn import(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let subject = subject(cx, &payload.site_id, payload.of.as_deref())?;
    if let Some(reference) = payload.upload_ref.as_ref().filter(|_| state.parts == 0) {
        if cx.uploads().get(reference)?.state == UploadState::Waiting {
            return Ok(Step::next(state, Progress::new(0, None, "waiting for the file")).after(AGAIN_MS));
        }
        state.parts = super::run::keep(cx, &subject.id, &files::read(cx, reference)?)?;
        return Ok(Step::next(state, Progress::new(0, None, "reading the file")));
    }
    state.parts = state.parts.max(payload.parts);
    match state.read.take() {
        None => {
            let (told, merging) = read(cx, &payload, &subject, state.parts)?;
            let progress = merging.progress(Links::of(cx, &subject.id).profile.parts);
            Ok(Step::next(Checkpoint { read: Some(told), merging, ..state }, progress))
        }
        Some(told) if state.merging.is_done() => finish(cx, &payload, &subject, &state, told),
        told => {
            state.read = told;
            let progress = state.merging.step(cx, &subject.id)?;
            Ok(Step::next(state, progress))
        }
    }
}

/// Reads the file, and keeps its links sorted for the steps that merge them.
fn read(cx: &Cx, payload: &Payload, subject: &Subject, parts: u64) -> Result<(Told, Merging)> {
    let mut bytes = Vec::new();
    for part in 0..usize::try_from(parts).unwrap_or(0) {
        let part = cx.blobs().read(&file(&subject.id, part), 0, MAX_BLOB);
        bytes.extend(
            part.ok_or_else(|| Fault::conflict("upload_gone", "the file is no longer there; import it again"))?,
        );
    }
    let read = table::read(&bytes, payload.source, &subject.site, "/csv", payload.day_first)?;
    let merging = Merging::of_sorted(cx, &subject.id, &read.links)?;
    let told = Told {
        tool: read.tool,
        own_pages: read.own_pages,
        rejected: read.rejected,
        rejected_total: read.rejected_total,
        columns: read.columns,
        unknown_columns: read.unknown_columns,
    };
    Ok((told, merging))
}

fn finish(
    cx: &Cx,
    payload: &Payload,
    subject: &Subject,
    state: &Checkpoint,
    told: Told,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let profile = state.merging.finish(cx, subject, told.tool)?;
    for part in 0..usize::try_from(state.parts).unwrap_or(0) {
        cx.blobs().remove(&file(&subject.id, part))?;
    }
    let site_id = json!({ "site_id": payload.site_id });
    let next = if subject.is_rival {
        let gap = json!({ "site_id": payload.site_id, "competitors": [subject.site.domain] , "min_competitors": 1 });
        vec![Next::new("backlinks.gap.analyze", gap, "finds domains that link to it and not to the website")]
    } else {
        vec![
            Next::new("backlinks.profile.get", site_id.clone(), "sums the profile up"),
            Next::new("backlinks.broken.list", site_id, "finds links that lead to nothing"),
        ]
    };
    let outcome = Outcome {
        links: profile.links,
        new_links: state.merging.new,
        merged_links: state.merging.joined,
        domains: profile.domains,
        own_pages: told.own_pages,
        rejected: told.rejected,
        rejected_total: told.rejected_total,
        tool: TOOLS[told.tool.min(TOOLS.len() - 1)].to_owned(),
        columns: told.columns.into_iter().collect(),
        unknown_columns: told.unknown_columns,
        next,
    };
    let rows = state.merging.fresh + outcome.rejected_total + outcome.own_pages;
    Ok(Step::done(outcome, Progress::new(rows, rows, "done")).units(rows))
}
