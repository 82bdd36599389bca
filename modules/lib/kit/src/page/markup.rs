//! What the markup of a page offers to people and programs, as it is stored.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the markup of a page offers to people and programs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Markup {
    /// The `dir` attribute of `<html>` or `<body>`, in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Whether it calls itself an AMP document.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub amp: bool,
    /// Elements that stand for the main content: `<main>` and `role=main`. None in pages read before they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mains: Option<u32>,
    /// Fields for input without a label, `aria-label`, `aria-labelledby` or `title`.
    #[serde(skip_serializing_if = "is_zero")]
    pub fields_unnamed: u32,
    /// Buttons without text, alternative text, `aria-label`, `aria-labelledby` or `title`.
    #[serde(skip_serializing_if = "is_zero")]
    pub buttons_unnamed: u32,
    /// Frames without `title` or `aria-label` that are not hidden.
    #[serde(skip_serializing_if = "is_zero")]
    pub frames_untitled: u32,
    /// Frames without `loading=lazy`.
    #[serde(skip_serializing_if = "is_zero")]
    pub frames_eager: u32,
    /// Videos with sound and without a track of captions.
    #[serde(skip_serializing_if = "is_zero")]
    pub videos_uncaptioned: u32,
    /// Videos and recordings that play by themselves, with sound.
    #[serde(skip_serializing_if = "is_zero")]
    pub autoplaying: u32,
    /// Elements with a `tabindex` above 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub tab_ordered: u32,
    /// Obsolete elements, each once, in order of first appearance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub obsolete: Vec<String>,
    /// Files for plugins that browsers have no more: Flash, Java, Silverlight; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plugins: Vec<String>,
    /// Ids that more than one element has; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ids_repeated: Vec<String>,
    /// Fragments that links of the page lead to although nothing on it has that id or name; at most 10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fragments_missing: Vec<String>,
    /// Links to the site itself whose address carries campaign parameters.
    #[serde(skip_serializing_if = "is_zero")]
    pub links_tracked: u32,
    /// The first of them, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_tracked: Option<String>,
    /// The first element behind a count of the page, by the name of the count: `fields_unnamed`, `uncrawlable` and so on.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub firsts: BTreeMap<String, String>,
    /// Bytes of scripts that stand in the page itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub script_bytes: u32,
    /// Bytes of style sheets that stand in the page itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub style_bytes: u32,
    /// `@import` rules in style sheets that stand in the page itself.
    #[serde(skip_serializing_if = "is_zero")]
    pub style_imports: u32,
    /// Whether a script of the page writes into it with `document.write`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub document_write: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Markup {
    /// Keeps the first element that is counted, as the proof.
    pub(super) fn note(&mut self, count: &str, element: impl FnOnce() -> String) {
        if !self.firsts.contains_key(count) {
            self.firsts.insert(count.to_owned(), element());
        }
    }

    /// The first element behind a count, as it is written; none in pages read before they were kept.
    #[must_use]
    pub fn first(&self, count: &str) -> Option<&str> {
        self.firsts.get(count).map(String::as_str)
    }
}
