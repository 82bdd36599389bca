//! The next safe step of a zone to on or off, decided by what its servers, its parent and its provider say now (RFC 6781, 4.4).

use sdk::prelude::*;
use sdk::{Degraded, DnsFailure, Outcome, Question, Trust};

use super::signer::{self, Signed};
use super::{Signing, State};
use crate::nameserver::chain::{fits, of_text};
use crate::registrar::{DsRecord, Registrar};
use crate::zone::Zone;
use crate::zone::plan::seconds;

/// Seconds of a day: how long resolvers keep a key where nobody says otherwise, and the longest that old answers are waited for.
const DAY: u32 = 86_400;
/// Milliseconds between two looks: of what a provider does, and of what others do.
const SOON: u64 = 300_000;
const LATER: u64 = 1_800_000;
const HOUR: u64 = 3_600_000;

/// What a step came to.
pub(super) struct Advanced {
    /// Milliseconds to the next one; none where nothing is left.
    pub(super) wait: Option<u64>,
    pub(super) ds_record: Option<DsRecord>,
    pub(super) degraded: Vec<Degraded>,
}

/// What the parent says of the zone's keys.
enum Parent {
    /// No server of it has one.
    None,
    /// Servers of it have keys: those that all of them have, and the longest time that they are kept.
    Has { everywhere: Vec<DsRecord>, ttl: u32 },
    /// Not all of it answered.
    Unknown,
}

/// Does what is due.
///
/// # Errors
/// What the provider or the registrar refuses.
pub(super) fn advance(cx: &Cx, zone: &Zone, row: &mut Signing) -> Result<Advanced> {
    let signed = signer::look(cx, zone)?;
    let parent = parent(cx, &zone.name);
    let (registrar, degraded) = match Registrar::holding(cx, &zone.name) {
        Ok((registrar, _)) => (Some(registrar), Vec::new()),
        Err(fault) => {
            let why = format!("the key is not handed in or taken away by itself: {}", fault.message);
            (None, vec![Degraded::new("ds_record", why)])
        }
    };
    let mut it = Advanced { wait: None, ds_record: signed.keys.first().cloned(), degraded };
    it.wait = if row.enabled {
        on(cx, zone, row, &signed, &parent, registrar.as_ref())?
    } else {
        off(cx, zone, row, &signed, &parent, registrar.as_ref())?
    };
    if matches!(row.state, State::On | State::Off) {
        it.degraded.clear();
    }
    if !row.enabled && it.ds_record.is_none() {
        it.ds_record = match parent {
            Parent::Has { mut everywhere, .. } => everywhere.pop(),
            Parent::None | Parent::Unknown => None,
        };
    }
    Ok(it)
}

fn on(
    cx: &Cx,
    zone: &Zone,
    row: &mut Signing,
    signed: &Signed,
    parent: &Parent,
    registrar: Option<&Registrar<'_>>,
) -> Result<Option<u64>> {
    if !signed.is_on {
        signer::sign(cx, zone)?;
        (row.state, row.signed_ms) = (State::Signing, None);
        return Ok(Some(SOON));
    }
    let now = cx.now().millis();
    let Some(key) = signed.keys.first() else {
        row.state = State::WaitingKeys;
        return Ok(Some(LATER));
    };
    let has = matches!(parent, Parent::Has { everywhere, .. } if everywhere.contains(key));
    if has {
        let is_secure =
            cx.dns().lookup(&Question::new(&zone.name, "SOA")).is_ok_and(|it| it.trust == Some(Trust::Secure));
        row.state = if is_secure { State::On } else { State::WaitingParent };
        return Ok((!is_secure).then_some(LATER));
    }
    // Only a key that was waited for is on its way to the parent.
    if !matches!(row.state, State::DsPublished | State::WaitingParent) {
        if !shown_everywhere(cx, &zone.name, key) {
            (row.state, row.signed_ms) = (State::WaitingKeys, None);
            return Ok(Some(LATER));
        }
        // Answers without signatures have to be forgotten before anybody asks for them.
        let since = *row.signed_ms.get_or_insert(now);
        let longest = zone.all(cx)?.iter().map(|it| seconds(it.ttl)).max().unwrap_or(300).min(DAY);
        let until = since + u64::from(longest) * 1_000;
        if now < until {
            row.state = State::WaitingKeys;
            return Ok(Some((until - now).min(HOUR)));
        }
    }
    let Some(registrar) = registrar else {
        row.state = State::WaitingParent;
        return Ok(Some(HOUR));
    };
    if registrar.keys(&zone.name)?.contains(key) {
        row.state = State::WaitingParent;
        return Ok(Some(LATER));
    }
    registrar.add_key(&zone.name, key)?;
    row.state = State::DsPublished;
    Ok(Some(LATER))
}

