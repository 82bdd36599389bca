//! The phases that read addresses: the site's own, then those of other sites.

use sdk::prelude::*;

use super::{Checkpoint, Phase, Turn};
use crate::engine::{self, Hit};
use crate::rules;
use site::{Crawled, External};
/// Addresses read at once; with every rule at fault on each of them the rows still fit into a step, several times over.
pub(super) const BATCH: u64 = 25;
/// Batches in one step, whatever room is left: a page takes 3 to 15 million units of fuel, and a step has 5,000 million.
const BATCHES: usize = 8;
/// Addresses of other sites read at once.
const MANY: u64 = 1_000;

/// Judges pages one by one.
pub(super) fn judge(turn: &mut Turn<'_>, state: &mut Checkpoint) -> Result<()> {
    let worst = BATCH as usize * (rules::all().count() + 1);
    for _ in 0..BATCHES {
        if !turn.has_room(worst) {
            break;
        }
        let left = turn.max_pages - state.pages;
        let pages = turn.cx.records::<Crawled>().by("run_seq").equals(turn.run);
        let batch = pages.page(BATCH.min(u64::from(left)), state.cursor.take())?;
        let mut hits = Vec::new();
        let mut entries = Vec::new();
        for page in &batch.items {
            let entry = engine::entry(&page.0);
            state.tally.asked(&turn.choice, entry.reach());
            let found = engine::judge_page(&turn.choice, &page.0.facts, &turn.site);
            hits.extend(found.into_iter().map(|hit| Hit { at: Some(state.pages), ..hit }));
            entries.push(entry);
            state.pages += 1;
        }
        turn.keep(state, &hits)?;
        turn.add_part(state, entries)?;
        match batch.next.filter(|_| state.pages < turn.max_pages) {
            Some(next) => state.cursor = Some(next),
            None => {
                state.phase = Phase::Externals;
                break;
            }
        }
    }
    Ok(())
}

/// Keeps the addresses of other sites that failed.
pub(super) fn externals(turn: &mut Turn<'_>, state: &mut Checkpoint) -> Result<()> {
    while turn.has_room(MANY as usize) {
        let externals = turn.cx.records::<External>().by("run_state").equals(turn.run).equals("checked");
        let batch = externals.page(MANY, state.cursor.take())?;
        let failed =
            batch.items.iter().filter_map(|it| engine::external(&it.0)).filter(|entry| entry.fails()).collect();
        turn.add_part(state, failed)?;
        match batch.next {
            Some(next) => state.cursor = Some(next),
            None => {
                state.phase = Phase::Links;
                break;
            }
        }
    }
    Ok(())
}
