//! The operation `domains.dns.propagation.check`.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Degraded, DnsAnswer, Fix, Next, Outcome, Question, Told, json};

use crate::dns::lookup::{Kind, word};
use crate::name::given;
use crate::zone::content::of_held;
use crate::zone::unquoted;

/// Servers of the zone that are asked.
const SERVERS: u8 = 6;

#[args]
pub(crate) struct Check {
    /// A name, such as `www.shop.example`.
    name: Text<1, 253>,
    /// The kind of record.
    r#type: Kind,
    /// What is to be seen, as in a zone file; one of several records is enough. Left out, what the zone's servers say.
    expected: Option<Text<1, 4_000>>,
}

/// What a server says.
#[value]
pub(crate) struct Seen {
    /// The resolver, or the server of the zone.
    name: String,
    /// Its values in canonical form; several ones with a comma between.
    value: Option<String>,
    /// Seconds that a resolver still keeps what it says; the zone's TTL at its own servers.
    ttl: Option<u32>,
    /// Whether it is what is to be seen; null where it said nothing.
    matches: Option<bool>,
    /// Why it said nothing.
    problem: Option<String>,
}

/// Where a record has arrived.
#[value]
pub(crate) struct Checked {
    name: String,
    #[own]
    r#type: String,
    /// What is looked for; null where neither the call nor the zone's servers say it.
    expected: Option<String>,
    /// The zone's own servers, those that say something else coming first: while one does, nothing spreads.
    authoritative: Vec<Seen>,
    /// Public resolvers as one place of the network sees them: each of them is many machines, and another place may be told
    /// something else.
    resolvers: Vec<Seen>,
    /// Of the public resolvers that answered, the share that gives what is to be seen, 0 to 1; null when none answered.
    done_share: Option<f64>,
    /// Seconds until the last of the others forgets what it has, by its own count; null when none has anything else.
    settled_in_seconds: Option<u32>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Asks the servers of a zone and several public resolvers for a record and says who still gives the old value and for how long.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 20),
    needs = ["dns"],
    phrasings = [
        "has my dns change arrived everywhere",
        "is the new a record propagated",
        "which resolvers still have the old record",
        "how long until the dns change is seen",
    ],
    examples = [
        { "name": "www.shop.example", "type": "A", "expected": "192.0.2.10" },
        { "name": "_dmarc.shop.example", "type": "TXT" },
    ]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let name = given(args.name.as_str(), "/name")?;
    let kind = args.r#type.word();
    let question = Question::new(&name, &kind);
    let mut degraded = Vec::new();
    let mut authoritative: Vec<Asked> = match cx.dns().authoritative(&question, SERVERS) {
        Ok(authority) => authority.servers.into_iter().map(|it| asked(&name, &kind, it, true)).collect(),
        Err(failure) => {
            let why = format!("the servers of the zone were not asked: {}", word(failure));
            degraded.push(Degraded::new("authoritative", why));
            Vec::new()
        }
    };
    let expected: Option<BTreeSet<String>> = match &args.expected {
        Some(text) => Some(BTreeSet::from([value(&kind, text.as_str())])),
        // What most of the zone's own servers say.
        None => most(&authoritative),
    };
    let is_set = args.expected.is_none();
    let fits = |it: &Asked| {
        let (wanted, values) = (expected.as_ref()?, it.values.as_ref()?);
        Some(if is_set { wanted == values } else { wanted.is_subset(values) })
    };
    let resolvers: Vec<Asked> = match cx.dns().resolvers(&question) {
        Ok(all) => all.into_iter().map(|it| asked(&name, &kind, it, false)).collect(),
        Err(failure) => {
            degraded.push(Degraded::new("resolvers", format!("no public resolver was asked: {}", word(failure))));
            Vec::new()
        }
    };
    let told: Vec<bool> = resolvers.iter().filter_map(fits).collect();
    let silent = resolvers.iter().filter(|it| it.values.is_none()).count();
    if silent > 0 {
        degraded.push(Degraded::new(
            "resolvers",
            format!("{silent} of {} public resolvers did not answer", resolvers.len()),
        ));
    }
    #[expect(clippy::cast_precision_loss, reason = "thirteen resolvers at most")]
    let share = |all: &[bool]| all.iter().filter(|it| **it).count() as f64 / all.len() as f64;
    let done_share = (!told.is_empty()).then(|| share(&told));
    let old = resolvers.iter().filter(|it| fits(it) == Some(false));
    let settled_in_seconds = old.filter_map(|it| it.ttl).max();
    authoritative.sort_by_key(|it| fits(it).unwrap_or(true));
    let stale = authoritative.iter().any(|it| fits(it) == Some(false));
    let health = Fix::new("domains.dns.health.check", json!({ "domain": name }));
    let next = stale.then(|| health.because("says why servers of the zone give different answers"));
    let shown = |all: &[Asked]| all.iter().map(|it| it.shown(fits(it))).collect();
    Ok(Checked {
        expected: expected.as_ref().map(joined),
        authoritative: shown(&authoritative),
        resolvers: shown(&resolvers),
        done_share,
        settled_in_seconds,
        degraded,
        next: next.into_iter().collect(),
        name,
        r#type: kind,
    })
}

