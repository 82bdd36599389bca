//! What large websites cost: a crawl beside scrapy's, audits of stored pages, and lists over a million of them; each at
//! two sizes, so that it shows how cost grows.
//!
//! `cargo run --release -p tests --bin bench -- --scale`. Crawled are the pages of Debian's `python3-doc`, audited and listed
//! those of the demo shop, many times over; `ESPALIER_SCRAPY` names
//! a Python that has scrapy. Host, site and load share the machine and, but for scrapy, one process.

mod copy;

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use espalier::modules::Profile;
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tests::site::{Folder, serve_folder};

use self::copy::Source;
use crate::wanted;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute";

/// How much of everything.
struct Size {
    /// Websites that are crawled side by side; each is asked ten times a second at most, as the contract has it.
    sites: usize,
    /// Pages of each.
    pages: u64,
    /// Pages of the demo shop that are copied.
    shop: u64,
    /// Copies of a crawl that are audited: the smaller and the larger number.
    audited: [usize; 2],
    /// Crawls that are listed, and copies of the rows that each has.
    listed: (usize, usize),
    /// Lists that are asked for.
    asked: usize,
}

/// The rows that `--only` chooses between.
const STORED: &str = "stored pages";
const CRAWL: &str = "crawl";

const WHOLE: Size = Size { sites: 4, pages: 500, shop: 350, audited: [3, 29], listed: (10, 286), asked: 400 };
const SHORT: Size = Size { sites: 2, pages: 20, shop: 20, audited: [1, 2], listed: (2, 3), asked: 5 };

/// Prints all figures.
pub(crate) async fn rows(short: bool) {
    let size = if short { SHORT } else { WHOLE };
    let folder = serve_folder(documentation()).await;
    let shop_at = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let name = |site: usize| format!("docs{site}.example");
    let host = Host::start_with(|options| {
        options.profile(Profile::measured());
        (0..size.sites).for_each(|site| options.map(&name(site), folder.address));
        options.map("shop.example", shop_at);
    })
    .await;
    if wanted(STORED) {
        let (ada, run) = shop(&host, &size).await;
        let source = Source::read(&host, &ada, &run).await;
        for copies in size.audited {
            audit(&ada, &source.crawl(copies).await).await;
        }
        lists(&ada, &source, &size).await;
    }
    if wanted(CRAWL) {
        crawl(&host, &size, name).await;
        beside_scrapy(&folder);
    }
    host.verify_ledger().await;
}

/// The HTML of a documentation package, as the site that is crawled.
fn documentation() -> PathBuf {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/share/doc")
        .expect("a folder")
        .filter_map(|entry| Some(entry.ok()?.path().join("html")))
        .filter(|path| path.join("library/os.html").exists())
        .collect();
    found.sort();
    found.into_iter().next().expect("Debian's package python3-doc")
}

