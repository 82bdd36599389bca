//! The job of clustering by results: fetches pages, clusters, writes.

use std::collections::{BTreeMap, HashMap};

use dataforseo::money;
use sdk::prelude::*;
use sdk::serde_json::json;
use sdk::{Degraded, Money, Progress};
use serps::{Fetching, normal_address, registrable};

use super::fetching::{self, DEPTH};
use super::groups::{self, Group};
use super::overlap::{Mode, clusters};
use super::pages;
use crate::stored::{Clustered, Set};

/// The percentage of keywords from which a domain is told as dominant.
const DOMINANT: usize = 30;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) set_ref: Id<Set>,
    pub(super) min_shared: u64,
    pub(super) mode: Mode,
    pub(super) max_fetch: u64,
    pub(super) max_age_days: u32,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    planned: bool,
    fetching: Fetching,
    written: Option<usize>,
    generation: u64,
    without_page: u64,
    keywords: u64,
    dominant: Vec<String>,
}

/// The result of a clustering.
#[value]
pub(crate) struct Outcome {
    clusters: u64,
    keywords: u64,
    /// Pages that were fetched.
    fetched: u64,
    /// Pages that were asked for in vain.
    failed: u64,
    /// Keywords without a page; each is a cluster of its own.
    without_page: u64,
    /// Domains among the first ten of more than 30 % of the keywords.
    dominant_domains: Vec<String>,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
}

/// Orders, collects, clusters or writes.
#[step]
pub(crate) fn serp(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let set = cx.records::<Set>().get(&payload.set_ref)?;
    if let Some(written) = state.written {
        let (written, count) = groups::write(cx, &set, state.generation, written)?;
        state.written = Some(written);
        if written < count {
            return Ok(Step::next(state, Progress::new(written as u64, count as u64, "writing clusters")));
        }
        return finish(cx, &set, state, count as u64);
    }
    if !state.planned {
        state.planned = true;
        state.fetching = Fetching::of(missing(cx, &payload, &set), cx.now().millis());
    }
    if state.fetching.goes_on(cx.now().millis()) {
        let wait = fetching::step(cx, &set, &mut state.fetching)?;
        let (done, open) = (state.fetching.done(), state.fetching.open());
        return Ok(Step::next(state, Progress::new(done, done + open, "fetching result pages")).after(wait));
    }
    state.fetching.give_up();
    cluster(cx, &payload, &set, &mut state)?;
    Ok(Step::next(state, Progress::new(1, 1, "comparing result pages")))
}

/// Keywords without a page that is young enough, those with the most searches first.
fn missing(cx: &Cx, payload: &Payload, set: &Stored<Set>) -> Vec<String> {
    let known = pages::newest(cx, set);
    let oldest = cx.now().day().plus(-i32::try_from(payload.max_age_days).unwrap_or(30));
    let mut missing: Vec<(i64, String)> = groups::volumes(cx, &set.id)
        .into_iter()
        .filter(|(keyword, _)| known.get(keyword).is_none_or(|it| it.date < oldest))
        .filter(|(keyword, _)| crate::normal::has_metrics(keyword))
        .map(|(keyword, volume)| (volume, keyword))
        .collect();
    missing.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    missing.truncate(usize::try_from(payload.max_fetch).unwrap_or(0));
    missing.into_iter().map(|it| it.1).collect()
}

/// Clusters the keywords by the addresses of their pages.
fn cluster(cx: &Cx, payload: &Payload, set: &Stored<Set>, state: &mut Checkpoint) -> Result<()> {
    let pages = pages::newest(cx, set);
    let mut keywords: Vec<(String, i64)> = groups::volumes(cx, &set.id).into_iter().collect();
    keywords.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut by_domain: BTreeMap<String, usize> = BTreeMap::new();
    let mut addresses: Vec<Vec<u32>> = Vec::with_capacity(keywords.len());
    for (keyword, _) in &keywords {
        let mut found: Vec<u32> = Vec::new();
        let mut domains: Vec<String> = Vec::new();
        for shown in pages.get(keyword).into_iter().flat_map(|it| &it.items).take(DEPTH) {
            let Some(address) = normal_address(&shown.url) else { continue };
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            let number = *numbers.entry(address).or_insert(next);
            if !found.contains(&number) {
                found.push(number);
            }
            domains.extend(registrable(&shown.url).filter(|it| !domains.contains(it)));
        }
        domains.into_iter().for_each(|domain| *by_domain.entry(domain).or_default() += 1);
        state.without_page += u64::from(found.is_empty());
        addresses.push(found);
    }
    let with_page = addresses.iter().filter(|it| !it.is_empty()).count();
    let is_dominant = |count: usize| count * 100 > with_page * DOMINANT;
    let mut dominant: Vec<(usize, String)> =
        by_domain.into_iter().filter(|it| is_dominant(it.1)).map(|(domain, count)| (count, domain)).collect();
    dominant.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    state.dominant = dominant.into_iter().take(20).map(|it| it.1).collect();
    let found = clusters(&addresses, usize::try_from(payload.min_shared).unwrap_or(4), payload.mode);
    let group = |members: Vec<usize>| Group::of(members.into_iter().map(|at| keywords[at].0.clone()).collect());
    groups::keep(cx, &set.id, &groups::apply(found.into_iter().map(group).collect(), &set.edits))?;
    state.keywords = keywords.len() as u64;
    (state.generation, state.written) = (groups::next_generation(cx, set), Some(0));
    Ok(())
}

fn finish(cx: &Cx, set: &Stored<Set>, state: Checkpoint, clusters: u64) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let (silhouette, generation) = (None, state.generation);
    let clustered = Clustered { by: "serp".to_owned(), at_ms: cx.now().millis(), clusters, silhouette, generation };
    groups::finish(cx, &set.id, clustered)?;
    let mut degraded = Vec::new();
    if state.without_page > 0 {
        let why = format!(
            "no result page of {} of {} keywords is stored; each of them is a cluster of its own",
            state.without_page, state.keywords
        );
        let again = json!({ "set_ref": set.id, "max_fetch": state.without_page.min(5_000) });
        degraded.push(Degraded::new("result pages", why).supplied_by("keywords.cluster.serp", again));
    }
    if let Some(why) = state.fetching.stopped_by.clone().filter(|_| state.fetching.failed > 0) {
        degraded.push(Degraded::new("fetching", why));
    }
    let outcome = Outcome {
        clusters,
        keywords: state.keywords,
        fetched: state.fetching.fetched,
        failed: state.fetching.failed,
        without_page: state.without_page,
        dominant_domains: state.dominant,
        provider_cost: money(state.fetching.cost_micros),
        degraded,
    };
    Ok(Step::done(outcome, Progress::new(clusters, clusters, "done")).units(state.keywords))
}
