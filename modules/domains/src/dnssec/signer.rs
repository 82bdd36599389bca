//! Signing at a DNS provider.

use sdk::prelude::*;
use sdk::{Send, json};
use serde_json::Value;

use crate::nameserver::chain::of_text;
use crate::registrar::DsRecord;
use crate::zone::Zone;

/// How a zone is signed at its provider.
pub(super) struct Signed {
    pub(super) is_on: bool,
    /// Its keys for the parent, by SHA-256.
    pub(super) keys: Vec<DsRecord>,
}

/// How the provider signs the zone now.
pub(super) fn look(cx: &Cx, zone: &Zone) -> Result<Signed> {
    let reference = &zone.connection.reference;
    if zone.is_cloudflare() {
        let body = read(cx, Send::get(reference, format!("/client/v4/zones/{}/dnssec", zone.id())))?;
        let it = &body["result"];
        // While it is switched off it still signs, until the parent has no key.
        let is_on = it["status"].as_str().is_some_and(|it| matches!(it, "active" | "pending"));
        let key = it["ds"].as_str().and_then(|it| of_text(it.split_once(" DS ")?.1));
        return Ok(Signed { is_on, keys: key.into_iter().filter(|_| is_on).collect() });
    }
    let keys = keys(cx, zone)?;
    let active = || keys.iter().filter(|it| it["active"] == true);
    let ds = active().flat_map(|it| it["ds"].as_array().into_iter().flatten().filter_map(|it| of_text(it.as_str()?)));
    Ok(Signed { is_on: active().next().is_some(), keys: ds.filter(|it| it.digest_type == 2).collect() })
}

/// Begins to sign.
pub(super) fn sign(cx: &Cx, zone: &Zone) -> Result<()> {
    let reference = &zone.connection.reference;
    if zone.is_cloudflare() {
        let path = format!("/client/v4/zones/{}/dnssec", zone.id());
        return change(cx, Send::patch(reference, path).json(&json!({ "status": "active" })));
    }
    let path = format!("/api/v1/servers/localhost/zones/{}/cryptokeys", zone.id());
    // A key of before is used again.
    if let Some(id) = keys(cx, zone)?.iter().find_map(|it| it["id"].as_u64()) {
        return change(cx, Send::put(reference, format!("{path}/{id}")).json(&json!({ "active": true })));
    }
    let key = json!({ "keytype": "csk", "active": true, "algorithm": "ecdsa256" });
    change(cx, Send::post(reference, path).json(&key))
}

/// Stops signing. The caller has proven that the parent has no key.
pub(super) fn unsign(cx: &Cx, zone: &Zone) -> Result<()> {
    let reference = &zone.connection.reference;
    if zone.is_cloudflare() {
        let path = format!("/client/v4/zones/{}/dnssec", zone.id());
        return change(cx, Send::patch(reference, path).json(&json!({ "status": "disabled" })));
    }
    for id in keys(cx, zone)?.iter().filter(|it| it["active"] == true).filter_map(|it| it["id"].as_u64()) {
        let path = format!("/api/v1/servers/localhost/zones/{}/cryptokeys/{id}", zone.id());
        change(cx, Send::put(reference, path).json(&json!({ "active": false })))?;
    }
    Ok(())
}

fn keys(cx: &Cx, zone: &Zone) -> Result<Vec<Value>> {
    let path = format!("/api/v1/servers/localhost/zones/{}/cryptokeys", zone.id());
    let body = read(cx, Send::get(&zone.connection.reference, path))?;
    Ok(body.as_array().cloned().unwrap_or_default())
}

fn read(cx: &Cx, send: Send) -> Result<Value> {
    cx.connections().send(&send)?.accepted()?.json::<Value>().map_err(Fault::from)
}

fn change(cx: &Cx, send: Send) -> Result<()> {
    cx.connections().send(&send)?.accepted().map(|_| ())
}
