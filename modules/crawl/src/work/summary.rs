//! What is worked out once when a crawl has ended: its digest, folders, traps and the coverage of rules.

use std::collections::{BTreeMap, HashMap, HashSet};

use kit::traps::{self, Seen};
use kit::url::path_and_query;
use sdk::Degraded;
use sdk::prelude::*;

use super::Phase;
use super::crawl::Crawl;
use super::graph::scores_blob;
use super::index::lines;
use super::keep::{Line, facts_blob, number, short};
use crate::digest;
use crate::stored::{Coverage, Folder, Frontier, Known, Summary};

/// Bytes of facts read in one step.
const MOST_BYTES: usize = 50 << 20;
/// Folders that are kept.
const MOST_FOLDERS: usize = 5_000;
/// Levels of folders.
pub(crate) const LEVELS: u32 = 8;
/// Addresses that traps are looked for in: fetched ones, and known ones that were not.
const FETCHED: usize = 60_000;
const WAITING: u64 = 10_000;
/// First folders that comparisons name.
const MOST_SECTIONS: usize = 500;

impl Crawl<'_> {
    /// Writes what lists and comparisons read later.
    pub(super) fn summarise(&mut self) -> Result<()> {
        if !self.has_room()? {
            return Ok(());
        }
        let run = self.reference();
        let mut summary = Summary { degraded: Vec::new(), ..self.summary() };
        let mut latest: BTreeMap<String, Line> = BTreeMap::new();
        let mut bytes = 0;
        for pack in 0..self.run.0.packs {
            self.budget.call();
            let facts = self.pack(&facts_blob(&run, pack));
            bytes += facts.len();
            if bytes > MOST_BYTES {
                summary
                    .degraded
                    .push(Degraded::new("pages", format!("only the first {} addresses are summarised", latest.len())));
                break;
            }
            latest.extend(lines(&facts).map(|line| (line.url.clone(), line)));
        }
        let pages: Vec<Line> = latest.into_values().collect();
        self.cx.blobs().write(&digest::blob(&run), &digest::write(&pages))?;
        self.write_folders(&pages, &mut summary)?;
        self.look_for_traps(&pages, &mut summary);
        summary.coverage = coverage(&self.run.0.extraction, &pages);
        summary.sections = sections(&pages);
        summary.built_ms = self.clock_ms();
        summary.packs = self.run.0.packs;
        summary.pages = pages.len() as u64;
        self.save_summary(summary)?;
        self.point.phase = Phase::Columns;
        self.point.cursor = None;
        Ok(())
    }

    fn write_folders(&mut self, pages: &[Line], summary: &mut Summary) -> Result<()> {
        let run = self.reference();
        let scores = scores(&self.pack(&scores_blob(&run)));
        let mut folders: HashMap<String, Folder> = HashMap::new();
        for page in pages {
            let authority = scores.get(&number(&page.url)).copied().unwrap_or(0.0);
            for (level, path) in folders_of(&page.url) {
                let folder = folders.entry(path.to_owned()).or_insert_with(|| Folder {
                    run: run.clone(),
                    level,
                    path: path.to_owned(),
                    pages: 0,
                    indexable: 0,
                    errors: 0,
                    depths: 0,
                    words: 0,
                    authority: 0,
                });
                folder.pages += 1;
                folder.indexable += u64::from(page.reason == "ok");
                folder.errors += u64::from(page.status == 0 || page.status >= 400);
                folder.depths += u64::from(page.depth);
                folder.words += u64::from(page.words);
                folder.authority += authority_units(authority);
            }
        }
        let mut folders: Vec<Folder> = folders.into_values().collect();
        if folders.len() > MOST_FOLDERS {
            summary.degraded.push(Degraded::new(
                "folders",
                format!("only the {MOST_FOLDERS} largest of {} folders are kept", folders.len()),
            ));
            folders.sort_by(|a, b| b.pages.cmp(&a.pages).then_with(|| a.path.cmp(&b.path)));
            folders.truncate(MOST_FOLDERS);
        }
        folders.sort_by(|a, b| a.path.cmp(&b.path));
        let rows: Vec<(Id<Folder>, Folder)> =
            folders.into_iter().map(|folder| (Id::new(self.id(&folder.path)), folder)).collect();
        self.budget.call();
        if !rows.is_empty() {
            self.cx.records::<Folder>().put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
        }
        Ok(())
    }

    fn look_for_traps(&mut self, pages: &[Line], summary: &mut Summary) {
        let mut waiting = Vec::new();
        for state in [Known::Queued, Known::LeftOut] {
            let mut next = None;
            while (waiting.len() as u64) < WAITING {
                self.budget.call();
                let known = self.cx.records::<Frontier>().by("run_state_rank").equals(&self.run.id).equals(state);
                let Ok(page) = known.page(1_000_u64, next) else { break };
                waiting.extend(page.items.into_iter().map(|row| row.it.url));
                next = page.next;
                if next.is_none() {
                    break;
                }
            }
        }
        let fetched = pages.iter().filter(|page| page.status == 200).take(FETCHED);
        let fetched = fetched.map(|page| Seen { url: &page.url, content: (page.content != 0).then_some(page.content) });
        let seen: Vec<Seen<'_>> = fetched.chain(waiting.iter().map(|url| Seen { url, content: None })).collect();
        summary.looked_at = seen.len() as u64;
        let mut report = traps::detect(&seen);
        // A record has 256 KiB.
        while serde_json::to_string(&report).is_ok_and(|text| text.len() > 150_000) && !report.traps.is_empty() {
            report.traps.pop();
        }
        summary.traps = serde_json::to_string(&report).unwrap_or_default();
    }
}

