//! Cuts: the sets of dimensions that figures are stored by, and their keys.

use sdk::prelude::*;

/// Separates the parts of a key.
const SEPARATOR: char = '\0';

/// What Search Console counts: the kind of result.
#[value]
#[derive(Default)]
pub enum SearchType {
    /// Results of all kinds on the main page.
    #[default]
    Web,
    /// The image results.
    Image,
    /// The video results.
    Video,
    /// The news tab.
    News,
    /// Google Discover: no queries, devices or positions.
    Discover,
    /// Google News: no queries or positions.
    GoogleNews,
}

impl SearchType {
    /// Its name in this module's keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Image => "image",
            Self::Video => "video",
            Self::News => "news",
            Self::Discover => "discover",
            Self::GoogleNews => "google_news",
        }
    }

    /// Its name in the API.
    #[must_use]
    pub fn wire(self) -> &'static str {
        if self == Self::GoogleNews { "googleNews" } else { self.name() }
    }

    /// Whether Search Console has these dimensions for it.
    #[must_use]
    pub fn has(self, cut: Cut) -> bool {
        let (queries, devices) = match self {
            Self::Discover => (false, false),
            Self::GoogleNews => (false, true),
            _ => (true, true),
        };
        match cut {
            Cut::Pages => true,
            Cut::Appearances => self != Self::GoogleNews,
            Cut::Queries | Cut::Details => queries,
            Cut::Markets => devices,
            // Without devices a page's row has its country alone.
            Cut::PageMarkets => true,
        }
    }
}

/// A set of dimensions that figures are stored by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// Country and device, summed by property.
    Markets,
    /// Page.
    Pages,
    /// Page and country.
    PageMarkets,
    /// Query, summed by property; rare queries are left out by Google.
    Queries,
    /// Page and query; rare queries are left out by Google.
    Details,
    /// Search appearance, and search appearance with page.
    Appearances,
}

impl Cut {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Markets, Self::Pages, Self::PageMarkets, Self::Queries, Self::Details, Self::Appearances];

    /// Its name in blob keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Markets => "markets",
            Self::Pages => "pages",
            Self::PageMarkets => "page_markets",
            Self::Queries => "queries",
            Self::Details => "details",
            Self::Appearances => "appearances",
        }
    }
}

/// The key of these parts. Zero bytes within a part are removed, because they separate parts.
#[must_use]
pub fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let mut key = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            key.push(0);
        }
        key.extend(part.bytes().filter(|byte| *byte != 0));
    }
    key
}

/// The first and second part of a key; the second is empty when there is none.
#[must_use]
pub fn parts(key: &[u8]) -> (&str, &str) {
    let text = std::str::from_utf8(key).unwrap_or_default();
    text.split_once(SEPARATOR).unwrap_or((text, ""))
}
