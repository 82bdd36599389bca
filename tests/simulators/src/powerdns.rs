//! PowerDNS: the Authoritative Server's HTTP API.
//!
//! Source: doc.powerdns.com/authoritative/http-api (zones, rrsets by PATCH, cryptokeys) and its openapi document. Names
//! end with a dot, a PATCH is done whole or not at all, refusals are `{"error": "…"}` with 422, and a wrong key is the
//! plain text `Unauthorized`. There is no rate limit in the server itself; a proxy in front answers 429 in plain text.

use std::collections::BTreeMap;
use std::sync::Mutex;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::lock;
use crate::provider::{Desk, Provider};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;
use crate::zone::{self, RECORDS, ZONE};

const KEY: &str = "pdns-simulated-key";

pub(crate) struct PowerDns(Mutex<BTreeMap<String, Zone>>);

/// Record sets by name and type, and keys by number.
#[derive(Clone, Default)]
struct Zone {
    sets: BTreeMap<(String, String), Value>,
    keys: BTreeMap<u64, Value>,
    serial: u64,
}

fn error(status: u16, message: &str) -> Reply {
    Reply::json(status, &json!({ "error": message }))
}

fn missing() -> Reply {
    Reply::text(404, "text/plain; charset=utf-8", "Not Found")
}

impl PowerDns {
    pub(crate) fn new() -> Self {
        let mut zone = Zone { serial: 2_026_110_101, ..Zone::default() };
        let set = |zone: &mut Zone, name: String, kind: &str, content: String| {
            let set = zone
                .sets
                .entry((name.clone(), kind.to_owned()))
                .or_insert_with(|| json!({ "name": name, "type": kind, "ttl": 3_600, "records": [], "comments": [] }));
            if let Some(records) = set["records"].as_array_mut() {
                records.push(json!({ "content": content, "disabled": false }));
            }
        };
        for (name, kind, content, priority) in RECORDS {
            let content = match (kind, priority) {
                ("TXT", _) => format!("\"{content}\""),
                ("CNAME", _) => format!("{content}."),
                (_, Some(priority)) => format!("{priority} {content}."),
                _ => content.to_owned(),
            };
            set(&mut zone, format!("{}.", zone::full(name)), kind, content);
        }
        for server in ["ns1.dns.example.", "ns2.dns.example."] {
            set(&mut zone, format!("{ZONE}."), "NS", server.to_owned());
        }
        set(
            &mut zone,
            format!("{ZONE}."),
            "SOA",
            format!("ns1.dns.example. hostmaster.{ZONE}. 2026110101 10800 3600 604800 3600"),
        );
        Self(Mutex::new(BTreeMap::from([(format!("{ZONE}."), zone)])))
    }
}

impl Provider for PowerDns {
    fn credentials(&self) -> Value {
        json!({ "api_key": KEY })
    }

    fn auth(&self, request: &Request) -> Auth {
        Request::check(request.header("x-api-key"), KEY)
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let zones = &mut *lock(&self.0);
        let (method, parts) = request.route();
        let ["api", "v1", "servers", rest @ ..] = parts.as_slice() else { return missing() };
        let server = json!({ "type": "Server", "id": "localhost", "daemon_type": "authoritative", "version": "4.9.7", "url": "/api/v1/servers/localhost", "zones_url": "/api/v1/servers/localhost/zones{/zone}" });
        match (method, rest) {
            ("GET", []) => Reply::ok(&json!([server])),
            ("GET", ["localhost"]) => Reply::ok(&server),
            ("GET", ["localhost", "zones"]) => {
                let wanted = request.query("zone");
                Reply::ok(
                    &zones
                        .iter()
                        .filter(|(name, _)| wanted.is_none_or(|it| it == *name))
                        .map(|(name, zone)| about(name, zone))
                        .collect(),
                )
            }
            ("POST", ["localhost", "zones"]) => create(zones, request, desk),
            (method, ["localhost", "zones", id, below @ ..]) => {
                let name = if id.ends_with('.') { (*id).to_owned() } else { format!("{id}.") };
                let Some(zone) = zones.get_mut(&name) else {
                    return missing();
                };
                match (method, below) {
                    ("GET", []) => {
                        let mut shown = about(&name, zone);
                        let fits = |set: &&Value| {
                            request.query("rrset_name").is_none_or(|it| set["name"] == it)
                                && request.query("rrset_type").is_none_or(|it| set["type"] == it)
                        };
                        if request.query("rrsets") != Some("false") {
                            shown["rrsets"] = zone.sets.values().filter(fits).cloned().collect();
                        }
                        Reply::ok(&shown)
                    }
                    ("PATCH", []) => patch(zone, &name, request, desk),
                    ("PUT", []) => {
                        desk.effect("zone.updated", &name, request);
                        Reply::empty(204)
                    }
                    ("DELETE", []) => {
                        zones.remove(&name);
                        desk.effect("zone.deleted", &name, request);
                        Reply::empty(204)
                    }
                    ("GET", ["export"]) => Reply::text(200, "text/plain", &export(zone)),
                    ("PUT", ["rectify" | "notify"]) => Reply::ok(&json!({ "result": "Rectified" })),
                    (_, ["cryptokeys", ..]) => cryptokeys(zone, &name, request, desk, &below[1..]),
                    _ => error(405, "Method Not Allowed"),
                }
            }
            _ => missing(),
        }
    }

