//! Tests of `text`.

use super::{clip, collapse, collapse_to, hex, sha256, word_count, words};

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
