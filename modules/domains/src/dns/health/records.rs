//! The records of a zone that visitors, mail and certificates depend on.

use kit::mailauth::Resolver as _;
use kit::mailauth::transport;
use sdk::prelude::*;
use sdk::{Degraded, Entry, Outcome, Question, Severity, Trust};

use super::Report;
use crate::asking::Asking;

/// Aliases one after another that are followed.
const CHAIN: usize = 8;
/// Hosts whose aliases are looked at.
const HOSTS: [&str; 10] = ["www", "shop", "blog", "mail", "m", "help", "support", "docs", "status", "cdn"];
/// Authorities by a word of their name, with what CAA calls them (from their own documents, 2026-11).
pub(crate) const AUTHORITIES: [(&str, &[&str]); 8] = [
    ("let's encrypt", &["letsencrypt.org"]),
    ("google trust services", &["pki.goog"]),
    ("digicert", &["digicert.com", "www.digicert.com", "symantec.com"]),
    ("sectigo", &["sectigo.com", "comodoca.com", "comodo.com", "usertrust.com"]),
    ("globalsign", &["globalsign.com"]),
    ("amazon", &["amazon.com", "amazontrust.com", "awstrust.com", "amazonaws.com"]),
    ("zerossl", &["sectigo.com", "zerossl.com"]),
    ("go daddy", &["godaddy.com", "starfieldtech.com"]),
];

