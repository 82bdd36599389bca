//! The operation `links.anchor.report`.

mod judge;

use std::collections::BTreeMap;

use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::names::Called;
use crate::node;
use judge::Found;
pub(crate) use judge::Problem;
use site::Run;

#[args(paged)]
pub(crate) struct Report {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
    /// Only this problem: `generic`, `empty`, `over_repeated`, `many_targets` or `unrelated_texts`.
    problem: Option<Text<1, 64>>,
}

/// A text of links that is at fault.
#[value]
pub(crate) struct Row {
    /// What is wrong.
    problem: Problem,
    /// The text.
    anchor: String,
    /// Where it leads.
    target: String,
    /// Links with it.
    links: u32,
    /// A page that has it.
    source: String,
    /// What it costs, by the authority of the target; 1 is what an average page has.
    weight: f64,
    /// What looks at the links of that page.
    fix: Fix,
}

/// A text that leads to several pages, or a page that unrelated texts lead to.
#[value]
pub(crate) struct Conflict {
    /// What is wrong: `many_targets` or `unrelated_texts`.
    problem: Problem,
    /// The texts.
    anchors: Vec<String>,
    /// The pages, at most ten.
    targets: Vec<String>,
    /// What it costs, by the authority of the pages.
    weight: f64,
    /// What finds better links.
    fix: Fix,
}

/// What is wrong with the texts of links.
#[page]
pub(crate) struct Anchors {
    /// The costliest first.
    rows: Vec<Row>,
    /// Texts at fault by problem.
    summary: BTreeMap<Problem, u32>,
    /// At most 25, the costliest first.
    conflicts: Vec<Conflict>,
    /// What the report stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reports generic, empty, over-repeated and conflicting anchors (one text to several targets, one target with unrelated texts) weighed by target queries.
///
/// Looked at are links within the website, the twelve commonest texts of each page. A text is over-repeated when ten links
/// in running text or more use it and they are over 80 in 100 of all such links to the page. Menus and footers may repeat
/// themselves.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(unit = "rows", most = limit),
    needs = ["store"],
    phrasings = [
        "which internal links say click here",
        "find the same anchor text pointing to different pages",
        "are my internal anchor texts any good",
        "links without any text",
    ],
    examples = [{ "run_ref": "run_01" }, { "run_ref": "run_01", "problem": "generic" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Answer<Anchors>> {
    let graph = basis::graph(cx, &args.run_ref)?;
    let only = args.problem.as_ref().map(|name| judge::named(name.as_str())).transpose()?;
    let nodes = node::pages(cx, &graph)?;
    let mut called = Called::of(&nodes, &node::names(cx, &graph)?, &graph.language);
    let Found { mut rows, conflicts } = judge::judge(&nodes, node::anchors(cx, &graph)?, &mut called);
    let mut summary = BTreeMap::new();
    let problems = rows.iter().map(|row| row.problem).chain(conflicts.iter().map(|it| it.problem));
    problems.for_each(|problem| *summary.entry(problem).or_insert(0) += 1);
    rows.retain(|row| only.is_none_or(|only| row.problem == only));
    let fits = |conflict: &judge::Clash| only.is_none_or(|only| conflict.problem == only);
    let url = |at: u32| nodes[at as usize].url.clone();
    let own = nodes.iter().filter(|node| node.is_own()).count();
    let Page { items: rows, next: next_cursor } = args.window(rows)?;
    let rows: Vec<Row> = rows
        .into_iter()
        .map(|row| Row {
            problem: row.problem,
            fix: Fix::on("onpage.link.check", &url(row.source)),
            anchor: row.text,
            target: url(row.target),
            links: row.links,
            source: url(row.source),
            weight: crate::summary::told(row.weight, own),
        })
        .collect();
    let conflicts = conflicts.into_iter().filter(fits).take(25).map(|clash| {
        let first = clash.targets.first().copied().unwrap_or(0);
        let arguments = json!({ "site_id": graph.site_id, "url": url(first), "direction": "in" });
        Conflict {
            problem: clash.problem,
            anchors: clash.texts,
            targets: clash.targets.into_iter().take(10).map(url).collect(),
            weight: crate::summary::told(clash.weight, own),
            fix: Fix::new("links.suggestion.for_page", arguments),
        }
    });
    let conflicts = conflicts.collect();
    let why = "texts are weighed by authority; the queries of the target are not considered";
    let degraded = [Degraded::new("queries", why)].into_iter().chain(graph.degraded.iter().cloned()).collect();
    let units = rows.len() as u64;
    let basis = basis::of(cx, &graph);
    Ok(Answer::new(Anchors { rows, summary, conflicts, basis, degraded, next_cursor }).units(units))
}

#[cfg(test)]
mod tests;
