//! What each page of a website is worth to it, and which pages a rule found at fault.
//!
//! `worth = √(1 + pages that link to it) × 0.85^clicks from the home page`; the home page has two fifths of the whole. A page
//! for visitors alone (a basket, a sign-in) has none. Where Search Console has told at least 100 clicks in 28 days, half of the
//! worth is the page's share of them.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use search::Clicks;

use crate::index::{Entry, SiteIndex};
use crate::rules;

/// The part of the whole that the home page has, of a website with more than one page.
const HOME: f64 = 0.4;
/// What is left of a page's worth with each click.
const PER_CLICK: f64 = 0.85;
/// Clicks beyond which nothing more is taken off, and those of a page that no link leads to.
const DEEPEST: u32 = 10;
/// Clicks in 28 days from which they tell the worth of pages.
const MIN_CLICKS: u64 = 100;
/// The part of the worth that clicks decide then.
const BY_CLICKS: f64 = 0.5;
/// Runs of pages that are remembered for one rule: all rules together have to fit between two steps. What comes after them
/// counts as the average of the pages that do.
const RUNS: usize = 150;

/// What the pages of a website are worth.
#[derive(Debug, Default)]
pub struct Worth {
    by_url: HashMap<String, f64>,
    in_order: Vec<f64>,
    home: Option<String>,
    total: f64,
    /// Whether clicks are part of it.
    pub by_clicks: bool,
}

impl Worth {
    /// By a whole crawl, whose links have been counted, and by the clicks of its pages where they are known.
    #[must_use]
    pub fn of(index: &SiteIndex, origin: &str, clicks: Option<&Clicks>) -> Self {
        let mut worth = Self::by_links(index, origin);
        if let Some(clicks) = clicks {
            worth.weigh(index, clicks);
        }
        worth
    }

    /// Mixes in the clicks of the pages; those of a redirect belong to the page that it leads to now.
    fn weigh(&mut self, index: &SiteIndex, clicks: &Clicks) {
        let target = |entry: &Entry| -> Option<String> {
            if !entry.redirects() {
                return Some(entry.url.clone());
            }
            index.chain(entry).last.filter(|last| !last.fails()).map(|last| last.url.clone())
        };
        let mut counted: HashMap<String, u64> = HashMap::new();
        for entry in index.all().filter(|it| !it.external) {
            let own = clicks.of(&entry.url);
            if own > 0
                && let Some(url) = target(entry)
            {
                *counted.entry(url).or_default() += own;
            }
        }
        let all: u64 = counted.values().sum();
        if all < MIN_CLICKS || self.total <= 0.0 {
            return;
        }
        for (entry, worth) in index.all().zip(&mut self.in_order) {
            let of_clicks =
                kit::number::as_number(counted.get(&entry.url).copied().unwrap_or(0)) / kit::number::as_number(all);
            *worth = (1.0 - BY_CLICKS) * *worth / self.total + BY_CLICKS * of_clicks;
            self.by_url.insert(entry.url.clone(), *worth);
        }
        self.total = 1.0;
        self.by_clicks = true;
    }

    fn by_links(index: &SiteIndex, origin: &str) -> Self {
        let home = index.home(origin).map(|entry| entry.url.clone());
        let mut worth = Self { home, ..Self::default() };
        for entry in index.all() {
            let is_home = worth.home.as_deref() == Some(entry.url.as_str());
            // A redirect stands for the page that it leads to; one that leads to none is worth what that would be.
            let passes_on = entry.redirects() && index.chain(entry).last.is_some_and(|last| !last.fails());
            let own = if is_home || entry.external || passes_on { 0.0 } else { of_page(entry) };
            worth.in_order.push(own);
            worth.by_url.insert(entry.url.clone(), own);
            worth.total += own;
        }
        if let Some(home) = &worth.home {
            let own = if worth.total > 0.0 { worth.total * HOME / (1.0 - HOME) } else { 1.0 };
            worth.by_url.insert(home.clone(), own);
            if let Some(at) = index.all().position(|entry| entry.url == *home) {
                worth.in_order[at] = own;
            }
            worth.total += own;
        }
        worth
    }

    /// The part of the whole that a page has, from 0 to 1.
    #[must_use]
    pub fn share(&self, url: &str) -> f64 {
        self.part(self.by_url.get(url).copied().unwrap_or_default())
    }

    /// The part of the whole that the pages of a rule have together.
    #[must_use]
    pub fn of_spread(&self, spread: &Spread) -> f64 {
        let sum = |(start, end): &(u32, u32)| -> f64 {
            self.in_order
                .get(*start as usize..(*end as usize).min(self.in_order.len()))
                .unwrap_or_default()
                .iter()
                .sum()
        };
        let known: f64 = spread.runs.iter().map(sum).sum();
        let after = spread.runs.last().map_or(0, |(_, end)| *end as usize).min(self.in_order.len());
        let (behind, pages) = (&self.in_order[after..], (self.in_order.len() - after).max(1));
        #[expect(clippy::cast_precision_loss, reason = "a crawl has 100,000 pages at most")]
        let average = behind.iter().sum::<f64>() / pages as f64;
        self.part(known + average * f64::from(spread.more))
    }