    fn refused(&self, _: &Request) -> Reply {
        Reply::text(401, "text/plain; charset=utf-8", "Unauthorized")
            .header("www-authenticate", "X-API-Key realm=\"PowerDNS\"")
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        Reply::text(429, "text/plain", "Too Many Requests").header("retry-after", 5)
    }

    fn broken(&self, _: &Request) -> Reply {
        error(500, "Internal Server Error")
    }
}

fn about(name: &str, zone: &Zone) -> Value {
    json!({ "id": name, "name": name, "kind": "Native", "type": "Zone", "url": format!("/api/v1/servers/localhost/zones/{name}"), "serial": zone.serial, "notified_serial": 0, "edited_serial": zone.serial,
        "dnssec": zone.keys.values().any(|key| key["active"] == true), "api_rectify": true, "account": "", "masters": [], "nsec3param": "", "last_check": 0 })
}

fn create(zones: &mut BTreeMap<String, Zone>, request: &Request, desk: &Desk) -> Reply {
    let given = request.json();
    let name = given["name"].as_str().unwrap_or_default().to_owned();
    if !name.ends_with('.') {
        return error(422, &format!("DNS Name '{name}' is not canonical"));
    }
    if zones.contains_key(&name) {
        return error(409, "Conflict");
    }
    let mut zone = Zone { serial: 2_026_110_101, ..Zone::default() };
    for set in given["rrsets"].as_array().into_iter().flatten() {
        if let Err(message) = apply(&mut zone, &name, set, "REPLACE") {
            return error(422, &message);
        }
    }
    desk.effect("zone.created", &name, request);
    let mut shown = about(&name, &zone);
    shown["rrsets"] = zone.sets.values().cloned().collect();
    zones.insert(name, zone);
    Reply::json(201, &shown)
}

fn patch(zone: &mut Zone, name: &str, request: &Request, desk: &Desk) -> Reply {
    let given = request.json();
    let Some(sets) = given["rrsets"].as_array().filter(|all| !all.is_empty()) else {
        return error(422, "No rrsets given in update request");
    };
    let mut tried = zone.clone();
    for set in sets {
        if let Err(message) = apply(&mut tried, name, set, set["changetype"].as_str().unwrap_or_default()) {
            return error(422, &message);
        }
    }
    tried.serial += 1;
    *zone = tried;
    for set in sets {
        let subject =
            format!("{} {}", set["name"].as_str().unwrap_or_default(), set["type"].as_str().unwrap_or_default());
        desk.effect(if set["changetype"] == "DELETE" { "rrset.deleted" } else { "rrset.replaced" }, subject, request);
    }
    Reply::empty(204)
}

fn apply(zone: &mut Zone, zone_name: &str, set: &Value, change: &str) -> Result<(), String> {
    let (name, kind) =
        (set["name"].as_str().unwrap_or_default().to_lowercase(), set["type"].as_str().unwrap_or_default().to_owned());
    let label = format!("RRset {name} IN {kind}");
    if !name.ends_with('.') {
        return Err(format!("DNS Name '{name}' is not canonical"));
    }
    if name != zone_name && !name.ends_with(&format!(".{zone_name}")) {
        return Err(format!("{label}: Name is out of zone"));
    }
    if kind.is_empty() || !kind.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()) {
        return Err(format!("{label}: unknown type given"));
    }
    let key = (name.clone(), kind.clone());
    match change {
        "DELETE" => {
            zone.sets.remove(&key);
            return Ok(());
        }
        "REPLACE" => {}
        other => return Err(format!("Changetype '{other}' is not a valid value")),
    }
    let Some(ttl) = set["ttl"].as_u64() else { return Err("Key 'ttl' not an Integer or not present".to_owned()) };
    let records = set["records"].as_array().cloned().unwrap_or_default();
    for record in &records {
        let content = record["content"].as_str().unwrap_or_default();
        let host = matches!(kind.as_str(), "CNAME" | "NS" | "MX" | "PTR");
        let quoted = kind != "TXT" || content.starts_with('"') && content.ends_with('"') && content.len() > 1;
        if content.is_empty() || zone::wrong(&kind, content).is_some() || host && !content.ends_with('.') || !quoted {
            return Err(format!("Record {name}/{kind} '{content}': Not in expected format (parsed as '{content}.')"));
        }
    }
    let conflict =
        zone.sets.keys().any(|(other, of)| *other == name && *of != kind && (*of == "CNAME" || kind == "CNAME"));
    if conflict || kind == "CNAME" && records.len() > 1 {
        return Err(format!("{label}: Conflicts with pre-existing RRset"));
    }
    if records.is_empty() {
        zone.sets.remove(&key);
        return Ok(());
    }
    let kept: Vec<Value> =
        records.iter().map(|it| json!({ "content": it["content"], "disabled": it["disabled"] == true })).collect();
    // Comments that a change does not name stay.
    let comments = set["comments"].as_array().cloned().map(Value::from);
    let comments = comments.or_else(|| Some(zone.sets.get(&key)?["comments"].clone())).unwrap_or_else(|| json!([]));
    zone.sets.insert(key, json!({ "name": name, "type": kind, "ttl": ttl, "records": kept, "comments": comments }));
    Ok(())
}

