//! The operation `rankings.share_of_voice.report`.

use std::collections::BTreeMap;

use kit::ctr;
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded, json};
use serps::Feature;

use crate::board::{Board, is_within};
use crate::demand::{PUBLISHED, Weights};
use crate::rows::{Row, Rows};
use crate::stored::Tracker;

/// What is left of the clicks of places below an AI overview: 34.5 % fewer. Ahrefs, "AI Overviews Reduce Clicks by 34.5%",
/// April 2025, 300,000 keywords.
const BELOW_OVERVIEW: f64 = 1.0 - 0.345;
/// What is left of the clicks of places below a featured snippet: 19.6 % instead of 26.0 % for the first one. Ahrefs, "Featured
/// Snippets: Everything You Need to Know", May 2017, 2 million snippets.
const BELOW_SNIPPET: f64 = 0.196 / 0.260;
/// Places that are counted. Click rates of these were measured; those below are drawn on, and all together they would be more
/// clicks than searches.
const PLACES: u32 = 10;
/// Topics, and domains of each.
const MAX_TOPICS: usize = 50;
const DOMAINS_OF_TOPIC: usize = 5;

/// What shares are told of.
#[value]
pub(crate) enum By {
    Domain,
    /// Also of each topic: the clusters of the set, else the first tags.
    Topic,
}

#[args]
pub(crate) struct Report {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// The newest check up to this day; the newest of all when left out.
    date: Option<Day>,
    /// What shares are told of.
    #[default("domain")]
    by: By,
    /// Domains, at most.
    #[default(20)]
    limit: Count<5, 100>,
}

/// The share of a domain.
#[value]
pub(crate) struct Share {
    /// A registrable domain.
    domain: String,
    /// Of all searches, those that end in a click on one of its first ten organic places.
    share: f64,
    /// The same with fewer clicks for places below an AI overview or a featured snippet.
    share_with_features: f64,
    /// Keywords for which it stands anywhere.
    keywords: u64,
    /// Whether it is the website's.
    own: bool,
    /// Whether it is a competitor of the tracker.
    competitor: bool,
}

/// The shares of a topic.
#[value]
pub(crate) struct Topic {
    topic: String,
    keywords: u64,
    /// The share of the website.
    own_share: f64,
    /// The five domains with the greatest shares.
    leaders: Vec<Leader>,
}

/// A domain of a topic.
#[value]
pub(crate) struct Leader {
    domain: String,
    share: f64,
}

/// Shares of voice. Those of all domains, of `other` and of `nobody` add up to 1.
#[value]
pub(crate) struct Voices {
    /// The greatest first.
    shares: Vec<Share>,
    /// The share of all domains that are not shown.
    other: f64,
    /// Searches that end without a click on one of the first ten organic results.
    nobody: f64,
    /// The share of the website, also where it is not among the shown ones.
    own_share: f64,
    /// With `by: topic`: the topics with the most keywords.
    by_topic: Vec<Topic>,
    /// Keywords with a result page, of which the shares are.
    n: u64,
    /// Domains in all.
    domains_total: u64,
    #[own]
    curve: String,
    /// What keywords counted by: `volume` or `equal`.
    #[own]
    weighted_by: String,
    /// The sources of what features take.
    #[own]
    feature_sources: Vec<String>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Computes each domain's share of expected clicks across the tracked result pages, organic and with features, by topic.
///
/// A domain's clicks are the searches of each keyword times the click rates of its organic places 1 to 10. What features take is
/// known for AI overviews and featured snippets alone; other features are not counted.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["share of voice against competitors", "who owns the search results for my topics", "which domains get the clicks of my keywords", "market share in search"],
    examples = [{ "tracker_ref": "tracker_01" }, { "tracker_ref": "tracker_01", "by": "topic", "limit": 50 }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Voices> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let check = board.newest(args.date)?;
    let rows = board.rows(&check)?;
    let with_page: Vec<&Row> = rows.rows.iter().filter(|it| !it.domains.is_empty()).collect();
    if with_page.is_empty() {
        let message = "no result page of this day is kept, only positions; rankings.check.run fetches pages";
        let run = json!({ "operation_id": "rankings.check.run", "arguments": { "tracker_ref": board.tracker.id } });
        return Err(Fault::conflict("no_pages", message).at("/tracker_ref").detail(run));
    }
    let weights = Weights::of(&board, with_page.iter().map(|it| it.keyword.as_str()));
    let sums = Sums::of(&board, &weights, &rows, with_page.iter().copied());
    let total = sums.demand.max(f64::MIN_POSITIVE);
    let own_domain = |domain: &str| is_within(&format!("https://{}/", board.host), domain);
    let mut all: Vec<Share> = sums
        .by_domain
        .iter()
        .map(|(number, sum)| {
            let domain = rows.domains.get(*number as usize).cloned().unwrap_or_default();
            Share {
                share: sum.clicks / total,
                share_with_features: sum.below / total,
                keywords: sum.keywords,
                own: own_domain(&domain),
                competitor: board.tracker.competitors.contains(&domain),
                domain,
            }
        })
        .filter(|it| !it.domain.is_empty())
        .collect();
    all.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.domain.cmp(&b.domain)));
    let domains_total = all.len() as u64;
    let own_share = all.iter().filter(|it| it.own).map(|it| it.share).sum::<f64>();
    let taken: f64 = all.iter().map(|it| it.share).sum();
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(20);
    let other: f64 = all.iter().skip(limit).map(|it| it.share).sum();
    all.truncate(limit);
    for share in &mut all {
        share.share = round(share.share, 6);
        share.share_with_features = round(share.share_with_features, 6);
    }
    let by_topic = if args.by == By::Topic { topics(&mut board, &weights, &rows, &with_page) } else { Vec::new() };
    board.tell_missing(&check, with_page.len());
    board.degraded.extend(weights.told.clone().map(|why| Degraded::new("volumes", why)));
    if !board.tracker.ai_overview && board.tracker.engine == crate::stored::Engine::Google {
        let why = "AI overviews that load later are not fetched by this tracker, so they take less here than they do";
        board.degraded.push(Degraded::new("ai_overview", why));
    }
    Ok(Voices {
        shares: all,
        other: round(other, 6),
        nobody: round((1.0 - taken).max(0.0), 6),
        own_share: round(own_share, 6),
        by_topic,
        n: with_page.len() as u64,
        domains_total,
        curve: PUBLISHED.to_owned(),
        weighted_by: weights.name().to_owned(),
        feature_sources: vec![
            "AI overview: 34.5 % fewer clicks below it, Ahrefs, April 2025".to_owned(),
            "featured snippet: 24.6 % fewer clicks below it, Ahrefs, May 2017".to_owned(),
        ],
        basis: board.basis(&check, with_page.len()),
        degraded: board.degraded,
    })
}

