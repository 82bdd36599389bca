//! Tests of `text`.

use super::{clip, collapse, collapse_to, hex, runs, sha256, word_count, words};

#[test]
fn words_lose_the_punctuation_around_them_and_keep_what_is_inside() {
    let text = "“Don't” panic — it's 42 (really)! ... e-mail";
    assert_eq!(words(text).collect::<Vec<_>>(), ["Don't", "panic", "it's", "42", "really", "e-mail"]);
}

#[test]
fn scripts_without_spaces_count_a_word_for_each_character() {
    assert_eq!(word_count("日本語 text"), 4);
    assert_eq!(words("版本2.0。").collect::<Vec<_>>(), ["版", "本", "2.0"]);
}

#[test]
fn white_space_collapses_and_a_limit_counts_characters() {
    assert_eq!(collapse("  a\n\t b  "), "a b");
    assert_eq!(collapse_to("äö  üß x", 4), "äö ü");
    assert_eq!(collapse_to("ab cd", 3), "ab");
    assert_eq!(clip("äöü", 2), "äö");
}

#[test]
fn sha_256_of_abc_is_the_one_of_fips_180() {
    assert_eq!(hex(&sha256(b"abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn runs_are_what_stands_between_white_space_in_every_script() {
    let texts = [
        "",
        " ",
        "a",
        " a\tb\n\nc ",
        "日本\u{3000}語 x\u{a0}y\u{2003}z",
        "\u{85}é\u{85}",
        "ab\u{1c}cd \u{b}e",
        "🙂 🙂🙂",
    ];
    for text in texts {
        assert_eq!(runs(text).collect::<Vec<_>>(), text.split_whitespace().collect::<Vec<_>>(), "{text:?}");
    }
}

#[test]
fn the_words_of_ascii_and_of_other_texts_are_cut_alike() {
    // The same text with a letter that is not ASCII takes the other way.
    for text in ["(don't)", "--x--", "...", "a.b/c", "'", "1,000.5!"] {
        let other = format!("{text} é");
        let mut expected: Vec<&str> = words(&other).collect();
        expected.pop();
        assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
        let joined = format!("é{text}");
        assert_eq!(words(&joined).count(), 1, "{joined}");
    }
}
