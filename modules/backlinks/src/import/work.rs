//! The job of an import: merges the links of a file into those of the website, some parts a step.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{Next, Progress, Upload, UploadState, json};
use site::Site;

use super::table::{self, Rejected, Tool};
use crate::link::{Link, TOOLS};
use crate::stored::{Links, MOST_LINKS, OF_PART, Profile, Shelf, ToolSeen};

/// Parts of stored links that one step merges.
const PARTS: u32 = if cfg!(test) { 2 } else { 20 };
/// Own pages whose linking domains are kept for other modules.
const TARGETS: usize = 50_000;
/// Milliseconds after which is looked again whether a file is there.
const AGAIN_MS: u32 = 10_000;
/// The largest part of a file.
const MAX_BLOB: u32 = 8 << 20;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    /// Parts of the file; none while it is waited for.
    pub(super) parts: u64,
    pub(super) upload_ref: Option<Id<Upload>>,
    pub(super) source: Tool,
    pub(super) day_first: Option<bool>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// Parts of the file that came by an upload.
    parts: u64,
    /// What was read of the file; its links wait in parts of their own.
    read: Option<Told>,
    /// Stored parts that were merged, and whether all were.
    merged: u32,
    is_merged: bool,
    /// Links of the file that were merged.
    taken: u64,
    /// Parts that were written.
    written: u32,
    links: u64,
    new: u64,
    joined: u64,
}

/// What a file holds beside its links.
#[value]
pub(crate) struct Told {
    tool: usize,
    links: u64,
    parts: u32,
    own_pages: u64,
    rejected: Vec<Rejected>,
    rejected_total: u64,
    columns: Vec<(String, String)>,
    unknown_columns: Vec<String>,
}

/// The result of an import.
#[value]
pub(crate) struct Outcome {
    /// Links of the website now.
    links: u64,
    /// Links that nobody had named before.
    new_links: u64,
    /// Links that were known and now have what this file says.
    merged_links: u64,
    /// Registrable domains that link.
    domains: u64,
    /// Rows that are pages of the website itself.
    own_pages: u64,
    /// The first 100 rows that are no links to the website.
    rejected: Vec<Rejected>,
    rejected_total: u64,
    /// The tool that the file is of.
    #[own]
    tool: String,
    /// What each column was read as.
    columns: BTreeMap<String, String>,
    unknown_columns: Vec<String>,
    next: Vec<Next>,
}

/// The name of a part of a file.
pub(super) fn file(site: &Id<Site>, part: usize) -> String {
    format!("file/{site}/{part}")
}

/// Merges some parts, or ends.
#[step]
pub(crate) fn import(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let site = site::get(cx, &payload.site_id)?;
    if let Some(reference) = payload.upload_ref.as_ref().filter(|_| state.parts == 0) {
        if cx.uploads().get(reference)?.state == UploadState::Waiting {
            return Ok(Step::next(state, Progress::new(0, None, "waiting for the file")).after(AGAIN_MS));
        }
        state.parts = super::run::keep(cx, &site.id, &files::read(cx, reference)?)?;
        return Ok(Step::next(state, Progress::new(0, None, "reading the file")));
    }
    state.parts = state.parts.max(payload.parts);
    let Some(read) = &state.read else {
        state.read = Some(sort(cx, &payload, &site, state.parts)?);
        return Ok(Step::next(state, Progress::new(0, None, "merging parts")));
    };
    let links = Links::of(cx, &site.id);
    if state.is_merged {
        return finish(cx, &site, links.profile, state);
    }
    let end = (state.merged + PARTS).min(links.profile.parts);
    let mut old: Vec<Link> = Vec::new();
    for part in state.merged..end {
        old.extend(links.part(part)?);
    }
    state.is_merged = end == links.profile.parts;
    // What comes behind the last source of these parts is merged with the next ones; no page has links in two parts.
    let bound = old.last().map(|it| it.key().0.to_owned()).filter(|_| !state.is_merged);
    let taken = usize::try_from(state.taken).unwrap_or(0);
    let mut fresh: Vec<Link> = Vec::new();
    for part in u32::try_from(taken / OF_PART).unwrap_or(0)..read.parts {
        let skip = if fresh.is_empty() { taken % OF_PART } else { 0 };
        let of: Vec<Link> = waiting(cx, &site.id).read(0, part)?;
        let fits = |it: &Link| bound.as_ref().is_none_or(|bound| it.key().0 <= bound.as_str());
        let end = of.partition_point(fits);
        let is_whole = end == of.len();
        fresh.extend(of.into_iter().take(end).skip(skip));
        if !is_whole {
            break;
        }
    }
    let count = fresh.len();
    let (merged, new, joined) = merge(old, &fresh);
    state.links += merged.len() as u64;
    if state.links > MOST_LINKS {
        let message = format!("a website has at most {MOST_LINKS} links here");
        return Err(Fault::conflict("too_many_links", message));
    }
    (state.new, state.joined) = (state.new + new, state.joined + joined);
    let mut rest = merged.as_slice();
    while !rest.is_empty() {
        let (part, behind) = rest.split_at(end_of_part(rest));
        links.put(state.written, part)?;
        state.written += 1;
        rest = behind;
    }
    (state.merged, state.taken) = (end, (taken + count) as u64);
    let progress = Progress::new(u64::from(end), u64::from(links.profile.parts), "merging parts");
    Ok(Step::next(state, progress))
}

