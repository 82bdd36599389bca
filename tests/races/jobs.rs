//! Jobs on several hosts that are killed while they work: each job ends, is settled once, and none is forgotten.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::Args;
use model::clock::{Entropy, SystemEntropy};
use serde_json::{Value, json};
use tests::customer::{Answer, Customer};
use tests::process::{Launch, Process};
use tests::site;

#[derive(Args)]
pub(crate) struct Asked {
    /// Jobs in all: audits of a small crawl.
    #[arg(long, default_value_t = 200)]
    jobs: usize,
    /// How often a host is killed and started again.
    #[arg(long, default_value_t = 5)]
    kills: usize,
    /// Hosts, on PostgreSQL; one uses SQLite.
    #[arg(long, default_value_t = 3)]
    nodes: usize,
}

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:execute";
const CUSTOMERS: usize = 10;
/// Requests on their way at once.
const AT_ONCE: usize = 16;
/// Jobs that are started one by one when nothing else is left to do.
const AFTER: usize = 100;

/// Where hosts listen at this moment.
type Nodes = Arc<Mutex<BTreeMap<usize, String>>>;

pub(crate) async fn race(asked: &Asked) -> Vec<String> {
    let data = crate::data_of(asked.nodes);
    let pages = tempfile::tempdir().expect("a folder");
    site::pages(pages.path(), 2);
    let served = site::serve_folder(pages.path().to_path_buf()).await;
    let launch = Launch::on(data.path(), &[("small.example", served.address)]).lease(2);
    let nodes: Nodes = Arc::default();
    let mut hosts = Vec::new();
    for at in 0..asked.nodes {
        let host = launch.start().await;
        nodes.lock().expect("not poisoned").insert(at, host.rest().to_owned());
        hosts.push(host);
    }
    let crawled = crawl(&hosts[0]).await;

    let begun = Instant::now();
    let left = Arc::new(Mutex::new((0..asked.jobs).collect::<Vec<_>>()));
    let started: Arc<Mutex<Vec<(usize, Value)>>> = Arc::default();
    let starters: Vec<_> = (0..AT_ONCE)
        .map(|_| {
            let (left, started, nodes, crawled) = (left.clone(), started.clone(), nodes.clone(), crawled.clone());
            tokio::spawn(async move {
                loop {
                    let next = left.lock().expect("not poisoned").pop();
                    let Some(number) = next else { return };
                    let (customer, run) = &crawled[number % CUSTOMERS];
                    let key = format!("race-job-{number:05}");
                    let answer =
                        until(customer, &nodes, "audit.run.start", json!({ "run_ref": run }), Some(&key)).await;
                    started.lock().expect("not poisoned").push((number, answer["audit_ref"].clone()));
                }
            })
        })
        .collect();
    // Kills are spread over the work: each after another part of the jobs has been started or settled.
    for kill in 0..asked.kills {
        tokio::time::sleep(Duration::from_millis(700 + u64::from(random()) * 4)).await;
        let at = kill % hosts.len();
        hosts[at].kill();
        nodes.lock().expect("not poisoned").remove(&at);
        hosts[at] = launch.start().await;
        nodes.lock().expect("not poisoned").insert(at, hosts[at].rest().to_owned());
    }
    for starter in starters {
        starter.await.expect("a starter does not panic");
    }
    let began = begun.elapsed();
    let started = std::mem::take(&mut *started.lock().expect("not poisoned"));
    let mut wrong = ended(&started, &crawled, &nodes).await;
    let took = begun.elapsed();
    let mut waits = after(&crawled, &nodes).await;
    waits.sort_unstable();
    wrong.extend(["ledger", "audit"].into_iter().filter_map(|books| hosts[0].flaws(books)));
    println!(
        "{} jobs on {} host(s) with {} kills: started in {:.0} s, all ended after {:.0} s; then a job alone takes {:?} \
         at the median and {:?} at the 95th percentile; {} wrong",
        asked.jobs,
        asked.nodes,
        asked.kills,
        began.as_secs_f64(),
        took.as_secs_f64(),
        waits[AFTER / 2],
        waits[AFTER * 95 / 100],
        wrong.len()
    );
    wrong
}

/// Customers, each with a crawl that has ended.
async fn crawl(host: &Process) -> Arc<Vec<(Customer, Value)>> {
    let mut crawled = Vec::new();
    for number in 0..CUSTOMERS {
        let customer = host.customer(&format!("c{number}@example.com"), 10_000, SCOPES).await;
        host.points(&customer, 1_000).await;
        let site = customer.run("websites.create", json!({ "domain": "small.example" })).await.data();
        let start = json!({ "site_id": site["site_id"], "rate_rps": 10, "check_external": false });
        let run = customer.run("crawl.run.start", start).await.data()["run_ref"].clone();
        customer.wait_for("crawl.run.get", json!({ "run_ref": run }), 60).await;
        crawled.push((customer, run));
    }
    Arc::new(crawled)
}

/// Waits for each audit, and says which did not end well.
async fn ended(started: &[(usize, Value)], crawled: &[(Customer, Value)], nodes: &Nodes) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, audit) in started {
        let customer = &crawled[number % CUSTOMERS].0;
        let query = json!({ "audit_ref": audit });
        let since = Instant::now();
        loop {
            let now = until(customer, nodes, "audit.run.get", query.clone(), None).await;
            match now["state"].as_str() {
                Some("queued" | "running") if since.elapsed() < Duration::from_secs(900) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Some("succeeded" | "finished") => break,
                _ => {
                    wrong.push(format!("job {number}: {now}"));
                    break;
                }
            }
        }
    }
    wrong
}

/// How long single jobs take from the request to their end, when no other is there.
async fn after(crawled: &[(Customer, Value)], nodes: &Nodes) -> Vec<Duration> {
    let mut waits = Vec::new();
    for number in 0..AFTER {
        let (customer, run) = &crawled[number % CUSTOMERS];
        let begun = Instant::now();
        let key = format!("race-after-{number:05}");
        let started = until(customer, nodes, "audit.run.start", json!({ "run_ref": run }), Some(&key)).await;
        let query = json!({ "audit_ref": started["audit_ref"] });
        while matches!(
            until(customer, nodes, "audit.run.get", query.clone(), None).await["state"].as_str(),
            Some("queued" | "running")
        ) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        waits.push(begun.elapsed());
    }
    waits
}

/// Asks one host after the other until one answers.
async fn until(customer: &Customer, nodes: &Nodes, operation: &str, arguments: Value, key: Option<&str>) -> Value {
    let begun = Instant::now();
    loop {
        let rest = {
            let nodes = nodes.lock().expect("not poisoned");
            let at = usize::from(random()) % nodes.len().max(1);
            nodes.values().nth(at).cloned()
        };
        let answer: Option<Answer> = match rest {
            Some(rest) => customer.at(&rest).try_run(operation, arguments.clone(), key).await,
            None => None,
        };
        match answer {
            Some(answer) if answer.status == 200 => return answer.data(),
            Some(answer) if !matches!(answer.status.as_u16(), 409 | 429 | 503) => {
                panic!("{operation}: {} {}", answer.status, String::from_utf8_lossy(&answer.bytes))
            }
            _ => assert!(begun.elapsed() < Duration::from_secs(120), "{operation} was never answered"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn random() -> u8 {
    (&SystemEntropy as &dyn Entropy).array::<1>()[0]
}
