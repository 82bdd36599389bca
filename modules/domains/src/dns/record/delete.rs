//! The operation `domains.dns.record.delete`.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Connection, Degraded, Next, json};
use site::Site;

use crate::change::undo;
use crate::name::given;
use crate::zone::apply::{Applied, ChangeSet, Verified, carry_out};
use crate::zone::plan::{Plan, single};
use crate::zone::{Held, RecordOf, Zone};

/// Websites that are looked through.
const SITES: usize = 1_000;

#[args]
pub(crate) struct Delete {
    /// A domain whose zone a connected DNS provider holds; of a name below it the zone is found.
    domain: Text<3, 253>,
    /// Records as `domains.dns.record.list` shows them.
    record_ids: List<Id<RecordOf>, 1, 100>,
    /// Deletes them although something relies on them.
    #[default(false)]
    acknowledge: bool,
}

/// What relies on a record.
#[value]
pub(crate) enum Purpose {
    /// Mail reaches the domain, or is believed, by it.
    Mail,
    /// It proves to a service that the domain is yours.
    Verification,
    /// A website is reached by it.
    Website,
    /// Another zone is reached by it.
    Delegation,
    /// It says who may issue certificates, or proves a name to who does.
    Certificate,
    /// Another record of the zone leads to it.
    Target,
}

/// A record with what relies on it.
#[value]
pub(crate) struct Relied {
    record_id: Id<RecordOf>,
    name: String,
    #[own]
    r#type: String,
    purpose: Purpose,
    #[own]
    why: String,
}

/// What was deleted.
#[value]
pub(crate) struct Deleted {
    zone: String,
    connection_ref: Id<Connection>,
    /// Records that are gone, as they stood.
    deleted: Vec<Applied>,
    /// What relied on them.
    relied_on: Vec<Relied>,
    /// References that the zone has no record of.
    not_found: Vec<Id<RecordOf>>,
    /// What `domains.dns.zone.import` makes them again by; null when nothing was deleted.
    change_ref: Option<Id<ChangeSet>>,
    /// What the zone's own servers say of their names.
    verified: Vec<Verified>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Deletes records of a zone after showing what relies on them: mail, verification, websites, certificates, other records. They are kept for restore.
///
/// 409 `relied_on` with the purposes when something relies on one and `acknowledge` is not set. The start of authority and the
/// zone's own name servers are never deleted.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = live(most = 40),
    side_effects = ["removes DNS records of your domain"],
    needs = ["store", "dns", "connection:dns_provider"],
    outside = [
        "cloudflare GET /client/v4/zones",
        "cloudflare GET /client/v4/zones/*/dns_records",
        "cloudflare POST /client/v4/zones/*/dns_records/batch remove",
        "powerdns GET /api/v1/servers/localhost/zones",
        "powerdns GET /api/v1/servers/localhost/zones/*",
        "powerdns PATCH /api/v1/servers/localhost/zones/* remove",
    ],
    phrasings = [
        "delete this dns record",
        "remove the old txt records from my zone",
        "take the subdomain out of dns",
        "which dns records can I remove",
    ],
    examples = [{ "domain": "shop.example", "record_ids": ["0123456789abcdef0123456789abcdef"] }]
)]
pub(crate) fn delete(cx: &Cx, args: Delete) -> Result<Deleted> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let zone = Zone::of(cx, &domain)?;
    let held = zone.all(cx)?;
    let wanted: BTreeSet<&str> = args.record_ids.iter().map(Id::as_str).collect();
    let found: Vec<Held> = held.iter().filter(|it| wanted.contains(it.record_id.as_str())).cloned().collect();
    let known: BTreeSet<&str> = found.iter().map(|it| it.record_id.as_str()).collect();
    let not_found: Vec<Id<RecordOf>> = wanted.difference(&known).map(|it| Id::new((*it).to_owned())).collect();
    if found.is_empty() {
        let message = "the zone has none of these records; domains.dns.record.list shows those that it has";
        return Err(Fault::not_found("record_not_found", message).at("/record_ids"));
    }
    let is_frame = |it: &Held| it.r#type == "SOA" || (it.r#type == "NS" && it.name.eq_ignore_ascii_case(&zone.name));
    if let Some(at) = args.record_ids.iter().position(|id| found.iter().any(|it| it.record_id == *id && is_frame(it))) {
        let message = "without its start of authority and its own name servers a zone is none: they stay";
        return Err(Fault::refused("zone_frame", message).at(format!("/record_ids/{at}")));
    }
    let relied_on = relied(cx, &zone, &held, &found);
    if !relied_on.is_empty() && !args.acknowledge {
        let message = "something relies on these records; set acknowledge to delete them all the same";
        let detail = json!({ "relied_on": relied_on });
        return Err(Fault::conflict("relied_on", message).at("/acknowledge").detail(detail));
    }
    let plan = Plan { remove: found, ..Plan::default() };
    let outcomes = carry_out(cx, &zone, "domains.dns.record.delete", plan, None, "/record_ids")?;
    let next = outcomes.change_ref.as_ref().map(|it| undo(&zone.name, it)).into_iter().collect();
    Ok(Deleted {
        connection_ref: Id::new(zone.connection.reference),
        zone: zone.name,
        deleted: outcomes.applied,
        relied_on,
        not_found,
        change_ref: outcomes.change_ref,
        verified: outcomes.verified,
        degraded: outcomes.degraded,
        next,
    })
}

