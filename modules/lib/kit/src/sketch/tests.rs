//! What samples promise, as tests; the last measures the whole search for near duplicates against comparing all.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;

use super::{MOST, Sketch};
use crate::simhash::{self, Tables};
use crate::similarity::{jaccard, shingles};
use crate::text::words;

fn counted(from: usize, to: usize) -> String {
    (from..to).map(|number| format!("word{number} ")).collect()
}

fn sketch(text: &str) -> Sketch {
    Sketch::of_text(text).expect("words")
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((value ^ value >> 31) % sides as u64).expect("small")
    }
}

#[test]
fn between_texts_that_fit_the_overlap_is_exact() {
    let (a, b) = (counted(0, 300), counted(100, 400));
    let set = |text: &str| shingles(&words(text).collect::<Vec<_>>(), 5);
    assert!(sketch(&a).is_whole());
    assert!((sketch(&a).similarity(&sketch(&b)) - jaccard(&set(&a), &set(&b))).abs() < 1e-12);
    assert!((sketch(&a).similarity(&sketch(&counted(500, 800)))).abs() < 1e-12);
}

#[test]
fn between_long_texts_the_overlap_is_near() {
    let (a, b) = (counted(0, 9_500), counted(500, 10_000));
    assert!(!sketch(&a).is_whole());
    let (guess, known) = (sketch(&a).similarity(&sketch(&b)), 9_000.0 / 10_000.0);
    assert!((guess - known).abs() < 0.04, "{guess}");
    assert!((sketch(&a).similarity(&sketch(&a)) - 1.0).abs() < 1e-12);
    // A short text within a long one.
    let part = sketch(&a).similarity(&sketch(&counted(0, 400)));
    assert!((part - 396.0 / 9_496.0).abs() < 0.03, "{part}");
}

#[test]
fn case_and_punctuation_do_not_matter_and_short_texts_have_a_sample() {
    assert_eq!(sketch("One, two: THREE four five six!"), sketch("one two three\nfour FIVE six"));
    assert_eq!(Sketch::of_text(" … "), None);
    assert_ne!(sketch("hello"), sketch("world"));
}

#[test]
fn texts_that_are_alike_share_a_band_and_strangers_do_not() {
    let shared = |a: &str, b: &str| {
        let (a, b) = (sketch(a).bands(), sketch(b).bands());
        a.iter().zip(&b).filter(|(x, y)| x == y && **x != 0).count()
    };
    let text = counted(0, 600);
    assert_eq!(shared(&text, &text.to_uppercase()), super::BANDS);
    assert!(shared(&text, &format!("{text} and three more")) > 0);
    assert_eq!(shared(&text, &counted(700, 1_300)), 0);
    assert_eq!(shared("one", "two"), 0, "what a short text lacks is nothing in common");
}

#[test]
fn the_stored_form_reads_back_and_others_do_not() {
    for text in ["hello", &counted(0, 200), &counted(0, 5_000)] {
        let sketch = sketch(text);
        assert_eq!(Sketch::from_text(&sketch.to_text()), Some(sketch));
    }
    assert_eq!(sketch(&counted(0, 5_000)).to_text().len(), 5 * MOST);
    for wrong in ["", "AAAA", "AAA A", "BAAAAAAAAA"] {
        assert_eq!(Sketch::from_text(wrong), None, "{wrong}");
    }
}

/// Pages as websites repeat them: chapters of real text, and of each some that differ in a price or a name, some that an
/// editor went over, and some of which only a part was kept.
fn pages() -> Vec<String> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/texts.json");
    let texts: Vec<serde_json::Value> = serde_json::from_str(&fs::read_to_string(file).expect("file")).expect("JSON");
    let texts = texts.iter().filter_map(|it| it["text"].as_str()).map(|it| it.split_whitespace().collect::<Vec<_>>());
    let texts: Vec<Vec<&str>> = texts.filter(|it| it.len() >= 60).collect();
    let all: Vec<&str> = texts.concat();
    let mut dice = Dice(81);
    let mut pages = Vec::new();
    for at in 0..300 {
        let begin = dice.roll(all.len() - 1_400);
        let original = &all[begin..begin + 150 + dice.roll(1_200)];
        pages.push(original.join(" "));
        for copy in 0..9 {
            let mut text = original.to_vec();
            let edits = match copy {
                0..4 => 1 + dice.roll(3),
                4..7 => 1 + dice.roll(1 + text.len() / 40),
                _ => text.len() / 4,
            };
            for _ in 0..edits {
                let place = dice.roll(text.len());
                let word = all[dice.roll(all.len())];
                match dice.roll(3) {
                    0 => text[place] = word,
                    1 => text.insert(place, word),
                    _ => drop(text.remove(place)),
                }
            }
            pages.push(text.join(" "));
        }
        assert_eq!(pages.len(), 10 * (at + 1));
    }
    pages
}

/// Every pair with an overlap of 0.9 or more, by counting what each page shares with every other.
fn compared_with_all(pages: &[String]) -> BTreeSet<(usize, usize)> {
    let set = |page: &String| shingles(&words(&page.to_lowercase()).collect::<Vec<_>>(), 5);
    let sets: Vec<HashSet<u64>> = pages.iter().map(set).collect();
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut pairs = BTreeSet::new();
    for (b, set) in sets.iter().enumerate() {
        let mut shared = vec![0_usize; b];
        for shingle in set {
            let holders = holders.entry(*shingle).or_default();
            holders.iter().for_each(|a| shared[*a] += 1);
            holders.push(b);
        }
        let alike = |a: &usize| 10 * shared[*a] >= 9 * (sets[*a].len() + set.len() - shared[*a]);
        pairs.extend((0..b).filter(alike).map(|a| (a, b)));
    }
    pairs
}

#[test]
fn near_duplicates_are_those_that_comparing_all_with_all_finds() {
    let pages = pages();
    let truth = compared_with_all(&pages);
    let prints: Vec<u64> = pages.iter().map(|it| simhash::of_text(it).expect("words")).collect();
    let sketches: Vec<Sketch> = pages.iter().map(|it| sketch(it)).collect();
    let near = Tables::new(&prints).pairs(6, usize::MAX).expect("no bound");
    let mut candidates: BTreeSet<(usize, usize)> = near.iter().map(|it| (it.a, it.b)).collect();
    let by_fingerprint = candidates.intersection(&truth).count();
    let mut same: HashMap<(usize, u32), Vec<usize>> = HashMap::new();
    for (b, sketch) in sketches.iter().enumerate() {
        for band in sketch.bands().into_iter().enumerate().filter(|it| it.1 != 0) {
            let others = same.entry(band).or_default();
            candidates.extend(others.iter().map(|a| (*a, b)));
            others.push(b);
        }
    }
    let all = candidates.len();
    candidates.retain(|(a, b)| sketches[*a].similarity(&sketches[*b]) >= 0.9);
    let right = candidates.intersection(&truth).count();
    #[expect(clippy::cast_precision_loss, reason = "some ten thousand pairs")]
    let share = |of: usize| right as f64 / of as f64;
    let (recall, precision) = (share(truth.len()), share(candidates.len()));
    println!(
        "{} pairs, {by_fingerprint} near by fingerprint, {all} looked at: recall {recall:.4}, precision {precision:.4}",
        truth.len()
    );
    assert!(truth.len() > 2_000 && all < 20 * truth.len());
    assert!(recall >= 0.98 && precision >= 0.98, "recall {recall:.4}, precision {precision:.4}");
}
