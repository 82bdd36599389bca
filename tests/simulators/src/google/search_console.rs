//! Search Console: properties, search analytics, sitemaps.
//!
//! Source: developers.google.com/webmaster-tools/v1 (sites, searchanalytics.query, sitemaps). Figures exist for 16 months
//! up to the day before yesterday, and only the first 25,000 rows of an answer can be had at once. Rare queries are left out
//! of questions by query, and search appearances are grouped alone. From 2026-09-14 on the guides lose half of their clicks on
//! mobile: something for an analysis of drops to find.

use std::collections::BTreeMap;

use jiff::civil::{Date, date};
use jiff::{SignedDuration, Timestamp, ToSpan};
use regex::Regex;
use serde_json::{Value, json};

use super::{error, invalid, today};
use crate::provider::Desk;
use crate::reply::Reply;
use crate::request::Request;
use crate::seed::Seed;
use crate::shop;

const DROP: Date = date(2026, 9, 14);
const COUNTRIES: [&str; 2] = ["gbr", "deu"];
const DEVICES: [&str; 2] = ["MOBILE", "DESKTOP"];
/// How many of the shop's pages are shown in search.
const RANKED: usize = 60;

/// The properties of the account with their sitemaps.
pub(crate) struct Properties {
    sites: BTreeMap<String, &'static str>,
    sitemaps: BTreeMap<(String, String), Value>,
    /// URL inspections by property and day.
    pub(super) inspected: BTreeMap<(String, Date), u32>,
}

impl Properties {
    pub(super) fn new() -> Self {
        let sites = [
            ("sc-domain:shop.example", "siteOwner"),
            ("http://shop.example/", "siteFullUser"),
            ("http://stranger.example/", "siteUnverifiedUser"),
        ];
        let mut this = Self {
            sites: sites.map(|(site, level)| (site.to_owned(), level)).into(),
            sitemaps: BTreeMap::new(),
            inspected: BTreeMap::new(),
        };
        let feed = shop::url("/sitemap.xml");
        for site in ["sc-domain:shop.example", "http://shop.example/"] {
            this.sitemaps.insert((site.to_owned(), feed.clone()), sitemap(&feed, 2));
        }
        this
    }

    /// The level of access to a property, if its data may be read.
    pub(super) fn readable(&self, site: &str) -> Option<&'static str> {
        self.sites.get(site).copied().filter(|level| *level != "siteUnverifiedUser")
    }
}

fn sitemap(feed: &str, errors: u32) -> Value {
    let now = Timestamp::now();
    json!({ "path": feed, "lastSubmitted": now.to_string(), "isPending": errors == 0, "isSitemapsIndex": feed.contains("index"),
        "type": "sitemap", "lastDownloaded": (now - SignedDuration::from_hours(30)).to_string(), "warnings": "0", "errors": errors.to_string(),
        "contents": [{ "type": "web", "submitted": shop::pages().len().to_string(), "indexed": "0" }] })
}

pub(super) fn forbidden(site: &str) -> Reply {
    let message = format!(
        "User does not have sufficient permission for site '{site}'. See also: https://support.google.com/webmasters/answer/2451999."
    );
    error(403, "PERMISSION_DENIED", "forbidden", &message)
}

pub(super) fn answer(held: &mut Properties, request: &Request, desk: &Desk) -> Reply {
    let (method, parts) = request.route();
    match (method, &parts[2..]) {
        ("GET", ["sites"]) => {
            let entry = |(site, level): (&String, &&str)| json!({ "siteUrl": site, "permissionLevel": level });
            Reply::ok(&json!({ "siteEntry": held.sites.iter().map(entry).collect::<Vec<_>>() }))
        }
        (_, ["sites", site, rest @ ..]) => {
            let site = (*site).to_owned();
            match (method, rest) {
                ("GET", []) => held.sites.get(&site).map_or_else(
                    || forbidden(&site),
                    |level| Reply::ok(&json!({ "siteUrl": site, "permissionLevel": level })),
                ),
                ("PUT", []) => {
                    held.sites.entry(site.clone()).or_insert("siteUnverifiedUser");
                    desk.effect("site.added", site, request);
                    Reply::empty(204)
                }
                ("DELETE", []) => {
                    held.sites.remove(&site);
                    desk.effect("site.removed", site, request);
                    Reply::empty(204)
                }
                _ if held.readable(&site).is_none() => forbidden(&site),
                ("POST", ["searchAnalytics", "query"]) => query(request, desk.seed),
                ("GET", ["sitemaps"]) => {
                    let all: Vec<&Value> =
                        held.sitemaps.iter().filter(|((of, _), _)| *of == site).map(|(_, map)| map).collect();
                    Reply::ok(&json!({ "sitemap": all }))
                }
                (_, ["sitemaps", feed]) => {
                    let key = (site, (*feed).to_owned());
                    match method {
                        "GET" => held.sitemaps.get(&key).map_or_else(super::not_found, Reply::ok),
                        "PUT" => {
                            held.sitemaps.insert(key, sitemap(feed, 0));
                            desk.effect("sitemap.submitted", feed, request);
                            Reply::empty(204)
                        }
                        "DELETE" if held.sitemaps.remove(&key).is_some() => {
                            desk.effect("sitemap.deleted", feed, request);
                            Reply::empty(204)
                        }
                        _ => super::not_found(),
                    }
                }
                _ => super::not_found(),
            }
        }
        _ => super::not_found(),
    }
}

