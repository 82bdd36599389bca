//! A plan carried out at the provider, kept with what was there before, and looked for at the servers of the zone.

use std::collections::HashMap;

use sdk::prelude::*;
use sdk::{Degraded, Outcome, Question, json};

use super::content::of_held;
use super::plan::{Key, Plan, Record, by_key};
use super::{Held, Zone, unquoted};

/// Milliseconds that a call may take before it leaves the rest; an import of thousands of records has 300 seconds.
const PATIENCE: u64 = 200_000;
/// Bytes of a change that are kept: those of a blob.
const KEPT: usize = 8 << 20;
/// Names and kinds that the servers of a zone are asked for.
const ASKED: usize = 12;
/// Servers that are asked.
const SERVERS: u8 = 2;
/// Rounds in which they are asked, with two seconds between.
const ROUNDS: usize = 3;
/// Milliseconds of the call after which no server is asked any more: what was written has to be told.
const LATE: u64 = 30_000;

/// A change of a zone with what was there before.
#[record(collection = "change_sets", thing = "change", reference = "change_ref", index(zone, at_ms))]
pub(crate) struct ChangeSet {
    pub(crate) zone: String,
    pub(crate) connection_ref: String,
    pub(crate) operation: String,
    /// Records that were added, changed and removed.
    pub(crate) added: u32,
    pub(crate) changed: u32,
    pub(crate) removed: u32,
    pub(crate) at_ms: u64,
    /// The change that this one took back.
    pub(crate) undoes: Option<Id<ChangeSet>>,
    /// The blob with the records themselves.
    body: String,
}

/// What was done to a record.
#[value]
pub(crate) enum Did {
    Added,
    Changed,
    Removed,
}

/// A record that was written or removed.
#[value]
pub(crate) struct Applied {
    did: Did,
    /// Its reference now; null of one that was removed.
    record_id: Option<Id<super::RecordOf>>,
    /// As it stands, or stood.
    record: Record,
    /// What stood there; null of one that was added.
    before: Option<Record>,
}

/// Whether the servers of the zone give a record out.
#[value]
pub(crate) enum Spread {
    /// All that answered say it.
    Served,
    /// One at least still says something else: servers take up a change within seconds or minutes.
    Pending,
    /// Nobody answered, or the provider stands before it and gives its own addresses.
    Unknown,
}

/// What the zone's own servers say of a name and kind.
#[value]
pub(crate) struct Verified {
    name: String,
    #[own]
    r#type: String,
    state: Spread,
}

/// What came of a plan.
pub(crate) struct Outcomes {
    pub(crate) change_ref: Option<Id<ChangeSet>>,
    pub(crate) applied: Vec<Applied>,
    pub(crate) verified: Vec<Verified>,
    /// What was not done.
    pub(crate) left: Plan,
    pub(crate) degraded: Vec<Degraded>,
}

impl ChangeSet {
    /// The records themselves.
    ///
    /// # Errors
    /// 409 `change_unreadable`.
    pub(crate) fn plan(&self, cx: &Cx) -> Result<Plan> {
        let bytes = cx.blobs().read(&self.body, 0, u32::try_from(KEPT).unwrap_or(u32::MAX)).unwrap_or_default();
        sdk::serde_json::from_slice(&bytes)
            .map_err(|_| Fault::conflict("change_unreadable", "what this change did is not kept any more"))
    }
}

/// Carries a plan out for the argument at the pointer, writes down what it did and asks the servers of the zone for it.
///
/// # Errors
/// What the provider refuses, when nothing was done.
pub(crate) fn carry_out(
    cx: &Cx,
    zone: &Zone,
    operation: &str,
    plan: Plan,
    undoes: Option<Id<ChangeSet>>,
    pointer: &str,
) -> Result<Outcomes> {
    // What is done has to be kept whole, so that it can be taken back.
    if json!(plan).to_string().len() > KEPT {
        let message = "these records are too many bytes for one change; make it in parts";
        return Err(Fault::conflict("change_too_large", message).at(pointer));
    }
    let (mut degraded, mut rest, mut refused) = (Vec::new(), plan.clone(), None);
    let mut written = Plan::default();
    while !rest.is_empty() {
        if cx.elapsed() > PATIENCE {
            let why = "the provider is slow: the rest was left, and the same call goes on";
            degraded.push(Degraded::new("applied", why));
            break;
        }
        let (now, later) = rest.split(zone.together());
        match zone.write(cx, &now) {
            Ok(()) => {
                written.extend(now);
                rest = later;
            }
            Err(fault) => {
                let is_of_records = matches!(fault.code.as_str(), "record_refused" | "changed_meanwhile");
                refused = Some(if is_of_records { fault.at(pointer) } else { fault });
                rest = now;
                rest.extend(later);
                break;
            }
        }
    }
    // What stands now says what was done, also when an answer was lost.
    let (held, done, left) = match zone.all(cx) {
        Ok(held) => {
            let (done, left) = plan.done(&by_key(&held));
            (held, done, left)
        }
        // What was written is written, and has to be told.
        Err(fault) if !written.is_empty() => {
            let why = format!("the zone could not be read again, what the provider took is told: {}", fault.message);
            degraded.push(Degraded::new("applied", why));
            (Vec::new(), written, rest)
        }
        Err(fault) => return Err(refused.unwrap_or(fault)),
    };
    let now = by_key(&held);
    if let Some(fault) = refused {
        if done.is_empty() {
            return Err(fault);
        }
        degraded.push(Degraded::new("applied", format!("the provider refused the rest: {}", fault.message)));
    }
    let change_ref = if done.is_empty() { None } else { Some(keep(cx, zone, operation, &done, undoes)?) };
    let verified = if held.is_empty() { Vec::new() } else { verify(cx, zone, &done, &held) };
    Ok(Outcomes { change_ref, applied: applied(&done, &now), verified, left, degraded })
}

