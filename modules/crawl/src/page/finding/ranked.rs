//! Pages by rank, from the segments of the index.

use std::collections::HashMap;

use kit::crawled::page_id;
use kit::inverted::{Segment, Terms};
use sdk::Degraded;
use sdk::prelude::*;

use super::{Hit, Hits, around};
use crate::run;
use crate::stored::{Page, Run};
use crate::work::{Text, places_blob, segment_blob, text_blob};

/// Different words of one question.
const MOST_WORDS: usize = 8;
/// Asked of the host for one question, well below the 1,000 that it allows.
const MOST_CALLS: usize = 700;
/// The deepest rank that a cursor reaches.
const DEEPEST: usize = 1_000;

pub(super) fn look(cx: &Cx, run: &Stored<Run>, query: &str, limit: usize, cursor: Option<Cursor>) -> Result<Hits> {
    let summary = run::summary(cx, run)?;
    let from = match cursor {
        Some(cursor) => cursor
            .as_str()
            .strip_prefix("o:")
            .and_then(|text| text.parse::<usize>().ok())
            .ok_or_else(sdk::invalid_cursor)?,
        None => 0,
    };
    let mut degraded = summary.degraded.clone();
    let mut words = distinct(&summary.language, query);
    let room = (MOST_CALLS / summary.segments.len().max(1)).saturating_sub(2) / 2;
    if words.len() > MOST_WORDS.min(room.max(1)) {
        words.truncate(MOST_WORDS.min(room.max(1)));
        degraded.push(Degraded::new("words", format!("only the first {} words were looked for", words.len())));
    }
    let mut holders = vec![0_u64; words.len()];
    let mut found: HashMap<(usize, u32), (u32, Vec<u32>)> = HashMap::new();
    for segment in 0..summary.segments.len() {
        let key = segment_blob(run.id.as_str(), segment);
        let part = |offset, length| cx.blobs().read(&key, offset, length);
        let Some(mut index) = Segment::open(part) else { continue };
        let lengths = index.lengths().unwrap_or_default();
        for (at, word) in words.iter().enumerate() {
            let texts = index.find(*word).unwrap_or_default();
            holders[at] += u64::from(texts.holders);
            for (text, times) in texts.texts {
                let length = lengths.get(text as usize).copied().unwrap_or_default();
                let of = found.entry((segment, text)).or_insert_with(|| (length, vec![0; words.len()]));
                of.1[at] = times;
            }
        }
    }
    let weights: Vec<f64> = holders.iter().map(|count| summary.search.weight(*count)).collect();
    let score = |(length, times): &(u32, Vec<u32>)| -> f64 {
        weights.iter().zip(times).map(|(weight, times)| summary.search.score(*weight, *times, *length)).sum()
    };
    let total = found.len();
    let mut ranked: Vec<((usize, u32), f64, u64)> = found
        .iter()
        .map(|(place, texts)| (*place, score(texts), texts.1.iter().map(|times| u64::from(*times)).sum()))
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut hits = Vec::new();
    let mut next = from;
    for (place, score, count) in ranked.into_iter().skip(from).take(DEEPEST.saturating_sub(from)) {
        if hits.len() == limit {
            break;
        }
        next += 1;
        if let Some(hit) = hit(cx, run, place, score, count, query) {
            hits.push(hit);
        }
    }
    let more = next < total.min(DEEPEST);
    Ok(Hits {
        hits,
        total: Some(total as u64),
        looked_at: summary.search.texts,
        degraded,
        next_cursor: more.then(|| Cursor::new(format!("o:{next}"))),
    })
}

fn distinct(language: &str, query: &str) -> Vec<u64> {
    let mut words = Vec::new();
    for word in Terms::of(language).hashes(query) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// The page at a place of the index; none when it was fetched again since and its text is another one now.
fn hit(cx: &Cx, run: &Stored<Run>, place: (usize, u32), score: f64, count: u64, query: &str) -> Option<Hit> {
    let (segment, text) = place;
    let at = cx.blobs().read(&places_blob(run.id.as_str(), segment), u64::from(text) * 12, 12)?;
    let number = |from: usize| at.get(from..from + 4).and_then(|it| it.try_into().ok()).map(u32::from_le_bytes);
    let (pack, offset, length) = (number(0)?, number(4)?, number(8)?);
    let bytes = cx.blobs().read(&text_blob(run.id.as_str(), pack), u64::from(offset), length)?;
    let text: Text = serde_json::from_slice(&bytes).ok()?;
    if run.0.recrawled_ms.is_some() {
        let page = cx.records::<Page>().find(&Id::new(page_id(run.id.as_str(), &text.url)))?;
        let current = page.0.text.as_ref().is_some_and(|at| (at.pack, at.offset) == (pack, offset));
        if !current {
            return None;
        }
    }
    let score = (score * 10_000.0).round() / 10_000.0;
    Some(Hit { snippet: snippet(&text.plain, query), url: text.url, title: text.title, score: Some(score), count })
}

/// Around the first word of the question that the text has as it is written, or its beginning.
fn snippet(text: &str, query: &str) -> String {
    let folded = text.to_ascii_lowercase();
    let place = query.split_whitespace().find_map(|word| folded.find(&word.to_ascii_lowercase()));
    around(text, place.unwrap_or(0))
}
