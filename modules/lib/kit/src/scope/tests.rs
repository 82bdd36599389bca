//! Tests of `scope`.

use super::{Left, Patterns, is_trap};

fn left(include: &[&str], exclude: &[&str], url: &str) -> Option<Left> {
    let own = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    Patterns { include: &own(include), exclude: &own(exclude) }.left(url)
}

#[test]
fn patterns_are_compared_with_the_path_the_whole_address_or_anywhere() {
    let url = "https://shop.example/blog/post.html?page=2";
    assert_eq!(left(&[], &[], url), None);
    assert_eq!(left(&["/blog/"], &[], url), None);
    assert_eq!(left(&["/shop/"], &[], url), Some(Left::NotIncluded));
    assert_eq!(left(&[], &["page="], url), Some(Left::Excluded));
    assert_eq!(left(&[], &["/*.html$"], url), None);
    assert_eq!(left(&["https://shop.example/blog"], &["/blog/*page"], url), Some(Left::Excluded));
}

#[test]
fn loops_and_piles_of_filters_are_traps_and_ordinary_depth_is_not() {
    assert!(is_trap("https://shop.example/a/b/a/b/a/b/a/b/"));
    assert!(is_trap("https://shop.example/x/x/x/x"));
    assert!(is_trap(&format!("https://shop.example/?{}", (0..12).map(|n| format!("f{n}=1&")).collect::<String>())));
    assert!(is_trap(&format!("https://shop.example/{}", "a".repeat(3_000))));
    assert!(!is_trap("https://shop.example/2026/01/01/01/title"));
    assert!(!is_trap("https://shop.example/a/b/c/d/e/f?x=1&y=2"));
}
