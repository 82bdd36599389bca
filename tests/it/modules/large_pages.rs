//! Pages of the sizes and shapes that real sites have are read by every operation that reads pages.

use serde_json::json;
use tests::host::Host;
use tests::large::Shape;
use tests::reading::{self, NAME};

/// Sizes in KiB; the benchmark's `--pages` has more.
const SIZES: [usize; 4] = [113, 350, 1_000, 2_000];

/// Of a website that jobs go over: a page each of these, in KiB, for every shape.
const IN_JOBS: [usize; 2] = [350, 2_000];

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_that_reads_a_page_reads_large_ones_of_every_shape() {
    let address = reading::site(&[]).await;
    let host = Host::start_with(|options| options.map(NAME, address)).await;
    let scopes = model::scope::ScopeSet::all().to_string();
    let customers = [host.customer(&scopes).await, host.customer(&scopes).await];
    for customer in &customers {
        host.buy_points(customer, 90).await;
    }
    let operations = reading::readers(&host).len();
    assert!(operations >= 25, "only {operations} operations read a page");
    let reads = reading::table(&host, &customers, &SIZES).await;
    let failed: Vec<_> = reads.iter().filter(|read| read.is_too_much()).collect();
    assert!(failed.is_empty(), "{failed:#?}\n\n{}", reading::markdown(&reads));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_job_over_a_website_of_large_pages_comes_to_its_end() {
    let address = reading::site(&IN_JOBS).await;
    let host = Host::start_with(|options| options.map(NAME, address)).await;
    let ada = host.customer(&model::scope::ScopeSet::all().to_string()).await;
    host.buy_points(&ada, 90).await;
    let site = ada.run("websites.create", json!({ "domain": "large.example" })).await.data()["site_id"].clone();
    let pages = 1 + Shape::ALL.len() * IN_JOBS.len();
    let crawl = json!({
        "site_id": site, "max_pages": pages, "max_depth": 1, "check_external": false, "rate_rps": 10, "include": ["*/350", "*/2000"]
    });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    let crawled = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 240).await;
    assert_eq!(crawled["state"], "succeeded", "{crawled}");
    assert_eq!(crawled["totals"]["fetched"].as_u64(), Some(pages as u64), "{crawled}");
    assert_eq!(crawled["totals"]["errors"], 0, "{crawled}");
    assert!(crawled["totals"]["bytes"].as_u64().is_some_and(|it| it > 10 << 20), "{crawled}");
    let urls: Vec<String> = Shape::ALL.iter().map(|it| format!("http://large.example/{}/2000", it.name())).collect();
    let of_run = json!({ "run_ref": run });
    let jobs = [
        ("audit.run.start", of_run.clone()),
        ("links.graph.build", of_run.clone()),
        ("links.suggestion.run", of_run.clone()),
        ("schema.entity_graph.build", of_run.clone()),
        ("indexing.sitemap.generate", json!({ "run_ref": run, "base_url": "http://large.example/" })),
        ("crawl.run.recrawl", json!({ "run_ref": run, "urls": urls.clone(), "only": "listed" })),
        ("crawl.url.batch_check", json!({ "urls": urls })),
        ("websites.plan.generate", json!({ "site_id": site })),
    ];
    let mut failed = Vec::new();
    for (operation, arguments) in jobs {
        let started = ada.run(operation, arguments).await;
        let ended = ada.wait_for("account.job.get", json!({ "job_ref": started.data()["job_ref"] }), 300).await;
        if ended["state"] != "succeeded" {
            failed.push(format!("{operation}: {ended}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}
