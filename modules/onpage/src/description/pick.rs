//! Sentences of the page that describe it, alone or two together, trimmed to their room.

use kit::extract::Kind;

use super::{Description, judge, px};
use crate::snippet::DESCRIPTION;
use crate::suggest::Ground;

/// Sentences compared with each other at most: the work grows with their square.
const MOST: usize = 120;
/// Sentences of which descriptions are made: each pair of them is looked at whole.
const CHOSEN: usize = 24;

/// Descriptions out of the page's own sentences, in no order.
pub(super) fn descriptions(ground: &Ground) -> Vec<Description> {
    let prose = ground.page.blocks.iter().filter(|it| matches!(it.kind, Kind::Paragraph | Kind::Quote | Kind::Item));
    let sentences: Vec<(usize, String)> = prose
        .enumerate()
        .flat_map(|(block, it)| kit::sentence::sentences(&it.text).into_iter().map(move |one| (block, one)))
        .filter(|(_, it)| is_whole(it))
        .map(|(block, it)| (block, kit::text::collapse(it)))
        .take(MOST)
        .collect();
    let terms: Vec<Vec<String>> = sentences.iter().map(|it| ground.analyzer.stems(&it.1)).collect();
    let ranks = kit::textrank::ranks(&terms);
    let most = ranks.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let rank = |at: usize| ranks[at] / most;
    let wide: Vec<f64> = sentences.iter().map(|it| px(&it.1)).collect();
    let mut out = Vec::new();
    let chosen = chosen(ground, &sentences, &ranks);
    for at in chosen.iter().copied() {
        let (block, sentence) = &sentences[at];
        let Some(text) = trimmed(sentence, wide[at]) else { continue };
        let whole = text.len() == sentence.len();
        keep(&mut out, judge(ground, &text, rank(at)));
        // A neighbour in the same paragraph goes on with the thought; a sentence from elsewhere adds another one.
        let next = sentences.get(at + 1).filter(|it| it.0 == *block).map(|_| at + 1);
        let others = chosen.iter().copied().filter(|it| *it > at && rank(*it) > 0.6);
        let fits = |other: &usize| whole && wide[at] + wide[*other] <= DESCRIPTION.desktop.1;
        for other in next.into_iter().chain(others.filter(|it| Some(*it) != next)).filter(fits) {
            let together = format!("{text} {}", sentences[other].1);
            if px(&together) <= DESCRIPTION.desktop.1 {
                keep(&mut out, judge(ground, &together, f64::midpoint(rank(at), rank(other))));
            }
        }
    }
    distinct(out)
}

/// The sentences that stand for the page or speak of the query, in the order of the page.
fn chosen(ground: &Ground, sentences: &[(usize, String)], ranks: &[f64]) -> Vec<usize> {
    let speaks = |at: &usize| ground.place(&sentences[*at].1).is_some();
    let mut best: Vec<(bool, usize)> = (0..sentences.len()).map(|at| (speaks(&at), at)).collect();
    best.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| ranks[b.1].total_cmp(&ranks[a.1])));
    let mut chosen: Vec<usize> = best.into_iter().take(CHOSEN).map(|it| it.1).collect();
    chosen.sort_unstable();
    chosen
}

/// Keeps a description once.
pub(super) fn keep(all: &mut Vec<Description>, one: Description) {
    if !all.iter().any(|it| it.text.eq_ignore_ascii_case(&one.text)) {
        all.push(one);
    }
}

/// The best of those that begin or end with the same sentence.
fn distinct(mut all: Vec<Description>) -> Vec<Description> {
    all.sort_by(|a, b| b.score.cmp(&a.score).then_with(|| a.text.cmp(&b.text)));
    let mut out: Vec<Description> = Vec::new();
    for one in all {
        if out.len() >= 20 {
            break;
        }
        let shares = |it: &Description| {
            kit::sentence::sentences(&it.text).iter().any(|sentence| one.text.contains(sentence.trim()))
                || kit::sentence::sentences(&one.text).iter().any(|sentence| it.text.contains(sentence.trim()))
        };
        if !out.iter().any(shares) {
            out.push(one);
        }
    }
    out
}

/// Whether a text is a sentence that can stand alone: it begins like one, ends like one and has some words.
fn is_whole(sentence: &str) -> bool {
    let begins = sentence.chars().next().is_some_and(|it| it.is_uppercase() || it.is_ascii_digit() || !it.is_ascii());
    let ends = sentence.ends_with(['.', '!', '?', '。', '…']);
    begins && ends && (4..=60).contains(&kit::text::word_count(sentence))
}

/// A sentence that fits, or its beginning up to a clause; none when too little of it is left.
fn trimmed(sentence: &str, wide: f64) -> Option<String> {
    if wide <= DESCRIPTION.desktop.1 {
        return Some(sentence.to_owned());
    }
    let clauses = sentence.match_indices([',', ';', ':', '–', '—', '(']).map(|it| it.0).collect::<Vec<_>>();
    let cut = |at: &usize| format!("{}.", sentence[..*at].trim_end());
    clauses.iter().rev().map(cut).find(|it| px(it) <= DESCRIPTION.desktop.1).filter(|it| kit::text::word_count(it) >= 6)
}
