//! The operations `indexing.bing.submit` and `indexing.bing.status.get`, and how Bing Webmaster is asked.
//!
//! Source: learn.microsoft.com/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi, `ApiErrorCode`,
//! `UrlWithCrawlIssues.CrawlIssues`. Answers are in a member `d`, dates in the form `/Date(ms)/`.

use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;
use sdk::{Need, Send, Sent, json};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::stored::Receiver;
use crate::submission::{self, Ready};
use site::{Property, Site};

/// What Bing needs.
pub(crate) const NEED: Need = Need::key("bing_webmaster", &["verified user of the site"]);
const API: &str = "/webmaster/api.svc/json";
/// Crawl issues that are told.
const ISSUES: usize = 200;

/// A site that a connection can reach.
pub(crate) struct Reached {
    connection: String,
    /// As Bing names it.
    pub(crate) site: String,
}

/// What a method answers with.
#[derive(Deserialize)]
struct Wrapped<T> {
    d: T,
}

/// A refusal.
#[derive(Deserialize)]
struct Refusal {
    #[serde(rename = "ErrorCode")]
    code: u32,
    #[serde(rename = "Message", default)]
    message: String,
}

/// The site of a website at Bing: the one that was mapped to it, else its origin.
pub(crate) fn site(cx: &Cx, site: &Stored<Site>) -> Result<Reached> {
    let why = "Bing answers verified users of the site only";
    let best = cx.connections().required(NEED, "/site_id", why)?;
    let mapped = cx.records::<Property>().by("site_id_kind").equals(&site.id).equals("bing_webmaster").first();
    let held = cx.connections().of("bing_webmaster");
    Ok(match mapped.filter(|it| held.iter().any(|one| one.reference == it.connection_ref)) {
        Some(mapped) => {
            let Property { connection_ref, remote_id, .. } = mapped.it;
            Reached { connection: connection_ref, site: remote_id }
        }
        None => Reached { connection: best.reference, site: site.origin.clone() },
    })
}

fn get(reached: &Reached, method: &str) -> Send {
    Send::get(&reached.connection, format!("{API}/{method}")).query("siteUrl", &reached.site).timeout(15_000)
}

/// What a method answered, or its refusal in the catalog's words.
fn read<T: DeserializeOwned>(sent: Sent) -> Result<T> {
    if sent.is_success() {
        return Ok(sent.json::<Wrapped<T>>()?.d);
    }
    let Ok(refusal) = sent.json::<Refusal>() else { return Err(sent.accepted().err().unwrap_or_else(broken)) };
    let message = kit::text::clip(refusal.message.trim_start_matches("ERROR!!! "), 200).to_owned();
    let fault = match refusal.code {
        3 => Fault::conflict(
            "connection_expired",
            "Bing does not accept the key; replace it with connections.secret.rotate",
        ),
        4 => Fault::unavailable("provider_quota_exhausted", "Bing asks to wait before it answers again"),
        14 => Fault::refused("missing_permission", "the account at Bing is no verified user of this site"),
        _ => Fault::unavailable("provider_error", format!("Bing refused: {message}")),
    };
    Err(fault.detail(json!({ "provider_code": refusal.code, "retry_after": null })))
}

fn broken() -> Fault {
    Fault::unavailable("provider_error", "Bing's answer is not what it documents")
}

#[derive(Deserialize)]
struct Quota {
    #[serde(rename = "DailyQuota", default)]
    daily: i64,
}

/// Addresses that Bing takes today.
pub(crate) fn quota(cx: &Cx, reached: &Reached) -> Result<u32> {
    let quota: Quota = read(cx.connections().send(&get(reached, "GetUrlSubmissionQuota"))?)?;
    Ok(u32::try_from(quota.daily.max(0)).unwrap_or(u32::MAX))
}

/// Hands over one batch, which Bing takes whole or not at all, and keeps that it did.
pub(crate) fn send(cx: &Cx, site: &Id<Site>, reached: &Reached, ready: &[Ready]) -> Result<()> {
    let urls: Vec<&str> = ready.iter().map(|it| it.url.as_str()).collect();
    let body = json!({ "siteUrl": reached.site, "urlList": urls });
    let request = Send::post(&reached.connection, format!("{API}/SubmitUrlbatch")).json(&body).timeout(20_000);
    let sent = cx.connections().send(&request)?;
    let code = sent.status;
    read::<Option<serde_json::Value>>(sent)?;
    submission::keep(cx, site, Receiver::Bing, ready, code)
}

#[args]
pub(crate) struct Submit {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Addresses of it.
    urls: List<Url, 1, 500>,
}

/// An address that was not handed over.
#[value]
pub(crate) struct Rejected {
    url: String,
    /// `over_quota`, or what stands against it, such as `noindex`.
    reason: String,
}

