//! The servers of a zone: whether each answers, whether all say the same, whether one fault takes all of them.

use std::collections::BTreeSet;
use std::net::IpAddr;

use kit::mailauth::Resolver as _;
use sdk::prelude::*;
use sdk::{Authority, Degraded, DnsFailure, Outcome, Question, Severity, Told};

use super::{Report, Server};
use crate::asking::Asking;
use crate::dns::lookup::word;

/// The numbers of a zone (RFC 1035, 3.3.13).
struct Soa {
    serial: u32,
    refresh: u32,
    retry: u32,
    expire: u32,
    minimum: u32,
}

/// Looks at every server, and says what is wrong with them; where none of them answered that may be this side's own fault, and
/// nothing is said.
pub(super) fn check(
    cx: &Cx,
    authority: &Authority,
    asking: &mut Asking<'_>,
    report: &mut Report,
    degraded: &mut Vec<Degraded>,
) -> Vec<Server> {
    let domain = report.domain.clone();
    let none = authority.servers.iter().all(|told| told.answer.is_err());
    let mut all: Vec<(Server, Option<Soa>)> = Vec::new();
    for told in &authority.servers {
        // Not every place reaches IPv6.
        let six = told.address.as_ref().is_some_and(|it| it.contains(':'));
        if told.answer.is_err() && (none || six) {
            let why = format!("{} did not answer here: it may answer elsewhere", told.server.trim_end_matches('.'));
            degraded.push(Degraded::new("servers", why));
            all.push((Server::silent(told), None));
        } else {
            all.push(server(told, report));
        }
    }
    let names: BTreeSet<String> = all.iter().map(|(it, _)| it.name.to_ascii_lowercase()).collect();
    if names.len() + authority.more as usize == 1 {
        let advice = "add a second server at another place";
        report.say(
            "ns_count",
            Severity::Error,
            &domain,
            "the zone has one server: when it fails the domain is gone",
            advice,
        );
    }
    for name in &names {
        if asking.entries(name, "CNAME").is_ok_and(|it| !it.is_empty()) {
            let problem = "the name of a server is an alias, which it may not be (RFC 2181, 10.3)";
            report.say("ns_is_cname", Severity::Error, name, problem, "name the server by a name with addresses");
        }
        let none = |six: bool, asking: &mut Asking<'_>| asking.addresses(name, six).is_ok_and(|it| it.is_empty());
        if none(false, asking) && none(true, asking) {
            report.say(
                "ns_no_address",
                Severity::Error,
                name,
                "the server has no address",
                "give it one, or take it away",
            );
        }
    }
    let addresses: BTreeSet<IpAddr> = all.iter().filter_map(|(it, _)| it.address.as_ref()?.parse().ok()).collect();
    if addresses.len() > 1 && addresses.iter().map(network).collect::<BTreeSet<_>>().len() == 1 {
        let problem = "all servers that were asked are in one network: one fault takes all of them";
        report.say(
            "one_network",
            Severity::Notice,
            &domain,
            problem,
            "have a second provider, or servers of another network",
        );
    }
    let serials: BTreeSet<u32> = all.iter().filter_map(|(_, soa)| Some(soa.as_ref()?.serial)).collect();
    if serials.len() > 1 {
        let shown: Vec<String> = serials.iter().map(u32::to_string).collect();
        let problem = format!("the servers have different versions of the zone: {}", shown.join(", "));
        report.say(
            "soa_serial_differs",
            Severity::Warning,
            &domain,
            problem,
            "wait for the transfer of the zone; if it stays, mend it",
        );
    }
    if let Some(soa) = all.iter().find_map(|(_, soa)| soa.as_ref()) {
        numbers(soa, report);
    }
    sets(cx, &domain, report);
    all.into_iter().map(|(it, _)| it).collect()
}

impl Server {
    /// One that has said nothing.
    fn silent(told: &Told) -> Self {
        Self {
            name: told.server.trim_end_matches('.').to_owned(),
            address: told.address.clone(),
            is_authoritative: false,
            serial: None,
            milliseconds: None,
        }
    }
}

