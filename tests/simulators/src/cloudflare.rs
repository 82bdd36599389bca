//! Cloudflare v4: zones, DNS records one by one and in batches, DNSSEC.
//!
//! Source: developers.cloudflare.com/api (zones, dns/records, dns/records/batch, dnssec, user/tokens/verify) and
//! fundamentals/api/reference/limits. Every answer is `{success, errors, messages, result, result_info}`; a batch is
//! done whole or not at all, in the order deletes, patches, puts, posts.

use std::sync::Mutex;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::lock;
use crate::provider::{Desk, Provider, page};
use crate::reply::Reply;
use crate::request::{Auth, Request};
use crate::seed::Seed;
use crate::zone::{self, RECORDS, ZONE};

const TOKEN: &str = "cf-simulated-token-0123456789";
const TYPES: [&str; 21] = [
    "A",
    "AAAA",
    "CAA",
    "CERT",
    "CNAME",
    "DNSKEY",
    "DS",
    "HTTPS",
    "LOC",
    "MX",
    "NAPTR",
    "NS",
    "OPENPGPKEY",
    "PTR",
    "SMIMEA",
    "SRV",
    "SSHFP",
    "SVCB",
    "TLSA",
    "TXT",
    "URI",
];

pub(crate) struct Cloudflare {
    zone: String,
    held: Mutex<Held>,
}

#[derive(Clone)]
struct Held {
    records: Vec<Value>,
    dnssec: &'static str,
    made: u64,
    seed: Seed,
}

type Done = Result<Value, Box<Reply>>;

impl Cloudflare {
    pub(crate) fn new(seed: Seed) -> Self {
        let zone = seed.dice(&["cloudflare", ZONE]).hex(32);
        let mut held = Held { records: Vec::new(), dnssec: "disabled", made: 0, seed };
        for (name, kind, content, priority) in RECORDS {
            let mut given = json!({ "name": zone::full(name), "type": kind, "content": content, "ttl": 1 });
            if let Some(priority) = priority {
                given["priority"] = json!(priority);
            }
            if let ("CAA", [flags, tag, value]) = (kind, content.split(' ').collect::<Vec<_>>().as_slice()) {
                given["data"] = json!({ "flags": flags, "tag": tag, "value": value.trim_matches('"') });
            }
            if held.create(&given).is_err() {
                unreachable!("the seeded records are right");
            }
        }
        Self { zone, held: Mutex::new(held) }
    }
}

fn failed(status: u16, code: u32, message: &str) -> Reply {
    Reply::json(
        status,
        &json!({ "success": false, "errors": [{ "code": code, "message": message }], "messages": [], "result": null }),
    )
}

fn done(result: &Value) -> Reply {
    Reply::ok(&json!({ "success": true, "errors": [], "messages": [], "result": result }))
}

/// One page with `result_info`.
fn listed(all: &[Value], request: &Request, usual: usize, most: usize) -> Reply {
    let (number, size) = (request.number("page").unwrap_or(1).max(1), request.number("per_page").unwrap_or(usual));
    if !(1..=most).contains(&size) {
        return failed(400, 9_041, "per_page is out of range");
    }
    let (slice, pages) = page(all, number, size);
    let info = json!({ "page": number, "per_page": size, "count": slice.len(), "total_count": all.len(), "total_pages": pages });
    Reply::ok(&json!({ "success": true, "errors": [], "messages": [], "result": slice, "result_info": info }))
}

impl Provider for Cloudflare {
    fn credentials(&self) -> Value {
        json!({ "api_token": TOKEN })
    }

    fn auth(&self, request: &Request) -> Auth {
        match (request.header("authorization"), request.bearer()) {
            (Some(_), None) => Auth::Wrong,
            (_, given) => Request::check(given, TOKEN),
        }
    }

