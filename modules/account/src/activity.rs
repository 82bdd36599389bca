//! The operation `account.activity.list`, the audit trail.

use sdk::prelude::*;
use sdk::{ActivityFilter, PlatformQuestion};

use crate::amount::credits;
use crate::grant::Grant;
use crate::platform::activity::{Activity, Entry as Known};
use crate::platform::{cursor, moment, paging, span};

/// What an operation may do.
#[value]
pub(crate) enum Kind {
    Read,
    Write,
    Job,
    Destructive,
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Job => "job",
            Self::Destructive => "destructive",
        }
    }
}

/// How a call ended.
#[value]
pub(crate) enum Outcome {
    /// It was done.
    Ok,
    /// It was begun and came to nothing.
    Failed,
    /// It was not begun.
    Denied,
}

impl Outcome {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Denied => "denied",
        }
    }
}

#[args(paged)]
pub(crate) struct List {
    /// Only calls of this operation.
    target_operation: Option<Text<1, 128>>,
    /// Only calls of operations of this module.
    module: Option<Text<1, 64>>,
    /// Only calls of operations of this kind.
    kind: Option<Kind>,
    /// Only calls that ended so.
    outcome: Option<Outcome>,
    /// The first day, in UTC.
    from: Option<Day>,
    /// The last day, in UTC.
    to: Option<Day>,
}

/// Lines of the trail.
#[page]
pub(crate) struct Lines {
    entries: Vec<Entry>,
    /// How far back this page looked, where it stopped before it was full or at the end: `next_cursor` goes on from
    /// there.
    searched_back_to: Option<Moment>,
}

/// A call.
#[value]
pub(crate) struct Entry {
    /// Grows with each line of the trail.
    seq: u64,
    at: Moment,
    operation_id: String,
    /// What the operation may do; null where the service has no such operation any more.
    kind: Option<String>,
    /// `ok`, `failed` or `denied`.
    outcome: String,
    /// The refusal's code, where it was not `ok`.
    code: Option<String>,
    /// Points charged.
    points: i64,
    /// Credits charged.
    credits: f64,
    /// The grant that called.
    grant_ref: Option<Id<Grant>>,
    /// How the application calls itself.
    client_name: Option<String>,
    /// The `request_id` of the answer.
    request_id: Option<String>,
    /// The catalog search that led to the call.
    intent_ref: Option<Id<Intent>>,
    /// Names of the arguments that were given. Their values are not kept.
    arguments: Vec<String>,
}

/// Reads the audit trail of executed operations with client, kind, outcome, points and credits charged, intent reference and redacted arguments.
///
/// The newest first. A page can be short although there is more: a rare line is looked for as far as one call may look,
/// and `next_cursor` goes on from there.
#[operation(
    read,
    scope = "account:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "what did the agent do in my account",
        "show the audit log",
        "which calls failed yesterday",
        "who deleted my website",
        "history of operations and what they cost",
    ],
    examples = [{}, { "kind": "destructive", "from": "2026-09-01" }, { "outcome": "failed", "module": "crawl" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Lines> {
    let filter = ActivityFilter {
        operation: args.target_operation.map(Text::into_string),
        module: args.module.map(Text::into_string),
        kind: args.kind.map(|it| it.word().to_owned()),
        outcome: args.outcome.map(|it| it.word().to_owned()),
        span: span(args.from, args.to)?,
        paging: paging(args.limit, args.cursor.as_ref()),
    };
    let page: Activity = cx.platform().ask(&PlatformQuestion::Activity(filter))?;
    Ok(Lines {
        entries: page.entries.into_iter().map(shown).collect(),
        searched_back_to: moment(page.stopped_at),
        next_cursor: cursor(page.next),
    })
}

/// A search of the catalog.
pub(crate) struct Intent;

fn shown(it: Known) -> Entry {
    Entry {
        seq: it.seq,
        at: Moment::from_millis(it.at),
        operation_id: it.operation,
        kind: it.kind,
        code: it.code.filter(|_| it.outcome != "ok"),
        outcome: it.outcome,
        points: it.points,
        credits: credits(it.credits_milli),
        grant_ref: it.grant_ref.map(Id::new),
        client_name: it.client_name,
        request_id: it.request,
        intent_ref: it.intent_ref.map(Id::new),
        arguments: it.arguments,
    }
}
