//! The job of a gap analysis: two questions for each competitor, then clusters.

use std::collections::BTreeMap;

use dataforseo::{Account, Market, money};
use kit::clusters::Vectors;
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Degraded, Money, Progress, json};
use site::Site;

use crate::market::{Figures, WHY};
use crate::normal::normal;
use crate::stored::Intent;

const ENDPOINT: &str = "dataforseo_labs/google/domain_intersection/live";
/// The place beyond which the website is weak, and how far behind it is.
const WEAK_FROM: u64 = 20;
const BEHIND: u64 = 10;
/// The distance up to which keywords are one cluster.
const SAME: f64 = 0.6;
/// The most keywords that are clustered together.
const MAX_PART: usize = 3_000;
/// Tries of one question.
const MAX_TRIES: u32 = 4;
/// What the first question is reckoned to cost for each row, in millionths of a dollar, as documented in 2026-11: a hundredth
/// of a cent and the price of a task.
const ROW_MICROS: u64 = 100;
const TASK_MICROS: u64 = 10_000;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) site_id: Id<Site>,
    pub(super) competitors: Vec<Domain>,
    pub(super) country: Country,
    pub(super) language: Language,
    pub(super) limit: u64,
    pub(super) cost_cap: Option<f64>,
}

/// How much work a keyword is.
#[value]
pub(crate) enum Effort {
    /// A difficulty below 30.
    Low,
    /// Below 60.
    Medium,
    /// From 60 on.
    High,
    /// The difficulty is not known.
    Unknown,
}

/// A competitor's place.
#[value]
pub(crate) struct Place {
    domain: String,
    position: u64,
    url: Option<String>,
}

/// A keyword of competitors.
#[value]
pub(crate) struct Keyword {
    keyword: String,
    volume: Option<u64>,
    difficulty: Option<u8>,
    intent: Option<Intent>,
    effort: Effort,
    /// Competitors that rank for it, the best first.
    competitors: Vec<Place>,
    /// Where the website ranks; null when it does not.
    own_position: Option<u64>,
    /// The number of its cluster in `clusters`.
    cluster: u32,
}

/// Keywords that belong together.
#[value]
pub(crate) struct Cluster {
    /// The keyword with the most searches.
    name: String,
    keywords: u64,
    volume: u64,
    effort: Effort,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// The next question: two for each competitor.
    at: usize,
    tries: u32,
    rows: BTreeMap<String, Keyword>,
    cost_micros: u64,
    asked: u64,
    degraded: Vec<Degraded>,
}

/// The result of a gap analysis.
#[value]
pub(crate) struct Outcome {
    /// Keywords for which the website does not rank, those with the most searches first.
    missing: Vec<Keyword>,
    /// Keywords for which it ranks far lower.
    weak: Vec<Keyword>,
    /// Those with the most searches first.
    clusters: Vec<Cluster>,
    /// What the provider says that it cost.
    provider_cost: Money,
    degraded: Vec<Degraded>,
}

/// Asks one question, or ends.
#[step]
pub(crate) fn gap(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let questions = payload.competitors.len() * 2;
    let progress = |state: &Checkpoint| Progress::new(state.at as u64, questions as u64, "asking Labs");
    if state.at >= questions {
        let done = progress(&state);
        let units = state.rows.len() as u64;
        return Ok(Step::done(outcome(&payload, state), done).units(units));
    }
    let rival = payload.competitors[state.at / 2].clone();
    let is_weak = state.at % 2 == 1;
    // The rows are split evenly over the questions.
    let share = payload.limit.div_ceil(questions as u64).min(1_000);
    if is_beyond(&payload, &state, share) {
        let why = "the cap of costs was reached";
        state.degraded.push(Degraded::new(rival.to_string(), why));
        state.at = questions;
        return Ok(Step::next(state.clone(), progress(&state)));
    }
    let site = site::get(cx, &payload.site_id)?;
    let own = site.domain.trim_start_matches("www.").to_owned();
    let market = Market::of_labs(payload.country, &payload.language)?;
    let account = Account::required(cx, "/competitors", WHY)?;
    match account.ask(ENDPOINT, &question(&market, rival.as_str(), &own, share, is_weak)) {
        Ok(answer) => {
            state.cost_micros += answer.cost_micros;
            (state.tries, state.at, state.asked) = (0, state.at + 1, state.asked + 1);
            for item in answer.items() {
                take(&mut state.rows, item, rival.as_str(), payload.language.primary(), is_weak);
            }
        }
        Err(refusal) if refusal.passes() && state.tries < MAX_TRIES => {
            state.tries += 1;
            let wait = 5_000 << state.tries.min(4);
            return Ok(Step::next(state.clone(), progress(&state)).after(wait));
        }
        Err(refusal) => {
            let fault = refusal.fault("/competitors");
            if state.asked == 0 && state.at + 1 == questions {
                return Err(fault);
            }
            state.degraded.push(Degraded::new(rival.to_string(), format!("{}: {}", fault.code, fault.message)));
            (state.tries, state.at) = (0, state.at + 1);
        }
    }
    Ok(Step::next(state.clone(), progress(&state)))
}

