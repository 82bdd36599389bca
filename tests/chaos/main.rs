//! Truth under fire: clients that repeat themselves, hosts that are killed and stalled, a database that crashes.
//!
//! `cargo run -p tests --bin chaos -- --database sqlite|postgres --nodes N --seconds S --seed X`. What the clients do
//! and what befalls the hosts follows from the seed. Afterwards every answer that was acknowledged is asked for again
//! and must be the same to the byte, every effect must be there once, and the books must be right.
//!
//! With `ESPALIER_MUTANT` the hosts have a fault, and this program must end with failure: `key`, `fence` and
//! `lock,condition` show where several hosts serve, `charge` and `overdraw,check` anywhere.

mod clients;
mod harm;
mod runs;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use clients::{Caller, Client, Record};
use harm::Harm;
use serde_json::json;
use tests::customer::Customer;
use tests::process::{self, Launch};
use tests::site;

#[derive(Parser)]
struct Asked {
    #[arg(long, value_enum, default_value = "sqlite")]
    database: Database,
    /// Hosts at the same time; SQLite has one.
    #[arg(long, default_value_t = 3)]
    nodes: usize,
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 12)]
    clients: usize,
    /// Seconds of a job's lease; stalls go up to three times that.
    #[arg(long, default_value_t = 2)]
    lease: u64,
    /// Pages of the site that is crawled, ten a second: all in one step, which must find a moment of peace, since a job
    /// whose step ends its host a dozen times is given up.
    #[arg(long, default_value_t = 4)]
    pages: usize,
    /// Seconds that a crawl may take, however often its host is killed or stalls.
    #[arg(long, default_value_t = 180)]
    longest: u64,
    /// Slow jobs that a noisy neighbour queues; the crawls of the others must end all the same.
    #[arg(long, default_value_t = 200)]
    noise: usize,
    #[arg(long, value_enum, default_value = "all")]
    harm: Befalls,
}

/// What befalls the hosts.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Befalls {
    /// Everything.
    All,
    /// Stalls beyond the lease of a job: what a fence is for.
    Stalls,
    /// Nothing; the clients alone are enough for some faults.
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Database {
    Sqlite,
    Postgres,
}

/// What everybody knows: where hosts listen at this moment.
type Nodes = Arc<Mutex<BTreeMap<usize, String>>>;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:execute";
const NOISY: &str = "assets:read seo:analyze seo:execute";
/// Points of the day's 100 that are gone before it begins.
const SPENT: usize = 84;
/// Customers who can pay for everything.
const RICH: usize = 3;

fn main() -> ExitCode {
    let asked = Asked::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run(asked))
}

async fn run(asked: Asked) -> ExitCode {
    let cluster = match asked.database {
        Database::Sqlite => None,
        Database::Postgres => match postgres_cluster::shared() {
            Some(cluster) => Some(cluster),
            None => {
                tests::needs::skip("PostgreSQL", postgres_cluster::HOW);
                return ExitCode::SUCCESS;
            }
        },
    };
    // The disk of a server's database is not the hosts'.
    let faults = cluster.is_none() && process::can_fail();
    if cluster.is_none() && !faults {
        tests::needs::skip("a disk that fails", process::HOW_TO_FAIL);
    }
    let many = if cluster.is_some() { asked.nodes.max(1) } else { 1 };
    let pages = tempfile::tempdir().expect("a folder");
    site::pages(pages.path(), asked.pages);
    let served = site::serve_folder(pages.path().to_path_buf()).await;
    let data = tempfile::tempdir().expect("a folder");
    if let Some(cluster) = cluster {
        tests::database::on(&cluster.url, data.path());
    }
    let pipes = faults.then(|| data.path().join("faults"));
    // It takes connections and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let names = [("many.example", served.address), ("slow.example", silent.local_addr().expect("an address"))];
    let launch = Launch::on(data.path(), &names).lease(asked.lease).faults(pipes);
    let nodes: Nodes = Arc::default();
    let mut hosts = Vec::new();
    for at in 0..many {
        let host = launch.start().await;
        nodes.lock().expect("not poisoned").insert(at, host.rest().to_owned());
        hosts.push(host);
    }
    let mut customers = Vec::new();
    let mut sites = Vec::new();
    for number in 0..RICH {
        let customer = hosts[0].customer(&format!("c{number}@example.com"), 10_000, SCOPES).await;
        hosts[0].points(&customer, 1_000).await;
        sites
            .push(customer.run("websites.create", json!({ "domain": "many.example" })).await.data()["site_id"].clone());
        customers.push(customer);
    }
    // Who has only what is left of the day's allowance soon runs out of it, on the slowest machine too, with many at once
    // asking for the last points.
    let poor = hosts[0].customer("poor@example.com", 110, SCOPES).await;
    for _ in 0..SPENT {
        poor.read("authors.list", json!({})).await.data();
    }
    customers.push(poor);
    let noisy = hosts[0].customer("noisy@example.com", 10_000, NOISY).await;
    hosts[0].points(&noisy, 1_000).await;

    let stop = Arc::new(AtomicBool::new(false));
    let caller = |who: usize, customer: usize| {
        Caller::new(asked.seed, who as u64, customers[customer].token.clone(), nodes.clone())
    };
    let clients: Vec<_> = (0..asked.clients)
        .map(|number| {
            let customer = number % customers.len();
            tokio::spawn(Client::new(number, customer, caller(number + 1, customer)).work(stop.clone()))
        })
        .collect();
    let crawls: Vec<_> = sites
        .into_iter()
        .enumerate()
        .map(|(number, site)| {
            tokio::spawn(runs::work(
                caller(1_000 + number, number),
                number,
                (site, asked.pages),
                Duration::from_secs(asked.longest),
                stop.clone(),
            ))
        })
        .collect();
    let noise = Caller::new(asked.seed, 2_000, noisy.token, nodes.clone());
    let noise = tokio::spawn(runs::crowd(noise, asked.noise, stop.clone()));
    let mut harm = Harm::new(asked.seed, cluster, faults, Duration::from_secs(asked.lease), launch, nodes.clone());
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(asked.seconds) {
        match asked.harm {
            Befalls::All => harm.once(&mut hosts).await,
            Befalls::Stalls => harm.stall(&mut hosts).await,
            Befalls::Nothing => tokio::time::sleep(Duration::from_secs(1)).await,
        }
    }
    harm.rest(&mut hosts).await;
    stop.store(true, Ordering::SeqCst);
    let mut records: Vec<Record> = Vec::new();
    for client in clients {
        records.extend(client.await.expect("a client does not panic"));
    }
    let (noise, mut wrong) = noise.await.expect("a client does not panic");
    let mut crawled = 0;
    for crawl in crawls {
        let (ended, found) = crawl.await.expect("a client does not panic");
        crawled += ended;
        wrong.extend(found);
    }

    let last = &hosts[0];
    let customers: Vec<Customer> = customers.iter().map(|customer| last.again(customer)).collect();
    // To look at what the last one has, it takes points again.
    last.points(&customers[RICH], 10).await;
    wrong.extend(clients::judge(&customers, &records).await);
    wrong.extend(["ledger", "audit"].into_iter().filter_map(|books| last.flaws(books)));
    let asked_for: usize = records.iter().map(|record| record.asked).sum();
    println!(
        "seed {}: {} effects by {asked_for} requests and {crawled} crawls beside {noise} slow jobs over {many} host(s); {}; {} wrong",
        asked.seed,
        records.len(),
        harm.told(),
        wrong.len()
    );
    for what in &wrong {
        println!("WRONG: {what}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
