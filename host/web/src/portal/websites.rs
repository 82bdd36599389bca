//! The customer's websites: how each is doing, and where to look next.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use model::clock::Moment;
use model::id::CustomerId;
use serde_json::{Value, json};
use service::Service;
use service::oauth::form::Parameters;
use service::portal::view::Unseen;
use service::routes::{WEBSITES_GET, WEBSITES_LIST};

use super::figures::{When, grouped};
use super::frame::Frame;
use super::page::{Leads, page, problem};
use super::trend::Trend;
use super::{either, enter_at};

/// Websites on one page.
const PAGE: u64 = 20;
/// Audits that a trend is drawn from.
const AUDITS: u64 = 12;

#[derive(Template)]
#[template(path = "websites.html")]
struct Page {
    frame: Frame,
    sites: Vec<Site>,
    is_first: bool,
    next: Option<String>,
}

/// A website as a page shows it.
pub(super) struct Site {
    pub(super) id: String,
    pub(super) domain: String,
    pub(super) origin: String,
    /// How it is called, where that is not its domain.
    pub(super) name: String,
    pub(super) state: &'static str,
    pub(super) tone: &'static str,
    /// What the latest audit said; none before the first.
    pub(super) audit: Option<Audit>,
    pub(super) trend: Option<Trend>,
    /// What the latest crawl fetched; none before the first.
    pub(super) crawl: Option<Crawl>,
}

/// The latest audit that has ended.
pub(super) struct Audit {
    pub(super) reference: String,
    pub(super) score: String,
    pub(super) when: When,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    pub(super) notices: u64,
}

/// The latest crawl.
pub(super) struct Crawl {
    pub(super) pages: String,
    pub(super) when: When,
}

pub(super) async fn get(State(service): State<Service>, headers: HeaderMap, uri: Uri) -> Response {
    let shown = async {
        let inside = enter_at(service.core.authority(), &headers, &uri).await?;
        let asked = Parameters::read(uri.query().unwrap_or_default());
        let before = asked.one("before").ok().flatten().unwrap_or_default().to_owned();
        let mut arguments = json!({ "limit": PAGE });
        if !before.is_empty() {
            arguments["before_site_id"] = json!(before);
        }
        let customer = &inside.session.customer;
        let found = match service.portal.view(customer, WEBSITES_LIST, &arguments).await {
            Err(Unseen::Refused) if !before.is_empty() => return Err(super::page::not_found("website")),
            found => found.map_err(|_| busy())?,
        };
        let mut sites = Vec::new();
        for listed in found["websites"].as_array().into_iter().flatten() {
            sites.push(site(&service, customer, listed).await?);
        }
        let next = found["next_before_site_id"].as_str().map(|next| format!("/websites?before={next}"));
        let template = Page { frame: inside.frame("/websites"), sites, is_first: before.is_empty(), next };
        Ok(page(StatusCode::OK, &template, &Leads::Inside))
    };
    either(shown.await)
}

/// A website with its latest audit and crawl.
async fn site(service: &Service, customer: &CustomerId, listed: &Value) -> Result<Site, Response> {
    let id = text(listed, "site_id");
    let shown = service.portal.view(customer, WEBSITES_GET, &json!({ "site_id": id })).await.map_err(|_| busy())?;
    read(service, customer, &shown).await
}

/// As [`site`], of what the route shows of one website.
pub(super) async fn read(service: &Service, customer: &CustomerId, shown: &Value) -> Result<Site, Response> {
    let now = service.core.clock().now();
    let id = text(shown, "site_id");
    let (state, tone) = match shown["status"].as_str() {
        Some("crawling") => ("being crawled", "busy"),
        Some("crawled") => ("crawled, not audited", "firm"),
        Some("audited") => ("audited", "good"),
        _ => ("not crawled yet", ""),
    };
    let audits = json!({ "site_id": id, "limit": AUDITS });
    let audits = part(service, customer, "audit.run.list", &audits).await?.unwrap_or_default();
    let ended: Vec<&Value> =
        audits["audits"].as_array().into_iter().flatten().filter(|it| it["score"].is_number()).collect();
    let crawl = &shown["metrics"]["crawl"];
    let domain = text(shown, "domain");
    Ok(Site {
        name: Some(text(shown, "name")).filter(|name| *name != domain).unwrap_or_default(),
        origin: text(shown, "origin"),
        id,
        domain,
        state,
        tone,
        audit: ended.first().map(|audit| {
            let many = |severity: &str| audit["by_severity"][severity].as_u64().unwrap_or(0);
            Audit {
                reference: text(audit, "audit_ref"),
                score: score(&audit["score"]),
                when: when(&audit["finished_at"], now),
                errors: many("error"),
                warnings: many("warning"),
                notices: many("notice"),
            }
        }),
        trend: Trend::of(ended.iter().rev().filter_map(|it| Some((day(&it["finished_at"]), it["score"].as_f64()?)))),
        crawl: crawl.is_object().then(|| Crawl {
            pages: grouped(crawl["pages"].as_u64().unwrap_or(0)),
            when: when(if crawl["finished_at"].is_null() { &crawl["created_at"] } else { &crawl["finished_at"] }, now),
        }),
    })
}

/// What a part of a page shows; none where the module has nothing to tell, or a catalog without it is served. A run that
/// comes to no answer leaves the whole page for later: a part that nobody has read says nothing about the website.
pub(super) async fn part(
    service: &Service,
    customer: &CustomerId,
    name: &str,
    arguments: &Value,
) -> Result<Option<Value>, Response> {
    match service.portal.view(customer, name, arguments).await {
        Ok(found) => Ok(Some(found)),
        Err(Unseen::Refused) => Ok(None),
        Err(Unseen::Failed) => Err(busy()),
    }
}

/// The page of a run that did not come to an answer.
pub(super) fn busy() -> Response {
    let words = "The service has too much to do at the moment. Nothing is lost; look again in a few seconds.";
    problem(StatusCode::SERVICE_UNAVAILABLE, "This page cannot be shown now", words)
}

/// A member that is a text, or nothing.
pub(super) fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

/// A score, without a fraction that is none.
pub(super) fn score(value: &Value) -> String {
    let score = value.as_f64().unwrap_or_default();
    format!("{score:.0}")
}

/// A moment of an answer.
pub(super) fn when(value: &Value, now: Moment) -> When {
    let at = value.as_str().and_then(Moment::parse).unwrap_or(now);
    When::new(at, now)
}

fn day(value: &Value) -> String {
    value.as_str().and_then(|text| text.get(..10)).unwrap_or_default().to_owned()
}
