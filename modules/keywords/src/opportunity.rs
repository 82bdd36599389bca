//! The operation `keywords.opportunity.score`.

use std::collections::{BTreeMap, BTreeSet};

use kit::ctr::Curve;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, json};

use crate::difficulty::Judge;
use crate::item::view::{clusters, positions};
use crate::stored::{Intent, Keyword, Set};
use kit::number::as_number;

/// What is left of a chance that looks hopeless.
const MIN_FEASIBILITY: f64 = 0.05;
/// The chance of a keyword of which no difficulty is known.
const UNKNOWN: f64 = 0.5;
/// What is left of the chance when the target is before the first place that looks open.
const BEYOND: f64 = 0.5;
/// Clusters and pages that are told.
const MAX_SUMS: usize = 50;

/// What a click of an intent is worth beside others.
#[args]
pub(crate) struct Weights {
    /// 0.5 when left out.
    informational: Option<Decimal<0, 10_000>>,
    /// 1 when left out.
    commercial: Option<Decimal<0, 10_000>>,
    /// 1.2 when left out.
    transactional: Option<Decimal<0, 10_000>>,
    /// 0.1 when left out.
    navigational: Option<Decimal<0, 10_000>>,
    /// 1 when left out.
    local: Option<Decimal<0, 10_000>>,
}

impl Weights {
    fn of(weights: Option<&Self>, intent: Option<Intent>) -> f64 {
        let given = |it: Option<Decimal<0, 10_000>>, otherwise: f64| it.map_or(otherwise, Decimal::get);
        match intent {
            Some(Intent::Informational) => given(weights.and_then(|it| it.informational), 0.5),
            Some(Intent::Commercial) => given(weights.and_then(|it| it.commercial), 1.0),
            Some(Intent::Transactional) => given(weights.and_then(|it| it.transactional), 1.2),
            Some(Intent::Navigational) => given(weights.and_then(|it| it.navigational), 0.1),
            Some(Intent::Local) => given(weights.and_then(|it| it.local), 1.0),
            None => 1.0,
        }
    }
}

#[args(paged)]
pub(crate) struct Score {
    /// The set.
    set_ref: Id<Set>,
    /// The position that clicks are computed for.
    #[default(3)]
    target_position: Count<1, 10>,
    /// What clicks are worth by intent.
    intent_weights: Option<Weights>,
}

/// An opportunity.
#[value]
pub(crate) struct Row {
    keyword: String,
    volume: u64,
    /// Where the website stands; null when it was not found, which counts as no clicks now, or when nobody looked, as `degraded`
    /// says.
    position: Option<f64>,
    /// Clicks in a month that the target position would bring beside those of now.
    potential_clicks: f64,
    /// The difficulty: of the stored result page, else the provider's; null when neither is known, which counts as 50.
    difficulty: Option<f64>,
    /// The chance that is left, 0.05 to 1.
    feasibility: f64,
    intent: Option<Intent>,
    /// What a click is worth.
    intent_weight: f64,
    /// Potential clicks times chance times worth.
    score: f64,
    cluster: Option<String>,
    url: Option<String>,
    /// What examines the mapped page for the keyword; null without a page.
    fix: Option<Fix>,
}

/// Opportunities of a cluster or page together; a keyword counts once.
#[value]
#[derive(Default)]
pub(crate) struct Sum {
    /// The cluster's name, or the page.
    name: String,
    keywords: u64,
    potential_clicks: f64,
    score: f64,
}

/// Opportunities.
#[page]
pub(crate) struct Rows {
    /// Those with the highest score first.
    rows: Vec<Row>,
    /// Keywords in all with clicks to gain.
    total: u64,
    potential_clicks: f64,
    /// The 50 clusters with the highest scores.
    by_cluster: Vec<Sum>,
    /// The 50 pages with the highest scores.
    by_page: Vec<Sum>,
    /// The click rates by position that clicks are computed with.
    #[own]
    curve: String,
    degraded: Vec<Degraded>,
}