/// Beginnings of texts that prove a domain to a service.
const PROOFS: [&str; 16] = [
    "google-site-verification=",
    "MS=",
    "facebook-domain-verification=",
    "apple-domain-verification=",
    "atlassian-domain-verification=",
    "adobe-idp-site-verification=",
    "docusign=",
    "globalsign-domain-verification=",
    "yandex-verification:",
    "stripe-verification=",
    "openai-domain-verification=",
    "zoom_verify_",
    "pinterest-site-verification=",
    "p:domain_verify=",
    "shopify-verification=",
    "espalier-site-verification=",
];

/// What relies on records that are to go: of a set that keeps a sibling too, since part of what it did goes.
fn relied(cx: &Cx, zone: &Zone, held: &[Held], gone: &[Held]) -> Vec<Relied> {
    let sites: BTreeSet<String> =
        cx.records::<Site>().by("order").scan().take(SITES).map(|it| it.domain.to_ascii_lowercase()).collect();
    let mut out = Vec::new();
    for it in gone {
        let mut say = |purpose: Purpose, why: String| {
            let (record_id, name, kind) = (it.record_id.clone(), it.name.clone(), it.r#type.clone());
            out.push(Relied { record_id, name, r#type: kind, purpose, why });
        };
        let name = it.name.to_ascii_lowercase();
        let relative = name.strip_suffix(&zone.name).map(|it| it.trim_end_matches('.')).unwrap_or(&name);
        let (_, _, content, _) = it.key();
        match it.r#type.as_str() {
            "MX" => say(Purpose::Mail, format!("mail to {name} is delivered by it")),
            "TXT" => match single("TXT", &name, &content) {
                Some(version) => say(Purpose::Mail, format!("receivers of mail read it ({version})")),
                None if PROOFS.iter().any(|proof| content.starts_with(proof)) => {
                    say(Purpose::Verification, "it proves to a service that the domain is yours".to_owned());
                }
                None if relative.starts_with("_acme-challenge") => {
                    say(Purpose::Certificate, "a certificate is issued by it".to_owned());
                }
                None => {}
            },
            "CAA" => say(Purpose::Certificate, "it says who may issue certificates".to_owned()),
            "TLSA" => say(Purpose::Certificate, "it names the certificate of a service".to_owned()),
            "NS" | "DS" => say(Purpose::Delegation, format!("the zone {name} is reached by it")),
            "CNAME" if relative.contains("_domainkey") => say(Purpose::Mail, "it leads to a key of DKIM".to_owned()),
            "CNAME" if relative.starts_with("_acme-challenge") => {
                say(Purpose::Certificate, "a certificate is issued by it".to_owned());
            }
            "A" | "AAAA" | "CNAME" | "HTTPS" => {
                let own = |label: &str| relative == label;
                if sites.contains(&name) || own("") || own("www") {
                    say(Purpose::Website, format!("a website is reached at {name}"));
                } else if matches!(relative, "mta-sts" | "autodiscover" | "autoconfig") {
                    say(Purpose::Mail, "programs for mail look for it".to_owned());
                }
            }
            _ => {}
        }
        let leads = |other: &&Held| {
            let (_, kind, content, _) = other.key();
            let target = match kind.as_str() {
                "CNAME" | "MX" | "NS" => content.as_str(),
                "SRV" => content.rsplit(' ').next().unwrap_or_default(),
                _ => return false,
            };
            target == name && !gone.iter().any(|it| it.record_id == other.record_id)
        };
        if matches!(it.r#type.as_str(), "A" | "AAAA" | "CNAME")
            && let Some(other) = held.iter().find(leads)
        {
            say(Purpose::Target, format!("{} {} leads to it", other.name, other.r#type));
        }
    }
    out
}
