//! Porkbun, API v3 (porkbun.com/api/json/v3/documentation). It sells one year at a time, and sets neither lock nor privacy.

use sdk::prelude::*;
use sdk::{Send, json};
use serde_json::Value;

use super::{Action, DsRecord, Order, PAGE, PAGES, Prices, Registrar, Told, cents, name, words};
use crate::rdap::moment;

/// Asks or changes: everything is a POST, and what it says against it is 400 with its words.
fn ask(at: &Registrar<'_>, path: &str, body: &Value) -> Result<Value> {
    let path = format!("/api/json/v3{path}");
    let sent =
        at.cx.connections().send(&Send::post(&at.connection.reference, path).json(body).max_bytes(super::BYTES))?;
    if sent.status == 503 {
        return Err(Fault::from(sdk::SendFailure::RateLimited(Some(10))));
    }
    if matches!(sent.status, 400 | 409) {
        let body = sent.json::<Value>().unwrap_or_default();
        if body["message"].as_str().is_some_and(|it| it.starts_with("Invalid API key")) {
            return Err(Fault::from(sdk::SendFailure::ExpiredCredential));
        }
        let message = format!("the registrar refuses this: {}", words(body["message"].as_str()));
        return Err(Fault::conflict("registrar_refused", message).detail(json!({ "provider_code": sent.status })));
    }
    let body = sent.accepted()?.json::<Value>()?;
    if body["status"] != "SUCCESS" {
        return Err(Fault::from(sdk::SendFailure::Malformed));
    }
    Ok(body)
}

/// Flags are 1, "1", true or "yes".
fn flag(it: &Value) -> Option<bool> {
    match it {
        Value::Bool(it) => Some(*it),
        Value::Number(it) => it.as_u64().map(|it| it == 1),
        Value::String(it) => Some(it == "1" || it == "yes"),
        _ => None,
    }
}

fn told(it: &Value) -> Option<Told> {
    Some(Told {
        domain: name(&it["domain"])?,
        expires_at: it["expireDate"].as_str().and_then(|it| moment(&format!("{}Z", it.replace(' ', "T")))),
        auto_renew: flag(&it["autoRenew"]),
        locked: flag(&it["securityLock"]),
        privacy: flag(&it["whoisPrivacy"]),
        nameservers: Vec::new(),
    })
}

pub(super) fn page(at: &Registrar<'_>, page: usize) -> Result<(Vec<Told>, bool)> {
    let body = ask(at, "/domain/listAll", &json!({ "start": (page * PAGE).to_string() }))?;
    let all = body["domains"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok((all.iter().filter_map(told).collect(), all.len() >= PAGE))
}

pub(super) fn find(at: &Registrar<'_>, domain: &str) -> Result<Option<Told>> {
    for number in 0..PAGES {
        let (rows, more) = page(at, number)?;
        if let Some(mut found) = rows.into_iter().find(|it| it.domain == domain) {
            let servers = ask(at, &format!("/domain/getNs/{domain}"), &json!({}))?;
            found.nameservers = servers["ns"].as_array().into_iter().flatten().filter_map(name).collect();
            return Ok(Some(found));
        }
        if !more {
            break;
        }
    }
    Ok(None)
}

pub(super) fn set_nameservers(at: &Registrar<'_>, domain: &str, servers: &[String]) -> Result<()> {
    ask(at, &format!("/domain/updateNs/{domain}"), &json!({ "ns": servers })).map(|_| ())
}

pub(super) fn set(
    at: &Registrar<'_>,
    domain: &str,
    auto_renew: Option<bool>,
    locked: Option<bool>,
    privacy: Option<bool>,
) -> Result<Vec<&'static str>> {
    if let Some(on) = auto_renew {
        let status = if on { "on" } else { "off" };
        ask(at, &format!("/domain/updateAutoRenew/{domain}"), &json!({ "status": status }))?;
    }
    let others = [("locked", locked), ("privacy", privacy)];
    Ok(others.into_iter().filter(|(_, it)| it.is_some()).map(|(name, _)| name).collect())
}

