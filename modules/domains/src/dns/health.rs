//! The operation `domains.dns.health.check`.

pub(crate) mod records;
mod servers;

use sdk::prelude::*;
use sdk::{Authority, Degraded, Fix, Next, Question, Severity, json};

use crate::asking::Asking;
use crate::dns::lookup::word;
use crate::name::registrable;

/// Questions to the resolver.
const QUESTIONS: u32 = 60;
/// Servers of the zone that are asked.
const SERVERS: u8 = 8;

#[args]
pub(crate) struct Check {
    /// A domain; of a longer name the registrable part counts.
    domain: Text<3, 253>,
}

/// What is wrong.
#[value]
pub(crate) struct Finding {
    /// A word for programs, such as `server_lame`.
    #[own]
    id: String,
    severity: Severity,
    /// The name whose record it is, or the server.
    record: String,
    problem: String,
    /// What to do.
    advice: String,
    /// A call that mends it, or shows the records that have to be changed; null where that is done elsewhere.
    fix: Option<Fix>,
}

/// A server of the zone as it answered.
#[value]
pub(crate) struct Server {
    name: String,
    address: Option<String>,
    /// Whether it answers for the zone as its own.
    is_authoritative: bool,
    /// The serial number of the zone there; null without an answer.
    serial: Option<u32>,
    milliseconds: Option<u32>,
}

/// How a zone is.
#[value]
pub(crate) struct Checked {
    domain: String,
    /// 100 less 15 for each error, 5 for each warning and 1 for each notice; null when no server of the zone could be asked.
    score: Option<u32>,
    /// The most serious first.
    findings: Vec<Finding>,
    servers: Vec<Server>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// What is collected.
pub(crate) struct Report {
    pub(crate) domain: String,
    pub(crate) findings: Vec<Finding>,
}

impl Report {
    pub(crate) fn say(
        &mut self,
        id: &str,
        severity: Severity,
        record: impl Into<String>,
        problem: impl Into<String>,
        advice: &str,
    ) {
        let (id, advice, fix) = (id.to_owned(), advice.to_owned(), mend(id, &self.domain));
        self.findings.push(Finding { id, severity, record: record.into(), problem: problem.into(), advice, fix });
    }
}

/// The call that mends a finding, or shows the records that have to be changed.
fn mend(id: &str, domain: &str) -> Option<Fix> {
    let template = |name: &str| Fix::new("domains.dns.template.apply", json!({ "domain": domain, "template": name }));
    let records = |kind: &str| Fix::new("domains.dns.record.list", json!({ "domain": domain, "type": kind }));
    Some(match id {
        "caa_missing" | "caa_blocks_current_issuer" => template("caa_letsencrypt"),
        "www_missing" | "apex_no_address" => template("www_apex"),
        // Without a key at the parent, resolvers that check have nothing to find wrong.
        "dnssec_bogus" | "dnssec_ds_without_key" => {
            Fix::new("domains.dnssec.set", json!({ "domain": domain, "enabled": false }))
        }
        "dnssec_without_ds" => Fix::new("domains.dnssec.set", json!({ "domain": domain, "enabled": true })),
        "alias_chain" | "apex_cname" | "broken_alias" | "dangling_cname" => records("CNAME"),
        "mx_is_address" | "mx_is_cname" | "mx_no_address" => records("MX"),
        "ttl_low" | "ttl_high" | "wildcard" | "ipv6_missing" => {
            Fix::new("domains.dns.record.list", json!({ "domain": domain }))
        }
        _ => return None,
    })
}

/// Checks a zone's servers, delegation, addresses, aliases, mail exchangers, certificate permissions and DNSSEC, and scores it.
///
/// Every server of the zone is asked itself. What belongs to mail authentication is told by `domains.email_auth.check`, what
/// belongs to the certificate by `domains.tls.check`.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 160),
    needs = ["dns", "tls"],
    phrasings = [
        "is the dns of my domain in order",
        "check my name servers",
        "why do some visitors not reach my domain",
        "find dangling dns records",
    ],
    examples = [{ "domain": "shop.example" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let (domain, _) = registrable(args.domain.as_str(), "/domain")?;
    let mut report = Report { domain: domain.clone(), findings: Vec::new() };
    let mut degraded = Vec::new();
    let mut asking = Asking::new(cx, QUESTIONS);
    let soa = cx.dns().authoritative(&Question::new(&domain, "SOA"), SERVERS);
    let authority = match soa {
        Ok(authority) => Some(authority),
        Err(failure) => {
            let why = format!("the servers of the zone could not be asked: {}", word(failure));
            degraded.push(Degraded::new("servers", why));
            None
        }
    };
    let servers = match &authority {
        Some(authority) => servers::check(cx, authority, &mut asking, &mut report, &mut degraded),
        None => Vec::new(),
    };
    if let Some(Authority { more, .. }) = authority.as_ref().filter(|it| it.more > 0) {
        degraded.push(Degraded::new("servers", format!("{more} more servers of the zone were not asked")));
    }
    records::check(cx, &mut asking, &mut report, &mut degraded);
    degraded.extend(asking.degraded(QUESTIONS));
    let Report { mut findings, .. } = report;
    findings.sort_by_key(|it| it.severity);
    let weight = |it: &Finding| match it.severity {
        Severity::Error => 15,
        Severity::Warning => 5,
        Severity::Notice => 1,
    };
    let score = 100_u32.saturating_sub(findings.iter().map(weight).sum());
    let mail = Fix::new("domains.email_auth.check", json!({ "domain": domain }));
    let next = vec![mail.because("checks SPF, DKIM and DMARC, which this one leaves out")];
    let asked = servers.iter().any(|it| it.is_authoritative);
    Ok(Checked { score: asked.then_some(score), findings, servers, degraded, next, domain })
}
