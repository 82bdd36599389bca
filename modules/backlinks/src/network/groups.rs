//! Groups of domains by what they share.
//!
//! A shared key weighs ln(N / n) times the weight of its kind, for n of N domains. Two domains belong together when they share keys
//! of two kinds or an id, and the sum is at least 3. Groups are what is connected so; the strength of one is 1 - e^(-mean / 3) over
//! its pairs.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;

use super::evidence::{Evidence, Kind};
use kit::number::as_number;

/// The sum from which two domains belong together.
const LEAST: f64 = 3.0;
/// Domains with one address network, set of name servers or template from which it is that of a big host: so many, or 2 %.
const BIG: usize = 20;
/// Bits in which two fingerprints of one template differ at most.
const BITS: u32 = 3;
/// Name servers of hosts and registrars that very many domains use (2026-11).
const PROVIDERS: [&str; 24] = [
    "domaincontrol.com",
    "registrar-servers.com",
    "googledomains.com",
    "google.com",
    "awsdns.com",
    "azure-dns.com",
    "ui-dns.com",
    "ionos.com",
    "ovh.net",
    "gandi.net",
    "hostgator.com",
    "bluehost.com",
    "dreamhost.com",
    "siteground.net",
    "wordpress.com",
    "wixdns.net",
    "squarespacedns.com",
    "nsone.net",
    "dnsimple.com",
    "digitalocean.com",
    "hetzner.com",
    "name-services.com",
    "worldnic.com",
    "hostinger.com",
];
/// What a result lists of what a group shares.
const LISTED: usize = 20;

/// Something that domains share.
#[value]
pub(crate) struct Shared {
    pub(crate) kind: Kind,
    pub(crate) key: String,
    pub(crate) domains: u64,
}

/// A group, by the numbers of its domains.
pub(crate) struct Found {
    pub(crate) members: Vec<usize>,
    pub(crate) shared: Vec<Shared>,
    pub(crate) strength: f64,
    /// Whether nothing but a tag manager's container decides it.
    pub(crate) by_container: bool,
}

/// The groups, the strongest first. `whole` is how many domains there are in all.
pub(crate) fn groups(all: &[Evidence], whole: usize) -> Vec<Found> {
    let keys = keys(all, whole);
    let whole = as_number(whole.max(all.len()) as u64);
    let mut pairs: BTreeMap<(usize, usize), (BTreeSet<Kind>, f64, bool)> = BTreeMap::new();
    for ((kind, key), of) in &keys {
        let weight = (whole / as_number(of.len() as u64)).ln() * kind.weight();
        // What half of all share cannot join two of them.
        if weight <= 0.0 || of.len() * 2 > all.len().max(4) && of.len() > BIG {
            continue;
        }
        for (at, a) in of.iter().enumerate() {
            for b in &of[at + 1..] {
                let pair = pairs.entry((*a, *b)).or_default();
                // Of one kind the rarest key counts, but every id does.
                if *kind == Kind::Id || pair.0.insert(*kind) {
                    pair.1 += weight;
                }
                pair.0.insert(*kind);
                pair.2 |= *kind == Kind::Id && !key.starts_with("GTM-");
            }
        }
    }
    pairs.retain(|_, it| it.1 >= LEAST && (it.0.len() >= 2 || it.0.contains(&Kind::Id)));
    let mut parents: Vec<usize> = (0..all.len()).collect();
    for (a, b) in pairs.keys() {
        let (a, b) = (root(&parents, *a), root(&parents, *b));
        parents[a.max(b)] = a.min(b);
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    (0..all.len()).for_each(|at| members.entry(root(&parents, at)).or_default().push(at));
    let mut sums: BTreeMap<usize, (f64, f64, bool)> = BTreeMap::new();
    for ((a, _), (kinds, sum, is_own)) in &pairs {
        let it = sums.entry(root(&parents, *a)).or_insert((0.0, 0.0, true));
        *it = (it.0 + sum, it.1 + 1.0, it.2 && kinds.len() == 1 && !is_own);
    }
    let mut out: Vec<Found> = Vec::new();
    for (at, members) in members.into_iter().filter(|it| it.1.len() > 1) {
        let (sum, count, by_container) = sums.get(&at).copied().unwrap_or_default();
        let inside: BTreeSet<usize> = members.iter().copied().collect();
        let mut shared: Vec<Shared> = keys
            .iter()
            .map(|((kind, key), of)| {
                let domains = of.iter().filter(|it| inside.contains(it)).count() as u64;
                Shared { kind: *kind, key: key.clone(), domains }
            })
            .filter(|it| it.domains > 1)
            .collect();
        shared.sort_by(|a, b| b.domains.cmp(&a.domains).then(a.kind.cmp(&b.kind)).then_with(|| a.key.cmp(&b.key)));
        shared.truncate(LISTED);
        out.push(Found { members, shared, strength: 1.0 - (-(sum / count.max(1.0)) / 3.0).exp(), by_container });
    }
    out.sort_by(|a, b| b.strength.total_cmp(&a.strength).then_with(|| a.members.cmp(&b.members)));
    out
}

/// Keys that more than one domain has, rarest first within a kind, with the domains.
fn keys(all: &[Evidence], whole: usize) -> Vec<((Kind, String), Vec<usize>)> {
    let mut keys: BTreeMap<(Kind, String), BTreeSet<usize>> = BTreeMap::new();
    for (at, it) in all.iter().enumerate() {
        let mut add = |kind: Kind, key: String| _ = keys.entry((kind, key)).or_default().insert(at);
        it.ids.iter().for_each(|id| add(Kind::Id, id.clone()));
        it.networks.iter().for_each(|network| add(Kind::Address, network.clone()));
        let is_own = it.servers.iter().all(|server| {
            let domain = crate::link::registrable(server);
            !PROVIDERS.contains(&domain) && !domain.starts_with("awsdns-")
        });
        if is_own && !it.servers.is_empty() {
            add(Kind::NameServers, it.servers.join(" "));
        }
        for (target, days) in &it.timing {
            add(Kind::Timing, format!("{target:016x} {days}"));
        }
    }
    for (number, group) in templates(all).into_iter().enumerate() {
        keys.insert((Kind::Template, format!("template {}", number + 1)), group.into_iter().collect());
    }
    let big = BIG.max(whole / 50);
    let mut out: Vec<((Kind, String), Vec<usize>)> = keys
        .into_iter()
        .filter(|((kind, _), of)| of.len() > 1 && (*kind == Kind::Id || of.len() <= big))
        .map(|(key, of)| (key, of.into_iter().collect()))
        .collect();
    out.sort_by(|a, b| (a.0.0, a.1.len(), &a.0.1).cmp(&(b.0.0, b.1.len(), &b.0.1)));
    out
}

/// Groups of like fingerprints.
fn templates(all: &[Evidence]) -> Vec<Vec<usize>> {
    let known: Vec<(usize, u64)> = all.iter().enumerate().filter_map(|(at, it)| Some((at, it.fingerprint?))).collect();
    let mut parents: Vec<usize> = (0..known.len()).collect();
    for a in 0..known.len() {
        for b in a + 1..known.len() {
            if kit::simhash::distance(known[a].1, known[b].1) <= BITS {
                let (first, second) = (root(&parents, a), root(&parents, b));
                parents[first.max(second)] = first.min(second);
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, (number, _)) in known.iter().enumerate() {
        groups.entry(root(&parents, at)).or_default().push(*number);
    }
    groups.into_values().filter(|it| it.len() > 1).collect()
}

fn root(parents: &[usize], mut at: usize) -> usize {
    while parents[at] != at {
        at = parents[at];
    }
    at
}