fn off(
    cx: &Cx,
    zone: &Zone,
    row: &mut Signing,
    signed: &Signed,
    parent: &Parent,
    registrar: Option<&Registrar<'_>>,
) -> Result<Option<u64>> {
    let now = cx.now().millis();
    let at_registrar = match registrar {
        Some(registrar) => registrar.keys(&zone.name)?,
        None => Vec::new(),
    };
    if let Some(registrar) = registrar {
        for key in &at_registrar {
            registrar.remove_key(&zone.name, key)?;
        }
    }
    match parent {
        Parent::Has { ttl, .. } => {
            row.ds_ttl = row.ds_ttl.max(Some(*ttl));
            (row.state, row.gone_ms) = (State::DsRemoved, None);
            return Ok(Some(if registrar.is_some() { LATER } else { HOUR }));
        }
        Parent::Unknown => {
            // Nobody knows: nothing is done that a key at the parent would make wrong.
            return Ok(Some(LATER));
        }
        Parent::None if !at_registrar.is_empty() => {
            // It may be on its way to the parent still.
            (row.state, row.gone_ms) = (State::DsRemoved, None);
            return Ok(Some(LATER));
        }
        Parent::None => {}
    }
    if !signed.is_on {
        row.state = State::Off;
        return Ok(None);
    }
    let since = *row.gone_ms.get_or_insert(now);
    let until = since + u64::from(row.ds_ttl.unwrap_or(DAY)) * 1_000 + HOUR;
    if now < until {
        row.state = State::WaitingTtl;
        return Ok(Some((until - now).min(HOUR)));
    }
    signer::unsign(cx, zone)?;
    row.state = State::Off;
    Ok(None)
}

/// Asks the host's resolver and each server of the parent for the zone's keys.
fn parent(cx: &Cx, zone: &str) -> Parent {
    let question = Question::new(zone, "DS");
    let keys = |answer: &sdk::DnsAnswer| -> Vec<(DsRecord, u32)> {
        answer.entries.iter().filter(|it| it.kind == "DS").filter_map(|it| Some((of_text(&it.text)?, it.ttl))).collect()
    };
    let mut all: Vec<Vec<(DsRecord, u32)>> = Vec::new();
    match cx.dns().lookup(&question) {
        Ok(answer) if answer.outcome != Outcome::Failed => all.push(keys(&answer)),
        Ok(_) | Err(_) => return Parent::Unknown,
    }
    let Ok(authority) = cx.dns().authoritative(&question, 13) else { return Parent::Unknown };
    let mut is_known = !authority.servers.is_empty();
    for told in &authority.servers {
        match &told.answer {
            Ok(answer) if answer.outcome != Outcome::Failed => all.push(keys(answer)),
            // A server that is not there says nothing to anybody.
            Err(DnsFailure::Unreachable | DnsFailure::Unresolved | DnsFailure::Timeout | DnsFailure::Refused) => {}
            Ok(_) | Err(_) => is_known = false,
        }
    }
    let some = all.iter().any(|it| !it.is_empty());
    let ttl = all.iter().flatten().map(|it| it.1).max().unwrap_or(0);
    let mut everywhere: Vec<DsRecord> = all.first().into_iter().flatten().map(|it| it.0.clone()).collect();
    everywhere.retain(|key| all.iter().all(|it| it.iter().any(|(known, _)| known == key)));
    match (some, is_known && all.len() > 1) {
        (true, _) => Parent::Has { everywhere, ttl },
        (false, true) => Parent::None,
        (false, false) => Parent::Unknown,
    }
}

/// Whether every server of the zone shows the key.
fn shown_everywhere(cx: &Cx, zone: &str, key: &DsRecord) -> bool {
    let Ok(authority) = cx.dns().authoritative(&Question::new(zone, "DNSKEY"), 13) else { return false };
    let has = |told: &sdk::Told| {
        told.answer
            .as_ref()
            .is_ok_and(|it| it.entries.iter().filter(|it| it.kind == "DNSKEY").any(|it| fits(zone, it, key)))
    };
    !authority.servers.is_empty() && authority.more == 0 && authority.servers.iter().all(has)
}