/// A filter of `dimensionFilterGroups`, ready to be asked.
struct Filter {
    dimension: usize,
    operator: String,
    expression: String,
    regex: Option<Regex>,
}

impl Filter {
    fn read(filter: &Value) -> Option<Self> {
        let operator = filter["operator"].as_str().unwrap_or("equals").to_owned();
        let expression = filter["expression"].as_str()?.to_owned();
        let regex = if operator.ends_with("Regex") { Some(Regex::new(&expression).ok()?) } else { None };
        Some(Self { dimension: position(filter["dimension"].as_str()?)?, operator, expression, regex })
    }

    fn holds(&self, row: &[String; 5]) -> bool {
        let value = &row[self.dimension];
        let (low, part) = (value.to_lowercase(), self.expression.to_lowercase());
        match self.operator.as_str() {
            "notEquals" => low != part,
            "contains" => low.contains(&part),
            "notContains" => !low.contains(&part),
            "includingRegex" => self.regex.as_ref().is_some_and(|it| it.is_match(value)),
            "excludingRegex" => self.regex.as_ref().is_some_and(|it| !it.is_match(value)),
            _ => low == part,
        }
    }
}

fn position(dimension: &str) -> Option<usize> {
    ["date", "page", "query", "country", "device"].iter().position(|it| *it == dimension)
}

/// Whether a search type has a dimension: Discover has no queries and devices, Google News no queries.
fn has(kind: &str, dimension: &str) -> bool {
    match dimension {
        "query" => !matches!(kind, "discover" | "googleNews"),
        "device" => kind != "discover",
        "searchAppearance" => kind != "googleNews",
        _ => true,
    }
}

/// How many of a hundred web impressions a search type has.
fn part(kind: &str) -> Option<u64> {
    Some(match kind {
        "web" => 100,
        "image" => 30,
        "video" => 2,
        "news" => 1,
        "discover" => 20,
        "googleNews" => 1,
        _ => return None,
    })
}

/// The appearances of a page's results, each with how many of a hundred impressions it has.
fn appearances(page: &str) -> &'static [(&'static str, u64)] {
    if page.contains("/products/lamp-") {
        &[("PRODUCT_SNIPPETS", 45), ("MERCHANT_LISTINGS", 12)]
    } else if page.contains("/guides/") {
        &[("TRANSLATED_RESULT", 4)]
    } else {
        &[]
    }
}

/// The only filter by appearance that a question can have.
fn asked_appearance<'f>(filters: &[&'f Value]) -> Option<&'f str> {
    let by_appearance = filters.iter().find(|filter| filter["dimension"] == "searchAppearance");
    by_appearance.and_then(|filter| filter["expression"].as_str())
}

