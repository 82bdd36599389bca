//! The operation `keywords.difficulty.estimate`, and the estimate itself.

use std::collections::{BTreeMap, HashMap, HashSet};

use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Answer, Degraded, json};
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use serps::{SnapshotRecord, registrable};
use site::Site;

use crate::normal::normal;
use crate::stored::Set;
use kit::number::as_number;

/// Results of a page that are judged.
const RESULTS: usize = 10;
/// The weights of titles, home pages, strong domains, crowding and the own strength.
const WEIGHTS: [f64; 5] = [0.25, 0.2, 0.2, 0.15, 0.2];
/// The percentage of result pages from which a domain is a strong one, and the pages that this needs.
const STRONG: usize = 20;
const MIN_PAGES: usize = 5;
/// Elements above the first result at which a page is full.
const FULL: f64 = 5.0;
/// The share of clicks on a topic at which a website is as strong as can be.
const OWN_FULL: f64 = 0.2;
/// Days of clicks.
const DAYS: i32 = 28;

#[args]
pub(crate) struct Estimate {
    /// Keywords whose result pages are stored.
    keywords: List<Text<1, 200>, 1, 200>,
    /// The website that would compete.
    site_id: Id<Site>,
    /// The country of the result pages.
    country: Country,
}

/// The parts of a difficulty, each 0 to 1, and what they are made of.
#[value]
pub(crate) struct Parts {
    /// Results whose titles have the keyword's words: as they are 1, in any form 0.7.
    titles: f64,
    /// Results that are home pages.
    home_pages: f64,
    /// Results of domains that are on more than 20 % of all stored pages; null below 5 pages.
    strong_domains: Option<f64>,
    /// Elements above the first result, five for a full page.
    crowding: f64,
    /// What the website lacks on the topic: 1 less its share of clicks there, a fifth of them for full strength; null without
    /// search figures.
    own_weakness: Option<f64>,
    /// Results with the words as they are in their title.
    exact_titles: u32,
    /// The strong domains among the results.
    domains: Vec<String>,
}

/// The difficulty of a keyword.
#[value]
pub(crate) struct Row {
    keyword: String,
    /// 0 to 100; not comparable with that of any tool. Null without a stored result page.
    difficulty: Option<f64>,
    parts: Option<Parts>,
    /// The first place whose holder has fewer than three of five strengths; null when all ten have them.
    feasible_position: Option<u32>,
    /// The day of the result page.
    date: Option<Day>,
}

/// Difficulties.
#[value]
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// Stored result pages that strong domains were counted on.
    pages: u64,
    degraded: Vec<Degraded>,
}

/// Estimates difficulty from a stored SERP: exact-match titles, page types, repeated strong domains, feature crowding and the website's own strength on the topic, with each part shown.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 200, unit = "keywords"),
    needs = ["store"],
    phrasings = ["how hard is it to rank for a keyword", "keyword difficulty for my site", "can I rank for this", "estimate competition on a result page"],
    examples = [{ "keywords": ["desk lamp"], "site_id": "4503599627370496", "country": "GB" }]
)]
pub(crate) fn estimate(cx: &Cx, args: Estimate) -> Result<Answer<Rows>> {
    let site = site::get(cx, &args.site_id)?;
    let country = args.country.to_string();
    let (mut pages, mut language) =
        (serps::newest(cx, &site.id, |it| it.country.is_empty() || it.country == country), None);
    let mut set_ref = None;
    for set in cx.records::<Set>().by("site_id_folded").equals(&site.id).scan().filter(|it| it.country == args.country)
    {
        language = language.or_else(|| Some(set.language()));
        pages.extend(crate::cluster::pages::newest(cx, &set));
        set_ref = set_ref.or(Some(set.id));
    }
    pages.retain(|_, it| !it.items.is_empty());
    let language = language.unwrap_or_else(|| "en".to_owned());
    let judge = Judge::new(cx, &site, &pages, &language);
    let (mut rows, mut missing) = (Vec::new(), 0);
    for keyword in &args.keywords {
        let page = pages.get(&normal(keyword.as_str(), &language));
        missing += u64::from(page.is_none());
        let judged = page.map(|page| judge.judge(page));
        rows.push(Row {
            keyword: keyword.to_string(),
            difficulty: judged.as_ref().map(|it| it.difficulty),
            feasible_position: judged.as_ref().and_then(|it| it.feasible),
            date: page.map(|it| it.date),
            parts: judged.map(|it| it.parts),
        });
    }
    let mut degraded = judge.degraded;
    if missing > 0 {
        let why = format!("no result page of {missing} keywords is stored");
        let part = Degraded::new("result pages", why);
        degraded.push(match set_ref {
            Some(set) => part.supplied_by("keywords.cluster.serp", json!({ "set_ref": set })),
            None => part,
        });
    }
    let units = rows.len() as u64;
    Ok(Answer::new(Rows { rows, pages: pages.len() as u64, degraded }).units(units))
}

