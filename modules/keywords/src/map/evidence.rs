//! What speaks for a page: its words, the clicks of the keywords, and where search engines show it.

use std::collections::{HashMap, HashSet};

use kit::bm25::Postings;
use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Degraded, json};
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use site::Site;
use site::pages::Crawl;

use super::Unit;
use crate::normal::normal;
use crate::stored::Set;
use kit::number::as_number;

/// Pages that keywords are mapped to.
pub(super) const MAX_PAGES: usize = 2_000;
/// Words of a page's text that count.
const MAX_WORDS: usize = 300;
/// What a word counts in the title and in the first heading.
const TITLE: f64 = 3.0;
const H1: f64 = 2.0;
/// Keywords of a unit that are looked for, the main one twice as heavy as the others.
const MAX_QUERIES: usize = 10;
/// Days of clicks.
const DAYS: i32 = 28;
/// The weights of words, clicks and places.
const WEIGHTS: [f64; 3] = [0.5, 0.3, 0.2];
/// Pages that are looked at for one keyword.
const MAX_CANDIDATES: usize = 50;

/// The pages of a website with what is known of them.
pub(super) struct Evidence<'a> {
    site: &'a Stored<Site>,
    pages: Vec<String>,
    by_url: HashMap<String, usize>,
    index: Postings,
    analyzer: Analyzer,
    /// Clicks and impressions of pages by query in normal form; `None` when no figures are stored.
    clicks: Option<HashMap<String, Vec<(usize, Search)>>>,
    /// The page of the website on the newest result page, by keyword.
    shown: HashMap<String, String>,
    pub(super) degraded: Vec<Degraded>,
}

/// A page and how much speaks for it, 0 to 1.
pub(super) struct Best {
    pub(super) url: String,
    pub(super) score: f64,
}

impl<'a> Evidence<'a> {
    /// Reads the newest crawl, the search figures and the stored result pages.
    pub(super) fn read(cx: &Cx, site: &'a Stored<Site>, set: &Stored<Set>) -> Result<Self> {
        site::required(cx, &site.id)?;
        let language = set.language();
        let analyzer = Analyzer::new(&language);
        let (mut pages, mut texts, mut degraded) = (Vec::new(), Vec::new(), Vec::new());
        if let Some(crawl) = Crawl::newest(cx, &site.id) {
            for page in crawl.pages(0).filter(|it| it.indexable) {
                if pages.len() == MAX_PAGES {
                    let why = format!("only the first {MAX_PAGES} indexable pages of the crawl were looked at");
                    degraded.push(Degraded::new("pages", why));
                    break;
                }
                let mut terms: HashMap<String, f64> = HashMap::new();
                let words: String = page.plain.split_whitespace().take(MAX_WORDS).collect::<Vec<_>>().join(" ");
                for (text, weight) in [
                    (page.title.as_deref().unwrap_or_default(), TITLE),
                    (page.h1.as_deref().unwrap_or_default(), H1),
                    (words.as_str(), 1.0),
                ] {
                    analyzer.stems(text).into_iter().for_each(|stem| *terms.entry(stem).or_default() += weight);
                }
                pages.push(page.url);
                texts.push(terms);
            }
        }
        let by_url: HashMap<String, usize> = pages.iter().enumerate().map(|(at, url)| (url.clone(), at)).collect();
        let clicks = clicks(cx, site, &by_url, &language, &mut degraded);
        let snapshots = crate::cluster::pages::newest(cx, set);
        let own = |it: &serps::SnapshotRecord| it.best(|url| site.has(url)).map(|it| it.url.clone());
        let shown = snapshots.iter().filter_map(|(keyword, it)| Some((keyword.clone(), own(it)?))).collect();
        Ok(Self { site, pages, by_url, index: Postings::new(&texts), analyzer, clicks, shown, degraded })
    }

