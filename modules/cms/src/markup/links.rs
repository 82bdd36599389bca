//! Addresses that links lead to, exchanged.

use std::collections::BTreeMap;

use kit::insertion::marks;
use kit::url::{Url, normalize, resolve};

use super::{in_block, read, replaced, strings, written};

/// Members of blocks of the core library that repeat an address of their content (block library 11.1.0).
const MEMBERS: [(&str, &str); 10] = [
    ("file", "href"),
    ("media-text", "mediaLink"),
    ("embed", "url"),
    ("navigation-link", "url"),
    ("navigation-submenu", "url"),
    ("page-list-item", "link"),
    ("social-link", "url"),
    ("rss", "feedURL"),
    ("cover", "url"),
    ("playlist-track", "src"),
];

/// What is exchanged: normal addresses without a fragment, and what takes their place as it is written.
pub(crate) type Pairs = BTreeMap<String, String>;

/// A content with its links exchanged, and how many were.
///
/// An address fits when it is the same one: references of characters read, resolved against the page, normalised. `from`
/// without a fragment fits any fragment, which is kept.
pub(crate) fn exchanged(raw: &str, page: &Url, pairs: &Pairs) -> Option<(String, u64)> {
    let new = |value: &str| -> Option<String> {
        let url = resolve(page, value.trim())?;
        let fragment = url.fragment().map(str::to_owned);
        if let Some(to) = pairs.get(&normalize(url.as_str())?) {
            return Some(match &fragment {
                Some(fragment) if !to.contains('#') => format!("{to}#{fragment}"),
                _ => to.clone(),
            });
        }
        let whole = format!("{}#{}", normalize(url.as_str())?, fragment?);
        pairs.get(&whole).cloned()
    };
    let found = marks(raw);
    let mut edits = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for it in found.attributes.iter().filter(|it| matches!(it.element.as_str(), "a" | "area") && it.name == "href") {
        // The first of two attributes of one name counts.
        if !seen.insert(it.tag.start) {
            continue;
        }
        let Some(to) = new(&read(&raw[it.value.clone()])) else { continue };
        let to = match it.quote {
            Some(quote) => written(&to, quote),
            None => format!("\"{}\"", written(&to, '"')),
        };
        edits.push((it.value.clone(), to));
    }
    let places = edits.len() as u64;
    for block in &found.blocks {
        let name = block.name.strip_prefix("core/").unwrap_or(&block.name);
        let json = &raw[block.json.clone()];
        for (member, range, text) in strings(json) {
            if !MEMBERS.contains(&(name, member.as_str())) {
                continue;
            }
            if let Some(to) = new(&text) {
                edits.push((block.json.start + range.start..block.json.start + range.end, in_block(&to)));
            }
        }
    }
    if edits.is_empty() {
        return None;
    }
    let places = places.max(1);
    Some((replaced(raw, edits), places))
}
