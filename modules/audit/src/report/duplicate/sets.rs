//! Which texts of a site may be alike, by what the compact index knows of them.

use sdk::Degraded;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use kit::simhash::{self, Tables};

use crate::index::Entry;

/// Bits that two fingerprints of like texts differ in at most.
pub(super) const BITS: u32 = 6;
/// Texts of one set at most: all of them are held against each other.
const TEXTS: usize = 40;
/// Fingerprints compared in one report.
const COMPARED: usize = 2_000_000;

/// Pages with the same text.
pub(super) struct Text<'a> {
    /// At least one, in the order of the crawl.
    pub(super) pages: Vec<&'a Entry>,
    pub(super) print: Option<u64>,
}

/// Texts that may be alike.
pub(super) struct Set<'a> {
    pub(super) texts: Vec<Text<'a>>,
}

impl Set<'_> {
    fn pages(&self) -> impl Iterator<Item = &&Entry> {
        self.texts.iter().flat_map(|text| &text.pages)
    }
}

/// All sets with two pages or more.
pub(super) struct Sets<'a> {
    /// Those with the most pages that may be indexed first.
    pub(super) sets: Vec<Set<'a>>,
    /// What could not be considered.
    pub(super) degraded: Vec<Degraded>,
}

/// Two texts that may be alike; the smaller number is the better sign.
type Sign = (u32, usize, usize);

/// The sets of a site.
pub(super) fn sets(entries: &[Entry]) -> Sets<'_> {
    let mut same: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.page && !entry.text_hash.is_empty()) {
        same.entry(&entry.text_hash).or_default().push(entry);
    }
    let texts: Vec<Text<'_>> =
        same.into_values().map(|pages| Text { print: simhash::from_hex(&pages[0].simhash), pages }).collect();
    let mut degraded = Vec::new();
    let unknown = texts.iter().filter(|text| text.print.is_none()).count();
    if unknown > 0 {
        degraded.push(Degraded::new("similarity", format!(
            "{unknown} texts have no fingerprint: this audit is older than they are; only equal texts of them are found"
        )));
    }
    let mut signs = by_fingerprint(&texts, &mut degraded);
    signs.extend(by_band(&texts));
    signs.sort_unstable();
    let mut joined = Joined::new(texts.len());
    let refused = signs.iter().filter(|(_, a, b)| !joined.join(*a, *b, TEXTS)).count();
    if refused > 0 {
        degraded.push(Degraded::new(
            "groups",
            format!("more than {TEXTS} texts are alike: they are compared in parts, the nearest together"),
        ));
    }
    let mut sets: BTreeMap<usize, Set<'_>> = BTreeMap::new();
    for (at, text) in texts.into_iter().enumerate() {
        sets.entry(joined.root(at)).or_insert_with(|| Set { texts: Vec::new() }).texts.push(text);
    }
    let mut sets: Vec<Set<'_>> = sets.into_values().filter(|set| set.pages().nth(1).is_some()).collect();
    sets.sort_by_cached_key(|set| {
        let indexable = set.pages().filter(|page| page.indexable).count();
        (Reverse(indexable), Reverse(set.pages().count()), set.texts[0].pages[0].url.clone())
    });
    Sets { sets, degraded }
}

fn by_fingerprint(texts: &[Text<'_>], degraded: &mut Vec<Degraded>) -> Vec<Sign> {
    let known: Vec<(usize, u64)> = texts.iter().enumerate().filter_map(|(at, text)| Some((at, text.print?))).collect();
    let prints: Vec<u64> = known.iter().map(|it| it.1).collect();
    let Some(near) = Tables::new(&prints).pairs(BITS, COMPARED) else {
        degraded.push(Degraded::new(
            "groups",
            "too many texts are alike to compare all their fingerprints; some near duplicates are missing",
        ));
        return Vec::new();
    };
    near.into_iter().map(|it| (it.distance, known[it.a].0, known[it.b].0)).collect()
}

/// Texts that share a band are joined one to the next, which is enough to bring them together.
fn by_band(texts: &[Text<'_>]) -> Vec<Sign> {
    let mut last: HashMap<(usize, u32), usize> = HashMap::new();
    let mut signs = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let bands = text.pages[0].bands.iter().copied().enumerate().filter(|band| band.1 != 0);
        for band in bands {
            if let Some(before) = last.insert(band, at) {
                let apart = texts[before].print.zip(text.print).map_or(64, |(a, b)| simhash::distance(a, b));
                signs.push((apart, before, at));
            }
        }
    }
    signs
}

/// Which texts were brought together.
pub(super) struct Joined {
    parents: Vec<usize>,
    sizes: Vec<usize>,
}

impl Joined {
    /// Each alone.
    pub(super) fn new(texts: usize) -> Self {
        Self { parents: (0..texts).collect(), sizes: vec![1; texts] }
    }

    /// The one that stands for all that are with it.
    pub(super) fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    /// Brings two together unless more than `most` would be; whether they are.
    pub(super) fn join(&mut self, a: usize, b: usize, most: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        if self.sizes[a] + self.sizes[b] > most {
            return false;
        }
        // The earlier stands for both.
        let (first, second) = (a.min(b), a.max(b));
        self.parents[second] = first;
        self.sizes[first] += self.sizes[second];
        true
    }
}
