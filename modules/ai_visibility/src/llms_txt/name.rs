//! What a website calls itself: its brand, else what its titles share. What its customer calls it is nobody else's to read.

use std::collections::BTreeMap;

use kit::page::PageFacts;
use sdk::prelude::*;
use site::Site;

use super::format::escaped;
use crate::brand::{self, BrandSet};

/// What stands between the parts of a title.
const BETWEEN: &[&str] = &[" | ", " - ", " \u{2013} ", " \u{2014} ", " \u{b7} ", " \u{bb} ", " :: "];
/// Titles below which nothing is said of what they share.
const LEAST: usize = 3;

/// Words of a home page's title that is taken for a name.
const WORDS: usize = 3;

/// The name of a website, from its brands, its home page and the titles of its pages.
pub(super) fn of<'a>(
    cx: &Cx,
    site: &Stored<Site>,
    home: Option<&PageFacts>,
    titles: impl Iterator<Item = &'a str>,
) -> String {
    let set = cx.records::<BrandSet>().find(&site.id.cast()).map(Stored::into_inner);
    let own = set.and_then(|it| it.brands.into_iter().find(|it| it.own)).map(|it| it.name);
    own.or_else(|| home.and_then(declared))
        .or_else(|| shared(titles))
        .or_else(|| home.and_then(short))
        .unwrap_or_else(|| brand::plain(&site.domain))
}

/// `og:site_name` of the Open Graph protocol.
fn declared(home: &PageFacts) -> Option<String> {
    let said = home.open_graph.iter().find(|(name, _)| name.trim_start_matches("og:") == "site_name");
    said.map(|(_, it)| escaped(it)).filter(|it| !it.is_empty())
}

/// The home page's title, where it is no sentence.
fn short(home: &PageFacts) -> Option<String> {
    let title = home.titles.first().map(|it| escaped(it))?;
    (1..=WORDS).contains(&title.split_whitespace().count()).then_some(title)
}

/// What more than half of the titles begin or end with.
fn shared<'a>(titles: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut count = 0;
    let mut parts: BTreeMap<&str, usize> = BTreeMap::new();
    for title in titles {
        count += 1;
        let first = BETWEEN.iter().filter_map(|it| title.split_once(it)).map(|(it, _)| it).min_by_key(|it| it.len());
        let last = BETWEEN.iter().filter_map(|it| title.rsplit_once(it)).map(|(_, it)| it).min_by_key(|it| it.len());
        for part in first.into_iter().chain(last).map(str::trim).filter(|it| !it.is_empty()) {
            *parts.entry(part).or_default() += 1;
        }
    }
    let most = parts.into_iter().max_by_key(|it| it.1)?;
    (count >= LEAST && most.1 * 2 > count).then(|| most.0.to_owned())
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn the_name_is_what_most_titles_share_at_one_end_and_nothing_where_they_share_nothing() {
        let of = |titles: &[&str]| shared(titles.iter().copied());
        assert_eq!(
            of(&["Brass lamps | Lamp shop", "Lamp shop | Home", "About - us | Lamp shop"]).as_deref(),
            Some("Lamp shop")
        );
        assert_eq!(
            of(&["Acme \u{2013} Start", "Acme \u{2013} Preise \u{2013} 2026", "Acme \u{2013} Hilfe"]).as_deref(),
            Some("Acme")
        );
        assert_eq!(of(&["Brass lamps", "Desk lamps", "About us"]), None);
        assert_eq!(of(&["Brass lamps | Lamp shop", "Desk lamps | Lamp shop"]), None, "two say too little");
        assert_eq!(of(&["A | Shop", "B | Shop", "C", "D", "E"]), None, "less than half");
    }
}
