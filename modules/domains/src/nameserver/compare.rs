//! What the servers in use say of a domain, and what new ones say.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Authority, Degraded, DnsAnswer, Outcome, Question};

use super::Missing;
use crate::dns::lookup::word;
use crate::email_auth::USUAL;
use crate::zone::content::of_held;
use crate::zone::unquoted;

/// Questions that decide whether website and mail go on.
const IMPORTANT: [(&str, &str); 10] = [
    ("", "A"),
    ("", "AAAA"),
    ("", "MX"),
    ("", "TXT"),
    ("", "CAA"),
    ("www", "A"),
    ("www", "CNAME"),
    ("_dmarc", "TXT"),
    ("_mta-sts", "TXT"),
    ("mail", "A"),
];
/// Selectors of DKIM that are compared where they are in use.
const SELECTORS: usize = 4;
/// Servers in use that are asked.
const IN_USE: u8 = 2;
/// Milliseconds of the call after which nothing is asked any more.
const LATE: u64 = 60_000;

/// The values of a name; none where the answer says nothing of the zone.
fn values(answer: &DnsAnswer, name: &str, kind: &str) -> Option<BTreeSet<String>> {
    if answer.outcome == Outcome::Failed || !answer.authoritative {
        return None;
    }
    let own =
        answer.entries.iter().filter(|it| it.kind == kind && it.name.trim_end_matches('.').eq_ignore_ascii_case(name));
    let text = |it: &sdk::Entry| {
        let text = it.joined().map_or_else(|| unquoted(&it.text), |it| String::from_utf8_lossy(&it).into_owned());
        let (content, priority) = of_held(kind, &text, None);
        priority.map_or_else(|| content.clone(), |it| format!("{it} {content}"))
    };
    Some(own.map(text).collect())
}

/// What the servers say together: of those that answer for the zone.
fn said(authority: &Authority, name: &str, kind: &str) -> Option<BTreeSet<String>> {
    authority.servers.iter().filter_map(|it| values(it.answer.as_ref().ok()?, name, kind)).next()
}

/// What was compared.
pub(super) struct Compared {
    /// What a new server gives otherwise; one that does not answer for the zone is among them once.
    pub(super) missing: Vec<Missing>,
    /// Questions that the servers in use answered.
    pub(super) compared: usize,
}

/// Asks the new servers whether the zone is theirs, and for its important records as the servers in use have them.
pub(super) fn differences(cx: &Cx, domain: &str, servers: &[String], degraded: &mut Vec<Degraded>) -> Compared {
    let under = |label: &str| if label.is_empty() { domain.to_owned() } else { format!("{label}.{domain}") };
    let mut asked: Vec<(String, &str)> = IMPORTANT.iter().map(|(label, kind)| (under(label), *kind)).collect();
    asked.extend(selectors(cx, domain));
    let mut out = lame(cx, domain, servers);
    let dead: BTreeSet<String> = out.iter().map(|it| it.server.clone()).collect();
    let (mut unknown, mut compared) = (Vec::new(), 0);
    for (name, kind) in asked {
        if cx.elapsed() > LATE {
            unknown.push(format!("{name} {kind} (no time was left)"));
            continue;
        }
        let question = Question::new(&name, kind);
        let expected = match cx.dns().authoritative(&question, IN_USE) {
            Ok(authority) => said(&authority, &name, kind),
            Err(failure) => {
                unknown.push(format!("{name} {kind} ({})", word(failure)));
                continue;
            }
        };
        let Some(expected) = expected else {
            unknown.push(format!("{name} {kind}"));
            continue;
        };
        compared += 1;
        let Ok(authority) = cx.dns().ask(&question, servers) else { continue };
        for told in &authority.servers {
            if dead.contains(&told.server) {
                continue;
            }
            let found = told.answer.as_ref().ok().and_then(|it| values(it, &name, kind));
            if found.as_ref() == Some(&expected) {
                continue;
            }
            out.push(Missing {
                server: told.server.clone(),
                name: name.clone(),
                r#type: kind.to_owned(),
                expected: expected.iter().cloned().collect(),
                found: found.map(|it| it.into_iter().collect()),
            });
        }
    }
    if !unknown.is_empty() {
        let why = format!("the servers in use did not answer for {}: these were not compared", unknown.join(", "));
        degraded.push(Degraded::new("missing_records", why));
    }
    Compared { missing: out, compared }
}

/// New servers that do not answer for the zone as their own.
fn lame(cx: &Cx, domain: &str, servers: &[String]) -> Vec<Missing> {
    let told = cx.dns().ask(&Question::new(domain, "SOA"), servers);
    let answers = |server: &String| {
        let all = told.as_ref().map(|it| it.servers.as_slice()).unwrap_or_default();
        let own = all.iter().find(|it| it.server.trim_end_matches('.').eq_ignore_ascii_case(server));
        own.and_then(|it| it.answer.as_ref().ok()).is_some_and(|it| it.authoritative && it.outcome == Outcome::Found)
    };
    let missing = |server: &String| Missing {
        server: server.clone(),
        name: domain.to_owned(),
        r#type: "SOA".to_owned(),
        expected: vec!["an answer as of its own zone".to_owned()],
        found: None,
    };
    servers.iter().filter(|it| !answers(it)).map(missing).collect()
}

/// Selectors of DKIM that are in use.
fn selectors(cx: &Cx, domain: &str) -> Vec<(String, &'static str)> {
    let names: Vec<String> = USUAL.iter().map(|it| format!("{it}._domainkey.{domain}")).collect();
    let answers = cx.dns().lookup_many(names.iter().map(|it| Question::new(it, "TXT")));
    let mut out = Vec::new();
    for (name, answer) in names.into_iter().zip(answers) {
        let Ok(answer) = answer else { continue };
        let own = answer.entries.iter().find(|it| it.name.trim_end_matches('.').eq_ignore_ascii_case(&name));
        match own.map(|it| it.kind.as_str()) {
            Some("TXT") => out.push((name, "TXT")),
            Some("CNAME") => out.push((name, "CNAME")),
            _ => {}
        }
    }
    out.truncate(SELECTORS);
    out
}

/// How long resolvers keep the old servers.
pub(super) fn hint(cx: &Cx, domain: &str) -> String {
    let ttl =
        cx.dns().lookup(&Question::new(domain, "NS")).ok().and_then(|it| it.entries.iter().map(|it| it.ttl).max());
    match ttl {
        Some(ttl) => format!(
            "the registry takes up the change within minutes to hours; resolvers that know the old servers keep them for up to {} hours more: leave the old zone as it is for two days",
            ttl.div_ceil(3_600).max(1)
        ),
        None => "the registry takes up the change within minutes to hours, and resolvers keep the old servers for up to two days".to_owned(),
    }
}
