//! What is taken out, what stays, and that JSON is still the same JSON.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::{escape, is_invisible, legible, legible_json, printable, printable_json};

#[test]
fn what_hides_is_taken_out() {
    for (text, shown) in [
        ("a\u{200b}b\u{feff}c\u{2060}d", "abcd"),
        ("\u{202e}evil\u{202c} \u{2066}x\u{2069}", "evil x"),
        ("red: \u{1b}[31mred\u{1b}[0m.", "red: red."),
        ("title: \u{1b}]0;owned\u{7}shell", "title: shell"),
        ("link: \u{1b}]8;;http://x\u{1b}\\here", "link: here"),
        ("c1: \u{9b}31mred", "c1: red"),
        ("tags\u{e0041}\u{e0042}\u{e007f}.", "tags."),
        ("bell\u{7} nul\0 del\u{7f} cr\r\nline\ttab", "bell nul del cr\nline\ttab"),
        ("soft\u{ad}hyphen filler\u{3164}", "softhyphen filler"),
        ("smuggled\u{fe01}\u{fe02}\u{fe03}", "smuggled\u{fe01}"),
        ("latin\u{200d}joiner \u{200c}x", "latinjoiner x"),
    ] {
        assert_eq!(legible(text), shown, "{text:?}");
        let read: String = serde_json::from_str(&legible_json(&Value::from(text).to_string())).unwrap();
        assert_eq!(read, shown, "{text:?} as JSON");
    }
}

#[test]
fn what_languages_and_pictures_need_stays() {
    for text in [
        "grüße, 世界 & שלום",
        "می\u{200c}خواهم",
        "ක්\u{200d}ෂ",
        "👩\u{200d}👩\u{200d}👧",
        "❤\u{fe0f}\u{200d}🔥",
        "a\n\tb",
    ] {
        assert!(matches!(legible_json(&Value::from(text).to_string()), Cow::Borrowed(_) | Cow::Owned(_)));
        assert_eq!(legible(text), text);
        let read: String = serde_json::from_str(&legible_json(&Value::from(text).to_string())).unwrap();
        assert_eq!(read, text);
    }
}

#[test]
fn an_escape_is_the_character_that_it_means() {
    let json = r#"{"a\u200b":"\u001b[31mx\u001b[0m\u202e\ud83d\ude00 \udb40\udc41 \\u200b \"q\" \b\f\r\n"}"#;
    let read: Value = serde_json::from_str(&legible_json(json)).unwrap();
    assert_eq!(read, json!({ "a": "x😀  \\u200b \"q\" \n" }));
}

#[test]
fn what_has_nothing_to_hide_is_the_same_bytes() {
    let json = r#"{ "b": [1.50, "x\"y\\"], "a": "\u00e9" }"#;
    assert_eq!(legible_json(json), json);
    assert!(matches!(legible_json(r#"{"b":1,"a":"é"}"#), Cow::Borrowed(_)));
}

#[test]
fn a_sequence_that_is_begun_in_one_string_does_not_reach_the_next() {
    let json = json!({ "a": "\u{1b}]0;never ended", "b": "whole", "c": "\u{1b}[" });
    let read: Value = serde_json::from_str(&legible_json(&json.to_string())).unwrap();
    assert_eq!(read, json!({ "a": "", "b": "whole", "c": "" }));
}

proptest::proptest! {
    /// Any text, in any member, comes out as legible text does, and twice is once.
    #[test]
    fn json_and_text_agree(text in "\\PC*|[\\x00-\\x9f\u{200b}-\u{200f}\u{2028}-\u{202e}\u{fe00}-\u{fe0f}\u{e0000}-\u{e007f}a\\[\\]m\\\\\"]*") {
        let once = legible(&text).into_owned();
        proptest::prop_assert_eq!(legible(&once).into_owned(), once.clone());
        let value = json!({ text.clone(): [text.clone(), { "in": text }] });
        let read: Value = serde_json::from_str(&legible_json(&value.to_string())).unwrap();
        proptest::prop_assert_eq!(read, json!({ once.clone(): [once.clone(), { "in": once }] }));
    }
}

#[test]
fn a_line_cannot_forge_another_line_colour_a_terminal_or_hide_itself() {
    assert_eq!(escape("a\nb", 1_024), "a\\u{a}b");
    assert_eq!(escape("\u{1b}[31m", 1_024), "\\u{1b}[31m");
    assert_eq!(escape("x\u{202e}y\u{200b}z", 1_024), "x\\u{202e}y\\u{200b}z");
    assert_eq!(escape("grüße", 1_024), "grüße");
    assert!(escape(&"ä".repeat(10_000), 1_024).len() <= 1_024);
}

#[test]
fn what_is_printed_draws_nothing_on_a_terminal_and_json_means_the_same() {
    let drawn = "a\u{1b}[2K\u{9b}1A\r\u{202e}b\u{e0041}\nc\u{200b}";
    assert_eq!(printable(drawn), "a\\u{1b}[2K\\u{9b}1A\\u{d}\\u{202e}b\\u{e0041}\nc\\u{200b}");
    let json = serde_json::json!({ "a": drawn, "\u{85}": 1 }).to_string();
    let shown = printable_json(&json);
    assert!(!shown.chars().any(is_invisible), "{shown}");
    let (before, after): (serde_json::Value, serde_json::Value) =
        (serde_json::from_str(&json).unwrap(), serde_json::from_str(&shown).unwrap());
    assert_eq!(before, after);
    for plain in ["", "Lampe, größer\n  indented\n", "مرحبا 日本"] {
        assert!(matches!(printable(plain), Cow::Borrowed(_)), "{plain}");
    }
}
