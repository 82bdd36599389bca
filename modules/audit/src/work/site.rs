//! The phase that judges the site as a whole.

use sdk::prelude::*;
use search::Clicks;

use super::{Checkpoint, Phase, Turn};
use crate::engine;
use crate::index::{SiteIndex, Source};
use crate::rule::{Check, Rule};
use crate::stored::{BadLink, LISTED};
use crate::worth::Worth;
use site::Run;

/// Addresses that the rules of one step look at, each rule for itself: some 10,000 units of fuel each, and as many again for
/// putting the index together.
const LOOKS: usize = 120_000;

/// Asks the rules that see the whole crawl, as many as a step has room for.
pub(super) fn judge(turn: &mut Turn<'_>, state: &mut Checkpoint) -> Result<()> {
    let mut index = index(turn, state);
    index.pass_inlinks_on();
    let clicks = Clicks::newest(turn.cx, &turn.site_id);
    let worth = Worth::of(&index, &turn.site.origin, clicks.as_ref());
    state.by_clicks = worth.by_clicks;
    turn.worth = Some(worth);
    let rules: Vec<Rule> = turn.choice.rules().filter(|rule| matches!(rule.check, Check::Site(_))).copied().collect();
    let most = (LOOKS / index.own().count().max(1)).max(1);
    for asked in 0.. {
        let Some(rule) = rules.get(state.rule) else { break };
        if asked == most || !turn.has_room(LISTED as usize) {
            return Ok(());
        }
        let hits = engine::judge_site(&turn.choice.clone().only(&[rule.id.to_owned()]), &index, &turn.site);
        turn.keep(state, &hits)?;
        state.rule += 1;
    }
    let worth = turn.worth.take().unwrap_or_default();
    for (rule, spread) in std::mem::take(&mut state.spread) {
        *state.worth.entry(rule).or_default() += worth.of_spread(&spread);
    }
    state.phase = Phase::Done;
    Ok(())
}

fn index(turn: &Turn<'_>, state: &Checkpoint) -> SiteIndex {
    let mut entries = turn.entries();
    let at = |counts: &[u32], position: usize| counts.get(position).copied().unwrap_or(0);
    for (position, entry) in entries.iter_mut().enumerate() {
        entry.inlinks = at(&state.inlinks, position);
        entry.followed = at(&state.followed, position);
        entry.found = at(&state.found, position);
        entry.named = at(&state.named, position);
    }
    let mut index = SiteIndex::new(entries, turn.is_complete());
    if let Some(run) = turn.cx.records::<Run>().find(&Id::new(turn.run)) {
        index.told(run.into_inner().0.robots);
    }
    for link in turn.cx.records::<BadLink>().by("audit").equals(turn.audit).scan() {
        let link = link.into_inner();
        index.link(&link.target, Source { from: link.source, anchor: link.anchor });
    }
    index
}