/// The folders that an address is in, from the root down, each with its level.
fn folders_of(url: &str) -> impl Iterator<Item = (u32, &str)> {
    let path = path_and_query(url).split('?').next().unwrap_or("/");
    let path = if path.is_empty() { "/" } else { path };
    path.match_indices('/')
        .zip(0..=LEVELS)
        .map(|((at, _), level)| (level, &path[..=at]))
        .filter(|(_, path)| path.len() <= 500)
}

fn scores(blob: &[u8]) -> HashMap<u64, f32> {
    let entry = |bytes: &[u8]| {
        let number = bytes[..8].try_into().map_or(0, u64::from_le_bytes);
        (number, bytes[8..].try_into().map_or(0.0, f32::from_le_bytes))
    };
    blob.chunks_exact(12).map(entry).collect()
}

/// A share in billionths, so that sums of small pages stay exact.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is from 0 to 1")]
fn authority_units(share: f32) -> u64 {
    (f64::from(share) * 1e9).round() as u64
}

fn coverage(rules: &[kit::rules::Rule], pages: &[Line]) -> Vec<Coverage> {
    let of = |(at, rule): (usize, &kit::rules::Rule)| {
        let asked = pages.iter().filter(|page| !page.values.is_empty());
        let values: Vec<u64> =
            asked.clone().filter_map(|page| page.values.get(at).copied()).filter(|it| *it != 0).collect();
        Coverage {
            name: rule.name.clone(),
            pages: asked.count() as u64,
            with_value: values.len() as u64,
            distinct: values.into_iter().collect::<HashSet<u64>>().len() as u64,
        }
    };
    rules.iter().enumerate().map(of).collect()
}

fn sections(pages: &[Line]) -> Vec<(u32, String)> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for page in pages {
        *counts.entry(digest::section(&page.url)).or_default() += 1;
    }
    let mut sections: Vec<(&str, u64)> = counts.into_iter().collect();
    sections.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    sections.into_iter().take(MOST_SECTIONS).map(|(name, _)| (short(name), name.to_owned())).collect()
}
