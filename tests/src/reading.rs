//! Every operation that reads a page, over pages of all sizes and shapes: how it answers, and what that takes.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::response::Html;
use axum::routing::get;
use model::contract::Contract;
use model::id::CustomerId;
use serde_json::{Value, json};

use crate::customer::Customer;
use crate::host::Host;
use crate::large::{Shape, page};

/// Sizes in KiB: ordinary pages, what reviewers found to fail, and up to what the 99th percentile of pages has.
pub const SIZES: [usize; 6] = [25, 113, 350, 700, 1_000, 2_000];

/// The name of the website of [`site`].
pub const NAME: &str = "large.example";

/// One read of one page.
#[derive(Clone, Debug)]
pub struct Read {
    /// The operation.
    pub operation: String,
    /// The page's shape.
    pub shape: Shape,
    /// Its size.
    pub kib: usize,
    /// The status of the answer.
    pub status: u16,
    /// The code of the refusal; empty for an answer.
    pub code: String,
    /// Fuel that it took.
    pub fuel: u64,
    /// Bytes of memory that it took.
    pub memory: u64,
}

impl Read {
    /// Whether the size of the page was too much: no page that is let in may be.
    pub fn is_too_much(&self) -> bool {
        self.status >= 500 || (self.status == 422 && self.code == "too_much_at_once")
    }
}

/// A website with a page `/SHAPE/KIB` of each shape and size, whose home page links to those of these sizes.
///
/// # Panics
/// When no port is free.
pub async fn site(linked: &'static [usize]) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let one = |Path((shape, kib)): Path<(String, usize)>| async move {
        let shape = Shape::ALL.into_iter().find(|it| it.name() == shape).unwrap_or(Shape::Article);
        Html(page(shape, kib << 10))
    };
    let home = move || async move {
        let links =
            Shape::ALL.iter().flat_map(|shape| linked.iter().map(move |kib| format!("/{}/{kib}", shape.name())));
        let links: String = links.map(|it| format!("<li><a href=\"{it}\">{it}</a></li>")).collect();
        Html(page(Shape::Article, 4 << 10).replace("<footer>", &format!("<ul>{links}</ul><footer>")))
    };
    let router = Router::new().route("/", get(home)).route("/{shape}/{kib}", get(one));
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Operations that fetch the page of an argument `url`, with the other arguments that they need.
pub fn readers(host: &Host) -> Vec<(Arc<Contract>, Value)> {
    let generation = host.service.core.catalog().current();
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

/// Reads the pages of [`site`] of these sizes with every such operation, in as many rows of calls as there are customers;
/// the host has to find it under [`NAME`].
///
/// # Panics
/// When a call does not end.
pub async fn table(host: &Host, customers: &[Customer], sizes: &[usize]) -> Vec<Read> {
    let rows = customers.iter().enumerate().map(|(at, customer)| {
        let own: Vec<_> = readers(host).into_iter().skip(at).step_by(customers.len()).collect();
        row(host, customer, own, sizes)
    });
    let mut reads = futures_util::future::join_all(rows).await.concat();
    reads.sort_by(|one, other| one.operation.cmp(&other.operation));
    reads
}

/// What one customer reads, a call after the other: the trail tells what the last of them took.
async fn row(host: &Host, ada: &Customer, operations: Vec<(Arc<Contract>, Value)>, sizes: &[usize]) -> Vec<Read> {
    let mut reads = Vec::new();
    for (contract, arguments) in operations {
        for shape in Shape::ALL {
            for &kib in sizes {
                let mut arguments = arguments.clone();
                arguments["url"] = json!(format!("http://{NAME}/{}/{kib}", shape.name()));
                let answer = ada.run(&contract.id, arguments).await;
                let status = answer.status.as_u16();
                let code = if status >= 400 { answer.refusal().1.to_owned() } else { String::new() };
                let (fuel, memory) = taken(host, ada).await;
                reads.push(Read { operation: contract.id.clone(), shape, kib, status, code, fuel, memory });
            }
        }
    }
    reads
}

/// Fuel and bytes of memory that the last call took.
async fn taken(host: &Host, ada: &Customer) -> (u64, u64) {
    let lines = host
        .service
        .core
        .store()
        .trail
        .audit_lines(&CustomerId::from(ada.id.as_str()), None, 1)
        .await
        .expect("readable");
    let taken = |name: &str| lines.first().and_then(|line| line.audit.detail[name].as_u64()).unwrap_or(0);
    (taken("fuel"), taken("peak_memory"))
}

/// The reads as Markdown, a row for each operation and shape: millions of fuel by size, and the most memory.
pub fn markdown(reads: &[Read]) -> String {
    let sizes: BTreeSet<usize> = reads.iter().map(|read| read.kib).collect();
    let named: Vec<String> = sizes.iter().map(|kib| format!("{kib} KiB")).collect();
    let lines = " --- |".repeat(sizes.len() + 3);
    let mut text = format!("| operation | shape | {} | most MiB |\n|{lines}\n", named.join(" | "));
    for row in reads.chunk_by(|a, b| a.operation == b.operation && a.shape.name() == b.shape.name()) {
        let cell = |read: &Read| match read.status {
            200 => (read.fuel / 1_000_000).to_string(),
            status => format!("{status} {}", read.code),
        };
        let cells: Vec<String> = row.iter().map(cell).collect();
        let memory = row.iter().map(|read| read.memory >> 20).max().unwrap_or(0);
        text += &format!("| `{}` | {} | {} | {memory} |\n", row[0].operation, row[0].shape.name(), cells.join(" | "));
    }
    text
}
