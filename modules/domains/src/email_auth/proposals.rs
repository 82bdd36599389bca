//! Records that mend what was found. What passes now passes after them: nothing is taken away that lets mail through.

use kit::mailauth::dmarc::Wish;
use kit::mailauth::spf::{Branch, LOOKUPS, Problem, Survey};
use kit::mailauth::transport::StsRecord;
use sdk::prelude::*;
use sdk::{Fix, json};

use super::Read;

/// A record to be published.
#[value]
pub(crate) struct Proposed {
    pub(crate) name: String,
    /// `TXT`.
    #[own]
    pub(crate) r#type: String,
    pub(crate) content: String,
    /// The record whose place it takes; null for a new one.
    pub(crate) replaces: Option<String>,
    pub(crate) why: String,
}

/// The records, in the order in which they help.
pub(super) fn of(read: &Read, now: Moment) -> Vec<Proposed> {
    let domain = &read.domain;
    let takes_mail = read.mx.as_ref().is_some_and(|it| !it.all.is_empty() && !it.is_null);
    let text = |under: &str, content: String, replaces: Option<String>, why: &str| Proposed {
        name: if under.is_empty() { domain.clone() } else { format!("{under}.{domain}") },
        r#type: "TXT".to_owned(),
        content,
        replaces,
        why: why.to_owned(),
    };
    let mut out = Vec::new();
    if let Some(spf) = &read.spf {
        match spf.records {
            0 if takes_mail => out.push(text(
                "",
                "v=spf1 mx ~all".to_owned(),
                None,
                "lets the domain's own exchangers send; add every other sender before you publish it",
            )),
            0 if read.mx.as_ref().is_some_and(|it| it.is_null) => {
                out.push(text(
                    "",
                    "v=spf1 -all".to_owned(),
                    None,
                    "the domain takes no mail; if it sends none either, this says so",
                ));
            }
            1 => {
                if let Some(content) = without_dead(spf) {
                    let why = "without the terms that are an error for every receiver that comes to them";
                    out.push(text("", content, spf.record.clone(), why));
                }
            }
            _ => {}
        }
    }
    if let Some(found) = &read.dmarc {
        // Everybody must have a mailbox of this name (RFC 5321, 4.5.1).
        let reports = format!("rua=mailto:postmaster@{domain}");
        match &found.policy {
            None if found.several.is_empty() => {
                let why = "watches first: receivers report what fails, and nothing is refused";
                out.push(text("_dmarc", format!("v=DMARC1; p=none; {reports}"), None, why));
            }
            Some(policy) if policy.domain == *domain && policy.wish == Wish::None && passes(read) => {
                let rua = if policy.rua.is_empty() { reports } else { format!("rua={}", policy.rua.join(",")) };
                let content = format!("v=DMARC1; p=quarantine; t=y; {rua}");
                let why = "the next stage, tried out: receivers report as if they put forged mail aside";
                out.push(text("_dmarc", content, Some(policy.record.clone()), why));
            }
            _ => {}
        }
    }
    if takes_mail && read.sts == Some(StsRecord::None) {
        let content = format!("v=STSv1; id={}", now.day().to_string().replace('-', ""));
        let mx: Vec<String> = read.mx.iter().flat_map(|it| &it.all).map(|it| format!("mx: {}", it.1)).collect();
        let why = format!(
            "with this file at https://mta-sts.{domain}/.well-known/mta-sts.txt, which must be there first: version: STSv1 | mode: testing | {} | max_age: 604800 (a line each)",
            mx.join(" | ")
        );
        out.push(text("_mta-sts", content, None, &why));
    }
    if takes_mail && read.tls_reports.as_ref().is_some_and(|it| it.as_ref().is_ok_and(Vec::is_empty)) {
        let content = format!("v=TLSRPTv1; rua=mailto:postmaster@{domain}");
        out.push(text("_smtp._tls", content, None, "has senders report when TLS to your exchangers fails"));
    }
    out
}

/// Whether the domain's own mail can pass: a record of SPF without errors, or a usable key.
fn passes(read: &Read) -> bool {
    let spf = read.spf.as_ref().is_some_and(|it| it.records == 1 && it.flaw.is_none() && it.lookups <= LOOKUPS);
    spf && read.dkim.iter().any(|(_, key)| key.as_ref().is_some_and(kit::mailauth::dkim::Key::is_usable))
}

/// A record without the terms of its own that are an error for every receiver; none when it has no such term.
fn without_dead(spf: &Survey) -> Option<String> {
    let record = spf.record.as_ref().filter(|_| spf.flaw.is_none())?;
    let is_dead = |it: &&Branch| {
        matches!(it.problem, Some(Problem::NoRecord | Problem::Several | Problem::Unreadable | Problem::Loop))
    };
    let dead: Vec<&str> = spf.branches.iter().filter(is_dead).map(|it| it.term.as_str()).collect();
    // A redirect is what holds for everybody else: nothing can stand in its place.
    if dead.is_empty() || dead.iter().any(|it| it.starts_with("redirect=")) {
        return None;
    }
    let plain = |term: &str| term.trim_start_matches(['+', '-', '~', '?']).to_owned();
    let kept = record
        .split(' ')
        .filter(|term| !term.is_empty() && !dead.iter().any(|it| it.eq_ignore_ascii_case(&plain(term))));
    Some(kept.collect::<Vec<_>>().join(" "))
}

/// The call that publishes them.
pub(super) fn call<'a>(domain: &str, proposed: impl IntoIterator<Item = &'a Proposed>) -> Fix {
    let records: Vec<_> =
        proposed.into_iter().map(|it| json!({ "name": it.name, "type": it.r#type, "content": it.content })).collect();
    Fix::new("domains.dns.record.upsert", json!({ "domain": domain, "records": records }))
}
