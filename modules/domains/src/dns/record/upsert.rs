//! The operation `domains.dns.record.upsert`.

use sdk::prelude::*;
use sdk::{Connection, Degraded, Next, json};

use crate::change::undo;
use crate::name::given;
use crate::zone::apply::{Applied, ChangeSet, Verified, carry_out};
use crate::zone::plan::upserts;
use crate::zone::wanted::{Wanted, records};
use crate::zone::{Zone, conflicts};

#[args]
pub(crate) struct Upsert {
    /// A domain whose zone a connected DNS provider holds; of a name below it the zone is found.
    domain: Text<3, 253>,
    /// Records that are to stand in the zone.
    records: List<Wanted, 1, 100>,
    /// These are all records of their name and kind: those that stand there become these.
    #[default(false)]
    replace: bool,
}

/// What was written.
#[value]
pub(crate) struct Upserted {
    zone: String,
    connection_ref: Id<Connection>,
    /// What `domains.dns.zone.import` takes this back by; null when nothing had to be written.
    change_ref: Option<Id<ChangeSet>>,
    applied: Vec<Applied>,
    /// Records of the call that stood there already.
    unchanged: u64,
    /// What the zone's own servers say of the names that changed.
    verified: Vec<Verified>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Creates or changes records of a zone as one change set, after checking syntax, aliases beside others, SPF's questions and texts that may stand only once.
///
/// A record of the same name, kind and content is changed; an alias, SPF, DMARC and the like take the place of the one that
/// stands there; else the record is added and others stay. Where somebody changed the zone meanwhile it is 409.
#[operation(
    write,
    scope = "domains:manage",
    cost = live(most = 40),
    side_effects = ["changes DNS records of your domain"],
    needs = ["store", "dns", "connection:dns_provider"],
    outside = [
        "cloudflare GET /client/v4/zones",
        "cloudflare GET /client/v4/zones/*/dns_records",
        "cloudflare POST /client/v4/zones/*/dns_records/batch change",
        "powerdns GET /api/v1/servers/localhost/zones",
        "powerdns GET /api/v1/servers/localhost/zones/*",
        "powerdns PATCH /api/v1/servers/localhost/zones/* change",
    ],
    phrasings = [
        "add a dns record",
        "change the a record of my website",
        "publish this spf record",
        "point a subdomain to another server",
        "set the mx records of my domain",
    ],
    examples = [
        { "domain": "shop.example", "records": [{ "name": "www", "type": "A", "content": "192.0.2.10", "ttl": 300 }] },
        { "domain": "shop.example", "records": [{ "name": "_dmarc", "type": "TXT", "content": "v=DMARC1; p=none" }] },
    ]
)]
pub(crate) fn upsert(cx: &Cx, args: Upsert) -> Result<Upserted> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let zone = Zone::of(cx, &domain)?;
    let wanted = records(&zone, &args.records)?;
    let held = zone.all(cx)?;
    let (plan, left) = upserts(&held, &wanted, args.replace);
    if !left.is_empty() {
        let message = format!(
            "{} more records of these names stand there, and this operation removes none; delete them with domains.dns.record.delete",
            left.len()
        );
        let ids: Vec<_> = left.iter().map(|it| &it.record_id).collect();
        return Err(Fault::conflict("records_left", message)
            .at("/replace")
            .detail(json!({ "records": left.iter().take(50).collect::<Vec<_>>(), "record_ids": ids })));
    }
    let mut degraded = Vec::new();
    conflicts::check(cx, &zone, &held, &plan, "/records", &mut degraded)?;
    let unchanged = (wanted.len() - plan.len()) as u64;
    let outcomes = carry_out(cx, &zone, "domains.dns.record.upsert", plan, None, "/records")?;
    degraded.extend(outcomes.degraded);
    let next = outcomes.change_ref.as_ref().map(|it| undo(&zone.name, it)).into_iter().collect();
    Ok(Upserted {
        connection_ref: Id::new(zone.connection.reference),
        zone: zone.name,
        change_ref: outcomes.change_ref,
        applied: outcomes.applied,
        unchanged,
        verified: outcomes.verified,
        degraded,
        next,
    })
}
