//! Result pages: `rankings.serp.*`, and how they are shown.

pub(crate) mod compare;
pub(crate) mod get;
pub(crate) mod live;

use sdk::prelude::*;
use serps::{Feature, registrable};

use crate::board::is_within;
use crate::snapshot::Snapshot;

/// An element of a result page.
#[value]
pub(crate) struct Item {
    /// `organic`, or the provider's name of the element.
    #[own]
    kind: String,
    /// The place among the organic results; null for other elements.
    position: Option<u32>,
    /// The place among all elements; null when the provider does not say it.
    absolute: Option<u32>,
    url: Option<String>,
    /// A registrable domain.
    domain: Option<String>,
    title: Option<String>,
    /// Pixels from the top of the page, when they were asked for.
    pixels: Option<u32>,
    /// Whether it is of the website.
    owned: bool,
}

/// An element beside the organic results.
#[value]
pub(crate) struct Shown {
    feature: Feature,
    /// The provider's name of it.
    #[own]
    kind: String,
    absolute: Option<u32>,
    /// The domains that it shows or quotes, each once.
    owners: Vec<String>,
    /// Whether one of them is the website.
    owned: bool,
    /// Addresses that it shows or quotes, at most 12.
    addresses: Vec<String>,
    /// Its questions or searches, at most 8.
    texts: Vec<String>,
}

/// A result page.
#[value]
pub(crate) struct Serp {
    keyword: String,
    /// The day, in UTC.
    date: Day,
    /// Engine, place, language and device.
    market: String,
    /// Places that were asked for.
    depth: u32,
    /// When it was fetched; midnight of its day for an imported page.
    fetched_at: Moment,
    /// The provider's id of the task; null for an imported page.
    provider_task: Option<String>,
    /// All elements in their order on the page, organic results among them.
    items: Vec<Item>,
    /// The elements beside organic results.
    features: Vec<Shown>,
}

/// A page as answers show it; `host` is that of the website, when there is one.
pub(crate) fn shown(snapshot: Snapshot, host: Option<&str>) -> Serp {
    let owned = |url: &str| host.is_some_and(|it| is_within(url, it));
    let mut items: Vec<Item> = Vec::new();
    let mut features: Vec<Shown> = Vec::new();
    for it in snapshot.page.results {
        items.push(Item {
            kind: "organic".to_owned(),
            position: Some(it.position),
            absolute: it.absolute,
            domain: registrable(&it.url),
            owned: owned(&it.url),
            title: Some(it.title).filter(|it| !it.is_empty()),
            pixels: it.pixels,
            url: Some(it.url),
        });
    }
    for it in snapshot.page.elements {
        let mut owners: Vec<String> = Vec::new();
        for domain in it.urls.iter().filter_map(|url| registrable(url)) {
            if !owners.contains(&domain) {
                owners.push(domain);
            }
        }
        let is_owned = it.urls.iter().any(|url| owned(url));
        items.push(Item {
            kind: it.kind.clone(),
            position: None,
            absolute: it.absolute,
            url: None,
            domain: None,
            title: None,
            pixels: None,
            owned: is_owned,
        });
        features.push(Shown {
            feature: it.feature,
            kind: it.kind,
            absolute: it.absolute,
            owners,
            owned: is_owned,
            addresses: it.urls,
            texts: it.texts,
        });
    }
    // Elements whose place is not known come last.
    items.sort_by_key(|it| (it.absolute.or(it.position).unwrap_or(u32::MAX), it.position.unwrap_or(u32::MAX)));
    Serp {
        keyword: snapshot.keyword,
        date: snapshot.date,
        market: snapshot.market,
        depth: snapshot.depth,
        fetched_at: Moment::from_millis(snapshot.fetched_ms),
        provider_task: Some(snapshot.task).filter(|it| !it.is_empty()),
        items,
        features,
    }
}
