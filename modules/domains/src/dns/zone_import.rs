//! The operation `domains.dns.zone.import`.

use sdk::prelude::*;
use sdk::{Connection, Degraded, Fix, Next, json};

use crate::change::{self, undo};
use crate::name::given;
use crate::zone::apply::{ChangeSet, Verified, carry_out};
use crate::zone::plan::{Changed, Plan, Record, by_key, whole};
use crate::zone::{Held, Zone, conflicts, master};

/// Records of one call.
const MOST: usize = 5_000;
/// Records of each list that are shown.
const SHOWN: usize = 200;
/// Problems of a text that are told.
const PROBLEMS: usize = 50;

#[args]
pub(crate) struct Import {
    /// A domain whose zone a connected DNS provider holds; of a name below it the zone is found.
    domain: Text<3, 253>,
    /// A master file (RFC 1035), as `domains.dns.zone.export` writes it: what the zone is to be.
    zone_text: Option<Text<1, 1_000_000>>,
    /// A change of this zone that is to be taken back.
    restore_ref: Option<Id<ChangeSet>>,
    /// Removes what the text has not, or what the change added; without it such records are shown and left.
    #[default(false)]
    remove: bool,
    /// Only shows the difference.
    #[default(false)]
    dry_run: bool,
}

/// The difference, at most 200 records of each kind.
#[value]
pub(crate) struct Difference {
    add: Vec<Record>,
    change: Vec<Changed>,
    remove: Vec<Held>,
    /// Records of each kind in all.
    add_total: u64,
    change_total: u64,
    remove_total: u64,
}

/// A record of the text that is left as it is.
#[value]
pub(crate) struct Left {
    /// The line of the text.
    line: u64,
    name: String,
    r#type: String,
    #[own]
    why: String,
}

/// What was done.
#[value]
pub(crate) struct Imported {
    zone: String,
    connection_ref: Id<Connection>,
    /// What the zone is beside what it is to be.
    diff: Difference,
    /// Records that were added, changed and removed.
    applied: u64,
    /// Records that are still to be done: removals without `remove`, and what a call had no time for.
    left: u64,
    /// What takes this back; null when nothing was written.
    change_ref: Option<Id<ChangeSet>>,
    /// Records of a change that are not as it left them: nobody overwrites what others did since.
    changed_since: Vec<Record>,
    /// Records of the text that are not written here.
    skipped: Vec<Left>,
    /// What the zone's own servers say of the first names that changed.
    verified: Vec<Verified>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Imports a BIND zone file or takes a saved change back, and shows the difference to what the zone holds.
///
/// With `dry_run` it only shows. The start of authority and the zone's own name servers are never changed; of a kind that is
/// not written here nothing is touched. Removing needs `remove`.
#[operation(
    write,
    scope = "domains:manage",
    cost = bulk(most = 5_000, unit = "records"),
    side_effects = ["changes DNS records of your domain; with `remove` it removes those that the file has not"],
    needs = ["store", "dns", "connection:dns_provider"],
    outside = [
        "cloudflare GET /client/v4/zones",
        "cloudflare GET /client/v4/zones/*/dns_records",
        "cloudflare POST /client/v4/zones/*/dns_records/batch remove",
        "powerdns GET /api/v1/servers/localhost/zones",
        "powerdns GET /api/v1/servers/localhost/zones/*",
        "powerdns PATCH /api/v1/servers/localhost/zones/* remove",
    ],
    phrasings = [
        "import this zone file",
        "restore the dns records from before",
        "undo my last dns change",
        "compare a bind file with my zone",
        "move my dns records to the new provider",
    ],
    examples = [
        { "domain": "shop.example", "zone_text": "www 300 IN A 192.0.2.10\n", "dry_run": true },
        { "domain": "shop.example", "restore_ref": "4503599627370496", "remove": true },
    ]
)]
pub(crate) fn import(cx: &Cx, args: Import) -> Result<Answer<Imported>> {
    let domain = given(args.domain.as_str(), "/domain")?;
    let (text, restore) = match (&args.zone_text, &args.restore_ref) {
        (Some(text), None) => (Some(text), None),
        (None, Some(restore)) => (None, Some(restore)),
        _ => {
            let message = "name either zone_text or restore_ref, and not both";
            return Err(Fault::invalid("/zone_text", "one_of_two", message));
        }
    };
    let zone = Zone::of(cx, &domain)?;
    let restored = restore.map(|it| change::of(cx, &zone.name, it)).transpose()?;
    let held = zone.all(cx)?;
    let (mut plan, mut changed_since, mut skipped) = (Plan::default(), Vec::new(), Vec::new());
    if let Some(text) = text {
        (plan, skipped) = of_text(&zone, &held, text.as_str())?;
    }
    if let Some(set) = &restored {
        (plan, changed_since) = set.plan(cx)?.inverse(&by_key(&held));
    }
    let diff = Difference::of(&plan);
    let mut degraded = Vec::new();
    let kept = if args.remove { 0 } else { std::mem::take(&mut plan.remove).len() };
    if plan.len() > MOST {
        let message = format!("a call writes {MOST} records, and here are {}; import the file in parts", plan.len());
        return Err(Fault::invalid("/zone_text", "too_many_records", message));
    }
    let pointer = if restored.is_some() { "/restore_ref" } else { "/zone_text" };
    match &restored {
        // What stood there before may stand again, but for what no server takes.
        Some(_) => conflicts::aliases(&zone, &held, &plan, pointer)?,
        None => conflicts::check(cx, &zone, &held, &plan, pointer, &mut degraded)?,
    }
    if kept > 0 {
        let why = format!("{kept} records that would be removed are left; remove says to remove them");
        degraded.push(Degraded::new("diff.remove", why));
    }
    let arguments = |dry_run: bool| {
        let mut it = json!({ "domain": zone.name, "remove": args.remove, "dry_run": dry_run });
        if let Some(restore) = &args.restore_ref {
            it["restore_ref"] = json!(restore);
        }
        it
    };
    let mut next = Vec::new();
    let planned = plan.len();
    if args.dry_run {
        if restored.is_some() && planned > 0 {
            next.push(Fix::new("domains.dns.zone.import", arguments(false)).because("takes the change back"));
        }
        let answer = Imported {
            connection_ref: Id::new(zone.connection.reference),
            zone: zone.name,
            diff,
            applied: 0,
            left: (planned + kept) as u64,
            change_ref: None,
            changed_since,
            skipped,
            verified: Vec::new(),
            degraded,
            next,
        };
        return Ok(Answer::new(answer).units(planned as u64));
    }
    let outcomes = carry_out(cx, &zone, "domains.dns.zone.import", plan, args.restore_ref.clone(), pointer)?;
    degraded.extend(outcomes.degraded);
    next.extend(outcomes.change_ref.as_ref().map(|it| undo(&zone.name, it)));
    let applied = outcomes.applied.len() as u64;
    let answer = Imported {
        connection_ref: Id::new(zone.connection.reference),
        zone: zone.name,
        diff,
        applied,
        left: (outcomes.left.len() + kept) as u64,
        change_ref: outcomes.change_ref,
        changed_since,
        skipped,
        verified: outcomes.verified,
        degraded,
        next,
    };
    Ok(Answer::new(answer).units(applied))
}

