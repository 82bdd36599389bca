//! How much authority each page has among the pages of the site.

use kit::graph::Graph;
use sdk::prelude::*;

use super::Phase;
use super::crawl::Crawl;
use super::keep::graph_blob;

/// Bytes of links read in one step; a step may read 64 MiB.
const MOST_BYTES: usize = 52 << 20;
/// Packs that are worked on in the step that fetched the last page.
pub(super) const FEW_PACKS: u32 = 12;

/// The blob of the scores: number u64 of the address, score f32, little-endian, sorted by number.
pub(crate) fn scores_blob(run: &str) -> String {
    format!("scores/{run}")
}

impl Crawl<'_> {
    /// Whether this step may do the work of a whole run; otherwise the next one begins with it.
    pub(super) fn has_room(&mut self) -> Result<bool> {
        self.flush_kept()?;
        let fresh = self.budget.is_fresh();
        let few = self.run.0.packs <= FEW_PACKS && self.budget.pages > 20;
        if !fresh && !few {
            self.budget.end();
        }
        Ok(fresh || few)
    }

    /// Works out the PageRank of every recorded address.
    pub(super) fn weigh_links(&mut self) -> Result<()> {
        if !self.has_room()? {
            return Ok(());
        }
        let run = self.reference();
        let mut pages: Vec<(u64, Vec<u64>)> = Vec::new();
        let mut bytes = 0;
        for pack in 0..self.run.0.packs {
            self.budget.call();
            let links = self.pack(&graph_blob(&run, pack));
            bytes += links.len();
            if bytes > MOST_BYTES {
                break;
            }
            read_links(&links, &mut pages);
        }
        // A page that was fetched again stands in a later pack as well: that one counts.
        pages.reverse();
        pages.sort_by_key(|(number, _)| *number);
        pages.dedup_by_key(|(number, _)| *number);
        let mut graph = Graph::new();
        for (_, targets) in &pages {
            let place = |target: &u64| pages.binary_search_by_key(target, |(number, _)| *number).ok();
            let mut places: Vec<u32> =
                targets.iter().filter_map(place).filter_map(|at| u32::try_from(at).ok()).collect();
            graph.push(&mut places);
        }
        let scores = graph.pagerank();
        let mut out = Vec::with_capacity(scores.len() * 12);
        for ((number, _), score) in pages.iter().zip(scores) {
            out.extend_from_slice(&number.to_le_bytes());
            #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough for a share")]
            out.extend_from_slice(&(score as f32).to_le_bytes());
        }
        self.cx.blobs().write(&scores_blob(&run), &out)?;
        self.point.phase = Phase::Index;
        self.budget.bytes = self.budget.bytes.saturating_sub(bytes as u64 / 2);
        Ok(())
    }
}

fn read_links(pack: &[u8], pages: &mut Vec<(u64, Vec<u64>)>) {
    let mut rest = pack;
    let number = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
    while rest.len() >= 12 {
        let count = rest[8..12].try_into().map_or(0, u32::from_le_bytes) as usize;
        let end = (12 + count * 8).min(rest.len());
        pages.push((number(&rest[..8]), rest[12..end].chunks_exact(8).map(number).collect()));
        rest = &rest[end..];
    }
}
