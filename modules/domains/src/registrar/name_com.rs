//! Name.com, Core API v1 (docs.name.com: Domains, DNSSECs, Transfers).

use sdk::prelude::*;
use sdk::{Send, json};
use serde_json::Value;

use super::{Action, DsRecord, Order, PAGE, Prices, Registrar, Told, cents, name, words};
use crate::rdap::moment;

const DOMAINS: &str = "/core/v1/domains";

fn told(it: &Value) -> Option<Told> {
    Some(Told {
        domain: name(&it["domainName"])?,
        expires_at: it["expireDate"].as_str().and_then(moment),
        auto_renew: it["autorenewEnabled"].as_bool(),
        locked: it["locked"].as_bool(),
        privacy: it["privacyEnabled"].as_bool(),
        nameservers: it["nameservers"].as_array().into_iter().flatten().filter_map(name).collect(),
    })
}

fn reference<'a>(at: &'a Registrar<'_>) -> &'a str {
    &at.connection.reference
}

pub(super) fn page(at: &Registrar<'_>, page: usize) -> Result<(Vec<Told>, bool)> {
    let send = Send::get(reference(at), DOMAINS).query("perPage", PAGE).query("page", page + 1);
    let body = at.ask(send)?.unwrap_or_default();
    let more = body["nextPage"].as_u64().is_some_and(|next| next > page as u64 + 1);
    Ok((body["domains"].as_array().into_iter().flatten().filter_map(told).collect(), more))
}

pub(super) fn find(at: &Registrar<'_>, domain: &str) -> Result<Option<Told>> {
    let body = at.ask(Send::get(reference(at), format!("/core/v1/domains/{domain}")))?;
    Ok(body.as_ref().and_then(told).filter(|it| it.domain == domain))
}

/// Sends a change; what the registrar says against it is 409.
fn change(at: &Registrar<'_>, send: Send) -> Result<Value> {
    let sent = at.cx.connections().send(&send)?;
    if matches!(sent.status, 400 | 402 | 409 | 422) {
        let body = sent.json::<Value>().unwrap_or_default();
        let said = body["details"].as_str().filter(|it| !it.is_empty()).or_else(|| body["message"].as_str());
        let message = format!("the registrar refuses this: {}", words(said));
        return Err(Fault::conflict("registrar_refused", message).detail(json!({ "provider_code": sent.status })));
    }
    sent.accepted()?.json::<Value>().map_err(Fault::from)
}

pub(super) fn set_nameservers(at: &Registrar<'_>, domain: &str, servers: &[String]) -> Result<()> {
    let path = format!("/core/v1/domains/{domain}:setNameservers");
    change(at, Send::post(reference(at), path).json(&json!({ "nameservers": servers }))).map(|_| ())
}

pub(super) fn set(
    at: &Registrar<'_>,
    domain: &str,
    auto_renew: Option<bool>,
    locked: Option<bool>,
    privacy: Option<bool>,
) -> Result<()> {
    let mut body = json!({});
    for (member, value) in [("autorenewEnabled", auto_renew), ("locked", locked), ("privacyEnabled", privacy)] {
        if let Some(value) = value {
            body[member] = json!(value);
        }
    }
    let path = format!("/core/v1/domains/{domain}");
    change(at, Send::patch(reference(at), path).json(&body)).map(|_| ())
}

