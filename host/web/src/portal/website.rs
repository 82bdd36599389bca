//! One website: its score over time, what to do first, what was found, its crawls and its jobs.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::clock::Moment;
use serde_json::{Value, json};
use service::Service;
use service::routes::WEBSITES_GET;

use super::figures::{When, counted, grouped};
use super::frame::Frame;
use super::jobs::{Job, job};
use super::page::{Leads, not_found, page};
use super::websites::{Site, part, read, text, when};
use super::{broken, either, enter};

/// Opportunities that are listed.
const FIRST: u64 = 5;
/// Findings that are listed.
const FINDINGS: u64 = 25;
/// Crawls that are listed.
const CRAWLS: u64 = 5;

#[derive(Template)]
#[template(path = "website.html")]
struct Page {
    frame: Frame,
    site: Site,
    /// What a consultant would name first.
    first: Vec<Opportunity>,
    /// None where they could not be read, which says nothing about the website.
    findings: Option<Vec<Finding>>,
    /// Whether there are more findings than are listed.
    more: bool,
    crawls: Vec<Crawled>,
    jobs: Vec<Job>,
    is_live: bool,
}

/// What is worth doing.
struct Opportunity {
    title: String,
    advice: String,
    impact: u64,
    affected: String,
    effort: String,
    /// The operation that acts on it, and its arguments as JSON.
    operation: String,
    arguments: String,
}

/// A rule with findings.
struct Finding {
    rule: String,
    title: String,
    severity: String,
    tone: &'static str,
    pages: String,
    /// The change against the audit before, with its sign; empty when there is none to tell.
    change: String,
}

/// A crawl in the list.
struct Crawled {
    reference: String,
    state: String,
    tone: &'static str,
    began: When,
    pages: String,
    errors: String,
    took: String,
}

pub(super) async fn get(State(service): State<Service>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(service.core.authority(), &headers, &format!("/websites/{id}")).await?;
        let customer = &inside.session.customer;
        let look = async |name: &str, arguments: Value| part(&service, customer, name, &arguments).await;
        let Some(found) = look(WEBSITES_GET, json!({ "site_id": id })).await? else {
            return Err(not_found("website"));
        };
        let now = service.core.clock().now();
        let site = read(&service, customer, &found).await?;
        let of_site = |limit: u64| json!({ "site_id": id, "limit": limit });
        let first = look("audit.opportunities.list", of_site(FIRST)).await?.unwrap_or_default();
        let crawls = look("crawl.run.list", of_site(CRAWLS)).await?.unwrap_or_default();
        let findings = match &site.audit {
            Some(audit) => {
                let asked = json!({ "audit_ref": audit.reference, "limit": FINDINGS });
                look("audit.issue.list", asked).await?
            }
            None => None,
        };
        let jobs = service.core.authority().jobs_of(customer, &id).await.map_err(broken)?;
        let jobs: Vec<Job> = jobs.iter().map(|entry| job(entry, now, &[])).collect();
        let all = |answer: &Value, name: &str| answer[name].as_array().cloned().unwrap_or_default();
        let template = Page {
            frame: inside.frame("/websites"),
            site,
            first: all(&first, "opportunities").iter().map(opportunity).collect(),
            more: findings.as_ref().is_some_and(|it| it["next_cursor"].is_string()),
            findings: findings.map(|it| all(&it, "issues").iter().map(finding).collect()),
            crawls: all(&crawls, "runs").iter().map(|run| crawled(run, now)).collect(),
            is_live: jobs.iter().any(|job| job.is_open),
            jobs,
        };
        Ok(page(StatusCode::OK, &template, &Leads::Inside))
    };
    either(shown.await)
}

fn opportunity(value: &Value) -> Opportunity {
    Opportunity {
        title: text(value, "title"),
        advice: text(value, "advice"),
        impact: value["impact"].as_u64().unwrap_or(0),
        affected: counted(value["affected"].as_u64().unwrap_or(0), "page"),
        effort: text(value, "effort"),
        operation: text(&value["fix"], "operation_id"),
        arguments: serde_json::to_string_pretty(&value["fix"]["arguments"]).unwrap_or_default(),
    }
}

fn finding(value: &Value) -> Finding {
    let severity = text(value, "severity");
    Finding {
        rule: text(value, "rule"),
        title: text(value, "title"),
        tone: match severity.as_str() {
            "error" => "bad",
            "warning" => "firm",
            _ => "",
        },
        severity,
        pages: grouped(value["urls"].as_u64().unwrap_or(0)),
        change: match value["delta"].as_i64() {
            Some(0) => "±0".to_owned(),
            Some(more @ 1..) => format!("+{more}"),
            Some(less) => format!("−{}", less.unsigned_abs()),
            None => String::new(),
        },
    }
}

fn crawled(value: &Value, now: Moment) -> Crawled {
    let state = text(value, "state");
    let totals = &value["totals"];
    Crawled {
        reference: text(value, "run_ref"),
        tone: match state.as_str() {
            "succeeded" => "good",
            "failed" => "bad",
            "running" => "busy",
            _ => "",
        },
        state,
        began: when(&value["created_at"], now),
        pages: grouped(totals["fetched"].as_u64().unwrap_or(0)),
        errors: grouped(totals["errors"].as_u64().unwrap_or(0)),
        took: value["duration_ms"].as_u64().map_or_else(String::new, took),
    }
}

/// A span in the two greatest of its units.
fn took(millis: u64) -> String {
    let seconds = millis.div_ceil(1_000);
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::websites::Audit;
    use super::*;

    #[test]
    fn a_span_is_written_in_its_two_greatest_units() {
        for (millis, words) in [(1, "1 s"), (61_000, "1 min 1 s"), (3_660_000, "1 h 1 min"), (59_000, "59 s")] {
            assert_eq!(took(millis), words);
        }
    }

    #[test]
    fn findings_that_nobody_could_read_are_not_said_to_be_none() {
        let page = |findings| {
            let day = Moment::of_day("2026-11-27").unwrap();
            let when = When::new(day, day);
            let reference = "aud_1".to_owned();
            let audit = Audit { reference, score: "71".to_owned(), when, errors: 2, warnings: 0, notices: 0 };
            let site = Site {
                id: "81".to_owned(),
                domain: "shop.example".to_owned(),
                origin: "http://shop.example".to_owned(),
                name: String::new(),
                state: "audited",
                tone: "good",
                audit: Some(audit),
                trend: None,
                crawl: None,
            };
            let frame = Frame { viewer: String::new(), here: "/websites", csrf: String::new() };
            let (first, crawls, jobs) = (Vec::new(), Vec::new(), Vec::new());
            let page = Page { frame, site, first, findings, more: false, crawls, jobs, is_live: false };
            page.render().unwrap()
        };
        assert!(page(Some(Vec::new())).contains("found no fault"));
        assert!(!page(None).contains("found no fault"));
    }

    #[test]
    fn a_change_has_its_sign() {
        for (delta, words) in [(json!(3), "+3"), (json!(-2), "−2"), (json!(0), "±0"), (Value::Null, "")] {
            assert_eq!(finding(&json!({ "severity": "error", "delta": delta })).change, words);
        }
    }
}
