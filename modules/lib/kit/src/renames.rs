//! Which page took the place of one that is gone, by the words of its address and of what it said.

use std::collections::{BTreeSet, HashMap};

use crate::phrases::{Code, Rarity, likeness};
use crate::url::naming::{last, words};

/// Candidates that are compared letter by letter.
const CLOSE: usize = 60;

/// A page as it is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Known {
    /// Its address.
    pub url: String,
    /// Words of its title and first heading; empty when nobody knows.
    pub name: Vec<Code>,
}

/// A page that may have taken the place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likely {
    /// Its number.
    pub page: u32,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
}

/// Pages that stand, ready to be compared.
pub struct Standing<'a> {
    pages: &'a [Known],
    tokens: Vec<BTreeSet<String>>,
    holders: HashMap<String, Vec<u32>>,
    rarity: &'a Rarity,
    by_code: HashMap<Code, Vec<u32>>,
}

impl<'a> Standing<'a> {
    /// Pages by number.
    #[must_use]
    pub fn new(pages: &'a [Known], rarity: &'a Rarity) -> Self {
        let tokens: Vec<BTreeSet<String>> = pages.iter().map(|page| words(&page.url)).collect();
        let mut holders: HashMap<String, Vec<u32>> = HashMap::new();
        let mut by_code: HashMap<Code, Vec<u32>> = HashMap::new();
        for (number, (own, page)) in (0_u32..).zip(tokens.iter().zip(pages)) {
            own.iter().for_each(|token| holders.entry(token.clone()).or_default().push(number));
            let telling = page.name.iter().filter(|code| !code.is_stop());
            telling.for_each(|code| by_code.entry(*code).or_default().push(number));
        }
        Self { pages, tokens, holders, rarity, by_code }
    }

    /// The page that most likely took the place of one that is gone; none when no page has a word in common with it.
    ///
    /// The overlap of the addresses' words, the rarer the more (Jaccard), and the likeness of what is left of the paths
    /// by the edits between them; where the title of the lost page is known, the likeness of the titles.
    #[must_use]
    pub fn replacement(&self, lost: &Known) -> Option<Likely> {
        let wanted = words(&lost.url);
        let mut common: HashMap<u32, f64> = HashMap::new();
        for token in &wanted {
            let holders = self.holders.get(token).map(Vec::as_slice).unwrap_or_default();
            holders.iter().for_each(|page| *common.entry(*page).or_default() += self.weight(token));
        }
        for code in lost.name.iter().filter(|code| !code.is_stop()) {
            let holders = self.by_code.get(code).map(Vec::as_slice).unwrap_or_default();
            holders.iter().for_each(|page| *common.entry(*page).or_default() += self.rarity.weight(*code));
        }
        let mut near: Vec<(u32, f64)> =
            common.into_iter().filter(|(page, _)| self.pages[*page as usize].url != lost.url).collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(CLOSE);
        let scored = near.into_iter().map(|(page, _)| Likely { page, confidence: self.score(page, &wanted, lost) });
        scored.max_by(|a, b| a.confidence.total_cmp(&b.confidence).then(b.page.cmp(&a.page)))
    }

    fn score(&self, page: u32, wanted: &BTreeSet<String>, lost: &Known) -> f64 {
        let (own, known) = (&self.tokens[page as usize], &self.pages[page as usize]);
        let sum = |tokens: &mut dyn Iterator<Item = &String>| tokens.map(|token| self.weight(token)).sum::<f64>();
        let either = sum(&mut own.union(wanted));
        let overlap = if either > 0.0 { sum(&mut own.intersection(wanted)) / either } else { 0.0 };
        let edits = strsim::normalized_levenshtein(&last(&known.url), &last(&lost.url));
        let by_path = 0.65 * overlap + 0.35 * edits;
        if lost.name.is_empty() || known.name.is_empty() {
            return by_path;
        }
        0.5 * by_path + 0.5 * likeness(&known.name, &lost.name, self.rarity)
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of pages are far below 2^52")]
    fn weight(&self, token: &str) -> f64 {
        let holders = self.holders.get(token).map_or(0, Vec::len) as f64;
        (1.0 + self.pages.len() as f64 / (1.0 + holders)).ln()
    }
}

#[cfg(test)]
mod tests;
