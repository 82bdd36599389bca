//! The operation `listings.category.suggest`.

use std::collections::BTreeMap;

use kit::bm25;
use kit::statistics::round;
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Next, json};
use site::live;
use site::pages::Crawl;

use super::{market, search, searched};
use crate::leaders::{self, Leaders};
use crate::place::Place;
use crate::profile::{self, Category};
use crate::stored::Location;

/// Searches of the provider's list.
const SEARCHES: usize = 8;
/// Pages of the crawl whose headings are read.
const PAGES: usize = 200;
/// What the leaders weigh, and what the words weigh.
const BY_LEADERS: f64 = 0.6;

#[args]
pub(crate) struct Suggest {
    /// The location, as listed.
    location_ref: Id<Location>,
    #[default(10)]
    limit: Count<3, 20>,
}

/// A category that fits.
#[value]
pub(crate) struct Suggested {
    /// Such as `gcid:bakery`.
    id: String,
    name: String,
    /// From 0 to 1: 0.6 of it is the share of leaders that show it, 0.4 its rank by words. Words alone where no leaders are known.
    fit: f64,
    /// The share of leading businesses nearby that show it first; null without a scan of `local_grid`.
    leaders_using: Option<f64>,
    /// Words of yours that speak for it.
    matched: Vec<String>,
    /// Whether the location has it already.
    is_set: bool,
    /// Whether it is the first candidate for the primary category.
    is_primary_candidate: bool,
}

