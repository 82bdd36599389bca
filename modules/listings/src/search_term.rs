//! The operation `listings.search_term.report`.
//!
//! Source: `searchkeywords/impressions/monthly` of the performance API: by calendar month, rare terms as a bound instead of a
//! count.

use std::collections::BTreeMap;

use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Next, Send, json};
use site::pages::Crawl;

use crate::google;
use crate::nap::stored::Nap;
use crate::place::Place;
use crate::post::read::posts;
use crate::profile;
use crate::stored::Location;

/// Terms of an answer of Google, and answers that are read.
const PAGE: usize = 100;
const PAGES: usize = 20;
/// Days of posts that count.
const POSTS_DAYS: i32 = 180;
/// Pages of the crawl that are looked through.
const CRAWLED: usize = 300;

#[args]
pub(crate) struct Report {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// Whole months back from the last one.
    #[default(6)]
    months: Count<1, 18>,
}

/// Where a term is spoken of.
#[value]
pub(crate) enum Covered {
    Services,
    /// Posts of the last 180 days.
    Posts,
    /// A page of the newest crawl has all words of it.
    Website,
}

/// A term.
#[value]
pub(crate) struct Term {
    term: String,
    /// Over the months; null when Google gives a bound instead.
    impressions: Option<u64>,
    /// It was fewer than this.
    below: Option<u64>,
    /// Whether it names the business.
    brand: bool,
    covered_in: Vec<Covered>,
}

