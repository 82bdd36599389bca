//! One website: its score over time, what to do first, what was found, its crawls and its jobs.

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::clock::Moment;
use serde_json::{Value, json};
use service::Service;
use service::portal::view::Unseen;
use service::routes::WEBSITES_GET;

use super::figures::{When, counted, grouped};
use super::frame::Frame;
use super::jobs::{Job, job};
use super::page::{Leads, not_found, page};
use super::websites::{Site, busy, read, text, when};
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
    findings: Vec<Finding>,
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
        let inside = enter(service.authority(), &headers, &format!("/websites/{id}")).await?;
        let customer = &inside.session.customer;
        let look = async |name: &str, arguments: Value| service.view(customer, name, &arguments).await;
        let found = match look(WEBSITES_GET, json!({ "site_id": id })).await {
            Err(Unseen::Refused) => return Err(not_found("website")),
            found => found.map_err(|_| busy())?,
        };
        let now = service.clock().now();
        let site = read(&service, customer, &found).await?;
        let of_site = |limit: u64| json!({ "site_id": id, "limit": limit });
        // What a module cannot tell now leaves its part of the page empty.
        let first = look("audit.opportunities.list", of_site(FIRST)).await.unwrap_or_default();
        let crawls = look("crawl.run.list", of_site(CRAWLS)).await.unwrap_or_default();
        let findings = match &site.audit {
            Some(audit) => {
                let asked = json!({ "audit_ref": audit.reference, "limit": FINDINGS });
                look("audit.issue.list", asked).await.unwrap_or_default()
            }
            None => Value::Null,
        };
        let jobs = service.authority().jobs_of(customer, &id).await.map_err(broken)?;
        let jobs: Vec<Job> = jobs.iter().map(|entry| job(entry, now, &[])).collect();
        let all = |answer: &Value, name: &str| answer[name].as_array().cloned().unwrap_or_default();
        let template = Page {
            frame: inside.frame("/websites"),
            site,
            first: all(&first, "opportunities").iter().map(opportunity).collect(),
            findings: all(&findings, "issues").iter().map(finding).collect(),
            more: findings["next_cursor"].is_string(),
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
    use super::*;

    #[test]
    fn a_span_is_written_in_its_two_greatest_units() {
        for (millis, words) in [(1, "1 s"), (61_000, "1 min 1 s"), (3_660_000, "1 h 1 min"), (59_000, "59 s")] {
            assert_eq!(took(millis), words);
        }
    }

    #[test]
    fn a_change_has_its_sign() {
        for (delta, words) in [(json!(3), "+3"), (json!(-2), "−2"), (json!(0), "±0"), (Value::Null, "")] {
            assert_eq!(finding(&json!({ "severity": "error", "delta": delta })).change, words);
        }
    }
}
