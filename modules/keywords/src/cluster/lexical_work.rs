//! The job of clustering by words: connected parts of the keywords one by one, then the cut, then the clusters.

use kit::clusters::{THRESHOLDS, Tree, Vectors};
use kit::statistics::round;
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Degraded, Progress};

use super::groups::{self, Group};
use crate::stored::{Clustered, Set};
use kit::number::as_number;

/// Keywords of a part; the distances of all pairs are in memory.
const MAX_PART: usize = 3_000;
/// Pairs of keywords that one step compares.
const MAX_PAIRS: usize = 5_000_000;
/// The weight of a run of letters beside that of a word.
const LETTERS: f64 = 0.5;
/// Times that the job begins anew because keywords were added or removed meanwhile.
const MAX_RESTARTS: u32 = 3;

/// What the job works on.
#[value]
pub(crate) struct Payload {
    pub(super) set_ref: Id<Set>,
    pub(super) threshold: Option<f64>,
    pub(super) max_cluster: u64,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    /// The next part.
    part: usize,
    /// Blobs of trees.
    trees: usize,
    /// The sum of the silhouettes for each threshold.
    sums: Vec<f64>,
    /// Stands for the keywords that are clustered.
    keywords: String,
    restarts: u32,
    /// Whether frequent terms were left out.
    is_cut: bool,
    /// Clusters that are written, once they are known.
    written: Option<usize>,
    generation: u64,
    silhouette: Option<f64>,
    threshold: f64,
    counted: u64,
}

/// The result of a clustering.
#[value]
pub(crate) struct Outcome {
    clusters: u64,
    keywords: u64,
    /// The mean silhouette, -1 to 1; null when every keyword is alone, or all are together.
    silhouette: Option<f64>,
    /// The distance up to which keywords joined.
    threshold: f64,
    degraded: Vec<Degraded>,
}

/// Clusters some parts, or writes some clusters.
#[step]
pub(crate) fn lexical(
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
    let keywords: Vec<String> = groups::volumes(cx, &set.id).into_keys().collect();
    let stands = kit::text::hex(&kit::text::sha256(keywords.join("\n").as_bytes())[..8]);
    if state.keywords != stands {
        if state.restarts > MAX_RESTARTS {
            let message =
                "keywords were added or removed while they were clustered; start again when the import has ended";
            return Err(Fault::conflict("set_changed", message));
        }
        let (restarts, sums) = (state.restarts + 1, vec![0.0; THRESHOLDS.len()]);
        state = Checkpoint { keywords: stands, restarts, sums, ..Checkpoint::default() };
    }
    let analyzer = Analyzer::new(&set.language());
    let vectors = Vectors::of(keywords.iter().map(|keyword| terms(keyword, &analyzer)));
    let (parts, is_cut) = vectors.parts(MAX_PART);
    state.is_cut = is_cut;
    if state.part < parts.len() {
        let mut pairs = 0;
        let mut trees: Vec<(&[usize], Tree)> = Vec::new();
        while state.part < parts.len() && (pairs == 0 || pairs + square(&parts[state.part]) <= MAX_PAIRS) {
            let part = &parts[state.part];
            pairs += square(part).max(1);
            let distances = vectors.distances(part);
            let tree = distances.tree();
            for (sum, threshold) in state.sums.iter_mut().zip(THRESHOLDS) {
                let labels = tree.cut(threshold, usize::MAX);
                *sum += distances.silhouettes(&labels, part.len() < keywords.len());
            }
            trees.push((part, tree));
            state.part += 1;
        }
        cx.blobs().write(&blob(&set.id, state.trees), sdk::json!(trees).to_string().as_bytes())?;
        state.trees += 1;
        if state.part < parts.len() {
            let progress = Progress::new(state.part as u64, parts.len() as u64, "comparing keywords");
            return Ok(Step::next(state, progress));
        }
    }
    cut(cx, &payload, &set, &keywords, &mut state)?;
    Ok(Step::next(state, Progress::new(parts.len() as u64, parts.len() as u64, "cutting clusters")))
}

fn square(part: &[usize]) -> usize {
    part.len() * part.len() / 2
}

fn blob(set: &Id<Set>, at: usize) -> String {
    format!("clustering/{set}/{at}")
}

/// Stems, and runs of three to five letters within a word.
fn terms(keyword: &str, analyzer: &Analyzer) -> Vec<(String, f64)> {
    let mut terms = Vec::new();
    for word in keyword.split(' ') {
        let token = analyzer.token(word);
        if token.stop {
            continue;
        }
        let letters: Vec<char> = word.chars().collect();
        for size in 3..=5 {
            terms.extend(letters.windows(size).map(|it| (it.iter().collect::<String>(), LETTERS)));
        }
        terms.push((format!(" {}", token.stem), 1.0));
    }
    if terms.is_empty() {
        // Nothing but stop words: such keywords are only like themselves.
        terms.push((format!("  {keyword}"), 1.0));
    }
    terms
}

/// Cuts all trees at the threshold, applies manual edits, and keeps the groups for writing.
fn cut(cx: &Cx, payload: &Payload, set: &Stored<Set>, keywords: &[String], state: &mut Checkpoint) -> Result<()> {
    let better = |a: &usize, b: &usize| state.sums[*a].total_cmp(&state.sums[*b]).then_with(|| b.cmp(a));
    let best = (0..THRESHOLDS.len()).max_by(better).unwrap_or(0);
    let threshold = payload.threshold.unwrap_or(THRESHOLDS[best]);
    let sum = THRESHOLDS.iter().position(|it| (it - threshold).abs() < 1e-9).map(|at| state.sums[at]);
    let max_cluster = usize::try_from(payload.max_cluster).unwrap_or(usize::MAX);
    let mut groups: Vec<Group> = Vec::new();
    for at in 0..state.trees {
        let key = blob(&set.id, at);
        let trees: Vec<(Vec<usize>, Tree)> = groups::stored(cx, &key)?;
        for (part, tree) in trees {
            let labels = tree.cut(threshold, max_cluster);
            let first = groups.len();
            let count = labels.iter().max().map_or(0, |it| it + 1);
            groups.resize_with(first + count, || Group::of(Vec::new()));
            for (text, label) in part.iter().zip(labels) {
                groups[first + label].members.push(keywords[*text].clone());
            }
        }
        cx.blobs().remove(&key)?;
    }
    let groups = groups::apply(groups, &set.edits);
    groups::keep(cx, &set.id, &groups)?;
    state.counted = keywords.len() as u64;
    let several = groups.len() > 1 && groups.len() < keywords.len();
    state.silhouette = sum.filter(|_| several).map(|sum| round(sum / as_number(state.counted), 4));
    (state.threshold, state.generation, state.written) = (threshold, groups::next_generation(cx, set), Some(0));
    Ok(())
}

fn finish(cx: &Cx, set: &Stored<Set>, state: Checkpoint, clusters: u64) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let (silhouette, generation) = (state.silhouette, state.generation);
    let clustered = Clustered { by: "lexical".to_owned(), at_ms: cx.now().millis(), clusters, silhouette, generation };
    groups::finish(cx, &set.id, clustered)?;
    let mut degraded = Vec::new();
    if state.is_cut {
        let why = format!(
            "more than {MAX_PART} keywords hang together by frequent terms, so the most frequent ones were left out among them"
        );
        degraded.push(Degraded::new("frequent terms", why));
    }
    let outcome = Outcome { clusters, keywords: state.counted, silhouette, threshold: state.threshold, degraded };
    Ok(Step::done(outcome, Progress::new(clusters, clusters, "done")).units(state.counted))
}
