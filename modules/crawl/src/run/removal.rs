//! The operation `crawl.run.delete`.

use std::collections::BTreeMap;

use kit::crawled::RunState;
use sdk::json;
use sdk::prelude::*;
use sdk::{Confirmation, Query, Record};

use crate::columns;
use crate::digest;
use crate::run;
use crate::stored::{
    Audit, External, Extracted, Folder, Frontier, Host, Linked, Page, Resource, Row, Run, Site, Stop, Summary,
};
use crate::work;

/// Rows and blobs that one call removes; the lock allows as many.
const MOST: u64 = 9_000;
/// Audits of the website that are looked through for comparisons.
const MOST_AUDITS: u64 = 500;

#[args]
pub(crate) struct Delete {
    /// The crawl.
    run_ref: Id<Run>,
    /// From an earlier preview; when what would go is no longer the same, nothing is deleted and 409 says what would.
    confirm_hash: Option<Text<1, 64>>,
    /// Only counts what would go.
    #[default(false)]
    preview: bool,
}

/// What went.
#[value]
pub(crate) struct Deleted {
    /// Whether nothing of the crawl is left.
    deleted: bool,
    /// Rows and stored pages that this call removed, or that a preview counted.
    rows: u64,
    /// The same by collection.
    counts: BTreeMap<String, u64>,
    /// Rows that are left, when there were too many for one call: call again, with another idempotency key.
    remaining: Option<u64>,
    /// Stands for these counts and this state of the crawl.
    confirm_hash: String,
}

/// Deletes a crawl with its pages, links, texts and stored HTML.
///
/// Refused while the crawl is running, while an audit reads it, and while one of its audits is the baseline of another.
/// It acts when it is called, and one call removes up to 9,000 rows: a larger crawl is gone for all other operations
/// after the first call, and `remaining` says how much further calls have to remove.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["removes the crawl and everything recorded in it for good"],
    phrasings = ["delete an old crawl", "remove stored pages of a crawl", "free the data of past crawls"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "preview": true }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let run = cx.records::<Run>().get(&args.run_ref)?;
    if matches!(run::current(cx, &run), RunState::Queued | RunState::Running) {
        return Err(Fault::conflict("crawl_running", "this crawl is still fetching; stop it first")
            .detail(json!({ "operation_id": "crawl.run.stop", "arguments": { "run_ref": run.id } })));
    }
    if !run.0.deleting {
        in_use(cx, &run)?;
    }
    let mut removal = Removal { cx, id: run.id.as_str(), left: MOST, counts: BTreeMap::new() };
    let confirmation = Confirmation::of(&run, removal.count());
    confirmation.check(args.confirm_hash.as_ref(), "crawl")?;
    let Confirmation { counts: before, hash: confirm_hash } = confirmation;
    let all: u64 = before.values().sum();
    if args.preview {
        return Ok(Deleted { deleted: false, rows: all, counts: before, remaining: None, confirm_hash });
    }
    let mut packs = run.0.packs;
    let whole = removal.remove(&mut packs)?;
    let counts = removal.counts;
    let rows: u64 = counts.values().sum();
    if whole {
        cx.records::<Run>().remove(&run)?;
    } else {
        cx.records::<Run>().update(&run.id, |it| {
            it.0.deleting = true;
            it.0.packs = packs;
        })?;
    }
    let remaining = (!whole).then(|| all.saturating_sub(rows).max(1));
    Ok(Deleted { deleted: whole, rows, counts, remaining, confirm_hash })
}

/// Refuses while somebody stands on this crawl.
fn in_use(cx: &Cx, run: &Stored<Run>) -> Result<()> {
    let own = cx.records::<Audit>().by("run_ref").equals(&run.id).page(100_u64, None)?.items;
    if let Some(audit) = own.iter().find(|audit| audit.state != "succeeded" && audit.state != "failed") {
        return Err(
            Fault::conflict("crawl_in_use", "an audit is reading this crawl").detail(json!({ "audit_ref": audit.id }))
        );
    }
    if own.is_empty() {
        return Ok(());
    }
    let site: Id<Site> = Id::new(run.0.site_id.clone());
    let audits = cx.records::<Audit>().by("site_id_created_ms").equals(&site).descending();
    let audits = audits.page(MOST_AUDITS, None)?.items;
    let baseline = audits.iter().find(|audit| {
        audit.baseline.as_ref().is_some_and(|baseline| own.iter().any(|own| own.id.as_str() == baseline))
    });
    match baseline {
        Some(audit) => {
            Err(Fault::conflict("crawl_is_baseline", "another audit is compared with an audit of this crawl")
                .detail(json!({ "audit_ref": audit.id })))
        }
        None => Ok(()),
    }
}

/// Removing a crawl as far as one call may.
struct Removal<'a> {
    cx: &'a Cx,
    id: &'a str,
    left: u64,
    counts: BTreeMap<String, u64>,
}

