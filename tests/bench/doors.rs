//! What customers do through REST and MCP, each beside a bare server, in rounds that take turns.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::inside::ON_POSTGRES;
use crate::load::{Figures, Maker, load};
use crate::product::{Hello, People, Person, Product, cpu_us, memory_mib};
use crate::table::{Goal, Row, Table};
use crate::twin::Twin;
use crate::{CONNECTIONS, SPAN, given, wanted};

/// Rounds; what is printed is the middle of them.
const ROUNDS: usize = 3;

/// One kind of request.
struct Kind {
    name: String,
    at_once: usize,
    make: Maker,
    address: SocketAddr,
    pid: u32,
}

pub(crate) const HELLO: &str = "bare axum hello, POST";
pub(crate) const READ: &str = "metered read of one record, REST";
pub(crate) const WRITE: &str = "durable write, REST";
pub(crate) const MCP_READ: &str = "metered read of one record, MCP";
const MCP_WRITE: &str = "durable write, MCP";

/// Measures all of them on SQLite and, with `--postgres`, on a server of that.
pub(crate) async fn rows(table: &mut Table) {
    let hello = Hello::start();
    let product = Product::start(None).await;
    let mut kinds = vec![Kind {
        name: HELLO.to_owned(),
        at_once: CONNECTIONS,
        make: Arc::new(|_| request("POST", "/", "x", "{}", &[])),
        address: hello.address,
        pid: hello.server.pid(),
    }];
    kinds.extend(of(&product, ""));
    let twin = TWINS.into_iter().any(wanted).then(Twin::start);
    kinds.extend(twin.iter().flat_map(beside));
    kinds.retain(|kind| kind.name == HELLO || wanted(&kind.name));
    measure(table, &kinds).await;
    if let Some(held) = memory_mib(product.process.pid()) {
        println!("the product holds {held:.0} MiB after it");
    }
    product.process.verify_ledger();
    if given("--postgres")
        && let Some(cluster) = postgres_cluster::durable()
    {
        let product = Product::start(Some(&cluster.url)).await;
        let mut kinds = of(&product, ON_POSTGRES);
        kinds.retain(|kind| wanted(&kind.name));
        measure(table, &kinds).await;
        product.process.verify_ledger();
    }
    ratios(table);
}

const NATIVE_READ: &str = "read not metered, module native";
pub(crate) const FRESH_READ: &str = "read not metered, fresh instance";
const NATIVE_WRITE: &str = "durable write, module native";
const FRESH_WRITE: &str = "durable write, fresh instance";

const TWINS: [&str; 4] = [NATIVE_READ, FRESH_READ, NATIVE_WRITE, FRESH_WRITE];

/// The same read and write with and without the sandbox.
fn beside(twin: &Twin) -> Vec<Kind> {
    let people = &twin.people;
    let read =
        |path: &str| keyed(people, path.to_owned(), path.to_owned(), |person| json!({ "author_ref": person.author }));
    let write = |path: &str| {
        keyed(people, path.to_owned(), path.to_owned(), |_| json!({ "firstname": "Grace", "lastname": "Hopper" }))
    };
    let kind = |name: &str, make| Kind {
        name: name.to_owned(),
        at_once: CONNECTIONS,
        make,
        address: twin.address,
        pid: twin.server.pid(),
    };
    vec![
        kind(NATIVE_READ, read("/native/read")),
        kind(FRESH_READ, read("/fresh/read")),
        kind(NATIVE_WRITE, write("/native/write")),
        kind(FRESH_WRITE, write("/fresh/write")),
    ]
}

fn ratios(table: &mut Table) {
    let rate = |table: &Table, name: &str| table.rate(name, CONNECTIONS);
    let (read, hello) = (rate(table, READ), rate(table, HELLO));
    table.ratio("a metered, durable read over REST beside a bare hello", (read, hello), Goal::AtLeast(0.20));
    let (read, mcp) = (rate(table, READ), rate(table, MCP_READ));
    table.ratio("the same over MCP beside REST", (mcp, read), Goal::AtLeast(0.85));
    let (fresh, native) = (rate(table, FRESH_READ), rate(table, NATIVE_READ));
    table.ratio("a sandboxed read beside the same read native", (fresh, native), Goal::AtLeast(0.65));
    let (fresh, native) = (rate(table, FRESH_WRITE), rate(table, NATIVE_WRITE));
    table.ratio("a sandboxed durable write beside the same write native", (fresh, native), Goal::AtLeast(0.90));
}

/// The kinds of request to a product.
fn of(product: &Product, on: &str) -> Vec<Kind> {
    let people = &product.people;
    let one = |person: &Person| json!({ "author_ref": person.author });
    let new = |_: &Person| json!({ "firstname": "Grace", "lastname": "Hopper" });
    let kind = |name: &str, at_once, make| Kind {
        name: format!("{name}{on}"),
        at_once,
        make,
        address: product.address,
        pid: product.process.pid(),
    };
    let mut kinds = vec![
        kind(READ, CONNECTIONS, marked(people)),
        kind("metered read of three, REST", CONNECTIONS, rest(people, "authors.get", one)),
        kind("metered list, REST", CONNECTIONS, rest(people, "authors.list", |_| json!({}))),
        kind(WRITE, CONNECTIONS, created(people, "64")),
        kind("replayed write, REST", CONNECTIONS, replayed(people, new)),
        kind("catalog search, REST", CONNECTIONS, get(people, "/v1/capabilities?query=who%20wrote%20this")),
        kind("contract, REST", CONNECTIONS, get(people, "/v1/capabilities/authors.create")),
        kind(MCP_READ, CONNECTIONS, mcp(people, "authors.markup.generate", one)),
        kind(MCP_WRITE, CONNECTIONS, mcp(people, "authors.create", new)),
    ];
    if on.is_empty() {
        for (at_once, run) in [(1, "1"), (16, "16"), (256, "256")] {
            kinds.push(kind(READ, at_once, marked(people)));
            kinds.push(kind(WRITE, at_once, created(people, run)));
        }
    }
    kinds
}