    fn answer(&self, request: &Request, desk: &Desk) -> Reply {
        let (method, parts) = request.route();
        let ["client", "v4", rest @ ..] = parts.as_slice() else { return failed(404, 7_000, "No route for that URI") };
        let held = &mut *lock(&self.held);
        match (method, rest) {
            ("GET", ["user", "tokens", "verify"]) => done(&json!({ "id": "5imulated", "status": "active" })),
            ("GET", ["zones"]) => {
                let wanted = request.query("name").is_none_or(|name| name == ZONE);
                listed(&if wanted { vec![self.zone(held)] } else { Vec::new() }, request, 20, 50)
            }
            (_, ["zones", id, ..]) if *id != self.zone => failed(
                404,
                7_003,
                &format!("Could not route to /zones/{id}, perhaps your object identifier is invalid?"),
            ),
            ("GET", ["zones", _]) => done(&self.zone(held)),
            ("GET", ["zones", _, "dnssec"]) => done(&dnssec(held)),
            ("PATCH", ["zones", _, "dnssec"]) => {
                held.dnssec = if request.json()["status"] == "active" { "pending" } else { "disabled" };
                desk.effect("dnssec.set", held.dnssec, request);
                done(&dnssec(held))
            }
            ("GET", ["zones", _, "dns_records"]) => {
                let exact = |field: &str, record: &Value| {
                    [field.to_owned(), format!("{field}.exact")]
                        .iter()
                        .filter_map(|it| request.query(it))
                        .all(|wanted| record[field] == wanted)
                };
                let all: Vec<Value> = held
                    .records
                    .iter()
                    .filter(|it| ["name", "type", "content"].iter().all(|field| exact(field, it)))
                    .cloned()
                    .collect();
                listed(&all, request, 100, 50_000)
            }
            ("GET", ["zones", _, "dns_records", "export"]) => Reply::text(200, "text/plain", &held.export()),
            ("POST", ["zones", _, "dns_records", "batch"]) => batch(held, request, desk),
            ("POST", ["zones", _, "dns_records"]) => {
                let made = held.create(&request.json());
                told(made, "record.created", request, desk)
            }
            ("GET", ["zones", _, "dns_records", id]) => {
                held.find(id).map_or_else(|reply| *reply, |at| done(&held.records[at]))
            }
            ("PUT", ["zones", _, "dns_records", id]) => {
                let changed = held.change(id, &request.json(), true);
                told(changed, "record.updated", request, desk)
            }
            ("PATCH", ["zones", _, "dns_records", id]) => {
                let changed = held.change(id, &request.json(), false);
                told(changed, "record.updated", request, desk)
            }
            ("DELETE", ["zones", _, "dns_records", id]) => match held.find(id) {
                Ok(at) => {
                    held.records.remove(at);
                    desk.effect("record.deleted", id, request);
                    done(&json!({ "id": id }))
                }
                Err(reply) => *reply,
            },
            _ => failed(405, 10_405, "Method not allowed"),
        }
    }

    fn refused(&self, request: &Request) -> Reply {
        match request.header("authorization") {
            None => failed(400, 9_106, "Missing X-Auth-Key, X-Auth-Email or Authorization headers"),
            Some(_) => failed(403, 10_000, "Authentication error"),
        }
    }

    fn rate_limited(&self, _: &Request) -> Reply {
        failed(429, 971, "Please wait and consider throttling your request speed")
            .header("retry-after", 20)
            .header("ratelimit", "\"default\";r=0;t=20")
            .header("ratelimit-policy", "\"default\";q=1200;w=300")
    }

    fn broken(&self, _: &Request) -> Reply {
        failed(500, 10_013, "An unknown error has occurred")
    }
}

/// Kinds that are given in parts, as `data`.
const PARTS: [&str; 6] = ["CAA", "DS", "HTTPS", "SRV", "SVCB", "TLSA"];

/// The content that parts come to.
fn of_parts(kind: &str, data: &Value) -> Option<String> {
    let part = |name: &str| match &data[name] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let all = |names: &[&str]| names.iter().map(|name| part(name)).collect::<Option<Vec<_>>>().map(|it| it.join(" "));
    match kind {
        "CAA" => Some(format!("{} {} \"{}\"", part("flags")?, part("tag")?, part("value")?)),
        "SRV" => all(&["weight", "port", "target"]),
        "DS" => all(&["key_tag", "algorithm", "digest_type", "digest"]),
        "TLSA" => all(&["usage", "selector", "matching_type", "certificate"]),
        "SVCB" | "HTTPS" => {
            Some(format!("{} {} {}", part("priority")?, part("target")?, part("value")?).trim().to_owned())
        }
        _ => None,
    }
}

