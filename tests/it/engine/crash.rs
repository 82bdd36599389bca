//! Killed in the middle and started again: the job goes on, and nothing happens twice.

use std::time::Duration;

use serde_json::{Value, json};
use tests::host::Process;
use tests::patience::tries;
use tests::site;

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_host_goes_on_with_its_crawl_and_does_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    const PAGES: usize = 160;
    site::pages(folder.path(), PAGES);
    let served = site::serve_folder(folder.path().to_path_buf()).await;
    let data = tempfile::tempdir().expect("a folder");
    let mut process = Process::start(data.path(), &[("many.example", served.address)]).await;
    let scopes = "account:read websites:read assets:read assets:write seo:execute";
    let ada = process.customer("ada@example.com", 1_000, scopes).await;
    process.points(&ada, 10).await;
    let site = ada.run("websites.create", json!({ "domain": "many.example" })).await.data();
    let arguments = json!({ "site_id": site["site_id"], "rate_rps": 10, "check_external": false });
    let started = ada.run_as("crawl.run.start", arguments.clone(), "crawl-key-1").await;
    let run = json!({ "run_ref": started.data()["run_ref"] });

    let mut ada = ada;
    for round in 0..3 {
        let pages = fetched(&ada.read("crawl.run.get", run.clone()).await.data());
        for _ in tries(200) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            if fetched(&ada.read("crawl.run.get", run.clone()).await.data()) > pages {
                break;
            }
        }
        process.kill();
        process = Process::start(data.path(), &[("many.example", served.address)]).await;
        ada = process.again(&ada);
        // The answer of the first call survived the kill, byte for byte.
        let again = ada.run_as("crawl.run.start", arguments.clone(), "crawl-key-1").await;
        assert_eq!(again.bytes, started.bytes, "round {round}");
    }
    let ended = ada.wait_for("crawl.run.get", run.clone(), 240).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert_eq!(fetched(&ended), PAGES as u64 + 1, "{ended}");
    let listed = ada.read("crawl.page.list", json!({ "run_ref": run["run_ref"], "limit": 1 })).await.data();
    assert_eq!(listed["total"], PAGES as u64 + 1, "{listed}");
    process.verify_ledger();
}

fn fetched(run: &Value) -> u64 {
    run["totals"]["fetched"].as_u64().unwrap_or(0)
}
