//! Changes of zones, and the calls that take them back.

use sdk::prelude::*;
use sdk::{Fix, Next, json};

use crate::zone::apply::ChangeSet;

/// The call that takes a change back: also what it added, which is a removal.
pub(crate) fn undo(zone: &str, change: &Id<ChangeSet>) -> Next {
    Fix::new("domains.dns.zone.import", json!({ "domain": zone, "restore_ref": change, "remove": true }))
        .because("takes this change back where the zone still is as it left it")
}

/// Where a zone's signatures were touched: how it stands.
pub(crate) fn checks(zone: &str, is_on: bool) -> Vec<Next> {
    let health = Fix::new("domains.dns.health.check", json!({ "domain": zone }));
    if is_on { vec![health.because("checks the signatures at every server of the zone")] } else { Vec::new() }
}

/// A change of a zone by its reference.
///
/// # Errors
/// 404 `change_not_found` with the newest changes of the zone.
pub(crate) fn of(cx: &Cx, zone: &str, reference: &Id<ChangeSet>) -> Result<Stored<ChangeSet>> {
    let sets = cx.records::<ChangeSet>();
    if let Some(found) = sets.find(reference).filter(|it| it.zone == zone) {
        return Ok(found);
    }
    let newest = sets.by("zone_at_ms").equals(zone).descending().scan().take(10);
    let known: Vec<_> = newest
        .map(|it| json!({ "change_ref": it.id, "operation": it.operation, "at": Moment::from_millis(it.at_ms) }))
        .collect();
    let message = "this zone has no such change; the newest ones stand in details";
    Err(Fault::not_found("change_not_found", message).at("/restore_ref").detail(json!({ "changes": known })))
}
