//! What a page is to be found for: as the caller says, else the query that brings it the most clicks.

use sdk::prelude::*;
use search::{PageQuery, page_queries};
use site::Site;
use site::brand::Brand;

/// Queries of a page that are looked through for one that does not name the brand.
const LOOKED: usize = 50;
/// The bounds of a keyword, in characters.
const CHARACTERS: std::ops::RangeInclusive<usize> = 2..=120;

/// Where the target query of a page is from.
#[value]
pub(crate) enum KeywordSource {
    /// The argument.
    Given,
    /// The query with the most clicks on the page in 28 days of Search Console that does not name the brand.
    SearchConsole,
    /// Nothing told it: no argument, and no search figures of the page.
    None,
}

/// The target query of a page, and where it is from.
pub(crate) fn of(
    cx: &Cx,
    website: Option<&Stored<Site>>,
    url: &str,
    given: Option<&str>,
) -> (Option<String>, KeywordSource) {
    let given = given.map(kit::text::collapse).filter(|it| kit::text::word_count(it) > 0);
    if given.is_some() {
        return (given, KeywordSource::Given);
    }
    let found = website.and_then(|site| queries(cx, site, url, LOOKED)).unwrap_or_default();
    match found.into_iter().next() {
        Some(best) => (Some(best.query), KeywordSource::SearchConsole),
        None => (None, KeywordSource::None),
    }
}

/// The queries of a page that do not name the brand, those with the most clicks first; `None` without search figures.
pub(crate) fn queries(cx: &Cx, site: &Stored<Site>, url: &str, most: usize) -> Option<Vec<PageQuery>> {
    let brand = Brand::of(site);
    let mut found = page_queries(cx, &site.id, url, most.max(LOOKED))?;
    found.retain(|it| CHARACTERS.contains(&it.query.chars().count()) && !brand.has(&it.query));
    found.truncate(most);
    Some(found)
}
