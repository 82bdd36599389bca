//! Which pages a verification looks at, and in which order.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use sdk::prelude::*;
use serde::{Deserialize, Serialize};
use site::Site;

use crate::link::{Link, NO_DAY, bare, host};
use crate::listing::rating;
use crate::looked::{Looked, PageLink};
use crate::stored::Links;

/// Days after which a look is old.
pub(super) const STALE_DAYS: i32 = 30;

/// Which links are looked at.
#[value]
pub(crate) enum Only {
    /// Those whose last look is the longest ago.
    All,
    /// Those of the watch list.
    Watched,
    /// Those that were not looked at for 30 days; watched ones first.
    Stale,
}

/// A link that is looked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sought {
    pub(super) target: String,
    /// Whether a tool lost it.
    pub(super) lost: bool,
    /// What the look before found.
    pub(super) before: Option<PageLink>,
    /// Its text and attributes as the tools have them.
    pub(super) anchor: String,
    pub(super) flags: u16,
}

/// A page that is looked at for its links.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub(super) source: String,
    pub(super) links: Vec<Sought>,
}

/// Watched links by the key of their source, with the key of their target and both as they were given.
pub(super) type Watches = BTreeMap<String, BTreeMap<String, (String, String)>>;

/// Which links are asked for.
pub(super) struct Asked<'a> {
    pub(super) only: Only,
    /// Short names; all links when empty.
    pub(super) references: BTreeSet<&'a str>,
    pub(super) watched: Watches,
    pub(super) most: usize,
    pub(super) today: i32,
}

impl Asked<'_> {
    /// Whether a link is one of those, by its last look.
    fn fits(&self, reference: &str, is_watched: bool, day: i32) -> bool {
        if !self.references.is_empty() {
            return self.references.contains(reference);
        }
        match self.only {
            Only::All => true,
            Only::Watched => is_watched,
            Only::Stale => day < self.today - STALE_DAYS || is_watched && day < self.today,
        }
    }
}

/// The links that come first, at most so many.
struct First {
    heap: BinaryHeap<Ranked>,
    most: usize,
}

impl First {
    fn add(&mut self, rank: (bool, i32, u8), key: (&str, &str)) {
        let is_below =
            |worst: &Ranked| (rank, key.0, key.1) < (worst.rank, worst.source.as_str(), worst.target.as_str());
        if self.heap.len() == self.most {
            if !self.heap.peek().is_some_and(is_below) {
                return;
            }
            self.heap.pop();
        }
        self.heap.push(Ranked { rank, source: key.0.to_owned(), target: key.1.to_owned() });
    }
}

/// A link with its rank: what comes first is least.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    rank: (bool, i32, u8),
    source: String,
    target: String,
}

/// The pages of the links that come first, each once, the first page of every host before the second of any; and the names that
/// are no links.
///
/// # Errors
/// 503 `storage_damaged`.
pub(super) fn select(cx: &Cx, links: &Links<'_>, asked: &Asked<'_>) -> Result<(Vec<Wanted>, Vec<String>)> {
    let mut first = First { heap: BinaryHeap::new(), most: asked.most };
    let mut unknown = asked.references.clone();
    let mut alone = asked.watched.clone();
    links.each_looked(|link, look| {
        let source = bare(&link.source);
        let target = bare(look.map_or(link.target.as_str(), |it| it.stored_target()));
        let is_watched = asked.watched.get(source).is_some_and(|it| it.contains_key(target));
        if let Some(of) = alone.get_mut(source).filter(|_| is_watched) {
            of.remove(target);
        }
        let day = look.map_or(NO_DAY, |it| it.page.day);
        let reference = match look {
            _ if asked.references.is_empty() => String::new(),
            Some(it) => it.reference.clone(),
            None => link.reference(),
        };
        unknown.remove(reference.as_str());
        if asked.fits(&reference, is_watched, day) {
            first.add((!is_watched, day, 100 - rating(&link).unwrap_or(0).min(100)), (source, target));
        }
    })?;
    // Watched links that no tool has named.
    let mut looks: BTreeMap<String, (i32, Vec<PageLink>)> = BTreeMap::new();
    alone.retain(|_, it| !it.is_empty());
    if asked.references.is_empty() && !alone.is_empty() {
        Looked::of(cx, links.site()).each(|page| {
            if alone.contains_key(bare(&page.source)) {
                looks.insert(bare(&page.source).to_owned(), (page.day, page.links));
            }
        })?;
        for (source, targets) in &alone {
            let day = looks.get(source).map_or(NO_DAY, |it| it.0);
            for target in targets.keys().filter(|_| asked.fits("", true, day)) {
                first.add((false, day, 0), (source, target));
            }
        }
    }
    let mut chosen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for it in first.heap {
        chosen.entry(it.source).or_default().insert(it.target);
    }
    let mut wanted: Vec<Wanted> = Vec::new();
    links.each_looked(|link, look| {
        let target = look.map_or(link.target.as_str(), |it| it.stored_target());
        if chosen.get(bare(&link.source)).is_some_and(|it| it.contains(bare(target))) {
            let sought = sought(&link, target, look.map(|it| it.link));
            match wanted.last_mut().filter(|it| bare(&it.source) == bare(&link.source)) {
                Some(page) => page.links.push(sought),
                None => wanted.push(Wanted { source: link.source.clone(), links: vec![sought] }),
            }
        }
    })?;
    for (key, targets) in alone {
        let of: Vec<Sought> = targets
            .into_iter()
            .filter(|it| chosen.get(&key).is_some_and(|of| of.contains(&it.0)))
            .map(|(bare_target, (_, target))| {
                let before = looks.get(&key).and_then(|it| it.1.iter().find(|it| bare(&it.target) == bare_target));
                Sought { target, before: before.cloned(), ..Sought::default() }
            })
            .collect();
        let Some(source) = asked.watched.get(&key).and_then(|it| it.values().next()).map(|it| it.0.clone()) else {
            continue;
        };
        match wanted.iter_mut().find(|it| bare(&it.source) == key) {
            Some(page) => page.links.extend(of),
            None if of.is_empty() => {}
            None => wanted.push(Wanted { source, links: of }),
        }
    }
    spread(&mut wanted);
    Ok((wanted, unknown.into_iter().map(str::to_owned).collect()))
}

fn sought(link: &Link, target: &str, before: Option<&PageLink>) -> Sought {
    Sought {
        target: target.to_owned(),
        lost: link.is_lost(),
        before: before.cloned(),
        anchor: link.anchor.clone(),
        flags: link.flags,
    }
}

/// Puts the first page of each host before the second of any.
fn spread(wanted: &mut Vec<Wanted>) {
    let mut turns: BTreeMap<String, usize> = BTreeMap::new();
    let mut keyed: Vec<(usize, Wanted)> = std::mem::take(wanted)
        .into_iter()
        .map(|it| {
            let turn = turns.entry(host(&it.source).to_owned()).or_default();
            *turn += 1;
            (*turn, it)
        })
        .collect();
    keyed.sort_by_key(|it| it.0);
    wanted.extend(keyed.into_iter().map(|it| it.1));
}

/// A website's watched links whose time has not ended.
pub(super) fn watched(cx: &Cx, site: &Id<Site>) -> Watches {
    let day = cx.now().day();
    let mut all = Watches::new();
    for it in crate::watch::stored::of(cx, site).into_iter().filter(|it| it.is_going(day)) {
        let it = it.into_inner();
        let key = (bare(&it.source).to_owned(), bare(&it.target).to_owned());
        all.entry(key.0).or_default().insert(key.1, (it.source, it.target));
    }
    all
}
