//! The operation `domains.dnssec.set`.

mod advance;
mod signer;

use sdk::prelude::*;
use sdk::{Cadence, Connection, Degraded, Every, Next, Planned, json};

use crate::change;
use crate::name::given;
use crate::registrar::DsRecord;
use crate::zone::Zone;
use advance::Advanced;

#[args]
pub(crate) struct Set {
    /// A domain whose zone a connected DNS provider holds.
    domain: Text<3, 253>,
    /// Whether the zone is to be signed.
    enabled: bool,
}

/// How far the way to on or off is.
#[value]
pub(crate) enum State {
    /// The provider was told to sign.
    Signing,
    /// All servers of the zone have to show the key, and answers without signatures have to be forgotten.
    WaitingKeys,
    /// The key was handed to the registrar.
    DsPublished,
    /// The parent does not show the key everywhere yet; without a connected registrar, hand `ds_record` in yourself.
    WaitingParent,
    /// It is signed, and resolvers that check find it right.
    On,
    /// The key was taken away from the registrar; without a connected one, take it away yourself.
    DsRemoved,
    /// Resolvers have to forget the key.
    WaitingTtl,
    /// It is not signed.
    Off,
}

/// The way of a zone to on or off.
#[record(collection = "signing", thing = "signing", index(zone))]
pub(crate) struct Signing {
    pub(crate) zone: String,
    pub(crate) enabled: bool,
    pub(crate) state: State,
    /// When it was first seen signed at the provider.
    pub(crate) signed_ms: Option<u64>,
    /// When the parent was first seen without a key.
    pub(crate) gone_ms: Option<u64>,
    /// Seconds that resolvers keep the parent's key, as the parent says; none where it was never seen with one.
    pub(crate) ds_ttl: Option<u32>,
}

/// Where it stands.
#[value]
pub(crate) struct Told {
    zone: String,
    connection_ref: Id<Connection>,
    state: State,
    /// The key for the parent; null where the zone has none yet.
    ds_record: Option<DsRecord>,
    /// When it goes on by itself; null where nothing is left to do. Each time is a call of this operation at its price.
    next_step_at: Option<Moment>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Turns DNSSEC on or off in the order in which nobody loses the domain, and goes on by itself until it is done.
///
/// On: sign, wait until all servers show the key and old answers are forgotten, hand the key to the registrar, wait for the
/// parent. Off: take the key away, wait until resolvers have forgotten it, stop signing. The zone is never left unsigned while
/// the parent has a key. Without a connected registrar `ds_record` says what to hand in or take away there.
#[operation(
    write,
    scope = "domains:manage",
    cost = live(most = 40),
    side_effects = ["signs your zone, or stops signing it", "hands the key to your registrar, or takes it away"],
    needs = ["store", "dns", "jobs", "connection:dns_provider", "connection:registrar?"],
    outside = [
        "cloudflare GET /client/v4/zones",
        "cloudflare GET /client/v4/zones/*/dnssec",
        "cloudflare GET /client/v4/zones/*/dns_records",
        "cloudflare PATCH /client/v4/zones/*/dnssec change",
        "powerdns GET /api/v1/servers/localhost/zones",
        "powerdns GET /api/v1/servers/localhost/zones/*",
        "powerdns GET /api/v1/servers/localhost/zones/*/cryptokeys",
        "powerdns POST /api/v1/servers/localhost/zones/*/cryptokeys change",
        "powerdns PUT /api/v1/servers/localhost/zones/*/cryptokeys/* change",
        "name_com GET /core/v1/domains/*",
        "name_com GET /core/v1/domains/*/dnssec",
        "name_com POST /core/v1/domains/*/dnssec change",
        "name_com DELETE /core/v1/domains/*/dnssec/* remove",
        "porkbun POST /api/json/v3/domain/listAll query",
        "porkbun POST /api/json/v3/domain/getNs/* query",
        "porkbun POST /api/json/v3/dns/getDnssecRecords/* query",
        "porkbun POST /api/json/v3/dns/createDnssecRecord/* change",
        "porkbun POST /api/json/v3/dns/deleteDnssecRecord/*/* remove",
    ],
    phrasings = [
        "turn on dnssec for my domain",
        "switch dnssec off before moving the domain",
        "sign my zone",
        "how far is the dnssec setup",
    ],
    examples = [{ "domain": "shop.example", "enabled": true }]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Told> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let zone = Zone::of(cx, &domain)?;
    let all = cx.records::<Signing>();
    let mut row = match all.by("zone").equals(&zone.name).first() {
        Some(mut row) => {
            if row.enabled != args.enabled {
                // Whatever was waited for on the other way says nothing of this one.
                (row.enabled, row.signed_ms, row.gone_ms) = (args.enabled, None, None);
                row.state = first_of(args.enabled);
            }
            row
        }
        None => all.insert(Signing {
            zone: zone.name.clone(),
            enabled: args.enabled,
            state: first_of(args.enabled),
            signed_ms: None,
            gone_ms: None,
            ds_ttl: None,
        })?,
    };
    let Advanced { wait, ds_record, degraded } = advance::advance(cx, &zone, &mut row)?;
    let next_step_at = go_on(cx, &zone.name, args.enabled, wait)?;
    let row = all.save(row)?;
    let next = change::checks(&zone.name, row.state == State::On);
    Ok(Told {
        connection_ref: Id::new(zone.connection.reference.as_str()),
        state: row.state,
        ds_record,
        next_step_at,
        degraded,
        next,
        zone: zone.name,
    })
}

const fn first_of(enabled: bool) -> State {
    if enabled { State::Signing } else { State::DsRemoved }
}

/// Has this operation called again when the next step is due, until nothing is left.
fn go_on(cx: &Cx, zone: &str, enabled: bool, wait: Option<u64>) -> Result<Option<Moment>> {
    let name = format!("dnssec:{zone}");
    let Some(wait) = wait else {
        if cx.schedules().get(&name).is_some() {
            cx.schedules().remove(&name);
        }
        return Ok(None);
    };
    // A call of every day is put anew by each call, so that it comes at the minute that the step asks for.
    let minute = cx.now().plus(wait).millis() / 60_000 % 1_440 + 1;
    let minute = u32::try_from(minute % 1_440).unwrap_or_default();
    let arguments = json!({ "domain": zone, "enabled": enabled }).to_string();
    let planned = Planned { operation: "domains.dnssec.set".to_owned(), arguments };
    let put = cx.schedules().put(&name, Cadence { every: Every::Day, minute, weekday: 0 }, &[planned], None)?;
    Ok(put.next.map(Moment::from_millis))
}
