//! What is to be done to a zone, record by record: from what is wanted and what is there.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

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

/// Name, kind, content and priority, as they are compared.
pub(crate) type Key = (String, String, String, Option<u16>);

impl Held {
    /// What makes it what it is.
    pub(crate) fn key(&self) -> Key {
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
    pub(crate) fn key(&self) -> Key {
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
    let mut pools: HashMap<(String, &str), Pool<'_>> = HashMap::new();
    for it in held {
        pools.entry((it.name.to_ascii_lowercase(), it.r#type.as_str())).or_default().put(it);
    }
    let mut plan = Plan::default();
    let mut used: HashSet<&str> = HashSet::new();
    let mut open: Vec<&Record> = Vec::new();
    for it in wanted {
        // The priority is no part of what a record is: an MX that moves is changed.
        let pool = pools.get_mut(&(it.name.clone(), it.r#type.as_str()));
        match pool.and_then(|pool| first(pool.same.get_mut(&it.content), &mut used)) {
            Some(held) if it.stands_as(held) => {}
            Some(held) => plan.change.push(Changed { before: held.clone(), after: it.clone() }),
            None => open.push(it),
        }
    }
    for it in open {
        let old = pools.get_mut(&(it.name.clone(), it.r#type.as_str())).and_then(|pool| {
            if replace {
                return first(Some(&mut pool.all), &mut used);
            }
            let version = single(&it.r#type, &it.name, &it.content)?;
            first(pool.versions.get_mut(version), &mut used)
        });
        match old {
            Some(held) => plan.change.push(Changed { before: held.clone(), after: it.clone() }),
            None => plan.add.push(it.clone()),
        }
    }
    let named: HashSet<(&str, &str)> = wanted.iter().map(|it| (it.name.as_str(), it.r#type.as_str())).collect();
    let left = |it: &&Held| {
        replace
            && named.contains(&(it.name.to_ascii_lowercase().as_str(), it.r#type.as_str()))
            && !used.contains(it.record_id.as_str())
    };
    (plan, held.iter().filter(left).cloned().collect())
}

/// The records of one name and kind, by what they are looked for by.
#[derive(Default)]
struct Pool<'a> {
    same: HashMap<String, VecDeque<&'a Held>>,
    versions: HashMap<&'static str, VecDeque<&'a Held>>,
    all: VecDeque<&'a Held>,
}

impl<'a> Pool<'a> {
    fn put(&mut self, held: &'a Held) {
        let (name, kind, content, _) = held.key();
        if let Some(version) = single(&kind, &name, &content) {
            self.versions.entry(version).or_default().push_back(held);
        }
        self.same.entry(content).or_default().push_back(held);
        self.all.push_back(held);
    }
}

/// The first one that was not used yet; from then on it is.
fn first<'a>(queue: Option<&mut VecDeque<&'a Held>>, used: &mut HashSet<&'a str>) -> Option<&'a Held> {
    let queue = queue?;
    while let Some(held) = queue.pop_front() {
        if used.insert(held.record_id.as_str()) {
            return Some(held);
        }
    }
    None
}

/// Records by all that makes them what they are.
pub(crate) fn by_key(held: &[Held]) -> HashMap<Key, &Held> {
    held.iter().map(|it| (it.key(), it)).collect()
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

    pub(crate) fn extend(&mut self, other: Self) {
        self.add.extend(other.add);
        self.change.extend(other.change);
        self.remove.extend(other.remove);
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

    /// Its first steps, at most so many, and the rest. What is added and changed comes before what is removed, but where
    /// something else takes its place at a name: an alias has to go with the very step that adds what follows it.
    pub(crate) fn split(mut self, most: usize) -> (Self, Self) {
        let added: HashSet<String> = self.add.iter().map(|it| it.name.clone()).collect();
        let mut swapped: Vec<String> = self.remove.iter().map(|it| it.name.to_ascii_lowercase()).collect();
        swapped.retain(|name| added.contains(name));
        if swapped.is_empty() {
            return self.first(most);
        }
        swapped.sort();
        swapped.dedup();
        // A name has few records of each kind: so many names stay below what a provider takes at once.
        swapped.truncate((most / 8).max(1));
        let is_swapped = |name: &str| swapped.binary_search(&name.to_ascii_lowercase()).is_ok();
        let (add, adds) = std::mem::take(&mut self.add).into_iter().partition(|it: &Record| is_swapped(&it.name));
        let (remove, removes) =
            std::mem::take(&mut self.remove).into_iter().partition(|it: &Held| is_swapped(&it.name));
        (Self { add, change: Vec::new(), remove }, Self { add: adds, change: self.change, remove: removes })
    }

    fn first(self, most: usize) -> (Self, Self) {
        let Self { mut add, mut change, mut remove } = self;
        let changes = change.split_off(change.len().min(most));
        let adds = add.split_off(add.len().min(most - change.len()));
        let removes = remove.split_off(remove.len().min(most - change.len() - add.len()));
        (Self { add, change, remove }, Self { add: adds, change: changes, remove: removes })
    }

    /// The part of it that the zone shows now, and the part that it does not.
    pub(crate) fn done(self, now: &HashMap<Key, &Held>) -> (Self, Self) {
        let (mut done, mut open) = (Self::default(), Self::default());
        for it in self.add {
            if now.contains_key(&it.key()) { &mut done } else { &mut open }.add.push(it);
        }
        for it in self.change {
            let stands = now.get(&it.after.key()).is_some_and(|held| it.after.stands_as(held));
            if stands { &mut done } else { &mut open }.change.push(it);
        }
        for it in self.remove {
            if now.contains_key(&it.key()) { &mut open } else { &mut done }.remove.push(it);
        }
        (done, open)
    }

    /// What takes it back, where the zone still is as this left it; and what is otherwise now.
    pub(crate) fn inverse(&self, now: &HashMap<Key, &Held>) -> (Self, Vec<Record>) {
        let find = |it: &Record| now.get(&it.key()).map(|held| (*held).clone());
        let (mut back, mut otherwise) = (Self::default(), Vec::new());
        for it in &self.add {
            match find(it) {
                Some(held) => back.remove.push(held),
                None => otherwise.push(it.clone()),
            }
        }
        for it in &self.change {
            match find(&it.after) {
                Some(held) => back.change.push(Changed { before: held, after: it.before.record() }),
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
