//! Tests of `perform`.

use super::{depth, harmless};

#[test]
fn depth_counts_brackets_outside_strings() {
    assert_eq!(depth(br#"{"a":[[1]],"b":"[[[[{{","c":"\"[["}"#), 3);
    assert_eq!(depth(b"{}"), 1);
    assert_eq!(depth(b"1"), 0);
    assert_eq!(depth("[".repeat(1_000).as_bytes()), 1_000);
}

#[test]
fn a_line_cannot_forge_another_line_colour_a_terminal_or_hide_itself() {
    assert_eq!(harmless("a\nb"), "a\\u{a}b");
    assert_eq!(harmless("\u{1b}[31m"), "\\u{1b}[31m");
    assert_eq!(harmless("x\u{202e}y\u{200b}z"), "x\\u{202e}y\\u{200b}z");
    assert_eq!(harmless("grüße"), "grüße");
    assert!(harmless(&"ä".repeat(10_000)).len() <= 1_024);
}
