//! The operation `websites.competitor.discover`, who else is shown for the website's keywords.
//!
//! `overlap(d) = Σ w(k) × CTR(position of d for k) ÷ Σ w(k) × CTR(1)` over all keywords `k` with a snapshot: the share of
//! all clicks that a domain could have if it stood first everywhere. `CTR` is `kit::ctr`.

use std::collections::{BTreeMap, BTreeSet};

use kit::ctr;
use kit::statistics::round;
use sdk::Degraded;
use sdk::prelude::*;

use super::{marketplaces, of};
use crate::stored::Website;
use serps::{Snapshot, SnapshotRecord};

/// Results that one call takes apart, of the 250 million units of fuel that a read may use.
const MOST_RESULTS: usize = 15_000;
/// The operations that bring snapshots, the first before the second.
const TRACK: &str = "rankings.tracker.create";
const CHECK: &str = "rankings.check.run";
/// Snapshots asked for at once: one can hold a hundred results.
const CHUNK: u64 = 50;
/// Keywords shown of one candidate.
const EXAMPLES: usize = 5;

#[args]
pub(crate) struct Discover {
    /// The website, as listed.
    site_id: Id<Website>,
    /// The fewest keywords that a candidate is shown for.
    #[default(5)]
    min_shared: Count<2, 1_000>,
    /// At most this many.
    #[default(20)]
    limit: Count<1, 50>,
    /// Leaves out marketplaces, directories, encyclopedias and social networks, which are shown for almost everything.
    #[default(false)]
    drop_marketplaces: bool,
}

/// A keyword that a candidate is shown for.
#[value]
pub(crate) struct Example {
    /// The keyword.
    keyword: String,
    /// The candidate's best position.
    position: u32,
    /// The website's own best position; null when it is not shown.
    own_position: Option<u32>,
}

/// A likely competitor.
#[value]
pub(crate) struct Candidate {
    /// The registrable domain.
    domain: String,
    /// From 0 to 1: its share of the clicks that one could have who stood first for every keyword.
    overlap: f64,
    /// Keywords that it is shown for.
    shared_keywords: u32,
    /// Of these, where it stands before the website, or the website is not shown.
    ahead: u32,
    /// Whether `websites.competitor.set` has it already.
    tracked: bool,
    /// The keywords that count most.
    examples: Vec<Example>,
}

/// Likely competitors.
#[value]
pub(crate) struct Discovered {
    /// The most overlap first.
    candidates: Vec<Candidate>,
    /// The same number of the website itself, to compare with.
    own_overlap: f64,
    /// Keywords with a snapshot.
    keywords: u32,
    /// `volume` when all of them have searches a month, `keyword` when each counts as one.
    weighted_by: String,
    /// Candidates that were left out as marketplaces and their like.
    dropped: Vec<String>,
    /// The days of the oldest and newest snapshot that counts.
    snapshots: Option<[Day; 2]>,
    /// What could not be considered, in words.
    degraded: Vec<Degraded>,
}

