//! Which pages of two language versions are translations of each other, and how sure that is.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::assign::{self, Edge};
use super::features::{Features, likeness, overlap};

/// Weights of the logistic score. Fixed by hand: each alone moves a pair from unlikely to likely or back.
const BIAS: f64 = -4.0;
/// The same path behind the language.
const SAME_PATH: f64 = 6.5;
/// Ids in the path: the same, or others.
const IDS: f64 = 5.0;
const OTHER_IDS: f64 = -4.0;
/// Pictures, numbers, and how the pages are built.
const IMAGES: f64 = 4.5;
const NUMBERS: f64 = 3.0;
const SHAPE: f64 = 1.5;
/// Folders that surer pairs have shown to be translations, or not.
const FOLDERS: f64 = 1.5;
const OTHER_FOLDERS: f64 = -2.0;
/// The page itself names the other as its version.
const DECLARED: f64 = 6.0;
/// A sign that more pages of a version have says nothing.
const COMMON: usize = 12;
/// Pairs below are not considered.
const LEAST: f64 = 0.3;
/// Pairs from which folders are learnt.
const SURE: f64 = 0.9;

/// Folders of one version and what they are called in the other.
type Dictionary = BTreeMap<String, BTreeMap<String, u32>>;

/// The pages of one version.
pub(crate) struct Side<'a> {
    /// Its code in lower case.
    pub(crate) lang: String,
    pub(crate) pages: Vec<&'a Features>,
    /// Pictures and numbers that too many of its pages have.
    common: BTreeSet<String>,
}

impl<'a> Side<'a> {
    pub(crate) fn new(lang: &str, pages: Vec<&'a Features>) -> Self {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for page in &pages {
            for key in signs(page) {
                *counts.entry(key).or_default() += 1;
            }
        }
        let most = COMMON.max(pages.len() / 5);
        let common = counts.into_iter().filter(|(_, count)| *count > most).map(|(key, _)| key).collect();
        Self { lang: lang.to_lowercase(), pages, common }
    }

    fn rare(&self, set: &BTreeSet<String>, mark: char) -> BTreeSet<String> {
        set.iter().filter(|it| !self.common.contains(&format!("{mark}{it}"))).cloned().collect()
    }
}

/// What a page can be found by: its path, ids, pictures and numbers.
fn signs(page: &Features) -> Vec<String> {
    let mut out = vec![format!("/{}", page.rest)];
    out.extend(page.ids.iter().map(|it| format!("#{it}")));
    out.extend(page.images.iter().map(|it| format!("!{it}")));
    out.extend(page.numbers.iter().map(|it| format!("+{it}")));
    out
}

/// The pairs of two versions: place in each, and confidence.
pub(crate) fn pairs(a: &Side<'_>, b: &Side<'_>) -> Vec<Edge> {
    let candidates = candidates(a, b);
    let first = scored(a, b, &candidates, &Dictionary::new());
    let sure: Vec<Edge> = assign::best(&first).into_iter().filter(|it| it.weight >= SURE).collect();
    let learnt = learn(a, b, &sure);
    assign::best(&scored(a, b, &candidates, &learnt))
}

/// Pairs that share a sign which is rare enough, or that one page declares.
fn candidates(a: &Side<'_>, b: &Side<'_>) -> BTreeSet<(usize, usize)> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    let mut by_url: HashMap<&str, usize> = HashMap::new();
    for (at, page) in b.pages.iter().enumerate() {
        by_url.insert(page.url.as_str(), at);
        for key in signs(page).into_iter().filter(|key| !b.common.contains(key)) {
            places.entry(key).or_default().push(at);
        }
    }
    let mut out = BTreeSet::new();
    for (left, page) in a.pages.iter().enumerate() {
        for key in signs(page).into_iter().filter(|key| !a.common.contains(key)) {
            out.extend(places.get(&key).into_iter().flatten().map(|right| (left, *right)));
        }
        out.extend(page.declared.iter().filter_map(|(_, url)| Some((left, *by_url.get(url.as_str())?))));
    }
    out
}

fn scored(a: &Side<'_>, b: &Side<'_>, candidates: &BTreeSet<(usize, usize)>, learnt: &Dictionary) -> Vec<Edge> {
    let score = |&(left, right): &(usize, usize)| {
        let weight = score(a, b, a.pages[left], b.pages[right], learnt);
        (weight >= LEAST).then_some(Edge { left, right, weight })
    };
    candidates.iter().filter_map(score).collect()
}

/// How sure it is that two pages are translations of each other, 0 to 1.
fn score(a: &Side<'_>, b: &Side<'_>, x: &Features, y: &Features, learnt: &Dictionary) -> f64 {
    let mut sum = BIAS;
    if x.rest == y.rest {
        sum += SAME_PATH;
    }
    match overlap(&x.ids, &y.ids) {
        Some(share) if share > 0.0 => sum += IDS * share,
        Some(_) => sum += OTHER_IDS,
        // One has ids and the other none: they are most likely other sorts of pages.
        None if x.ids.is_empty() != y.ids.is_empty() => sum += OTHER_IDS / 2.0,
        None => {}
    }
    sum += IMAGES * overlap(&a.rare(&x.images, '!'), &b.rare(&y.images, '!')).unwrap_or(0.0);
    sum += NUMBERS * overlap(&a.rare(&x.numbers, '+'), &b.rare(&y.numbers, '+')).unwrap_or(0.0);
    sum += SHAPE * likeness(&x.shape, &y.shape).unwrap_or(0.0);
    sum += folders(x, y, learnt);
    let names = |from: &Features, to: &Features, lang: &str| {
        from.declared.iter().any(|(code, url)| code == lang && *url == to.url)
    };
    if names(x, y, &b.lang) || names(y, x, &a.lang) {
        sum += DECLARED;
    }
    1.0 / (1.0 + (-sum).exp())
}

/// What the folders say, by what surer pairs have shown.
fn folders(x: &Features, y: &Features, learnt: &Dictionary) -> f64 {
    if x.segments.len() != y.segments.len() {
        return if learnt.is_empty() { 0.0 } else { OTHER_FOLDERS };
    }
    let mut sum: f64 = 0.0;
    for (own, other) in x.segments.iter().zip(&y.segments).take(x.segments.len().saturating_sub(1)) {
        if let Some(known) = learnt.get(own) {
            sum += if known.contains_key(other) { FOLDERS } else { OTHER_FOLDERS };
        }
    }
    sum.clamp(OTHER_FOLDERS, FOLDERS)
}

/// Folders that stand at the same place in sure pairs.
fn learn(a: &Side<'_>, b: &Side<'_>, sure: &[Edge]) -> Dictionary {
    let mut out = Dictionary::new();
    for edge in sure {
        let (x, y) = (&a.pages[edge.left].segments, &b.pages[edge.right].segments);
        if x.len() == y.len() {
            for (own, other) in x.iter().zip(y).take(x.len().saturating_sub(1)) {
                *out.entry(own.clone()).or_default().entry(other.clone()).or_default() += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests;
