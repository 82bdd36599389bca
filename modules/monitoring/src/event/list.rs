//! The operation `monitoring.event.list`.

use sdk::prelude::*;
use sdk::{Fix, json};
use site::Site;

use super::stored::{Changed, Event, EventKind, Judged, Severity};
use crate::monitor::stored::Monitor;
use crate::near;

/// Events that one call looks at.
const MOST: usize = 2_000;

#[args(paged)]
pub(crate) struct Listing {
    /// The website; all of yours when left out.
    site_id: Option<Id<Site>>,
    /// Those of one monitor.
    monitor_ref: Option<Id<Monitor>>,
    /// This severity alone.
    severity: Option<Severity>,
    /// From this day.
    from: Option<Day>,
    /// Until this day.
    to: Option<Day>,
}

/// An event.
#[value]
pub(crate) struct Row {
    event_ref: Id<Event>,
    monitor_ref: Id<Monitor>,
    site_id: Id<Site>,
    kind: EventKind,
    severity: Severity,
    target: String,
    /// What was seen.
    message: String,
    /// What it does to search, judged by rule.
    #[own]
    effect: String,
    at: Moment,
    resolved_at: Option<Moment>,
    /// Of an incident, so far where it goes on; null for a change.
    duration_seconds: Option<u64>,
    fields: Vec<Changed>,
    /// Whether its texts are still kept, for monitoring.event.diff.get.
    has_diff: bool,
    verdict: Option<Judged>,
    fix: Option<Fix>,
}

/// Events.
#[page]
pub(crate) struct Rows {
    /// The newest first.
    events: Vec<Row>,
    total: u64,
}

/// Lists detected changes and incidents with kind, severity, duration and the SEO effect judged by rule (title lost, noindex added, canonical moved, page blocked).
///
/// The kind is that of the most serious difference; `fields` has them all. The newest 2,000 are looked at.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["what changed on my website", "list incidents", "which pages got noindex", "changes of this week"],
    examples = [{ "site_id": "4503599627370496", "severity": "critical" }, { "monitor_ref": "monitor_01", "from": "2026-09-01", "to": "2026-09-30" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    near::in_order(args.from, args.to)?;
    let site = args.site_id.as_ref().map(|it| site::get(cx, it)).transpose()?;
    if let Some(monitor) = &args.monitor_ref {
        let monitor = crate::monitor::update::get(cx, monitor)?;
        if site.as_ref().is_some_and(|site| site.id.as_str() != monitor.site_id) {
            let message = "this website has no such monitor";
            return Err(Fault::not_found("monitor_not_found", message).at("/monitor_ref"));
        }
    }
    let records = cx.records::<Event>();
    let found: Vec<Stored<Event>> = match (&args.monitor_ref, &site) {
        (Some(monitor), _) => records.by("monitor_at_ms").equals(monitor).descending().scan().take(MOST).collect(),
        (None, Some(site)) => records.by("site_id_at_ms").equals(&site.id).descending().scan().take(MOST).collect(),
        (None, None) => {
            let mut all: Vec<Stored<Event>> = records.all().descending().scan().take(MOST).collect();
            all.sort_by_key(|it| std::cmp::Reverse(it.at_ms));
            all
        }
    };
    let now = cx.now();
    let holds = |it: &Event| {
        let day = Moment::from_millis(it.at_ms).day();
        args.severity.is_none_or(|severity| severity == it.severity)
            && args.from.is_none_or(|from| day >= from)
            && args.to.is_none_or(|to| day <= to)
    };
    let rows: Vec<Row> = found.into_iter().filter(|it| holds(it)).map(|it| row(it, now)).collect();
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    Ok(Rows { events: page.items, next_cursor: page.next, total })
}

fn row(it: Stored<Event>, now: Moment) -> Row {
    let fix = fix(&it);
    let event_ref = it.id.clone();
    let it = it.into_inner();
    let until = it.ended_ms.unwrap_or_else(|| now.millis());
    Row {
        event_ref,
        fix,
        effect: it.kind.effect().to_owned(),
        at: Moment::from_millis(it.at_ms),
        resolved_at: it.ended_ms.map(Moment::from_millis),
        duration_seconds: it.is_incident.then(|| until.saturating_sub(it.at_ms) / 1_000),
        has_diff: it.before.is_some() && it.after.is_some(),
        verdict: it.judged,
        monitor_ref: Id::new(it.monitor),
        site_id: Id::new(it.site_id),
        kind: it.kind,
        severity: it.severity,
        target: it.target,
        message: it.seen,
        fields: it.fields,
    }
}

/// What looks into it or mends it.
fn fix(it: &Event) -> Option<Fix> {
    let url = |operation: &str| Fix::on(operation, &it.target);
    let fix = match it.kind {
        EventKind::Down | EventKind::StatusError | EventKind::RedirectAdded => url("indexing.url.check"),
        EventKind::NoindexAdded
        | EventKind::NoindexRemoved
        | EventKind::RobotsBlocked
        | EventKind::CanonicalForeign
        | EventKind::CanonicalMoved
        | EventKind::NotIndexed => url("indexing.url.check"),
        EventKind::TitleLost | EventKind::TitleChanged => url("onpage.title.suggest"),
        EventKind::DescriptionChanged => url("onpage.description.suggest"),
        EventKind::HreflangLost | EventKind::HeadChanged | EventKind::ContentChanged => url("audit.page.check"),
        EventKind::RobotsChanged | EventKind::SitemapMissing | EventKind::SitemapShrunk | EventKind::SitemapChanged => {
            url("indexing.url.check")
        }
        EventKind::CertificateExpires | EventKind::CertificateInvalid => {
            Fix::new("domains.tls.check", json!({ "host": it.target }))
        }
        EventKind::DomainExpires => Fix::new("domains.rdap.get", json!({ "domain": it.target })),
        EventKind::VitalPoor => Fix::new("monitoring.psi.run", json!({ "urls": [it.target], "site_id": it.site_id })),
        EventKind::RankFell => Fix::new("rankings.serp.get", json!({ "keyword": it.target })),
        EventKind::MetricOut => Fix::new("search_console.drop.explain", json!({ "site_id": it.site_id })),
    };
    fix.if_served()
}
