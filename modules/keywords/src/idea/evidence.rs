//! Where a phrase was seen: queries of the website, its own pages, titles of result pages.

use std::collections::HashMap;

use kit::pack::{Figures as _, Search};
use sdk::Degraded;
use sdk::json;
use sdk::prelude::*;
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use site::Site;
use site::pages::Crawl;

use crate::normal::normal;
use crate::stored::Set;

/// Days of queries.
const DAYS: i32 = 90;
/// Pages of a crawl that are looked through.
pub(crate) const MAX_PAGES: usize = 2_000;
/// Words of the longest phrase that is found within a text.
const MAX_WORDS: usize = 10;
/// Places that are told of one phrase.
const MAX_PLACES: usize = 3;

/// Where a phrase was seen.
#[value]
pub(crate) enum Source {
    /// A query that the website was shown for.
    Query,
    /// A title or heading of the website.
    OwnPage,
    /// The title of a result page's result.
    ResultTitle,
}

/// A place where a phrase was seen.
#[value]
pub(crate) struct Evidence {
    source: Source,
    /// The query, or the title or heading.
    text: String,
    /// The page; null for queries.
    url: Option<String>,
    /// Impressions in 90 days; null for pages.
    impressions: Option<u64>,
}

impl Evidence {
    /// The impressions of a query.
    pub(crate) fn impressions(&self) -> Option<u64> {
        self.impressions
    }
}

/// Texts in which phrases are looked for, each with where it is from.
pub(crate) struct Texts {
    texts: Vec<(String, Evidence)>,
    pub(crate) degraded: Vec<Degraded>,
}

impl Texts {
    /// The queries of a website, titles and headings of its newest crawl, and titles of the results of its keywords.
    pub(crate) fn of(cx: &Cx, set: &Stored<Set>) -> Self {
        let mut this = Self { texts: Vec::new(), degraded: Vec::new() };
        let site: Id<Site> = Id::new(set.site_id.clone());
        let language = set.language();
        this.queries(cx, &site, &language);
        this.pages(cx, &site, &language);
        for snapshot in crate::item::view::snapshots(cx, set).into_values() {
            for shown in snapshot.items {
                let found = Evidence {
                    source: Source::ResultTitle,
                    text: shown.title.clone(),
                    url: Some(shown.url),
                    impressions: None,
                };
                this.texts.push((normal(&shown.title, &language), found));
            }
        }
        this
    }

    fn queries(&mut self, cx: &Cx, site: &Id<Site>, language: &str) {
        let sync = json!({ "site_id": site });
        let Some(last) = last_day(cx, site, SearchType::Web) else {
            let why = "no search figures of this website are stored";
            self.degraded.push(Degraded::new("queries", why).supplied_by("search_console.sync.run", sync));
            return;
        };
        let mut sums: HashMap<String, Search> = HashMap::new();
        let read =
            Figures::of(cx, site, SearchType::Web).sums(Cut::Queries, Period::ending(last, DAYS), b"", |key, sum| {
                sums.entry(parts(key).0.to_owned()).or_default().add(&sum);
            });
        if read.is_err() {
            self.degraded.push(Degraded::new("queries", "the stored figures are too many for one answer"));
        }
        let mut rows: Vec<(String, Search)> = sums.into_iter().collect();
        rows.sort_by(|a, b| b.1.impressions.cmp(&a.1.impressions).then_with(|| a.0.cmp(&b.0)));
        self.texts.extend(rows.into_iter().map(|(query, sum)| {
            let found =
                Evidence { source: Source::Query, text: query.clone(), url: None, impressions: Some(sum.impressions) };
            (normal(&query, language), found)
        }));
    }

    fn pages(&mut self, cx: &Cx, site: &Id<Site>, language: &str) {
        let Some(crawl) = Crawl::newest(cx, site) else {
            let why = "no crawl of the website has ended, so its titles and headings are not known";
            self.degraded
                .push(Degraded::new("own pages", why).supplied_by("crawl.run.start", json!({ "site_id": site })));
            return;
        };
        let mut looked = 0;
        for page in crawl.pages(0).take(MAX_PAGES + 1) {
            looked += 1;
            if looked > MAX_PAGES {
                self.degraded.push(Degraded::new(
                    "own pages",
                    format!("only the first {MAX_PAGES} pages of the crawl were looked through"),
                ));
                break;
            }
            let headings = page.headings.lines();
            for text in page.title.as_deref().into_iter().chain(headings) {
                let found = Evidence {
                    source: Source::OwnPage,
                    text: kit::text::collapse_to(text, 160),
                    url: Some(page.url.clone()),
                    impressions: None,
                };
                self.texts.push((normal(text, language), found));
            }
        }
    }

    /// The normal forms of queries with their impressions, those with the most first.
    pub(crate) fn all_queries(&self) -> impl Iterator<Item = (&str, u64)> {
        let queries = self.texts.iter().filter(|(_, found)| found.source == Source::Query);
        queries.map(|(text, found)| (text.as_str(), found.impressions.unwrap_or(0)))
    }

    /// For each of these phrases in normal form where it was seen, as a whole or within a text: queries first, at most 3 places.
    pub(crate) fn find(&self, phrases: &HashMap<String, usize>) -> Vec<Vec<Evidence>> {
        let mut found: Vec<Vec<Evidence>> = vec![Vec::new(); phrases.len()];
        for (text, evidence) in &self.texts {
            // Where each word begins and ends.
            let mut words: Vec<(usize, usize)> = Vec::new();
            let mut from = 0;
            for word in text.split(' ') {
                words.push((from, from + word.len()));
                from += word.len() + 1;
            }
            for first in 0..words.len() {
                for last in first..words.len().min(first + MAX_WORDS) {
                    if let Some(at) = phrases.get(&text[words[first].0..words[last].1])
                        && found[*at].len() < MAX_PLACES
                        && !found[*at].contains(evidence)
                    {
                        found[*at].push(evidence.clone());
                    }
                }
            }
        }
        found
    }
}
