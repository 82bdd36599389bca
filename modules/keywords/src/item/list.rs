//! The operation `keywords.item.list`.

use std::collections::BTreeSet;

use filter::{Condition, Filter, sort_of, sorted};
use kit::statistics::round;
use sdk::Degraded;
use sdk::prelude::*;

use super::view::{Beside, FIELDS, PositionSource, clusters, positions, values};
use crate::normal::has_metrics;
use crate::stored::{Cluster, Intent, Keyword, Priority, Set, Variant};

#[args(paged)]
pub(crate) struct Listing {
    /// The set.
    set_ref: Id<Set>,
    /// Conditions that must all hold.
    filter: Option<List<Condition, 0, 8>>,
    /// The field to sort by, with `-` before it for the greatest first; `-volume` when left out.
    sort: Option<Text<1, 41>>,
}

/// A keyword.
#[value]
pub(crate) struct Row {
    keyword: String,
    /// Other forms of it that were merged.
    forms: Vec<Variant>,
    /// Searches in a month.
    volume: Option<u64>,
    /// The cost of a click in US dollars.
    cpc: Option<f64>,
    /// Of advertisers, 0 to 1.
    competition: Option<f64>,
    /// The provider's, or that of a file: 0 to 100.
    difficulty: Option<u8>,
    intent: Option<Intent>,
    /// Whether you chose the intent.
    intent_chosen: bool,
    cluster_ref: Option<Id<Cluster>>,
    cluster: Option<String>,
    /// The page that it belongs to: your choice, else the mapped one.
    mapped_url: Option<String>,
    /// Whether you chose the page.
    page_chosen: bool,
    /// Where the website stands; null when it was not found or nothing was looked at.
    position: Option<f64>,
    position_source: Option<PositionSource>,
    tags: Vec<String>,
    priority: Option<Priority>,
    excluded: bool,
    /// Whether the metrics are from a file.
    imported: bool,
    metrics_at: Option<Moment>,
    /// Longer than 80 characters or 10 words: no provider has metrics of it.
    no_metrics: bool,
}

/// Keywords of a set.
#[page]
pub(crate) struct Rows {
    keywords: Vec<Row>,
    /// Keywords in all that hold.
    total: u64,
    degraded: Vec<Degraded>,
}

/// Lists keywords with volume, difficulty, intent, cluster, mapped URL, position and tags under typed filters.
///
/// Fields of filters and orders are `keyword`, `volume`, `cpc`, `competition`, `difficulty`, `intent`, `cluster`, `mapped_url`,
/// `target_url`, `position`, `tags`, `priority`, `excluded`, `words`, `imported`, `added_ms` and `metrics_ms`.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list my keywords", "keywords with high volume and low difficulty", "which keywords have no page", "show keywords tagged brand"],
    examples = [
        { "set_ref": "set_01" },
        { "set_ref": "set_01", "filter": [{ "field": "volume", "op": "gt", "value": 100 }, { "field": "difficulty", "op": "lt", "value": 30 }], "sort": "difficulty" },
    ]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let set = crate::set::get(cx, &args.set_ref)?;
    let conditions = args.filter.as_ref().map(|it| it.to_vec()).unwrap_or_default();
    let filter = Filter::new(&conditions, &FIELDS)?;
    let (field, greatest_first) =
        args.sort.as_ref().map_or(Ok(("volume", true)), |it| sort_of(it.as_str(), &FIELDS))?;
    let mut beside = Beside { clusters: clusters(cx, &set), ..Beside::default() };
    let asks = |name: &str| field == name || filter.fields().contains(&name);
    let (rows, next_cursor, total) = if filter.is_empty() && (field, greatest_first) == ("volume", true) {
        let all = || cx.records::<Keyword>().by("set_order").equals(&set.id);
        let page = all().descending().page(args.limit, args.cursor)?;
        (page.items.into_iter().map(Stored::into_inner).collect(), page.next, set.counts.keywords)
    } else {
        let all: Vec<Keyword> = crate::set::keywords(cx, &set.id).map(Stored::into_inner).collect();
        if asks("position") {
            beside.positions = positions(cx, &set, &all.iter().map(|it| it.normal.as_str()).collect());
        }
        let mut held: Vec<(Option<sdk::serde_json::Value>, Keyword)> = Vec::new();
        for row in all {
            let mut values = values(&row, &beside);
            if filter.holds(|name| values.get(name)) {
                held.push((values.remove(field), row));
            }
        }
        held.sort_by(|a, b| {
            sorted(a.0.as_ref(), b.0.as_ref(), greatest_first).then_with(|| a.1.normal.cmp(&b.1.normal))
        });
        let total = held.len() as u64;
        let page = args.window(held)?;
        (page.items.into_iter().map(|it| it.1).collect::<Vec<_>>(), page.next, total)
    };
    if !asks("position") {
        let wanted: BTreeSet<&str> = rows.iter().map(|it: &Keyword| it.normal.as_str()).collect();
        beside.positions = positions(cx, &set, &wanted);
    }
    let keywords = rows.into_iter().map(|row| shown(row, &beside)).collect();
    Ok(Rows { keywords, next_cursor, total, degraded: beside.positions.missing.into_iter().collect() })
}

fn shown(row: Keyword, beside: &Beside) -> Row {
    let cluster = beside.clusters.get(&row.normal);
    let position = beside.positions.by_keyword.get(&row.normal);
    Row {
        intent: row.known_intent(),
        intent_chosen: row.chosen_intent.is_some(),
        cluster_ref: cluster.map(|it| it.0.clone()),
        cluster: cluster.map(|it| it.1.clone()),
        mapped_url: row.page().map(str::to_owned),
        page_chosen: row.target_url.is_some(),
        position: position.map(|it| round(it.0, 2)),
        position_source: position.map(|it| it.1),
        no_metrics: !has_metrics(&row.normal),
        metrics_at: row.metrics_ms.map(Moment::from_millis),
        keyword: row.keyword,
        forms: row.variants,
        volume: row.volume,
        cpc: row.cpc,
        competition: row.competition,
        difficulty: row.difficulty,
        tags: row.tags,
        priority: row.priority,
        excluded: row.excluded,
        imported: row.imported,
    }
}