    /// The best page for a unit; `None` when nothing speaks for any.
    pub(super) fn best(&self, unit: &Unit) -> Option<Best> {
        let mut words: HashMap<usize, f64> = HashMap::new();
        let mut weight = 0.0;
        for (at, row) in unit.rows.iter().take(MAX_QUERIES).enumerate() {
            let own = if at == 0 { 2.0 } else { 1.0 };
            weight += own;
            let query = self.analyzer.query(&row.normal);
            let found = self.index.best(&query, MAX_CANDIDATES);
            let most = found.first().map_or(0.0, |it| it.1);
            // Of very few pages the words that all of them hold weigh nothing, or less: then all fit alike.
            let relative = |score: f64| if most > 0.0 { (score / most).max(0.0) } else { 1.0 };
            // The best page may still hold only one word of three: what it lacks of the keyword is not there.
            for (page, score) in found {
                *words.entry(page).or_default() += own * relative(score) * self.index.held(&query, page);
            }
        }
        words.values_mut().for_each(|it| *it /= weight);
        let clicked = self.clicks_of(unit);
        let shown: HashSet<usize> = self.shown_of(unit, clicked.as_ref());
        let all =
            words.keys().copied().chain(clicked.iter().flat_map(|it| it.keys().copied())).chain(shown.iter().copied());
        let candidates: HashSet<usize> = all.collect();
        // What is not known at all weighs nothing, and the others weigh more.
        let known = [true, clicked.is_some(), !shown.is_empty()];
        let whole: f64 = WEIGHTS.iter().zip(known).filter(|it| it.1).map(|it| it.0).sum();
        let score = |page: usize| {
            let parts = [
                words.get(&page).copied().unwrap_or(0.0),
                clicked.as_ref().and_then(|it| it.get(&page).copied()).unwrap_or(0.0),
                if shown.contains(&page) { 1.0 } else { 0.0 },
            ];
            WEIGHTS.iter().zip(parts).zip(known).filter(|it| it.1).map(|((weight, part), _)| weight * part).sum::<f64>()
                / whole
        };
        let mut scored: Vec<(f64, usize)> = candidates.into_iter().map(|page| (score(page), page)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| self.pages[a.1].cmp(&self.pages[b.1])));
        let (score, page) = *scored.first()?;
        Some(Best { url: self.pages[page].clone(), score: round(score, 4) })
    }

    /// The share of a unit's clicks of each page; `None` when no figures are stored, or it has no clicks.
    fn clicks_of(&self, unit: &Unit) -> Option<HashMap<usize, f64>> {
        let clicks = self.clicks.as_ref()?;
        let mut sums: HashMap<usize, u64> = HashMap::new();
        for row in &unit.rows {
            for (page, sum) in clicks.get(&row.normal).into_iter().flatten() {
                *sums.entry(*page).or_default() += sum.clicks;
            }
        }
        let all: u64 = sums.values().sum();
        (all > 0).then(|| sums.into_iter().map(|(page, it)| (page, as_number(it) / as_number(all))).collect())
    }

    /// The page that search engines show for a unit: of its result pages, else the one with the most impressions.
    fn shown_of(&self, unit: &Unit, clicked: Option<&HashMap<usize, f64>>) -> HashSet<usize> {
        let url = unit.rows.iter().find_map(|row| self.shown.get(&row.normal));
        if let Some(page) =
            url.and_then(|url| self.by_url.get(&kit::url::normalize(url).unwrap_or_else(|| url.clone())))
        {
            return HashSet::from([*page]);
        }
        let best = clicked.and_then(|it| it.iter().max_by(|a, b| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0))));
        best.map(|it| HashSet::from([*it.0])).unwrap_or_default()
    }

    /// The page that search engines show for a unit, whether it was crawled or not.
    pub(super) fn ranking(&self, unit: &Unit) -> Option<String> {
        let shown = unit.rows.iter().find_map(|row| self.shown.get(&row.normal).cloned());
        shown.or_else(|| {
            let clicked = self.clicks_of(unit)?;
            let best = clicked.iter().max_by(|a, b| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0)))?;
            Some(self.pages[*best.0].clone())
        })
    }

    /// The addresses of all pages.
    pub(super) fn urls(&self) -> &[String] {
        &self.pages
    }

    /// The website.
    pub(super) fn site(&self) -> &Stored<Site> {
        self.site
    }
}

/// The clicks of pages by query in normal form.
fn clicks(
    cx: &Cx,
    site: &Stored<Site>,
    by_url: &HashMap<String, usize>,
    language: &str,
    degraded: &mut Vec<Degraded>,
) -> Option<HashMap<String, Vec<(usize, Search)>>> {
    let Some(last) = last_day(cx, &site.id, SearchType::Web) else {
        let why = "no search figures of this website are stored, so clicks say nothing";
        let sync = json!({ "site_id": site.id });
        degraded.push(Degraded::new("clicks", why).supplied_by("search_console.sync.run", sync));
        return None;
    };
    let mut sums: HashMap<String, HashMap<usize, Search>> = HashMap::new();
    let figures = Figures::of(cx, &site.id, SearchType::Web);
    let read = figures.sums(Cut::Details, Period::ending(last, DAYS), b"", |key, sum| {
        let (page, query) = parts(key);
        let at = by_url.get(page).or_else(|| by_url.get(&kit::url::normalize(page)?));
        if let Some(at) = at {
            sums.entry(normal(query, language)).or_default().entry(*at).or_default().add(&sum);
        }
    });
    if read.is_err() {
        degraded.push(Degraded::new("clicks", "the stored figures are too many for one answer"));
        return None;
    }
    Some(sums.into_iter().map(|(query, pages)| (query, pages.into_iter().collect())).collect())
}