/// What a text makes of the zone, and what of it is not written here.
fn of_text(zone: &Zone, held: &[Held], text: &str) -> Result<(Plan, Vec<Left>)> {
    let read = master::read(text, &zone.name);
    let mut problems: Vec<(usize, String)> = read.problems.iter().map(|it| (it.line, it.problem.clone())).collect();
    let end = format!(".{}", zone.name);
    let outside = read.records.iter().filter(|(_, it)| it.name != zone.name && !it.name.ends_with(&end));
    problems.extend(outside.map(|(line, it)| (*line, format!("{} is not within the zone {}", it.name, zone.name))));
    problems.sort();
    if let Some((line, problem)) = problems.first() {
        let all: Vec<_> =
            problems.iter().take(PROBLEMS).map(|(line, problem)| json!({ "line": line, "problem": problem })).collect();
        let message = format!("line {line}: {problem}");
        let detail = json!({ "problems": all, "total": problems.len() });
        return Err(Fault::invalid("/zone_text", "invalid_zone_text", message).detail(detail));
    }
    let mut skipped: Vec<Left> = read
        .skipped
        .iter()
        .map(|it| {
            let why = match it.kind.as_str() {
                "SOA" => "the start of authority is the provider's",
                _ => "records of this kind are not written here; what stands there stays",
            };
            Left { line: it.line as u64, name: it.name.clone(), r#type: it.kind.clone(), why: why.to_owned() }
        })
        .collect();
    let mut wanted: Vec<Record> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (line, record) in read.records {
        if record.r#type == "NS" && record.name == zone.name {
            let why = "the name servers of the zone itself are set with domains.nameserver.update".to_owned();
            skipped.push(Left { line: line as u64, name: record.name, r#type: record.r#type, why });
        } else if seen.insert(record.key()) {
            wanted.push(record);
        }
    }
    // What is not written here is not removed either, nor is the frame of the zone.
    let own: Vec<Held> = held
        .iter()
        .filter(|it| crate::zone::content::KINDS.contains(&it.r#type.as_str()))
        .filter(|it| it.r#type != "NS" || !it.name.eq_ignore_ascii_case(&zone.name))
        .cloned()
        .collect();
    skipped.truncate(SHOWN);
    Ok((whole(&own, &wanted), skipped))
}

impl Difference {
    fn of(plan: &Plan) -> Self {
        Self {
            add: plan.add.iter().take(SHOWN).cloned().collect(),
            change: plan.change.iter().take(SHOWN).cloned().collect(),
            remove: plan.remove.iter().take(SHOWN).cloned().collect(),
            add_total: plan.add.len() as u64,
            change_total: plan.change.len() as u64,
            remove_total: plan.remove.len() as u64,
        }
    }
}
