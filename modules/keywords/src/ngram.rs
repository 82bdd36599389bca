//! The operation `keywords.ngram.report`.

use std::collections::{HashMap, HashSet};

use kit::pack::{Figures as _, Search};
use kit::statistics::{ShareParts, false_discovery, quasi_binomial, round};
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Answer, Degraded, json};
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use site::Site;

use crate::normal::normal;
use crate::stored::Set;
use kit::number::as_number;

/// Impressions of an n-gram below which its click rate is not tested.
const MIN_TESTED: f64 = 100.0;
/// n-grams that are counted side by side.
const MAX_GRAMS: usize = 200_000;
/// Days of a report without a period.
const DAYS: i32 = 28;

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// A set: its keywords with their volumes are counted instead of search figures.
    set_ref: Option<Id<Set>>,
    /// Words of an n-gram.
    #[default(2)]
    n: Count<1, 4>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// n-grams, at most.
    #[default(100)]
    limit: Count<10, 500>,
}

/// An n-gram.
#[value]
pub(crate) struct Gram {
    text: String,
    /// Queries, or keywords of the set, that have it.
    queries: u64,
    /// Null for keywords of a set.
    clicks: Option<u64>,
    /// Impressions, or searches in a month for keywords of a set.
    impressions: u64,
    /// Clicks per impression.
    ctr: Option<f64>,
    /// Its click rate over that of all other queries; null when one of them is 0.
    lift: Option<f64>,
    /// Two-sided p-value of no difference, with the scatter of queries; null below 100 impressions.
    p: Option<f64>,
    /// The same after Benjamini and Hochberg, over all n-grams that were tested.
    q: Option<f64>,
}

/// n-grams.
#[value]
pub(crate) struct Grams {
    /// Those that differ most surely first, then those with the most impressions.
    ngrams: Vec<Gram>,
    /// n-grams in all.
    total: u64,
    /// How much more the queries scatter than coins would; null when nothing was tested.
    dispersion: Option<f64>,
    degraded: Vec<Degraded>,
}

