//! What is to be done to a zone, record by record: from what is wanted and what is there.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;

use super::Held;
use super::content::of_held;

/// A record as it is to be; of the members that are left out those stay that stand.
#[value]
pub(crate) struct Record {
    /// The whole name, without the last dot.
    pub(crate) name: String,
    #[own]
    pub(crate) r#type: String,
    /// As in a zone file, without the priority; a text without its quotes.
    pub(crate) content: String,
    /// Of MX and SRV.
    pub(crate) priority: Option<u16>,
    /// Seconds; 1 where the provider chooses, null where what stands there stays.
    pub(crate) ttl: Option<u32>,
    /// Whether the provider stands before it; null where there is no such thing.
    pub(crate) proxied: Option<bool>,
}

/// A record that becomes another one.
#[value]
pub(crate) struct Changed {
    pub(crate) before: Held,
    pub(crate) after: Record,
}

/// All that is to be done.
#[derive(Default)]
#[value]
pub(crate) struct Plan {
    pub(crate) add: Vec<Record>,
    pub(crate) change: Vec<Changed>,
    pub(crate) remove: Vec<Held>,
}

impl Held {
    /// Name, kind, content and priority, as they are compared.
    pub(crate) fn key(&self) -> (String, String, String, Option<u16>) {
        let (content, priority) = of_held(&self.r#type, &self.content, self.priority);
        (self.name.to_ascii_lowercase(), self.r#type.clone(), content, priority)
    }

    /// The record, as it may be made again.
    pub(crate) fn record(&self) -> Record {
        let (name, kind, content, priority) = self.key();
        Record { name, r#type: kind, content, priority, ttl: Some(self.ttl), proxied: self.proxied }
    }
}

impl Record {
    pub(crate) fn key(&self) -> (String, String, String, Option<u16>) {
        (self.name.clone(), self.r#type.clone(), self.content.clone(), self.priority)
    }

    /// Whether a held record is this one already, in all that is said of it.
    fn stands_as(&self, held: &Held) -> bool {
        let ttl = self.ttl.is_none_or(|it| seconds(it) == seconds(held.ttl));
        let proxied = self.proxied.is_none_or(|it| held.proxied.unwrap_or(false) == it);
        self.key() == held.key() && ttl && proxied
    }
}

/// The TTL that is served: where providers choose it, five minutes.
pub(crate) const fn seconds(ttl: u32) -> u32 {
    if ttl <= 1 { 300 } else { ttl }
}

/// Which version of a text a name has one of at most; none where siblings may stand.
pub(crate) fn single(kind: &str, name: &str, content: &str) -> Option<&'static str> {
    if kind == "CNAME" {
        return Some("CNAME");
    }
    if kind != "TXT" {
        return None;
    }
    let begins = |version: &str| {
        content.get(..version.len()).is_some_and(|it| it.eq_ignore_ascii_case(version))
            && content[version.len()..].chars().next().is_none_or(|c| matches!(c, ' ' | ';'))
    };
    let known = ["v=spf1", "v=DMARC1", "v=STSv1", "v=TLSRPTv1", "v=BIMI1"].into_iter().find(|it| begins(it));
    known.or_else(|| name.contains("._domainkey.").then_some("v=DKIM1"))
}

/// What makes the zone hold these records beside those that it has.
///
/// A record of the same name, kind and content is changed where its TTL, priority or proxy differs; of a kind that a name has
/// one of, the old one becomes the new one; else the record is added. With `replace` these are all records of their name and
/// kind: what is there becomes what is wanted, and what is left over is told apart.
pub(crate) fn upserts(held: &[Held], wanted: &[Record], replace: bool) -> (Plan, Vec<Held>) {
    let mut by_name: BTreeMap<(String, String), Vec<&Held>> = BTreeMap::new();
    for it in held {
        by_name.entry((it.name.to_ascii_lowercase(), it.r#type.clone())).or_default().push(it);
    }
    let mut plan = Plan::default();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&Record> = Vec::new();
    let of = |it: &Record| by_name.get(&(it.name.clone(), it.r#type.clone())).map(Vec::as_slice).unwrap_or_default();
    for it in wanted {
        // The priority is no part of what a record is: an MX that moves is changed.
        let same = of(it).iter().find(|held| !used.contains(held.record_id.as_str()) && held.key().2 == it.content);
        match same {
            Some(held) => {
                used.insert(held.record_id.as_str());
                if !it.stands_as(held) {
                    plan.change.push(Changed { before: (*held).clone(), after: it.clone() });
                }
            }
            None => open.push(it),
        }
    }
    let mut rest: Vec<&Record> = Vec::new();
    for it in open {
        let version = single(&it.r#type, &it.name, &it.content);
        let old = of(it).iter().find(|held| {
            let content = held.key().2;
            !used.contains(held.record_id.as_str())
                && (replace || (version.is_some() && single(&held.r#type, &held.name, &content) == version))
        });
        match old {
            Some(held) => {
                used.insert(held.record_id.as_str());
                plan.change.push(Changed { before: (*held).clone(), after: it.clone() });
            }
            None => rest.push(it),
        }
    }
    plan.add.extend(rest.into_iter().cloned());
    let named: BTreeSet<(String, String)> = wanted.iter().map(|it| (it.name.clone(), it.r#type.clone())).collect();
    let left = |it: &&Held| {
        replace
            && named.contains(&(it.name.to_ascii_lowercase(), it.r#type.clone()))
            && !used.contains(it.record_id.as_str())
    };
    (plan, held.iter().filter(left).cloned().collect())
}

/// What makes the zone hold these records and no others: of each name and kind what is there becomes what is wanted as far as
/// it goes, then records are added or removed.
pub(crate) fn whole(held: &[Held], wanted: &[Record]) -> Plan {
    let (mut plan, mut left) = upserts(held, wanted, true);
    let named: BTreeSet<(&str, &str)> = wanted.iter().map(|it| (it.name.as_str(), it.r#type.as_str())).collect();
    let other = |it: &&Held| !named.contains(&(it.name.to_ascii_lowercase().as_str(), it.r#type.as_str()));
    left.extend(held.iter().filter(other).cloned());
    plan.remove = left;
    plan
}

impl Plan {
    pub(crate) fn len(&self) -> usize {
        self.add.len() + self.change.len() + self.remove.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Names and kinds that it touches.
    pub(crate) fn touched(&self) -> BTreeSet<(String, String)> {
        let records = self.add.iter().chain(self.change.iter().map(|it| &it.after));
        let held = self.remove.iter().chain(self.change.iter().map(|it| &it.before));
        records
            .map(|it| (it.name.clone(), it.r#type.clone()))
            .chain(held.map(|it| (it.name.to_ascii_lowercase(), it.r#type.clone())))
            .collect()
    }

    /// The records of the zone after it.
    pub(crate) fn after(&self, held: &[Held]) -> Vec<Record> {
        let gone: BTreeSet<&str> =
            self.remove.iter().chain(self.change.iter().map(|it| &it.before)).map(|it| it.record_id.as_str()).collect();
        let stays = held.iter().filter(|it| !gone.contains(it.record_id.as_str())).map(Held::record);
        stays.chain(self.change.iter().map(|it| it.after.clone())).chain(self.add.iter().cloned()).collect()
    }

    /// Its first steps, at most so many, and the rest. What is added and changed comes before what is removed.
    pub(crate) fn split(self, most: usize) -> (Self, Self) {
        let Self { mut add, mut change, mut remove } = self;
        let changes = change.split_off(change.len().min(most));
        let adds = add.split_off(add.len().min(most - change.len()));
        let removes = remove.split_off(remove.len().min(most - change.len() - add.len()));
        (Self { add, change, remove }, Self { add: adds, change: changes, remove: removes })
    }

    /// The part of it that the zone shows now, and the part that it does not.
    pub(crate) fn done(self, now: &[Held]) -> (Self, Self) {
        let shown: BTreeSet<_> = now.iter().map(Held::key).collect();
        let is_there = |it: &Record| shown.contains(&it.key());
        let (mut done, mut open) = (Self::default(), Self::default());
        for it in self.add {
            if is_there(&it) { &mut done } else { &mut open }.add.push(it);
        }
        for it in self.change {
            let stands = now.iter().any(|held| it.after.stands_as(held));
            if stands { &mut done } else { &mut open }.change.push(it);
        }
        for it in self.remove {
            if shown.contains(&it.key()) { &mut open } else { &mut done }.remove.push(it);
        }
        (done, open)
    }

    /// What takes it back, where the zone still is as this left it; and what is otherwise now.
    pub(crate) fn inverse(&self, now: &[Held]) -> (Self, Vec<Record>) {
        let find = |it: &Record| now.iter().find(|held| held.key() == it.key());
        let (mut back, mut otherwise) = (Self::default(), Vec::new());
        for it in &self.add {
            match find(it) {
                Some(held) => back.remove.push(held.clone()),
                None => otherwise.push(it.clone()),
            }
        }
        for it in &self.change {
            match find(&it.after) {
                Some(held) => back.change.push(Changed { before: held.clone(), after: it.before.record() }),
                None => otherwise.push(it.after.clone()),
            }
        }
        for it in &self.remove {
            match find(&it.record()) {
                Some(_) => otherwise.push(it.record()),
                None => back.add.push(it.record()),
            }
        }
        (back, otherwise)
    }
}
