//! The operation `audit.indexability.report`.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use super::{Ground, Judged, Row, Sum, sums};
use crate::index::Entry;
use site::Run;

/// Pages with conflicting signals that one report shows.
const CONFLICTS: usize = 50;

/// Rules about signals that speak against each other.
const AGAINST: &[&str] = &[
    "indexability.conflict",
    "indexability.noindex_canonical",
    "sitemap.error",
    "sitemap.not_indexable",
    "sitemap.redirect",
    "canonical.target_not_indexable",
    "hreflang.canonical_conflict",
    "hreflang.target_not_indexable",
];

/// Whether an address can be indexed, and the first reason why not.
#[value]
pub(crate) enum Reason {
    /// It can.
    Indexable,
    /// robots.txt keeps crawlers out.
    Robots,
    /// No answer came.
    NoAnswer,
    /// The server failed (5xx).
    ServerError,
    /// It asks who is there (401, 403, 407).
    Login,
    /// It is not there (other 4xx).
    ClientError,
    /// It leads elsewhere (3xx).
    Redirect,
    /// It is no HTML page.
    NotHtml,
    /// It says `noindex`.
    Noindex,
    /// Its canonical is another address.
    Canonicalised,
}

#[args(paged)]
pub(crate) struct Report {
    /// A crawl that has ended.
    run_ref: Id<Run>,
    /// Only addresses with this reason; all that cannot be indexed when left out.
    reason: Option<Reason>,
}

/// An address.
#[value]
pub(crate) struct Address {
    /// The address.
    url: String,
    /// Why it cannot be indexed.
    reason: Reason,
    /// Its status; 0 when there was no answer.
    status: u16,
    /// Where it leads: the target of the redirect, or the canonical.
    target: Option<String>,
    /// Listed in a sitemap.
    in_sitemap: bool,
    /// Clicks from the home page; null when no link leads here.
    depth: Option<u32>,
    /// The call that looks further: who links here, or what the address says now; null where nothing is wrong.
    fix: Option<Fix>,
}

/// What can be indexed, and what cannot.
#[page]
pub(crate) struct Indexability {
    /// Addresses, in the order of the crawl.
    rows: Vec<Address>,
    /// Addresses by reason.
    summary: BTreeMap<Reason, u32>,
    /// Pages whose signals speak against each other; at most 50, with the first page only.
    conflicts: Option<Vec<Row>>,
    /// The kinds of these conflicts with their numbers of pages.
    problems: Vec<Sum>,
    /// What the report stands on.
    #[serde(flatten)]
    judged: Judged,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Splits URLs into indexable and each exact non-indexable reason (robots, noindex, canonicalised, redirect, error,
/// blocked by login) and flags conflicting signals.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    phrasings = ["which pages cannot be indexed and why", "how many pages are noindex", "find pages blocked by robots.txt", "conflicting index signals"],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "reason": "noindex", "limit": 100 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Indexability>> {
    let mut ground = Ground::of(cx, &args.run_ref)?;
    let entries = ground.entries();
    let mut summary: BTreeMap<Reason, u32> = BTreeMap::new();
    for entry in &entries {
        *summary.entry(reason(entry)).or_default() += 1;
    }
    let wanted = |found: Reason| args.reason.map_or(found != Reason::Indexable, |reason| reason == found);
    let page = args.window(entries.iter().filter(|entry| wanted(reason(entry))).collect())?;
    let rows: Vec<Address> = page.items.into_iter().map(|entry| address(entry, &args.run_ref)).collect();
    let next_cursor = page.next;
    let conflicts = match args.cursor {
        None => Some(ground.first(AGAINST, CONFLICTS)?.into_iter().map(Row::from).collect()),
        Some(_) => None,
    };
    let units = rows.len() as u64;
    let against: Vec<_> = AGAINST.iter().filter_map(|id| ground.choice.find(id).copied()).collect();
    let problems = sums(&ground, &against);
    let report = Indexability {
        summary,
        conflicts,
        problems,
        rows,
        judged: ground.judged,
        degraded: ground.degraded,
        next_cursor,
    };
    Ok(Answer::new(report).units(units))
}

/// The first thing that keeps an address out of an index, in the order in which a search engine meets them.
fn reason(entry: &Entry) -> Reason {
    match entry.status {
        _ if entry.blocked => Reason::Robots,
        0 => Reason::NoAnswer,
        500.. => Reason::ServerError,
        401 | 403 | 407 => Reason::Login,
        400..500 => Reason::ClientError,
        300..400 => Reason::Redirect,
        _ if !entry.page => Reason::NotHtml,
        _ if entry.noindex => Reason::Noindex,
        _ if entry.indexable => Reason::Indexable,
        _ => Reason::Canonicalised,
    }
}

fn address(entry: &Entry, run: &Id<Run>) -> Address {
    let reason = reason(entry);
    let target = match reason {
        Reason::Redirect => entry.location.clone(),
        Reason::Canonicalised => entry.canonical.clone(),
        _ => None,
    };
    let fix = match reason {
        Reason::Indexable | Reason::NotHtml => None,
        Reason::Robots => Some(Fix::new("indexing.robots.test", json!({ "urls": [entry.url] }))),
        Reason::NoAnswer | Reason::ServerError | Reason::Login => Some(Fix::on("crawl.url.fetch", &entry.url)),
        Reason::ClientError | Reason::Redirect => {
            Some(Fix::new("crawl.link.list", json!({ "run_ref": run, "target": entry.url })))
        }
        Reason::Noindex | Reason::Canonicalised => Some(Fix::on("indexing.url.check", &entry.url)),
    };
    Address {
        fix,
        url: entry.url.clone(),
        reason,
        status: entry.status,
        target,
        in_sitemap: entry.in_sitemap,
        depth: entry.depth,
    }
}
