//! The operation `keywords.map.report`.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Degraded, Fix, json};

use super::evidence::Evidence;
use super::{Unit, units};
use crate::stored::{Cluster, Set};

/// Keywords of a row that are shown.
const MAX_KEYWORDS: usize = 10;

/// What is wrong with a mapping.
#[value]
pub(crate) enum Problem {
    /// Keywords without a page.
    Unmapped,
    /// A page without keywords.
    NoKeyword,
    /// Keywords of one cluster on two pages.
    Conflict,
    /// Search engines show another page than the mapped one.
    Mismatch,
}

#[args(paged)]
pub(crate) struct Report {
    /// The set.
    set_ref: Id<Set>,
    /// Only this problem.
    problem: Option<Problem>,
}

/// A problem.
#[value]
pub(crate) struct Row {
    problem: Problem,
    /// Null for a page without keywords, and for keywords without a cluster.
    cluster_ref: Option<Id<Cluster>>,
    /// The cluster's name, or the keyword; null for a page without keywords.
    name: Option<String>,
    /// The first ten keywords.
    keywords: Vec<String>,
    /// Searches in a month.
    volume: u64,
    /// The mapped page, or the path that is proposed for a new one; the page without keywords.
    url: Option<String>,
    /// The other page: the one that search engines show, or the second one of a conflict.
    other_url: Option<String>,
    /// The call that mends it.
    fix: Option<Fix>,
}

/// Counts of clusters and pages. The first four add up to `clusters`.
#[value]
#[derive(Default)]
pub(crate) struct Summary {
    /// Clusters, and keywords without one.
    clusters: u64,
    /// Of them, mapped without a problem.
    fine: u64,
    unmapped: u64,
    conflicts: u64,
    mismatches: u64,
    /// Indexable pages that were crawled.
    pages: u64,
    /// Of them, without keywords.
    no_keyword: u64,
}

/// Problems of a mapping.
#[page]
pub(crate) struct Rows {
    /// Those with the most searches first, pages without keywords last.
    rows: Vec<Row>,
    /// Counts of all, whichever problem is asked for.
    summary: Summary,
    degraded: Vec<Degraded>,
}

/// Reports the keyword map: pages without keywords, keywords without pages, two pages on one cluster, and mapped page differing from ranking page.
///
/// A cluster counts once: for two pages before for another ranking page.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "rows"),
    needs = ["store"],
    phrasings = ["problems of my keyword map", "pages without a target keyword", "keywords that have no page", "wrong page ranks for a keyword"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "problem": "mismatch" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Rows> {
    let set = crate::set::get(cx, &args.set_ref)?;
    if set.mapped_ms.is_none() {
        let message = "the keywords of this set were not mapped; call keywords.map.assign first";
        let first = Fix::new("keywords.map.assign", json!({ "set_ref": set.id, "site_id": set.site_id }));
        return Err(Fault::conflict("not_mapped", message).at("/set_ref").detail(json!(first)));
    }
    let site = site::get(cx, &Id::new(set.site_id.clone()))?;
    let evidence = Evidence::read(cx, &site, &set)?;
    let mut summary = Summary { pages: evidence.urls().len() as u64, ..Summary::default() };
    let (mut rows, mut used): (Vec<Row>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
    for unit in units(cx, &set) {
        summary.clusters += 1;
        let pages = pages(&unit);
        used.extend(pages.iter().cloned());
        let found = judge(&set, &evidence, &unit, &pages);
        match found.as_ref().map(|it| it.problem) {
            None => summary.fine += 1,
            Some(Problem::Unmapped) => summary.unmapped += 1,
            Some(Problem::Conflict) => summary.conflicts += 1,
            Some(Problem::Mismatch | Problem::NoKeyword) => summary.mismatches += 1,
        }
        rows.extend(found);
    }
    for url in evidence.urls().iter().filter(|url| !used.contains(*url)) {
        summary.no_keyword += 1;
        rows.push(Row {
            problem: Problem::NoKeyword,
            cluster_ref: None,
            name: None,
            keywords: Vec::new(),
            volume: 0,
            url: Some(url.clone()),
            other_url: None,
            fix: site::examine(url, None),
        });
    }
    rows.retain(|row| args.problem.is_none_or(|wanted| row.problem == wanted));
    let degraded = evidence.degraded;
    let page = args.window(rows)?;
    Ok(Rows { summary, rows: page.items, next_cursor: page.next, degraded })
}

/// The pages that the keywords of a unit have, each once, those of the main keyword first; new pages are none.
fn pages(unit: &Unit) -> Vec<String> {
    let mut pages: Vec<String> = Vec::new();
    for row in &unit.rows {
        let mapped = row.mapped.as_ref().filter(|it| !it.new_page).map(|it| it.url.clone());
        if let Some(url) = row.target_url.clone().or(mapped)
            && !pages.contains(&url)
        {
            pages.push(url);
        }
    }
    pages
}

/// The first problem of a unit that holds.
fn judge(set: &Stored<Set>, evidence: &Evidence<'_>, unit: &Unit, pages: &[String]) -> Option<Row> {
    let main = unit.main();
    let keywords: Vec<String> = unit.rows.iter().take(MAX_KEYWORDS).map(|it| it.keyword.clone()).collect();
    let choose = |url: &str| {
        let changes: Vec<_> = keywords.iter().map(|keyword| json!({ "keyword": keyword, "target_url": url })).collect();
        Fix::new("keywords.item.update", json!({ "set_ref": set.id, "changes": changes }))
    };
    let normal = |url: &str| kit::url::normalize(url).unwrap_or_else(|| url.to_owned());
    let (problem, url, other_url, fix) = match (pages, evidence.ranking(unit)) {
        ([], _) => {
            let proposed = main.mapped.as_ref().map(|it| it.url.clone());
            let origin = evidence.site().origin.trim_end_matches('/');
            let fix = proposed.as_ref().map(|path| choose(&format!("{origin}{path}")));
            (Problem::Unmapped, proposed, None, fix)
        }
        ([first, second, ..], _) => (Problem::Conflict, Some(first.clone()), Some(second.clone()), Some(choose(first))),
        ([page], Some(ranking)) if normal(&ranking) != normal(page) => {
            let fix = site::examine(page, Some(&main.keyword));
            (Problem::Mismatch, Some(page.clone()), Some(ranking), fix)
        }
        _ => return None,
    };
    Some(Row {
        problem,
        cluster_ref: unit.cluster.as_ref().map(|it| it.id.clone()),
        name: Some(unit.name().to_owned()),
        volume: unit.volume(),
        keywords,
        url,
        other_url,
        fix,
    })
}
