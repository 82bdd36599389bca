//! How many steps of jobs a host takes in a second, each durable with its checkpoint and its line of the trail: exports of
//! a few rows, which wait for nothing outside, so that what is measured is the queue, the lease, the run and the commit.
//! Pages of crawls are in `--scale`.

use std::time::{Duration, Instant};

use espalier::modules::Profile;
use futures_util::future::join_all;
use model::id::CustomerId;
use serde_json::json;
use tests::customer::Customer;
use tests::host::Host;

use crate::inside::rich;
use crate::load::Figures;
use crate::table::{Row, Table};
use crate::{given, wanted};

const STEPS: &str = "steps of jobs, from the call to the last commit";
const CUSTOMERS: usize = 16;
/// The most lines of a trail that are read at once.
const LINES: u32 = 1_000;

/// Measures them.
pub(crate) async fn rows(table: &mut Table) {
    if !wanted(STEPS) {
        return;
    }
    let host = Host::start_with(|options| options.profile(Profile::measured())).await;
    let mut people = Vec::new();
    for _ in 0..CUSTOMERS {
        let ada = rich(&host, "account:read assets:read assets:write").await;
        ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
        people.push(ada);
    }
    let each = if given("--short") { 2 } else { 60 };
    let begun = Instant::now();
    let jobs: usize = join_all(people.iter().map(|ada| exported(ada, each))).await.into_iter().sum();
    let spent = begun.elapsed();
    let mut steps = 0;
    for ada in &people {
        let lines = host.service.core.store().trail.audit_lines(&CustomerId::from(ada.id.as_str()), None, LINES).await;
        steps += lines.expect("readable").iter().filter(|line| line.audit.event == "job.step").count();
    }
    assert!(steps >= jobs, "{jobs} jobs ended and {steps} steps are in the trail");
    host.verify_ledger().await;
    let rate = steps as f64 / spent.as_secs_f64();
    let median = Duration::from_secs_f64(1.0 / rate);
    let figures = Figures { rate, median, p99: Duration::ZERO, failed: 0, answered: steps as u64 };
    table.add(Row { name: STEPS.to_owned(), at_once: CUSTOMERS, figures, cpu_us: None });
}

/// Starts so many exports and waits until the last has ended.
async fn exported(ada: &Customer, many: usize) -> usize {
    let mut started = Vec::new();
    for _ in 0..many {
        let job = ada.run("account.export.create", json!({ "collections": ["authors.authors"] })).await.data();
        started.push(job["job_ref"].clone());
    }
    for job in &started {
        let asked = json!({ "job_ref": job });
        let ended = ada.wait_for("account.job.get", asked, 120).await;
        assert_eq!(ended["state"], "succeeded", "{ended}");
    }
    started.len()
}
