//! The job of mapping: some units in each step.

use std::collections::{BTreeMap, HashMap};

use kit::clusters::Vectors;
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Degraded, Progress};

use super::evidence::Evidence;
use super::{Unit, units};
use crate::stored::{Cluster, Counts, Keyword, Mapped, Set};

/// Units of one step.
const MAX_UNITS: usize = 2_000;
/// Rows that one step writes.
const MAX_ROWS: usize = 12_000;
/// The distance up to which two clusters on one page say the same.
const CONFLICT: f64 = 0.2;
/// Clusters of one page that are compared with each other.
const COMPARED: usize = 200;
/// Conflicts that are told; all are counted.
const TOLD: usize = 50;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) set_ref: Id<Set>,
    pub(super) min_score: f64,
    pub(super) lock_manual: bool,
}

/// Two clusters on one page that say nearly the same.
#[value]
pub(crate) struct Conflict {
    url: String,
    /// The names of both.
    clusters: Vec<String>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// Units that are mapped.
    at: usize,
    mapped: u64,
    new_pages: u64,
    kept: u64,
    degraded: Vec<Degraded>,
}

/// The result of a mapping.
#[value]
pub(crate) struct Outcome {
    /// Clusters and keywords with a page that there is.
    mapped: u64,
    /// Clusters and keywords that need a new page.
    new_pages: u64,
    /// Of the mapped ones, those whose page you chose.
    kept: u64,
    /// Pairs of clusters on one page that say nearly the same.
    conflicts: u64,
    /// The first 50 of them.
    conflict_list: Vec<Conflict>,
    degraded: Vec<Degraded>,
}

/// Maps some units.
#[step]
pub(crate) fn map(
    cx: &Cx,
    payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut state = checkpoint.unwrap_or_default();
    let set = cx.records::<Set>().get(&payload.set_ref)?;
    let site = site::get(cx, &Id::new(set.site_id.clone()))?;
    let units = units(cx, &set);
    let evidence = Evidence::read(cx, &site, &set)?;
    let mut keywords: BTreeMap<Id<Keyword>, Keyword> = BTreeMap::new();
    let mut clusters: BTreeMap<Id<Cluster>, Cluster> = BTreeMap::new();
    let before = state.at;
    while state.at < units.len() && state.at - before < MAX_UNITS && keywords.len() < MAX_ROWS {
        let unit = &units[state.at];
        state.at += 1;
        let mapped = mapped(&payload, &evidence, unit, &mut state);
        for row in &unit.rows {
            keywords.insert(row.id.clone(), Keyword { mapped: Some(mapped.clone()), ..row.it.clone() });
        }
        if let Some(cluster) = &unit.cluster {
            clusters.insert(cluster.id.clone(), Cluster { mapped: Some(mapped), ..cluster.it.clone() });
        }
    }
    let done = keywords.len() as u64;
    if !keywords.is_empty() {
        cx.records::<Keyword>().put_many_as(keywords.iter())?;
    }
    if !clusters.is_empty() {
        cx.records::<Cluster>().put_many_as(clusters.iter())?;
    }
    let progress = Progress::new(state.at as u64, units.len() as u64, "mapping");
    if state.at < units.len() {
        return Ok(Step::next(state, progress).units(done));
    }
    state.degraded = evidence.degraded;
    let mut counts = Counts::default();
    crate::set::keywords(cx, &set.id).for_each(|row| counts.add(&row));
    let now = cx.now().millis();
    cx.records::<Set>().update(&set.id, |set| (set.counts, set.mapped_ms) = (counts, Some(now)))?;
    // Read anew rather than handed from step to step: the names of 100,000 keywords are more than a checkpoint holds.
    let mut by_page: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for unit in &units {
        let main = unit.main();
        let mapped = keywords.get(&main.id).map_or(main.mapped.as_ref(), |row| row.mapped.as_ref());
        if let Some(mapped) = mapped.filter(|it| !it.new_page) {
            by_page.entry(mapped.url.clone()).or_default().push(main.normal.clone());
        }
    }
    let crowded = by_page.values().filter(|it| it.len() > COMPARED).count();
    if crowded > 0 {
        let why = format!(
            "{crowded} pages have more than {COMPARED} clusters; only the first {COMPARED} of each were compared"
        );
        state.degraded.push(Degraded::new("conflicts", why));
    }
    let (conflicts, conflict_list) = conflicts(&by_page, &set.language());
    let outcome = Outcome {
        mapped: state.mapped,
        new_pages: state.new_pages,
        kept: state.kept,
        conflicts,
        conflict_list,
        degraded: state.degraded,
    };
    Ok(Step::done(outcome, progress).units(done))
}

