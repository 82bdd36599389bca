//! The operation `domains.dns.zone.export`.

use std::fmt::Write as _;

use sdk::prelude::*;
use sdk::{Degraded, Question, json};

use crate::name::given;
use crate::zone::{Held, Zone, quoted};

/// Records of one export.
const MOST: usize = 5_000;
/// Names that are asked for where no provider is connected, with the kinds that they usually have.
const USUAL: [(&str, &[&str]); 38] = [
    ("", &["SOA", "NS", "A", "AAAA", "MX", "TXT", "CAA"]),
    ("www", &["CNAME", "A", "AAAA"]),
    ("mail", &["CNAME", "A", "AAAA"]),
    ("smtp", &["CNAME", "A"]),
    ("imap", &["CNAME", "A"]),
    ("pop", &["CNAME", "A"]),
    ("webmail", &["CNAME", "A"]),
    ("autodiscover", &["CNAME", "A"]),
    ("autoconfig", &["CNAME", "A"]),
    ("ftp", &["CNAME", "A"]),
    ("blog", &["CNAME", "A"]),
    ("shop", &["CNAME", "A"]),
    ("api", &["CNAME", "A"]),
    ("app", &["CNAME", "A"]),
    ("cdn", &["CNAME", "A"]),
    ("static", &["CNAME", "A"]),
    ("m", &["CNAME", "A"]),
    ("dev", &["CNAME", "A"]),
    ("staging", &["CNAME", "A"]),
    ("vpn", &["CNAME", "A"]),
    ("ns1", &["A", "AAAA"]),
    ("ns2", &["A", "AAAA"]),
    ("_dmarc", &["TXT", "CNAME"]),
    ("_mta-sts", &["TXT", "CNAME"]),
    ("mta-sts", &["CNAME", "A"]),
    ("_smtp._tls", &["TXT"]),
    ("default._bimi", &["TXT"]),
    ("default._domainkey", &["TXT", "CNAME"]),
    ("google._domainkey", &["TXT", "CNAME"]),
    ("selector1._domainkey", &["TXT", "CNAME"]),
    ("selector2._domainkey", &["TXT", "CNAME"]),
    ("s1._domainkey", &["TXT", "CNAME"]),
    ("s2._domainkey", &["TXT", "CNAME"]),
    ("k1._domainkey", &["TXT", "CNAME"]),
    ("k2._domainkey", &["TXT", "CNAME"]),
    ("mail._domainkey", &["TXT", "CNAME"]),
    ("_autodiscover._tcp", &["SRV"]),
    ("_sip._tls", &["SRV"]),
];

/// How a zone is written.
#[value]
pub(crate) enum Format {
    /// A master file (RFC 1035, 5).
    Bind,
    /// A list of records.
    Json,
}

#[args]
pub(crate) struct Export {
    /// A domain.
    domain: Text<3, 253>,
    #[default("bind")]
    format: Format,
}

/// A zone as text.
#[value]
pub(crate) struct Exported {
    /// The zone as it was found.
    zone: String,
    zone_text: String,
    /// Records in it.
    records: u64,
    /// Whether these are all records: only a provider knows all names of a zone.
    complete: bool,
    degraded: Vec<Degraded>,
}

