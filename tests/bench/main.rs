//! The benchmark: one table in one run, from a bare server to a durable write over MCP, with the ratios that are wanted;
//! `target/bench/doors.json` beside it, and a picture of them, `doors.svg`.
//!
//! `cargo build --release -p tests --bins`, then `target/release/bench`; `--help` says what else it takes. Load and host
//! share the machine, so the figures of one run compare with each other only.

mod chart;
mod doors;
mod graphs;
mod growth;
mod hosts;
mod inside;
mod jobs;
mod load;
mod pages;
mod peers;
mod product;
mod scale;
mod search;
mod start;
mod table;
mod twin;

use std::sync::LazyLock;
use std::time::Duration;

use table::{Goal, Table};

/// What it takes. `--hello` and `--twin` are servers that it starts of itself.
const HELP: &str = "\
The benchmark: one table in one run; target/bench/doors.json and doors.svg beside it.

  --postgres   PostgreSQL as well, with one, two and three hosts
  --peers      other servers in the same run
  --wasmtime   `wasmtime serve` among them
  --only TEXT  the rows with this text in their name, and the bare server
  --short      shows only that everything works

Runs of their own:
  --growth     what a hundred times as much of something makes of a call
  --scale      what large websites cost; --only \"stored pages\" or crawl is half of it
  --search     what a search of the catalog costs
  --graphs     a large link graph
  --pages      the fuel of every operation that reads a page, by size and shape; target/bench/pages.md
";
const FLAGS: [&str; 12] = [
    "--postgres",
    "--peers",
    "--wasmtime",
    "--only",
    "--short",
    "--growth",
    "--scale",
    "--search",
    "--graphs",
    "--pages",
    "--hello",
    "--twin",
];

/// Requests at the same time, where a row does not say otherwise.
const CONNECTIONS: usize = 64;

/// How long each row is measured; `--short` only shows that everything works.
static SPAN: LazyLock<Duration> = LazyLock::new(|| Duration::from_millis(if given("--short") { 200 } else { 4_000 }));

fn given(flag: &str) -> bool {
    std::env::args().any(|argument| argument == flag)
}

/// Whether a row of this name is to be measured.
fn wanted(name: &str) -> bool {
    std::env::args().skip_while(|it| it != "--only").nth(1).is_none_or(|only| name.contains(&only))
}

fn main() {
    let unknown = |it: &String| it.starts_with('-') && !FLAGS.contains(&it.as_str());
    if let Some(unknown) = std::env::args().skip(1).find(unknown) {
        print!("{HELP}");
        std::process::exit(if unknown == "--help" { 0 } else { 2 });
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    if given("--hello") {
        runtime.block_on(product::hello());
    } else if given("--twin") {
        runtime.block_on(twin::serve());
    } else if given("--growth") {
        runtime.block_on(growth());
    } else if given("--graphs") {
        runtime.block_on(graphs::row());
    } else if given("--scale") {
        runtime.block_on(scale::rows(given("--short")));
    } else if given("--pages") {
        runtime.block_on(pages::rows());
    } else if given("--search") {
        runtime.block_on(search::rows(given("--short")));
    } else {
        runtime.block_on(rows());
    }
}

async fn growth() {
    let mut table = Table::default();
    Table::head();
    growth::rows(&mut table).await;
    table.write("growth");
}

async fn rows() {
    let mut table = Table::default();
    Table::head();
    inside::rows(&mut table).await;
    start::rows(&mut table).await;
    doors::rows(&mut table).await;
    if given("--postgres")
        && let Some(cluster) = postgres_cluster::durable()
    {
        hosts::rows(&mut table, &cluster.url).await;
    }
    jobs::rows(&mut table).await;
    let (read, alone) = (table.rate(doors::READ, CONNECTIONS), table.rate(inside::ALONE, CONNECTIONS));
    table.ratio(
        "a metered, durable read over REST beside usage rows committed alone",
        (read, alone),
        Goal::AtLeast(6.0),
    );
    if given("--peers") {
        peers::rows(&mut table).await;
    }
    table.write("doors");
}
