//! The job of a verification: looks up the names of addresses, and changes what is stored of those that are decided.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use sdk::prelude::*;
use sdk::{Degraded, Next, Progress, Question, json};
use serde::{Deserialize, Serialize};
use site::Site;
use visits::{Key, Verdict};

use super::{MOST, Payload, claimed, moved};
use crate::given::{Given, share};
use crate::import::claims::{self, Lists};
use crate::import::merge;
use crate::import::state::{self, Merge};
use crate::import::work::{end_turn, take_turn, tidy};
use crate::stored::Verification;

/// Addresses of one step.
const OF_STEP: usize = 200;
/// Networks that one answer lists.
const NETWORKS: usize = 100;
/// The largest blob that is read back.
const MAX_BLOB: u32 = 8 << 20;

/// What one step hands to the next; the rest is in a blob.
#[value]
pub(crate) enum Phase {
    Asking,
    Waiting,
    Merging,
}

/// What a family's claims came to.
#[value]
pub(crate) struct Share {
    family: String,
    hits: u64,
    verified_hits: u64,
    spoofed_hits: u64,
    unverified_hits: u64,
    /// The part of hits from addresses of its operator.
    verified_share: Option<f64>,
    spoofed_share: Option<f64>,
}

/// A network from which others used the name of a bot.
#[value]
pub(crate) struct Network {
    family: String,
    /// A /24 or a /48.
    network: String,
    hits: u64,
    /// Different addresses of it; null where sources keep nothing that tells them apart.
    addresses: Option<u64>,
}

