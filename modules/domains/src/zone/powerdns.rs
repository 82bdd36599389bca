//! PowerDNS (doc.powerdns.com/authoritative/http-api: zones).

use std::collections::HashMap;

use sdk::prelude::*;
use sdk::{Connection, Send, json};
use serde_json::Value;

use super::plan::{Plan, Record};
use super::{Held, Zone, ask, quoted, unquoted};

/// The TTL of a set that nobody gave one.
const TTL: u32 = 3_600;
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
    set["records"].as_array().into_iter().flatten().filter_map(|it| held(set, it)).collect()
}

/// A record of a set; none where it is switched off.
fn held(set: &Value, record: &Value) -> Option<Held> {
    if record["disabled"] == true {
        return None;
    }
    let (name, kind, content) = (set["name"].as_str()?, set["type"].as_str()?, record["content"].as_str()?);
    let ttl = set["ttl"].as_u64().and_then(|it| u32::try_from(it).ok()).unwrap_or(TTL);
    let (priority, rest) = match (kind, content.split_once(' ')) {
        ("MX" | "SRV", Some((number, rest))) => (number.parse().ok(), rest),
        _ => (None, content),
    };
    let content = match kind {
        "TXT" => unquoted(rest),
        "CNAME" | "MX" | "NS" | "PTR" => rest.trim_end_matches('.').to_owned(),
        _ => rest.to_owned(),
    };
    Some(Held::found(name.trim_end_matches('.'), kind, content, ttl, priority))
}

/// Writes a plan in one request. The server replaces whole sets, so that what stands beside a record goes along as it is,
/// also what is switched off; it is read again right before, and another state than the planned one refuses.
pub(super) fn write(cx: &Cx, zone: &Zone, plan: &Plan) -> Result<()> {
    let path = format!("{ZONES}/{}", zone.id);
    let body = ask(cx, Send::get(&zone.connection.reference, &path))?;
    let named = |it: &Value| {
        let name = it["name"].as_str().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
        (name, it["type"].as_str().unwrap_or_default().to_owned())
    };
    let sets: HashMap<(String, String), &Value> =
        body["rrsets"].as_array().into_iter().flatten().map(|it| (named(it), it)).collect();
    let mut changed = Vec::new();
    for (name, kind) in plan.touched() {
        let of_set = |of: &str, is: &str| of.eq_ignore_ascii_case(&name) && is == kind;
        let now = sets.get(&(name.clone(), kind.clone())).copied();
        let mut gone: Vec<_> = plan.change.iter().map(|it| &it.before).chain(&plan.remove).collect();
        gone.retain(|it| of_set(&it.name, &it.r#type));
        let mut records: Vec<Value> = Vec::new();
        for record in now.into_iter().flat_map(|it| it["records"].as_array().into_iter().flatten()) {
            let key = now.and_then(|it| held(it, record)).map(|it| it.key());
            match gone.iter().position(|it| Some(it.key()) == key) {
                Some(at) => _ = gone.remove(at),
                None => records.push(json!({ "content": record["content"], "disabled": record["disabled"] == true })),
            }
        }
        if !gone.is_empty() {
            let message = format!("somebody changed {name} {kind} meanwhile; read the records and call again");
            return Err(Fault::conflict("changed_meanwhile", message));
        }
        let mut new: Vec<&Record> = plan.change.iter().map(|it| &it.after).chain(&plan.add).collect();
        new.retain(|it| of_set(&it.name, &it.r#type));
        let stood = now.and_then(|it| it["ttl"].as_u64()).and_then(|it| u32::try_from(it).ok());
        let ttl = new.iter().filter_map(|it| it.ttl).next_back().map(super::plan::seconds).or(stood).unwrap_or(TTL);
        records.extend(new.iter().map(|it| json!({ "content": content(it), "disabled": false })));
        let whole = format!("{name}.");
        changed.push(if records.is_empty() {
            json!({ "name": whole, "type": kind, "changetype": "DELETE" })
        } else {
            json!({ "name": whole, "type": kind, "ttl": ttl, "changetype": "REPLACE", "records": records })
        });
    }
    // An alias goes before what takes its place: the server looks at each set against those that stand.
    changed.sort_by_key(|it| it["changetype"] != "DELETE");
    let send = Send::patch(&zone.connection.reference, path).json(&json!({ "rrsets": changed }));
    super::write(cx, send, |said| said["error"].as_str().map(str::to_owned))
}

/// The content as the server takes it: names with their last dot, a text in quotes.
fn content(it: &Record) -> String {
    let whole = |name: &str| if name == "." { name.to_owned() } else { format!("{name}.") };
    match it.r#type.as_str() {
        "TXT" => quoted(&it.content),
        "CNAME" | "NS" | "PTR" => whole(&it.content),
        "MX" => format!("{} {}", it.priority.unwrap_or_default(), whole(&it.content)),
        "SRV" => {
            let (before, target) = it.content.rsplit_once(' ').unwrap_or(("", &it.content));
            format!("{} {before} {}", it.priority.unwrap_or_default(), whole(target))
        }
        "SVCB" | "HTTPS" => {
            let mut parts = it.content.splitn(3, ' ');
            let (priority, target) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let rest = parts.next().map(|it| format!(" {it}")).unwrap_or_default();
            format!("{priority} {}{rest}", whole(target))
        }
        _ => it.content.clone(),
    }
}
