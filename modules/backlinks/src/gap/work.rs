//! The job of a gap analysis: one competitor a step, or one question of the provider.

use std::collections::{BTreeMap, BTreeSet};

use dataforseo::{Account, money};
use sdk::prelude::*;
use sdk::{Degraded, Money, Next, Progress, json};
use serde::{Deserialize, Serialize};
use site::Site;

use crate::listing::rating;
use crate::stored::{Links, packed, unpacked};
use crate::subject::subject;

/// Why an account is needed.
pub(super) const WHY: &str =
    "links to competitors come from the index of DataForSEO, which is asked by your own account";
const ENDPOINT: &str = "backlinks/domain_intersection/live";
/// Domains of one question.
const PAGE: u64 = 1_000;
/// Questions, and tries of one.
const QUESTIONS: u64 = 10;
const MAX_TRIES: u32 = 4;
/// What the first question is reckoned to cost, in millionths of a dollar, as documented in 2026-11.
const TASK_MICROS: u64 = 20_000;
const ROW_MICROS: u64 = 30;
const MAX_BLOB: u32 = 8 << 20;
/// Pages that a domain is shown with.
const EXAMPLES: usize = 3;
/// Domains of a competitor that are kept between steps: those with the best rating.
const KEPT: usize = 60_000;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) competitors: Vec<String>,
    pub(super) least: u64,
    pub(super) asks_provider: bool,
    pub(super) max: u64,
    pub(super) cost_cap: Option<f64>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// The next competitor, or question.
    at: u64,
    tries: u32,
    cost_micros: u64,
    is_asked: bool,
    degraded: Vec<Degraded>,
}

/// A domain that links to competitors.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Found {
    domain: String,
    /// The competitors, as bits in their order.
    competitors: u8,
    rating: Option<u8>,
    links: u64,
    examples: Vec<String>,
}

/// A domain that links to competitors and not to the website.
#[value]
pub(crate) struct Prospect {
    domain: String,
    linked_competitors: Vec<String>,
    /// The highest rating that a tool gives it, 0 to 100.
    rating: Option<u8>,
    /// Links to all these competitors.
    links: u64,
    /// Pages that link to them, where they are known.
    examples: Vec<String>,
}