/// A difficulty.
pub(crate) struct Judged {
    pub(crate) difficulty: f64,
    pub(crate) feasible: Option<u32>,
    parts: Parts,
}

/// Judges result pages for one website.
pub(crate) struct Judge {
    analyzer: Analyzer,
    strong: Option<HashSet<String>>,
    /// Clicks of the website by stem, and of all queries; `None` without figures.
    clicks: Option<(HashMap<String, u64>, u64)>,
    pub(crate) degraded: Vec<Degraded>,
}

impl Judge {
    /// For a website and the pages of its keywords.
    pub(crate) fn new(cx: &Cx, site: &Stored<Site>, pages: &BTreeMap<String, SnapshotRecord>, language: &str) -> Self {
        let analyzer = Analyzer::new(language);
        let mut degraded = Vec::new();
        let clicks = clicks(cx, &site.id, &analyzer, &mut degraded);
        Self { analyzer, strong: strong(pages), clicks, degraded }
    }

    /// The difficulty of a result page.
    pub(crate) fn judge(&self, page: &SnapshotRecord) -> Judged {
        let stems = self.analyzer.query(&page.keyword);
        let results: Vec<Held> =
            page.items.iter().take(RESULTS).map(|it| self.held(&page.keyword, &stems, &it.title, &it.url)).collect();
        let count = as_number(results.len().max(1) as u64);
        let share = |holds: &dyn Fn(&Held) -> f64| results.iter().map(holds).sum::<f64>() / count;
        let strong_domains = self.strong.as_ref().map(|_| share(&|it| f64::from(u8::from(it.strong.is_some()))));
        let mut domains: Vec<String> = results.iter().filter_map(|it| it.strong.clone()).collect();
        domains.sort();
        domains.dedup();
        let parts = Parts {
            titles: round(share(&|it| it.title), 4),
            home_pages: round(share(&|it| f64::from(u8::from(it.home))), 4),
            strong_domains: strong_domains.map(|it| round(it, 4)),
            crowding: round((f64::from(page.above) / FULL).min(1.0), 4),
            own_weakness: self.weakness(&stems).map(|it| round(it, 4)),
            exact_titles: u32::try_from(results.iter().filter(|it| it.title > 0.99).count()).unwrap_or(0),
            domains,
        };
        let values = [
            Some(parts.titles),
            Some(parts.home_pages),
            parts.strong_domains,
            Some(parts.crowding),
            parts.own_weakness,
        ];
        // A part that is not known weighs nothing, and the others weigh more.
        let whole: f64 = WEIGHTS.iter().zip(values).filter(|it| it.1.is_some()).map(|it| it.0).sum();
        let sum: f64 = WEIGHTS.iter().zip(values).filter_map(|(weight, part)| Some(weight * part?)).sum();
        let feasible = (1_u32..).zip(&results).find(|(_, it)| it.strengths() < 3).map(|it| it.0);
        let open = u32::try_from(results.len() + 1).ok().filter(|it| *it <= 10);
        Judged { difficulty: round(100.0 * sum / whole, 1), feasible: feasible.or(open), parts }
    }

    fn held(&self, keyword: &str, stems: &[String], title: &str, url: &str) -> Held {
        let lower = kit::text::collapse(&title.to_lowercase());
        let held: HashSet<String> = self.analyzer.stems(&lower).into_iter().collect();
        let has_all = !stems.is_empty() && stems.iter().all(|stem| held.contains(stem));
        let title = if lower.contains(keyword) {
            1.0
        } else if has_all {
            0.7
        } else {
            0.0
        };
        let address = kit::url::Url::parse(url).ok();
        let home = address.as_ref().is_some_and(|it| it.path() == "/" && it.query().is_none());
        let domain = registrable(url);
        let in_domain = domain.as_ref().is_some_and(|it| {
            let name = it.split('.').next().unwrap_or_default().replace('-', "");
            stems.iter().any(|stem| stem.len() > 3 && name.contains(stem.as_str()))
        });
        let strong = domain.filter(|it| self.strong.as_ref().is_some_and(|all| all.contains(it)));
        Held { title, home, strong, in_domain }
    }

    /// 1 less the share of the website's clicks from queries with the keyword's rarest stem, a fifth of them for full strength.
    fn weakness(&self, stems: &[String]) -> Option<f64> {
        let (by_stem, all) = self.clicks.as_ref().filter(|it| it.1 > 0)?;
        let own = stems.iter().map(|stem| by_stem.get(stem).copied().unwrap_or(0)).min().unwrap_or(0);
        Some(1.0 - (as_number(own) / as_number(*all) / OWN_FULL).min(1.0))
    }
}

/// What a result has.
struct Held {
    title: f64,
    home: bool,
    strong: Option<String>,
    /// Whether a word of the keyword is in the domain's name.
    in_domain: bool,
}