/// A server with what it says; no values where it said nothing.
struct Asked {
    name: String,
    values: Option<BTreeSet<String>>,
    ttl: Option<u32>,
    problem: Option<String>,
}

impl Asked {
    fn shown(&self, matches: Option<bool>) -> Seen {
        Seen {
            name: self.name.clone(),
            value: self.values.as_ref().map(joined),
            ttl: self.ttl,
            matches,
            problem: self.problem.clone(),
        }
    }
}

fn joined(all: &BTreeSet<String>) -> String {
    if all.is_empty() {
        return "nothing".to_owned();
    }
    all.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn asked(name: &str, kind: &str, told: Told, own: bool) -> Asked {
    let (values, ttl, problem) = match told.answer {
        // A server that does not say the zone is its own knows nothing of it.
        Ok(answer) if own && !answer.authoritative => (None, None, Some("it does not answer for the zone".to_owned())),
        Ok(answer) if answer.outcome == Outcome::Failed => {
            (None, None, Some(format!("the response code is {}", answer.code)))
        }
        Ok(answer) => {
            let (values, ttl) = values(name, kind, &answer, own);
            (Some(values), ttl, None)
        }
        Err(failure) => (None, None, Some(word(failure).to_owned())),
    };
    Asked { name: told.server, values, ttl, problem }
}

/// The values of an answer, aliases followed; of a server of the zone those of the name itself.
fn values(name: &str, kind: &str, answer: &DnsAnswer, own: bool) -> (BTreeSet<String>, Option<u32>) {
    let of_kind = |it: &&sdk::Entry| it.kind == kind;
    let of_name = |it: &&sdk::Entry| !own || it.name.trim_end_matches('.').eq_ignore_ascii_case(name);
    let mut entries: Vec<_> = answer.entries.iter().filter(of_kind).filter(of_name).collect();
    if entries.is_empty() && own {
        // A server that only knows the alias says where it leads.
        entries = answer.entries.iter().filter(|it| it.kind == "CNAME").collect();
    }
    let text = |it: &sdk::Entry| match it.joined() {
        Some(bytes) => value(&it.kind, &String::from_utf8_lossy(&bytes)),
        None => value(&it.kind, &unquoted(&it.text)),
    };
    (entries.iter().map(|it| text(it)).collect(), entries.iter().map(|it| it.ttl).min())
}

fn value(kind: &str, text: &str) -> String {
    let (content, priority) = of_held(kind, text.trim(), None);
    let content = if kind == "SOA" { content } else { content.trim_end_matches('.').to_owned() };
    priority.map_or_else(|| content.clone(), |it| format!("{it} {content}"))
}

/// What most of the zone's servers say.
fn most(all: &[Asked]) -> Option<BTreeSet<String>> {
    let said: Vec<&BTreeSet<String>> = all.iter().filter_map(|it| it.values.as_ref()).collect();
    let count = |it: &BTreeSet<String>| said.iter().filter(|other| **other == it).count();
    said.iter().max_by_key(|it| count(it)).map(|it| (*it).clone())
}