/// The demo shop, crawled: what is copied.
async fn shop(host: &Host, size: &Size) -> (Customer, Value) {
    let ada = host.customer(SCOPES).await;
    host.credit(&ada, 1_000).await;
    host.buy_points(&ada, 500).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let arguments = json!({ "site_id": site, "max_pages": size.shop, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", arguments).await.data()["run_ref"].clone();
    ended(&ada, "crawl.run.get", json!({ "run_ref": run })).await;
    (ada, run)
}

async fn crawl(host: &Host, size: &Size, name: impl Fn(usize) -> String) {
    let mut started = Vec::new();
    for site in 0..size.sites {
        let ada = host.customer(SCOPES).await;
        host.credit(&ada, 1_000).await;
        host.buy_points(&ada, 500).await;
        let site = ada.run("websites.create", json!({ "domain": name(site) })).await.data()["site_id"].clone();
        started.push((ada, site));
    }
    let (begun, before) = (Instant::now(), cpu());
    let mut running = Vec::new();
    for (ada, site) in started {
        let arguments = json!({ "site_id": site, "max_pages": size.pages, "max_depth": 50, "rate_rps": 10, "check_external": false });
        let run = ada.run("crawl.run.start", arguments).await.data()["run_ref"].clone();
        running.push((ada, run));
    }
    let mut pages = 0;
    for (ada, run) in &running {
        let ended = ended(ada, "crawl.run.get", json!({ "run_ref": run })).await;
        let job = ada.read("account.job.get", json!({ "job_ref": ended["job_ref"] })).await.data();
        if ended["state"] != "succeeded" {
            let customer = model::id::CustomerId::from(ada.id.as_str());
            let lines = host.service.core.store().trail.audit_lines(&customer, None, 40).await.expect("readable");
            lines
                .iter()
                .filter(|it| it.audit.event == "job.step")
                .for_each(|it| println!("{} {}", it.audit.outcome, it.audit.detail));
        }
        assert_eq!(ended["state"], "succeeded", "{job}");
        pages += ended["totals"]["fetched"].as_u64().unwrap_or_default();
    }
    let sites = running.len();
    told(&format!("{CRAWL}, {sites} sites at 10 requests a second each"), pages, begun.elapsed(), cpu() - before);
}

/// The same site with scrapy, where there is one.
fn beside_scrapy(folder: &Folder) {
    let Some(python) = std::env::var_os("ESPALIER_SCRAPY") else {
        println!("crawl with scrapy: SKIPPED, ESPALIER_SCRAPY names no Python that has it");
        return;
    };
    let out = tempfile::NamedTempFile::new().expect("a file");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/peer.py");
    let start = format!("http://{}/index.html", folder.address);
    let said = Command::new(python).arg(script).arg(start).arg(out.path()).output().expect("it starts");
    let said: Value = serde_json::from_slice(&said.stdout)
        .unwrap_or_else(|_| panic!("scrapy failed: {}", String::from_utf8_lossy(&said.stderr)));
    let seconds = |name: &str| Duration::from_secs_f64(said[name].as_f64().unwrap_or_default());
    told(
        "crawl, scrapy, no pause, without the site's server",
        said["pages"].as_u64().unwrap_or_default(),
        seconds("seconds"),
        seconds("cpu"),
    );
}

async fn audit(ada: &Customer, run: &copy::Crawl) {
    let (begun, before) = (Instant::now(), cpu());
    let started = ada.run("audit.run.start", json!({ "run_ref": run.id, "max_pages": run.pages })).await.data();
    let audit = json!({ "audit_ref": started["audit_ref"] });
    let ended = ended(ada, "audit.run.get", audit).await;
    assert_eq!((ended["state"].as_str(), ended["pages"].as_u64()), (Some("succeeded"), Some(run.pages)), "{ended}");
    told(
        &format!("audit of {} stored pages, {} links", run.pages, run.links),
        run.pages,
        begun.elapsed(),
        cpu() - before,
    );
}

async fn lists(ada: &Customer, source: &Source<'_>, size: &Size) {
    let (crawls, copies) = size.listed;
    let mut runs = Vec::new();
    let mut smaller = None;
    for _ in 0..crawls {
        let copied = source.rows(copies).await;
        columns(ada, source, &copied).await;
        runs.push(copied);
        if runs.len() == 1 {
            smaller = Some(measured(ada, &runs, size.asked).await);
        }
    }
    let larger = measured(ada, &runs, size.asked).await;
    let (one, all) = (runs[0].pages, runs.iter().map(|run| run.pages).sum::<u64>());
    for (smaller, larger) in smaller.unwrap_or_default().into_iter().zip(larger) {
        println!(
            "page list, {:<34} {one:>9} pages: {:>7.1?} p99 {:>7.1?}   {all:>9} pages: {:>7.1?} p99 {:>7.1?}",
            smaller.0, smaller.1, smaller.2, larger.1, larger.2
        );
    }
}

/// The home page is fetched again: at the end of that job the module writes what it writes at the end of every crawl.
async fn columns(ada: &Customer, source: &Source<'_>, run: &copy::Crawl) {
    let (begun, before) = (Instant::now(), cpu());
    let home = format!("{}/", source.origin);
    let started = ada.run("crawl.run.recrawl", json!({ "run_ref": run.id, "urls": [home] })).await.data();
    assert_eq!(started["queued"], 1, "{started}");
    let ended = ended(ada, "crawl.run.get", json!({ "run_ref": run.id })).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    told("columns of a crawl, and one page fetched again", run.pages, begun.elapsed(), cpu() - before);
}

/// Waits for the end of a job. A host that is busy with large commits says 503, and is asked again.
async fn ended(ada: &Customer, operation: &str, arguments: Value) -> Value {
    let mut busy = 0;
    loop {
        let answer = ada.read(operation, arguments.clone()).await;
        if answer.status == 503 {
            busy += 1;
        } else {
            let data = answer.data();
            if !matches!(data["state"].as_str(), Some("queued" | "running" | "retry")) {
                if busy > 0 {
                    println!("{operation}: {busy} answers were 503, busy");
                }
                return data;
            }
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

type Measured = (&'static str, Duration, Duration);

/// Median and 99th percentile of each kind of list, in turn over all crawls.
async fn measured(ada: &Customer, runs: &[copy::Crawl], asked: usize) -> Vec<Measured> {
    let kinds = [
        ("by an index (depth)", json!([{ "field": "depth", "op": "eq", "value": 2 }])),
        ("by a number (title_length)", json!([{ "field": "title_length", "op": "gt", "value": 60 }])),
        ("by a text that none has", json!([{ "field": "title", "op": "contains", "value": "no such title" }])),
    ];
    let mut found: Vec<Measured> = Vec::new();
    for (kind, filter) in kinds {
        let mut times = Vec::new();
        for number in 0..asked {
            let run = &runs[number % runs.len()];
            let begun = Instant::now();
            let page = ada.read("crawl.page.list", json!({ "run_ref": run.id, "filter": filter })).await.data();
            times.push(begun.elapsed());
            assert!(page["pages"].is_array(), "{page}");
        }
        times.sort_unstable();
        found.push((kind, times[times.len() / 2], times[times.len() * 99 / 100]));
    }
    found
}

/// One line: how many a second, and how much of one core each took.
fn told(what: &str, pages: u64, wall: Duration, cpu: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let count = pages as f64;
    println!(
        "{what:<58} {pages:>7} pages {:>8.1?} {:>9.1} a second, {:>8.1?} of one core, {:>6.2} ms each",
        wall,
        count / wall.as_secs_f64(),
        cpu,
        cpu.as_secs_f64() * 1_000.0 / count
    );
}

/// What this process has used of processors so far, in hundredths of a second (proc(5), `stat`).
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let after = stat.rsplit_once(')').expect("a name").1;
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
