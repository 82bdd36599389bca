//! The operation `domains.register.quote`.

use sdk::prelude::*;
use sdk::{Connection, Fix, Money, Next, json};

use super::{QUARTER, Terms, quarter};
use crate::name::registrable;
use crate::registrar::{Action, Prices, Registrar, dollars};

#[args]
pub(crate) struct Quote {
    /// A domain.
    domain: Text<3, 253>,
    action: Action,
    /// Years; a transfer adds one.
    #[default(1)]
    years: Count<1, 10>,
    /// The registrar's account; left out, the first one that sells it, and for a renewal the one that holds it.
    connection_ref: Option<Id<Connection>>,
}

/// What an action costs.
#[value]
pub(crate) struct Quoted {
    domain: String,
    action: Action,
    years: u64,
    connection_ref: Id<Connection>,
    #[own]
    registrar: String,
    /// For all years together, as the registrar charges the account; null where it does not sell it.
    price: Option<Money>,
    /// What a year costs later on: often more than the first one. Null where the registrar does not say.
    renewal_price: Option<Money>,
    /// Whether the registry asks a price of its own for this name.
    premium: bool,
    /// Whether the years after the first were counted at the price of a renewal, since the registrar names one year alone.
    estimated: bool,
    /// Why it cannot be ordered; empty when it can.
    blocked_by: Vec<String>,
    /// What `domains.register.order` takes; null where it cannot be ordered.
    quote_hash: Option<String>,
    /// Until when the hash is taken; null without one.
    expires_at: Option<Moment>,
    /// What to do next.
    next: Vec<Next>,
}

/// Gets what registering, renewing or transferring a domain costs at the connected registrar, with the price of later years and a hash to order by.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 12),
    needs = ["store", "connection:registrar"],
    outside = [
        "name_com GET /core/v1/domains/*",
        "name_com GET /core/v1/domains/*:getPricing",
        "name_com POST /core/v1/domains:checkAvailability query",
        "porkbun POST /api/json/v3/domain/listAll query",
        "porkbun POST /api/json/v3/domain/getNs/* query",
        "porkbun POST /api/json/v3/domain/checkDomain/* query",
        "porkbun POST /api/json/v3/pricing/get query",
    ],
    phrasings = [
        "how much does this domain cost",
        "what is the renewal price of my domain",
        "price for a transfer of a domain",
        "is this a premium domain",
    ],
    examples = [{ "domain": "lamps-of-bristol.com", "action": "register" }, { "domain": "shop.example", "action": "renew", "years": 2 }]
)]
pub(crate) fn quote(cx: &Cx, args: Quote) -> Result<Quoted> {
    let (domain, _) = registrable(args.domain.as_str(), "/domain")?;
    let years = u64::from(args.years);
    if args.action == Action::Transfer && years != 1 {
        return Err(Fault::invalid("/years", "one_year", "a transfer adds one year, no more and no less"));
    }
    let registrar = account(cx, &domain, args.action, args.connection_ref.as_ref())?;
    let prices = prices(&registrar, cx, &domain, args.action, years)?;
    let money = |cents: u64| Money { amount: dollars(cents), currency: "USD".to_owned() };
    let sealed = prices
        .cents
        .map(|cents| cx.quotes().seal(&terms(&registrar, &domain, args.action, years, cents, &prices, quarter(cx))));
    let expires_at = sealed.as_ref().map(|_| Moment::from_millis((quarter(cx) + 2) * QUARTER));
    let order = sealed.as_ref().map(|seal| {
        let arguments = json!({
            "domain": domain,
            "action": args.action,
            "years": years,
            "connection_ref": registrar.connection.reference,
            "expected_quote_hash": seal.quote_hash,
        });
        Fix::new("domains.register.order", arguments)
            .because("orders at this price; it is paid from the account at the registrar")
    });
    // A transfer needs the code of the registrar that is left, which nobody but its holder has.
    let next = order.filter(|_| args.action != Action::Transfer);
    Ok(Quoted {
        action: args.action,
        years,
        connection_ref: Id::new(registrar.connection.reference.as_str()),
        registrar: registrar.title().to_owned(),
        price: prices.cents.map(money),
        renewal_price: prices.renewal.map(money),
        premium: prices.premium,
        estimated: prices.estimated,
        blocked_by: prices.blocked,
        quote_hash: sealed.map(|it| it.quote_hash),
        expires_at,
        next: next.into_iter().collect(),
        domain,
    })
}

/// The account that an action is asked at.
///
/// # Errors
/// 422 `connection_required`, 404 `connection_not_found`; for a renewal 404 `domain_not_held`.
pub(super) fn account<'a>(
    cx: &'a Cx,
    domain: &str,
    action: Action,
    wanted: Option<&Id<Connection>>,
) -> Result<Registrar<'a>> {
    if action == Action::Renew && wanted.is_none() {
        return Registrar::holding(cx, domain).map(|(registrar, _)| registrar);
    }
    let mut all = Registrar::all(cx, wanted, "/domain")?;
    Ok(all.swap_remove(0))
}

/// The prices, and why a name cannot be ordered beyond what the registrar says.
pub(super) fn prices(registrar: &Registrar<'_>, cx: &Cx, domain: &str, action: Action, years: u64) -> Result<Prices> {
    if action != Action::Renew {
        return registrar.prices(domain, action, years);
    }
    let Some(told) = registrar.find(domain)? else {
        let message = "this registrar's account does not hold the domain; domains.list shows those that it holds";
        return Err(Fault::not_found("domain_not_held", message).at("/domain"));
    };
    let mut prices = registrar.prices(domain, action, years)?;
    // A name is held ten years ahead at most (ICANN, registry agreements).
    let ends = told.expires_at.map(|it| it.plus(years * 365 * 86_400_000));
    if ends.is_some_and(|it| it > cx.now().plus(10 * 365 * 86_400_000)) {
        prices.blocked.push("a name is held ten years ahead at most".to_owned());
        prices.cents = None;
    }
    Ok(prices)
}

/// What is sealed.
pub(super) fn terms(
    registrar: &Registrar<'_>,
    domain: &str,
    action: Action,
    years: u64,
    cents: u64,
    prices: &Prices,
    quarter: u64,
) -> Terms {
    let connection_ref = registrar.connection.reference.clone();
    Terms { connection_ref, domain: domain.to_owned(), action, years, cents, premium: prices.premium, quarter }
}
