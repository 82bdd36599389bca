//! The qualification of whatever runs jobs, point by point.
//!
//! Q1, Q5 and Q10 (a call that fails starts no job; a claim, not a name, is what a step is settled under; a job ends
//! one way however it is cancelled) are tests of the store; Q3 (a job of a dead host) is in `nodes`, Q7 (a database that crashes) in the chaos program, Q8 in
//! `failover`; Q6 and Q12 (ten thousand jobs) are `races jobs`.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::Executor as _;
use tests::customer::Customer;
use tests::process::{Launch, Process};
use tests::{database, needs, site};

const CRAWLER: &str = "account:read websites:read assets:read assets:write seo:execute";
/// Enough that a crawl takes a few seconds at ten pages a second.
const PAGES: usize = 40;

/// Somebody with points, and a site of [`PAGES`] pages.
async fn crawler(host: &Process, email: &str) -> (Customer, Value) {
    let ada = host.customer(email, 1_000, CRAWLER).await;
    host.points(&ada, 10).await;
    let site = ada.run("websites.create", json!({ "domain": "many.example" })).await.data();
    (ada, json!({ "site_id": site["site_id"], "rate_rps": 10, "check_external": false }))
}

async fn start(ada: &Customer, arguments: &Value) -> Value {
    let started = ada.run("crawl.run.start", arguments.clone()).await.data();
    json!({ "run_ref": started["run_ref"] })
}

async fn ends_well(ada: &Customer, run: &Value) {
    let ended = ada.wait_for("crawl.run.get", run.clone(), 120).await;
    let fetched = ended["totals"]["fetched"].as_u64();
    assert_eq!((ended["state"].as_str(), fetched), (Some("succeeded"), Some(PAGES as u64 + 1)), "{ended}");
    let listed = ada.read("crawl.page.list", json!({ "run_ref": run["run_ref"], "limit": 1 })).await.data();
    assert_eq!(listed["total"], PAGES as u64 + 1, "each page is there once");
}

/// Waits until a step has begun to fetch pages; it fetches ten a second, and all of them in this one step.
async fn fetching(site: &site::Folder) {
    let before = site.requests.load(Ordering::SeqCst);
    while site.requests.load(Ordering::SeqCst) < before + 6 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn q2_a_job_whose_host_dies_right_after_the_answer_is_done_by_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), PAGES);
    let served = site::serve_folder(folder.path().to_path_buf()).await;
    let data = tempfile::tempdir().expect("a folder");
    let launch = Launch::on(data.path(), &[("many.example", served.address)]).lease(2);
    let mut host = launch.start().await;
    let (ada, arguments) = crawler(&host, "ada@example.com").await;
    let run = start(&ada, &arguments).await;
    host.kill();
    let host = launch.start().await;
    ends_well(&host.again(&ada), &run).await;
    host.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn q4_a_host_that_stood_still_beyond_its_lease_commits_nothing_of_its_step() {
    let Some(server) = database::server() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), PAGES);
    let served = site::serve_folder(folder.path().to_path_buf()).await;
    let data = tempfile::tempdir().expect("a folder");
    database::on(&server, data.path());
    let launch = Launch::on(data.path(), &[("many.example", served.address)]).lease(1);
    let first = launch.start().await;
    let (ada, arguments) = crawler(&first, "ada@example.com").await;
    let run = start(&ada, &arguments).await;
    fetching(&served).await;
    first.suspend();
    let second = launch.start().await;
    let there = second.again(&ada);
    tokio::time::sleep(Duration::from_secs(3)).await;
    first.resume();
    ends_well(&there, &run).await;
    // The one that came back goes on as if nothing had been.
    assert_eq!(ada.read("crawl.run.get", run).await.data()["state"], "succeeded");
    // Each step has a number in the trail, and none is there twice: I11.
    second.verify_ledger();
    second.verify_audit();
}

#[tokio::test(flavor = "multi_thread")]
async fn q9_a_job_that_ends_its_host_again_and_again_is_given_up_and_its_points_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), PAGES);
    let served = site::serve_folder(folder.path().to_path_buf()).await;
    let data = tempfile::tempdir().expect("a folder");
    let launch = Launch::on(data.path(), &[("many.example", served.address)]).lease(2);
    let mut host = launch.start().await;
    let (ada, arguments) = crawler(&host, "ada@example.com").await;
    let before = points(&ada).await;
    let run = start(&ada, &arguments).await;
    host.kill();
    {
        let store = database::open(data.path()).await;
        // As if twelve hosts had died of it.
        let died = "UPDATE job SET state = 'running', claim = 'of the last that died', attempt = 12, due_at = 1";
        let done = store.database.write(move |tx| {
            Box::pin(async move {
                tx.connection().execute(died).await?;
                Ok::<_, store::StoreError>(())
            })
        });
        done.await.expect("written");
    }
    let host = launch.start().await;
    let ada = host.again(&ada);
    let ended = ada.wait_for("crawl.run.get", run, 60).await;
    assert_eq!(ended["state"], "failed", "{ended}");
    // Starting it cost 10 and each look at it one; the 20 that were held for its pages came back.
    let spent = before - points(&ada).await;
    assert!((11..20).contains(&spent), "{spent}");
    host.verify_ledger();
}

/// What is left, with what is held taken off.
async fn points(ada: &Customer) -> u64 {
    let usage = ada.get("/usage").await.json()["meta"]["usage"].clone();
    ["included_remaining", "paid_remaining"].iter().map(|it| usage[it].as_u64().expect("points")).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn q11_a_host_whose_clock_is_ten_minutes_wrong_holds_no_job_longer_than_others_do() {
    let Some(server) = database::server() else { return };
    if !Launch::can_be_wrong() {
        needs::skip("a wrong clock", "install Debian's faketime package");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), PAGES);
    let served = site::serve_folder(folder.path().to_path_buf()).await;
    let data = tempfile::tempdir().expect("a folder");
    database::on(&server, data.path());
    let launch = Launch::on(data.path(), &[("many.example", served.address)]).lease(2);
    let right = launch.start().await;
    for wrong in ["+600s", "-600s"] {
        let mut off = launch.clone().clock(wrong).start().await;
        let (ada, arguments) = crawler(&off, &format!("ada{wrong}@example.com")).await;
        let run = start(&ada, &arguments).await;
        fetching(&served).await;
        off.kill();
        // By its own clock, the dead one's lease would last ten minutes, or would have ended ten minutes ago.
        ends_well(&right.again(&ada), &run).await;
    }
    right.verify_ledger();
    right.verify_audit();
}