fn server(told: &Told, report: &mut Report) -> (Server, Option<Soa>) {
    let name = told.server.trim_end_matches('.').to_owned();
    let mut out = Server::silent(told);
    let lame = |problem: String, report: &mut Report| {
        report.say(
            "server_lame",
            Severity::Error,
            &name,
            problem,
            "add the zone to this server, or take the server out of the delegation",
        );
    };
    match &told.answer {
        Err(DnsFailure::Refused) => {
            let problem = "the server is at an address that is not public";
            report.say("server_private", Severity::Error, &name, problem, "give it a public address");
        }
        Err(failure) => {
            let problem = format!("the server does not answer: {}", word(*failure));
            report.say(
                "server_unreachable",
                Severity::Error,
                &name,
                problem,
                "bring the server back, or take it out of the delegation",
            );
        }
        Ok(answer) => {
            out.milliseconds = Some(answer.milliseconds);
            out.is_authoritative = answer.authoritative && answer.outcome == Outcome::Found;
            if answer.outcome == Outcome::Failed {
                lame(format!("the server refuses to answer for the zone: code {}", answer.code), report);
            } else if !out.is_authoritative {
                lame("the server does not know the zone as its own".to_owned(), report);
            }
        }
    }
    let soa = told.answer.as_ref().ok().filter(|_| out.is_authoritative).and_then(|answer| {
        let text = answer.entries.iter().find(|it| it.kind == "SOA")?.text.clone();
        let mut numbers = text.split_whitespace().skip(2).map(|it| it.parse().ok());
        let mut next = || numbers.next().flatten();
        Some(Soa { serial: next()?, refresh: next()?, retry: next()?, expire: next()?, minimum: next()? })
    });
    out.serial = soa.as_ref().map(|it| it.serial);
    (out, soa)
}

/// The first 24 bits of an address, or the first 48.
fn network(address: &IpAddr) -> [u8; 6] {
    match address {
        IpAddr::V4(it) => {
            let [a, b, c, _] = it.octets();
            [4, a, b, c, 0, 0]
        }
        IpAddr::V6(it) => {
            let all = it.octets();
            [all[0], all[1], all[2], all[3], all[4], all[5]]
        }
    }
}

/// The numbers of a zone, by RFC 1912, 2.2, and RFC 2308, 5.
fn numbers(soa: &Soa, report: &mut Report) {
    let domain = report.domain.clone();
    let mut say = |id: &str, problem: String, advice: &str| report.say(id, Severity::Notice, &domain, problem, advice);
    if soa.retry >= soa.refresh {
        say(
            "soa_retry",
            format!("retry ({}) is not shorter than refresh ({})", soa.retry, soa.refresh),
            "make retry a fraction of refresh",
        );
    }
    if soa.expire < 604_800 {
        let problem = format!(
            "expire is {} seconds: a second server stops answering when the first is away for so long",
            soa.expire
        );
        say("soa_expire", problem, "make it two to four weeks");
    }
    if soa.minimum > 86_400 {
        let problem = format!("that a name does not exist is remembered for {} seconds", soa.minimum);
        say("soa_minimum", problem, "make the last number of SOA an hour or less");
    }
}

/// Whether all servers name the same servers, and addresses of the domain.
fn sets(cx: &Cx, domain: &str, report: &mut Report) {
    for (kind, id) in [("NS", "ns_differ"), ("A", "addresses_differ"), ("MX", "mx_differ")] {
        let Ok(authority) = cx.dns().authoritative(&Question::new(domain, kind), super::SERVERS) else { continue };
        let own = authority.servers.iter().filter_map(|it| it.answer.as_ref().ok()).filter(|it| it.authoritative);
        let sets: BTreeSet<Vec<String>> = own
            .map(|answer| {
                let texts = answer.entries.iter().filter(|it| it.kind == kind).map(|it| it.text.to_ascii_lowercase());
                texts.collect::<BTreeSet<_>>().into_iter().collect()
            })
            .collect();
        if sets.len() > 1 {
            let shown: Vec<String> = sets.iter().take(3).map(|it| it.join(" ")).collect();
            let problem = format!("the servers say different things of {kind}: {}", shown.join(" | "));
            report.say(id, Severity::Error, domain, problem, "see that all servers have the same zone");
        }
    }
}
