//! A module for tests: it makes a large graph by a rule and ranks it with the algorithms of `links`, in one step of a job, so
//! that it can be measured what that takes in the sandbox.

use kit::graph::flow::{Edge, Flow, Rest};
use sdk::IsQueued;
use sdk::prelude::*;

sdk::module! {
    operations: [rank],
    steps: [work as rank],
    collections: [],
}

#[args]
struct Rank {
    /// Pages.
    #[default(100_000)]
    pages: Count<1, 200_000>,
    /// Links of each page.
    #[default(20)]
    links: Count<1, 40>,
}

#[value]
struct Started {
    job_ref: Id<Job>,
    state: IsQueued,
}

#[value]
struct Work {
    pages: u32,
    links: u32,
}

#[value]
struct Progress {
    ranked: bool,
}

#[value]
struct Ranked {
    /// Pairs of pages that are linked.
    edges: u64,
    rounds: u32,
    /// Milliseconds for putting the graph together.
    made_ms: u64,
    /// Milliseconds for its PageRank.
    ranked_ms: u64,
    /// The score of every thousandth page, from the first.
    scores: Vec<f64>,
}

/// Ranks a graph that is made by a rule.
#[operation(
    job,
    queued(step = "rank"),
    scope = "seo:analyze",
    cost = job(unit = "pages", every = 100_000, most = pages),
    phrasings = ["rank a large graph"],
    examples = [{ "pages": 1_000 }]
)]
fn rank(cx: &Cx, args: Rank) -> Result<Started> {
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let work = Work { pages: number(args.pages.into()), links: number(args.links.into()) };
    Ok(Started { job_ref: cx.jobs().enqueue("rank", &work)?, state: IsQueued::Queued })
}

/// The same rule stands in `tests/references/kit/large.py`.
fn edges(work: &Work) -> Vec<Edge> {
    let pages = u64::from(work.pages);
    let target = |page: u64, nth: u64| (page * 7_919 + nth * nth * 104_729 + nth * (page % 97)) % pages;
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let of = |page: u64| (0..u64::from(work.links)).map(move |nth| (page, target(page, nth)));
    (0..pages).flat_map(of).filter(|(from, to)| from != to).map(|(from, to)| (number(from), number(to), 1.0)).collect()
}

#[step]
fn work(cx: &Cx, work: Work, _: Option<Progress>) -> Result<Step<Progress, Progress, Ranked>> {
    let begun = cx.elapsed();
    let flow = Flow::new(work.pages as usize, edges(&work));
    let made = cx.elapsed();
    let ranks = flow.pagerank(None, Rest::SITE);
    let ranked = cx.elapsed();
    Ok(Step::done(
        Ranked {
            edges: flow.links() as u64,
            rounds: ranks.rounds,
            made_ms: made - begun,
            ranked_ms: ranked - made,
            scores: ranks.scores.into_iter().step_by(1_000).collect(),
        },
        Progress { ranked: true },
    ))
}
