//! Truth under fire: clients that repeat themselves, hosts that are killed and stalled, a database that crashes.
//!
//! `cargo run -p tests --bin chaos -- --database sqlite|postgres --nodes N --seconds S --seed X`. What the clients do
//! and what befalls the hosts follows from the seed. Afterwards every answer that was acknowledged is asked for again
//! and must be the same to the byte, every effect must be there once, and the books must be right.
//!
//! With `ESPALIER_MUTANT=key` or `charge` the hosts have a fault, and this program must end with failure: the key's
//! shows where several hosts serve, the charge's anywhere.

mod clients;
mod harm;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use clients::{Client, Record};
use harm::Harm;
use serde_json::json;
use tests::customer::Customer;
use tests::host::Process;
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
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Database {
    Sqlite,
    Postgres,
}

/// What everybody knows: where hosts listen at this moment.
type Nodes = Arc<Mutex<BTreeMap<usize, String>>>;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:execute";
const PAGES: usize = 40;

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
    let many = if cluster.is_some() { asked.nodes.max(1) } else { 1 };
    let pages = tempfile::tempdir().expect("a folder");
    site::pages(pages.path(), PAGES);
    let served = site::serve_folder(pages.path().to_path_buf()).await;
    let data = tempfile::tempdir().expect("a folder");
    let names = [("many.example", served.address)];
    if let Some(cluster) = cluster {
        tests::database::on(&cluster.url, data.path());
    }
    let mut hosts = Vec::new();
    for _ in 0..many {
        hosts.push(Process::start(data.path(), &names).await);
    }
    let nodes: Nodes = Arc::default();
    for (at, host) in hosts.iter().enumerate() {
        nodes.lock().expect("not poisoned").insert(at, host.rest().to_owned());
    }
    let mut customers = Vec::new();
    let mut runs = Vec::new();
    for number in 0..3 {
        let customer = hosts[0].customer(&format!("c{number}@example.com"), 10_000, SCOPES).await;
        hosts[0].points(&customer, 1_000).await;
        let site = customer.run("websites.create", json!({ "domain": "many.example" })).await.data();
        let arguments = json!({ "site_id": site["site_id"], "rate_rps": 10, "check_external": false });
        runs.push(customer.run("crawl.run.start", arguments).await.data()["run_ref"].clone());
        customers.push(customer);
    }

    let stop = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = (0..asked.clients)
        .map(|number| {
            let customer = number % customers.len();
            let client = Client::new(asked.seed, number, customer, customers[customer].token.clone(), nodes.clone());
            tokio::spawn(client.work(stop.clone()))
        })
        .collect();
    let mut harm = Harm::new(asked.seed, cluster, nodes.clone());
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(asked.seconds) {
        harm.once(&mut hosts, data.path(), &names).await;
    }
    harm.rest(&mut hosts, data.path(), &names).await;
    stop.store(true, Ordering::SeqCst);
    let mut records: Vec<Record> = Vec::new();
    for client in clients {
        records.extend(client.await.expect("a client does not panic"));
    }

    let last = &hosts[0];
    let customers: Vec<Customer> = customers.iter().map(|customer| last.again(customer)).collect();
    let mut wrong = clients::judge(&customers, &records).await;
    for (customer, run) in customers.iter().zip(&runs) {
        let ended = customer.wait_for("crawl.run.get", json!({ "run_ref": run }), 240).await;
        let fetched = ended["totals"]["fetched"].as_u64();
        if ended["state"] != "succeeded" || fetched != Some(PAGES as u64 + 1) {
            wrong.push(format!("a crawl of {PAGES} pages ended so: {ended}"));
        }
    }
    last.verify_ledger();
    last.verify_audit();
    let asked_for: usize = records.iter().map(|record| record.asked).sum();
    println!(
        "seed {}: {} effects by {asked_for} requests over {many} host(s); {}; {} wrong",
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
