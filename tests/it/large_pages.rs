//! Pages of the sizes and shapes that real sites have are read by every operation that reads pages.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::Path;
use axum::response::Html;
use axum::routing::get;
use model::contract::Contract;
use model::id::CustomerId;
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tests::large::{Shape, page};

/// Sizes in KiB: what reviewers found to fail, and up to what the 99th percentile of pages has.
const SIZES: [usize; 4] = [113, 350, 1_000, 2_000];

/// Of a website that jobs go over: a page each of these for every shape.
const IN_JOBS: [usize; 2] = [350, 2_000];

async fn site() -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let one = |Path((shape, kib)): Path<(String, usize)>| async move {
        let shape = Shape::ALL.into_iter().find(|it| it.name() == shape).unwrap_or(Shape::Article);
        Html(page(shape, kib << 10))
    };
    let home = || async {
        let links = Shape::ALL.iter().flat_map(|shape| IN_JOBS.map(|kib| format!("/{}/{kib}", shape.name())));
        let links: String = links.map(|it| format!("<li><a href=\"{it}\">{it}</a></li>")).collect();
        Html(page(Shape::Article, 4 << 10).replace("<footer>", &format!("<ul>{links}</ul><footer>")))
    };
    let router = Router::new().route("/", get(home)).route("/{shape}/{kib}", get(one));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Operations that fetch the page of an argument `url`, with the other arguments that they need.
fn readers(host: &Host) -> Vec<(std::sync::Arc<Contract>, Value)> {
    let generation = host.service.catalog().current();
    let reads =
        |it: &Contract| it.arguments["properties"].get("url").is_some() && it.needs.iter().any(|need| need == "web");
    let contracts = generation.operations().map(|it| it.contract.clone()).filter(|it| reads(it));
    contracts
        .map(|contract| {
            let example = contract.examples.iter().find(|it| it.get("url").is_some());
            let mut arguments = example.cloned().unwrap_or_else(|| json!({}));
            for model in ["use_llm", "site_id", "run_ref", "author_ref"] {
                arguments.as_object_mut().expect("an object").remove(model);
            }
            (contract, arguments)
        })
        .collect()
}

/// Fuel and bytes of memory that the last call took.
async fn taken(host: &Host, ada: &Customer) -> (u64, u64) {
    let lines = host.service.store().audit_lines(&CustomerId::from(ada.id.as_str()), None, 1).await.expect("readable");
    let taken = |name: &str| lines.first().and_then(|line| line.audit.detail[name].as_u64()).unwrap_or(0);
    (taken("fuel"), taken("peak_memory"))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_that_reads_a_page_reads_large_ones_of_every_shape() {
    let address = site().await;
    let host = Host::start_with(|options| options.map("large.example", address)).await;
    let ada = host.customer(&model::scope::ScopeSet::all().to_string()).await;
    host.buy_points(&ada, 90).await;
    let (mut failed, mut table) = (Vec::new(), String::new());
    let readers = readers(&host);
    assert!(readers.len() >= 25, "only {} operations read a page", readers.len());
    for (contract, arguments) in &readers {
        for shape in Shape::ALL {
            let mut row = format!("{} {}:", contract.id, shape.name());
            // A megabyte of nothing but such letters is a book already.
            let sizes = if shape == Shape::Spaceless { &SIZES[..3] } else { &SIZES[..] };
            for kib in sizes {
                let mut arguments = arguments.clone();
                arguments["url"] = json!(format!("http://large.example/{}/{kib}", shape.name()));
                let answer = ada.run(&contract.id, arguments).await;
                let (status, (fuel, memory)) = (answer.status.as_u16(), taken(&host, &ada).await);
                row += &format!(" {kib}K {status} {}M {}MiB,", fuel / 1_000_000, memory >> 20);
                let is_too_much = status == 422 && answer.refusal().1 == "too_much_at_once";
                if status >= 500 || is_too_much {
                    failed.push(format!("{} {} {kib} KiB: {status} {}", contract.id, shape.name(), answer.refusal().1));
                }
            }
            table += &row;
            table.push('\n');
        }
    }
    std::fs::write(std::env::temp_dir().join("large_pages.txt"), &table).expect("written");
    assert!(failed.is_empty(), "{} failed:\n{}\n\n{table}", failed.len(), failed.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_job_over_a_website_of_large_pages_comes_to_its_end() {
    let address = site().await;
    let host = Host::start_with(|options| options.map("large.example", address)).await;
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
