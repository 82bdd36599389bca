//! The phase that looks for what took the place of pages that are gone.

use kit::crawled::{RunState, page_id};
use kit::phrases::Code;
use kit::renames::{Known, Standing};
use sdk::prelude::*;

use super::{Checkpoint, LONG, Phase};
use crate::names::Called;
use crate::node;
use crate::stored::{Broken, Graph, Scope};
use site::{Crawled, Run};

/// Targets that one step looks at.
const STEP: usize = 400;
/// Surer than this, or it is not told.
const SURE: f64 = 0.25;

/// Looks for replacements, some targets in each step.
pub(super) fn replace(cx: &Cx, graph: &Stored<Graph>, state: &mut Checkpoint) -> Result<()> {
    let all = cx.records::<Broken>().by("graph_rank").equals(&graph.id);
    let rows: Vec<Stored<Broken>> = all.scan().skip(state.replaced as usize).take(STEP).collect();
    if rows.is_empty() {
        state.phase = Phase::Done;
        return Ok(());
    }
    let (nodes, names) = (node::pages(cx, graph)?, node::names(cx, graph)?);
    let mut called = Called::of(&nodes, &names, &graph.language);
    let sound: Vec<usize> = (0..nodes.len()).filter(|at| nodes[*at].is_sound()).collect();
    let known = |at: &usize| Known { url: nodes[*at].url.clone(), name: called.words[*at].clone() };
    let known: Vec<Known> = sound.iter().map(known).collect();
    let earlier = earlier(cx, graph);
    let before: Vec<Option<Stored<Crawled>>> = rows
        .iter()
        .map(|row| cx.records::<Crawled>().find(&Id::new(page_id(earlier.as_ref()?.as_str(), &row.target))))
        .collect();
    let titles: Vec<Vec<Code>> = before
        .iter()
        .map(|page| page.as_ref().and_then(|it| it.0.facts.titles.first()).map_or_else(Vec::new, |it| called.codes(it)))
        .collect();
    let standing = Standing::new(&known, &called.rarity);
    for ((mut row, before), name) in rows.into_iter().zip(before).zip(titles) {
        if cx.elapsed() > LONG {
            return Ok(());
        }
        state.replaced += 1;
        if row.scope == Scope::External {
            continue;
        }
        let moved = before.and_then(|page| page.into_inner().0.facts.redirect_to);
        if let Some(to) = moved.filter(|to| known.iter().any(|page| page.url == *to)) {
            (row.it.replacement, row.it.confidence) = (Some(to), Some(1.0));
            row.it.found_by = Some("redirect_history".to_owned());
        } else {
            let lost = Known { url: row.target.clone(), name };
            let Some(likely) = standing.replacement(&lost).filter(|it| it.confidence >= SURE) else { continue };
            row.it.replacement = Some(known[likely.page as usize].url.clone());
            row.it.confidence = Some((likely.confidence * 1_000.0).round() / 1_000.0);
            row.it.found_by = Some(if lost.name.is_empty() { "address" } else { "address_and_title" }.to_owned());
        }
        cx.records::<Broken>().save(row)?;
    }
    Ok(())
}

/// The crawl of the same website before this one.
fn earlier(cx: &Cx, graph: &Graph) -> Option<Id<Run>> {
    let runs = cx.records::<Run>().by("site_id").equals(&graph.site_id).descending();
    let mut before = runs.scan().take(50).skip_while(|run| run.id.as_str() != graph.run_ref).skip(1);
    before.find(|run| matches!(run.0.state, RunState::Finished | RunState::Stopped)).map(|run| run.id)
}