async fn measure(table: &mut Table, kinds: &[Kind]) {
    let rounds = if given("--short") { 1 } else { ROUNDS };
    let mut runs: Vec<Vec<(Figures, Option<f64>)>> = vec![Vec::new(); kinds.len()];
    for round in 0..rounds {
        for (kind, runs) in kinds.iter().zip(&mut runs) {
            // The rounds' numbers keep the keys of one apart from those of the next.
            let make = from(kind.make.clone(), round as u64 * 1_000_000_000);
            load(kind.address, kind.at_once, *SPAN / 10, from(make.clone(), 500_000_000)).await;
            let before = cpu_us(kind.pid);
            let figures = load(kind.address, kind.at_once, *SPAN / 2, make).await;
            let spent = cpu_us(kind.pid).zip(before).map(|(after, before)| after - before);
            let each = spent.map(|it| it / (figures.answered as f64).max(1.0));
            runs.push((figures, each));
        }
    }
    for (kind, runs) in kinds.iter().zip(&runs) {
        let figures: Vec<Figures> = runs.iter().map(|it| it.0).collect();
        let mut cpu: Vec<f64> = runs.iter().filter_map(|it| it.1).collect();
        cpu.sort_by(f64::total_cmp);
        table.add(Row {
            name: kind.name.clone(),
            at_once: kind.at_once,
            figures: Figures::middle(&figures),
            cpu_us: cpu.get(cpu.len() / 2).copied(),
        });
    }
}

/// The same requests with other numbers.
fn from(make: Maker, first: u64) -> Maker {
    Arc::new(move |number| make(first + number))
}

pub(crate) fn rest(people: &People, operation: &'static str, arguments: impl Fn(&Person) -> Value) -> Maker {
    let bodies: Vec<String> = people.iter().map(|person| arguments(person).to_string()).collect();
    let people = people.clone();
    Arc::new(move |number| {
        let person = number as usize % people.len();
        let path = format!("/v1/operations/{operation}");
        request("POST", &path, &people[person].token, &bodies[person], &[])
    })
}

/// The read that every customer asks for: [`READ`].
pub(crate) fn marked(people: &People) -> Maker {
    rest(people, "authors.markup.generate", |person| json!({ "author_ref": person.author }))
}

/// The write that every customer asks for, [`WRITE`], with keys of this run.
pub(crate) fn created(people: &People, run: &'static str) -> Maker {
    fresh(people, "authors.create", run, |_| json!({ "firstname": "Grace", "lastname": "Hopper" }))
}

/// A request to a path, each with a key of its own.
fn keyed(people: &People, path: String, keys: String, arguments: impl Fn(&Person) -> Value) -> Maker {
    let bodies: Vec<String> = people.iter().map(|person| arguments(person).to_string()).collect();
    let people = people.clone();
    Arc::new(move |number| {
        let person = number as usize % people.len();
        let key = format!("{keys}-{number}");
        request("POST", &path, &people[person].token, &bodies[person], &[("idempotency-key", &key)])
    })
}

/// A write, each with a key of its own.
pub(crate) fn fresh(
    people: &People,
    operation: &'static str,
    run: &'static str,
    arguments: impl Fn(&Person) -> Value,
) -> Maker {
    keyed(people, format!("/v1/operations/{operation}"), format!("bench-{run}"), arguments)
}

/// A write under a key that was used before.
pub(crate) fn replayed(people: &People, arguments: impl Fn(&Person) -> Value) -> Maker {
    let bodies: Vec<String> = people.iter().map(|person| arguments(person).to_string()).collect();
    let people = people.clone();
    Arc::new(move |number| {
        let person = number as usize % people.len();
        let key = [("idempotency-key", "bench-again-and-again")];
        request("POST", "/v1/operations/authors.create", &people[person].token, &bodies[person], &key)
    })
}

pub(crate) fn get(people: &People, path: &'static str) -> Maker {
    let people = people.clone();
    Arc::new(move |number| request("GET", path, &people[number as usize % people.len()].token, "", &[]))
}

fn mcp(people: &People, operation: &'static str, arguments: impl Fn(&Person) -> Value) -> Maker {
    let bodies: Vec<Value> = people.iter().map(arguments).collect();
    let people = people.clone();
    Arc::new(move |number| {
        let person = number as usize % people.len();
        let mut arguments = json!({ "operation_id": operation, "arguments": bodies[person] });
        if operation.ends_with("create") {
            arguments["idempotency_key"] = format!("bench-mcp-{number}").into();
        }
        let message = json!({
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {
                "name": "service_action_execute",
                "arguments": arguments,
                "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
            }
        });
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "service_action_execute"),
        ];
        request("POST", "/mcp", &people[person].token, &message.to_string(), &headers)
    })
}

/// The bytes of a request.
pub(crate) fn request(method: &str, path: &str, authorization: &str, body: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: {authorization}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += "\r\n";
    text += body;
    text.into_bytes()
}
