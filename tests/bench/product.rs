//! The product as a process of its own with customers who ask, the bare server that it stands beside, and what each of
//! them takes of the CPU.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::ops::Range;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use axum::Router;
use axum::routing::post;
use futures_util::future::join_all;
use model::clock::{Clock as _, SystemClock};
use model::id::CustomerId;
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::process::{Launch, Process};
use tokio::net::TcpListener;

/// Customers who are added at a time.
const MANY: usize = 500;
/// Customers who ask.
const CUSTOMERS: usize = 16;
/// What each of them has to spend; 2,000 credits are more points than a run can use.
const CREDITS: u64 = 20_000;
const SCOPES: &str = "account:read assets:read assets:write seo:analyze";

/// A customer, and the author they made.
#[derive(Clone)]
pub(crate) struct Person {
    /// The value of `Authorization`.
    pub(crate) token: String,
    pub(crate) author: Value,
}

pub(crate) type People = Arc<[Person]>;

/// The product, running.
pub(crate) struct Product {
    pub(crate) process: Process,
    pub(crate) people: People,
    pub(crate) address: SocketAddr,
    data: TempDir,
}

impl Product {
    /// Starts one on SQLite, or on a database of this PostgreSQL server.
    pub(crate) async fn start(postgres: Option<&str>) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let process = match postgres {
            Some(server) => Process::start_on(server, data.path(), &[]).await,
            None => Launch::on(data.path(), &[]).start().await,
        };
        let mut people = Vec::with_capacity(CUSTOMERS);
        for number in 0..CUSTOMERS {
            // The first token opens access, for 100 credits.
            let customer = process.customer(&format!("c{number}@example.com"), CREDITS + 1_000, SCOPES).await;
            process.points(&customer, CREDITS).await;
            let made = customer.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await;
            let author = made.data()["author_ref"].clone();
            people.push(Person { token: format!("Bearer {}", customer.token), author });
        }
        let address = address(process.rest());
        Self { process, people: people.into(), address, data }
    }

    /// One more host beside it, on the same database with the same keys.
    pub(crate) async fn another(&self) -> Process {
        Launch::on(self.data.path(), &[]).start().await
    }

    /// More customers with something on their accounts, past the host: an operator's command adds one.
    pub(crate) async fn add_customers(&self, numbers: Range<u64>) {
        let store = tests::database::open(self.data.path()).await;
        for first in numbers.clone().step_by(MANY) {
            let added = (first..numbers.end.min(first + MANY as u64)).map(async |number| {
                let id = CustomerId::from(format!("cus_more{number}"));
                let email = format!("more{number}@example.com");
                store
                    .identity
                    .add_customer(id.clone(), email, None, SystemClock.now())
                    .await
                    .expect("written")
                    .expect("a new one");
                store.money.credit(&id, 10_000, &format!("more{number}")).await.expect("given");
            });
            join_all(added).await;
        }
    }
}

pub(crate) fn address(url: &str) -> SocketAddr {
    url.trim_start_matches("http://").trim_end_matches("/v1").parse().expect("an address")
}

/// This program once more, as a server of its own; its first line says where it is.
pub(crate) struct Served {
    child: Child,
    pub(crate) said: String,
}

impl Served {
    pub(crate) fn start(flag: &str) -> Self {
        let this = std::env::current_exe().expect("this program");
        let mut child = Command::new(this).arg(flag).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut said = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut said).expect("a line");
        Self { child, said }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The bare server of [`hello`].
pub(crate) struct Hello {
    pub(crate) server: Served,
    pub(crate) address: SocketAddr,
}

impl Hello {
    pub(crate) fn start() -> Self {
        let server = Served::start("--hello");
        let address = server.said.trim().parse().expect("an address");
        Self { server, address }
    }
}

/// A server that says back what it gets: what HTTP costs with nothing behind it.
///
/// Serves for ever; the first line says where.
pub(crate) async fn hello() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{}", listener.local_addr().expect("an address"));
    let router = Router::new().route("/", post(|body: String| async move { body }));
    axum::serve(listener, router).await.expect("served");
}

/// Microseconds of CPU that a process has taken, of itself and for itself.
pub(crate) fn cpu_us(pid: u32) -> Option<f64> {
    /// Linux counts in hundredths of a second (`USER_HZ`).
    const TICK_US: f64 = 10_000.0;
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name may hold spaces; what follows its bracket does not.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks * TICK_US)
}

/// MiB of memory that a process holds.
pub(crate) fn memory_mib(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<f64>().ok()? / 1_024.0)
}