/// Where the first part of sorted links ends: a page's links stay together, however many they are.
fn end_of_part(links: &[Link]) -> usize {
    let Some(last) = links.get(OF_PART - 1) else { return links.len() };
    links.partition_point(|it| it.key().0 <= last.key().0)
}

/// Where the links of a file wait, sorted.
fn waiting<'a>(cx: &'a Cx, site: &Id<Site>) -> Shelf<'a> {
    Shelf::of(cx, format!("new/{site}"))
}

/// Reads the file, and keeps its links sorted for the steps that merge them.
fn sort(cx: &Cx, payload: &Payload, site: &Stored<Site>, parts: u64) -> Result<Told> {
    let mut bytes = Vec::new();
    for part in 0..usize::try_from(parts).unwrap_or(0) {
        let part = cx.blobs().read(&file(&site.id, part), 0, MAX_BLOB);
        bytes.extend(
            part.ok_or_else(|| Fault::conflict("upload_gone", "the file is no longer there; import it again"))?,
        );
    }
    let read = table::read(&bytes, payload.source, site, "/csv", payload.day_first)?;
    let mut told = Told {
        tool: read.tool,
        links: read.links.len() as u64,
        parts: 0,
        own_pages: read.own_pages,
        rejected: read.rejected,
        rejected_total: read.rejected_total,
        columns: read.columns,
        unknown_columns: read.unknown_columns,
    };
    for part in read.links.chunks(OF_PART) {
        waiting(cx, &site.id).write(0, told.parts, part)?;
        told.parts += 1;
    }
    Ok(told)
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

fn finish(
    cx: &Cx,
    site: &Stored<Site>,
    before: Profile,
    mut state: Checkpoint,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let Some(read) = state.read.take() else {
        return Ok(Step::next(state, Progress::new(0, None, "reading the file")));
    };
    Links::of(cx, &site.id).tidy()?;
    let tool = TOOLS[read.tool.min(TOOLS.len() - 1)];
    let mut profile = Profile {
        written: before.written + 1,
        parts: state.written,
        stale: before.parts,
        links: state.links,
        imported_ms: cx.now().millis(),
        job_ref: None,
        ..before
    };
    profile.tools.retain(|it| it.tool != tool);
    let (seen, imported_at) = (read.links, Some(cx.now()));
    profile.tools.push(ToolSeen { tool: tool.to_owned(), links: seen, imported_at });
    let id: Id<Profile> = site.id.cast();
    cx.records::<Profile>().put_many_as([(&id, &profile)])?;
    let links = Links::of(cx, &site.id);
    let mut domains: BTreeMap<String, u32> = BTreeMap::new();
    let mut targets: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    links.each(|it| {
        let count = u32::try_from(domains.len()).unwrap_or(u32::MAX);
        let number = match domains.get(it.domain()) {
            Some(number) => *number,
            None => *domains.entry(it.domain().to_owned()).or_insert(count),
        };
        if !it.target.is_empty() && !it.is_lost() {
            match targets.get_mut(it.key().1) {
                Some(of) => _ = of.insert(number),
                None => _ = targets.insert(it.key().1.to_owned(), BTreeSet::from([number])),
            }
        }
    })?;
    profile.domains = domains.len() as u64;
    publish(cx, &site.id, targets)?;
    cx.records::<Profile>().put_many_as([(&id, &profile)])?;
    for part in 0..usize::try_from(state.parts).unwrap_or(0) {
        cx.blobs().write(&file(&site.id, part), b"")?;
    }
    waiting(cx, &site.id).empty(0, read.parts)?;
    let site_id = json!({ "site_id": site.id });
    let next = vec![
        Next::new("backlinks.profile.get", site_id.clone(), "sums the profile up"),
        Next::new("backlinks.broken.list", site_id, "finds links that lead to nothing"),
    ];
    let outcome = Outcome {
        links: profile.links,
        new_links: state.new,
        merged_links: state.joined,
        domains: profile.domains,
        own_pages: read.own_pages,
        rejected: read.rejected,
        rejected_total: read.rejected_total,
        tool: tool.to_owned(),
        columns: read.columns.into_iter().collect(),
        unknown_columns: read.unknown_columns,
        next,
    };
    let rows = seen + outcome.rejected_total + outcome.own_pages;
    Ok(Step::done(outcome, Progress::new(rows, rows, "done")).units(rows))
}
