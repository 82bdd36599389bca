//! Tests of tones, the English ones against the figures of `vaderSentiment` 3.3.2.

use super::*;

#[test]
fn english_scores_are_those_of_the_reference() {
    let reader = Reader::default();
    let mut wrong = Vec::new();
    for line in include_str!("tests/vader.tsv").lines() {
        let (score, text) = line.split_once('\t').unwrap();
        let (ours, theirs) = (reader.score(text, "en").unwrap(), score.parse::<f64>().unwrap());
        if (ours - theirs).abs() > 1e-4 {
            wrong.push(format!("{text}: {ours}, and the reference says {theirs}"));
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

#[test]
fn negation_and_strength_count_in_the_other_languages_and_unknown_ones_have_no_verdict() {
    let reader = Reader::default();
    let tones = [
        ("Das Personal ist sehr freundlich", "de", Tone::Positive),
        ("Das Personal ist nicht freundlich", "de", Tone::Negative),
        ("Der Kuchen war schrecklich", "de", Tone::Negative),
        ("Der Laden steht an der Ecke", "de", Tone::Neutral),
        ("Le service est excellent", "fr", Tone::Positive),
        ("Un accueil horrible", "fr", Tone::Negative),
        ("El servicio es excelente", "es", Tone::Positive),
        ("Un trato terrible", "es", Tone::Negative),
        ("Friendly staff", "en", Tone::Positive),
    ];
    for (text, language, tone) in tones {
        assert_eq!(reader.tone(text, language), Some(tone), "{text}: {:?}", reader.score(text, language));
    }
    assert_eq!(reader.tone("とても良い", "ja"), None);
    let strength = |text: &str| reader.score(text, "de").unwrap();
    assert!(strength("sehr gut") > strength("gut"));
}

#[test]
fn a_sentence_is_cut_where_it_turns() {
    let clauses = |text, language| super::clauses(text, language);
    assert_eq!(
        clauses("The staff were lovely but we waited an hour.", "en"),
        ["The staff were lovely", "but we waited an hour."]
    );
    assert_eq!(clauses("Tolle Lampen, leider lange Lieferzeit. Danke!", "de").len(), 2);
    assert_eq!(clauses("Essen gut, Service freundlich und schnell, aber teuer", "de").last(), Some(&"aber teuer"));
    assert_eq!(clauses("Muy rico pero caro", "es"), ["Muy rico", "pero caro"]);
    assert!(clauses("  …  ", "en").is_empty());
}
