//! The operation `audit.duplicate.report`.
//!
//! `sets` finds texts that may be alike, `groups` confirms it, `likely` names the page that should represent a group.

mod groups;
mod likely;
mod sets;

use kit::crawled::page_id;
use kit::sketch::Sketch;
use schemars::JsonSchema;
use sdk::Degraded;
use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use self::groups::{Group, groups};
use self::sets::{Set, Sets};
use super::{Ground, Judged};
use site::Run;

/// Pages whose stored samples one report reads; a page as the crawl keeps it can be large.
const READ: usize = 80;

#[args(paged)]
pub(crate) struct Report {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// The least share of 5-word shingles that two texts must have in common, of all that either has.
    #[default(0.9)]
    min_similarity: Decimal<700, 1_000>,
}

/// Pages with the same text, or nearly.
#[page]
pub(crate) struct Duplicates {
    /// Groups; those with the most pages that may be indexed first.
    groups: Vec<Group>,
    /// What the report stands on.
    #[serde(flatten)]
    judged: Judged,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Groups exact (SHA-256 of main text) and near duplicates (64-bit SimHash, Hamming distance ≤ 6, confirmed by shingle Jaccard)
/// and names the likely canonical of each group.
///
/// Pages with the same text are one; texts are held against each other when their fingerprints differ in six bits or fewer or
/// their samples of shingles agree in a part, and belong together when the samples share enough. Samples hold 512 shingles:
/// the similarity of longer texts is an estimate, about 0.01 off. A page of a group is that like at least one other of it.
/// The likely canonical is, in this order: the page that others of the group declare as theirs; one that may be indexed;
/// one in a sitemap; one nearer to the home page; one without parameters; the shorter address.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "groups", most = limit),
    phrasings = [
        "find duplicate content on my site",
        "which pages have nearly the same text",
        "near duplicate pages and which one should be canonical",
        "are there copies of this content",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "min_similarity": 0.8, "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Duplicates>> {
    let mut place = Place::of(args.cursor.as_ref())?;
    let mut ground = Ground::of(cx, &args.run_ref)?;
    let entries = ground.entries();
    let Sets { sets, mut degraded } = sets::sets(&entries);
    let samples = Samples { cx, run: &args.run_ref };
    let (limit, mut left) = (usize::from(args.limit), READ);
    let mut found: Vec<Group> = Vec::new();
    let mut estimated = 0;
    while let Some(set) = sets.get(place.set) {
        let reads = set.reads();
        if found.len() == limit || reads > left {
            break;
        }
        left -= reads;
        let (all, by_fingerprint) = groups(set, &samples, args.min_similarity.get(), ground.site());
        let rest = all.len().saturating_sub(place.group);
        let taken = rest.min(limit - found.len());
        found.extend(all.into_iter().skip(place.group).take(taken));
        estimated += by_fingerprint;
        place = if taken < rest { Place { group: place.group + taken, ..place } } else { Place::at(place.set + 1) };
    }
    if estimated > 0 {
        degraded.push(Degraded::new("similarity", format!(
            "{estimated} texts have no stored sample of their shingles: they are compared by fingerprint alone; a new crawl \
             takes samples"
        )));
    }
    let next_cursor = (place.set < sets.len()).then(|| place.cursor());
    let Ground { judged, degraded: before, .. } = ground;
    let units = found.len() as u64;
    let degraded = before.into_iter().chain(degraded).collect();
    Ok(Answer::new(Duplicates { groups: found, judged, degraded, next_cursor }).units(units))
}

/// Where a page of groups begins: the set, and groups of it that were given.
#[derive(Clone, Copy)]
struct Place {
    set: usize,
    group: usize,
}

impl Place {
    fn at(set: usize) -> Self {
        Self { set, group: 0 }
    }

    fn of(cursor: Option<&Cursor>) -> Result<Self> {
        let Some(cursor) = cursor else { return Ok(Self::at(0)) };
        let numbers =
            cursor.as_str().split_once(' ').and_then(|(set, group)| Some((set.parse().ok()?, group.parse().ok()?)));
        numbers.map(|(set, group)| Self { set, group }).ok_or_else(sdk::invalid_cursor)
    }

    fn cursor(self) -> Cursor {
        Cursor::new(format!("{} {}", self.set, self.group))
    }
}

/// What is read of a crawled page: the sample alone.
#[foreign(collection = "crawl.pages", thing = "page", reference = "page_ref")]
struct Sampled {
    #[serde(default)]
    facts: Sample,
}

/// The member of a page's facts that holds it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Sample {
    #[serde(default)]
    sketch: String,
}

/// The stored samples of a crawl.
struct Samples<'a> {
    cx: &'a Cx,
    run: &'a Id<Run>,
}

impl Samples<'_> {
    /// That of a page; none when the crawl took none, or is gone.
    fn of(&self, url: &str) -> Option<Sketch> {
        let page = self.cx.records::<Sampled>().find(&Id::new(page_id(self.run.as_str(), url)))?;
        Sketch::from_text(&page.facts.sketch)
    }
}

impl Set<'_> {
    /// Samples that are needed to confirm it; what is the same needs none.
    fn reads(&self) -> usize {
        if self.texts.len() > 1 { self.texts.len() } else { 0 }
    }
}

#[cfg(test)]
mod tests;
