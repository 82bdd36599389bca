//! Tests of `simhash`.

use serde_json::Value;

use super::{distance, from_hex, of_features, of_text, to_hex};

fn words(from: usize, to: usize) -> String {
    (from..to).map(|n| format!("word{n} ")).collect()
}

#[test]
fn a_bit_is_set_when_more_than_half_of_the_features_set_it() {
    assert_eq!(of_features([0b011, 0b001, 0b101].into_iter()), 0b001);
    assert_eq!(of_features([0b11, 0b01].into_iter()), 0b01);
}

#[test]
fn case_white_space_and_punctuation_do_not_matter() {
    assert_eq!(of_text("One two, three FOUR."), of_text("one  TWO three\nfour"));
}

#[test]
fn a_small_change_stays_near_and_another_text_is_far() {
    let text = of_text(&words(0, 400)).expect("words");
    let edited = of_text(&words(0, 396)).expect("words");
    let other = of_text(&words(1_000, 1_400)).expect("words");
    assert!(distance(text, edited) <= 6, "{}", distance(text, edited));
    assert!(distance(text, other) >= 18, "{}", distance(text, other));
}

#[test]
fn no_words_have_no_fingerprint_and_few_have_one() {
    assert_eq!(of_text(" … !"), None);
    assert!(of_text("hello").is_some());
    assert_ne!(of_text("hello"), of_text("world"));
}

#[test]
fn the_stored_form_reads_back() {
    assert_eq!(from_hex(&to_hex(0x0123)), Some(0x0123));
    assert_eq!(from_hex("+123"), None);
}

/// `simhash.json` was made by `tests/references/crawl/fingerprints.py`.
#[test]
fn fingerprints_are_those_of_pypi_simhash_given_the_same_features_and_hash() {
    let wanted: Value = serde_json::from_str(include_str!("../../fixtures/simhash.json")).expect("a fixture");
    let texts: Vec<Value> = serde_json::from_str(include_str!("../../fixtures/texts.json")).expect("a fixture");
    let of_texts = wanted["texts"].as_array().expect("fingerprints");
    assert_eq!((texts.len(), of_texts.len()), (197, 197));
    for (text, wanted) in texts.iter().zip(of_texts) {
        // The reference was given the runs of letters and digits of ASCII.
        let text = text["text"].as_str().expect("a text").replace(|c: char| !c.is_ascii_alphanumeric(), " ");
        assert_eq!(of_text(&text).map(to_hex).as_deref(), wanted.as_str(), "{text}");
    }
    let lists = wanted["features"].as_array().expect("features");
    assert_eq!(lists.len(), 40);
    for list in lists {
        let features = list[0].as_array().expect("a list").iter().filter_map(|it| from_hex(it.as_str()?));
        assert_eq!(Some(to_hex(of_features(features)).as_str()), list[1].as_str());
    }
}