/// The page of a unit.
fn mapped(payload: &Payload, evidence: &Evidence<'_>, unit: &Unit, state: &mut Checkpoint) -> Mapped {
    let chosen = unit.rows.iter().find_map(|it| it.target_url.clone()).filter(|_| payload.lock_manual);
    let best = evidence.best(unit);
    let mapped = match (chosen, best) {
        (Some(url), best) => {
            state.kept += 1;
            let score = best.filter(|it| it.url == url).map_or(0.0, |it| it.score);
            Mapped { url, new_page: false, score }
        }
        (None, Some(best)) if best.score >= payload.min_score => {
            Mapped { url: best.url, new_page: false, score: best.score }
        }
        (None, best) => {
            let score = best.map_or(0.0, |it| it.score);
            Mapped { url: format!("/{}", slug(&unit.main().normal)), new_page: true, score }
        }
    };
    if mapped.new_page {
        state.new_pages += 1;
    } else {
        state.mapped += 1;
    }
    mapped
}

/// The path of a new page: the words of the main keyword with dashes.
fn slug(keyword: &str) -> String {
    let part = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    let dashed: String = keyword.chars().map(part).collect();
    dashed.split('-').filter(|it| !it.is_empty()).collect::<Vec<_>>().join("-")
}

/// Pairs of units on one page that say nearly the same.
fn conflicts(by_page: &BTreeMap<String, Vec<String>>, language: &str) -> (u64, Vec<Conflict>) {
    let analyzer = Analyzer::new(language);
    let names: Vec<&String> = by_page.values().flatten().collect();
    let terms = |name: &&String| {
        let letters: Vec<char> = name.chars().collect();
        let grams = letters.windows(3).map(|it| (it.iter().collect::<String>(), 0.5));
        analyzer.stems(name).into_iter().map(|it| (format!(" {it}"), 1.0)).chain(grams).collect::<Vec<_>>()
    };
    let vectors = Vectors::of(names.iter().map(terms));
    let (mut count, mut told, mut first) = (0, Vec::new(), 0);
    for (url, own) in by_page {
        let numbers: Vec<usize> = (first..first + own.len().min(COMPARED)).collect();
        first += own.len();
        let distances = vectors.distances(&numbers);
        let mut by_distance: HashMap<(usize, usize), f64> = HashMap::new();
        for one in 0..numbers.len() {
            for other in one + 1..numbers.len() {
                by_distance.insert((one, other), distances.between(one, other));
            }
        }
        let mut near: Vec<(usize, usize)> =
            by_distance.into_iter().filter(|it| it.1 < CONFLICT).map(|it| it.0).collect();
        near.sort_unstable();
        count += near.len() as u64;
        told.extend(
            near.into_iter()
                .map(|(a, b)| Conflict { url: url.clone(), clusters: vec![own[a].clone(), own[b].clone()] }),
        );
    }
    told.truncate(TOLD);
    (count, told)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{conflicts, slug};

    #[test]
    fn a_new_page_is_named_by_the_words_of_its_keyword() {
        assert_eq!((slug("c++ course, 10%").as_str(), slug("büro lampe").as_str()), ("c-course-10", "büro-lampe"));
    }

    #[test]
    fn clusters_on_one_page_that_say_the_same_are_a_conflict() {
        let names = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let by_page = BTreeMap::from([
            ("/lamps".to_owned(), names(&["desk lamps", "desk lamp", "oil lamp wick"])),
            ("/bulbs".to_owned(), names(&["light bulb"])),
        ]);
        let (count, told) = conflicts(&by_page, "en");
        assert_eq!((count, told[0].clusters.clone()), (1, names(&["desk lamps", "desk lamp"])));
    }
}
