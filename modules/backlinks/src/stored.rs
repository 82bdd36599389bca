//! What this module keeps: a website's links in packed parts, and what is known of them as a whole.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sdk::prelude::*;
use site::Site;

use crate::link::Link;

/// Links of one part.
pub(crate) const OF_PART: usize = if cfg!(test) { 3 } else { 5_000 };
/// The largest part that is read back, packed and unpacked.
const MAX_BLOB: u32 = 8 << 20;
const MAX_PLAIN: u64 = 64 << 20;
/// Links of one website, at most.
pub(crate) const MOST_LINKS: u64 = 1_000_000;

/// The links of a website. Its id is the website.
#[record(collection = "profiles", thing = "profile")]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Profile {
    /// How often the links were written; part of the names of their parts.
    pub(crate) written: u32,
    pub(crate) parts: u32,
    /// Parts of the writing before, which the next one empties.
    pub(crate) stale: u32,
    pub(crate) links: u64,
    pub(crate) domains: u64,
    pub(crate) imported_ms: u64,
    /// The tools that links came from, with the day of the newest file of each.
    pub(crate) tools: Vec<ToolSeen>,
    /// The import that is being merged.
    pub(crate) job_ref: Option<Id<Job>>,
}

/// A tool that links came from.
#[value]
#[derive(Default)]
pub(crate) struct ToolSeen {
    pub(crate) tool: String,
    pub(crate) links: u64,
    pub(crate) imported_at: Option<Moment>,
}

/// A website's stored links.
pub(crate) struct Links<'a> {
    cx: &'a Cx,
    site: String,
    pub(crate) profile: Profile,
}

impl<'a> Links<'a> {
    /// Those of a website; none where nothing was imported.
    pub(crate) fn of(cx: &'a Cx, site: &Id<Site>) -> Self {
        let profile = cx.records::<Profile>().find(&site.cast()).map(Stored::into_inner).unwrap_or_default();
        Self { cx, site: site.to_string(), profile }
    }

    fn name(&self, written: u32, part: u32) -> String {
        format!("links/{}/{written}/{part}", self.site)
    }

    /// One part.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn part(&self, part: u32) -> Result<Vec<Link>> {
        let bytes = self.cx.blobs().read(&self.name(self.profile.written, part), 0, MAX_BLOB);
        bytes.and_then(|it| unpacked(&it)).ok_or_else(|| {
            let message = "stored links cannot be read; try again, then import them again";
            Fault::unavailable("storage_damaged", message)
        })
    }

    /// Calls `each` with all links in the order of their sources.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn each(&self, mut each: impl FnMut(Link)) -> Result<()> {
        for part in 0..self.profile.parts {
            self.part(part)?.into_iter().for_each(&mut each);
        }
        Ok(())
    }

    /// Writes a part of the next writing.
    ///
    /// # Errors
    /// The host's refusal of the blob.
    pub(crate) fn put(&self, part: u32, links: &[Link]) -> Result<()> {
        self.cx.blobs().write(&self.name(self.profile.written + 1, part), &packed(links))
    }

    /// Empties the parts of the writing before the last.
    ///
    /// # Errors
    /// The host's refusal of a blob.
    pub(crate) fn tidy(&self) -> Result<()> {
        let before = self.profile.written.saturating_sub(1);
        (0..self.profile.stale).try_for_each(|part| self.cx.blobs().write(&self.name(before, part), b""))
    }
}

/// Links packed by DEFLATE.
pub(crate) fn packed(links: &[Link]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(5));
    // Writing into memory cannot fail.
    let written = encoder.write_all(&postcard::to_allocvec(links).unwrap_or_default());
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// What [`packed`] made; `None` when it cannot be read.
pub(crate) fn unpacked(bytes: &[u8]) -> Option<Vec<Link>> {
    let mut plain = Vec::new();
    DeflateDecoder::new(bytes).take(MAX_PLAIN).read_to_end(&mut plain).ok()?;
    postcard::from_bytes(&plain).ok()
}
