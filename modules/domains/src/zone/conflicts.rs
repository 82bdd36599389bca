//! What cannot stand together in a zone after a change, and what a change would do to mail.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use kit::mailauth::{Resolver, Said, spf};
use sdk::prelude::*;
use sdk::{Degraded, json};

use super::plan::{Plan, Record, single};
use super::{Held, Zone};
use crate::asking::Asking;

/// Questions to the resolver about what SPF includes.
const QUESTIONS: u32 = 24;

/// Records that contradict each other.
#[value]
pub(crate) struct Conflict {
    name: String,
    /// A word for programs.
    #[own]
    code: String,
    #[own]
    problem: String,
    /// What stands there now.
    records: Vec<Record>,
}

/// Looks at the names that a plan touches, as they will be: what it would make contradict each other. What contradicted each
/// other before stands in nobody's way.
///
/// # Errors
/// 409 `record_conflict` with what contradicts each other, or `spf_too_many_lookups`, at the pointer.
pub(crate) fn check(
    cx: &Cx,
    zone: &Zone,
    held: &[Held],
    plan: &Plan,
    pointer: &str,
    degraded: &mut Vec<Degraded>,
) -> Result<()> {
    let after = plan.after(held);
    let mut found = beside_aliases(zone, &after, plan);
    texts(&after, plan, &mut found);
    for it in plan.add.iter().filter(|it| it.r#type == "NS") {
        below(zone, &it.name, &after, &mut found);
    }
    refuse(found, pointer)?;
    mail(cx, zone, &after, plan, pointer, degraded)
}

/// The same of aliases alone, which no server takes beside others.
///
/// # Errors
/// 409 `record_conflict` at the pointer.
pub(crate) fn aliases(zone: &Zone, held: &[Held], plan: &Plan, pointer: &str) -> Result<()> {
    refuse(beside_aliases(zone, &plan.after(held), plan), pointer)
}

fn refuse(found: Vec<Conflict>, pointer: &str) -> Result<()> {
    let Some(first) = found.first() else { return Ok(()) };
    let message = format!("{}: {}", first.name, first.problem);
    Err(Fault::conflict("record_conflict", message).at(pointer).detail(json!({ "conflicts": found })))
}

/// Records that the plan makes.
fn new(plan: &Plan) -> impl Iterator<Item = &Record> {
    plan.add.iter().chain(plan.change.iter().map(|it| &it.after))
}

