//! Which texts of a set are alike indeed, and the groups they make.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use kit::simhash;
use kit::sketch::Sketch;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use super::Samples;
use super::likely::{Sign, likely};
use super::sets::{BITS, Joined, Set, Text};
use crate::index::Entry;

/// Addresses that are named for each group, and their bytes: a hundred groups must fit into an answer.
const NAMED: usize = 50;
const BYTES: usize = 6 << 10;
/// Addresses that the call on a group names, and their bytes.
const ACTED: usize = 5;
const ACTED_BYTES: usize = 2 << 10;

/// How alike the pages of a group are.
#[value]
pub(crate) enum Kind {
    /// One text.
    Exact,
    /// Texts that share most of their shingles.
    Near,
}

/// What the similarity was found by.
#[value]
pub(crate) enum Method {
    /// The texts are equal.
    Hash,
    /// By shingles, all of them or a sample of 512.
    Shingles,
    /// At least one text by its fingerprint alone: an estimate.
    Fingerprint,
}

/// Pages with the same text, or nearly.
#[value]
pub(crate) struct Group {
    /// The page that should stand for the others.
    canonical: String,
    /// What spoke for it.
    canonical_by: Sign,
    /// The pages of the group, the likely canonical first; at most 50, and fewer when addresses are long.
    urls: Vec<String>,
    /// How many there are.
    count: u32,
    /// From 0 to 1: the least that a page of the group has in common with the one it is most like.
    similarity: f64,
    /// How alike they are.
    kind: Kind,
    /// What the similarity was found by.
    method: Method,
    /// Nothing is left to do: at most one page of the group may be indexed.
    resolved: bool,
    /// What acts on it, unless it is resolved: copies of one text are redirected, others are first held side by side.
    fix: Option<Fix>,
}

/// How alike two texts are.
#[derive(Clone, Copy)]
struct Alike {
    share: f64,
    sampled: bool,
}

/// The groups of a set, the largest first, and how many texts could only be compared by fingerprint.
pub(super) fn groups(set: &Set<'_>, samples: &Samples<'_>, least: f64, site: &str) -> (Vec<Group>, usize) {
    let texts = &set.texts;
    let sketches: Vec<Option<Sketch>> =
        if texts.len() > 1 { texts.iter().map(|text| samples.of(&text.pages[0].url)).collect() } else { vec![None] };
    let unsampled = if texts.len() > 1 { sketches.iter().filter(|it| it.is_none()).count() } else { 0 };
    let mut joined = Joined::new(texts.len());
    let mut best: Vec<Option<Alike>> = vec![None; texts.len()];
    for a in 0..texts.len() {
        for b in a + 1..texts.len() {
            let alike = match (&sketches[a], &sketches[b]) {
                (Some(x), Some(y)) => Some(Alike { share: x.similarity(y), sampled: true }),
                _ => estimate(&texts[a], &texts[b]),
            };
            let Some(alike) = alike.filter(|it| it.share >= least) else { continue };
            joined.join(a, b, usize::MAX);
            for one in [a, b] {
                if best[one].is_none_or(|it| it.share < alike.share) {
                    best[one] = Some(alike);
                }
            }
        }
    }
    let mut together: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..texts.len() {
        together.entry(joined.root(at)).or_default().push(at);
    }
    let group = |members: Vec<usize>| {
        let pages: Vec<&Entry> = members.iter().flat_map(|at| texts[*at].pages.iter().copied()).collect();
        let alike: Vec<Alike> = members.iter().filter_map(|at| best[*at]).collect();
        (pages.len() > 1).then(|| self::group(pages, &alike, site))
    };
    let mut groups: Vec<Group> = together.into_values().filter_map(group).collect();
    groups.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.canonical.cmp(&b.canonical)));
    (groups, unsampled)
}

fn group(mut pages: Vec<&Entry>, alike: &[Alike], site: &str) -> Group {
    let (at, canonical_by) = likely(&pages);
    let canonical = pages.remove(at);
    pages.sort_by(|a, b| a.url.cmp(&b.url));
    pages.insert(0, canonical);
    let method = match alike {
        [] => Method::Hash,
        _ if alike.iter().all(|it| it.sampled) => Method::Shingles,
        _ => Method::Fingerprint,
    };
    let similarity = alike.iter().map(|it| it.share).fold(1.0, f64::min);
    let kind = if alike.is_empty() { Kind::Exact } else { Kind::Near };
    let resolved = pages.iter().filter(|page| page.indexable).count() <= 1;
    Group {
        fix: act(&pages, kind, site).filter(|_| !resolved),
        canonical: canonical.url.clone(),
        canonical_by,
        urls: named(&pages, NAMED, BYTES),
        count: u32::try_from(pages.len()).unwrap_or(u32::MAX),
        similarity: (similarity * 10_000.0).round() / 10_000.0,
        kind,
        method,
        resolved,
    }
}

/// What acts on a group, the page that should stand for it first; none when the addresses are too long to name.
fn act(pages: &[&Entry], kind: Kind, site: &str) -> Option<Fix> {
    let (canonical, others) = pages.split_first()?;
    let room = (ACTED_BYTES / (canonical.url.len() + 1)).min(ACTED);
    let open: Vec<&Entry> = others.iter().copied().filter(|page| page.indexable).collect();
    let urls = named(&open, room, ACTED_BYTES);
    let redirect = |from: &String| json!({ "from": from, "to": canonical.url, "code": 301 });
    let compare = || Fix::new("onpage.page.compare", json!({ "url": canonical.url, "competitors": urls }));
    let fix = match kind {
        Kind::Exact => {
            let redirects = urls.iter().map(redirect).collect::<Vec<_>>();
            let redirect = Fix::new("cms.redirect.upsert", json!({ "site_id": site, "redirects": redirects }));
            redirect.if_served().unwrap_or_else(compare)
        }
        Kind::Near => compare(),
    };
    (!urls.is_empty()).then_some(fix)
}

/// The first addresses, as many as fit.
fn named(pages: &[&Entry], most: usize, bytes: usize) -> Vec<String> {
    let mut left = bytes;
    let fits = |page: &&&Entry| {
        let room = left >= page.url.len();
        left = left.saturating_sub(page.url.len());
        room
    };
    pages.iter().take(most).take_while(fits).map(|page| page.url.clone()).collect()
}

/// The overlap that a distance of fingerprints speaks of; none when it is too far to say anything. The share of bits that
/// differ is the angle between two texts (Charikar 2002), and the cosine of texts of like size gives their overlap.
fn estimate(a: &Text<'_>, b: &Text<'_>) -> Option<Alike> {
    let distance = simhash::distance(a.print?, b.print?);
    let cosine = (PI * f64::from(distance) / 64.0).cos();
    (distance <= BITS).then(|| Alike { share: cosine / (2.0 - cosine), sampled: false })
}
