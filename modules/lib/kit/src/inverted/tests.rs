//! Tests of `inverted`. `rank_bm25.json` was made by `tests/references/kit/bm25.py`.

use serde_json::Value;

use super::*;

/// The best of a collection of segments for a question: number of the text over all segments, and score.
fn ranked(segments: &[Vec<u8>], query: &str) -> Vec<(u32, f64)> {
    let mut holders: HashMap<u64, u64> = HashMap::new();
    let (mut texts, mut terms) = (0, 0);
    for segment in segments {
        let mut open = open(segment);
        texts += u64::from(open.texts());
        terms += open.terms();
        assert_eq!(open.vocabulary(), Some(vocabulary(segment).collect()));
        vocabulary(segment).for_each(|(hash, count)| *holders.entry(hash).or_default() += u64::from(count));
    }
    let mut counts: Vec<u64> = holders.values().copied().collect();
    counts.sort_unstable();
    let whole = Whole::of(texts, terms, counts.into_iter());
    let mut scores: HashMap<u32, f64> = HashMap::new();
    for word in Terms::of("en").hashes(query) {
        let weight = whole.weight(holders.get(&word).copied().unwrap_or(0));
        let mut first = 0;
        for segment in segments {
            let mut open = open(segment);
            let lengths = open.lengths().expect("lengths");
            for (text, times) in open.find(word).expect("a list").texts {
                *scores.entry(first + text).or_default() += whole.score(weight, times, lengths[text as usize]);
            }
            first += open.texts();
        }
    }
    let mut ranked: Vec<(u32, f64)> = scores.into_iter().filter(|(_, score)| *score > 0.0).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranked
}

fn open(segment: &[u8]) -> Segment<impl FnMut(u64, u32) -> Option<Vec<u8>> + '_> {
    Segment::open(move |offset, length| {
        let from = (offset as usize).min(segment.len());
        Some(segment[from..(from + length as usize).min(segment.len())].to_vec())
    })
    .expect("a segment")
}

fn segments(texts: &[&str], size: usize) -> Vec<Vec<u8>> {
    let segment = |texts: &[&str]| {
        let mut writer = Writer::new("en");
        for text in texts {
            writer.add(text);
        }
        writer.finish()
    };
    texts.chunks(size).map(segment).collect()
}

#[test]
fn the_ten_best_texts_are_those_of_rank_bm25_however_the_index_is_cut() {
    let reference: Value = serde_json::from_str(include_str!("rank_bm25.json")).expect("JSON");
    let texts: Vec<&str> = reference["texts"].as_array().expect("texts").iter().filter_map(Value::as_str).collect();
    for size in [texts.len(), 40] {
        let index = segments(&texts, size);
        let (mut same, mut asked) = (0, 0);
        for answer in reference["answers"].as_array().expect("answers") {
            let own = ranked(&index, answer[0].as_str().expect("a question"));
            let expected = answer[1].as_array().expect("texts");
            asked += 1;
            let agrees = expected.iter().zip(&own).all(|(expected, own)| {
                expected[0].as_u64() == Some(u64::from(own.0))
                    && (expected[1].as_f64().unwrap_or(0.0) - own.1).abs() < 1e-6
            });
            same += u32::from(agrees && own.len() >= expected.len());
        }
        assert!(same * 100 >= asked * 96, "{same} of {asked} questions");
    }
}

#[test]
fn words_are_found_in_each_of_their_forms_and_in_scripts_without_spaces() {
    let index = segments(&["The running dogs ran", "A cat_name sleeps", "配送について", "nothing"], 10);
    let found = |query: &str| ranked(&index, query).into_iter().map(|it| it.0).collect::<Vec<_>>();
    assert_eq!(found("run dog"), [0]);
    assert_eq!(found("CAT_NAME"), [1]);
    assert_eq!(found("送"), [2]);
    assert!(found("missing").is_empty());
}

#[test]
fn bytes_that_are_no_segment_are_refused_and_an_empty_one_finds_nothing() {
    assert!(Segment::open(|_, _| Some(b"something else".to_vec())).is_none());
    assert!(Segment::open(|_, _| None).is_none());
    assert_eq!(vocabulary(b"ESP1").count(), 0);
    let empty = Writer::new("xx").finish();
    assert_eq!(open(&empty).find(7), Some(Found::default()));
}