/// Ranks likely organic competitors from stored SERP snapshots by position-weighted overlap (sum of CTR weights on shared keywords) with shared keyword counts.
///
/// Of each keyword and market the newest snapshot counts, and of each domain its best position. Without snapshots the list
/// is empty and `degraded` says what brings them.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = [
        "who are my competitors in search",
        "find rival websites for my keywords",
        "which domains rank where I want to rank",
        "suggest competitors to track",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "min_shared": 3, "limit": 10, "drop_marketplaces": true },
    ]
)]
pub(crate) fn discover(cx: &Cx, args: Discover) -> Result<Discovered> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let (newest, mut degraded) = snapshots(cx, &site.id)?;
    if newest.is_empty() {
        degraded.push(Degraded::new(
            "search_results",
            format!("no search results are stored for this website; {TRACK} and then {CHECK} bring them"),
        ));
    }
    let by_volume = !newest.is_empty() && newest.iter().all(|it| it.volume.is_some_and(|volume| volume > 0));
    #[expect(clippy::cast_precision_loss, reason = "searches a month are far below 2^52")]
    let weight = |it: &SnapshotRecord| if by_volume { it.volume.unwrap_or(1) as f64 } else { 1.0 };
    let most: f64 = newest.iter().map(|it| weight(it) * ctr::expected(1.0)).sum();
    let mut shown: BTreeMap<String, Vec<(f64, Example)>> = BTreeMap::new();
    for snapshot in &newest {
        let best = best(snapshot);
        let own_position = best.get(&site.registrable_domain).copied();
        for (domain, position) in best {
            let share = weight(snapshot) * ctr::expected(f64::from(position));
            let example = Example { keyword: snapshot.keyword.clone(), position, own_position };
            shown.entry(domain).or_default().push((share, example));
        }
    }
    let overlap =
        |rows: &[(f64, Example)]| rows.iter().map(|(share, _)| share).sum::<f64>() / most.max(f64::MIN_POSITIVE);
    let own_overlap = shown.remove(&site.registrable_domain).map_or(0.0, |rows| overlap(&rows));
    let tracked: BTreeSet<String> = of(cx, &site.id).into_iter().collect();
    let least = usize::try_from(args.min_shared.get()).unwrap_or(usize::MAX);
    let fit = shown.into_iter().map(|(domain, rows)| (keywords(rows), domain)).filter(|(rows, _)| rows.len() >= least);
    let (dropped, kept): (Vec<_>, Vec<_>) =
        fit.partition(|(_, domain)| args.drop_marketplaces && marketplaces::is_one(domain));
    let mut candidates: Vec<Candidate> = kept
        .into_iter()
        .map(|(mut rows, domain)| {
            let overlap = round(overlap(&rows), 6);
            rows.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.keyword.cmp(&b.1.keyword)));
            let before = |it: &&(f64, Example)| it.1.own_position.is_none_or(|own| it.1.position < own);
            Candidate {
                overlap,
                shared_keywords: count(rows.len()),
                ahead: count(rows.iter().filter(before).count()),
                tracked: tracked.contains(&domain),
                examples: rows.into_iter().take(EXAMPLES).map(|(_, example)| example).collect(),
                domain,
            }
        })
        .collect();
    candidates.sort_by(|a, b| b.overlap.total_cmp(&a.overlap).then_with(|| a.domain.cmp(&b.domain)));
    candidates.truncate(usize::try_from(args.limit.get()).unwrap_or(usize::MAX));
    let dates = || newest.iter().map(|it| it.date);
    Ok(Discovered {
        candidates,
        own_overlap: round(own_overlap, 6),
        keywords: count(newest.iter().map(|it| it.keyword.to_lowercase()).collect::<BTreeSet<_>>().len()),
        weighted_by: if by_volume { "volume" } else { "keyword" }.to_owned(),
        dropped: dropped.into_iter().map(|(_, domain)| domain).collect(),
        snapshots: dates().min().zip(dates().max()).map(|(first, last)| [first, last]),
        degraded,
    })
}

/// The newest snapshot of each keyword and market.
fn snapshots(cx: &Cx, site: &Id<Website>) -> Result<(Vec<SnapshotRecord>, Vec<Degraded>)> {
    let (mut newest, mut seen, mut results, mut cursor) = (Vec::new(), BTreeSet::new(), 0, None);
    loop {
        let page = cx.records::<Snapshot>().by("site_id_date").equals(site).descending().page(CHUNK, cursor)?;
        for row in page.items {
            results += row.0.items.len();
            if seen.insert((row.0.keyword.to_lowercase(), row.0.market.clone())) {
                newest.push(row.into_inner().0);
            }
        }
        cursor = page.next;
        if cursor.is_none() {
            return Ok((newest, Vec::new()));
        }
        if results >= MOST_RESULTS {
            let message = format!("only the newest {} snapshots were read, with {results} results", seen.len());
            return Ok((newest, vec![Degraded::new("snapshots", message)]));
        }
    }
}

/// The best position of each registrable domain.
fn best(snapshot: &SnapshotRecord) -> BTreeMap<String, u32> {
    let mut best: BTreeMap<String, u32> = BTreeMap::new();
    for item in snapshot.items.iter().filter(|it| it.position > 0) {
        let Ok(url) = kit::url::Url::parse(&item.url) else { continue };
        let host = url.host_str().unwrap_or_default();
        if let Some(domain) = kit::url::registrable_domain(host) {
            let position = best.entry(domain.to_owned()).or_insert(item.position);
            *position = item.position.min(*position);
        }
    }
    best
}

/// One row for each keyword: what several markets give together, with the best position.
fn keywords(rows: Vec<(f64, Example)>) -> Vec<(f64, Example)> {
    let mut by_keyword: BTreeMap<String, (f64, Example)> = BTreeMap::new();
    for (share, example) in rows {
        match by_keyword.get_mut(&example.keyword.to_lowercase()) {
            None => drop(by_keyword.insert(example.keyword.to_lowercase(), (share, example))),
            Some((sum, known)) => {
                *sum += share;
                if example.position < known.position {
                    *known = example;
                }
            }
        }
    }
    by_keyword.into_values().collect()
}

fn count(it: usize) -> u32 {
    u32::try_from(it).unwrap_or(u32::MAX)
}
