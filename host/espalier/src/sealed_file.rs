//! A transcript as a file: what it is of, in a line of JSON, and the rest sealed. It is never plain on a disk, and opens
//! only with the key ring of the place that it comes from.

use std::path::Path;

use anyhow::{Context as _, bail};
use model::clock::Moment;
use serde::{Deserialize, Serialize};
use store::Sealed;
use store::trail::transcripts::SealedTranscript;

use crate::settings::replace_private;

/// The first line.
const TITLE: &[u8] = b"espalier transcript 1\n";
/// Bytes of the second.
const MOST_PAGE: usize = 16 * 1024;

/// The second line: what may be known without a key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    customer: String,
    run: String,
    operation: String,
    digest: String,
    engine: String,
    ending: String,
    made_at: i64,
    key: String,
    wrapped: usize,
}

/// Writes a transcript, for its owner alone.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write(path: &Path, it: &SealedTranscript) -> anyhow::Result<()> {
    let (key, wrapped, sealed) = it.sealed.parts();
    let page = Page {
        customer: it.customer.as_str().to_owned(),
        run: it.run.clone(),
        operation: it.operation.clone(),
        digest: it.digest.clone(),
        engine: it.engine.clone(),
        ending: it.ending.clone(),
        made_at: it.made_at.0,
        key: key.to_owned(),
        wrapped: wrapped.len(),
    };
    let page = serde_json::to_vec(&page)?;
    replace_private(path, &[TITLE, &page, b"\n", wrapped, sealed].concat())
}

/// Reads one. What it says of itself is believed only as far as it opens.
///
/// # Errors
/// When the file cannot be read or is none of ours.
pub(crate) fn read(path: &Path) -> anyhow::Result<SealedTranscript> {
    let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let Some(rest) = bytes.strip_prefix(TITLE) else {
        bail!("{} is no transcript; `espalier replay REQUEST --write FILE` makes one", path.display());
    };
    let damaged = || format!("{} is damaged: it is not what was written", path.display());
    let end = rest.iter().take(MOST_PAGE).position(|byte| *byte == b'\n').with_context(damaged)?;
    let page: Page = serde_json::from_slice(&rest[..end]).ok().with_context(damaged)?;
    let (wrapped, sealed) = rest[end + 1..].split_at_checked(page.wrapped).with_context(damaged)?;
    Ok(SealedTranscript {
        customer: page.customer.into(),
        run: page.run,
        operation: page.operation,
        digest: page.digest,
        engine: page.engine,
        ending: page.ending,
        made_at: Moment(page.made_at),
        sealed: Sealed::of_parts(page.key, wrapped.to_vec(), sealed.to_vec()),
    })
}
