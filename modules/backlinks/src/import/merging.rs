//! Merges sorted links into those that are stored, some parts a step.

use std::collections::{BTreeMap, BTreeSet};

use sdk::Progress;
use sdk::prelude::*;
use site::Site;

use crate::link::{Link, TOOLS};
use crate::stored::{Links, MOST_LINKS, OF_PART, Profile, Shelf, ToolSeen};
use crate::subject::Subject;

/// Parts of stored links that one step merges.
const PARTS: u32 = if cfg!(test) { 2 } else { 20 };
/// Own pages whose linking domains are kept for other modules.
const TARGETS: usize = 50_000;

/// How far a merging is.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Merging {
    /// Parts of new links that wait.
    waiting: u32,
    /// New links in them.
    pub(crate) fresh: u64,
    /// Stored parts that were merged, and whether all were.
    merged: u32,
    is_merged: bool,
    /// New links that were merged.
    taken: u64,
    /// Parts that were written.
    written: u32,
    links: u64,
    /// Links that nobody had named before, and links that were known.
    pub(crate) new: u64,
    pub(crate) joined: u64,
}

/// Where new links wait, sorted.
fn waiting<'a>(cx: &'a Cx, id: &Id<Site>) -> Shelf<'a> {
    Shelf::of(cx, format!("new/{id}"))
}

/// Joins links with the same key; they are in their order.
pub(super) fn joined(links: Vec<Link>) -> Vec<Link> {
    let mut out: Vec<Link> = Vec::with_capacity(links.len());
    for link in links {
        match out.last_mut().filter(|it| it.key() == link.key()) {
            Some(before) => before.join(link),
            None => out.push(link),
        }
    }
    out
}

impl Merging {
    /// Keeps sorted links, each key once, for the steps that merge them.
    ///
    /// # Errors
    /// The host's refusal of a blob.
    pub(super) fn of_sorted(cx: &Cx, id: &Id<Site>, links: &[Link]) -> Result<Self> {
        let mut state = Self { fresh: links.len() as u64, ..Self::default() };
        for part in links.chunks(OF_PART) {
            waiting(cx, id).write(0, state.waiting, part)?;
            state.waiting += 1;
        }
        Ok(state)
    }

    /// As [`Merging::of_sorted`], of links in any order.
    ///
    /// # Errors
    /// The host's refusal of a blob.
    pub(crate) fn of(cx: &Cx, id: &Id<Site>, mut links: Vec<Link>) -> Result<Self> {
        links.sort_by(|a, b| a.key().cmp(&b.key()));
        Self::of_sorted(cx, id, &joined(links))
    }

    /// Whether nothing is left to be merged.
    pub(crate) fn is_done(&self) -> bool {
        self.is_merged
    }

    /// How far it is.
    pub(crate) fn progress(&self, parts: u32) -> Progress {
        Progress::new(u64::from(self.merged), u64::from(parts), "merging parts")
    }

    /// Merges some parts.
    ///
    /// # Errors
    /// 409 `too_many_links`; 503 `storage_damaged`.
    pub(crate) fn step(&mut self, cx: &Cx, id: &Id<Site>) -> Result<Progress> {
        let links = Links::of(cx, id);
        let end = (self.merged + PARTS).min(links.profile.parts);
        let mut old: Vec<Link> = Vec::new();
        for part in self.merged..end {
            old.extend(links.part(part)?);
        }
        self.is_merged = end == links.profile.parts;
        // What comes behind the last source of these parts is merged with the next ones; no page has links in two parts.
        let bound = old.last().map(|it| it.key().0.to_owned()).filter(|_| !self.is_merged);
        let fresh = self.take(cx, id, bound.as_deref())?;
        self.taken += fresh.len() as u64;
        let (merged, new, joined) = merge(old, &fresh);
        self.links += merged.len() as u64;
        if self.links > MOST_LINKS {
            let message = format!("a website has at most {MOST_LINKS} links here");
            return Err(Fault::conflict("too_many_links", message));
        }
        (self.new, self.joined) = (self.new + new, self.joined + joined);
        let mut rest = merged.as_slice();
        while !rest.is_empty() {
            let (part, behind) = rest.split_at(end_of_part(rest));
            links.put(self.written, part)?;
            self.written += 1;
            rest = behind;
        }
        self.merged = end;
        Ok(self.progress(links.profile.parts))
    }

    /// The next new links, up to a source.
    fn take(&self, cx: &Cx, id: &Id<Site>, bound: Option<&str>) -> Result<Vec<Link>> {
        let taken = usize::try_from(self.taken).unwrap_or(0);
        let mut fresh: Vec<Link> = Vec::new();
        let first = u32::try_from(taken / OF_PART).unwrap_or(0);
        for part in first..self.waiting {
            let skip = if part == first { taken % OF_PART } else { 0 };
            let of: Vec<Link> = waiting(cx, id).read(0, part)?;
            let end = of.partition_point(|it| bound.is_none_or(|bound| it.key().0 <= bound));
            let is_whole = end == of.len();
            fresh.extend(of.into_iter().take(end).skip(skip));
            if !is_whole {
                break;
            }
        }
        Ok(fresh)
    }

