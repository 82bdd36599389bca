//! What a call costs when there is a hundred times as much of something: rows, trail and keys of one customer, customers,
//! modules that take turns, operations in the catalog.
//!
//! `target/release/bench --growth`; `target/bench/growth.json` beside it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use espalier::modules::Profile;
use model::contract::Contract;
use serde_json::json;
use service::capabilities::search::{Goal as Wanted, Index};
use tests::goals::{goals, query, whole};
use tests::host::Host;

use crate::doors::{fresh, get, replayed, rest};
use crate::inside::PREVIEW;
use crate::load::{Figures, Maker, load};
use crate::product::{Person, Product};
use crate::table::{Goal, Row, Table};
use crate::twin::invocation;
use crate::{SPAN, given};

/// Of each thing: how much there is at first, and then.
fn sizes() -> [u64; 2] {
    if given("--short") { [20, 200] } else { [1_000, 100_000] }
}

/// Measures all of them.
pub(crate) async fn rows(table: &mut Table) {
    rows_of_one(table).await;
    customers(table).await;
    modules(table).await;
    operations(table).await;
}

/// The calls that are asked again.
fn calls(product: &Product) -> Vec<(&'static str, Maker)> {
    let people: Arc<[Person]> = product.people.iter().take(1).cloned().collect();
    let one = |person: &Person| json!({ "author_ref": person.author });
    let new = |_: &Person| json!({ "firstname": "Grace", "lastname": "Hopper" });
    vec![
        ("read of one record", rest(&people, "authors.markup.generate", one)),
        ("a page of a list", rest(&people, "authors.list", |_| json!({}))),
        ("write", fresh(&people, "authors.create", "grown", new)),
        ("replayed write", replayed(&people, new)),
        ("contract", get(&people, "/v1/capabilities/authors.create")),
    ]
}

async fn rows_of_one(table: &mut Table) {
    let product = Product::start(None).await;
    let people: Arc<[Person]> = product.people.iter().take(1).cloned().collect();
    let fill = fresh(&people, "authors.create", "fill", |_| json!({ "firstname": "Ada", "lastname": "Byron" }));
    let mut have = 0;
    let mut measured = Vec::new();
    for (round, size) in sizes().into_iter().enumerate() {
        while have < size {
            let first = have;
            let make: Maker = {
                let fill = fill.clone();
                Arc::new(move |number| fill(first + number))
            };
            let span = Duration::from_millis((size - have).min(4_000) / 2).max(Duration::from_millis(20));
            have += load(product.address, 64, span, make).await.answered;
        }
        measured.push(once(table, &product, &format!("{size} rows, keys and lines of the trail"), round as u64).await);
    }
    told(table, "rows, keys and trail of one customer", &measured);
    product.process.verify_ledger();
}

async fn customers(table: &mut Table) {
    let product = Product::start(None).await;
    // A page of the list is full in both rounds: what is written between them would fill it else.
    let people: Arc<[Person]> = product.people.iter().take(1).cloned().collect();
    let fill = fresh(&people, "authors.create", "fill", |_| json!({ "firstname": "Ada", "lastname": "Byron" }));
    load(product.address, 4, *SPAN / 8, fill).await;
    let mut measured = Vec::new();
    let mut have = product.people.len() as u64;
    for (round, size) in sizes().into_iter().enumerate() {
        product.add_customers(have..size).await;
        have = size;
        measured.push(once(table, &product, &format!("{size} customers"), 10 + round as u64).await);
    }
    told(table, "customers", &measured);
}

/// Asks everything for a while; the medians in seconds.
async fn once(table: &mut Table, product: &Product, with: &str, round: u64) -> Vec<(&'static str, f64)> {
    let mut medians = Vec::new();
    for (name, make) in calls(product) {
        let make: Maker = Arc::new(move |number| make(round * 1_000_000_000 + number));
        load(product.address, 4, *SPAN / 8, make.clone()).await;
        let later: Maker = Arc::new(move |number| make(500_000_000 + number));
        let figures = load(product.address, 4, *SPAN / 2, later).await;
        table.add(Row { name: format!("{name}, {with}"), at_once: 4, figures, cpu_us: None });
        medians.push((name, figures.median.as_secs_f64()));
    }
    medians
}