fn keep(cx: &Cx, zone: &Zone, operation: &str, done: &Plan, undoes: Option<Id<ChangeSet>>) -> Result<Id<ChangeSet>> {
    let body = format!("changes/{}", kit::text::hex(&cx.random::<16>()));
    cx.blobs().write(&body, json!(done).to_string().as_bytes())?;
    let count = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let set = ChangeSet {
        zone: zone.name.clone(),
        connection_ref: zone.connection.reference.clone(),
        operation: operation.to_owned(),
        added: count(done.add.len()),
        changed: count(done.change.len()),
        removed: count(done.remove.len()),
        at_ms: cx.now().millis(),
        undoes,
        body,
    };
    Ok(cx.records::<ChangeSet>().insert(set)?.id)
}

fn applied(done: &Plan, now: &HashMap<Key, &Held>) -> Vec<Applied> {
    let id = |it: &Record| now.get(&it.key()).map(|it| it.record_id.clone());
    let added =
        done.add.iter().map(|it| Applied { did: Did::Added, record_id: id(it), record: it.clone(), before: None });
    let changed = done.change.iter().map(|it| Applied {
        did: Did::Changed,
        record_id: id(&it.after),
        record: it.after.clone(),
        before: Some(it.before.record()),
    });
    let removed = done.remove.iter().map(|it| Applied {
        did: Did::Removed,
        record_id: None,
        record: it.record(),
        before: Some(it.record()),
    });
    added.chain(changed).chain(removed).collect()
}

/// Asks the servers of the zone until all say what the provider has, at most a few times.
fn verify(cx: &Cx, zone: &Zone, done: &Plan, held: &[Held]) -> Vec<Verified> {
    let mut out: Vec<Verified> = Vec::new();
    let asked: Vec<(String, String)> = done.touched().into_iter().take(ASKED).collect();
    for round in 0..ROUNDS {
        if round > 0 {
            if cx.elapsed() > LATE || out.iter().all(|it| it.state != Spread::Pending) {
                break;
            }
            cx.wait(2_000);
        }
        for (at, (name, kind)) in asked.iter().enumerate() {
            match out.get_mut(at) {
                None => {
                    let state = state(cx, zone, name, kind, held);
                    out.push(Verified { name: name.clone(), r#type: kind.clone(), state });
                }
                Some(it) if it.state == Spread::Pending => it.state = state(cx, zone, name, kind, held),
                Some(_) => {}
            }
        }
    }
    out
}

fn state(cx: &Cx, zone: &Zone, name: &str, kind: &str, held: &[Held]) -> Spread {
    let of_set = |it: &&Held| it.name.eq_ignore_ascii_case(name) && it.r#type == kind;
    let set: Vec<&Held> = held.iter().filter(of_set).collect();
    // An alias at the name of a zone is served as the addresses it leads to.
    let is_apex = zone.name == name;
    if (kind == "CNAME" && is_apex) || set.iter().any(|it| it.proxied == Some(true)) {
        return Spread::Unknown;
    }
    // Name servers below the zone are told as whom to ask instead, and are no answer.
    if kind == "NS" && !is_apex {
        return Spread::Unknown;
    }
    let mut wanted: Vec<(String, Option<u16>)> = set.iter().map(|it| (it.key().2, it.key().3)).collect();
    wanted.sort();
    if cx.elapsed() > LATE {
        return Spread::Unknown;
    }
    let Ok(authority) = cx.dns().authoritative(&Question::new(name, kind), SERVERS) else { return Spread::Unknown };
    let answers = authority.servers.iter().filter_map(|it| it.answer.as_ref().ok());
    let mut seen = None;
    for answer in answers.filter(|it| it.outcome != Outcome::Failed) {
        let mut told: Vec<(String, Option<u16>)> = answer
            .entries
            .iter()
            .filter(|it| it.kind == kind && it.name.trim_end_matches('.').eq_ignore_ascii_case(name))
            .map(|it| of_held(kind, &it.joined().map_or_else(|| unquoted(&it.text), lossy), None))
            .collect();
        told.sort();
        seen = Some(seen.unwrap_or(true) && told == wanted);
    }
    match seen {
        Some(true) => Spread::Served,
        Some(false) => Spread::Pending,
        None => Spread::Unknown,
    }
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}