fn told(made: Done, effect: &str, request: &Request, desk: &Desk) -> Reply {
    match made {
        Ok(record) => {
            desk.effect(effect, record["id"].as_str().unwrap_or_default(), request);
            done(&record)
        }
        Err(reply) => *reply,
    }
}

fn batch(held: &mut Held, request: &Request, desk: &Desk) -> Reply {
    let body = request.json();
    let of = |name: &str| body[name].as_array().cloned().unwrap_or_default();
    if ["deletes", "patches", "puts", "posts"].iter().map(|name| of(name).len()).sum::<usize>() > 200 {
        return failed(400, 9_200, "A batch has at most 200 changes.");
    }
    let mut tried = held.clone();
    let mut result = json!({ "deletes": [], "patches": [], "puts": [], "posts": [] });
    let mut work = || -> Result<(), Box<Reply>> {
        let id = |it: &Value| it["id"].as_str().unwrap_or_default().to_owned();
        for it in of("deletes") {
            let at = tried.find(&id(&it))?;
            push(&mut result["deletes"], tried.records.remove(at));
        }
        for it in of("patches") {
            push(&mut result["patches"], tried.change(&id(&it), &it, false)?);
        }
        for it in of("puts") {
            push(&mut result["puts"], tried.change(&id(&it), &it, true)?);
        }
        for it in of("posts") {
            push(&mut result["posts"], tried.create(&it)?);
        }
        Ok(())
    };
    match work() {
        Ok(()) => {
            *held = tried;
            for (name, effect) in [
                ("deletes", "record.deleted"),
                ("patches", "record.updated"),
                ("puts", "record.updated"),
                ("posts", "record.created"),
            ] {
                for record in result[name].as_array().into_iter().flatten() {
                    desk.effect(effect, record["id"].as_str().unwrap_or_default(), request);
                }
            }
            done(&result)
        }
        Err(reply) => *reply,
    }
}

fn push(list: &mut Value, record: Value) {
    if let Some(list) = list.as_array_mut() {
        list.push(record);
    }
}

fn dnssec(held: &Held) -> Value {
    if held.dnssec == "disabled" {
        return json!({ "status": "disabled" });
    }
    let digest = held.seed.dice(&["cloudflare", "ds"]).hex(64);
    json!({ "status": held.dnssec, "flags": 257, "algorithm": "13", "key_type": "ECDSAP256SHA256", "digest_type": "2", "digest_algorithm": "SHA256", "digest": digest, "key_tag": 2_371,
        "ds": format!("{ZONE}. 3600 IN DS 2371 13 2 {digest}"), "modified_on": Timestamp::now().to_string() })
}

impl Cloudflare {
    fn zone(&self, held: &Held) -> Value {
        json!({ "id": self.zone, "name": ZONE, "status": "active", "paused": false, "type": "full", "name_servers": ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
            "permissions": ["#dns_records:read", "#dns_records:edit", "#zone:read"], "account": { "id": "a1", "name": "Lamp shop" }, "plan": { "name": "Free Website" }, "meta": { "records": held.records.len() } })
    }
}

impl Held {
    fn find(&self, id: &str) -> Result<usize, Box<Reply>> {
        self.records
            .iter()
            .position(|it| it["id"] == id)
            .ok_or_else(|| Box::new(failed(404, 81_044, "Record does not exist.")))
    }

    fn create(&mut self, given: &Value) -> Done {
        self.made += 1;
        let id = self.seed.dice(&["record", &self.made.to_string()]).hex(32);
        let record = self.checked(given, &id)?;
        self.records.push(record.clone());
        Ok(record)
    }

    fn change(&mut self, id: &str, given: &Value, whole: bool) -> Done {
        let at = self.find(id)?;
        let mut merged = if whole { json!({}) } else { self.records[at].clone() };
        if let (Some(merged), Some(given)) = (merged.as_object_mut(), given.as_object()) {
            merged.extend(given.clone());
        }
        let record = self.checked(&merged, id)?;
        self.records[at] = record.clone();
        Ok(record)
    }