pub(super) fn prices(at: &Registrar<'_>, domain: &str, action: Action, years: u64) -> Result<Prices> {
    let mut prices = Prices { cents: None, renewal: None, premium: false, estimated: false, blocked: Vec::new() };
    if years > 1 {
        prices.blocked.push("Porkbun sells one year at a time over its interface".to_owned());
        return Ok(prices);
    }
    if action == Action::Renew {
        // What is held is not checked for sale: its price is that of its suffix.
        let all = ask(at, "/pricing/get", &json!({}))?;
        let suffix = domain.split_once('.').map_or("", |(_, suffix)| suffix);
        prices.renewal = cents(&all["pricing"][suffix]["renewal"]);
        prices.cents = prices.renewal;
        if prices.cents.is_none() {
            prices.blocked.push(format!("the registrar names no price for .{suffix}"));
        }
        return Ok(prices);
    }
    let body = ask(at, &format!("/domain/checkDomain/{domain}"), &json!({}))?;
    let it = &body["response"];
    prices.premium = flag(&it["premium"]).unwrap_or(false);
    prices.renewal = cents(&it["additional"]["renewal"]["price"]);
    let free = flag(&it["avail"]).unwrap_or(false);
    match action {
        Action::Register if !free => prices.blocked.push("it is not free".to_owned()),
        Action::Register if prices.premium => {
            prices.blocked.push("premium names are ordered on the registrar's website alone".to_owned());
        }
        Action::Register => prices.cents = cents(&it["price"]),
        _ if free => prices.blocked.push("nobody holds it: there is nothing to transfer".to_owned()),
        _ => prices.cents = cents(&it["additional"]["transfer"]["price"]),
    }
    Ok(prices)
}

pub(super) fn order(at: &Registrar<'_>, domain: &str, action: Action, price: u64, code: Option<&str>) -> Result<Order> {
    let (verb, body) = match action {
        Action::Register => ("create", json!({ "cost": price, "agreeToTerms": "yes" })),
        Action::Renew => ("renew", json!({ "cost": price })),
        Action::Transfer => ("transfer", json!({ "cost": price, "authCode": code })),
    };
    let body = ask(at, &format!("/domain/{verb}/{domain}"), &body)?;
    let number = ["orderId", "transferId"].into_iter().find_map(|it| body[it].as_u64()).map(|it| it.to_string());
    Ok(Order { number, paid: body["cost"].as_u64() })
}

pub(super) fn transfer(at: &Registrar<'_>, domain: &str) -> Result<Option<String>> {
    match ask(at, &format!("/domain/getTransfer/{domain}"), &json!({})) {
        Ok(body) => {
            Ok(body["transfer"]["status"].as_str().or_else(|| body["transferStatus"].as_str()).map(str::to_owned))
        }
        Err(fault) if fault.code == "registrar_refused" => Ok(None),
        Err(fault) => Err(fault),
    }
}

pub(super) fn keys(at: &Registrar<'_>, domain: &str) -> Result<Vec<DsRecord>> {
    let body = ask(at, &format!("/dns/getDnssecRecords/{domain}"), &json!({}))?;
    let one = |it: &Value| {
        let text = |name: &str| it[name].as_str();
        Some(DsRecord {
            key_tag: text("keyTag")?.parse().ok()?,
            algorithm: text("alg")?.parse().ok()?,
            digest_type: text("digestType")?.parse().ok()?,
            digest: text("digest")?.to_ascii_lowercase(),
        })
    };
    Ok(body["records"].as_object().into_iter().flatten().filter_map(|(_, it)| one(it)).collect())
}

pub(super) fn add_key(at: &Registrar<'_>, domain: &str, key: &DsRecord) -> Result<()> {
    let body = json!({
        "keyTag": key.key_tag.to_string(),
        "alg": key.algorithm.to_string(),
        "digestType": key.digest_type.to_string(),
        "digest": key.digest,
    });
    ask(at, &format!("/dns/createDnssecRecord/{domain}"), &body).map(|_| ())
}

pub(super) fn remove_key(at: &Registrar<'_>, domain: &str, key: &DsRecord) -> Result<()> {
    ask(at, &format!("/dns/deleteDnssecRecord/{domain}/{}", key.key_tag), &json!({})).map(|_| ())
}