/// Exports a zone as a BIND file or JSON from the DNS connection, or from public lookups of usual names when none is connected.
///
/// No zone transfer is tried.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 90),
    needs = ["store", "dns", "connection:dns_provider?"],
    outside = [
        "cloudflare GET /client/v4/zones",
        "cloudflare GET /client/v4/zones/*/dns_records",
        "powerdns GET /api/v1/servers/localhost/zones",
        "powerdns GET /api/v1/servers/localhost/zones/*",
    ],
    phrasings = [
        "export my dns zone as a bind file",
        "back up the dns records of my domain",
        "give me the zone file",
        "save all dns records before the move",
    ],
    examples = [{ "domain": "shop.example" }, { "domain": "shop.example", "format": "json" }]
)]
pub(crate) fn export(cx: &Cx, args: Export) -> Result<Exported> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let mut degraded = Vec::new();
    let connected = !cx.connections().of("dns_provider").is_empty();
    let zone = if connected { Zone::find(cx, &domain)? } else { None };
    let (name, records, complete) = match zone {
        Some(zone) => {
            let (records, whole) = all(cx, &zone)?;
            if !whole {
                degraded.push(Degraded::new("zone_text", format!("the first {MOST} records are written")));
            }
            (zone.name, records, whole)
        }
        None => {
            let why = if connected {
                "no connected DNS provider holds this zone"
            } else {
                "no DNS provider is connected (cloudflare or powerdns, with connections.add)"
            };
            let why = format!(
                "{why}: these are the answers to {} usual names; a zone has others that cannot be listed",
                USUAL.len()
            );
            degraded.push(Degraded::new("zone_text", why));
            (domain.clone(), looked_up(cx, &domain), false)
        }
    };
    let zone_text = match args.format {
        Format::Bind => bind(&name, &records),
        Format::Json => json!(records).to_string(),
    };
    Ok(Exported { zone: name, zone_text, records: records.len() as u64, complete, degraded })
}

/// All records that a provider holds, and whether that is all of them.
fn all(cx: &Cx, zone: &Zone) -> Result<(Vec<Held>, bool)> {
    let (mut records, mut cursor) = (Vec::new(), None);
    loop {
        let window = zone.records(cx, None, 1_000, cursor.as_ref())?;
        records.extend(window.records);
        match window.next {
            None => return Ok((records, true)),
            Some(_) if records.len() >= MOST => return Ok((records, false)),
            next => cursor = next,
        }
    }
}

/// What public servers say of usual names.
fn looked_up(cx: &Cx, domain: &str) -> Vec<Held> {
    let mut asked: Vec<(String, &str)> = Vec::new();
    for (name, kinds) in USUAL {
        let name = if name.is_empty() { domain.to_owned() } else { format!("{name}.{domain}") };
        asked.extend(kinds.iter().map(|kind| (name.clone(), *kind)));
    }
    let answers = cx.dns().lookup_many(asked.iter().map(|(name, kind)| Question::new(name, kind)));
    let mut out: Vec<Held> = Vec::new();
    for ((name, kind), answer) in asked.into_iter().zip(answers) {
        let entries = answer.map(|it| it.entries).unwrap_or_default();
        for it in
            entries.iter().filter(|it| it.kind == kind && it.name.trim_end_matches('.').eq_ignore_ascii_case(&name))
        {
            let text =
                it.joined().map(|it| String::from_utf8_lossy(&it).into_owned()).unwrap_or_else(|| it.text.clone());
            let (priority, content) = match (kind, text.split_once(' ')) {
                ("MX" | "SRV", Some((number, rest))) => (number.parse().ok(), rest.to_owned()),
                _ => (None, text),
            };
            let content =
                if matches!(kind, "CNAME" | "MX" | "NS") { content.trim_end_matches('.').to_owned() } else { content };
            out.push(Held::found(&name, kind, content, it.ttl, priority));
        }
    }
    out
}

/// A master file: whole names, a line each; where the provider chooses the TTL it is 300.
fn bind(zone: &str, records: &[Held]) -> String {
    let mut out = format!("$ORIGIN {zone}.\n$TTL 3600\n");
    let mut sorted: Vec<&Held> = records.iter().collect();
    // The start of authority comes first (RFC 1035, 5.2).
    sorted.sort_by_key(|it| (it.r#type != "SOA", it.name != zone, it.name.clone(), it.r#type.clone()));
    for it in sorted {
        let ttl = if it.ttl <= 1 { 300 } else { it.ttl };
        let content = match it.r#type.as_str() {
            "TXT" => quoted(&it.content),
            "CNAME" | "NS" | "PTR" | "MX" => format!("{}.", it.content.trim_end_matches('.')),
            "SRV" => {
                let (before, target) = it.content.rsplit_once(' ').unwrap_or(("", &it.content));
                format!("{before} {}.", target.trim_end_matches('.'))
            }
            _ => it.content.clone(),
        };
        let priority = it.priority.map(|it| format!("{it} ")).unwrap_or_default();
        _ = writeln!(out, "{}. {ttl} IN {} {priority}{content}", it.name, it.r#type);
    }
    out
}