fn query(request: &Request, seed: Seed) -> Reply {
    let body = request.json();
    let day = |name: &str| body[name].as_str().and_then(|text| text.parse::<Date>().ok());
    let (Some(from), Some(to)) = (day("startDate"), day("endDate")) else {
        return invalid("Invalid value at 'start_date' or 'end_date': a date in the form YYYY-MM-DD is required.");
    };
    if from > to {
        return invalid("startDate must be before endDate.");
    }
    let names: Vec<&str> =
        body["dimensions"].as_array().map(|all| all.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    let kind = body["type"].as_str().unwrap_or("web");
    let Some(part) = part(kind) else {
        return invalid("Invalid value at 'type'.");
    };
    if let Some(name) = names.iter().find(|name| !has(kind, name)) {
        return invalid(&format!(
            "Request contains an invalid argument: '{name}' is not available for the type {kind}."
        ));
    }
    let by_appearance = names == ["searchAppearance"];
    let dimensions = names.iter().filter(|_| !by_appearance).map(|name| position(name)).collect::<Option<Vec<_>>>();
    let Some(dimensions) = dimensions else {
        return invalid("Invalid value at 'dimensions': searchAppearance cannot be grouped with others.");
    };
    let limit = body["rowLimit"].as_u64().unwrap_or(1_000);
    if !(1..=25_000).contains(&limit) {
        return invalid("Invalid value at 'row_limit': it must be between 1 and 25000.");
    }
    let groups = body["dimensionFilterGroups"].as_array().cloned().unwrap_or_default();
    let filters: Vec<&Value> = groups.iter().filter_map(|group| group["filters"].as_array()).flatten().collect();
    let appearance = asked_appearance(&filters);
    let others = filters.into_iter().filter(|filter| filter["dimension"] != "searchAppearance");
    let Some(filters) = others.map(Filter::read).collect::<Option<Vec<_>>>() else {
        return invalid("Invalid value at 'filters'.");
    };
    let fresh = matches!(body["dataState"].as_str(), Some("all" | "ALL"));
    // A question that groups or filters by query leaves rare queries out, whatever else it asks.
    let by_query = dimensions.contains(&2) || filters.iter().any(|filter| filter.dimension == 2);
    let mut sums: BTreeMap<Vec<String>, (u64, u64, f64)> = BTreeMap::new();
    figures(seed, from, to, fresh, |row, rare, clicks, impressions, position| {
        if (by_query && rare) || !filters.iter().all(|filter| filter.holds(row)) {
            return;
        }
        let key: Vec<String> = dimensions.iter().map(|at| row[*at].clone()).collect();
        let mut add = |key: Vec<String>, percent: u64| {
            let of = |count: u64| count * percent * part / 10_000;
            let (clicks, impressions) = (of(clicks), of(impressions));
            if impressions > 0 {
                let sum = sums.entry(key).or_default();
                *sum = (sum.0 + clicks, sum.1 + impressions, sum.2 + position * impressions as f64);
            }
        };
        match (by_appearance, appearance) {
            (true, _) => {
                appearances(&row[1]).iter().for_each(|(name, percent)| add(vec![(*name).to_owned()], *percent))
            }
            (false, Some(asked)) => {
                let held = appearances(&row[1]).iter().find(|(name, _)| *name == asked);
                held.into_iter().for_each(|(_, percent)| add(key.clone(), *percent));
            }
            (false, None) => add(key, 100),
        }
    });
    let mut rows: Vec<_> = sums.into_iter().collect();
    if !names.contains(&"date") {
        rows.sort_by(|left, right| right.1.0.cmp(&left.1.0).then_with(|| left.0.cmp(&right.0)));
    } else if let Some(at) = names.iter().position(|name| *name == "date") {
        rows.sort_by(|left, right| {
            left.0[at].cmp(&right.0[at]).then_with(|| right.1.0.cmp(&left.1.0)).then_with(|| left.0.cmp(&right.0))
        });
    }
    let shown: Vec<Value> = rows
        .into_iter()
        .skip(usize::try_from(body["startRow"].as_u64().unwrap_or(0)).unwrap_or(usize::MAX))
        .take(usize::try_from(limit).unwrap_or(1_000))
        .map(|(keys, (clicks, impressions, weighted))| {
            let seen = impressions.max(1) as f64;
            let mut row = json!({ "clicks": clicks, "impressions": impressions, "ctr": clicks as f64 / seen, "position": weighted / seen });
            if !keys.is_empty() {
                row["keys"] = json!(keys);
            }
            row
        })
        .collect();
    let by = if names.contains(&"page") { "byPage" } else { "byProperty" };
    let mut answer = json!({ "responseAggregationType": by });
    if !shown.is_empty() {
        answer["rows"] = json!(shown);
    }
    if fresh && names == ["date"] && to > today().saturating_sub(2.days()) {
        answer["metadata"] = json!({ "firstIncompleteDate": today().saturating_sub(1.day()).to_string() });
    }
    Reply::ok(&answer)
}

/// Clicks, impressions and position of every day, page, query, country and device that was seen at all, and whether the
/// query is rare. Figures of yesterday are there for who asks for those that are not final.
fn figures(seed: Seed, from: Date, to: Date, fresh: bool, mut each: impl FnMut(&[String; 5], bool, u64, u64, f64)) {
    let last = today().saturating_sub(if fresh { 1.day() } else { 2.days() });
    let first = today().saturating_sub(16.months());
    let queries = shop::queries();
    let pages: Vec<_> = shop::pages().into_iter().take(RANKED).collect();
    for page in &pages {
        let guide = page.path.starts_with("/guides");
        for nth in 0..4 {
            let mut dice = seed.dice(&["search", &page.path, &nth.to_string()]);
            let query = dice.pick(&queries).clone();
            let (base, place) = (dice.between(2, 60) as f64, 1.0 + dice.unit() * 24.0);
            let rare = base < 6.0;
            for (country, weight) in COUNTRIES.iter().zip([1.0, 0.5]) {
                for device in DEVICES {
                    let mut row =
                        [String::new(), shop::url(&page.path), query.clone(), (*country).to_owned(), device.to_owned()];
                    let mut day = from.max(first);
                    while day <= to.min(last) {
                        row[0] = day.to_string();
                        let mut dice = seed.dice(&["day", &row[0], &row[1], &row[2], country, device]);
                        let weekend = if day.weekday().to_monday_zero_offset() > 4 { 0.7 } else { 1.0 };
                        let seen = (base * weight * weekend * (0.6 + 0.8 * dice.unit())) as u64;
                        if seen > 0 {
                            let position = (place + dice.unit() * 2.0 - 1.0).max(1.0);
                            // A curve like those published: about a third of the first place, falling with the place.
                            let mut rate = 0.32 / position.powf(1.1);
                            if guide && device == "MOBILE" && day >= DROP {
                                rate /= 2.0;
                            }
                            let exact = seen as f64 * rate;
                            let clicks = exact as u64 + u64::from(dice.unit() < exact.fract());
                            each(&row, rare, clicks.min(seen), seen, position);
                        }
                        day = day.saturating_add(1.day());
                    }
                }
            }
        }
    }
}