/// Whether the next question may cost more than is left of the cap.
fn is_beyond(payload: &Payload, state: &Checkpoint, rows: u64) -> bool {
    dataforseo::is_beyond(payload.cost_cap, state.cost_micros, state.asked, TASK_MICROS + rows * ROW_MICROS)
}

fn question(market: &Market, rival: &str, own: &str, limit: u64, is_weak: bool) -> Value {
    let mut task = json!({ "target1": rival, "target2": own, "intersections": is_weak, "location_code": market.location,
        "language_code": market.language, "item_types": ["organic"], "limit": limit,
        "order_by": ["keyword_data.keyword_info.search_volume,desc"] });
    if is_weak {
        task["filters"] = json!([["second_domain_serp_element.rank_group", ">", BEHIND]]);
    }
    task
}

/// Takes an item into the rows.
fn take(rows: &mut BTreeMap<String, Keyword>, item: &Value, rival: &str, language: &str, is_weak: bool) {
    let Some(figures) = Figures::read(&item["keyword_data"]) else { return };
    let first = &item["first_domain_serp_element"];
    let (Some(position), own) =
        (first["rank_group"].as_u64(), item["second_domain_serp_element"]["rank_group"].as_u64())
    else {
        return;
    };
    if is_weak && own.is_none_or(|own| own <= WEAK_FROM && own < position + BEHIND) {
        return;
    }
    let effort = match figures.difficulty {
        None => Effort::Unknown,
        Some(0..30) => Effort::Low,
        Some(30..60) => Effort::Medium,
        Some(_) => Effort::High,
    };
    let row = rows.entry(normal(&figures.keyword, language)).or_insert_with(|| Keyword {
        keyword: figures.keyword,
        volume: figures.volume,
        difficulty: figures.difficulty,
        intent: figures.intent,
        effort,
        competitors: Vec::new(),
        own_position: own,
        cluster: 0,
    });
    row.own_position = row.own_position.or(own);
    row.competitors.push(Place { domain: rival.to_owned(), position, url: first["url"].as_str().map(str::to_owned) });
    row.competitors.sort_by_key(|it| it.position);
}

fn outcome(payload: &Payload, state: Checkpoint) -> Outcome {
    let analyzer = Analyzer::new(payload.language.primary());
    let mut rows: Vec<(String, Keyword)> = state.rows.into_iter().collect();
    rows.sort_by(|a, b| b.1.volume.cmp(&a.1.volume).then_with(|| a.0.cmp(&b.0)));
    rows.truncate(usize::try_from(payload.limit).unwrap_or(usize::MAX));
    let vectors = Vectors::of(rows.iter().map(|(normal, _)| {
        let stems = analyzer.query(normal).into_iter();
        stems.map(|stem| (stem, 1.0)).collect()
    }));
    let (parts, _) = vectors.parts(MAX_PART);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for part in parts {
        let labels = vectors.distances(&part).tree().cut(SAME, usize::MAX);
        let first = groups.len();
        groups.resize(first + labels.iter().max().map_or(0, |it| it + 1), Vec::new());
        part.iter().zip(labels).for_each(|(row, label)| groups[first + label].push(*row));
    }
    let volume = |group: &Vec<usize>| group.iter().filter_map(|at| rows[*at].1.volume).sum::<u64>();
    groups.sort_by(|a, b| volume(b).cmp(&volume(a)).then_with(|| a.cmp(b)));
    let (mut clusters, mut numbers) = (Vec::new(), Vec::new());
    for (number, group) in (0..).zip(&groups) {
        // Rows are in the order of their searches, so the first is the main one.
        let main = group.iter().min().copied().unwrap_or(0);
        clusters.push(Cluster {
            name: rows[main].1.keyword.clone(),
            keywords: group.len() as u64,
            volume: volume(group),
            effort: rows[main].1.effort,
        });
        numbers.extend(group.iter().map(|at| (*at, number)));
    }
    for (at, number) in numbers {
        rows[at].1.cluster = number;
    }
    let (weak, missing) = rows.into_iter().map(|it| it.1).partition(|it| it.own_position.is_some());
    Outcome { missing, weak, clusters, provider_cost: money(state.cost_micros), degraded: state.degraded }
}
