//! What `language` has to do, sentence by sentence.

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;

use super::{CODES, detect, is_known, primary, ranking};

#[test]
fn every_language_of_the_detector_has_a_code() {
    for lang in whatlang::Lang::all() {
        assert!(CODES.iter().any(|(known, _)| known == lang), "{lang:?}");
    }
}

#[test]
fn a_german_text_is_german_and_the_next_guess_is_another() {
    let text = "Der Zug nach Hamburg fährt heute leider erst eine Stunde später ab, weil ein Signal gestört ist.";
    let guess = detect(text).unwrap();
    assert_eq!((guess.language, guess.name), ("de", "German"));
    let ranking = ranking(text, 3);
    assert_eq!(ranking.len(), 3);
    assert_eq!(ranking[0].language, "de");
    assert!(ranking[1..].iter().all(|it| it.language != "de"));
    assert_eq!(detect("12 345"), None);
}

#[test]
fn old_codes_and_regions_mean_the_same_language() {
    assert_eq!(primary("pt-BR"), "pt");
    assert_eq!(primary("no"), primary("nb-NO"));
    assert_eq!(primary("iw"), "he");
    assert!(is_known("fr") && !is_known("xx"));
}

#[derive(Deserialize)]
struct Text {
    language: String,
    page: String,
    text: String,
    langdetect: Option<String>,
}

/// `languages.json.gz` was made by `tests/references/onpage/languages.py`.
#[test]
fn texts_of_fifty_words_in_twenty_eight_languages_are_told_as_well_as_by_langdetect() {
    let mut json = String::new();
    let packed: &[u8] = include_bytes!("../../fixtures/languages.json.gz");
    flate2::read::GzDecoder::new(packed).read_to_string(&mut json).expect("a fixture");
    let texts: Vec<Text> = serde_json::from_str(&json).expect("a fixture");
    let (mut own, mut reference) = (0, 0);
    let mut of = BTreeMap::<String, u32>::new();
    for it in &texts {
        let found = detect(&it.text).map_or("none", |guess| guess.language);
        if found == it.language {
            own += 1;
            *of.entry(it.language.clone()).or_default() += 1;
        } else {
            println!("{} {} is taken for {found}", it.language, it.page);
        }
        reference += u32::from(it.langdetect.as_deref() == Some(it.language.as_str()));
    }
    println!("{} texts: {own}, langdetect {reference}: {of:?}", texts.len());
    assert_eq!((texts.len(), of.len()), (700, 28));
    assert!(own * 100 >= texts.len() * 99, "{own} of {}: {of:?}", texts.len());
}