/// Looks at the records, and says what is wrong.
pub(super) fn check(cx: &Cx, asking: &mut Asking<'_>, report: &mut Report, degraded: &mut Vec<Degraded>) {
    let domain = report.domain.clone();
    let mut ahead: Vec<(String, &'static str)> =
        ["A", "AAAA", "MX", "CAA", "CNAME", "NS"].map(|kind| (domain.clone(), kind)).to_vec();
    ahead.extend(HOSTS.map(|host| (format!("{host}.{domain}"), "CNAME")));
    asking.ahead(&ahead);
    signatures(cx, report);
    visitors(asking, report);
    aliases(cx, asking, report);
    mail(asking, report);
    lifetimes(asking, report);
    permissions(cx, asking, report, degraded);
}

/// Whether signatures hold (RFC 4035).
fn signatures(cx: &Cx, report: &mut Report) {
    let domain = report.domain.clone();
    let questions = ["SOA", "DS", "DNSKEY"].map(|kind| Question::new(&domain, kind));
    let answers = cx.dns().lookup_many(questions);
    let [Some(Ok(soa)), Some(Ok(ds)), Some(Ok(keys))] = [0, 1, 2].map(|at| answers.get(at)) else { return };
    let has = |kind: &str, all: &[Entry]| all.iter().any(|it| it.kind == kind);
    let (has_ds, has_key) = (has("DS", &ds.entries), has("DNSKEY", &keys.entries));
    if [soa, keys].iter().any(|it| it.trust == Some(Trust::Bogus)) {
        let problem = "the signatures are wrong: resolvers that check them give no answer, and for their users the domain is gone";
        report.say(
            "dnssec_bogus",
            Severity::Error,
            &domain,
            problem,
            "sign the zone anew, or take the DS record away at the registrar",
        );
    } else if has_ds && !has_key && keys.outcome != Outcome::Failed {
        let problem = "the registry says that the zone is signed, and the zone has no keys";
        report.say(
            "dnssec_ds_without_key",
            Severity::Error,
            &domain,
            problem,
            "take the DS record away at the registrar, or sign the zone",
        );
    } else if has_key && !has_ds && ds.outcome != Outcome::Failed {
        let problem = "the zone is signed, and the registry does not know: nobody checks the signatures";
        report.say("dnssec_without_ds", Severity::Notice, &domain, problem, "have the registrar publish the DS record");
    }
    let parts = |it: &Entry| -> Option<(String, String)> {
        let mut parts = it.text.split_whitespace().skip(1).map(str::to_owned);
        Some((parts.next()?, parts.next()?))
    };
    let all: Vec<(String, String)> = ds.entries.iter().filter(|it| it.kind == "DS").filter_map(parts).collect();
    let old = all.iter().any(|(algorithm, _)| matches!(algorithm.as_str(), "1" | "3" | "5" | "6" | "7" | "12"));
    // Beside a better digest SHA-1 does no harm.
    if old || (!all.is_empty() && all.iter().all(|(_, digest)| digest == "1")) {
        let shown: Vec<String> = all.iter().map(|(algorithm, digest)| format!("{algorithm} with {digest}")).collect();
        let problem = format!(
            "the DS records use algorithms and digests that are not to be used any more (RFC 8624): {}",
            shown.join(", ")
        );
        report.say("dnssec_weak", Severity::Warning, &domain, problem, "go over to algorithm 13 and digest 2");
    }
}

/// Whether visitors find the domain and its www.
fn visitors(asking: &mut Asking<'_>, report: &mut Report) {
    let domain = report.domain.clone();
    if asking.entries(&domain, "CNAME").is_ok_and(|it| !it.is_empty()) {
        let problem = "the domain itself is an alias beside other records, which breaks its mail and its delegation (RFC 1034, 3.6.2)";
        report.say(
            "apex_cname",
            Severity::Error,
            &domain,
            problem,
            "give it addresses, or a provider's own kind of alias",
        );
    }
    let (four, six) = (asking.addresses(&domain, false), asking.addresses(&domain, true));
    if let (Ok(four), Ok(six)) = (four, six) {
        match (four.is_empty(), six.is_empty()) {
            (true, true) => {
                report.say(
                    "apex_no_address",
                    Severity::Warning,
                    &domain,
                    "the domain has no address: who types it without www gets nothing",
                    "give it an address, and redirect it to the website",
                );
            }
            (false, true) => {
                report.say(
                    "ipv6_missing",
                    Severity::Notice,
                    &domain,
                    "the domain has no IPv6 address",
                    "add AAAA records if the host has IPv6",
                );
            }
            _ => {}
        }
    }
    let www = format!("www.{domain}");
    let answers = [asking.addresses(&www, false), asking.addresses(&www, true)];
    let alias = asking.entries(&www, "CNAME").is_ok_and(|it| !it.is_empty());
    if answers.iter().all(|it| it.as_ref().is_ok_and(Vec::is_empty)) && !alias {
        report.say(
            "www_missing",
            Severity::Warning,
            &www,
            "www has no address: who types it gets nothing",
            "add it, and redirect one of both to the other",
        );
    }
}

/// Aliases that lead nowhere, or far.
fn aliases(cx: &Cx, asking: &mut Asking<'_>, report: &mut Report) {
    let domain = report.domain.clone();
    // A name that nobody made up tells whether every name answers.
    let random: String = cx.random::<6>().iter().map(|it| char::from(b'a' + it % 26)).collect();
    let random = format!("espalier-{random}.{domain}");
    let wildcard = asking.addresses(&random, false).is_ok_and(|it| !it.is_empty());
    if wildcard {
        let problem = "every name below the domain answers: a typing error in a record is not seen, and anything can be shown there";
        report.say("wildcard", Severity::Notice, format!("*.{domain}"), problem, "name the hosts that there are");
    }
    for host in HOSTS {
        let name = format!("{host}.{domain}");
        let mut chain: Vec<String> = Vec::new();
        let mut at = name.clone();
        while chain.len() < CHAIN {
            let Ok(all) = asking.entries(&at, "CNAME") else { break };
            let Some(alias) = all.iter().find(|it| it.name.trim_end_matches('.').eq_ignore_ascii_case(&at)) else {
                break;
            };
            at = alias.text.trim_end_matches('.').to_ascii_lowercase();
            chain.push(at.clone());
        }
        let Some(end) = chain.last() else { continue };
        if chain.len() > 2 {
            let problem = format!("it goes through {} aliases: {}", chain.len(), chain.join(" → "));
            report.say("alias_chain", Severity::Notice, &name, problem, "point it at the last one");
        }
        let answer = cx.dns().lookup(&Question::new(end, "A"));
        if !matches!(&answer, Ok(answer) if answer.outcome == Outcome::NoName) {
            continue;
        }
        // A name of the own zone nobody else can make.
        if end == &domain || end.ends_with(&format!(".{domain}")) {
            let problem = format!("it is an alias of {end}, which does not exist");
            report.say("broken_alias", Severity::Warning, &name, problem, "make what it leads to, or take it away");
        } else {
            let problem =
                format!("it is an alias of {end}, which does not exist: who makes that name gets your visitors");
            let advice = "take the record away, or make what it leads to again";
            report.say("dangling_cname", Severity::Error, &name, problem, advice);
        }
    }
}

/// Where mail goes.
fn mail(asking: &mut Asking<'_>, report: &mut Report) {
    let domain = report.domain.clone();
    let Ok(mx) = transport::exchangers(asking, &domain) else { return };
    for name in &mx.without_address {
        report.say(
            "mx_no_address",
            Severity::Error,
            &domain,
            format!("the exchanger {name} has no address"),
            "name one that has",
        );
    }
    for name in &mx.addresses {
        report.say(
            "mx_is_address",
            Severity::Error,
            &domain,
            format!("the exchanger {name} is an address; it must be a name"),
            "give the address a name, and name that",
        );
    }
    if !mx.is_null {
        for (_, name) in mx.all.iter().take(10) {
            if asking.entries(name, "CNAME").is_ok_and(|it| !it.is_empty()) {
                let problem = format!("the exchanger {name} is an alias, which it may not be (RFC 2181, 10.3)");
                report.say("mx_is_cname", Severity::Warning, &domain, problem, "name what the alias leads to");
            }
        }
    }
}

/// How long records are remembered.
fn lifetimes(asking: &mut Asking<'_>, report: &mut Report) {
    let domain = report.domain.clone();
    for kind in ["NS", "MX"] {
        let low = asking.entries(&domain, kind).unwrap_or_default().iter().map(|it| it.ttl).min();
        // What the resolver still remembers has less time left than was given: only a very low one says something.
        if let Some(ttl) = low.filter(|it| *it < 30) {
            let problem = format!("{kind} records are remembered for {ttl} seconds or were about to be forgotten");
            report.say("ttl_low", Severity::Notice, &domain, problem, "an hour or more spares every sender a question");
        }
    }
    let high = asking.entries(&domain, "A").unwrap_or_default().iter().map(|it| it.ttl).max();
    if let Some(ttl) = high.filter(|it| *it > 172_800) {
        let problem = format!("the addresses are remembered for {ttl} seconds: a move takes that long");
        report.say("ttl_high", Severity::Notice, &domain, problem, "make it a day or less");
    }
}

/// Who may issue certificates (RFC 8659).
fn permissions(cx: &Cx, asking: &mut Asking<'_>, report: &mut Report, degraded: &mut Vec<Degraded>) {
    let domain = report.domain.clone();
    let Ok(all) = asking.entries(&domain, "CAA") else { return };
    let issuers: Vec<String> = all
        .iter()
        .filter_map(|it| it.text.split_once(' ')?.1.split_once(' '))
        .filter(|(tag, _)| tag.eq_ignore_ascii_case("issue"))
        .map(|(_, value)| value.trim_matches('"').split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
        .collect();
    if issuers.is_empty() {
        if all.is_empty() {
            let problem = "nothing says who may issue certificates for the domain";
            report.say(
                "caa_missing",
                Severity::Notice,
                &domain,
                problem,
                "add CAA records for the authorities that you use",
            );
        }
        return;
    }
    let Ok(seen) = cx.tls().inspect(&domain, 443) else {
        degraded
            .push(Degraded::new("caa_blocks_current_issuer", "the certificate of the domain could not be looked at"));
        return;
    };
    let issuer = seen.chain.first().map(|it| it.issuer.to_lowercase()).unwrap_or_default();
    let Some((name, ids)) = AUTHORITIES.iter().find(|(name, _)| issuer.contains(name)) else { return };
    if !ids.iter().any(|it| issuers.iter().any(|known| known == it)) {
        let problem = format!(
            "the certificate comes from {name}, and CAA allows only {}: its renewal will fail",
            issuers.join(", ")
        );
        report.say(
            "caa_blocks_current_issuer",
            Severity::Error,
            &domain,
            problem,
            "allow this authority too, or change over to one that is allowed",
        );
    }
}
