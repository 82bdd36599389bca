//! Spellings of one person, and of two.

use super::*;

fn same(one: &str, other: &str) -> bool {
    agreement(one, other).is_some()
}

#[test]
fn white_space_is_no_difference() {
    assert_eq!(agreement("Ada  Lovelace", " Ada Lovelace "), Some(Agreement::Exact));
}

#[test]
fn the_same_person_is_known_in_other_spellings() {
    for (one, other) in [
        ("Ada Lovelace", "ada lovelace"),
        ("Lovelace, Ada", "Ada Lovelace"),
        ("Dr. Ada Lovelace, PhD", "Ada Lovelace"),
        ("Jürgen Müller", "Jurgen Muller"),
        ("Jo\u{308}rg Weiß", "Jörg Weiss"),
        ("Katherine Johnson", "Kathrine Johnson"),
        ("Jane A. Doe", "Jane Doe"),
        ("Anne-Marie Slaughter", "Anne Marie Slaughter"),
    ] {
        assert!(matches!(agreement(one, other), Some(Agreement::Close(it)) if it >= 0.92), "{one} / {other}");
    }
}

#[test]
fn two_persons_are_two() {
    for (one, other) in [
        ("Jane Doe", "Jane Roe"),
        ("Jane Doe", "John Doe"),
        ("Ada Lovelace", "Grace Hopper"),
        ("Ada", "Ada Lovelace"),
        ("Michael Smith", "Michael Schmidt"),
        ("", "Ada"),
        ("...", "Ada"),
    ] {
        assert!(!same(one, other), "{one} / {other}");
    }
}

#[test]
fn a_generic_byline_names_nobody() {
    for it in [
        "admin",
        "Admin",
        "The Editorial Team",
        "Staff Writer",
        "Editors",
        "Redaktion",
        "info@shop.example",
        "Marketing Team",
    ] {
        assert!(is_generic(it), "{it}");
    }
    for it in ["Ada Lovelace", "Adam Minter", "Ed Itor", "Guest Marten"] {
        assert!(!is_generic(it), "{it}");
    }
}
