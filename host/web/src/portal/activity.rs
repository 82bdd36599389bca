//! Activity: the audit trail, filtered by event, operation, app, outcome and time, page by page.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use model::audit::Audit;
use model::clock::Moment;
use model::id::GrantId;
use service::oauth::Authority;
use service::oauth::form::Parameters;
use service::portal::activity::{Ended, Filter, Lines};

use super::figures::When;
use super::frame::Frame;
use super::page::{Leads, page};
use super::{broken, either, enter_at};

#[derive(Template)]
#[template(path = "activity.html")]
struct Page {
    frame: Frame,
    error: Option<String>,
    event: String,
    operation: String,
    app: String,
    outcome: String,
    from: String,
    to: String,
    events: &'static [(&'static str, &'static str)],
    apps: Vec<(String, String)>,
    is_filtered: bool,
    lines: Vec<Line>,
    /// Address of the next page.
    next: Option<String>,
    /// Until when the search has come, when it stopped half way.
    stopped_at: Option<String>,
    is_first: bool,
}

/// One line of the trail.
pub(super) struct Line {
    pub(super) when: When,
    pub(super) event: String,
    pub(super) words: &'static str,
    pub(super) subject: String,
    pub(super) app: String,
    pub(super) outcome: String,
    pub(super) is_ok: bool,
    pub(super) points: u64,
    /// Ids, for who asks for help.
    pub(super) ids: String,
    /// Further steps of the same job, one after the other, that this line stands for.
    pub(super) more: u64,
}

/// Events, as stored and in words. One that ends in a dot stands for all that begin so.
const EVENTS: &[(&str, &str)] = &[
    ("operation.", "All calls of operations"),
    ("operation.executed", "Operation ran"),
    ("operation.refused", "Call refused"),
    ("operation.failed", "Call failed"),
    ("host.read", "Account or catalog read"),
    ("egress.refused", "Outside address refused"),
    ("job.", "All jobs"),
    ("job.step", "Job step"),
    ("job.cancelled", "Job cancelled"),
    ("oauth.", "All connections"),
    ("oauth.consent.approved", "App approved"),
    ("oauth.consent.denied", "App denied"),
    ("oauth.grant.revoked", "App or token revoked"),
    ("oauth.token.revoked", "Token revoked by its app"),
    ("oauth.code.reused", "Sign-in code reused"),
    ("oauth.refresh.reused", "Refresh token reused"),
    ("oauth.refresh.twins", "Refresh token shown by several at once"),
    ("share.ended", "Share ended"),
    ("token.issued", "Token made"),
    ("portal.signed_in", "Signed in"),
    ("customer.", "All account changes"),
    ("customer.added", "Account opened"),
    ("customer.credited", "Credits added"),
    ("customer.points_bought", "Points bought"),
    ("customer.activation_charged", "External access activated"),
    ("customer.password_set", "Password set"),
    ("customer.identity_linked", "Sign-in provider linked"),
    ("customer.activated", "Account opened again"),
    ("customer.deactivated", "Account closed"),
    ("customer.locked_out", "All access ended by the operator"),
];

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap, uri: Uri) -> Response {
    either(show(&authority, &headers, &uri).await)
}

async fn show(authority: &Authority, headers: &HeaderMap, uri: &Uri) -> Result<Response, Response> {
    let inside = enter_at(authority, headers, uri).await?;
    let (customer, now) = (&inside.session.customer, authority.clock().now());
    let asked = Parameters::read(uri.query().unwrap_or_default());
    let field = |name: &str| asked.one(name).ok().flatten().unwrap_or_default().to_owned();
    let names = authority.grant_names(customer).await.map_err(broken)?;
    let (filter, error) = match filter(&field) {
        Ok(filter) => (filter, None),
        Err(error) => (Filter::default(), Some(error)),
    };
    let below = field("before").parse::<u64>().ok();
    let found = match error {
        None => authority.activity(customer, &filter, below).await.map_err(broken)?,
        Some(_) => Lines { lines: Vec::new(), next: None, stopped_at: None },
    };
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let kept = ["event", "operation", "app", "outcome", "from", "to"].map(|name| (name, field(name)));
    let address = |next: u64| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(kept.iter().filter(|(_, value)| !value.is_empty()));
        format!("/activity?{}", query.append_pair("before", &next.to_string()).finish())
    };
    let template = Page {
        error,
        events: EVENTS,
        is_filtered: kept.iter().any(|(_, value)| !value.is_empty()),
        next: found.next.map(address),
        lines: lines(&found, &names, now),
        apps: apps(&names),
        stopped_at: found.stopped_at.map(Moment::day),
        is_first: below.is_none(),
        event: field("event"),
        operation: field("operation"),
        app: field("app"),
        outcome: field("outcome"),
        from: field("from"),
        to: field("to"),
        frame: inside.frame("/activity"),
    };
    Ok(page(status, &template, &Leads::Inside))
}

