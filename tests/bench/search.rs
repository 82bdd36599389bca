//! What a search costs: every goal in users' words, asked of an index over all operations of the product.
//!
//! `cargo run --release -p tests --bin bench -- --search`. The operations that no module exports yet stand in it as the
//! catalog's table lists them.

use std::time::{Duration, Instant};

use service::capabilities::search::{Goal, Index};
use tests::goals::{goals, query, whole};
use tests::host::Host;

/// How often each goal is asked.
const TIMES: usize = 20;

/// Prints the table. `short` only shows that it works.
pub(super) async fn rows(short: bool) {
    let host = Host::start().await;
    let served: Vec<_> =
        host.service.core.catalog().current().operations().map(|operation| operation.contract.clone()).collect();
    let all = whole(&served);
    let begun = Instant::now();
    let index = Index::new(all.iter().cloned());
    let made = begun.elapsed();
    let goals: Vec<Goal> = ["tuning", "report"]
        .into_iter()
        .flat_map(goals)
        .map(|wanted| Goal { query: Some(query(&wanted.goal)), ..Goal::default() })
        .collect();
    let mut spent: Vec<Duration> = Vec::new();
    for _ in 0..if short { 1 } else { TIMES } {
        for goal in &goals {
            let begun = Instant::now();
            std::hint::black_box(index.find(goal));
            spent.push(begun.elapsed());
        }
    }
    spent.sort_unstable();
    let at = |share: usize| spent[(spent.len() - 1) * share / 100];
    println!("{} operations indexed in {made:.1?}", all.len());
    println!("{} searches: median {:.2?}, p99 {:.2?}, the slowest {:.2?}", spent.len(), at(50), at(99), at(100));
}