    /// Whether an address is the home page.
    #[must_use]
    pub fn is_home(&self, url: &str) -> bool {
        self.home.as_deref() == Some(url)
    }

    fn part(&self, worth: f64) -> f64 {
        if self.total > 0.0 { (worth / self.total).clamp(0.0, 1.0) } else { 0.0 }
    }
}

fn of_page(entry: &Entry) -> f64 {
    if rules::is_service_page(&entry.url) {
        return 0.0;
    }
    let clicks = entry.depth.unwrap_or(DEEPEST).min(DEEPEST);
    f64::from(1 + entry.inlinks).sqrt() * PER_CLICK.powi(i32::try_from(clicks).unwrap_or(0))
}

/// The pages that a rule found at fault, as runs of their numbers in the crawl: a fault of a template is one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// First, and first that is no more of it.
    runs: Vec<(u32, u32)>,
    /// Pages beyond those that are remembered.
    more: u32,
}

impl Spread {
    /// Adds a page; the same page twice is one.
    pub fn add(&mut self, at: u32) {
        let known = self.runs.len();
        match self.runs.last_mut() {
            Some((start, end)) if (*start..*end).contains(&at) => {}
            Some((_, end)) if *end == at => *end += 1,
            _ if known < RUNS => self.runs.push((at, at + 1)),
            _ => self.more += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(url: &str, depth: u32, inlinks: u32) -> Entry {
        Entry {
            url: format!("https://shop.example{url}"),
            status: 200,
            page: true,
            depth: Some(depth),
            inlinks,
            ..Entry::default()
        }
    }

    #[test]
    fn the_home_page_has_two_fifths_and_what_is_linked_more_is_worth_more() {
        let entries =
            vec![entry("/", 0, 9), entry("/a", 1, 9), entry("/b", 1, 1), entry("/b/c", 2, 1), entry("/cart", 1, 9)];
        let worth = Worth::of(&SiteIndex::new(entries, true), "https://shop.example", None);
        let share = |path: &str| worth.share(&format!("https://shop.example{path}"));
        assert!((share("/") - 0.4).abs() < 1e-9);
        assert!(
            share("/a") > share("/b") && share("/b") > share("/b/c"),
            "{} {} {}",
            share("/a"),
            share("/b"),
            share("/b/c")
        );
        assert_eq!(share("/cart"), 0.0, "nobody looks for a basket");
        let all: f64 = ["/", "/a", "/b", "/b/c"].map(share).iter().sum();
        assert!((all - 1.0).abs() < 1e-9);
    }

    #[test]
    fn clicks_decide_half_of_the_worth_where_there_are_enough() {
        use search::trial::store_pages;

        let entries = vec![entry("/", 0, 9), entry("/a", 1, 9), entry("/b", 1, 9)];
        let index = SiteIndex::new(entries, true);
        let fake = crate::fake();
        let shown = |day: &str, path: &str, clicks: u64| {
            let day = day.parse().expect("a day");
            let figures = kit::pack::Search { clicks, impressions: clicks * 10, positions: clicks * 30 };
            (day, format!("https://shop.example{path}"), figures)
        };
        store_pages(
            &fake,
            "81",
            &[shown("2026-09-20", "/b", 60), shown("2026-09-20", "/", 30), shown("2026-09-20", "/old", 500)],
        );
        let few = Clicks::newest(&fake, &sdk::value::Id::new("81")).expect("clicks");
        assert!(
            !Worth::of(&index, "https://shop.example", Some(&few)).by_clicks,
            "90 clicks of known pages are too few"
        );
        store_pages(&fake, "81", &[shown("2026-09-21", "/b", 30)]);
        let clicks = Clicks::newest(&fake, &sdk::value::Id::new("81")).expect("clicks");
        let worth = Worth::of(&index, "https://shop.example", Some(&clicks));
        let share = |path: &str| worth.share(&format!("https://shop.example{path}"));
        assert!(worth.by_clicks);
        // Two fifths and 30 of 120 clicks; three tenths and none; three tenths and 90 clicks.
        for (path, wanted) in [("/", 0.2 + 0.125), ("/a", 0.15), ("/b", 0.15 + 0.375)] {
            assert!((share(path) - wanted).abs() < 1e-9, "{path}: {}", share(path));
        }
    }

    #[test]
    fn a_spread_is_worth_what_its_pages_are_worth_and_goes_on_past_its_bound() {
        let entries: Vec<Entry> = (0..2_000).map(|at| entry(&format!("/p{at}"), 1, 0)).collect();
        let worth = Worth::of(&SiteIndex::new(entries, true), "https://shop.example", None);
        let mut all = Spread::default();
        (0..2_000).for_each(|at| all.add(at));
        assert_eq!(all.runs.len(), 1);
        assert!((worth.of_spread(&all) - 1.0).abs() < 1e-9);
        let mut half = Spread::default();
        (0..2_000).step_by(2).for_each(|at| half.add(at));
        assert!((worth.of_spread(&half) - 0.5).abs() < 1e-9, "{}", worth.of_spread(&half));
    }
}