impl<'a> Removal<'a> {
    fn of<T: Record>(&self, index: &'static str) -> Query<'a, T> {
        self.cx.records::<T>().by(index).equals(self.id)
    }

    fn count(&self) -> BTreeMap<String, u64> {
        let counts = [
            ("pages", self.of::<Page>("run_seq").count()),
            ("rows", self.of::<Row>("run_seq").count()),
            ("links", self.of::<Linked>("run").count()),
            ("externals", self.of::<External>("run_state").count()),
            ("frontier", self.of::<Frontier>("run_state_rank").count()),
            ("robots", self.of::<Host>("run").count()),
            ("resources", self.of::<Resource>("run_kind").count()),
            ("folders", self.of::<Folder>("run_level_path").count()),
            ("extracted", self.of::<Extracted>("run_url").count()),
        ];
        counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_owned(), count)).collect()
    }

    /// True when nothing is left; `packs` is how many of them still are.
    fn remove(&mut self, packs: &mut u32) -> Result<bool> {
        let whole = self.pages()?
            && self.rows::<Row>("rows", "run_seq")?
            && self.rows::<Linked>("links", "run")?
            && self.rows::<External>("externals", "run_state")?
            && self.rows::<Frontier>("frontier", "run_state_rank")?
            && self.rows::<Host>("robots", "run")?
            && self.rows::<Resource>("resources", "run_kind")?
            && self.rows::<Folder>("folders", "run_level_path")?
            && self.rows::<Extracted>("extracted", "run_url")?;
        if !whole {
            return Ok(false);
        }
        self.blobs(packs)
    }

    /// Pages with their bytes: a blob that is empty has no content that is kept.
    fn pages(&mut self) -> Result<bool> {
        loop {
            let page = self.of::<Page>("run_seq").page(200_u64, None)?;
            if page.items.is_empty() {
                return Ok(true);
            }
            for page in page.items {
                if self.left < 2 {
                    return Ok(false);
                }
                if let Some(key) = &page.0.html_blob {
                    self.cx.blobs().remove(key)?;
                    self.left -= 1;
                }
                self.cx.records::<Page>().remove(&page)?;
                self.note("pages");
            }
        }
    }

    fn rows<T: Record>(&mut self, name: &str, index: &'static str) -> Result<bool> {
        let count = self.of::<T>(index).count();
        if count <= self.left {
            self.left -= count;
            if count > 0 {
                *self.counts.entry(name.to_owned()).or_default() += self.of::<T>(index).remove();
            }
            return Ok(true);
        }
        while self.left > 0 {
            for row in self.of::<T>(index).page(self.left.min(1_000), None)?.items {
                self.cx.records::<T>().remove(&row)?;
                self.note(name);
            }
        }
        Ok(false)
    }

    fn note(&mut self, name: &str) {
        *self.counts.entry(name.to_owned()).or_default() += 1;
        self.left = self.left.saturating_sub(1);
    }

    /// Texts, facts and links, then columns, index and digest, then what stands for the whole crawl.
    fn blobs(&mut self, packs: &mut u32) -> Result<bool> {
        while let Some(pack) = packs.checked_sub(1) {
            let blobs = [work::text_blob, work::facts_blob, work::graph_blob];
            if !self.empty(blobs.iter().map(|blob| blob(self.id, pack)).collect())? {
                return Ok(false);
            }
            *packs = pack;
        }
        let mut shelves = (0..).take_while(|shelf| columns::is_there(self.cx, self.id, *shelf)).count();
        while let Some(shelf) = shelves.checked_sub(1) {
            if !self.empty(columns::blobs(self.id, shelf).collect())? {
                return Ok(false);
            }
            shelves = shelf;
        }
        let id: Id<Summary> = Id::new(self.id);
        let summary = self.cx.records::<Summary>().find(&id);
        let segments = summary.as_ref().map_or(0, |summary| summary.segments.len());
        let index = (0..segments).flat_map(|at| [work::segment_blob(self.id, at), work::places_blob(self.id, at)]);
        let whole = [digest::blob(self.id), work::scores_blob(self.id), columns::Shelves::blob(self.id)];
        if !self.empty(index.chain(whole).collect())? || self.left < 2 {
            return Ok(false);
        }
        if let Some(summary) = summary {
            self.cx.records::<Summary>().remove(&summary)?;
        }
        self.of::<Stop>("run").remove();
        if let Some(stop) = self.cx.records::<Stop>().find(&Id::new(self.id)) {
            self.cx.records::<Stop>().remove(&stop)?;
        }
        Ok(true)
    }

    /// Takes the bytes of blobs away: of all of them, or false.
    fn empty(&mut self, keys: Vec<String>) -> Result<bool> {
        for key in keys {
            if self.cx.blobs().read(&key, 0, 1).is_none_or(|bytes| bytes.is_empty()) {
                continue;
            }
            if self.left == 0 {
                return Ok(false);
            }
            self.cx.blobs().remove(&key)?;
            self.left -= 1;
        }
        Ok(true)
    }
}
