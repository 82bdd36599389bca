//! What a website lacks before anything else can be said of it.

use kit::crawled::{RunState, StopReason};
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use super::sources::Finding;
use super::{Effort, Focus};
use crate::audits::Audited;
use crate::stored::Website;
use crate::{competitor, search};
use site::Run;

/// What is worth so much stands before everything else: without it nothing more can be said, or nobody gets in.
const MUST: f64 = 80.0;
/// Milliseconds after which a crawl says little of today: 45 days.
const OLD: u64 = 45 * 86_400_000;

/// What is missing, each with its root cause.
pub(super) fn missing(cx: &Cx, site: &Stored<Website>, audit: Option<&Stored<Audited>>) -> Vec<Finding> {
    // The ids of crawls grow with time.
    let runs = cx.records::<Run>().by("site_id").equals(&site.id).descending().page(20u64, None);
    let mut runs = runs.map(|page| page.items).unwrap_or_default().into_iter();
    let newest = runs.find(|it| it.0.kind.is_crawl() && !it.0.deleting && it.0.state != RunState::Failed);
    let mut found = Vec::new();
    let mut add = |cause: &str, title: &str, why: String, impact: f64, effort: Effort, act: Fix| {
        found.push(Finding {
            cause: cause.to_owned(),
            title: title.to_owned(),
            why: vec![why],
            focus: Focus::All,
            critical: impact >= MUST,
            impact,
            clicks: None,
            confidence: 100,
            effort,
            urls: Vec::new(),
            affected: 0,
            share: 0.0,
            operation_id: act.operation_id,
            args: act.arguments,
            sources: Vec::new(),
            rules: Vec::new(),
        });
    };
    let crawl = || Fix::new("crawl.run.start", json!({ "site_id": site.id }));
    match &newest {
        None => {
            let why = "the website was never crawled, so nothing is known of its pages".to_owned();
            add("reach.crawl", "Crawl the website", why, 90.0, Effort::Low, crawl());
        }
        Some(run) => {
            let ended = run.0.is_readable();
            match run.0.stop_reason {
                Some(StopReason::RobotsDisallowed) => {
                    let why = "robots.txt forbids the starting addresses, so neither this crawler nor search engines \
                               that obey it read the website";
                    let lint = Fix::new("indexing.robots.lint", json!({ "origin": site.origin, "site_id": site.id }));
                    add("reach.robots", "Let crawlers in by robots.txt", why.to_owned(), 100.0, Effort::Low, lint);
                }
                Some(reason @ (StopReason::BlockedByChallenge | StopReason::Unreachable)) => {
                    let why = if reason == StopReason::Unreachable {
                        "no starting address answered the newest crawl"
                    } else {
                        "the website answers crawlers with a challenge for people"
                    };
                    let check = Fix::new("indexing.url.check", json!({ "url": format!("{}/", site.origin) }));
                    add("reach.door", "Open the front door to crawlers", why.to_owned(), 100.0, Effort::Medium, check);
                }
                _ => {}
            }
            let age = run.0.finished_ms.map_or(0, |at| cx.now().millis().saturating_sub(at));
            if ended && age > OLD {
                let why = format!("the newest crawl is {} days old", age / 86_400_000);
                add("reach.crawl", "Crawl the website again", why, 40.0, Effort::Low, crawl());
            }
            let unread = audit.is_none_or(|it| it.run_ref != run.id.as_str());
            if ended && unread && run.0.totals.html > 0 {
                let why = "the newest crawl was not audited".to_owned();
                let start = Fix::new("audit.run.start", json!({ "run_ref": run.id }));
                add("reach.audit", "Audit the newest crawl", why, 80.0, Effort::Low, start);
            }
            let named = !site.detected.sitemaps.is_empty() || !run.0.robots.sitemaps.is_empty();
            if ended && !named && run.0.totals.in_sitemaps == 0 && run.0.totals.html > 0 {
                let why = "neither robots.txt nor the usual place has a sitemap".to_owned();
                let arguments = json!({ "run_ref": run.id, "base_url": format!("{}/", site.origin) });
                let generate = Fix::new("indexing.sitemap.generate", arguments);
                add("reach.sitemap", "Write a sitemap", why, 25.0, Effort::Low, generate);
            }
        }
    }
    if !site.verification.as_ref().is_some_and(|it| it.verified) {
        let why = "ownership is not proven, so crawls go at the pace of a stranger's".to_owned();
        let verify = Fix::new("websites.verify.start", json!({ "site_id": site.id, "method": "dns_txt" }));
        add("reach.verify", "Prove that the website is yours", why, 15.0, Effort::Low, verify);
    }
    if sdk::served(search::SYNC) && search::last_day(cx, &site.id).is_none() {
        let why = "no search data is stored, so no step can be weighed by clicks".to_owned();
        let sync = Fix::new(search::SYNC, json!({ "site_id": site.id }));
        add("reach.search_data", "Bring in search data", why, 30.0, Effort::Low, sync);
    }
    if competitor::of(cx, &site.id).is_empty() {
        let why = "no competitor is tracked".to_owned();
        let discover = Fix::new("websites.competitor.discover", json!({ "site_id": site.id }));
        add("reach.competitors", "Find out who else is shown", why, 10.0, Effort::Low, discover);
    }
    found
}
