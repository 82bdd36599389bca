//! The passage of a website that answers a question best, and whether it does.
//!
//! BM25 with k1 1.2 and b 0.75 (Robertson and Zaragoza 2009), over windows of 80 words of the texts that the crawl's index ranks first.

use std::collections::{BTreeSet, HashMap};

use kit::chance::Chance;
use kit::terms::Analyzer;
use sdk::Basis;
use sdk::prelude::*;
use site::Site;

/// Words of a window, and between the beginnings of two.
const WINDOW: usize = 80;
const STEP: usize = 40;
/// Texts that are looked through for one question.
const TEXTS: usize = 4;
/// Questions on other things that a passage is measured against, and their place from which one counts.
const OTHERS: usize = 200;
const PLACE: f64 = 0.95;
/// The share of a question's words that one window has.
const HELD: f64 = 0.6;
/// Titles that other questions are drawn from.
const TITLES: usize = 400;
/// Characters of a passage that are shown.
const SHOWN: usize = 500;
const K1: f64 = 1.2;

/// One address of a crawl, flat.
#[foreign(collection = "crawl.rows", thing = "row", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) title: String,
}

/// The passages of a crawl.
pub(super) struct Shelf {
    run: String,
    analyzer: Analyzer,
    /// Stems of titles that have no word of the prompt.
    others: Vec<Vec<String>>,
    pub(super) basis: Basis,
}

/// The best passage for a question.
pub(super) struct Best {
    pub(super) url: String,
    pub(super) passage: String,
    pub(super) score: f64,
    /// What questions on other things score on it, 95 of 100 at most.
    pub(super) threshold: f64,
    pub(super) covered: bool,
}

impl Shelf {
    /// Of the newest crawl; none without one, or without an index.
    pub(super) fn open(cx: &Cx, site: &Stored<Site>, prompt: &str) -> Option<Self> {
        let run = site::newest(cx, &site.id)?;
        let language = texts::language(cx, run.id.as_str())?;
        let analyzer = Analyzer::new(&kit::language::primary(&language));
        let own: BTreeSet<String> = analyzer.query(prompt).into_iter().collect();
        let titles = cx.records::<Row>().by("run_seq").equals(&run.id).scan().take(TITLES);
        let stems = titles.map(|it| analyzer.query(&it.title)).filter(|it| it.len() >= 2);
        let others = stems.filter(|it| it.iter().all(|stem| !own.contains(stem))).collect();
        Some(Self { run: run.id.to_string(), analyzer, others, basis: site::basis(cx, &run) })
    }

    /// The best passage for a question; none where no text has a word of it.
    pub(super) fn best(&self, cx: &Cx, question: &str) -> Option<Best> {
        let mut wanted = self.analyzer.query(question);
        wanted.sort();
        wanted.dedup();
        if wanted.is_empty() {
            return None;
        }
        let found = texts::best(cx, &self.run, question, TEXTS)?;
        let windows: Vec<(String, String, Vec<String>)> =
            found.into_iter().flat_map(|text| self.windows(text)).collect();
        let weights = weights(&windows, windows.len());
        let score = |stems: &[String], query: &[String]| bm25(stems, query, &weights);
        let (at, best) = windows
            .iter()
            .enumerate()
            .map(|(at, it)| (at, score(&it.2, &wanted)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
            .filter(|it| it.1 > 0.0)?;
        let (url, passage, stems) = &windows[at];
        let threshold = self.threshold(stems, wanted.len(), &weights);
        let own: BTreeSet<&String> = stems.iter().collect();
        let held = wanted.iter().filter(|it| own.contains(it)).count();
        #[expect(clippy::cast_precision_loss, reason = "words of a question")]
        let share = held as f64 / wanted.len() as f64;
        Some(Best {
            url: url.clone(),
            passage: kit::text::clip(passage, SHOWN).to_owned(),
            score: best,
            threshold,
            covered: best >= threshold && share >= HELD,
        })
    }

    /// The windows of a text, with its title in front of the first.
    fn windows(&self, text: texts::Text) -> Vec<(String, String, Vec<String>)> {
        let words: Vec<&str> = text.plain.split_whitespace().collect();
        let mut out = Vec::new();
        let mut from = 0;
        loop {
            let to = (from + WINDOW).min(words.len());
            let passage = words[from..to].join(" ");
            let stems = self.analyzer.stems(&format!("{} {passage}", text.title));
            out.push((text.url.clone(), passage, stems));
            if to == words.len() {
                return out;
            }
            from += STEP;
        }
    }

    /// The 95th of 100 scores that questions on other things have on a passage.
    fn threshold(&self, stems: &[String], words: usize, weights: &HashMap<String, f64>) -> f64 {
        if self.others.is_empty() {
            return 0.0;
        }
        let mut chance = Chance::of("questions on other things");
        let mut scores: Vec<f64> = (0..OTHERS)
            .map(|_| {
                // Words of two titles, so that no question is one that the passage answers.
                let pick = |chance: &mut Chance| &self.others[chance.below(self.others.len())];
                let (one, two) = (pick(&mut chance), pick(&mut chance));
                let query: Vec<String> = one.iter().chain(two).take(words.max(2)).cloned().collect();
                bm25(stems, &query, weights)
            })
            .collect();
        scores.sort_by(f64::total_cmp);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place among 200")]
        let place = (OTHERS as f64 * PLACE) as usize;
        scores.get(place).copied().unwrap_or(0.0)
    }
}

/// The weight of each word by the windows that have it.
#[expect(clippy::cast_precision_loss, reason = "windows of a few texts")]
fn weights(windows: &[(String, String, Vec<String>)], count: usize) -> HashMap<String, f64> {
    let mut holders: HashMap<&str, usize> = HashMap::new();
    for (_, _, stems) in windows {
        let distinct: BTreeSet<&str> = stems.iter().map(String::as_str).collect();
        distinct.into_iter().for_each(|it| *holders.entry(it).or_default() += 1);
    }
    let weight = |held: usize| (1.0 + (count as f64 - held as f64 + 0.5) / (held as f64 + 0.5)).ln();
    holders.into_iter().map(|(stem, held)| (stem.to_owned(), weight(held))).collect()
}

/// Windows are of one length, so that length says nothing.
#[expect(clippy::cast_precision_loss, reason = "words of a window")]
fn bm25(stems: &[String], query: &[String], weights: &HashMap<String, f64>) -> f64 {
    let score = |word: &String| {
        let times = stems.iter().filter(|it| *it == word).count() as f64;
        let weight = weights.get(word).copied().unwrap_or(0.0);
        weight * times * (K1 + 1.0) / (times + K1)
    };
    query.iter().map(score).sum()
}
