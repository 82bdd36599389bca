//! Clicks of pages in the last 28 stored days: what other modules weigh pages by.

use std::collections::BTreeMap;

use sdk::prelude::*;
use site::Site;

use crate::{Cut, Figures, Period, SearchType, last_day, parts};

/// Days that are counted.
const DAYS: i32 = 28;

/// The clicks from web results of each page of a website.
#[derive(Debug, Clone)]
pub struct Clicks {
    by_page: BTreeMap<String, u64>,
    /// The days that are counted.
    pub period: Period,
}

impl Clicks {
    /// The clicks of the last 28 stored days; `None` when no figures by page are stored for them.
    #[must_use]
    pub fn newest(cx: &Cx, site: &Id<Site>) -> Option<Self> {
        let period = Period::ending(last_day(cx, site, SearchType::Web)?, DAYS);
        let figures = Figures::of(cx, site, SearchType::Web);
        if figures.stored_days(Cut::Pages, period) == 0 {
            return None;
        }
        let mut by_page: BTreeMap<String, u64> = BTreeMap::new();
        let read = figures.sums(Cut::Pages, period, b"", |key, sum| {
            let page = parts(key).0;
            let normal = kit::url::normalize(page).unwrap_or_else(|| page.to_owned());
            *by_page.entry(normal).or_default() += sum.clicks;
        });
        read.ok()?;
        Some(Self { by_page, period })
    }

    /// The clicks of a page, by its normal address.
    #[must_use]
    pub fn of(&self, url: &str) -> u64 {
        self.by_page.get(url).copied().unwrap_or(0)
    }

    /// Whether a page was shown, by its normal address.
    #[must_use]
    pub fn has(&self, url: &str) -> bool {
        self.by_page.contains_key(url)
    }

    /// All pages that were shown, with their clicks.
    pub fn pages(&self) -> impl Iterator<Item = (&str, u64)> {
        self.by_page.iter().map(|(page, clicks)| (page.as_str(), *clicks))
    }
}