/// The result of a verification.
#[value]
pub(crate) struct Verified {
    /// Addresses that were looked up, and what came of it.
    looked_up: u64,
    confirmed: u64,
    refuted: u64,
    /// Addresses whose names could not be had; they stay as they are, for 7 days after their import.
    unanswered: u64,
    /// Those with the most hits first.
    verified_share: Vec<Share>,
    /// The first 100 networks of impostors, those with the most hits first.
    spoofed: Vec<Network>,
    spoofed_total: u64,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// What the job remembers.
#[derive(Default, Serialize, Deserialize)]
struct State {
    /// Addresses that wait, each with the families that it said it is.
    open: Vec<(String, Vec<String>)>,
    /// Addresses and families that were decided: whether they are.
    known: Vec<(String, String, bool)>,
    unanswered: u64,
    dropped: u64,
    /// The months that change, and those of them that are left, by their first days.
    all: Vec<i32>,
    months: Vec<i32>,
    merge: Merge,
}

fn blob(site: &Id<Site>) -> String {
    format!("verify/{site}/state")
}

/// Looks up some addresses, or changes what is stored.
#[step]
pub(crate) fn verify(cx: &Cx, payload: Payload, checkpoint: Option<Phase>) -> Result<Step<Phase, Progress, Verified>> {
    let site = site::get(cx, &payload.site_id)?;
    let stored = cx.blobs().read(&blob(&site.id), 0, MAX_BLOB).unwrap_or_default();
    let mut state: State = match checkpoint {
        None => State::default(),
        Some(_) => sdk::serde_json::from_slice(&stored).unwrap_or_default(),
    };
    let step = match checkpoint {
        None => {
            tidy(cx, site.id.as_str())?;
            claims::refresh(cx)?;
            (state.open, state.dropped) = claimed(cx, &site.id, &payload.families)?;
            Step::next(Phase::Asking, Progress::new(0, state.open.len() as u64, "looking up addresses"))
        }
        Some(Phase::Asking) => {
            let left = state.open.split_off(state.open.len().min(OF_STEP));
            let asked = std::mem::replace(&mut state.open, left);
            ask(cx, &asked, &mut state);
            let open = state.open.len() as u64;
            let phase = if open == 0 { Phase::Waiting } else { Phase::Asking };
            let done = state.known.len() as u64 + state.unanswered;
            Step::next(phase, Progress::new(done, done + open, "looking up addresses")).units(asked.len() as u64)
        }
        Some(Phase::Waiting) => {
            if state.known.is_empty() {
                return end(cx, &site, &payload, &state);
            }
            if !take_turn(cx, &site.id, own(cx, &site.id).as_ref())? {
                let progress = Progress::new(0, None, "waiting for an import of this website");
                return Ok(Step::next(Phase::Waiting, progress).after(3_000));
            }
            state.all = moved::build(cx, &site.id, &state.known)?;
            state.months = state.all.clone();
            Step::next(Phase::Merging, Progress::new(0, state.months.len() as u64, "changing months"))
        }
        Some(Phase::Merging) => match state.months.first().copied() {
            Some(first) => {
                let changes = moved::changes(cx, &site.id, first);
                if merge::into_month(cx, &site.id, state::month(first), &changes, &mut state.merge)? {
                    state.months.remove(0);
                }
                Step::next(Phase::Merging, Progress::new(0, state.months.len() as u64, "changing months"))
            }
            None => {
                let runs = moved::added(cx, &site.id, &state.all);
                if merge::into_newest(cx, &site.id, &runs, &mut state.merge)? {
                    moved::clear(cx, &site.id, &state.all)?;
                    end_turn(cx, &site.id)?;
                    return end(cx, &site, &payload, &state);
                }
                Step::next(Phase::Merging, Progress::new(0, None, "changing visits"))
            }
        },
    };
    cx.blobs().write(&blob(&site.id), &sdk::serde_json::to_vec(&state).unwrap_or_default())?;
    Ok(step)
}

/// The job that this is.
fn own(cx: &Cx, site: &Id<Site>) -> Option<Id<Job>> {
    cx.records::<Verification>().find(&site.cast()).map(|it| Id::new(it.job_ref.clone()))
}

/// Looks up the names of addresses, and whether they lead back.
fn ask(cx: &Cx, asked: &[(String, Vec<String>)], state: &mut State) {
    let lists = Lists::stored(cx);
    let addresses: Vec<Option<IpAddr>> = asked.iter().map(|(it, _)| it.parse().ok()).collect();
    let reverse = addresses.iter().flatten().map(|it| Question::new(&bots::reverse(*it), "PTR"));
    let mut names = cx.dns().lookup_many(reverse).into_iter();
    // Names that could be the operator's: these must lead back.
    let mut forward: Vec<(usize, String)> = Vec::new();
    let mut outcomes: Vec<Option<Vec<String>>> = Vec::with_capacity(asked.len());
    for (at, address) in addresses.iter().enumerate() {
        let answer = address.and_then(|_| names.next());
        let found = answer.and_then(Result::ok).filter(|it| it.code == 0 || it.code == 3).map(|it| {
            let pointers = it.entries.into_iter().filter(|it| it.kind == "PTR").map(|it| it.text);
            pointers.map(|it| it.trim_end_matches('.').to_ascii_lowercase()).take(5).collect::<Vec<_>>()
        });
        for name in found.iter().flatten() {
            forward.push((at, name.clone()));
        }
        outcomes.push(found);
    }
    let kind = |at: usize| if addresses[at].is_some_and(|it| it.is_ipv6()) { "AAAA" } else { "A" };
    let answers = cx.dns().lookup_many(forward.iter().map(|(at, name)| Question::new(name, kind(*at))));
    let mut confirmed: BTreeSet<(usize, String)> = BTreeSet::new();
    let mut silent: BTreeSet<usize> = BTreeSet::new();
    for ((at, name), answer) in forward.into_iter().zip(answers) {
        match answer {
            Ok(answer) if answer.code == 0 || answer.code == 3 => {
                let leads = answer.entries.iter().any(|it| it.text.parse::<IpAddr>().ok() == addresses[at]);
                if leads {
                    confirmed.insert((at, name));
                }
            }
            _ => {
                silent.insert(at);
            }
        }
    }
    for (at, (text, families)) in asked.iter().enumerate() {
        for family in families {
            let Some(bot) = bots::family(family) else { continue };
            let listed = lists.judge(bot, addresses[at]);
            let is_own = confirmed.iter().any(|(of, name)| *of == at && bots::is_of(bot, name));
            let verdict = match (listed.0, &outcomes[at]) {
                (Verdict::Verified, _) => Some(true),
                _ if is_own => Some(true),
                (Verdict::Spoofed, _) => Some(false),
                // A family whose operator names no addresses waits for a list.
                _ if bot.suffixes.is_empty() => None,
                (Verdict::Unverified, Some(_)) if !silent.contains(&at) => Some(false),
                (Verdict::Unverified, _) => None,
            };
            match verdict {
                Some(verdict) => state.known.push((text.clone(), family.clone(), verdict)),
                None => state.unanswered += 1,
            }
        }
    }
}

/// Reports what the claims of the period came to.
fn end(cx: &Cx, site: &Stored<Site>, payload: &Payload, state: &State) -> Result<Step<Phase, Progress, Verified>> {
    cx.blobs().remove(&blob(&site.id))?;
    let given = Given::of(cx, &site.id, Some(payload.from), Some(payload.to))?;
    let is_wanted = |family: &str| payload.families.is_empty() || payload.families.iter().any(|it| it == family);
    let mut shares: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    given.bots(|_, family, verdict, _, _, it| {
        if is_wanted(family) && bots::family(family).is_some_and(bots::Bot::is_verifiable) {
            shares.entry(family.to_owned()).or_default()[verdict as usize] += it.hits;
        }
    })?;
    let mut networks: BTreeMap<(String, String), (u64, BTreeSet<String>)> = BTreeMap::new();
    let read = given.store.days(given.period, Key::IMPOSTORS, |key, _, it| {
        let Key::Impostor { family, network, mark } = key else { return };
        if is_wanted(family) {
            let (hits, marks) = networks.entry((family.to_owned(), network.to_owned())).or_default();
            *hits += it.hits;
            if !mark.is_empty() {
                marks.insert(mark.to_owned());
            }
        }
    });
    read.map_err(|why| why.at("/from"))?;
    let mut verified_share: Vec<Share> = shares.into_iter().map(of_family).collect();
    verified_share.sort_by(|a, b| b.hits.cmp(&a.hits).then_with(|| a.family.cmp(&b.family)));
    let mut spoofed: Vec<Network> = networks
        .into_iter()
        .map(|((family, network), (hits, marks))| {
            let addresses = (!marks.is_empty()).then_some(marks.len() as u64);
            Network { family, network, hits, addresses }
        })
        .collect();
    spoofed.sort_by(|a, b| b.hits.cmp(&a.hits).then_with(|| (&a.family, &a.network).cmp(&(&b.family, &b.network))));
    let spoofed_total = spoofed.len() as u64;
    spoofed.truncate(NETWORKS);
    let mut degraded = given.degraded.clone();
    degraded.extend(Lists::stored(cx).degraded());
    if state.dropped > 0 {
        let why =
            format!("{} requests are of addresses beyond the first {MOST}; call this again for them", state.dropped);
        degraded.push(Degraded::new("addresses", why));
    }
    let mut next = Vec::new();
    if spoofed_total > 0 {
        let report = json!({ "site_id": site.id });
        next.push(Next::new("logs.bot.report", report, "shows the bots with what is verified, and what is not"));
    }
    let confirmed = state.known.iter().filter(|it| it.2).count() as u64;
    let looked_up = state.known.len() as u64 + state.unanswered;
    let verified = Verified {
        looked_up,
        confirmed,
        refuted: state.known.len() as u64 - confirmed,
        unanswered: state.unanswered,
        verified_share,
        spoofed,
        spoofed_total,
        degraded,
        next,
    };
    Ok(Step::done(verified, Progress::new(looked_up, looked_up, "done")))
}

fn of_family((family, [unverified, verified, spoofed]): (String, [u64; 3])) -> Share {
    let hits = unverified + verified + spoofed;
    Share {
        family,
        hits,
        verified_hits: verified,
        spoofed_hits: spoofed,
        unverified_hits: unverified,
        verified_share: share(verified, hits),
        spoofed_share: share(spoofed, hits),
    }
}
