//! What becomes of a look: the state of the monitor, its events, and what the next look is compared with.

use sdk::prelude::*;

use super::look::{Change, Looked};
use super::{Outcome, Verdict};
use crate::alert::fire;
use crate::event::stored::{Event, EventKind, snapshot};
use crate::monitor::stored::{Kind, Monitor};
use crate::uptime::days;

/// Failing checks in a row from which a page is down.
const DOWN_AFTER: u32 = 2;

/// Writes a look down; the outcome, and the events that began.
///
/// # Errors
/// The host's refusal of a record.
pub(super) fn keep(cx: &Cx, mut it: Stored<Monitor>, looked: Looked) -> Result<(Outcome, Vec<Stored<Event>>)> {
    let now = cx.now();
    let mut made = Vec::new();
    let Looked { status, ms, skipped, wrong, change, seen, .. } = looked;
    it.skipped.clone_from(&skipped);
    it.last_check_ms = Some(now.millis());
    let verdict = match (&skipped, &wrong) {
        (Some(_), _) => Verdict::Skipped,
        (None, Some(_)) => Verdict::Failing,
        (None, None) => Verdict::Ok,
    };
    if it.kind == Kind::Uptime && verdict != Verdict::Skipped {
        days::add(cx, &it, now, status, ms, verdict == Verdict::Ok)?;
    }
    match (&wrong, verdict) {
        (_, Verdict::Skipped) => {}
        (Some((kind, words)), _) => {
            it.failing += 1;
            let since = *it.failing_since_ms.get_or_insert(now.millis());
            if it.incident.is_none() && it.failing >= needed(&it) {
                let event = Event { at_ms: since, is_incident: true, seen: words.clone(), ..begun(&it, *kind) };
                let event = Event::keep(cx, event)?;
                it.incident = Some(event.id.clone());
                it.last_change_ms = Some(now.millis());
                made.push(event);
            }
        }
        (None, _) => {
            (it.failing, it.failing_since_ms) = (0, None);
            if let Some(incident) = it.incident.take() {
                it.last_change_ms = Some(now.millis());
                if let Some(mut event) = cx.records::<Event>().find(&incident) {
                    event.ended_ms = Some(now.millis());
                    fire::resolve(cx, &cx.records::<Event>().save(event)?)?;
                }
            }
        }
    }
    if let Some((mut seen, text)) = seen {
        let before = it.seen.as_ref().and_then(|it| it.snapshot.clone());
        if let Some(text) = text {
            let key = snapshot(&it.id, now);
            cx.blobs().write(&key, text.as_bytes())?;
            seen.snapshot = Some(key);
        }
        if let Some(Change { kind, seen: words, fields }) = change {
            let event = Event {
                at_ms: now.millis(),
                seen: words,
                fields,
                before,
                after: seen.snapshot.clone(),
                ..begun(&it, kind)
            };
            made.push(Event::keep(cx, event)?);
            it.open_changes += 1;
            it.last_change_ms = Some(now.millis());
        }
        it.seen = Some(seen);
    }
    let outcome = Outcome {
        verdict,
        reason: skipped.or(wrong.map(|it| it.1)),
        status,
        ms,
        event_ref: made.first().map(|it| it.id.clone()),
        kind: made.first().map(|it| it.kind),
    };
    cx.records::<Monitor>().save(it)?;
    Ok((outcome, made))
}

/// Failing checks in a row from which an incident begins.
fn needed(it: &Monitor) -> u32 {
    let wanted = it.threshold.down_after.as_ref().map(|it| u32::try_from(it.get()).unwrap_or(DOWN_AFTER));
    if it.kind == Kind::Uptime { wanted.unwrap_or(DOWN_AFTER) } else { 1 }
}

fn begun(it: &Stored<Monitor>, kind: EventKind) -> Event {
    Event {
        site_id: it.site_id.clone(),
        monitor: it.id.to_string(),
        kind,
        severity: kind.severity(),
        target: it.target.clone(),
        ..Event::default()
    }
}
