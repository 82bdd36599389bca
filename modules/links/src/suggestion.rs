//! `links.suggestion.*`: links that would help, from finding them to putting them in.

pub(crate) mod apply;
pub(crate) mod decide;
pub(crate) mod list;
pub(crate) mod page;
pub(crate) mod run;

use std::collections::HashSet;

use kit::page::Placement;
use sdk::prelude::*;

use crate::stored::{Graph, Stand, Suggestion};
use site::Linked;

/// Links of a page that are looked at.
const LINKS: u64 = 1_000;

/// The texts of the links in the running text of a page.
fn anchors(cx: &Cx, graph: &Graph, source: &str) -> Result<Vec<String>> {
    let links = cx.records::<Linked>().by("run_source").equals(&graph.run_ref).equals(source).page(LINKS, None)?;
    let inside = links.items.into_iter().map(|it| it.into_inner().0).filter(|it| it.placement == Placement::Main);
    Ok(inside.map(|link| link.anchor).filter(|it| !it.is_empty()).collect())
}

/// The pairs of addresses that somebody rejected.
fn rejected(cx: &Cx, site: &str) -> HashSet<(String, String)> {
    let rows = cx.records::<Suggestion>().by("site_id_state_worth").equals(site).equals(Stand::Rejected).scan();
    rows.map(|it| (it.source.clone(), it.target.clone())).collect()
}

#[cfg(test)]
mod tests;
