//! What there is to export, and reading it page by page.

use sdk::prelude::*;
use sdk::{Degraded, Paging, PlatformQuestion, StoredRows};

use super::line::{self, Line};
use crate::platform::stored::{BlobPage, Held, RowPage};

/// Rows asked for at once.
const PAGE: u32 = 100;
/// The collection that has the websites themselves, under their own ids.
const WEBSITES: &str = "websites.sites";

/// A collection, or the blobs of a module.
#[value]
pub(crate) struct Source {
    /// `crawl.runs`, or `crawl.blobs`.
    pub(super) name: String,
    /// Whose.
    pub(super) module: String,
    /// Its name within the module; none: the module's blobs.
    pub(super) collection: Option<String>,
    /// Rows, or blobs, that there were when the export was asked for.
    pub(super) rows: u64,
}

impl Source {
    /// Whether it is the blobs of a module.
    pub(super) fn is_blobs(&self) -> bool {
        self.collection.is_none()
    }
}

/// Everything that the grant of the call reaches, and what it does not. This module's own blobs are left out: they are the
/// files of earlier exports.
pub(super) fn all(cx: &Cx) -> Result<(Vec<Source>, Vec<Degraded>)> {
    let held: Held = cx.platform().ask(&PlatformQuestion::Held)?;
    let withheld = held.withheld.iter().map(|it| {
        let why = format!("to read it, a grant needs {} too, and this one has not", it.scopes.join(" and "));
        Degraded::new(it.module.clone(), why)
    });
    let withheld = withheld.collect();
    let rows = held.collections.into_iter().map(|it| Source {
        name: format!("{}.{}", it.module, it.collection),
        module: it.module,
        collection: Some(it.collection),
        rows: it.rows,
    });
    let blobs = held.blobs.into_iter().filter(|it| it.module != env!("CARGO_PKG_NAME")).map(|it| Source {
        name: format!("{}.blobs", it.module),
        module: it.module,
        collection: None,
        rows: it.blobs,
    });
    Ok((rows.chain(blobs).collect(), withheld))
}

/// A page of lines.
pub(super) struct Read {
    /// The lines that are wanted, in the order of the store.
    pub(super) lines: Vec<Line>,
    /// Rows or blobs that were looked at.
    pub(super) looked_at: u64,
    /// Where the page ended.
    pub(super) next: Option<String>,
}

/// Reads on. A collection that is gone by now has no rows.
pub(super) fn read(cx: &Cx, source: &Source, after: Option<String>, site: Option<&str>) -> Result<Read> {
    let paging = Paging { after, limit: PAGE };
    let stored = |collection: &str| StoredRows {
        module: source.module.clone(),
        collection: collection.to_owned(),
        paging: paging.clone(),
    };
    let Some(collection) = &source.collection else {
        let page: BlobPage = cx.platform().ask(&PlatformQuestion::Blobs(stored("")))?;
        let looked_at = page.blobs.len() as u64;
        return Ok(Read { lines: page.blobs.into_iter().flat_map(line::pieces).collect(), looked_at, next: page.next });
    };
    let page: RowPage = match cx.platform().ask(&PlatformQuestion::Rows(stored(collection))) {
        Err(fault) if fault.code == "collection_not_found" => {
            return Ok(Read { lines: Vec::new(), looked_at: 0, next: None });
        }
        page => page?,
    };
    let looked_at = page.rows.len() as u64;
    let wanted = page.rows.into_iter().filter(|row| {
        site.is_none_or(|site| {
            let named = row.body.get("site_id").and_then(|it| it.as_str());
            named == Some(site) || (source.name == WEBSITES && row.id == site)
        })
    });
    Ok(Read { lines: wanted.map(Line::from).collect(), looked_at, next: page.next })
}