fn export(zone: &Zone) -> String {
    let mut text = String::new();
    for set in zone.sets.values() {
        for record in set["records"].as_array().into_iter().flatten() {
            text += &format!(
                "{}\t{}\tIN\t{}\t{}\n",
                set["name"].as_str().unwrap_or_default(),
                set["ttl"],
                set["type"].as_str().unwrap_or_default(),
                record["content"].as_str().unwrap_or_default()
            );
        }
    }
    text
}

fn cryptokeys(zone: &mut Zone, name: &str, request: &Request, desk: &Desk, rest: &[&str]) -> Reply {
    let given = request.json();
    match (request.method.as_str(), rest) {
        ("GET", []) => Reply::ok(&zone.keys.values().cloned().collect()),
        ("POST", []) => {
            let id = zone.keys.keys().max().map_or(1, |last| last + 1);
            let kind = given["keytype"].as_str().unwrap_or("csk");
            if !["ksk", "zsk", "csk"].contains(&kind) {
                return error(422, &format!("Invalid keytype {kind}"));
            }
            let key = made(desk.seed, name, id, kind, given["active"] != false);
            zone.keys.insert(id, key.clone());
            desk.effect("key.created", id, request);
            Reply::json(201, &key)
        }
        (method, [id]) => {
            let Some(number) = id.parse().ok().filter(|id| zone.keys.contains_key(id)) else {
                return missing();
            };
            match method {
                "GET" => Reply::ok(&zone.keys[&number]),
                "PUT" => {
                    zone.keys.entry(number).and_modify(|key| key["active"] = json!(given["active"] == true));
                    desk.effect("key.updated", id, request);
                    Reply::empty(204)
                }
                "DELETE" => {
                    zone.keys.remove(&number);
                    desk.effect("key.deleted", id, request);
                    Reply::empty(204)
                }
                _ => error(405, "Method Not Allowed"),
            }
        }
        _ => missing(),
    }
}

/// A key with its DNSKEY and DS. The public key is no point of a curve, but tag and digest are computed as a resolver
/// would (RFC 4034 appendix B, RFC 4509).
fn made(seed: Seed, zone: &str, id: u64, kind: &str, active: bool) -> Value {
    let mut dice = seed.dice(&["cryptokey", zone, &id.to_string()]);
    let public: Vec<u8> = (0..64).map(|_| dice.below(256) as u8).collect();
    let flags: u16 = if kind == "zsk" { 256 } else { 257 };
    let mut rdata = flags.to_be_bytes().to_vec();
    rdata.extend([3, 13]);
    rdata.extend(&public);
    let sum: u32 = rdata
        .iter()
        .enumerate()
        .map(|(at, byte)| if at % 2 == 0 { u32::from(*byte) << 8 } else { u32::from(*byte) })
        .sum();
    let tag = (sum + (sum >> 16)) & 0xffff;
    let mut owner = Vec::new();
    for label in zone.trim_end_matches('.').split('.') {
        owner.push(u8::try_from(label.len()).unwrap_or(63));
        owner.extend(label.to_lowercase().bytes());
    }
    owner.push(0);
    let digest: String = Sha256::new()
        .chain_update(&owner)
        .chain_update(&rdata)
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    json!({ "type": "Cryptokey", "id": id, "keytype": kind, "active": active, "published": true, "algorithm": "ECDSAP256SHA256", "bits": 256, "flags": flags,
        "dnskey": format!("{flags} 3 13 {}", BASE64_STANDARD.encode(&public)), "ds": [format!("{tag} 13 2 {digest}")] })
}
