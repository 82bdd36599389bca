//! The operation `domains.nameserver.update`.

pub(crate) mod chain;
mod compare;

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};

use crate::name::{ascii, registrable};
use crate::registrar::Registrar;
use compare::Compared;

#[args]
pub(crate) struct Update {
    /// A domain that a connected registrar holds.
    domain: Text<3, 253>,
    /// The new name servers.
    nameservers: List<Text<4, 253>, 2, 13>,
    /// Goes on where the new servers hold other records, or do not answer yet. DNSSEC that would break is never skipped.
    #[default(false)]
    skip_checks: bool,
}

/// A record that a new server gives otherwise than the ones in use.
#[value]
pub(crate) struct Missing {
    /// The new server.
    server: String,
    name: String,
    #[own]
    r#type: String,
    /// What the servers in use say.
    expected: Vec<String>,
    /// What the new one says; null where it does not answer for the zone.
    found: Option<Vec<String>>,
}

/// What was set.
#[value]
pub(crate) struct Updated {
    domain: String,
    #[own]
    registrar: String,
    /// Whether the registrar shows the new servers.
    updated: bool,
    nameservers: Vec<String>,
    /// The servers before; `next` sets them again.
    previous: Vec<String>,
    /// What the new servers give otherwise; the call went on because `skip_checks` was set.
    missing_records: Vec<Missing>,
    /// How long resolvers keep the old servers, in a sentence.
    #[own]
    propagation_hint: String,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Changes a domain's name servers after checking that the new ones answer for the zone and hold the same important records.
///
/// The records of the website and of mail are asked at the servers in use and at each new one: what differs is 409
/// `records_differ`, unless `skip_checks` is set. A signed domain whose key the new servers do not have is 409
/// `dnssec_would_break`, always: turn DNSSEC off first.
#[operation(
    write,
    scope = "domains:manage",
    cost = live(most = 60),
    side_effects = ["changes which servers answer for your domain"],
    needs = ["store", "dns", "connection:registrar"],
    outside = [
        "name_com GET /core/v1/domains/*",
        "name_com POST /core/v1/domains/*:setNameservers change",
        "porkbun POST /api/json/v3/domain/listAll query",
        "porkbun POST /api/json/v3/domain/getNs/* query",
        "porkbun POST /api/json/v3/domain/updateNs/* change",
    ],
    phrasings = [
        "change the name servers of my domain",
        "move my dns to cloudflare",
        "switch to other nameservers without breaking mail",
        "point the domain to the new dns provider",
    ],
    examples = [{ "domain": "shop.example", "nameservers": ["ns1.dns.example", "ns2.dns.example"] }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let (domain, _) = registrable(args.domain.as_str(), "/domain")?;
    let servers = servers(&domain, &args.nameservers)?;
    let (registrar, told) = Registrar::holding(cx, &domain)?;
    let set = |all: &[String]| all.iter().cloned().collect::<BTreeSet<_>>();
    let mut degraded = Vec::new();
    let hint = compare::hint(cx, &domain);
    let undo = |previous: &[String]| {
        let arguments = json!({ "domain": domain, "nameservers": previous });
        Fix::new("domains.nameserver.update", arguments).because("sets the servers before, after the same checks")
    };
    if set(&told.nameservers) == set(&servers) {
        return Ok(Updated {
            registrar: registrar.title().to_owned(),
            updated: true,
            nameservers: told.nameservers.clone(),
            previous: told.nameservers,
            missing_records: Vec::new(),
            propagation_hint: "these servers stood there already".to_owned(),
            degraded,
            next: Vec::new(),
            domain,
        });
    }
    if let Some(missing) = chain::broken_by(cx, &domain, &servers)? {
        let message = format!(
            "the domain is signed, and {missing} does not have its key: resolvers that check signatures would lose the domain; turn DNSSEC off first with domains.dnssec.set"
        );
        return Err(Fault::conflict("dnssec_would_break", message).at("/nameservers"));
    }
    let Compared { missing, compared } = compare::differences(cx, &domain, &servers, &mut degraded);
    if compared == 0 && !args.skip_checks {
        let message =
            "the servers in use did not answer, so that nothing could be compared; try again, or set skip_checks";
        return Err(Fault::conflict("records_not_compared", message).at("/skip_checks"));
    }
    if !missing.is_empty() && !args.skip_checks {
        let message = format!(
            "{} records are given otherwise by the new servers; copy the zone first (domains.dns.zone.export and import), or set skip_checks",
            missing.len()
        );
        let detail = json!({ "missing_records": missing.iter().take(50).collect::<Vec<_>>() });
        return Err(Fault::conflict("records_differ", message).at("/nameservers").detail(detail));
    }
    registrar.set_nameservers(&domain, &servers)?;
    let now = registrar.find(&domain)?.map(|it| it.nameservers).unwrap_or_default();
    let updated = set(&now) == set(&servers);
    if !updated {
        let why = "the registrar took the change and does not show it yet";
        degraded.push(Degraded::new("updated", why));
    }
    let spread = Fix::new("domains.dns.propagation.check", json!({ "name": domain, "type": "NS" }));
    let mut next = vec![spread.because("says which resolvers have the new servers")];
    if told.nameservers.len() >= 2 {
        next.push(undo(&told.nameservers));
    }
    Ok(Updated {
        registrar: registrar.title().to_owned(),
        updated,
        nameservers: now,
        previous: told.nameservers,
        missing_records: missing,
        propagation_hint: hint,
        degraded,
        next,
        domain,
    })
}

/// The new servers in canonical form.
fn servers(domain: &str, given: &[Text<4, 253>]) -> Result<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    for (at, it) in given.iter().enumerate() {
        let pointer = format!("/nameservers/{at}");
        let is_host = |name: &String| name.parse::<std::net::IpAddr>().is_err() && !name.contains('_');
        let Some(name) = ascii(it.as_str()).filter(is_host) else {
            return Err(Fault::invalid(
                pointer,
                "invalid_name",
                "a name server is named by a host name, such as ns1.dns.example",
            ));
        };
        if name == domain || name.ends_with(&format!(".{domain}")) {
            let message = "a server within the domain itself needs its address at the registry (glue): set that on the registrar's website";
            return Err(Fault::invalid(pointer, "glue_needed", message));
        }
        if out.contains(&name) {
            return Err(Fault::invalid(pointer, "named_twice", "this server stands twice in the call"));
        }
        out.push(name);
    }
    Ok(out)
}
