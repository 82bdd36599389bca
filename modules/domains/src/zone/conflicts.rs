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

/// Looks at the names that a plan touches, as they will be.
///
/// # Errors
/// 409 `record_conflict` with what contradicts each other, or `spf_too_many_lookups`.
pub(crate) fn check(cx: &Cx, zone: &Zone, held: &[Held], plan: &Plan, degraded: &mut Vec<Degraded>) -> Result<()> {
    let after = plan.after(held);
    let touched: BTreeSet<String> = plan.touched().into_iter().map(|(name, _)| name).collect();
    let mut by_name: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for it in &after {
        by_name.entry(it.name.as_str()).or_default().push(it);
    }
    let mut found = Vec::new();
    for name in &touched {
        let all = by_name.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
        at_name(zone, name, all, &mut found);
        below(zone, name, all, &after, plan, &mut found);
    }
    if !found.is_empty() {
        let message = format!("{}: {}", found[0].name, found[0].problem);
        return Err(Fault::conflict("record_conflict", message).at("/records").detail(json!({ "conflicts": found })));
    }
    mail(cx, zone, &after, plan, degraded)
}

fn at_name(zone: &Zone, name: &str, all: &[&Record], found: &mut Vec<Conflict>) {
    let mut say = |code: &str, problem: &str, records: Vec<&Record>| {
        let records = records.into_iter().take(10).cloned().collect();
        found.push(Conflict { name: name.to_owned(), code: code.to_owned(), problem: problem.to_owned(), records });
    };
    let of = |kind: &str| all.iter().filter(|it| it.r#type == kind).copied().collect::<Vec<_>>();
    let aliases = of("CNAME");
    // Cloudflare serves the addresses of an alias at the zone's own name; other kinds may stand beside it there.
    let flat = name == zone.name && zone.is_cloudflare();
    let clashes = |it: &&&Record| !flat || matches!(it.r#type.as_str(), "A" | "AAAA" | "CNAME");
    if !aliases.is_empty() && all.iter().filter(clashes).count() > 1 {
        let message = "an alias (CNAME) stands alone at its name (RFC 1034, 3.6.2); delete one of both with domains.dns.record.delete";
        say("cname_beside_others", message, all.to_vec());
    }
    let mut texts: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for it in all.iter().filter(|it| it.r#type == "TXT") {
        if let Some(version) = single("TXT", name, &it.content) {
            texts.entry(version).or_default().push(it);
        }
    }
    for (version, records) in texts {
        if records.len() > 1 && !(version == "v=DKIM1" && records.iter().all(|it| !it.content.contains("p="))) {
            let message =
                format!("receivers take several texts {version} at one name for an error: only one may stand");
            say("text_twice", &message, records);
        }
    }
}

/// A delegation hides what the zone has below it.
fn below(zone: &Zone, name: &str, all: &[&Record], after: &[Record], plan: &Plan, found: &mut Vec<Conflict>) {
    let is_new = plan.add.iter().any(|it| it.r#type == "NS" && it.name == name);
    if !is_new || name == zone.name || !all.iter().any(|it| it.r#type == "NS") {
        return;
    }
    let end = format!(".{name}");
    let hidden = |it: &&Record| {
        (it.name.ends_with(&end) && !matches!(it.r#type.as_str(), "A" | "AAAA"))
            || (it.name == name && !matches!(it.r#type.as_str(), "NS" | "DS"))
    };
    let records: Vec<Record> = after.iter().filter(hidden).take(10).cloned().collect();
    if !records.is_empty() {
        let problem = "name servers here would hide these records: the other zone answers for them from then on";
        let (code, problem) = ("delegation_hides".to_owned(), problem.to_owned());
        found.push(Conflict { name: name.to_owned(), code, problem, records });
    }
}

/// Counts the questions of SPF at each name whose text changes.
fn mail(cx: &Cx, zone: &Zone, after: &[Record], plan: &Plan, degraded: &mut Vec<Degraded>) -> Result<()> {
    let new = plan.add.iter().chain(plan.change.iter().map(|it| &it.after));
    for it in new.filter(|it| single(&it.r#type, &it.name, &it.content) == Some("v=spf1")) {
        let mut future = Future { zone: &zone.name, records: after, asking: Asking::new(cx, QUESTIONS) };
        match spf::survey(&mut future, &it.name) {
            Ok(survey) => {
                if let Some(flaw) = survey.flaw {
                    let message = format!("the text of SPF at {} cannot be read: {flaw:?}", it.name);
                    return Err(Fault::invalid("/records", "invalid_spf", message));
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
                    return Err(Fault::conflict("spf_too_many_lookups", message).at("/records").detail(detail));
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
