//! What this module keeps: a website's links in packed parts, and what is known of them as a whole.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sdk::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use site::Site;

use crate::link::Link;
use crate::looked::{Look, Looked};

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
    /// The competitor whose links these are; none for the website's own.
    pub(crate) rival: Option<String>,
    /// When a provider's index was asked last.
    pub(crate) refreshed_ms: Option<u64>,
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

/// Sorted entries in packed parts; each writing has a number, so that a reader of the one before is not disturbed.
pub(crate) struct Shelf<'a> {
    cx: &'a Cx,
    name: String,
}

impl<'a> Shelf<'a> {
    /// The one of this name.
    pub(crate) fn of(cx: &'a Cx, name: String) -> Self {
        Self { cx, name }
    }

    fn key(&self, written: u32, part: u32) -> String {
        format!("{}/{written}/{part}", self.name)
    }

    /// One part.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn read<T: DeserializeOwned>(&self, written: u32, part: u32) -> Result<Vec<T>> {
        let bytes = self.cx.blobs().read(&self.key(written, part), 0, MAX_BLOB);
        bytes.and_then(|it| unpacked(&it)).ok_or_else(|| {
            Fault::unavailable("storage_damaged", "stored links cannot be read; try again, then import them again")
        })
    }

    /// Writes a part.
    ///
    /// # Errors
    /// The host's refusal of the blob.
    pub(crate) fn write<T: Serialize>(&self, written: u32, part: u32, entries: &[T]) -> Result<()> {
        self.cx.blobs().write(&self.key(written, part), &packed(entries))
    }

    /// Empties the parts of a writing.
    ///
    /// # Errors
    /// The host's refusal of a blob.
    pub(crate) fn empty(&self, written: u32, parts: u32) -> Result<()> {
        (0..parts).try_for_each(|part| self.cx.blobs().remove(&self.key(written, part)))
    }
}

/// A website's stored links.
pub(crate) struct Links<'a> {
    cx: &'a Cx,
    site: Id<Site>,
    shelf: Shelf<'a>,
    pub(crate) profile: Profile,
}

impl<'a> Links<'a> {
    /// Those of a website; none where nothing was imported.
    pub(crate) fn of(cx: &'a Cx, site: &Id<Site>) -> Self {
        let profile = cx.records::<Profile>().find(&site.cast()).map(Stored::into_inner).unwrap_or_default();
        Self { cx, site: site.clone(), shelf: Shelf::of(cx, format!("links/{site}")), profile }
    }

    /// The website.
    pub(crate) fn site(&self) -> &Id<Site> {
        &self.site
    }

    /// One part, as it was imported.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn part(&self, part: u32) -> Result<Vec<Link>> {
        self.shelf.read(self.profile.written, part)
    }

    /// Calls `each` with all links in the order of their sources, as they are by the last look at their pages.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn each(&self, mut each: impl FnMut(Link)) -> Result<()> {
        self.each_looked(|link, _| each(link))
    }

    /// As [`Links::each`], with what the last look found.
    ///
    /// # Errors
    /// 503 `storage_damaged`.
    pub(crate) fn each_looked(&self, mut each: impl FnMut(Link, Option<&Look<'_>>)) -> Result<()> {
        let mut pages = Looked::of(self.cx, &self.site).walk();
        let mut last = (String::new(), 0);
        for part in 0..self.profile.parts {
            for mut link in self.part(part)? {
                link.look_up_domain(&mut last);
                match pages.find(&link)? {
                    Some(found) => {
                        let look = Look::of(found, &link);
                        look.lay_over(&mut link);
                        each(link, Some(&look));
                    }
                    None => each(link, None),
                }
            }
        }
        Ok(())
    }

    /// Writes a part of the next writing.
    ///
    /// # Errors
    /// The host's refusal of the blob.
    pub(crate) fn put(&self, part: u32, links: &[Link]) -> Result<()> {
        self.shelf.write(self.profile.written + 1, part, links)
    }

    /// Empties the parts of the writing before the last.
    ///
    /// # Errors
    /// The host's refusal of a blob.
    pub(crate) fn tidy(&self) -> Result<()> {
        self.shelf.empty(self.profile.written.saturating_sub(1), self.profile.stale)
    }
}

/// Entries packed by DEFLATE.
pub(crate) fn packed<T: Serialize>(entries: &[T]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(5));
    // Writing into memory cannot fail.
    let written = encoder.write_all(&postcard::to_allocvec(entries).unwrap_or_default());
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// What [`packed`] made; `None` when it cannot be read.
pub(crate) fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Option<Vec<T>> {
    let mut plain = Vec::new();
    DeflateDecoder::new(bytes).take(MAX_PLAIN).read_to_end(&mut plain).ok()?;
    postcard::from_bytes(&plain).ok()
}
