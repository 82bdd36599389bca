//! The operation `domains.list`: the names that the customer holds at registrars.

use sdk::prelude::*;
use sdk::{Connection, Degraded, Fix, Need, Next, Send, json};
use serde_json::Value;
use site::Site;

use crate::rdap::moment;

/// What a registrar is needed for.
const NEED: Need = Need::key("name_com", &["an API token of the account"]);
/// Domains of one page of theirs.
const PAGE: usize = 1_000;
/// Pages of one registrar that are read.
const PAGES: usize = 5;
/// Websites that are looked through for those of the names.
const SITES: usize = 1_000;
/// Bytes of an answer that are read.
const BYTES: u32 = 4 << 20;

#[args(paged)]
pub(crate) struct List {
    /// One registrar's account; left out, those of all.
    connection_ref: Option<Id<Connection>>,
    /// Only names that end within so many days.
    expiring_days: Option<Count<1, 365>>,
}

/// A name that the customer holds.
#[value]
pub(crate) struct Owned {
    domain: String,
    connection_ref: Id<Connection>,
    /// Name.com or Porkbun.
    registrar: String,
    expires_at: Option<Moment>,
    days_left: Option<i64>,
    /// Whether the registrar renews it by itself; null where it does not say.
    auto_renew: Option<bool>,
    /// Whether it is locked against transfer.
    locked: Option<bool>,
    /// Whether the holder's address is kept back.
    privacy: Option<bool>,
    nameservers: Vec<String>,
    /// The customer's website of this domain; null when there is none.
    site_id: Option<Id<Site>>,
}