fn filter(field: &impl Fn(&str) -> String) -> Result<Filter, String> {
    let given =
        |name: &str| Some(field(name)).filter(|text| !text.trim().is_empty()).map(|text| text.trim().to_owned());
    let day = |name: &str| {
        given(name)
            .map(|text| Moment::of_day(&text).ok_or_else(|| format!("“{text}” is not a day: write it as 2026-11-20.")))
            .transpose()
    };
    let (from, to) = (day("from")?, day("to")?);
    if let (Some(from), Some(to)) = (from, to)
        && to < from
    {
        return Err("The first day is later than the last one.".to_owned());
    }
    Ok(Filter {
        event: given("event"),
        subject: given("operation"),
        grant: given("app").map(GrantId::from),
        outcome: given("outcome").map(|outcome| match outcome.as_str() {
            "well" => Ended::Well,
            "badly" => Ended::Badly,
            _ => Ended::With(outcome),
        }),
        from,
        until: to.map(Moment::next_day),
    })
}

/// What can be chosen, by name.
fn apps(names: &BTreeMap<GrantId, String>) -> Vec<(String, String)> {
    let mut apps: Vec<_> = names.iter().map(|(grant, name)| (grant.to_string(), name.clone())).collect();
    apps.sort_by_key(|(_, name)| name.to_lowercase());
    apps
}

/// Lines as a page shows them.
pub(super) fn lines(found: &Lines, names: &BTreeMap<GrantId, String>, now: Moment) -> Vec<Line> {
    let line = |line: &service::portal::activity::AuditLine| {
        let audit = &line.audit;
        let grant = audit.grant.as_ref();
        let app = grant.map(|grant| names.get(grant).cloned().unwrap_or_else(|| grant.to_string()));
        Line {
            when: When::new(audit.at, now),
            words: EVENTS.iter().find(|(event, _)| *event == audit.event).map_or("", |(_, words)| *words),
            event: audit.event.clone(),
            ids: ids(audit),
            subject: if is_name(&audit.subject) { audit.subject.clone() } else { String::new() },
            app: app.unwrap_or_default(),
            is_ok: audit.outcome == "ok",
            outcome: audit.outcome.clone(),
            points: audit.points,
            more: 0,
        }
    };
    let mut shown: Vec<Line> = Vec::new();
    for line in found.lines.iter().map(line) {
        // A job of a thousand steps would fill twenty pages: those that went well are one line.
        match shown.last_mut() {
            Some(last)
                if line.event == STEP && last.event == STEP && line.ids == last.ids && line.is_ok && last.is_ok =>
            {
                last.more += 1;
                last.points += line.points;
            }
            _ => shown.push(line),
        }
    }
    shown
}

/// The event of a step of a job.
const STEP: &str = "job.step";

/// Whether a subject says something to a person: an operation's name does, an id does not.
fn is_name(subject: &str) -> bool {
    subject.contains('.') && !subject.contains(':')
}

/// The request that a line is about, or what else it names.
fn ids(audit: &Audit) -> String {
    let request = audit.request.as_ref().map(ToString::to_string);
    let job = || audit.detail.get("job").and_then(|job| job.as_str()).map(str::to_owned);
    let subject = || (!is_name(&audit.subject)).then(|| audit.subject.clone());
    request.or_else(job).or_else(subject).unwrap_or_default()
}