/// Aggregates performance by 1-4-word n-gram over search queries or a keyword set, with significance against the rest, to show words that win or waste.
///
/// A query counts each of its n-grams once. Stop words stay inside an n-gram and do not begin or end one of two words or more.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "ngrams"),
    needs = ["store"],
    phrasings = ["which words in queries get clicks", "n-gram analysis of my search queries", "words that waste impressions", "common phrases in my keywords"],
    examples = [{ "site_id": "4503599627370496", "n": 2 }, { "site_id": "4503599627370496", "set_ref": "set_01", "n": 1 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Grams>> {
    let site = site::get(cx, &args.site_id)?;
    let n = usize::try_from(args.n.get()).unwrap_or(2);
    let mut counting = Counting::new(n);
    if let Some(set) = &args.set_ref {
        let set = crate::set::get(cx, set)?;
        if set.site_id != site.id.as_str() {
            return Err(Fault::invalid("/set_ref", "set_of_another_site", "this set belongs to another website"));
        }
        counting.language(&set.language());
        for row in crate::set::keywords(cx, &set.id).filter(|it| !it.excluded) {
            counting.add(&row.normal, 0.0, as_number(row.volume.unwrap_or(0)));
        }
    } else {
        let language = site.country.as_deref().map_or("en", language_of);
        counting.language(language);
        queries(cx, &site.id, &args, language, &mut counting)?;
    }
    let is_set = args.set_ref.is_some();
    let (mut ngrams, dispersion, degraded) = counting.rows(is_set);
    let total = ngrams.len() as u64;
    ngrams.truncate(usize::try_from(args.limit.get()).unwrap_or(100));
    let units = ngrams.len() as u64;
    Ok(Answer::new(Grams { ngrams, total, dispersion, degraded }).units(units))
}

/// The language that stop words are taken of, by the country of the website.
fn language_of(country: &str) -> &'static str {
    match country {
        "DE" | "AT" | "CH" => "de",
        "FR" | "BE" => "fr",
        "ES" | "MX" | "AR" | "CO" | "CL" | "PE" => "es",
        "IT" => "it",
        "NL" => "nl",
        "PL" => "pl",
        "PT" | "BR" => "pt",
        "SE" => "sv",
        "DK" => "da",
        _ => "en",
    }
}

fn queries(cx: &Cx, site: &Id<Site>, args: &Report, language: &str, counting: &mut Counting) -> Result<()> {
    let sync = sdk::Fix::new("search_console.sync.run", json!({ "site_id": site }));
    let not_synced = || {
        Fault::conflict(
            "not_synced",
            "no search figures of this website are stored; import them with search_console.sync.run",
        )
        .at("/site_id")
        .detail(json!(sync))
    };
    let last = last_day(cx, site, SearchType::Web).ok_or_else(not_synced)?;
    let to = args.to.unwrap_or(last);
    let period = Period { first: args.from.unwrap_or_else(|| to.plus(1 - DAYS)), last: to };
    if period.first > period.last {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    let figures = Figures::of(cx, site, SearchType::Web);
    if figures.stored_days(Cut::Queries, period) == 0 {
        let message = format!(
            "no figures by query of {} to {} are stored; the last stored day is {last}",
            period.first, period.last
        );
        return Err(Fault::conflict("period_not_synced", message).at("/from").detail(json!(sync)));
    }
    let mut sums: HashMap<String, Search> = HashMap::new();
    figures
        .sums(Cut::Queries, period, b"", |key, sum| sums.entry(normal(parts(key).0, language)).or_default().add(&sum))
        .map_err(|why| why.at("/from"))?;
    let mut sums: Vec<(String, Search)> = sums.into_iter().collect();
    // In one order, so that what the bound of n-grams leaves out is the same each time: the rarest.
    sums.sort_by(|a, b| b.1.impressions.cmp(&a.1.impressions).then_with(|| a.0.cmp(&b.0)));
    sums.into_iter().for_each(|(query, sum)| counting.add(&query, as_number(sum.clicks), as_number(sum.impressions)));
    Ok(())
}

/// Counts n-grams over queries.
struct Counting {
    n: usize,
    analyzer: Analyzer,
    grams: HashMap<String, ShareParts>,
    all: ShareParts,
    left_out: u64,
    queries: HashMap<String, u64>,
}

impl Counting {
    fn new(n: usize) -> Self {
        Self {
            n,
            analyzer: Analyzer::new("en"),
            grams: HashMap::new(),
            all: ShareParts::default(),
            left_out: 0,
            queries: HashMap::new(),
        }
    }

    fn language(&mut self, language: &str) {
        self.analyzer = Analyzer::new(language);
    }

    fn add(&mut self, query: &str, clicks: f64, impressions: f64) {
        self.all.add(clicks, impressions);
        let words: Vec<&str> = query.split(' ').collect();
        let mut seen: HashSet<String> = HashSet::new();
        for window in words.windows(self.n) {
            let edge = |word: &str| self.n > 1 && self.analyzer.is_stop(word);
            if edge(window[0]) || edge(window[self.n - 1]) {
                continue;
            }
            let text = window.join(" ");
            if !seen.insert(text.clone()) {
                continue;
            }
            if self.grams.len() >= MAX_GRAMS && !self.grams.contains_key(&text) {
                self.left_out += 1;
                continue;
            }
            self.grams.entry(text.clone()).or_default().add(clicks, impressions);
            *self.queries.entry(text).or_default() += 1;
        }
    }

    /// All n-grams, those that differ most surely first.
    fn rows(self, is_set: bool) -> (Vec<Gram>, Option<f64>, Vec<Degraded>) {
        let mut grams: Vec<(String, ShareParts)> = self.grams.into_iter().collect();
        grams.sort_by(|a, b| b.1.trials.total_cmp(&a.1.trials).then_with(|| a.0.cmp(&b.0)));
        let all = self.all;
        let tests: Vec<_> = grams
            .iter()
            .map(
                |(_, own)| {
                    if is_set || own.trials < MIN_TESTED { None } else { quasi_binomial(*own, all.without(*own)) }
                },
            )
            .collect();
        let q = false_discovery(&tests.iter().flatten().map(|it| it.p).collect::<Vec<f64>>());
        let mut q = q.into_iter();
        let dispersion = tests.iter().flatten().next().map(|it| round(it.dispersion, 2));
        let mut rows: Vec<Gram> = grams
            .into_iter()
            .zip(&tests)
            .map(|((text, own), test)| Gram {
                queries: self.queries.get(&text).copied().unwrap_or(0),
                text,
                clicks: (!is_set).then(|| kit::number::as_count(own.successes)),
                impressions: kit::number::as_count(own.trials),
                ctr: (!is_set && own.trials > 0.0).then(|| round(own.share(), 6)),
                lift: test.map(|it| round(it.ratio, 4)),
                p: test.map(|it| it.p),
                q: test.and_then(|_| q.next()),
            })
            .collect();
        rows.sort_by(|a, b| {
            let sure = |it: &Gram| it.q.filter(|q| *q < 0.05).unwrap_or(1.0);
            sure(a)
                .total_cmp(&sure(b))
                .then_with(|| b.impressions.cmp(&a.impressions))
                .then_with(|| a.text.cmp(&b.text))
        });
        let mut degraded = Vec::new();
        if self.left_out > 0 {
            let why = format!(
                "{} times an n-gram beyond the first {MAX_GRAMS} was not counted; those of the queries with the most impressions were",
                self.left_out
            );
            degraded.push(Degraded::new("n-grams", why));
        }
        (rows, dispersion, degraded)
    }
}
