//! Zones that a DNS provider of the customer holds.

pub(crate) mod apply;
mod cloudflare;
pub(crate) mod conflicts;
pub(crate) mod content;
pub(crate) mod master;
pub(crate) mod plan;
mod powerdns;
pub(crate) mod wanted;

use sdk::prelude::*;
use sdk::{Connection, ConnectionState, Need, Send, Sent, json};
use serde_json::Value;

use crate::name::registrable;

/// What a provider of names is needed for.
const NEED: Need = Need::key("cloudflare", &["Zone Read", "DNS Edit"]);
/// Bytes of an answer that are read.
const BYTES: u32 = 8 << 20;
/// Records of a zone that is read whole.
const MOST: usize = 20_000;

/// The marker of references to records.
pub(crate) enum RecordOf {}

/// A record as a provider holds it.
#[value]
pub(crate) struct Held {
    /// How the provider, or this service, tells it from others.
    pub(crate) record_id: Id<RecordOf>,
    /// The whole name, without the last dot.
    pub(crate) name: String,
    #[own]
    pub(crate) r#type: String,
    /// As in a zone file, without the priority; a text without its quotes, its parts joined.
    pub(crate) content: String,
    /// Seconds; 1 where the provider chooses.
    pub(crate) ttl: u32,
    /// Of MX and SRV.
    pub(crate) priority: Option<u16>,
    /// Whether the provider stands before it; null where there is no such thing.
    pub(crate) proxied: Option<bool>,
}

/// A zone with the connection that holds it.
pub(crate) struct Zone {
    pub(crate) connection: Connection,
    /// As the provider calls it.
    id: String,
    /// Without the last dot.
    pub(crate) name: String,
}

/// Some records, and where the next ones begin.
pub(crate) struct Window {
    pub(crate) records: Vec<Held>,
    pub(crate) next: Option<Cursor>,
}

impl Zone {
    /// The zone of a domain at one of the customer's providers.
    ///
    /// # Errors
    /// 422 `connection_required` without a provider, 404 `zone_not_found` when none of them has it.
    pub(crate) fn of(cx: &Cx, domain: &str) -> Result<Self> {
        Self::find(cx, domain)?.ok_or_else(|| {
            let message =
                "none of the connected DNS providers holds this zone; connections.property.list shows what each holds";
            Fault::not_found("zone_not_found", message).at("/domain")
        })
    }

    /// The same; none where no provider has it.
    ///
    /// # Errors
    /// 422 `connection_required` without a provider; what a provider refuses, when none of the others has it.
    pub(crate) fn find(cx: &Cx, domain: &str) -> Result<Option<Self>> {
        let mut all = cx.connections().of("dns_provider");
        if all.is_empty() {
            return Err(NEED.missing("/domain", "records are read at your DNS provider: cloudflare or powerdns"));
        }
        all.sort_by_key(|it| u8::from(it.state == ConnectionState::Expired));
        let (registrable, _) = registrable(domain, "/domain")?;
        let mut refused = None;
        for connection in all {
            // A zone may be cut off below the registrable domain.
            let mut name = domain;
            loop {
                match id(cx, &connection, name) {
                    Ok(Some(id)) => return Ok(Some(Self { connection, id, name: name.to_owned() })),
                    Ok(None) => {}
                    Err(fault) => {
                        refused.get_or_insert(fault);
                        break;
                    }
                }
                match name.split_once('.') {
                    Some((_, above)) if name != registrable => name = above,
                    _ => break,
                }
            }
        }
        refused.map_or(Ok(None), Err)
    }

    /// All records.
    ///
    /// # Errors
    /// What the provider refuses; 409 `zone_too_large` beyond 20,000 records.
    pub(crate) fn all(&self, cx: &Cx) -> Result<Vec<Held>> {
        let (records, more) = match self.connection.kind.as_str() {
            "cloudflare" => cloudflare::all(cx, self, MOST)?,
            _ => powerdns::records(cx, self, None, MOST, 0)?,
        };
        if more {
            let message = format!("the zone has more than {MOST} records; change it at the provider");
            return Err(Fault::conflict("zone_too_large", message).at("/domain"));
        }
        Ok(records)
    }

    /// Writes a plan at the provider: whole or not at all.
    ///
    /// # Errors
    /// 422 `record_refused` with the provider's words; 409 `changed_meanwhile`; what else the provider refuses.
    pub(crate) fn write(&self, cx: &Cx, plan: &plan::Plan) -> Result<()> {
        match self.connection.kind.as_str() {
            "cloudflare" => cloudflare::write(cx, self, plan),
            _ => powerdns::write(cx, self, plan),
        }
    }

