//! A noisy neighbour: what a quiet customer's calls and jobs take alone, and beside one who takes all that it can get.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use tests::customer::Customer;
use tests::process::Launch;
use tests::site;

#[derive(Args)]
pub(crate) struct Asked {
    /// Calls of the quiet customer, each way.
    #[arg(long, default_value_t = 400)]
    calls: usize,
    /// Jobs of the quiet customer, each way.
    #[arg(long, default_value_t = 8)]
    jobs: usize,
    /// Jobs that the noisy one has queued.
    #[arg(long, default_value_t = 1_000)]
    queued: usize,
    /// Hosts, on PostgreSQL; one uses SQLite. The quiet one calls the first, the noisy one all of them.
    #[arg(long, default_value_t = 1)]
    nodes: usize,
    /// Calls that the noisy one keeps under way.
    #[arg(long, default_value_t = 16)]
    noise: usize,
    /// How many times longer the 99th percentile may take beside it.
    #[arg(long, default_value_t = 1.5)]
    bound: f64,
    /// Milliseconds more that are no fault whatever the ratio: one turn of the processor for each of two cores.
    #[arg(long, default_value_t = 10.0)]
    slack: f64,
}

const SCOPES: &str = "account:read assets:read assets:write seo:analyze seo:execute";

/// Within which a job of the quiet one must begin, in milliseconds: at the median and at the 99th percentile.
const BEGIN_WITHIN: [(usize, f64); 2] = [(50, 2_000.0), (99, 5_000.0)];
/// How often a job's state is asked for.
const LOOK: Duration = Duration::from_millis(20);

struct Taken {
    calls: Vec<Duration>,
    /// From the call that starts a job to its end.
    jobs: Vec<Duration>,
    /// From the call that starts a job to its first step.
    begins: Vec<Duration>,
}

pub(crate) async fn race(asked: &Asked) -> Vec<String> {
    let data = crate::data_of(asked.nodes);
    let pages = tempfile::tempdir().expect("a folder");
    site::pages(pages.path(), 2);
    let quick = site::serve_folder(pages.path().to_path_buf()).await.address;
    let slow = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let names = [("quick.example", quick), ("slow.example", slow.local_addr().expect("an address"))];
    let launch = Launch::on(data.path(), &names);
    let mut hosts = Vec::new();
    for _ in 0..asked.nodes.max(1) {
        hosts.push(launch.start().await);
    }
    let host = &hosts[0];
    let quiet = host.customer("quiet@example.com", 10_000, SCOPES).await;
    let noisy = host.customer("noisy@example.com", 10_000, SCOPES).await;
    for customer in [&quiet, &noisy] {
        host.points(customer, 5_000).await;
    }
    measure(&quiet, 50, 1).await;
    let flush = flush(data.path());
    println!("this disk flushes a page within {flush:.1} ms at p99");
    let alone = measure(&quiet, asked.calls, asked.jobs).await;
    let stop = Arc::new(AtomicBool::new(false));
    let doors: Vec<Customer> = hosts.iter().map(|host| host.again(&noisy)).collect();
    let noise = begin(&doors, asked, &stop).await;
    let beside = measure(&quiet, asked.calls, asked.jobs).await;
    stop.store(true, Ordering::Relaxed);
    let mut answered = 0;
    for one in noise {
        answered += one.await.expect("it ends");
    }
    let mut wrong = Vec::new();
    for (percent, most) in BEGIN_WITHIN {
        let took = percentile(beside.begins.clone(), percent);
        println!(
            "jobs beside {} queued ones on {} host(s) begin within {took:.0} ms at p{percent}",
            asked.queued,
            hosts.len()
        );
        if took > most {
            wrong.push(format!("jobs begin after {took:.0} ms at p{percent}"));
        }
    }
    for (what, alone, beside) in [("calls", alone.calls, beside.calls), ("jobs", alone.jobs, beside.jobs)] {
        let (before, after) = (percentile(alone, 99), percentile(beside, 99));
        let ratio = after / before;
        println!("{what}: p99 {before:.1} ms alone, {after:.1} ms beside {answered} calls of noise, {ratio:.2} times");
        if ratio > asked.bound && after - before > asked.slack {
            wrong.push(format!("{what} take {ratio:.2} times as long beside a noisy neighbour"));
        }
    }
    wrong
}

async fn measure(quiet: &Customer, calls: usize, jobs: usize) -> Taken {
    let mut taken = Taken { calls: Vec::new(), jobs: Vec::new(), begins: Vec::new() };
    for _ in 0..calls {
        let begun = Instant::now();
        quiet.read("authors.list", json!({})).await.data();
        taken.calls.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    for _ in 0..jobs {
        let begun = Instant::now();
        let check = json!({ "urls": ["http://quick.example/"] });
        let started = quiet.run("crawl.url.batch_check", check).await.data();
        let mut begins = None;
        loop {
            let job = quiet.read("account.job.get", json!({ "job_ref": started["job_ref"] })).await.data();
            let state = job["state"].as_str().unwrap_or_default();
            if state != "queued" {
                begins.get_or_insert_with(|| begun.elapsed());
            }
            if !matches!(state, "queued" | "running" | "retry") {
                break;
            }
            tokio::time::sleep(LOOK).await;
        }
        taken.jobs.push(begun.elapsed());
        taken.begins.extend(begins);
        // The pace of the site is not what is measured.
        tokio::time::sleep(Duration::from_millis(2_500)).await;
    }
    taken
}

/// How long this disk takes to keep a page, in milliseconds: the 99th percentile of many times.
fn flush(folder: &Path) -> f64 {
    let mut file = tempfile::tempfile_in(folder).expect("a file beside the data");
    let taken = (0..200).map(|_| {
        let begun = Instant::now();
        file.write_all(&[0; 4096]).and_then(|()| file.sync_data()).expect("a disk that writes");
        begun.elapsed()
    });
    percentile(taken.collect(), 99)
}

/// Queues the jobs, and keeps calls under way until it is told to stop: how many were answered.
async fn begin(doors: &[Customer], asked: &Asked, stop: &Arc<AtomicBool>) -> Vec<tokio::task::JoinHandle<usize>> {
    let urls: Vec<String> = (0..40).map(|at| format!("http://slow.example/{at}")).collect();
    for at in 0..asked.queued {
        doors[at % doors.len()].run("crawl.url.batch_check", json!({ "urls": urls })).await.data();
    }
    let text: Arc<str> =
        "The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(600).into();
    (0..asked.noise)
        .map(|at| {
            let (noisy, stop, text) = (doors[at % doors.len()].clone(), stop.clone(), text.clone());
            tokio::spawn(async move {
                let mut answered = 0;
                while !stop.load(Ordering::Relaxed) {
                    noisy.run("onpage.readability.score", json!({ "text": &*text })).await;
                    answered += 1;
                }
                answered
            })
        })
        .collect()
}

fn percentile(mut taken: Vec<Duration>, percent: usize) -> f64 {
    taken.sort_unstable();
    let at = (taken.len() * percent).div_ceil(100).clamp(1, taken.len().max(1)) - 1;
    taken.get(at).map_or(0.0, |it| it.as_secs_f64() * 1_000.0)
}
