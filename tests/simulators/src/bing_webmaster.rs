//! Bing Webmaster: the JSON form of its API, with a key in the query.
//!
//! Source: learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi (each method with its
//! JSON sample) and apierrorcode. Answers are in a member `d`, dates in the form `/Date(ms)/`, refusals are HTTP 400
//! with `ErrorCode` and `Message`.

mod oauth;

use std::collections::BTreeMap;
use std::sync::Mutex;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde_json::{Value, json};

use crate::provider::{Desk, Provider, page};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::{lock, shop};

const KEY: &str = "b1n9simulated4key5for6the7lamp8shop";
const A_DAY: u64 = 100;
const A_MONTH: u64 = 2_800;
/// The most addresses in one batch.
const BATCH: usize = 500;
const PREFIX: &str = "#Microsoft.Bing.Webmaster.Api";

/// Addresses submitted by day, and consents.
#[derive(Default)]
pub(crate) struct BingWebmaster(Mutex<BTreeMap<Date, u64>>, Mutex<oauth::Grants>);

fn refusal(code: u32, name: &str) -> Reply {
    Reply::json(400, &json!({ "ErrorCode": code, "Message": format!("ERROR!!! {name}") }))
}

fn date(at: Timestamp) -> String {
    format!("/Date({})/", at.as_millisecond())
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

impl Provider for BingWebmaster {
    fn credentials(&self) -> Value {
        json!({ "api_key": KEY, "client_id": oauth::CLIENT, "client_secret": oauth::SECRET })
    }

    fn auth(&self, request: &Request) -> Auth {
        let (_, parts) = request.route();
        match (parts.first(), request.bearer()) {
            (Some(&"webmasters"), _) => Auth::NotNeeded,
            (_, Some(token)) if lock(&self.1).knows(token) => Auth::Right,
            (_, Some(_)) => Auth::Wrong,
            (_, None) => Request::check(request.query("apikey"), KEY),
        }
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let (method, parts) = request.route();
        if parts.first() == Some(&"webmasters") {
            return lock(&self.1).answer(request, desk);
        }
        let ["webmaster", "api.svc", "json", name] = parts.as_slice() else { return Reply::empty(404) };
        let body = request.json();
        let site = body["siteUrl"]
            .as_str()
            .or_else(|| request.query("siteUrl"))
            .unwrap_or_default()
            .trim_matches('"')
            .to_owned();
        let name = name.to_lowercase();
        if name == "getusersites" {
            return Reply::ok(
                &json!({ "d": [{ "__type": format!("Site:{PREFIX}"), "Url": shop::url("/"), "IsVerified": true, "AuthenticationCode": "7C1F", "DnsVerificationCode": "a.verify.bing.com" }] }),
            );
        }
        if site.trim_end_matches('/') != shop::url("") {
            return refusal(14, "NotAuthorized");
        }
        match (method, name.as_str()) {
            ("POST", "submiturlbatch") => {
                let Some(urls) = body["urlList"].as_array().filter(|all| (1..=BATCH).contains(&all.len())) else {
                    return refusal(8, "InvalidParameter");
                };
                self.submit(request, desk, urls)
            }
            ("POST", "submiturl") => self.submit(request, desk, std::slice::from_ref(&body["url"])),
            ("GET", "geturlsubmissionquota") => {
                let used = lock(&self.0);
                let (today, all) = (used.get(&today()).copied().unwrap_or(0), used.values().sum::<u64>());
                Reply::ok(
                    &json!({ "d": { "__type": format!("UrlSubmissionQuota:{PREFIX}"), "DailyQuota": A_DAY - today, "MonthlyQuota": A_MONTH - all } }),
                )
            }
            ("GET", "geturlinfo") => url_info(request.query("url").unwrap_or_default().trim_matches('"'), desk),
            ("GET", "getcrawlissues") => {
                // Flags of UrlCrawlIssues: 4 is HTTP 400 to 499, 8 is 500 to 599, 16 is blocked by robots.txt.
                let issues = [
                    ("/missing", 404, 4),
                    ("/error", 500, 8),
                    ("/private/stock", 0, 16),
                    ("/products/lamp-3-gone", 404, 4),
                ];
                let shown: Vec<Value> = issues.iter().map(|(path, code, flags)| json!({ "__type": format!("UrlWithCrawlIssues:{PREFIX}"), "HttpCode": code, "Issues": flags, "Url": shop::url(path), "InLinks": 1 })).collect();
                Reply::ok(&json!({ "d": shown }))
            }
            ("GET", "getcrawlstats") => {
                let day = |back: i64| {
                    let at = Timestamp::now() - SignedDuration::from_hours(24 * back);
                    let crawled = desk.seed.dice(&["bing", &at.strftime("%F").to_string()]).between(10, 60);
                    json!({ "__type": format!("CrawlStats:{PREFIX}"), "Date": date(at), "CrawledPages": crawled, "CrawlErrors": 2, "Code2xx": crawled - 4, "Code301": 1, "Code302": 1, "Code4xx": 1, "Code5xx": 1, "AllOtherCodes": 0, "BlockedByRobotsTxt": 1, "ContainsMalware": 0, "InIndex": 31, "InLinks": 120 })
                };
                Reply::ok(&json!({ "d": (1..=30).rev().map(day).collect::<Vec<_>>() }))
            }
            ("GET", "getquerystats") => {
                let all: Vec<Value> = shop::queries().iter().map(|query| {
                    let mut dice = desk.seed.dice(&["bing", query]);
                    let seen = dice.between(5, 400);
                    json!({ "__type": format!("QueryStats:{PREFIX}"), "Query": query, "Clicks": seen / 20, "Impressions": seen, "AvgClickPosition": dice.between(1, 12), "AvgImpressionPosition": dice.between(1, 20), "Date": date(Timestamp::now()) })
                }).collect();
                let (slice, _) = page(&all, request.number("page").unwrap_or(0) + 1, 50);
                Reply::ok(&json!({ "d": slice }))
            }
            _ => Reply::empty(404),
        }
    }

    fn refused(&self, request: &Request) -> Reply {
        if request.bearer().is_some() {
            return Reply::json(401, &json!({ "ErrorCode": 3, "Message": "ERROR!!! InvalidToken" }));
        }
        refusal(3, "InvalidApiKey")
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        refusal(4, "ThrottleUser")
    }

    fn broken(&self, _: &Request) -> Reply {
        Reply::json(500, &json!({ "ErrorCode": 1, "Message": "ERROR!!! InternalError" }))
    }
}

impl BingWebmaster {
    /// All of a batch or nothing of it.
    fn submit(&self, request: &Request, desk: &Desk, urls: &[Value]) -> Reply {
        let of_site = |url: &Value| url.as_str().is_some_and(|url| url.starts_with(&shop::url("/")));
        if !urls.iter().all(of_site) {
            return refusal(7, "InvalidUrl");
        }
        let mut used = lock(&self.0);
        let today = used.entry(today()).or_default();
        if *today + urls.len() as u64 > A_DAY {
            return Reply::json(
                400,
                &json!({ "ErrorCode": 8, "Message": format!("ERROR!!! Quota remaining for today: {}, Submitted: {}", A_DAY - *today, urls.len()) }),
            );
        }
        *today += urls.len() as u64;
        for url in urls.iter().filter_map(Value::as_str) {
            desk.effect("url.submitted", url, request);
        }
        Reply::ok(&json!({ "d": null }))
    }
}

fn url_info(url: &str, desk: &Desk) -> Reply {
    let Some(known) = shop::pages().into_iter().find(|page| shop::url(&page.path) == url) else {
        return refusal(11, "NotFound");
    };
    let mut dice = desk.seed.dice(&["bing", &known.path]);
    let ago = |hours: u64| date(Timestamp::now() - SignedDuration::from_hours(i64::try_from(hours).unwrap_or(1)));
    Reply::ok(
        &json!({ "d": { "__type": format!("UrlInfo:{PREFIX}"), "AnchorCount": dice.below(12), "DiscoveryDate": ago(dice.between(3_000, 9_000)), "DocumentSize": dice.between(2_000, 9_000),
        "HttpStatus": 200, "IsPage": true, "LastCrawledDate": ago(dice.between(4, 700)), "TotalChildUrlCount": 0, "Url": url } }),
    )
}