/// Names that the customer holds, those that end first coming first.
#[page]
pub(crate) struct Listed {
    domains: Vec<Owned>,
    /// Names that fit.
    total: u64,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Lists the domains of connected registrars (Name.com, Porkbun) with expiry, automatic renewal, lock and name servers, the next to expire first.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 12),
    needs = ["store", "connection:registrar"],
    outside = ["name_com GET /core/v1/domains", "porkbun POST /api/json/v3/domain/listAll query"],
    phrasings = [
        "which domains do I own",
        "which of my domains expire soon",
        "list my domains at the registrar",
        "is auto renew on for my domains",
    ],
    examples = [{}, { "expiring_days": 60 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Listed> {
    let mut all = cx.connections().of("registrar");
    if let Some(wanted) = &args.connection_ref {
        all.retain(|it| it.reference == wanted.as_str());
        if all.is_empty() {
            let message = "there is no such connection to a registrar; connections.list shows those that there are";
            return Err(Fault::not_found("connection_not_found", message).at("/connection_ref"));
        }
    }
    if all.is_empty() {
        return Err(NEED.missing("/connection_ref", "domains are read at your registrar: name_com or porkbun"));
    }
    let sites: Vec<Stored<Site>> = cx.records::<Site>().by("order").scan().take(SITES).collect();
    let (mut domains, mut degraded, mut refused) = (Vec::new(), Vec::new(), None);
    let several = all.len() > 1;
    for connection in all {
        match of(cx, &connection, &sites) {
            Ok((held, whole)) => {
                domains.extend(held);
                if !whole {
                    let why = format!("only the first {} domains of {} were read", PAGE * PAGES, connection.name);
                    degraded.push(Degraded::new("domains", why));
                }
            }
            Err(fault) if several => {
                degraded
                    .push(Degraded::new("domains", format!("{} did not answer: {}", connection.name, fault.message)));
                refused = Some(fault);
            }
            Err(fault) => return Err(fault),
        }
    }
    if let Some(fault) = refused.filter(|_| domains.is_empty()) {
        return Err(fault);
    }
    if let Some(days) = args.expiring_days {
        domains.retain(|it| it.days_left.is_some_and(|left| left <= days.get()));
    }
    domains.sort_by(|a, b| {
        let key = |it: &Owned| (it.expires_at.is_none(), it.expires_at);
        key(a).cmp(&key(b)).then_with(|| a.domain.cmp(&b.domain))
    });
    let lapsing = domains.iter().find(|it| it.auto_renew == Some(false) && it.days_left.is_some_and(|it| it <= 60));
    let next = lapsing.and_then(|it| {
        let renew = json!({ "domain": it.domain, "action": "renew" });
        let why = format!("{} ends in {} days and is not renewed by itself", it.domain, it.days_left.unwrap_or(0));
        Fix::new("domains.register.quote", renew).if_served().map(|fix| fix.because(why))
    });
    let total = domains.len() as u64;
    let page = args.window(domains)?;
    Ok(Listed { domains: page.items, total, next_cursor: page.next, degraded, next: next.into_iter().collect() })
}

/// The names of one account, and whether these are all.
fn of(cx: &Cx, connection: &Connection, sites: &[Stored<Site>]) -> Result<(Vec<Owned>, bool)> {
    let mut out = Vec::new();
    for page in 0..PAGES {
        let (rows, more) = match connection.kind.as_str() {
            "name_com" => name_com(cx, connection, page)?,
            _ => porkbun(cx, connection, page)?,
        };
        out.extend(rows.into_iter().map(|it| it.at(cx, connection, sites)));
        if !more {
            return Ok((out, true));
        }
    }
    Ok((out, false))
}

/// A name as a registrar tells of it.
struct Told {
    domain: String,
    expires_at: Option<Moment>,
    auto_renew: Option<bool>,
    locked: Option<bool>,
    privacy: Option<bool>,
    nameservers: Vec<String>,
}

impl Told {
    fn at(self, cx: &Cx, connection: &Connection, sites: &[Stored<Site>]) -> Owned {
        let days = |at: Moment| i64::from(at.day().since_epoch() - cx.now().day().since_epoch());
        let site = sites.iter().find(|it| kit::url::registrable_domain(&it.domain) == Some(self.domain.as_str()));
        Owned {
            days_left: self.expires_at.map(days),
            connection_ref: Id::new(connection.reference.as_str()),
            registrar: if connection.kind == "name_com" { "Name.com" } else { "Porkbun" }.to_owned(),
            site_id: site.map(|it| it.id.clone()),
            domain: self.domain,
            expires_at: self.expires_at,
            auto_renew: self.auto_renew,
            locked: self.locked,
            privacy: self.privacy,
            nameservers: self.nameservers,
        }
    }
}

fn ask(cx: &Cx, send: Send) -> Result<Value> {
    let sent = cx.connections().send(&send.max_bytes(BYTES))?.accepted()?;
    sent.json::<Value>().map_err(Fault::from)
}

fn name(value: &Value) -> Option<String> {
    Some(value.as_str()?.trim_end_matches('.').to_ascii_lowercase()).filter(|it| !it.is_empty())
}

/// www.name.com/api-docs/Domains#ListDomains
fn name_com(cx: &Cx, at: &Connection, page: usize) -> Result<(Vec<Told>, bool)> {
    let body = ask(cx, Send::get(&at.reference, "/core/v1/domains").query("perPage", PAGE).query("page", page + 1))?;
    let told = |it: &Value| {
        Some(Told {
            domain: name(&it["domainName"])?,
            expires_at: it["expireDate"].as_str().and_then(moment),
            auto_renew: it["autorenewEnabled"].as_bool(),
            locked: it["locked"].as_bool(),
            privacy: it["privacyEnabled"].as_bool(),
            nameservers: it["nameservers"].as_array().into_iter().flatten().filter_map(name).collect(),
        })
    };
    let more = body["nextPage"].as_u64().is_some_and(|next| next > page as u64 + 1);
    Ok((body["domains"].as_array().into_iter().flatten().filter_map(told).collect(), more))
}

/// porkbun.com/api/json/v3/documentation: Domain List All
fn porkbun(cx: &Cx, at: &Connection, page: usize) -> Result<(Vec<Told>, bool)> {
    let start = json!({ "start": (page * PAGE).to_string() });
    let body = ask(cx, Send::post(&at.reference, "/api/json/v3/domain/listAll").json(&start))?;
    if body["status"] != "SUCCESS" {
        return Err(Fault::from(sdk::SendFailure::Malformed));
    }
    // Flags are 1, "1", true or "yes".
    let flag = |it: &Value| match it {
        Value::Bool(it) => Some(*it),
        Value::Number(it) => it.as_u64().map(|it| it == 1),
        Value::String(it) => Some(it == "1" || it == "yes"),
        _ => None,
    };
    let told = |it: &Value| {
        Some(Told {
            domain: name(&it["domain"])?,
            expires_at: it["expireDate"].as_str().and_then(|it| moment(&format!("{}Z", it.replace(' ', "T")))),
            auto_renew: flag(&it["autoRenew"]),
            locked: flag(&it["securityLock"]),
            privacy: flag(&it["whoisPrivacy"]),
            nameservers: Vec::new(),
        })
    };
    let all = body["domains"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok((all.iter().filter_map(told).collect(), all.len() >= PAGE))
}
