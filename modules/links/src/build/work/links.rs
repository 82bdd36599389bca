//! The phase that reads the links of the crawl, target by target.

use std::collections::{BTreeMap, HashMap};

use kit::crawled::{LinkRecord, page_id};
use kit::outcome::Outcome;
use sdk::Degraded;
use sdk::prelude::*;

use super::{Checkpoint, LONG, Phase};
use crate::node::{self, Anchor, Incoming, Node, State, Where};
use crate::stored::{Broken, Graph, Scope, Source};
use site::{External, Linked};

/// Links read in one step, at most; the host allows 100,000 rows.
const STEP: u64 = 80_000;
/// Links read at once.
const BATCH: u64 = 1_000;
/// Addresses of other websites that one step asks for.
const EXTERNALS: usize = 3_000;
/// Broken targets that are kept.
const BROKEN: u32 = 5_000;
/// Pages that are named with a broken target.
const SOURCES: usize = 50;
/// Texts that are kept for one target, the commonest.
const TEXTS: usize = 12;

/// The links to one target that this step saw.
#[derive(Default)]
struct Group {
    target: String,
    internal: bool,
    places: BTreeMap<u32, Where>,
    texts: HashMap<String, Said>,
    links: u32,
    sources: Vec<Source>,
}

/// A text of links to one target.
struct Said {
    links: u32,
    in_text: u32,
    /// The first page with it.
    source: u32,
    /// Pages with it in their running text, and the last of them: the links of a page stand together.
    pages: u32,
    last: Option<u32>,
}

/// What a step collects.
struct Collected<'a> {
    cx: &'a Cx,
    graph: &'a str,
    run: &'a str,
    nodes: &'a [Node],
    numbers: HashMap<&'a str, u32>,
    incoming: Vec<Incoming>,
    anchors: Vec<Anchor>,
    speakers: Vec<u32>,
    asked: usize,
    broken: u32,
    /// Targets that are not shown to crawlers.
    blocked: u32,
}

/// Reads links.
pub(super) fn read(cx: &Cx, graph: &mut Stored<Graph>, state: &mut Checkpoint) -> Result<()> {
    let nodes = node::pages(cx, graph)?;
    let mut collected = Collected {
        cx,
        graph: graph.id.as_str(),
        run: &graph.it.run_ref,
        nodes: &nodes,
        numbers: node::by_url(&nodes),
        incoming: Vec::new(),
        anchors: Vec::new(),
        speakers: Vec::new(),
        asked: 0,
        broken: graph.broken,
        blocked: graph.blocked,
    };
    let (mut group, mut read) = (Group::default(), 0);
    while read < STEP && collected.asked < EXTERNALS && cx.elapsed() < LONG {
        let links = cx.records::<Linked>().by("run_target").equals(collected.run);
        let batch = links.page(BATCH, state.cursor.take())?;
        for link in batch.items {
            read += 1;
            let link = link.into_inner().0;
            if link.target != group.target {
                collected.close(std::mem::take(&mut group))?;
                group.target.clone_from(&link.target);
                group.internal = link.internal;
            }
            collected.add(&mut group, link);
        }
        state.cursor = batch.next;
        if state.cursor.is_none() {
            state.phase = Phase::Rank;
            break;
        }
    }
    // What more links lead to the same target comes into another part; those that read put the parts together.
    collected.close(group)?;
    let Collected { incoming, anchors, speakers, broken, blocked, .. } = collected;
    state.links += read;
    (graph.it.broken, graph.it.blocked) = (broken, blocked);
    if broken == BROKEN && graph.degraded.is_empty() {
        graph.it.degraded.push(Degraded::new("broken", format!("only the first {BROKEN} broken targets are kept")));
    }
    graph.it.bytes += node::write(cx, &node::blob(graph.id.as_str(), "links", graph.link_parts), &incoming)?;
    node::write(cx, &node::blob(graph.id.as_str(), "anchors", graph.anchor_parts), &anchors)?;
    node::write(cx, &node::blob(graph.id.as_str(), "speakers", graph.anchor_parts), &speakers)?;
    graph.it.link_parts += 1;
    graph.it.anchor_parts += 1;
    Ok(())
}

