//! From the start of a host to its first answer that it is ready, with what it has compiled before and without; and what it
//! holds then.

use std::path::Path;
use std::time::{Duration, Instant};

use tests::process::{Launch, Process};

use crate::load::Figures;
use crate::product::memory_mib;
use crate::table::{Goal, Row, Table};
use crate::{given, wanted};

const WARM: &str = "start to ready, modules compiled before";
const EMPTY: &str = "start to ready, nothing compiled";

/// Measures both.
pub(crate) async fn rows(table: &mut Table) {
    if ![WARM, EMPTY].into_iter().any(wanted) {
        return;
    }
    let data = tempfile::tempdir().expect("a folder");
    // The first start migrates and compiles.
    drop(ready(data.path()).await);
    let times = if given("--short") { 1 } else { 5 };
    let mut held = Vec::new();
    let mut spent = Vec::new();
    for _ in 0..times {
        let (process, took) = ready(data.path()).await;
        spent.push(took);
        held.extend(memory_mib(process.pid()));
    }
    let warm = told(table, WARM, spent);
    if !given("--short") {
        forget(data.path());
        told(table, EMPTY, vec![ready(data.path()).await.1]);
    }
    held.sort_by(f64::total_cmp);
    let one = Some(1.0);
    table.ratio("milliseconds to ready", (Some(warm.as_secs_f64() * 1_000.0), one), Goal::AtMost(100.0));
    table.ratio("MiB held when ready", (held.get(held.len() / 2).copied(), one), Goal::AtMost(200.0));
}

/// Starts a host and asks whether it is ready until it is.
async fn ready(data: &Path) -> (Process, Duration) {
    let launch = Launch::on(data, &[]);
    let begun = Instant::now();
    let process = launch.start().await;
    let url = process.rest().trim_end_matches("/v1").to_owned() + "/readyz";
    let http = reqwest::Client::new();
    while !http.get(&url).send().await.is_ok_and(|answer| answer.status().is_success()) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    (process, begun.elapsed())
}

/// The compiled modules of this folder alone, from now on.
fn forget(data: &Path) {
    let compiled = data.join("compiled");
    if compiled.is_symlink() {
        std::fs::remove_file(&compiled).expect("a link");
    } else {
        std::fs::remove_dir_all(&compiled).expect("a folder");
    }
}

fn told(table: &mut Table, name: &str, mut spent: Vec<Duration>) -> Duration {
    spent.sort_unstable();
    let median = spent[spent.len() / 2];
    let answered = spent.len() as u64;
    let figures = Figures { rate: 1.0 / median.as_secs_f64(), median, p99: Duration::ZERO, failed: 0, answered };
    table.add(Row { name: name.to_owned(), at_once: 1, figures, cpu_us: None });
    median
}