pub(super) fn prices(at: &Registrar<'_>, domain: &str, action: Action, years: u64) -> Result<Prices> {
    let mut prices = Prices { cents: None, renewal: None, premium: false, estimated: false, blocked: Vec::new() };
    if action == Action::Register {
        let asked = json!({ "domainNames": [domain] });
        let path = "/core/v1/domains:checkAvailability";
        let body = at.ask(Send::post(reference(at), path).json(&asked))?.unwrap_or_default();
        let it = &body["results"][0];
        prices.renewal = cents(&it["renewalPrice"]);
        prices.premium = it["premium"].as_bool().unwrap_or(false);
        if it["purchasable"] != true {
            prices.blocked.push(words(it["reason"].as_str().or(Some("it is not for sale"))));
            return Ok(prices);
        }
        // What somebody else sells is no registration.
        if it["purchaseType"].as_str().is_some_and(|it| it != "registration") {
            prices.blocked.push("its holder sells it on the aftermarket; this orders registrations alone".to_owned());
            return Ok(prices);
        }
        let first = cents(&it["purchasePrice"]);
        prices.estimated = years > 1;
        prices.cents = first.and_then(|first| Some(first + (years - 1) * if years > 1 { prices.renewal? } else { 0 }));
        return Ok(prices);
    }
    let path = format!("/core/v1/domains/{domain}:getPricing");
    let Some(body) = at.ask(Send::get(reference(at), path).query("years", years))? else {
        prices.blocked.push("the registrar does not know the name".to_owned());
        return Ok(prices);
    };
    prices.premium = body["premium"].as_bool().unwrap_or(false);
    prices.renewal = cents(&body["renewalPrice"]);
    prices.cents = match action {
        // The price is of one year; an order names it for all.
        Action::Renew => prices.renewal.map(|it| it * years),
        _ => cents(&body["transferPrice"]),
    };
    prices.estimated = action == Action::Renew && years > 1;
    Ok(prices)
}

pub(super) fn order(
    at: &Registrar<'_>,
    domain: &str,
    action: Action,
    years: u64,
    price: u64,
    code: Option<&str>,
) -> Result<Order> {
    // Dollars with cents: the registrar charges this price or refuses.
    #[expect(clippy::cast_precision_loss, reason = "prices are far below 2^52 cents")]
    let amount = price as f64 / 100.0;
    let (path, body) = match action {
        Action::Register => {
            (DOMAINS.to_owned(), json!({ "domain": { "domainName": domain }, "years": years, "purchasePrice": amount }))
        }
        Action::Renew => {
            (format!("/core/v1/domains/{domain}:renew"), json!({ "years": years, "purchasePrice": amount }))
        }
        Action::Transfer => (
            "/core/v1/transfers".to_owned(),
            json!({ "domainName": domain, "authCode": code, "purchasePrice": amount }),
        ),
    };
    let body = change(at, Send::post(reference(at), path).json(&body))?;
    Ok(Order { number: body["order"].as_u64().map(|it| it.to_string()), paid: cents(&body["totalPaid"]) })
}

pub(super) fn transfer(at: &Registrar<'_>, domain: &str) -> Result<Option<String>> {
    let body = at.ask(Send::get(reference(at), format!("/core/v1/transfers/{domain}")))?;
    Ok(body.and_then(|it| it["status"].as_str().map(str::to_owned)))
}

pub(super) fn keys(at: &Registrar<'_>, domain: &str) -> Result<Vec<DsRecord>> {
    let body = at.ask(Send::get(reference(at), format!("/core/v1/domains/{domain}/dnssec")))?;
    let one = |it: &Value| {
        let number = |name: &str| it[name].as_u64();
        Some(DsRecord {
            key_tag: u16::try_from(number("keyTag")?).ok()?,
            algorithm: u8::try_from(number("algorithm")?).ok()?,
            digest_type: u8::try_from(number("digestType")?).ok()?,
            digest: it["digest"].as_str()?.to_ascii_lowercase(),
        })
    };
    Ok(body.unwrap_or_default()["dnssec"].as_array().into_iter().flatten().filter_map(one).collect())
}

pub(super) fn add_key(at: &Registrar<'_>, domain: &str, key: &DsRecord) -> Result<()> {
    let body = json!({ "keyTag": key.key_tag, "algorithm": key.algorithm, "digestType": key.digest_type, "digest": key.digest });
    let path = format!("/core/v1/domains/{domain}/dnssec");
    change(at, Send::post(reference(at), path).json(&body)).map(|_| ())
}

pub(super) fn remove_key(at: &Registrar<'_>, domain: &str, key: &DsRecord) -> Result<()> {
    let path = format!("/core/v1/domains/{domain}/dnssec/{}", key.digest);
    let sent = at.cx.connections().send(&Send::delete(reference(at), path))?;
    if sent.status == 404 { Ok(()) } else { sent.accepted().map(|_| ()) }
}
