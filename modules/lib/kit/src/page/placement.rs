//! Where on a page an element stands, by the nearest landmark.
//!
//! A landmark is an element or ARIA role (HTML-AAM 1.0: `header` and `footer` count only outside article, aside, main,
//! nav and section). Without one, class and id words that themes use everywhere are taken as a hint, and without these the layout
//! (`layout.rs`).

use html5ever::Attribute;

use super::parts::Placement;
use crate::dom::attribute;

/// What an element says of the place of everything in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// A landmark: certain.
    Landmark(Placement),
    /// A hint by class or id: counts where no landmark encloses it, and inside main.
    Hint(Placement),
    /// Nothing.
    Silent,
}

pub(super) fn sign(name: &str, attrs: &[Attribute], in_section: bool) -> Sign {
    if let Some(role) = attribute(attrs, "role") {
        match role.trim() {
            "navigation" | "menu" | "menubar" => return Sign::Landmark(Placement::Nav),
            "banner" => return Sign::Landmark(Placement::Header),
            "main" => return Sign::Landmark(Placement::Main),
            "complementary" => return Sign::Landmark(Placement::Aside),
            "contentinfo" => return Sign::Landmark(Placement::Footer),
            _ => {}
        }
    }
    match name {
        "nav" => Sign::Landmark(Placement::Nav),
        "main" => Sign::Landmark(Placement::Main),
        "aside" => Sign::Landmark(Placement::Aside),
        "header" if !in_section => Sign::Landmark(Placement::Header),
        "footer" if !in_section => Sign::Landmark(Placement::Footer),
        "div" | "ul" | "ol" | "section" | "details" | "td" | "table" | "p" => hint(attrs, in_section),
        _ => Sign::Silent,
    }
}

fn hint(attrs: &[Attribute], in_section: bool) -> Sign {
    let words =
        ["id", "class"].into_iter().filter_map(|name| attribute(attrs, name)).flat_map(str::split_ascii_whitespace);
    for word in words {
        let word = word.to_ascii_lowercase();
        let has = |part: &str| word.contains(part);
        if has("breadcrumb")
            || has("navbar")
            || has("navigation")
            || has("pagination")
            || is_word(&word, "nav")
            || is_word(&word, "menu")
            || is_word(&word, "toc")
        {
            return Sign::Hint(Placement::Nav);
        }
        if has("sidebar") || is_word(&word, "aside") || is_word(&word, "widget") {
            return Sign::Hint(Placement::Aside);
        }
        if !in_section {
            if has("footer") || word == "colophon" {
                return Sign::Hint(Placement::Footer);
            }
            if matches!(
                word.as_str(),
                "header" | "site-header" | "page-header" | "masthead" | "topbar" | "top-bar" | "siteheader"
            ) {
                return Sign::Hint(Placement::Header);
            }
        }
    }
    Sign::Silent
}

/// Whether `part` is one of the hyphenated words of a class name.
fn is_word(name: &str, part: &str) -> bool {
    name.split(['-', '_']).any(|word| word == part)
}