    /// The record as it would be kept, or why it is refused.
    fn checked(&self, given: &Value, id: &str) -> Done {
        let validation = |code: u32, message: String| {
            let chain = json!([{ "code": code, "message": message }]);
            Err(Box::new(Reply::json(
                400,
                &json!({ "success": false, "errors": [{ "code": 1_004, "message": "DNS Validation Error", "error_chain": chain }], "messages": [], "result": null }),
            )))
        };
        let text = |name: &str| given[name].as_str().unwrap_or_default().trim().to_owned();
        let kind = text("type").to_uppercase();
        let content = match of_parts(&kind, &given["data"]) {
            Some(content) => content,
            // A text is kept in its quotes, whether it came with them or not.
            None if kind == "TXT" && !text("content").is_empty() && !text("content").starts_with('"') => {
                format!("\"{}\"", text("content"))
            }
            None => text("content"),
        };
        if given["data"].is_null() && PARTS.contains(&kind.as_str()) {
            return validation(9_101, format!("data is a required field for {kind} records"));
        }
        let name = match text("name").trim_end_matches('.') {
            "@" | "" => ZONE.to_owned(),
            name if name == ZONE || name.ends_with(&format!(".{ZONE}")) => name.to_lowercase(),
            name => format!("{}.{ZONE}", name.to_lowercase()),
        };
        if !TYPES.contains(&kind.as_str()) {
            return validation(9_004, "Invalid DNS record type".to_owned());
        }
        if content.is_empty() {
            return validation(9_207, "Request body is invalid: content is required".to_owned());
        }
        if let Some(problem) = zone::wrong(&kind, &content) {
            return validation(9_005, format!("Content for {kind} record {problem}"));
        }
        let ttl = given["ttl"].as_u64().unwrap_or(1);
        if ttl != 1 && !(60..=86_400).contains(&ttl) {
            return validation(
                9_021,
                "Invalid TTL. Must be between 60 and 86400 seconds, or 1 for Automatic.".to_owned(),
            );
        }
        if kind == "MX" && given["priority"].as_u64().is_none() {
            return validation(9_010, "priority is a required data field.".to_owned());
        }
        let others = || self.records.iter().filter(|it| it["id"] != id && it["name"] == *name);
        if others().any(|it| it["type"] == *kind && it["content"] == *content && it["priority"] == given["priority"]) {
            return Err(Box::new(failed(400, 81_058, "An identical record already exists.")));
        }
        let address = |kind: &str| ["A", "AAAA", "CNAME"].contains(&kind);
        if address(&kind)
            && others().any(|it| {
                (kind == "CNAME" || it["type"] == "CNAME") && address(it["type"].as_str().unwrap_or_default())
            })
        {
            return Err(Box::new(failed(400, 81_053, "An A, AAAA, or CNAME record with that host already exists.")));
        }
        let now = Timestamp::now().to_string();
        let mut record = json!({ "id": id, "name": name, "type": kind, "content": content, "ttl": ttl, "proxied": given["proxied"] == true, "proxiable": address(&kind), "settings": {}, "meta": {},
            "comment": given["comment"], "tags": given["tags"].as_array().cloned().unwrap_or_default(), "created_on": given["created_on"].as_str().unwrap_or(&now), "modified_on": now });
        if PARTS.contains(&kind.as_str()) {
            record["data"] = given["data"].clone();
        }
        let priority = if kind == "SRV" { &given["data"]["priority"] } else { &given["priority"] };
        if !priority.is_null() {
            record["priority"] = priority.clone();
        }
        Ok(record)
    }

    /// The zone as a BIND file.
    fn export(&self) -> String {
        let line = |it: &Value| {
            let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
            let content = match (text("type").as_str(), it["priority"].as_u64()) {
                ("MX", Some(priority)) => format!("{priority} {}.", text("content")),
                ("CNAME" | "NS", _) => format!("{}.", text("content")),
                _ => text("content"),
            };
            format!("{}.\t{}\tIN\t{}\t{content}\n", text("name"), it["ttl"], text("type"))
        };
        format!(";; Domain: {ZONE}.\n$ORIGIN {ZONE}.\n{}", self.records.iter().map(line).collect::<String>())
    }
}