    /// Records that the provider takes in one request: Cloudflare 200 on its smallest plan; PowerDNS sends the zone before each.
    pub(crate) fn together(&self) -> usize {
        if self.is_cloudflare() { 200 } else { 1_000 }
    }

    /// As the provider calls it.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Whether the provider can stand before a record, and serve an alias at the name of the zone.
    pub(crate) fn is_cloudflare(&self) -> bool {
        self.connection.kind == "cloudflare"
    }

    /// Records of a kind, or all, at most `limit`.
    ///
    /// # Errors
    /// What the provider refuses; 422 at `/cursor`.
    pub(crate) fn records(&self, cx: &Cx, kind: Option<&str>, limit: usize, cursor: Option<&Cursor>) -> Result<Window> {
        let from = cursor.map_or(Ok(0), sdk::position)?;
        let (records, more) = match self.connection.kind.as_str() {
            "cloudflare" => cloudflare::records(cx, self, kind, limit, from)?,
            _ => powerdns::records(cx, self, kind, limit, from)?,
        };
        Ok(Window { records, next: more.then(|| Cursor::new((from + limit).to_string())) })
    }
}

fn id(cx: &Cx, connection: &Connection, name: &str) -> Result<Option<String>> {
    match connection.kind.as_str() {
        "cloudflare" => cloudflare::id(cx, connection, name),
        _ => powerdns::id(cx, connection, name),
    }
}

/// Asks a provider; its answer as JSON.
fn ask(cx: &Cx, send: Send) -> Result<Value> {
    let sent: Sent = cx.connections().send(&send.max_bytes(BYTES))?.accepted()?;
    sent.json::<Value>().map_err(Fault::from)
}

/// Sends a change; what the provider says against the records is the caller's to know.
fn write(cx: &Cx, send: Send, words: fn(&Value) -> Option<String>) -> Result<()> {
    let sent = cx.connections().send(&send.max_bytes(BYTES))?;
    if matches!(sent.status, 400 | 409 | 422) {
        let said = sent.json::<Value>().ok().as_ref().and_then(words).unwrap_or_default();
        let said: String = said.chars().filter(|c| !c.is_control()).take(300).collect();
        let message = format!("the DNS provider refuses these records: {said}");
        let fault = Fault::invalid("/records", "record_refused", message.trim_end_matches([':', ' ']));
        return Err(fault.detail(json!({ "provider_code": sent.status })));
    }
    sent.accepted().map(|_| ())
}

/// A text as providers write it, `"a" "b"`, without its quotes.
pub(crate) fn unquoted(text: &str) -> String {
    if !text.starts_with('"') {
        return text.to_owned();
    }
    let (mut out, mut inside, mut letters) = (String::new(), false, text.chars());
    while let Some(c) = letters.next() {
        match c {
            '"' => inside = !inside,
            // A character by its number (RFC 1035, 5.1), or one that stands for itself.
            '\\' if inside => {
                let digits: String = letters.clone().take(3).collect();
                match digits.parse::<u8>().ok().filter(|_| digits.len() == 3) {
                    Some(byte) => {
                        out.push(char::from(byte));
                        letters.nth(2);
                    }
                    None => out.extend(letters.next()),
                }
            }
            c if inside => out.push(c),
            _ => {}
        }
    }
    out
}

/// A text as a zone file has it: in parts of at most 255 bytes.
pub(crate) fn quoted(text: &str) -> String {
    let mut parts: Vec<String> = vec![String::new()];
    for c in text.chars() {
        if parts.last().is_some_and(|it| it.len() + c.len_utf8() > 255) {
            parts.push(String::new());
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    let escaped = |part: &String| format!("\"{}\"", part.replace('\\', "\\\\").replace('"', "\\\""));
    parts.iter().map(escaped).collect::<Vec<_>>().join(" ")
}

/// How this service tells a record from others where the provider does not.
fn own_id(name: &str, kind: &str, content: &str) -> Id<RecordOf> {
    let sum = kit::text::sha256(json!([name, kind, content]).to_string().as_bytes());
    Id::new(kit::text::hex(&sum[..16]))
}

impl Held {
    /// A record that a public server told of.
    pub(crate) fn found(name: &str, kind: &str, content: String, ttl: u32, priority: Option<u16>) -> Self {
        let record_id = own_id(name, kind, &content);
        Self { record_id, name: name.to_owned(), r#type: kind.to_owned(), content, ttl, priority, proxied: None }
    }
}
