//! The operation `domains.dns.record.list`.

use sdk::Connection;
use sdk::prelude::*;

use crate::name::given;
use crate::zone::{Held, Zone};

#[args(paged)]
pub(crate) struct List {
    /// A domain whose zone a connected DNS provider holds; of a name below it the zone is found.
    domain: Text<3, 253>,
    /// A kind of record, such as `TXT`.
    r#type: Option<Text<1, 10>>,
}

/// Records of a zone.
#[page]
pub(crate) struct Listed {
    records: Vec<Held>,
    /// The zone that holds them.
    zone: String,
    /// The connection that was asked.
    connection_ref: Id<Connection>,
}

/// Lists the records of a zone at the connected DNS provider (Cloudflare, PowerDNS), with their ids, TTLs and priorities.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 12),
    needs = ["store", "connection:dns_provider"],
    outside = [
        "cloudflare GET /client/v4/zones",
        "cloudflare GET /client/v4/zones/*/dns_records",
        "powerdns GET /api/v1/servers/localhost/zones",
        "powerdns GET /api/v1/servers/localhost/zones/*",
    ],
    phrasings = [
        "list the dns records of my zone",
        "which txt records does cloudflare have for my domain",
        "show the records at my dns provider",
        "what is in my zone",
    ],
    examples = [{ "domain": "shop.example" }, { "domain": "shop.example", "type": "TXT", "limit": 50 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Listed> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let kind = args.r#type.as_ref().map(|it| it.as_str().trim().to_ascii_uppercase());
    if kind.as_ref().is_some_and(|it| !it.bytes().all(|it| it.is_ascii_alphanumeric())) {
        return Err(Fault::invalid("/type", "invalid_type", "this is no kind of record, such as A, MX or TXT"));
    }
    let zone = Zone::of(cx, &domain)?;
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(usize::MAX);
    let window = zone.records(cx, kind.as_deref(), limit, args.cursor.as_ref())?;
    Ok(Listed {
        records: window.records,
        next_cursor: window.next,
        zone: zone.name,
        connection_ref: Id::new(zone.connection.reference),
    })
}