/// What a domain gets.
#[derive(Default)]
struct Sum {
    clicks: f64,
    /// With what features take.
    below: f64,
    keywords: u64,
}

struct Sums {
    by_domain: BTreeMap<u32, Sum>,
    demand: f64,
}

impl Sums {
    fn of<'r>(board: &Board<'_>, weights: &Weights, rows: &Rows, of: impl Iterator<Item = &'r Row>) -> Self {
        let nobody = rows.number("");
        let mut sums = Self { by_domain: BTreeMap::new(), demand: 0.0 };
        for row in of {
            let weight = weights.weight(board, &row.keyword);
            sums.demand += weight;
            let left = left(row);
            let mut seen: Vec<u32> = Vec::new();
            for (place, domain) in (1_u32..).zip(&row.domains) {
                if Some(*domain) == nobody {
                    continue;
                }
                let rate = if place <= PLACES { ctr::expected(f64::from(place)) } else { 0.0 };
                let sum = sums.by_domain.entry(*domain).or_default();
                sum.clicks += weight * rate;
                sum.below += weight * rate * left;
                if !seen.contains(domain) {
                    seen.push(*domain);
                    sum.keywords += 1;
                }
            }
        }
        sums
    }
}

/// What the elements above the first result leave of its clicks.
fn left(row: &Row) -> f64 {
    let mut left = 1.0;
    for (feature, absolute) in &row.features {
        // One whose place is not known counts as above: both kinds stand there as a rule.
        let above = *absolute == 0 || row.first == 0 || *absolute < row.first;
        match feature {
            Feature::AiOverview if above => left *= BELOW_OVERVIEW,
            Feature::FeaturedSnippet if above => left *= BELOW_SNIPPET,
            _ => {}
        }
    }
    left
}

fn topics(board: &mut Board<'_>, weights: &Weights, rows: &Rows, of: &[&Row]) -> Vec<Topic> {
    let topics = board.topics();
    if topics.is_empty() {
        let why = "the keywords of the set have neither clusters nor tags, so there are no topics";
        let cluster = json!({ "set_ref": board.tracker.set_ref });
        board.degraded.push(Degraded::new("topics", why).supplied_by("keywords.cluster.lexical", cluster));
    }
    let mut by_topic: BTreeMap<&String, Vec<&Row>> = BTreeMap::new();
    for row in of {
        if let Some(topic) = topics.get(&row.keyword) {
            by_topic.entry(topic).or_default().push(row);
        }
    }
    let mut found: Vec<Topic> = Vec::new();
    for (topic, of) in by_topic {
        let sums = Sums::of(board, weights, rows, of.iter().copied());
        let total = sums.demand.max(f64::MIN_POSITIVE);
        let mut leaders: Vec<Leader> = sums
            .by_domain
            .iter()
            .filter_map(|(number, sum)| {
                let domain = rows.domains.get(*number as usize)?.clone();
                Some(Leader { domain, share: round(sum.clicks / total, 6) })
            })
            .collect();
        leaders.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.domain.cmp(&b.domain)));
        let own = format!("https://{}/", board.host);
        let own_share = leaders.iter().filter(|it| is_within(&own, &it.domain)).map(|it| it.share).sum();
        leaders.truncate(DOMAINS_OF_TOPIC);
        found.push(Topic { topic: topic.clone(), keywords: of.len() as u64, own_share: round(own_share, 6), leaders });
    }
    found.sort_by(|a, b| b.keywords.cmp(&a.keywords).then_with(|| a.topic.cmp(&b.topic)));
    found.truncate(MAX_TOPICS);
    found
}
