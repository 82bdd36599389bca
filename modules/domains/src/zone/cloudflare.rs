//! Cloudflare (developers.cloudflare.com/api: zones, dns/records).

use sdk::prelude::*;
use sdk::{Connection, Send, json};
use serde_json::Value;

use super::plan::{Plan, Record};
use super::{Held, Zone, ask, unquoted};

/// Records of one page of theirs.
const PAGE: usize = 100;
/// The same where all are read.
const WHOLE: usize = 5_000;

/// The number of a zone.
pub(super) fn id(cx: &Cx, connection: &Connection, name: &str) -> Result<Option<String>> {
    let zones = Send::get(&connection.reference, "/client/v4/zones").query("name", name).query("per_page", 5);
    let body = ask(cx, zones)?;
    let zone = body["result"].as_array().into_iter().flatten().find(|it| it["name"] == name);
    Ok(zone
        .and_then(|it| it["id"].as_str())
        .filter(|it| it.bytes().all(|it| it.is_ascii_alphanumeric()))
        .map(str::to_owned))
}

/// Records from the `from`th on, and whether there are more.
pub(super) fn records(
    cx: &Cx,
    zone: &Zone,
    kind: Option<&str>,
    limit: usize,
    from: usize,
) -> Result<(Vec<Held>, bool)> {
    let path = format!("/client/v4/zones/{}/dns_records", zone.id);
    let mut all: Vec<Held> = Vec::new();
    let (mut page, mut skip) = (from / PAGE, from % PAGE);
    loop {
        let mut send = Send::get(&zone.connection.reference, &path).query("per_page", PAGE).query("page", page + 1);
        if let Some(kind) = kind {
            send = send.query("type", kind);
        }
        let body = ask(cx, send)?;
        all.extend(body["result"].as_array().into_iter().flatten().skip(skip).filter_map(held));
        let total = body["result_info"]["total_count"].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
        if all.len() >= limit || (page + 1) * PAGE >= total {
            let more = all.len() > limit || from + limit < total;
            all.truncate(limit);
            return Ok((all, more));
        }
        (page, skip) = (page + 1, 0);
    }
}

/// All records, at most so many, and whether there are more.
pub(super) fn all(cx: &Cx, zone: &Zone, most: usize) -> Result<(Vec<Held>, bool)> {
    let path = format!("/client/v4/zones/{}/dns_records", zone.id);
    let mut all: Vec<Held> = Vec::new();
    for page in 1.. {
        let send = Send::get(&zone.connection.reference, &path).query("per_page", WHOLE).query("page", page);
        let body = ask(cx, send)?;
        let rows = body["result"].as_array().map(Vec::as_slice).unwrap_or_default();
        all.extend(rows.iter().filter_map(held));
        let total = body["result_info"]["total_count"].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0);
        if rows.is_empty() || page * WHOLE >= total {
            return Ok((all, false));
        }
        if all.len() >= most {
            break;
        }
    }
    Ok((all, true))
}

/// Writes a plan in one batch: changes, then additions; removals only where there are any.
pub(super) fn write(cx: &Cx, zone: &Zone, plan: &Plan) -> Result<()> {
    let mut body = json!({});
    let change = plan.change.iter().map(|it| {
        let mut fields = fields(&it.after);
        fields["id"] = json!(it.before.record_id);
        fields
    });
    for (name, rows) in [
        ("patches", change.collect::<Vec<_>>()),
        ("posts", plan.add.iter().map(fields).collect()),
        ("deletes", plan.remove.iter().map(|it| json!({ "id": it.record_id })).collect()),
    ] {
        if !rows.is_empty() {
            body[name] = json!(rows);
        }
    }
    let path = format!("/client/v4/zones/{}/dns_records/batch", zone.id);
    super::write(cx, Send::post(&zone.connection.reference, path).json(&body), |said| {
        let error = &said["errors"][0];
        let chain = error["error_chain"][0]["message"].as_str();
        chain.or_else(|| error["message"].as_str()).map(str::to_owned)
    })
}

/// A record as they take it: kinds of several parts by their parts.
fn fields(it: &Record) -> Value {
    let mut out = json!({ "name": it.name, "type": it.r#type });
    match data(it) {
        Some(data) => out["data"] = data,
        None if it.r#type == "TXT" => out["content"] = json!(super::quoted(&it.content)),
        None => out["content"] = json!(it.content),
    }
    if it.r#type == "MX" {
        out["priority"] = json!(it.priority);
    }
    if let Some(ttl) = it.ttl {
        out["ttl"] = json!(ttl);
    }
    if let Some(proxied) = it.proxied {
        out["proxied"] = json!(proxied);
    }
    out
}

fn data(it: &Record) -> Option<Value> {
    let parts: Vec<&str> = it.content.split(' ').collect();
    let number = |at: usize| parts.get(at).and_then(|it| it.parse::<u32>().ok());
    let text = |at: usize| parts.get(at).copied();
    Some(match it.r#type.as_str() {
        "CAA" => {
            let value = it.content.splitn(3, ' ').nth(2)?.trim_matches('"');
            json!({ "flags": number(0)?, "tag": text(1)?, "value": value })
        }
        "SRV" => json!({ "priority": it.priority?, "weight": number(0)?, "port": number(1)?, "target": text(2)? }),
        "DS" => {
            json!({ "key_tag": number(0)?, "algorithm": number(1)?, "digest_type": number(2)?, "digest": text(3)? })
        }
        "TLSA" => {
            json!({ "usage": number(0)?, "selector": number(1)?, "matching_type": number(2)?, "certificate": text(3)? })
        }
        "SVCB" | "HTTPS" => {
            let value = it.content.splitn(3, ' ').nth(2).unwrap_or_default();
            json!({ "priority": number(0)?, "target": text(1)?, "value": value })
        }
        _ => return None,
    })
}

fn held(record: &Value) -> Option<Held> {
    let text = |name: &str| record[name].as_str().map(str::to_owned);
    let (kind, content) = (text("type")?, text("content")?);
    Some(Held {
        record_id: Id::new(text("id")?),
        name: text("name")?.trim_end_matches('.').to_owned(),
        content: if kind == "TXT" { unquoted(&content) } else { content },
        ttl: record["ttl"].as_u64().and_then(|it| u32::try_from(it).ok()).unwrap_or(1),
        priority: record["priority"].as_u64().and_then(|it| u16::try_from(it).ok()),
        proxied: record["proxied"].as_bool(),
        r#type: kind,
    })
}
