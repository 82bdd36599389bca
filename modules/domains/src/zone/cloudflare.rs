//! Cloudflare (developers.cloudflare.com/api: zones, dns/records).

use sdk::prelude::*;
use sdk::{Connection, Send};
use serde_json::Value;

use super::{Held, Zone, ask, unquoted};

/// Records of one page of theirs.
const PAGE: usize = 100;

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
