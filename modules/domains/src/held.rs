//! The operation `domains.list`: the names that the customer holds at registrars.

use sdk::prelude::*;
use sdk::{Connection, Degraded, Fix, Next, json};
use site::Site;

use crate::registrar::{PAGE, PAGES, Registrar, Told};

/// Websites that are looked through for those of the names.
const SITES: usize = 1_000;

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
    let all = Registrar::all(cx, args.connection_ref.as_ref(), "/connection_ref")?;
    let sites: Vec<Stored<Site>> = cx.records::<Site>().by("order").scan().take(SITES).collect();
    let (mut domains, mut degraded, mut refused) = (Vec::new(), Vec::new(), None);
    let several = all.len() > 1;
    for registrar in all {
        match of(cx, &registrar, &sites) {
            Ok((held, whole)) => {
                domains.extend(held);
                if !whole {
                    let why =
                        format!("only the first {} domains of {} were read", PAGE * PAGES, registrar.connection.name);
                    degraded.push(Degraded::new("domains", why));
                }
            }
            Err(fault) if several => {
                degraded.push(Degraded::new(
                    "domains",
                    format!("{} did not answer: {}", registrar.connection.name, fault.message),
                ));
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
fn of(cx: &Cx, registrar: &Registrar<'_>, sites: &[Stored<Site>]) -> Result<(Vec<Owned>, bool)> {
    let mut out = Vec::new();
    for page in 0..PAGES {
        let (rows, more) = registrar.page(page)?;
        out.extend(rows.into_iter().map(|it| owned(cx, it, registrar, sites)));
        if !more {
            return Ok((out, true));
        }
    }
    Ok((out, false))
}

fn owned(cx: &Cx, told: Told, registrar: &Registrar<'_>, sites: &[Stored<Site>]) -> Owned {
    let days = |at: Moment| i64::from(at.day().since_epoch() - cx.now().day().since_epoch());
    let site = sites.iter().find(|it| kit::url::registrable_domain(&it.domain) == Some(told.domain.as_str()));
    Owned {
        days_left: told.expires_at.map(days),
        connection_ref: Id::new(registrar.connection.reference.as_str()),
        registrar: registrar.title().to_owned(),
        site_id: site.map(|it| it.id.clone()),
        domain: told.domain,
        expires_at: told.expires_at,
        auto_renew: told.auto_renew,
        locked: told.locked,
        privacy: told.privacy,
        nameservers: told.nameservers,
    }
}