fn told(table: &mut Table, what: &str, measured: &[Vec<(&'static str, f64)>]) {
    let [few, many] = measured else { return };
    for ((name, few), (_, many)) in few.iter().zip(many) {
        let ratio = (Some(*many), Some(*few));
        table.ratio(&format!("{name}: a hundred times the {what}"), ratio, Goal::AtMost(1.3));
    }
}

/// An operation in a fresh instance when 25 and a hundred modules take turns: one component under as many names.
async fn modules(table: &mut Table) {
    let host = Host::start_with(|options| options.profile(Profile::measured())).await;
    let module = host.service.core.module("onpage").expect("the module");
    let workspace = espalier::modules::workspace().expect("this one");
    let file = espalier::modules::components(&workspace, Profile::measured()).join("onpage.wasm");
    let bytes = std::fs::read(file).expect("it was built for the host");
    let load = || host.service.core.sandbox().load_unpinned(&bytes, &module.lock, module.schema.foreign.clone());
    let mut medians = Vec::new();
    for copies in [1, 25, 100] {
        let loaded: Vec<_> = (0..copies).map(|_| load().expect("as it is served")).collect();
        let (mut spent, begun) = (Vec::new(), Instant::now());
        while begun.elapsed() < *SPAN / 2 {
            let (operation, arguments) = PREVIEW;
            let mut invocation = invocation(&host.service, "cus_bench", "onpage", operation, arguments);
            invocation.module = loaded[spent.len() % loaded.len()].clone();
            let begun = Instant::now();
            let run = host.service.core.sandbox().run(invocation).await;
            spent.push(begun.elapsed());
            assert!(run.outcome.is_ok(), "{:?}", run.outcome);
        }
        let figures = row(table, format!("the operation in a fresh instance, {copies} modules in turn"), spent);
        medians.push(figures.median.as_secs_f64());
    }
    // As many as the product has. A hundred times the code and the pages are more than the processor's caches hold.
    let ratio = (medians.get(1).copied(), medians.first().copied());
    table.ratio("the operation: 25 modules that take turns", ratio, Goal::AtMost(1.3));
}

/// Adds a row of what was done one by one.
fn row(table: &mut Table, name: String, mut spent: Vec<Duration>) -> Figures {
    spent.sort_unstable();
    let at = |share: usize| spent[(spent.len() - 1) * share / 100];
    let rate = 1.0 / at(50).as_secs_f64();
    let figures = Figures { rate, median: at(50), p99: at(99), failed: 0, answered: spent.len() as u64 };
    table.add(Row { name, at_once: 1, figures, cpu_us: None });
    figures
}

/// A search of the catalog when the same operations stand in it under ten and a hundred times as many names.
async fn operations(table: &mut Table) {
    let host = Host::start().await;
    let served: Vec<Arc<Contract>> =
        host.service.core.catalog().current().operations().map(|operation| operation.contract.clone()).collect();
    let all = whole(&served);
    let mut medians = Vec::new();
    for copies in [1, 10] {
        let index = Index::new((0..copies).flat_map(|copy| {
            all.iter().map(move |contract| {
                let mut contract = Contract::clone(contract);
                contract.id = format!("m{copy}{}", contract.id);
                Arc::new(contract)
            })
        }));
        let spent: Vec<Duration> = goals("tuning")
            .into_iter()
            .map(|wanted| {
                let goal = Wanted { query: Some(query(&wanted.goal)), ..Wanted::default() };
                let begun = Instant::now();
                std::hint::black_box(index.find(&goal));
                begun.elapsed()
            })
            .collect();
        let figures = row(table, format!("search of {} operations", all.len() * copies), spent);
        medians.push(figures.median.as_secs_f64());
    }
    // Postings grow with the catalog, so this one grows, too: what is asked is how much less than ten times.
    table.ratio("a search of ten times the operations", (medians.pop(), medians.pop()), Goal::AtMost(10.0));
}