/// An alias stands alone at its name.
fn beside_aliases(zone: &Zone, after: &[Record], plan: &Plan) -> Vec<Conflict> {
    let names: BTreeSet<&str> = new(plan).map(|it| it.name.as_str()).collect();
    let mut by_name: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for it in after.iter().filter(|it| names.contains(it.name.as_str())) {
        // Cloudflare serves the addresses of an alias at the zone's own name; other kinds may stand beside it there.
        let is_flat = it.name == zone.name && zone.is_cloudflare();
        if !is_flat || matches!(it.r#type.as_str(), "A" | "AAAA" | "CNAME") {
            by_name.entry(it.name.as_str()).or_default().push(it);
        }
    }
    let clash = |all: &&Vec<&Record>| all.len() > 1 && all.iter().any(|it| it.r#type == "CNAME");
    let problem = "an alias (CNAME) stands alone at its name (RFC 1034, 3.6.2); delete one of both with domains.dns.record.delete";
    by_name.values().filter(clash).map(|all| Conflict::of("cname_beside_others", problem, all)).collect()
}

/// Texts that receivers take one of: where the plan makes one, no other may stand beside it.
fn texts(after: &[Record], plan: &Plan, found: &mut Vec<Conflict>) {
    fn version(it: &Record) -> Option<(&str, &'static str)> {
        let version = single(&it.r#type, &it.name, &it.content).filter(|_| it.r#type == "TXT")?;
        Some((it.name.as_str(), version))
    }
    let made: BTreeSet<_> = new(plan).filter_map(version).collect();
    let mut all: BTreeMap<(&str, &str), Vec<&Record>> = BTreeMap::new();
    for it in after {
        if let Some(key) = version(it).filter(|key| made.contains(key)) {
            all.entry(key).or_default().push(it);
        }
    }
    for ((_, version), records) in all.into_iter().filter(|(_, records)| records.len() > 1) {
        let problem = format!("receivers take several texts {version} at one name for an error: only one may stand");
        found.push(Conflict::of("text_twice", &problem, &records));
    }
}

impl Conflict {
    /// Records of one name.
    fn of(code: &str, problem: &str, records: &[&Record]) -> Self {
        Self {
            name: records.first().map(|it| it.name.clone()).unwrap_or_default(),
            code: code.to_owned(),
            problem: problem.to_owned(),
            records: records.iter().take(10).map(|it| (*it).clone()).collect(),
        }
    }
}

/// A delegation hides what the zone has below it.
fn below(zone: &Zone, name: &str, after: &[Record], found: &mut Vec<Conflict>) {
    if name == zone.name {
        return;
    }
    let end = format!(".{name}");
    let hidden = |it: &&Record| {
        (it.name.ends_with(&end) && !matches!(it.r#type.as_str(), "A" | "AAAA"))
            || (it.name == name && !matches!(it.r#type.as_str(), "NS" | "DS"))
    };
    let records: Vec<&Record> = after.iter().filter(hidden).collect();
    if !records.is_empty() {
        let problem = "name servers here would hide these records: the other zone answers for them from then on";
        found.push(Conflict { name: name.to_owned(), ..Conflict::of("delegation_hides", problem, &records) });
    }
}

/// Counts the questions of SPF at each name whose text changes.
fn mail(
    cx: &Cx,
    zone: &Zone,
    after: &[Record],
    plan: &Plan,
    pointer: &str,
    degraded: &mut Vec<Degraded>,
) -> Result<()> {
    for it in new(plan).filter(|it| single(&it.r#type, &it.name, &it.content) == Some("v=spf1")) {
        let mut future = Future { zone: &zone.name, records: after, asking: Asking::new(cx, QUESTIONS) };
        match spf::survey(&mut future, &it.name) {
            Ok(survey) => {
                if survey.flaw.is_some() {
                    let message =
                        format!("the text of SPF at {} has a term that SPF does not know, or one twice", it.name);
                    return Err(Fault::invalid(pointer, "invalid_spf", message));
                }
                if survey.lookups > spf::LOOKUPS || survey.void > spf::VOID {
                    let message = format!(
                        "SPF at {} would ask {} times, {} of them for nothing; receivers stop after {} and {} (RFC 7208, 4.6.4)",
                        it.name,
                        survey.lookups,
                        survey.void,
                        spf::LOOKUPS,
                        spf::VOID
                    );
                    let detail = json!({ "lookups": survey.lookups, "void": survey.void });
                    return Err(Fault::conflict("spf_too_many_lookups", message).at(pointer).detail(detail));
                }
                degraded.extend(future.asking.degraded(QUESTIONS));
            }
            Err(_) => degraded
                .push(Degraded::new("spf", "nobody answered for what SPF includes: its questions were not counted")),
        }
    }
    Ok(())
}

/// The name system as it will be: the zone after the change, all else as it is.
struct Future<'a> {
    zone: &'a str,
    records: &'a [Record],
    asking: Asking<'a>,
}

impl Future<'_> {
    /// What the zone will say; none where the name is another's.
    fn own(&self, name: &str, kind: &str) -> Option<Vec<&Record>> {
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        let is_within = name == self.zone || name.strip_suffix(self.zone).is_some_and(|it| it.ends_with('.'));
        is_within.then(|| self.records.iter().filter(|it| it.name == name && it.r#type == kind).collect())
    }
}

impl Resolver for Future<'_> {
    fn txt(&mut self, name: &str) -> Said<Vec<u8>> {
        match self.own(name, "TXT") {
            Some(all) => Ok(all.iter().map(|it| it.content.clone().into_bytes()).collect()),
            None => self.asking.txt(name),
        }
    }

    fn addresses(&mut self, name: &str, six: bool) -> Said<IpAddr> {
        match self.own(name, if six { "AAAA" } else { "A" }) {
            Some(all) if !all.is_empty() => Ok(all.iter().filter_map(|it| it.content.parse().ok()).collect()),
            // An alias, or a wildcard: the servers know.
            _ => self.asking.addresses(name, six),
        }
    }

    fn exchangers(&mut self, name: &str) -> Said<(u16, String)> {
        match self.own(name, "MX") {
            Some(all) => Ok(all.iter().map(|it| (it.priority.unwrap_or_default(), it.content.clone())).collect()),
            None => self.asking.exchangers(name),
        }
    }

    fn names(&mut self, address: IpAddr) -> Said<String> {
        self.asking.names(address)
    }
}