impl Held {
    /// How many of five strengths it has: words as they are, words in any form, a home page, a strong domain, a word in its name.
    fn strengths(&self) -> u32 {
        u32::from(self.title > 0.99)
            + u32::from(self.title > 0.0)
            + u32::from(self.home)
            + u32::from(self.strong.is_some())
            + u32::from(self.in_domain)
    }
}

/// Domains on more than 20 % of the pages; `None` for fewer than 5 pages.
fn strong(pages: &BTreeMap<String, SnapshotRecord>) -> Option<HashSet<String>> {
    if pages.len() < MIN_PAGES {
        return None;
    }
    let mut counts: HashMap<String, usize> = HashMap::new();
    for page in pages.values() {
        let own: HashSet<String> = page.items.iter().take(RESULTS).filter_map(|it| registrable(&it.url)).collect();
        own.into_iter().for_each(|domain| *counts.entry(domain).or_default() += 1);
    }
    Some(counts.into_iter().filter(|(_, count)| count * 100 > pages.len() * STRONG).map(|it| it.0).collect())
}

fn clicks(
    cx: &Cx,
    site: &Id<Site>,
    analyzer: &Analyzer,
    degraded: &mut Vec<Degraded>,
) -> Option<(HashMap<String, u64>, u64)> {
    let missing = |why: &str| {
        Degraded::new("own strength", why).supplied_by("search_console.sync.run", json!({ "site_id": site }))
    };
    let Some(last) = last_day(cx, site, SearchType::Web) else {
        degraded.push(missing("no search figures of this website are stored"));
        return None;
    };
    let mut sums: HashMap<String, Search> = HashMap::new();
    let read =
        Figures::of(cx, site, SearchType::Web).sums(Cut::Queries, Period::ending(last, DAYS), b"", |key, sum| {
            if sum.clicks > 0 {
                sums.entry(parts(key).0.to_owned()).or_default().add(&sum);
            }
        });
    if read.is_err() {
        degraded.push(missing("the stored figures are too many for one answer"));
        return None;
    }
    let (mut by_stem, mut all) = (HashMap::new(), 0);
    for (query, sum) in sums {
        all += sum.clicks;
        let stems: HashSet<String> = analyzer.query(&query).into_iter().collect();
        stems.into_iter().for_each(|stem| *by_stem.entry(stem).or_default() += sum.clicks);
    }
    Some((by_stem, all))
}

#[cfg(test)]
mod tests {
    use serps::Shown;

    use super::*;

    fn page(keyword: &str, items: &[(&str, &str)], above: u32) -> SnapshotRecord {
        let mut record = SnapshotRecord::of(&serps::Page::default(), "81", keyword, "", "GB", Day::from_epoch(0), 10);
        let shown = |(at, (url, title)): (u32, &(&str, &str))| Shown {
            position: at,
            url: (*url).to_owned(),
            title: (*title).to_owned(),
        };
        record.items = (1..).zip(items).map(shown).collect();
        record.above = above;
        record
    }

    fn judge(strong: &[&str], clicks: Option<(HashMap<String, u64>, u64)>) -> Judge {
        let strong = Some(strong.iter().map(|it| (*it).to_owned()).collect());
        Judge { analyzer: Analyzer::new("en"), strong, clicks, degraded: Vec::new() }
    }

    #[test]
    fn a_page_of_strong_exact_home_pages_is_hard_and_one_without_is_easy() {
        let hard: Vec<(&str, &str)> = vec![("https://desklamp.example/", "Desk lamp shop"); 10];
        let easy: Vec<(&str, &str)> = vec![("https://blog.example/a/b", "Furniture for students"); 10];
        let judge = judge(&["desklamp.example"], Some((HashMap::new(), 100)));
        let (hard, easy) = (judge.judge(&page("desk lamp", &hard, 5)), judge.judge(&page("desk lamp", &easy, 0)));
        assert!(
            (hard.difficulty - 100.0).abs() < 0.1 && (easy.difficulty - 20.0).abs() < 0.1,
            "{} {}",
            hard.difficulty,
            easy.difficulty
        );
        assert_eq!((hard.feasible, easy.feasible), (None, Some(1)));
        let few = judge.judge(&page("desk lamp", &[("https://desklamp.example/", "Desk lamp")], 0));
        assert_eq!(few.feasible, Some(2), "a page with one result has a free place");
    }

    #[test]
    fn more_strong_domains_never_lower_a_difficulty_which_stays_within_bounds() {
        let urls: Vec<String> = (0..10).map(|at| format!("https://site{at}.example/lamp")).collect();
        let items: Vec<(&str, &str)> = urls.iter().map(|url| (url.as_str(), "Desk lamps")).collect();
        let page = page("desk lamp", &items, 2);
        let mut before = -1.0;
        for count in 0..=10 {
            let names: Vec<String> = (0..count).map(|at| format!("site{at}.example")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = judge(&names, None).judge(&page).difficulty;
            assert!(found >= before && (0.0..=100.0).contains(&found));
            before = found;
        }
    }
}
