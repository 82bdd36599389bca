//! What `language` has to do, sentence by sentence.

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