/// The terms.
#[value]
pub(crate) struct Reported {
    from_month: String,
    to_month: String,
    /// The most impressions first.
    terms: Vec<Term>,
    /// Terms without the brand that neither services nor posts nor the website speak of, the most impressions first.
    missing: Vec<String>,
    /// Of counted impressions, the share that names the business; at least, since rare terms are not counted.
    brand_share: Option<f64>,
    /// Counted impressions.
    n: u64,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Reports monthly search terms that showed the profile, brand and discovery split, and terms missing from services, posts and the website.
///
/// Google counts a term by month, and gives a bound for one that few people searched: sums are at least. At most 2,000 terms are read.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 24),
    needs = ["store", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile.performance GET /v1/locations/*/searchkeywords/impressions/monthly",
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/localPosts",
    ],
    phrasings = ["what do people search to find my profile", "search terms of my google listing", "brand or discovery searches on maps"],
    examples = [{ "location_ref": "108800001.4503600001.con_1", "months": 3 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let given = place.read(cx, "/location_ref")?;
    let (year, month, _) = cx.now().day().civil();
    let last = year * 12 + i32::try_from(month).unwrap_or(1) - 2;
    let first = last + 1 - i32::try_from(args.months.get()).unwrap_or(6);
    let mut degraded = Vec::new();
    let counted = counted(cx, &place, first, last, &mut degraded)?;
    let brand = Brand::of(cx, &args.location_ref, &given);
    let covers = Covers::of(cx, &place, &given, &mut degraded);
    let mut terms: Vec<Term> = counted
        .into_iter()
        .map(|(term, count)| Term {
            brand: brand.is_in(&term),
            covered_in: covers.of_term(&term),
            impressions: count.ok(),
            below: count.err(),
            term,
        })
        .collect();
    let weight = |it: &Term| it.impressions.unwrap_or(0);
    terms.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| a.term.cmp(&b.term)));
    let n: u64 = terms.iter().map(weight).sum();
    let own: u64 = terms.iter().filter(|it| it.brand).map(weight).sum();
    #[expect(clippy::cast_precision_loss, reason = "counts of searches are far below 2^52")]
    let brand_share = (n > 0).then(|| kit::statistics::round(own as f64 / n as f64, 4));
    let missing: Vec<String> =
        terms.iter().filter(|it| !it.brand && it.covered_in.is_empty()).map(|it| it.term.clone()).take(100).collect();
    let next = missing.first().map(|term| {
        let arguments = json!({ "location_ref": args.location_ref, "topic": kit::text::clip(term, 300), "count": 1 });
        Next::new(
            "listings.post.draft",
            arguments,
            "drafts a post on the term that is searched most and spoken of nowhere",
        )
    });
    let month = |number: i32| format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1);
    Ok(Reported {
        from_month: month(first),
        to_month: month(last),
        terms,
        missing,
        brand_share,
        n,
        next: next.into_iter().collect(),
        degraded,
    })
}

/// Terms with their count, or the bound below which it is. Months are counted from the year 0.
fn counted(
    cx: &Cx,
    place: &Place,
    first: i32,
    last: i32,
    degraded: &mut Vec<Degraded>,
) -> Result<BTreeMap<String, std::result::Result<u64, u64>>> {
    let mut all = BTreeMap::new();
    let mut token = String::new();
    for _ in 0..PAGES {
        let mut request = Send::get(&place.connection, format!("{}/searchkeywords/impressions/monthly", place.v1()))
            .service("performance")
            .query("pageSize", PAGE);
        for (end, month) in [("startMonth", first), ("endMonth", last)] {
            request = request
                .query(&format!("monthlyRange.{end}.year"), month.div_euclid(12))
                .query(&format!("monthlyRange.{end}.month"), month.rem_euclid(12) + 1);
        }
        if !token.is_empty() {
            request = request.query("pageToken", &token);
        }
        let answer = google::answered(cx.connections().send(&request), "/location_ref")?;
        for it in answer["searchKeywordsCounts"].as_array().into_iter().flatten() {
            let number = |name: &str| {
                let value = &it["insightsValue"][name];
                value.as_str().and_then(|it| it.parse().ok()).or_else(|| value.as_u64())
            };
            let Some(term) = it["searchKeyword"].as_str() else { continue };
            if let Some(count) = number("value").map(Ok).or_else(|| number("threshold").map(Err)) {
                all.insert(term.to_owned(), count);
            }
        }
        match answer["nextPageToken"].as_str().filter(|it| !it.is_empty()) {
            Some(next) => token = next.to_owned(),
            None => return Ok(all),
        }
    }
    degraded.push(Degraded::new("terms", "the first 2,000 terms are read"));
    Ok(all)
}

/// Words that name the business.
struct Brand {
    names: Vec<Vec<String>>,
}

impl Brand {
    fn of(cx: &Cx, reference: &Id<Location>, given: &Value) -> Self {
        let nap = cx.records::<Nap>().find(&Id::new(reference.as_str()));
        let mut names: Vec<String> = given["title"].as_str().map(str::to_owned).into_iter().collect();
        if let Some(nap) = nap {
            names.push(nap.name.clone());
            names.extend(nap.aliases.iter().cloned());
        }
        let city = given["storefrontAddress"]["locality"].as_str().unwrap_or_default().to_lowercase();
        let words = |name: &String| -> Vec<String> {
            let all: Vec<String> = kit::text::words(&name.to_lowercase()).map(str::to_owned).collect();
            // A town in the name says nothing of the business.
            let without: Vec<String> =
                all.iter().filter(|it| !city.split_whitespace().any(|part| part == **it)).cloned().collect();
            if without.is_empty() { all } else { without }
        };
        Self { names: names.iter().map(words).filter(|it| !it.is_empty()).collect() }
    }

    /// All words of a name stand in the term, one letter wrong in words of five or more.
    fn is_in(&self, term: &str) -> bool {
        let lower = term.to_lowercase();
        let words: Vec<&str> = kit::text::words(&lower).collect();
        let has = |wanted: &String| {
            words
                .iter()
                .any(|it| *it == wanted || (wanted.chars().count() >= 5 && strsim::osa_distance(it, wanted) <= 1))
        };
        let joined: String = words.concat();
        self.names.iter().any(|name| name.iter().all(has) || joined.contains(&name.concat()))
    }
}

/// Where terms may be spoken of.
struct Covers {
    analyzer: Analyzer,
    services: Option<Vec<Vec<String>>>,
    posts: Option<Vec<Vec<String>>>,
    pages: Option<Vec<std::collections::HashSet<String>>>,
}

impl Covers {
    fn of(cx: &Cx, place: &Place, given: &Value, degraded: &mut Vec<Degraded>) -> Self {
        let analyzer = Analyzer::new(given["languageCode"].as_str().unwrap_or("en"));
        let services = profile::services(&given["serviceItems"]);
        let services = services
            .iter()
            .map(|it| analyzer.stems(&format!("{} {}", it.name, it.description.as_deref().unwrap_or(""))));
        let since = cx.now().day().plus(-POSTS_DAYS);
        let posts = match posts(cx, place, 1) {
            Ok((all, _)) => {
                let recent = all.iter().filter(|it| it.created_at.is_none_or(|at| at.day() >= since));
                Some(recent.map(|it| analyzer.stems(&it.text)).collect())
            }
            Err(_) => {
                degraded.push(Degraded::new("covered_in", "posts could not be read"));
                None
            }
        };
        let site = given["websiteUri"].as_str().and_then(|it| site::of(cx, it));
        let crawl = site.as_ref().and_then(|it| Crawl::newest(cx, &it.id));
        let pages = crawl.map(|crawl| {
            let text = |page: site::pages::PageText| {
                format!("{}\n{}\n{}", page.title.unwrap_or_default(), page.headings, page.plain)
            };
            crawl.pages(0).take(CRAWLED).map(|it| analyzer.stems(&text(it)).into_iter().collect()).collect()
        });
        if pages.is_none() {
            let missing =
                Degraded::new("covered_in", "no crawl of the website is there, so that nothing is said of its pages");
            degraded.push(match &site {
                Some(site) => missing.supplied_by("crawl.run.start", json!({ "site_id": site.id })),
                None => missing,
            });
        }
        Self { services: Some(services.collect()), posts, pages, analyzer }
    }

    fn of_term(&self, term: &str) -> Vec<Covered> {
        let stems = self.analyzer.query(term);
        let all = |text: &Vec<String>| stems.iter().all(|it| text.contains(it));
        let mut covered = Vec::new();
        if self.services.iter().flatten().any(all) {
            covered.push(Covered::Services);
        }
        if self.posts.iter().flatten().any(all) {
            covered.push(Covered::Posts);
        }
        if self.pages.iter().flatten().any(|page| stems.iter().all(|it| page.contains(it))) {
            covered.push(Covered::Website);
        }
        covered
    }
}