/// Scores keywords by clicks gained at a feasible position (volume × CTR model difference × intent value × feasibility) and sums by cluster and page.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "rows"),
    needs = ["store"],
    phrasings = ["which keywords are worth working on", "keyword opportunities by potential traffic", "prioritize my keywords", "where are the most clicks to gain"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "target_position": 1, "intent_weights": { "informational": 1 } }]
)]
pub(crate) fn score(cx: &Cx, args: Score) -> Result<Rows> {
    let set = crate::set::get(cx, &args.set_ref)?;
    let site = site::get(cx, &Id::new(set.site_id.clone()))?;
    let all: Vec<Stored<Keyword>> = crate::set::keywords(cx, &set.id).filter(|it| !it.excluded).collect();
    let pages = crate::cluster::pages::newest(cx, &set);
    let judge = Judge::new(cx, &site, &pages, &set.language());
    let wanted: BTreeSet<&str> = all.iter().map(|it| it.normal.as_str()).collect();
    let (positions, clusters) = (positions(cx, &set, &wanted), clusters(cx, &set));
    let curve = Curve::published();
    let target = as_number(u64::from(args.target_position));
    let (mut rows, mut without, mut guessed) = (Vec::new(), 0_u64, 0_u64);
    for row in &all {
        let Some(volume) = row.volume else {
            without += 1;
            continue;
        };
        let position = positions.by_keyword.get(&row.normal).map(|it| it.0);
        let now = position.map_or(0.0, |it| curve.at(it.max(1.0)));
        let potential = as_number(volume) * (curve.at(target) - now).max(0.0);
        if potential <= 0.0 {
            continue;
        }
        let judged = pages.get(&row.normal).map(|page| judge.judge(page));
        let difficulty = judged.as_ref().map(|it| it.difficulty).or_else(|| row.difficulty.map(f64::from));
        guessed += u64::from(difficulty.is_none());
        let mut feasibility = difficulty.map_or(UNKNOWN, |it| 1.0 - it / 100.0).max(MIN_FEASIBILITY);
        let first_open = judged.as_ref().and_then(|it| it.feasible);
        if judged.is_some() && first_open.is_none_or(|it| f64::from(it) > target) {
            feasibility = (feasibility * BEYOND).max(MIN_FEASIBILITY);
        }
        let intent_weight = Weights::of(args.intent_weights.as_ref(), row.known_intent());
        let url = row.page().filter(|it| it.starts_with("http")).map(str::to_owned);
        rows.push(Row {
            keyword: row.keyword.clone(),
            volume,
            position: position.map(|it| round(it, 2)),
            potential_clicks: round(potential, 1),
            difficulty,
            feasibility: round(feasibility, 4),
            intent: row.known_intent(),
            intent_weight,
            score: round(potential * feasibility * intent_weight, 2),
            cluster: clusters.get(&row.normal).map(|it| it.1.clone()),
            fix: url.as_ref().and_then(|url| site::examine(url, Some(&row.keyword))),
            url,
        });
    }
    rows.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.keyword.cmp(&b.keyword)));
    let mut degraded = judge.degraded;
    degraded.extend(positions.missing);
    if without > 0 {
        let why = format!("{without} keywords have no volume, so their clicks are not known");
        degraded
            .push(Degraded::new("volumes", why).supplied_by("keywords.metric.refresh", json!({ "set_ref": set.id })));
    }
    if guessed > 0 {
        let why =
            format!("{guessed} keywords have neither a stored result page nor a provider's difficulty and count as 50");
        degraded
            .push(Degraded::new("difficulty", why).supplied_by("keywords.cluster.serp", json!({ "set_ref": set.id })));
    }
    let (by_cluster, by_page) = (sums(&rows, |it| it.cluster.as_ref()), sums(&rows, |it| it.url.as_ref()));
    let (total, potential) = (rows.len() as u64, rows.iter().map(|it| it.potential_clicks).sum::<f64>());
    let page = args.window(rows)?;
    Ok(Rows {
        rows: page.items,
        next_cursor: page.next,
        total,
        potential_clicks: round(potential, 1),
        by_cluster,
        by_page,
        curve: "published: SISTRIX, July 2020".to_owned(),
        degraded,
    })
}

fn sums(rows: &[Row], name: impl Fn(&Row) -> Option<&String>) -> Vec<Sum> {
    let mut sums: BTreeMap<&String, Sum> = BTreeMap::new();
    for row in rows {
        let Some(name) = name(row) else { continue };
        let sum = sums.entry(name).or_insert_with(|| Sum { name: name.clone(), ..Sum::default() });
        sum.keywords += 1;
        sum.potential_clicks = round(sum.potential_clicks + row.potential_clicks, 1);
        sum.score = round(sum.score + row.score, 2);
    }
    let mut sums: Vec<Sum> = sums.into_values().collect();
    sums.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.name.cmp(&b.name)));
    sums.truncate(MAX_SUMS);
    sums
}