/// Addresses that were handed over.
#[value]
pub(crate) struct Submitted {
    submitted: u32,
    /// Addresses that Bing still takes today.
    quota_left: u32,
    rejected: Vec<Rejected>,
    /// The site as Bing names it.
    site: String,
    degraded: Vec<Degraded>,
}

/// Submits URLs to Bing through the Webmaster API batch method within the daily quota it reports.
///
/// What search engines may not show is left out, by the newest crawl, or by the live page for up to 20 addresses that it
/// does not know. What is over the quota is rejected, in the order given; nothing is kept for later.
#[operation(
    write,
    scope = "seo:execute",
    cost = bulk(most = urls, unit = "urls"),
    side_effects = ["asks Bing to crawl the pages"],
    needs = ["web", "store", "connection:bing_webmaster"],
    outside = [
        "bing_webmaster GET /webmaster/api.svc/json/GetUrlSubmissionQuota",
        "bing_webmaster POST /webmaster/api.svc/json/SubmitUrlbatch change",
    ],
    phrasings = [
        "submit urls to bing",
        "ask bing to crawl these pages",
        "send my new pages to bing webmaster tools",
    ],
    examples = [{ "site_id": "4503599627370496", "urls": ["https://shop.example/lamps"] }]
)]
pub(crate) fn submit(cx: &Cx, args: Submit) -> Result<Answer<Submitted>> {
    let site = site::get(cx, &args.site_id)?;
    let urls = args.urls.into_vec();
    site::all_own(&site, &urls)?;
    let reached = self::site(cx, &site)?;
    let sorted = submission::sort(cx, &site.id, Receiver::Bing, &urls, true);
    let quota = quota(cx, &reached)?;
    let mut ready = sorted.ready;
    let over = ready.split_off(ready.len().min(quota as usize));
    let mut rejected: Vec<Rejected> =
        sorted.skipped.into_iter().map(|it| Rejected { url: it.url, reason: it.reason }).collect();
    rejected.extend(over.into_iter().map(|it| Rejected { url: it.url, reason: "over_quota".to_owned() }));
    if !ready.is_empty() {
        send(cx, &site.id, &reached, &ready)?;
    }
    let submitted = u32::try_from(ready.len()).unwrap_or(u32::MAX);
    let out = Submitted {
        submitted,
        quota_left: quota.saturating_sub(submitted),
        rejected,
        site: reached.site,
        degraded: sorted.degraded,
    };
    Ok(Answer::new(out).units(urls.len() as u64))
}

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Site>,
    /// A page of it, to be told what Bing knows of it.
    url: Option<Url>,
}

/// What Bing knows of a page.
#[value]
pub(crate) struct UrlInfo {
    url: String,
    /// Whether Bing knows it.
    known: bool,
    /// The status that it answered Bing with.
    http_status: Option<u32>,
    discovered_at: Option<Moment>,
    last_crawled_at: Option<Moment>,
    /// Bytes.
    document_size: Option<u64>,
    /// Pages of other websites that link to it, as Bing counts them.
    anchors: Option<u64>,
}

/// A page that Bing had trouble with.
#[value]
pub(crate) struct CrawlIssue {
    url: String,
    /// The status; 0 without an answer.
    http_code: u32,
    /// Such as `code_4xx` or `blocked_by_robots_txt`.
    issues: Vec<String>,
    /// Links to it.
    inlinks: u64,
    fix: Fix,
}

/// Bing's crawling of one day.
#[value]
pub(crate) struct DayStats {
    day: Day,
    crawled: u64,
    errors: u64,
    /// Pages in Bing's index.
    in_index: u64,
    blocked_by_robots: u64,
}

