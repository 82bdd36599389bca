//! The phase that reads links: counts those that lead to each page, keeps those that lead to something wrong.

use std::collections::HashMap;
use std::mem;

use kit::crawled::LinkRecord;
use kit::page::Link;
use sdk::prelude::*;

use super::{Checkpoint, Phase, Turn};
use crate::engine::{self, Hit};
use crate::index::Entry;
use crate::rule::Target;
use crate::rules;
use crate::stored::BadLink;
use site::Linked;

/// Links read at once.
const BATCH: u64 = 1_000;
/// Links read in one step; the host allows 100,000 rows.
const STEP: u64 = 60_000;
/// The most bad links kept for one audit.
const MOST: u32 = 50_000;

/// A page whose links have not all been read.
#[value]
#[derive(Default)]
pub(super) struct Open {
    source: String,
    links: Vec<Link>,
}

/// Reads links, page by page.
pub(super) fn count(turn: &mut Turn<'_>, state: &mut Checkpoint) -> Result<()> {
    let entries = turn.entries();
    let positions: HashMap<&str, usize> = entries.iter().enumerate().map(|(at, it)| (it.url.as_str(), at)).collect();
    let mut index = Index { entries: &entries, positions };
    for counts in [&mut state.inlinks, &mut state.followed, &mut state.found, &mut state.named] {
        counts.resize(entries.len(), 0);
    }
    let mut open = state.open.take().unwrap_or_default();
    let mut read = 0;
    // One page has at most 5,000 links, each of which may be a row.
    while read < STEP && turn.has_room(BATCH as usize + 5_000) {
        let links = turn.cx.records::<Linked>().by("run_source").equals(turn.run);
        let batch = links.page(BATCH, state.cursor.take())?;
        for link in batch.items {
            read += 1;
            let link = link.into_inner().0;
            if link.source != open.source {
                index.close(turn, state, mem::take(&mut open))?;
                open.source.clone_from(&link.source);
            }
            open.links.push(plain(link));
        }
        match batch.next {
            Some(next) => state.cursor = Some(next),
            None => {
                index.close(turn, state, mem::take(&mut open))?;
                state.phase = Phase::Site;
                break;
            }
        }
    }
    state.links += read;
    state.open = Some(open).filter(|open| !open.links.is_empty());
    Ok(())
}

struct Index<'a> {
    entries: &'a [Entry],
    positions: HashMap<&'a str, usize>,
}

impl Index<'_> {
    /// Counts and judges the links of one page.
    fn close(&mut self, turn: &mut Turn<'_>, state: &mut Checkpoint, open: Open) -> Result<()> {
        // Pages past the limit of the audit are not in the index, nor are their links.
        let Some(place) = self.positions.get(open.source.as_str()).copied() else { return Ok(()) };
        let source = &self.entries[place];
        let mut seen = HashMap::new();
        let mut bad = Vec::new();
        let mut targets = Vec::new();
        for link in open.links.iter().filter(|link| link.url != open.source) {
            let Some(at) = self.positions.get(link.url.as_str()).copied() else { continue };
            let target = &self.entries[at];
            targets.push(Target { link, entry: target });
            let first = !seen.contains_key(&at);
            // Of several links to one page the best of each sort counts, once.
            let (followed, named) = seen.entry(at).or_insert((false, false));
            if !*followed && !link.nofollow() {
                *followed = true;
                state.followed[at] += 1;
            }
            if !*named && rules::says_something(&link.anchor) {
                *named = true;
                state.named[at] += 1;
            }
            if !first {
                continue;
            }
            state.inlinks[at] += 1;
            state.found[at] += u32::from(source.indexable);
            if (target.fails() || target.redirects()) && state.bad_links < MOST {
                state.bad_links += 1;
                bad.push(BadLink {
                    audit: turn.audit.as_str().to_owned(),
                    target: link.url.clone(),
                    source: open.source.clone(),
                    anchor: link.anchor.clone(),
                });
            }
        }
        turn.rows += bad.len();
        turn.cx.records::<BadLink>().put_many(&bad)?;
        let mut hits = engine::judge_links(&turn.choice, source, &open.links);
        hits.extend(engine::judge_targets(&turn.choice, source, &targets));
        let at = u32::try_from(place).ok();
        let hits: Vec<Hit> = hits.into_iter().map(|hit| Hit { at, ..hit }).collect();
        turn.keep(state, &hits)
    }
}

fn plain(link: LinkRecord) -> Link {
    Link {
        href: link.target.clone(),
        url: link.target,
        anchor: link.anchor,
        rel: link.rel,
        placement: link.placement,
        internal: link.internal,
        image: link.image,
        fragment: link.fragment,
        blank: false,
    }
}
