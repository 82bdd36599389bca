//! The operation `domains.availability.check`.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{Degraded, DnsAnswer, DnsFailure, Fix, Next, Outcome, Question, json};

use crate::name::registrable;
use crate::rdap::{Answered, Object, Registries};

/// Names of which all are asked for at the registry; of more only those that may be free.
const FEW: usize = 10;
/// Milliseconds after which no registry is asked any more; the host allows 60,000.
const LATE: u64 = 45_000;

#[args]
pub(crate) struct Check {
    /// Domains, such as `lampshop.com`.
    names: List<Text<1, 253>, 1, 50>,
}

/// Whether a name can be had.
#[value]
pub(crate) enum State {
    /// Neither the name system nor the registry has it. Its price is the registrar's: it may be dear.
    Available,
    /// Somebody has it.
    Taken,
    /// The registry keeps it back.
    Reserved,
    /// It is no domain that can be registered.
    Invalid,
    /// Nobody could say.
    Unknown,
}

/// A name with what is known of it.
#[value]
pub(crate) struct Row {
    /// As given.
    name: String,
    /// As the name system writes it; null for what is no name.
    ascii: Option<String>,
    pub(crate) state: State,
    /// A word for programs, where the state does not say it all: `conflict`, `expiring`, `on_hold`, `no_rdap`, `rate_limited`,
    /// `unreachable`, `registry_forbids`, `dns_failed`, `not_reached`, `not_a_domain`.
    #[own]
    reason: Option<String>,
    /// What was seen.
    evidence: String,
    /// Null where the registry was not asked.
    expires_at: Option<Moment>,
    registrar: Option<String>,
    /// For an available name: whether it has a price of its own is not known before a registrar is asked.
    premium_unknown: Option<bool>,
}