/// The result of a gap analysis.
#[value]
pub(crate) struct Outcome {
    /// Those that link to the most competitors first, then those with the best rating.
    prospects: Vec<Prospect>,
    total: u64,
    /// Domains that link to enough competitors and to the website too.
    already_linking: u64,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Reads one competitor, asks one question, or ends.
#[step]
pub(crate) fn gap(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let name = format!("gap/{}", payload.site_id);
    let mut found: Vec<Found> = if state.at == 0 {
        Vec::new()
    } else {
        cx.blobs().read(&name, 0, MAX_BLOB).and_then(|it| unpacked(&it)).ok_or_else(|| {
            Fault::unavailable("storage_damaged", "what was found cannot be read; start the analysis again")
        })?
    };
    let steps = if payload.asks_provider { QUESTIONS } else { payload.competitors.len() as u64 };
    if state.is_asked || state.at >= steps {
        cx.blobs().remove(&name)?;
        return finish(cx, &payload, state, found);
    }
    let mut wait = 0;
    if payload.asks_provider {
        wait = ask(cx, &payload, &mut state, &mut found)?;
    } else {
        let at = usize::try_from(state.at).unwrap_or(0);
        found = read(cx, &payload, at, found)?;
        state.at += 1;
    }
    if found.len() > KEPT {
        found.sort_by_key(|it| std::cmp::Reverse(order(it)));
        found.truncate(KEPT);
        if !state.degraded.iter().any(|it| it.what == "domains") {
            let why = format!(
                "of very many domains the {KEPT} that link to the most competitors, then the best rated, were kept"
            );
            state.degraded.push(Degraded::new("domains", why));
        }
    }
    cx.blobs().write(&name, &packed(&found))?;
    let progress =
        Progress::new(state.at, steps, if payload.asks_provider { "asking for links" } else { "reading links" });
    Ok(Step::next(state, progress).after(wait))
}

fn order(it: &Found) -> (u32, Option<u8>, u64) {
    (it.competitors.count_ones(), it.rating, it.links)
}

/// Adds the domains of an imported competitor.
fn read(cx: &Cx, payload: &Payload, at: usize, found: Vec<Found>) -> Result<Vec<Found>> {
    let mut all: BTreeMap<String, Found> = found.into_iter().map(|it| (it.domain.clone(), it)).collect();
    let Some(domain) = payload.competitors.get(at) else { return Ok(all.into_values().collect()) };
    let rival = subject(cx, &payload.site_id, Some(domain))?;
    Links::of(cx, &rival.id).each(|link| {
        if link.is_lost() {
            return;
        }
        if !all.contains_key(link.domain()) {
            let domain = link.domain().to_owned();
            all.insert(domain.clone(), Found { domain, ..Found::default() });
        }
        let Some(it) = all.get_mut(link.domain()) else { return };
        it.competitors |= 1 << at;
        it.rating = it.rating.max(rating(&link));
        it.links += 1;
        if it.examples.len() < EXAMPLES && it.examples.last().is_none_or(|last| *last != link.source) {
            it.examples.push(link.source);
        }
    })?;
    Ok(all.into_values().collect())
}

/// Asks for the next domains; how long to wait before the next step.
fn ask(cx: &Cx, payload: &Payload, state: &mut Checkpoint, found: &mut Vec<Found>) -> Result<u32> {
    if dataforseo::is_beyond(payload.cost_cap, state.cost_micros, state.at, TASK_MICROS + PAGE * ROW_MICROS) {
        state.degraded.push(Degraded::new("domains", "the cap of costs was reached"));
        (state.is_asked, state.at) = (true, state.at.max(1));
        return Ok(0);
    }
    let site = site::get(cx, &payload.site_id)?;
    let account = Account::required(cx, "/competitors", WHY)?;
    let targets: BTreeMap<String, &String> =
        payload.competitors.iter().enumerate().map(|(at, it)| ((at + 1).to_string(), it)).collect();
    let task = json!({
        "targets": targets,
        "exclude_targets": [site.domain.trim_start_matches("www.")],
        "intersection_mode": "partial",
        "limit": PAGE,
        "offset": state.at * PAGE,
        "rank_scale": "one_hundred",
        "include_subdomains": true,
        "exclude_internal_backlinks": true,
        "backlinks_status_type": "live",
        "order_by": ["summary.intersections_count,desc", "1.rank,desc"],
    });
    match account.ask(ENDPOINT, &task) {
        Ok(answer) => {
            state.cost_micros += answer.cost_micros;
            (state.tries, state.at) = (0, state.at + 1);
            let mut last = u64::MAX;
            for item in answer.items() {
                let mut it = Found::default();
                for (number, target) in item["domain_intersection"].as_object().into_iter().flatten() {
                    let Some(at) = number.parse::<u32>().ok().and_then(|it| it.checked_sub(1)) else { continue };
                    // A member of the answer that is null is a competitor that the domain does not link to.
                    let Some(domain) = target["target"].as_str().filter(|_| at < 8) else { continue };
                    crate::link::registrable(domain).clone_into(&mut it.domain);
                    it.competitors |= 1 << at;
                    it.rating = it.rating.max(target["rank"].as_u64().and_then(|it| u8::try_from(it.min(100)).ok()));
                    it.links += target["backlinks"].as_u64().unwrap_or(0);
                }
                last = u64::from(it.competitors.count_ones());
                if !it.domain.is_empty() {
                    found.push(it);
                }
            }
            // They come by how many competitors they link to.
            let is_enough = found.len() as u64 >= payload.max * 2;
            state.is_asked = (answer.items().len() as u64) < PAGE || last < payload.least || is_enough;
            Ok(0)
        }
        Err(refusal) if refusal.passes() && state.tries < MAX_TRIES => {
            state.tries += 1;
            Ok(5_000 << state.tries.min(4))
        }
        Err(refusal) => {
            let fault = refusal.fault("/competitors");
            if state.at == 0 {
                return Err(fault);
            }
            state.degraded.push(Degraded::new("domains", format!("{}: {}", fault.code, fault.message)));
            state.is_asked = true;
            Ok(0)
        }
    }
}

fn finish(
    cx: &Cx,
    payload: &Payload,
    state: Checkpoint,
    mut found: Vec<Found>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut degraded = state.degraded.clone();
    let own = Links::of(cx, &payload.site_id);
    if own.profile.links == 0 {
        let import = json!({ "site_id": payload.site_id });
        let why = "no links to the website are imported, so domains that link to it already may be among these";
        degraded.push(Degraded::new("own_links", why).supplied_by("backlinks.import.run", import));
    }
    let mut linking: BTreeSet<String> = BTreeSet::new();
    own.each(|link| {
        if !link.is_lost() && !linking.contains(link.domain()) {
            linking.insert(link.domain().to_owned());
        }
    })?;
    found.retain(|it| {
        u64::from(it.competitors.count_ones()) >= payload.least && !payload.competitors.contains(&it.domain)
    });
    let before = found.len();
    found.retain(|it| !linking.contains(&it.domain));
    let already_linking = (before - found.len()) as u64;
    found.sort_by(|a, b| order(b).cmp(&order(a)).then_with(|| a.domain.cmp(&b.domain)));
    let total = found.len() as u64;
    found.truncate(usize::try_from(payload.max).unwrap_or(usize::MAX));
    let prospects: Vec<Prospect> = found
        .into_iter()
        .map(|it| {
            let named = payload.competitors.iter().enumerate().filter(|(at, _)| it.competitors & (1 << at) != 0);
            let linked_competitors = named.map(|it| it.1.clone()).collect();
            Prospect {
                domain: it.domain,
                linked_competitors,
                rating: it.rating,
                links: it.links,
                examples: it.examples,
            }
        })
        .collect();
    let mut next = Vec::new();
    if let Some(first) = prospects.iter().find_map(|it| it.examples.first()) {
        let check = json!({ "url": first });
        next.push(Next::new("onpage.link.check", check, "shows how the first one links to them"));
    }
    let units = prospects.len() as u64;
    let outcome =
        Outcome { prospects, total, already_linking, provider_cost: money(state.cost_micros), degraded, next };
    Ok(Step::done(outcome, Progress::new(units, units, "done")).units(units))
}
