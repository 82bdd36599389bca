//! Tests of `text`.

use super::{about_words, clip, collapse, collapse_to, hex, joined, runs, sha256, word_count, words};

#[test]
fn words_lose_the_punctuation_around_them_and_keep_what_is_inside() {
    let text = "“Don't” panic — it's 42 (really)! ... e-mail";
    assert_eq!(words(text).collect::<Vec<_>>(), ["Don't", "panic", "it's", "42", "really", "e-mail"]);
}

#[test]
fn scripts_without_spaces_have_the_words_of_a_dictionary() {
    let cases = [
        ("日本語 text", "日本語|text"),
        ("版本2.0。", "版本|2.0"),
        ("日本語の検索エンジン最適化について", "日本語|の|検索|エンジン|最適化|について"),
        ("搜索引擎很好吃，北京烤鸭。", "搜索|引擎|很好|吃|北京|烤鸭"),
        ("ภาษาไทยไม่มีช่องว่างระหว่างคำ", "ภาษา|ไทย|ไม่มี|ช่อง|ว่าง|ระหว่าง|คำ"),
        ("SEO检测2024年", "SEO|检测|2024|年"),
        ("ຢິນດີຕ້ອນຮັບ", "ຢິນ|ດີ|ຕ້ອນຮັບ"),
        ("「東京」・『京都』", "東京|京都"),
        ("café日本", "café|日本"),
        ("・・・", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(words(text).collect::<Vec<_>>().join("|"), expected, "{text}");
    }
}

/// Each letter stands in one word, in order, however scripts are mixed.
#[test]
fn no_letter_is_lost_between_words_and_none_is_had_twice() {
    let parts = ["日本語", "ไทย", "abc", "한국", "2024", "，", "。", " ", "é", "ー", "ကမ", "។", "々", "・", "x-y", "’"];
    let mut state = 7_u32;
    for _ in 0..2_000 {
        let mut text = String::new();
        for _ in 0..8 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text += parts[(state >> 24) as usize % parts.len()];
        }
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        assert_eq!(letters(&words(&text).collect::<String>()), letters(&text), "{text}");
    }
}

/// Beyond forty pages words are estimated, and no letter is lost.
#[test]
fn a_very_long_text_without_spaces_is_cut_into_pieces_that_count_alike() {
    let sentence = "搜索引擎优化需要时间，";
    let short = f64::from(word_count(&sentence.repeat(1_000)));
    let long = f64::from(word_count(&sentence.repeat(40_000)));
    assert!((0.8..=1.25).contains(&(long / 40.0 / short)), "{short} {long}");
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let text = format!("{} abc", "ภาษาไทย".repeat(20_000));
    assert_eq!(words(&text).map(letters).sum::<usize>(), letters(&text));
    assert_eq!(words(&text).last(), Some("abc"));
}

#[test]
fn words_are_put_together_as_their_script_does() {
    assert_eq!(joined(&["北京", "烤鸭"]), "北京烤鸭");
    assert_eq!(joined(&["brass", "lamp"]), "brass lamp");
    assert_eq!(joined(&["SEO", "优化"]), "SEO 优化");
    assert_eq!(joined::<&str>(&[]), "");
}

#[test]
fn about_as_many_words_are_estimated_as_there_are() {
    let texts = [
        "The quick brown fox jumps over the lazy dog",
        "日本語の検索エンジン最適化について、東京タワーの近くで食べました。",
        "小学生研究生命起源，北京烤鸭很好吃。搜索引擎优化",
        "ภาษาไทยไม่มีช่องว่างระหว่างคำ การเพิ่มประสิทธิภาพเครื่องมือค้นหา",
    ];
    for text in texts {
        let (about, exactly) = (f64::from(about_words(text)), f64::from(word_count(text)));
        assert!((0.7..=1.4).contains(&(about / exactly)), "{text}: {about} of {exactly}");
    }
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