/// Names with what is known of each.
#[value]
pub(crate) struct Checked {
    /// In the order of the call.
    rows: Vec<Row>,
    available: u64,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Says of up to 50 names whether they can be registered, by the name system and the registries' RDAP, never by WHOIS.
///
/// Available is said only when the name does not exist and its registry says so too. Where nobody could be asked the answer is
/// unknown.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 110),
    needs = ["web", "dns"],
    phrasings = [
        "is this domain still free",
        "check whether these domain names are available",
        "can I register this name",
        "which of these domains are taken",
    ],
    examples = [{ "names": ["lampshop.com", "lamps.io"] }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let given: Vec<(String, Result<String, String>)> = args
        .names
        .iter()
        .map(|it| it.as_str().trim().to_owned())
        .map(|name| {
            let domain = match registrable(&name, "/names") {
                Ok((domain, false)) => Ok(domain),
                Ok((domain, true)) => Err(format!("only {domain} can be registered")),
                Err(fault) => Err(fault.message),
            };
            (name, domain)
        })
        .collect();
    let domains: BTreeSet<&String> = given.iter().filter_map(|(_, it)| it.as_ref().ok()).collect();
    let answers = cx.dns().lookup_many(domains.iter().map(|it| Question::new(it, "NS")));
    let delegated: BTreeMap<&String, Result<DnsAnswer, DnsFailure>> = domains.iter().copied().zip(answers).collect();
    let few = domains.len() <= FEW;
    let mut registries = Registries::new();
    let mut known: BTreeMap<String, Row> = BTreeMap::new();
    let mut rows = Vec::new();
    for (name, domain) in &given {
        rows.push(match domain {
            Err(why) => Row::of(name.clone(), None, State::Invalid, Some("not_a_domain"), why.as_str()),
            // The same name twice is asked for once.
            Ok(domain) => {
                let answer = &delegated[domain];
                let seen = known.entry(domain.clone()).or_insert_with(|| row(cx, &mut registries, domain, answer, few));
                Row { name: name.clone(), ..seen.clone() }
            }
        });
    }
    let available = rows.iter().filter(|it| it.state == State::Available).count() as u64;
    let unknown = rows.iter().filter(|it| it.state == State::Unknown).count();
    let mut degraded = Vec::new();
    if unknown > 0 {
        degraded.push(Degraded::new("rows", format!("of {unknown} names nobody could say whether they are free")));
    }
    let free = rows.iter().find(|it| it.state == State::Available).and_then(|it| it.ascii.clone());
    let quote = free.and_then(|domain| {
        Fix::new("domains.register.quote", json!({ "domain": domain, "action": "register" })).if_served()
    });
    let next = quote.map(|it| it.because("asks the registrar for the price, which may be a premium one"));
    Ok(Checked { rows, available, degraded, next: next.into_iter().collect() })
}

/// What the name system and the registry come to (the table of states).
pub(crate) fn row(
    cx: &Cx,
    registries: &mut Registries,
    domain: &str,
    answer: &Result<DnsAnswer, DnsFailure>,
    few: bool,
) -> Row {
    let (name, ascii) = (domain.to_owned(), Some(domain.to_owned()));
    let exists = match answer {
        Ok(answer) => match answer.outcome {
            Outcome::Found | Outcome::NoData => Some(true),
            Outcome::NoName => Some(false),
            Outcome::Failed => None,
        },
        Err(_) => None,
    };
    if exists == Some(true) && !few {
        return Row::of(name, ascii, State::Taken, None, "the name system has it");
    }
    if cx.elapsed() > LATE {
        return match exists {
            Some(true) => Row::of(name, ascii, State::Taken, None, "the name system has it"),
            _ => Row::of(name, ascii, State::Unknown, Some("not_reached"), "the call had no time left for it"),
        };
    }
    let said = registries.ask(cx, domain);
    let object = match &said {
        Answered::Object(object) => Some((**object).clone()),
        _ => None,
    };
    let (state, reason, evidence) = match (exists, &said) {
        (Some(true), Answered::NotFound) => {
            (State::Taken, Some("conflict"), "the name system has it, the registry does not".to_owned())
        }
        (Some(true), _) => (State::Taken, None, "the name system has it".to_owned()),
        (Some(false), Answered::NotFound) => {
            (State::Available, None, "the name system and the registry do not have it".to_owned())
        }
        (_, Answered::Object(object)) => held(object),
        (_, Answered::Reserved(notice)) => (State::Reserved, None, notice.clone()),
        (None, Answered::NotFound) => (
            State::Unknown,
            Some("dns_failed"),
            "the registry does not have it, and the name system did not answer".to_owned(),
        ),
        (_, other) => (State::Unknown, other.reason(), other.why()),
    };
    let mut row = Row::of(name, ascii, state, reason, evidence);
    if let Some(object) = object {
        row.expires_at = object.expires_at;
        row.registrar = object.registrar_name;
    }
    row
}

/// A name that the registry has and the name system has not, or did not tell of.
fn held(object: &Object) -> (State, Option<&'static str>, String) {
    let has = |status: &str| object.statuses.iter().any(|it| it.eq_ignore_ascii_case(status));
    if has("reserved") {
        return (State::Reserved, None, "the registry keeps it back".to_owned());
    }
    if has("pending delete") || has("redemption period") {
        let status = if has("pending delete") { "pending delete" } else { "redemption period" };
        let evidence = "the registry is about to delete it; it can be had when that is done";
        return (State::Taken, Some("expiring"), format!("{evidence} ({status})"));
    }
    let on_hold = has("client hold") || has("server hold") || has("inactive") || object.nameservers.is_empty();
    (State::Taken, on_hold.then_some("on_hold"), "the registry has it".to_owned())
}

impl Row {
    fn of(
        name: String,
        ascii: Option<String>,
        state: State,
        reason: Option<&str>,
        evidence: impl Into<String>,
    ) -> Self {
        Self {
            name,
            ascii,
            premium_unknown: (state == State::Available).then_some(true),
            state,
            reason: reason.map(str::to_owned),
            evidence: evidence.into(),
            expires_at: None,
            registrar: None,
        }
    }
}
