//! PowerDNS (doc.powerdns.com/authoritative/http-api: zones).

use sdk::prelude::*;
use sdk::{Connection, Send};
use serde_json::Value;

use super::{Held, Zone, ask, unquoted};

const ZONES: &str = "/api/v1/servers/localhost/zones";

/// The id of a zone: its name with the last dot.
pub(super) fn id(cx: &Cx, connection: &Connection, name: &str) -> Result<Option<String>> {
    let whole = format!("{name}.");
    let body = ask(cx, Send::get(&connection.reference, ZONES).query("zone", &whole))?;
    let has = body.as_array().into_iter().flatten().any(|it| it["name"] == whole.as_str());
    Ok(has.then_some(whole))
}

/// Records from the `from`th on, by name, kind and content, and whether there are more: the server gives all at once.
pub(super) fn records(
    cx: &Cx,
    zone: &Zone,
    kind: Option<&str>,
    limit: usize,
    from: usize,
) -> Result<(Vec<Held>, bool)> {
    let body = ask(cx, Send::get(&zone.connection.reference, format!("{ZONES}/{}", zone.id)))?;
    let mut all: Vec<Held> = body["rrsets"].as_array().into_iter().flatten().flat_map(set).collect();
    all.retain(|it| kind.is_none_or(|kind| it.r#type == kind));
    all.sort_by(|a, b| (&a.name, &a.r#type, &a.content).cmp(&(&b.name, &b.r#type, &b.content)));
    let more = all.len() > from + limit;
    Ok((all.into_iter().skip(from).take(limit).collect(), more))
}

/// The records of a set that are switched on.
fn set(set: &Value) -> Vec<Held> {
    let (Some(name), Some(kind)) = (set["name"].as_str(), set["type"].as_str()) else { return Vec::new() };
    let name = name.trim_end_matches('.').to_owned();
    let ttl = set["ttl"].as_u64().and_then(|it| u32::try_from(it).ok()).unwrap_or(3_600);
    let records = set["records"].as_array().into_iter().flatten().filter(|it| it["disabled"] != true);
    let contents = records.filter_map(|it| it["content"].as_str());
    contents
        .map(|content| {
            let (priority, rest) = match (kind, content.split_once(' ')) {
                ("MX" | "SRV", Some((number, rest))) => (number.parse().ok(), rest),
                _ => (None, content),
            };
            let content = if kind == "TXT" { unquoted(rest) } else { rest.to_owned() };
            let content = if matches!(kind, "CNAME" | "MX" | "NS" | "PTR") {
                content.trim_end_matches('.').to_owned()
            } else {
                content
            };
            Held::found(&name, kind, content, ttl, priority)
        })
        .collect()
}