/// Categories that fit.
#[value]
pub(crate) struct Suggestions {
    /// The one that fits best first.
    categories: Vec<Suggested>,
    /// When the leaders were scanned.
    leaders_at: Option<Moment>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Suggests primary and additional categories from services, website text and the categories of businesses leading own grid scans.
///
/// Leaders are businesses among the first three on a tenth of the pins of the newest scan of the location. Google's list is searched by up
/// to eight words of theirs and yours; a category that nobody names is not found.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 24),
    needs = ["store", "web", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile GET /v1/categories",
    ],
    phrasings = ["which google business category should I choose", "suggest categories for my profile", "categories of my competitors on the map"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Suggestions> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let given = place.read(cx, "/location_ref")?;
    let (country, language) = market(&given);
    let analyzer = Analyzer::new(&language);
    let mut degraded = Vec::new();
    let stored = known(cx, &args.location_ref, &given);
    let leaders = leaders::around(cx, &stored);
    if leaders.is_none() {
        let what = "no scan of this location is there; local_grid.business.add and local_grid.run.start make one";
        degraded.push(Degraded::new("leaders_using", what));
    }
    let words = evidence(cx, &given, &mut degraded);
    let terms = terms(&analyzer, &given, leaders.as_ref(), &words);
    let requests = terms.iter().map(|it| search(&place, &country, &language, it)).collect();
    let held = profile::categories(&given["categories"]);
    let mut found = searched(cx, requests)?;
    for it in held.primary.iter().chain(&held.additional) {
        if found.iter().all(|other| other.id != it.id) {
            found.push(it.clone());
        }
    }
    let text = by_words(&analyzer, &found, &words);
    let share = |it: &Category| leaders.as_ref().map(|all| share_of(all, it));
    let mut categories: Vec<Suggested> = found
        .iter()
        .zip(text)
        .map(|(it, (rank, matched))| {
            let leaders_using = share(it);
            let fit = leaders_using.map_or(rank, |share| BY_LEADERS * share + (1.0 - BY_LEADERS) * rank);
            Suggested {
                id: it.id.clone(),
                name: it.name.clone(),
                fit: round(fit, 3),
                leaders_using: leaders_using.map(|it| round(it, 3)),
                matched,
                is_set: held.primary.iter().chain(&held.additional).any(|own| own.id == it.id),
                is_primary_candidate: false,
            }
        })
        .filter(|it| it.fit > 0.0)
        .collect();
    categories.sort_by(|a, b| b.fit.total_cmp(&a.fit).then_with(|| a.id.cmp(&b.id)));
    let by_leaders = |it: &Suggested| (it.leaders_using.unwrap_or(0.0), it.fit);
    let first = categories.iter().enumerate().max_by(|(a_at, a), (b_at, b)| {
        by_leaders(a)
            .0
            .total_cmp(&by_leaders(b).0)
            .then(by_leaders(a).1.total_cmp(&by_leaders(b).1))
            .then(b_at.cmp(a_at))
    });
    let first = first.map(|(at, _)| at);
    if let Some(at) = first {
        categories[at].is_primary_candidate = true;
    }
    // Words alone change no primary category.
    let next = first.filter(|_| leaders.as_ref().is_some_and(|it| !it.all.is_empty())).and_then(|at| {
        let primary = categories[at].id.clone();
        let others = categories.iter().filter(|it| it.id != primary && (it.is_set || it.fit >= 0.3));
        let others: Vec<&str> = others.take(9).map(|it| it.id.as_str()).collect();
        let differs = held.primary.as_ref().is_none_or(|it| it.id != primary);
        differs.then(|| {
            let arguments = json!({ "location_ref": args.location_ref, "primary": primary, "additional": others });
            Next::new("listings.category.update", arguments, "sets the category that most leaders show first")
        })
    });
    categories.truncate(usize::try_from(args.limit.get()).unwrap_or(10));
    let leaders_at = leaders.map(|it| Moment::from_millis(it.scanned_ms));
    Ok(Suggestions { categories, leaders_at, next: next.into_iter().collect(), degraded })
}

/// The location by which leaders are found.
pub(crate) fn known(cx: &Cx, reference: &Id<Location>, given: &Value) -> Location {
    let stored = cx.records::<Location>().find(reference).map(Stored::into_inner).unwrap_or_default();
    Location {
        name: given["title"].as_str().unwrap_or_default().to_owned(),
        place_id: given["metadata"]["placeId"].as_str().map(str::to_owned),
        ..stored
    }
}

/// What the business says of itself: services, description, and headings of its website.
fn evidence(cx: &Cx, given: &Value, degraded: &mut Vec<Degraded>) -> String {
    let mut words: Vec<String> = profile::services(&given["serviceItems"]).into_iter().map(|it| it.name).collect();
    words.extend(given["profile"]["description"].as_str().map(str::to_owned));
    let website = given["websiteUri"].as_str().filter(|it| !it.is_empty());
    let crawl = website.and_then(|it| site::of(cx, it)).and_then(|site| Crawl::newest(cx, &site.id));
    match (crawl, website) {
        (Some(crawl), _) => {
            for page in crawl.pages(0).take(PAGES) {
                words.extend(page.title);
                words.push(kit::text::clip(&page.headings, 400).to_owned());
            }
        }
        (None, Some(website)) => match website
            .parse::<Url>()
            .map_err(|_| ())
            .and_then(|url| live::page(cx, &url, "/location_ref").map_err(|_| ()))
        {
            Ok(page) => {
                words.extend(page.facts.titles.iter().cloned());
                words.extend(page.facts.headings.iter().take(60).map(|it| it.text.clone()));
            }
            Err(()) => degraded.push(Degraded::new("matched", "the website could not be read")),
        },
        (None, None) => degraded.push(Degraded::new("matched", "the profile names no website")),
    }
    words.join("\n")
}

/// What Google's list is searched by: categories of the leaders, then words that the business uses most.
fn terms(analyzer: &Analyzer, given: &Value, leaders: Option<&Leaders>, words: &str) -> Vec<String> {
    let mut shares: BTreeMap<String, f64> = BTreeMap::new();
    for it in leaders.iter().flat_map(|it| &it.all) {
        if let Some(category) = &it.category {
            *shares.entry(category.clone()).or_default() += it.share;
        }
    }
    let mut named: Vec<(String, f64)> = shares.into_iter().collect();
    named.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut terms: Vec<String> = named.into_iter().map(|it| it.0).take(SEARCHES - 3).collect();
    let own = profile::categories(&given["categories"]);
    terms.extend(own.primary.map(|it| it.name));
    let mut counts: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for token in analyzer.tokens(words).into_iter().filter(|it| !it.stop && it.word.chars().count() > 3) {
        let entry = counts.entry(token.stem).or_insert_with(|| (0, token.word));
        entry.0 += 1;
    }
    let mut counts: Vec<(usize, String)> = counts.into_values().collect();
    counts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    for (_, word) in counts {
        if terms.len() >= SEARCHES {
            break;
        }
        if !terms.iter().any(|it| it.to_lowercase().contains(&word)) {
            terms.push(word);
        }
    }
    terms
}

/// For each category its rank by words, from 0 to 1, and the words that speak for it.
fn by_words(analyzer: &Analyzer, categories: &[Category], words: &str) -> Vec<(f64, Vec<String>)> {
    let said: std::collections::BTreeSet<String> = analyzer.stems(words).into_iter().collect();
    let passages: Vec<Vec<String>> = categories.iter().map(|it| analyzer.query(&it.name)).collect();
    let query: Vec<&String> = said.iter().collect();
    let scores = bm25::Index::new(&passages).scores(&query);
    let best = scores.iter().copied().fold(0.0_f64, f64::max);
    let rank = |score: f64| {
        if score <= 0.0 || best <= 0.0 {
            return 0.0;
        }
        let below = scores.iter().filter(|it| **it < score).count();
        let others = scores.len().saturating_sub(1).max(1);
        #[expect(clippy::cast_precision_loss, reason = "categories are few")]
        let rank = below as f64 / others as f64;
        if scores.len() == 1 { 1.0 } else { rank }
    };
    let matched = |it: &Category| {
        let tokens = analyzer.tokens(&it.name).into_iter();
        tokens.filter(|token| !token.stop && said.contains(&token.stem)).map(|token| token.word).collect()
    };
    categories.iter().zip(&scores).map(|(it, score)| (rank(*score), matched(it))).collect()
}

/// The share of the leaders that show a category first.
pub(crate) fn share_of(leaders: &Leaders, category: &Category) -> f64 {
    let all = leaders.all.len();
    let using = leaders
        .all
        .iter()
        .filter(|it| it.category.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(&category.name)));
    #[expect(clippy::cast_precision_loss, reason = "leaders are few")]
    let share = using.count() as f64 / all.max(1) as f64;
    share
}