    /// Makes what was written the stored links; the profile after it.
    ///
    /// # Errors
    /// 503 `storage_damaged`, and the host's refusal of a blob.
    pub(crate) fn finish(&self, cx: &Cx, subject: &Subject, tool: usize) -> Result<Profile> {
        let before = Links::of(cx, &subject.id);
        before.tidy()?;
        let before = before.profile;
        let tool = TOOLS[tool.min(TOOLS.len() - 1)];
        let mut profile = Profile {
            written: before.written + 1,
            parts: self.written,
            stale: before.parts,
            links: self.links,
            imported_ms: cx.now().millis(),
            job_ref: None,
            rival: subject.is_rival.then(|| subject.site.domain.clone()),
            ..before
        };
        profile.tools.retain(|it| it.tool != tool);
        profile.tools.push(ToolSeen { tool: tool.to_owned(), links: self.fresh, imported_at: Some(cx.now()) });
        let id: Id<Profile> = subject.id.cast();
        cx.records::<Profile>().put_many_as([(&id, &profile)])?;
        let mut domains: BTreeMap<String, u32> = BTreeMap::new();
        let mut targets: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        Links::of(cx, &subject.id).each(|it| {
            let count = u32::try_from(domains.len()).unwrap_or(u32::MAX);
            let number = match domains.get(it.domain()) {
                Some(number) => *number,
                None => *domains.entry(it.domain().to_owned()).or_insert(count),
            };
            if !it.target.is_empty() && !it.is_lost() && !subject.is_rival {
                match targets.get_mut(it.key().1) {
                    Some(of) => _ = of.insert(number),
                    None => _ = targets.insert(it.key().1.to_owned(), BTreeSet::from([number])),
                }
            }
        })?;
        profile.domains = domains.len() as u64;
        if !subject.is_rival {
            publish(cx, &subject.id, targets)?;
        }
        cx.records::<Profile>().put_many_as([(&id, &profile)])?;
        waiting(cx, &subject.id).empty(0, self.waiting)?;
        Ok(profile)
    }
}

/// Where the first part of sorted links ends: a page's links stay together, however many they are.
fn end_of_part(links: &[Link]) -> usize {
    let Some(last) = links.get(OF_PART - 1) else { return links.len() };
    links.partition_point(|it| it.key().0 <= last.key().0)
}

/// Joins sorted links; how many are new, and how many were known.
fn merge(old: Vec<Link>, new: &[Link]) -> (Vec<Link>, u64, u64) {
    let mut out: Vec<Link> = Vec::with_capacity(old.len() + new.len());
    let (mut old, mut new) = (old.into_iter().peekable(), new.iter().cloned().peekable());
    let (mut fresh, mut known) = (0, 0);
    // Page by page: a link without a target is joined with all those of its page.
    loop {
        let page = match (old.peek(), new.peek()) {
            (Some(a), Some(b)) => a.key().0.min(b.key().0).to_owned(),
            (Some(it), None) | (None, Some(it)) => it.key().0.to_owned(),
            (None, None) => break,
        };
        let mut links: Vec<Link> = Vec::new();
        while let Some(it) = old.next_if(|it| it.key().0 == page) {
            links.push(it);
        }
        let (before, mut nowhere) = (links.len(), Vec::new());
        while let Some(it) = new.next_if(|it| it.key().0 == page) {
            if it.target.is_empty() {
                nowhere.push(it);
                continue;
            }
            let same = links[..before].binary_search_by(|other| other.key().cmp(&it.key()));
            let same = same.ok().or_else(|| links.len().checked_sub(1).filter(|at| links[*at].key() == it.key()));
            match same {
                Some(at) => {
                    links[at].join(it);
                    known += 1;
                }
                None => {
                    links.push(it);
                    fresh += 1;
                }
            }
        }
        nowhere.extend(links.iter().filter(|it| it.target.is_empty()).cloned().collect::<Vec<_>>());
        let named = links.iter().filter(|it| !it.target.is_empty()).count();
        let stood = links.len() - named;
        links.retain(|it| !it.target.is_empty());
        for it in nowhere {
            if links.iter().all(|other| other.target.is_empty()) {
                match links.first_mut() {
                    Some(same) => same.join(it),
                    None => links.push(it),
                }
            } else {
                for link in &mut links {
                    let target = link.target.clone();
                    // What a tool without targets says of a page is true of each of its links: when it was seen.
                    let seen = Link { target, flags: link.flags, external: None, status: None, ..it.clone() };
                    link.join(seen);
                }
            }
        }
        if named == 0 {
            fresh += u64::from(stood == 0);
            known += u64::from(stood > 0);
        }
        links.sort_by(|a, b| a.key().cmp(&b.key()));
        out.extend(links);
    }
    (out, fresh, known)
}

/// Keeps how many domains link to each page, for other modules: the most linked pages where there are very many.
fn publish(cx: &Cx, site: &Id<Site>, targets: BTreeMap<String, BTreeSet<u32>>) -> Result<()> {
    let mut counts: Vec<(String, usize)> = targets.into_iter().map(|(url, of)| (url, of.len())).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts.truncate(TARGETS);
    let counts: BTreeMap<String, usize> = counts.into_iter().collect();
    cx.blobs().write(&format!("targets/{site}"), &sdk::serde_json::to_vec(&counts).unwrap_or_default())
}
