//! The operation `connections.test`, and the probe that adding and rotating share.

use sdk::prelude::*;
use sdk::{ConnectionChange, ConnectionDetails, ConnectionState, Send, json};

use crate::account;
use crate::diagnosis::{Code, Diagnosis, Quota, Trouble, diagnose};
use crate::stored::{Check, Connection};

/// Where servers have their JMAP session (RFC 8620, 2.2 sends there from the well-known address).
const JMAP_SESSIONS: [&str; 4] = ["/jmap/session", "/jmap/session/", "/jmap/", "/jmap"];

#[args]
pub(crate) struct Test {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
}

/// How a test went.
#[value]
pub(crate) struct Tested {
    /// Whether all is well.
    pub(crate) ok: bool,
    /// Milliseconds from asking to the whole answer; none without one.
    pub(crate) latency_ms: Option<u32>,
    /// What the account may not do and should.
    pub(crate) missing_permissions: Vec<String>,
    /// What the provider still grants, where it says so.
    pub(crate) quota: Option<Quota>,
    /// Seconds that the provider's clock is ahead of ours; negative when it is behind. None when it did not say.
    pub(crate) clock_skew_seconds: Option<i64>,
    /// What is wrong; none when nothing is.
    pub(crate) error: Option<Trouble>,
    pub(crate) tested_at: Moment,
}

/// Makes the cheapest documented call of the provider and records latency, missing permissions, quota headers and clock skew.
///
/// A provider that says no is a result, not a refusal: `ok` is false and `error` has one of `missing_permission`,
/// `wrong_account`, `clock_skew`, `quota`, `expired_credential`, `unreachable`, `timeout`, `provider_error` and
/// `malformed_answer`, with a hint on what to do. A kind that documents no call of that sort is refused with 409.
#[operation(
    write,
    scope = "connections:manage",
    cost = live(most = 2),
    needs = ["store", "connection:any"],
    side_effects = ["asks the provider once", "notes how the connection does"],
    outside = [jmap_session],
    phrasings = [
        "does my connection still work",
        "check my API key",
        "why does my WordPress connection fail",
        "test the provider login",
    ],
    examples = [{ "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba" }]
)]
pub(crate) fn test(cx: &Cx, args: Test) -> Result<Tested> {
    let connection = account::found(cx, &args.connection_ref)?;
    let kind = account::described(cx, &connection.kind);
    if !kind.as_ref().is_some_and(|it| it.can_be_probed) {
        let message = "this kind of provider documents no call that tries a credential and does nothing else";
        let detail = json!({ "kind": connection.kind, "list_with": "connections.kind.list" });
        return Err(Fault::conflict("no_test", message).detail(detail));
    }
    let diagnosis = probe(cx, &connection, &kind.map(|it| it.permissions).unwrap_or_default());
    note(cx, &args.connection_ref, &diagnosis)?;
    Ok(tested(cx, diagnosis))
}

/// Asks the provider, and reads the answer.
pub(crate) fn probe(cx: &Cx, connection: &ConnectionDetails, permissions: &[String]) -> Diagnosis {
    let mut answer = cx.vault().probe(&connection.reference);
    if let ("jmap", Ok(response)) = (connection.kind.as_str(), &answer) {
        let to = response.header("location").filter(|_| (300..400).contains(&response.status));
        if let Some(path) = to.and_then(|to| session(connection, to)) {
            answer = cx.connections().send(&Send::get(&connection.reference, path).timeout(8_000));
        }
    }
    let mut diagnosis = diagnose(&connection.kind, &answer, permissions, cx.now());
    let lacking = cx.vault().lacking(&connection.reference);
    if !lacking.is_empty() {
        diagnosis = diagnosis.lacking(lacking);
    }
    match account::described(cx, &connection.kind) {
        Some(kind) if account::is_consented(&kind) => diagnosis.of_consent(account::is_entered(&kind)),
        _ => diagnosis,
    }
}

/// The path of a JMAP session to which the well-known address sends on, when it is at the same host.
pub(crate) fn session(connection: &ConnectionDetails, location: &str) -> Option<&'static str> {
    let endpoint: Url = connection.endpoint.as_deref()?.parse().ok()?;
    let to = endpoint.link(location)?;
    let path = to.path();
    JMAP_SESSIONS.into_iter().find(|it| to.origin() == endpoint.origin() && *it == path)
}

/// Keeps how a test went, and what the connection's state is after it.
pub(crate) fn note(cx: &Cx, connection: &Id<Connection>, diagnosis: &Diagnosis) -> Result<ConnectionState> {
    let state = state(diagnosis);
    let change = ConnectionChange { name: None, endpoint: None, pace: None, settings: None, state: Some(state) };
    let updated = cx.vault().update(connection.as_str(), &change);
    updated.map_err(|error| account::refusal(error, connection))?;
    let check = Check {
        tested_at: cx.now(),
        error: diagnosis.trouble.as_ref().map(|it| it.code),
        latency_ms: diagnosis.latency_ms,
        quota: diagnosis.quota.clone(),
    };
    cx.records::<Check>().put_many_as([(&connection.cast(), &check)])?;
    Ok(state)
}

/// The state that a connection is in after a test.
pub(crate) fn state(diagnosis: &Diagnosis) -> ConnectionState {
    match diagnosis.trouble.as_ref().map(|it| it.code) {
        None => ConnectionState::Ok,
        Some(Code::ExpiredCredential) => ConnectionState::Expired,
        Some(_) => ConnectionState::Failing,
    }
}

/// A diagnosis as it is shown.
pub(crate) fn tested(cx: &Cx, diagnosis: Diagnosis) -> Tested {
    Tested {
        ok: diagnosis.trouble.is_none(),
        latency_ms: diagnosis.latency_ms,
        missing_permissions: diagnosis.missing_permissions,
        quota: diagnosis.quota,
        clock_skew_seconds: diagnosis.clock_skew,
        error: diagnosis.trouble,
        tested_at: cx.now(),
    }
}
