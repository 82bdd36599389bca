//! The operation `links.leak.report`: authority that does not arrive where it could count.

use std::collections::{BTreeMap, HashMap};

use kit::graph::DAMPING;
use kit::url::path_and_query;
use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::basis;
use crate::node::{Node, Raw, State};
use crate::stored::Weight;
use crate::summary::{short, told};
use site::Run;

/// Fixes that are kept.
const FIXES: usize = 100;

/// Why authority is lost.
#[value]
pub(crate) enum Cause {
    /// The link leads to a redirect.
    Redirect,
    /// The link asks not to be followed.
    Nofollow,
    /// robots.txt forbids the target.
    Blocked,
    /// The target asks not to be indexed.
    Noindex,
    /// The target fails.
    Failing,
}

/// What is lost.
#[value]
pub(crate) struct Leaks {
    /// The share of all authority that links hand on.
    lost_share: f64,
    /// That share by cause.
    causes: BTreeMap<Cause, f64>,
    /// By target, the most regained first.
    fixes: Vec<Leak>,
}

impl Leaks {
    /// What is not lost, from 0 to 100.
    pub(crate) fn score(&self) -> f64 {
        100.0 * (1.0 - self.lost_share.clamp(0.0, 1.0))
    }
}

/// What one target costs.
#[value]
pub(crate) struct Leak {
    /// Why.
    cause: Cause,
    /// The folder that most of the links stand in.
    source_pattern: String,
    /// Pages that link to it so.
    sources: u32,
    /// The first of them.
    source: String,
    /// Where the links lead.
    target: String,
    /// Where a redirect ends.
    leads_to: Option<String>,
    /// Authority that would arrive; 1 is what an average page has.
    regained: f64,
}

/// What is lost to one target, and the pages that link to it.
type Loss = (f64, Vec<u32>);

/// Measures what each link hands on, those that ask not to be followed like the others, and to what.
pub(crate) fn measure(nodes: &[Node], links: &[Raw], weight: Weight) -> Leaks {
    let own = nodes.iter().filter(|node| node.is_own()).count();
    let mut sums: HashMap<u32, f64> = HashMap::new();
    let speaks = |from: u32| nodes[from as usize].is_sound();
    for (from, _, place) in links.iter().filter(|(from, to, _)| speaks(*from) && from != to) {
        *sums.entry(*from).or_default() += f64::from(place.weight_of_all(weight));
    }
    let (mut handed, mut causes) = (0.0, BTreeMap::new());
    let mut lost: HashMap<(u32, Cause), Loss> = HashMap::new();
    for (from, to, place) in links.iter().filter(|(from, to, _)| speaks(*from) && from != to) {
        let sum = sums.get(from).copied().unwrap_or(0.0);
        if sum <= 0.0 {
            continue;
        }
        let flow = DAMPING * nodes[*from as usize].authority * f64::from(place.weight_of_all(weight)) / sum;
        handed += flow;
        let target = &nodes[*to as usize];
        let cause = match target.state {
            _ if place.weight(weight) <= 0.0 => Cause::Nofollow,
            State::Moved => Cause::Redirect,
            State::Blocked => Cause::Blocked,
            State::Noindex => Cause::Noindex,
            State::Failing => Cause::Failing,
            State::Sound | State::Canonicalised | State::NotDocument => continue,
        };
        *causes.entry(cause).or_insert(0.0) += flow;
        let leak = lost.entry((*to, cause)).or_default();
        leak.0 += flow;
        leak.1.push(*from);
    }
    let mut fixes: Vec<_> = lost.into_iter().collect();
    fixes.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.0.cmp(&b.0)));
    let fixes = fixes.into_iter().take(FIXES).map(|((to, cause), (flow, sources))| Leak {
        cause,
        source_pattern: pattern(sources.iter().map(|from| nodes[*from as usize].url.as_str())),
        sources: u32::try_from(sources.len()).unwrap_or(u32::MAX),
        source: sources.first().map(|from| nodes[*from as usize].url.clone()).unwrap_or_default(),
        target: nodes[to as usize].url.clone(),
        leads_to: nodes[to as usize].alias.map(|end| nodes[end as usize].url.clone()),
        regained: told(flow, own),
    });
    let fixes = fixes.collect();
    let share = |flow: f64| if handed > 0.0 { short(flow / handed) } else { 0.0 };
    let lost_share = share(causes.values().sum());
    Leaks { lost_share, causes: causes.into_iter().map(|(cause, flow)| (cause, share(flow))).collect(), fixes }
}

/// The first folder that most addresses have, as a pattern.
fn pattern<'a>(urls: impl Iterator<Item = &'a str>) -> String {
    let mut folders: BTreeMap<String, u32> = BTreeMap::new();
    for url in urls {
        *folders.entry(crate::silo::folder(path_and_query(url))).or_default() += 1;
    }
    let most = folders.into_iter().max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
    most.map_or_else(|| "/*".to_owned(), |(folder, _)| format!("{folder}*"))
}

#[args]
pub(crate) struct Report {
    /// A crawl with a link graph.
    run_ref: Id<Run>,
}

/// A loss with the call that mends it.
#[value]
pub(crate) struct Mendable {
    #[serde(flatten)]
    leak: Leak,
    fix: Fix,
}

/// What is lost, and how to regain it.
#[value]
pub(crate) struct Lost {
    /// The share of the authority that links hand on and that does not arrive at a page that counts.
    lost_share: f64,
    /// That share by cause.
    causes: BTreeMap<Cause, f64>,
    /// The most regained first; at most 100.
    fixes: Vec<Mendable>,
    /// What the report stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Measures internal authority lost to redirects, nofollowed, blocked, noindexed and failing targets and ranks the fixes by authority regained.
///
/// What a link would hand on is 0.85 of its page's authority, shared among all links of the page by their weight. A
/// redirect hands authority on by what Google says; it is told here because a direct link is surer and faster.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "where does my internal link equity go to waste",
        "which internal links point to redirects or noindex pages",
        "am I losing authority to nofollow links",
    ],
    examples = [{ "run_ref": "run_01" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Lost> {
    let graph = basis::graph(cx, &args.run_ref)?;
    let basis = basis::of(cx, &graph);
    let it = graph.into_inner();
    let leaks = it.leaks.unwrap_or(Leaks { lost_share: 0.0, causes: BTreeMap::new(), fixes: Vec::new() });
    let fixes = leaks.fixes.into_iter().map(|leak| Mendable { fix: fix(&leak, &args.run_ref), leak });
    Ok(Lost {
        lost_share: leaks.lost_share,
        causes: leaks.causes,
        fixes: fixes.collect(),
        basis,
        degraded: it.degraded,
    })
}

/// The call that mends a leak, or shows what to mend.
fn fix(leak: &Leak, run: &Id<Run>) -> Fix {
    match leak.cause {
        Cause::Redirect => Fix::on("crawl.url.fetch", &leak.target),
        Cause::Nofollow => Fix::on("onpage.link.check", &leak.source),
        Cause::Blocked => Fix::new("indexing.robots.test", json!({ "urls": [leak.target] })),
        Cause::Noindex => Fix::new("audit.indexability.report", json!({ "run_ref": run, "reason": "noindex" })),
        Cause::Failing => Fix::new("links.broken.list", json!({ "run_ref": run, "scope": "internal" })),
    }
}

#[cfg(test)]
mod tests;
