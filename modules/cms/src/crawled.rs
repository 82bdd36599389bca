//! What the newest crawl says of an address.

use kit::crawled::page_id;
use kit::page::Reason;
use sdk::prelude::*;
use site::Run;

/// An address of a crawl.
#[foreign(collection = "crawl.rows", thing = "row", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) indexability_reason: Reason,
}

impl Row {
    /// Of an address in its normal form; none when the crawl does not know it.
    pub(crate) fn of(cx: &Cx, run: &Stored<Run>, url: &str) -> Option<Self> {
        cx.records::<Self>().find(&Id::new(page_id(run.id.as_str(), url))).map(Stored::into_inner)
    }

    /// Whether it answers 200 and nothing stands against its being found.
    pub(crate) fn is_indexable(&self) -> bool {
        self.status == 200 && self.indexability_reason == Reason::Ok
    }
}