/// What Bing knows of a website.
#[value]
pub(crate) struct Status {
    /// None when no page is asked for.
    url_info: Option<UrlInfo>,
    /// At most 200.
    crawl_issues: Vec<CrawlIssue>,
    /// The last 30 days that Bing tells, the newest last.
    stats: Vec<DayStats>,
    /// Pages in Bing's index on the newest day.
    in_index: Option<u64>,
    /// The site as Bing names it.
    site: String,
    asked_at: Moment,
    degraded: Vec<Degraded>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", default)]
#[derive(Default)]
struct GivenInfo {
    anchor_count: Option<u64>,
    discovery_date: Option<String>,
    document_size: Option<u64>,
    http_status: Option<u32>,
    last_crawled_date: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct GivenIssue {
    http_code: u32,
    issues: u64,
    url: String,
    in_links: u64,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "PascalCase", default)]
struct GivenStats {
    date: String,
    crawled_pages: u64,
    crawl_errors: u64,
    in_index: u64,
    blocked_by_robots_txt: u64,
}

/// The flags of `UrlWithCrawlIssues.CrawlIssues`.
const FLAGS: [(u64, &str); 9] = [
    (1, "code_301"),
    (2, "code_302"),
    (4, "code_4xx"),
    (8, "code_5xx"),
    (16, "blocked_by_robots_txt"),
    (32, "contains_malware"),
    (64, "important_url_blocked_by_robots_txt"),
    (128, "dns_errors"),
    (256, "time_out_errors"),
];

/// Reads Bing's crawl issues, index state and last crawl for a site or URL through the Webmaster API.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 3),
    needs = ["store", "connection:bing_webmaster"],
    outside = [
        "bing_webmaster GET /webmaster/api.svc/json/GetCrawlIssues",
        "bing_webmaster GET /webmaster/api.svc/json/GetCrawlStats",
        "bing_webmaster GET /webmaster/api.svc/json/GetUrlInfo",
    ],
    phrasings = [
        "what does bing know about my site",
        "bing crawl errors",
        "is this page in bing's index",
        "when did bing last crawl this page",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "url": "https://shop.example/lamps" }]
)]
pub(crate) fn status(cx: &Cx, args: Get) -> Result<Status> {
    let site = site::get(cx, &args.site_id)?;
    if let Some(url) = args.url.as_ref().filter(|url| !site.has(url.as_str())) {
        let message = format!("{url} is not one of this website, which is at {}", site.origin);
        return Err(Fault::invalid("/url", "url_not_of_site", message));
    }
    let reached = self::site(cx, &site)?;
    let mut requests = vec![get(&reached, "GetCrawlIssues"), get(&reached, "GetCrawlStats")];
    if let Some(url) = &args.url {
        requests.push(get(&reached, "GetUrlInfo").query("url", url.as_str()));
    }
    let mut answers = cx.connections().send_many(requests).into_iter();
    let mut next = || answers.next().map(|it| it.map_err(Fault::from)).unwrap_or_else(|| Err(broken()));
    let issues: Vec<GivenIssue> = read(next()?)?;
    let stats: Vec<GivenStats> = read(next()?)?;
    let url_info = match &args.url {
        None => None,
        Some(url) => Some(info(url.as_str(), read::<Option<GivenInfo>>(next()?))?),
    };
    let mut degraded = Vec::new();
    if issues.len() > ISSUES {
        degraded.push(Degraded::new("crawl issues", format!("the first {ISSUES} of {} are told", issues.len())));
    }
    let mut stats: Vec<DayStats> = stats.into_iter().filter_map(day).collect();
    stats.sort_by_key(|it| it.day);
    let stats = stats.split_off(stats.len().saturating_sub(30));
    Ok(Status {
        url_info,
        crawl_issues: issues.into_iter().take(ISSUES).map(issue).collect(),
        in_index: stats.last().map(|it| it.in_index),
        stats,
        site: reached.site,
        asked_at: cx.now(),
        degraded,
    })
}

/// What is known of a page; Bing says of one that it does not know that it was not found (code 11).
fn info(url: &str, answer: Result<Option<GivenInfo>>) -> Result<UrlInfo> {
    let given = match answer {
        Ok(given) => given,
        Err(fault) if fault.detail.as_deref().is_some_and(|it| it.contains("\"provider_code\":11")) => None,
        Err(fault) => return Err(fault),
    };
    let known = given.is_some();
    let given = given.unwrap_or_default();
    let at = |it: &Option<String>| it.as_deref().and_then(moment);
    Ok(UrlInfo {
        url: url.to_owned(),
        known,
        http_status: given.http_status,
        discovered_at: at(&given.discovery_date),
        last_crawled_at: at(&given.last_crawled_date),
        document_size: given.document_size,
        anchors: given.anchor_count,
    })
}

fn issue(it: GivenIssue) -> CrawlIssue {
    let issues = FLAGS.iter().filter(|(flag, _)| it.issues & flag != 0).map(|(_, name)| (*name).to_owned()).collect();
    CrawlIssue {
        fix: Fix::on("indexing.url.check", &it.url),
        url: it.url,
        http_code: it.http_code,
        issues,
        inlinks: it.in_links,
    }
}

fn day(it: GivenStats) -> Option<DayStats> {
    Some(DayStats {
        day: moment(&it.date)?.day(),
        crawled: it.crawled_pages,
        errors: it.crawl_errors,
        in_index: it.in_index,
        blocked_by_robots: it.blocked_by_robots_txt,
    })
}

/// A date of the form `/Date(1398927600000-0700)/`: milliseconds since 1970 UTC, and a zone that changes nothing. Bing
/// says the year 1 for never.
fn moment(text: &str) -> Option<Moment> {
    let inner = text.strip_prefix("/Date(")?.strip_suffix(")/")?;
    let end = inner[1.min(inner.len())..].find(['+', '-']).map_or(inner.len(), |at| at + 1);
    let millis: i64 = inner[..end].parse().ok()?;
    u64::try_from(millis).ok().filter(|it| *it > 0).map(Moment::from_millis)
}

#[cfg(test)]
mod tests;