impl Collected<'_> {
    fn add(&self, group: &mut Group, link: LinkRecord) {
        let Some(from) = self.numbers.get(link.source.as_str()).copied() else { return };
        let followed = !link.rel.split(' ').any(|it| matches!(it, "nofollow" | "ugc" | "sponsored"));
        group.links += 1;
        group.places.entry(from).or_default().add(link.placement, followed);
        let in_text = u32::from(link.placement == kit::page::Placement::Main);
        let none = Said { links: 0, in_text: 0, source: from, pages: 0, last: None };
        let text = group.texts.entry(link.anchor.clone()).or_insert(none);
        (text.links, text.in_text) = (text.links + 1, text.in_text + in_text);
        if in_text > 0 && text.last != Some(from) {
            (text.pages, text.last) = (text.pages + 1, Some(from));
        }
        if group.sources.len() < SOURCES && group.sources.last().is_none_or(|last| last.url != link.source) {
            let placement = link.placement.word().to_owned();
            group.sources.push(Source { url: link.source, anchor: link.anchor, placement });
        }
    }

    fn close(&mut self, group: Group) -> Result<()> {
        if group.links == 0 {
            return Ok(());
        }
        let Some(to) = self.numbers.get(group.target.as_str()).copied() else {
            return if group.internal { Ok(()) } else { self.external(group) };
        };
        let mut last = 0;
        let from = group.places.iter().map(|(from, place)| {
            let step = from - last;
            last = *from;
            (step, *place)
        });
        self.incoming.push(Incoming { to, from: from.collect() });
        let mut texts: Vec<_> = group.texts.iter().collect();
        texts.sort_by(|a, b| b.1.links.cmp(&a.1.links).then(a.0.cmp(b.0)));
        for (text, said) in texts.into_iter().take(TEXTS) {
            let Said { links, in_text, source, pages, .. } = *said;
            self.anchors.push(Anchor { target: to, text: text.clone(), links, in_text, source });
            self.speakers.push(pages);
        }
        let node = &self.nodes[to as usize];
        if node.state == State::Failing {
            return self.judge(group, Scope::Internal, node.status, None);
        }
        Ok(())
    }

    fn external(&mut self, group: Group) -> Result<()> {
        self.asked += 1;
        let found = self.cx.records::<External>().find(&Id::new(page_id(self.run, &group.target)));
        let Some(external) = found.filter(|it| it.0.state == "checked") else { return Ok(()) };
        let (status, failure) = (external.0.status, external.0.failure.clone());
        self.judge(group, Scope::External, status, failure)
    }

    /// Keeps what is broken, and counts what is not told to a crawler.
    fn judge(&mut self, group: Group, scope: Scope, status: u16, failure: Option<String>) -> Result<()> {
        match Outcome::of(status, failure.as_deref()) {
            Outcome::Blocked => self.blocked += 1,
            outcome if outcome.is_broken() => return self.keep(group, scope, status, failure),
            _ => {}
        }
        Ok(())
    }

    fn keep(&mut self, group: Group, scope: Scope, status: u16, failure: Option<String>) -> Result<()> {
        let id: Id<Broken> = Id::new(page_id(self.graph, &group.target));
        let records = self.cx.records::<Broken>();
        if let Some(mut known) = records.find(&id) {
            known.it.links += group.links;
            known.it.rank = u32::MAX - known.it.links;
            known.it.sources.extend(group.sources);
            known.it.sources.truncate(SOURCES);
            records.save(known)?;
            return Ok(());
        }
        if self.broken == BROKEN {
            return Ok(());
        }
        self.broken += 1;
        let broken = Broken {
            graph: self.graph.to_owned(),
            scope,
            rank: u32::MAX - group.links,
            target: group.target,
            status,
            failure,
            links: group.links,
            sources: group.sources,
            replacement: None,
            confidence: None,
            found_by: None,
        };
        records.insert_as(id, broken)?;
        Ok(())
    }
}
