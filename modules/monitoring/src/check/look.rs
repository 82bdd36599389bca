//! Looks at several targets together, and says of each what it is.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Failure, Response};

use super::{figures, files, names, page};
use crate::event::stored::{Changed, EventKind};
use crate::monitor::stored::{Kind, Monitor, Seen};

/// Bytes that are read of a page of which nothing but the answer counts.
const BEGINNING: u32 = 16 << 10;
/// Bytes that are read of a page.
const PAGE: u32 = 2 << 20;
/// Bytes that are read of a robots.txt: crawlers read 500 KiB (RFC 9309, 2.5).
const ROBOTS: u32 = 512 << 10;
/// Bytes that are read of a sitemap.
const SITEMAP: u32 = 8 << 20;
/// How long an answer may take, in milliseconds.
const TIMEOUT: u32 = 15_000;

/// What a look at a target found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Looked {
    pub(super) status: u16,
    pub(super) ms: u32,
    /// Requests that it took.
    pub(super) requests: u64,
    /// Nothing is known, for this reason.
    pub(super) skipped: Option<String>,
    /// Something is wrong as long as it is so: what, and what was seen of it.
    pub(super) wrong: Option<(EventKind, String)>,
    /// Something is another than before.
    pub(super) change: Option<Change>,
    /// What the next look is compared with; none: what is stored stays.
    pub(super) seen: Option<(Seen, Option<String>)>,
}

/// What differs from the look before.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) kind: EventKind,
    pub(super) seen: String,
    pub(super) fields: Vec<Changed>,
}

impl Looked {
    /// Nothing is known, for this reason.
    pub(super) fn skipped(reason: impl Into<String>) -> Self {
        Self { skipped: Some(reason.into()), ..Self::default() }
    }

    /// Something is wrong.
    pub(super) fn wrong(kind: EventKind, seen: impl Into<String>) -> Self {
        Self { wrong: Some((kind, seen.into())), ..Self::default() }
    }

    /// Whether a second look a moment later may find it well: what stored figures say is the same then.
    pub(super) fn is_to_be_repeated(&self) -> bool {
        let of_network = |kind: EventKind| {
            matches!(
                kind,
                EventKind::Down | EventKind::StatusError | EventKind::SitemapMissing | EventKind::CertificateInvalid
            )
        };
        self.wrong.as_ref().is_some_and(|it| of_network(it.0))
    }
}

/// An answer to a request.
pub(super) type Answered = Result<Response, Failure>;

/// Looks at all; in their order.
pub(super) fn all(cx: &Cx, monitors: &[Stored<Monitor>]) -> Vec<Looked> {
    let mut answers: BTreeMap<usize, Answered> = BTreeMap::new();
    let fetched: Vec<(usize, Request)> =
        monitors.iter().enumerate().filter_map(|(at, it)| Some((at, request(it)?))).collect();
    let places: Vec<usize> = fetched.iter().map(|it| it.0).collect();
    if !fetched.is_empty() {
        answers.extend(places.into_iter().zip(cx.web().fetch_many(fetched.into_iter().map(|it| it.1))));
    }
    let mut rdap = rdap::Registries::new();
    monitors
        .iter()
        .enumerate()
        .map(|(at, monitor)| match (monitor.kind, answers.remove(&at)) {
            (kind, Some(answer)) => of_answer(cx, monitor, kind, answer),
            (Kind::Tls, None) => names::certificate(cx, monitor),
            (Kind::Domain, None) => names::domain(cx, &mut rdap, monitor),
            (Kind::Cwv, None) => figures::vital(cx, monitor),
            (Kind::Rank, None) => figures::rank(cx, monitor),
            (Kind::Metric, None) => figures::metric(cx, monitor),
            (_, None) => Looked::skipped("target_invalid"),
        })
        .collect()
}

/// Bytes that a look at a monitor's target reads at most; 0 where none is fetched.
pub(super) fn max_bytes(it: &Monitor) -> u32 {
    match it.kind {
        Kind::Uptime if it.threshold.contains.is_none() => BEGINNING,
        Kind::Uptime | Kind::Content | Kind::Head | Kind::Index => PAGE,
        Kind::Robots => ROBOTS,
        Kind::Sitemap => SITEMAP,
        Kind::Tls | Kind::Domain | Kind::Cwv | Kind::Rank | Kind::Metric => 0,
    }
}

/// The request of a monitor that fetches.
fn request(it: &Monitor) -> Option<Request> {
    let bytes = max_bytes(it);
    let url: Url = it.target.parse().ok().filter(|_| bytes > 0)?;
    Some(Request::get(&url).max_bytes(bytes).timeout(TIMEOUT))
}

fn of_answer(cx: &Cx, monitor: &Stored<Monitor>, kind: Kind, answer: Answered) -> Looked {
    let (status, ms) = answer.as_ref().map_or((0, 0), |it| (it.status, it.timing.total_ms));
    // The host was not asked: that says nothing of it.
    let unasked = match &answer {
        Err(Failure::Paced(_)) => Some("paced"),
        Err(Failure::Disallowed) => Some("disallowed_by_robots"),
        Err(Failure::Refused) => Some("not_public"),
        _ => None,
    };
    let looked = match (unasked, kind) {
        // A robots.txt that cannot be had forbids everything: that is what is watched.
        (Some(why), _) => Looked::skipped(why),
        (None, Kind::Uptime) => page::uptime(monitor, &answer),
        (None, Kind::Content) => page::content(cx, monitor, &answer),
        (None, Kind::Head) => page::head(monitor, &answer),
        (None, Kind::Index) => page::index(cx, monitor, &answer),
        (None, Kind::Robots) => files::robots(cx, monitor, &answer),
        (None, _) => files::sitemap(monitor, &answer),
    };
    Looked { status, ms, requests: looked.requests + 1, ..looked }
}

/// What an answer without a page is: the failure, or the status.
pub(super) fn no_page(answer: &Answered) -> Option<String> {
    match answer {
        Err(failure) => Some(failure.name().to_owned()),
        Ok(answer) if !answer.is_success() => Some(format!("status {}", answer.status)),
        Ok(_) => None,
    }
}

/// Members that differ between two sets of them.
pub(super) fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<Changed> {
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let differing = names.into_iter().filter(|it| before.get(*it) != after.get(*it));
    differing
        .map(|it| Changed { name: it.clone(), before: before.get(it).cloned(), after: after.get(it).cloned() })
        .collect()
}
