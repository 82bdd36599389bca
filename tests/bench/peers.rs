//! Other servers with one trivial tool, in the same run as the product's metered and durable call over MCP.
//!
//! `bench --peers`. The Node and Python peers are those that `tests/conformance/run` has installed; the Rust peer is built
//! here, once, outside of the workspace. With `--wasmtime` as well, `wasmtime serve` from crates.io, which takes minutes to
//! build, with a component that says hello.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::doors::{FRESH_READ, MCP_READ, request};
use crate::load::{Figures, Maker, load};
use crate::product::cpu_us;
use crate::table::{Goal, Row, Table};
use crate::{CONNECTIONS, SPAN, given};

const CALL: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}"#;

/// One peer.
struct Peer {
    name: &'static str,
    /// Which of our rows stands beside it, and how many times as fast it shall be.
    ours: &'static str,
    goal: f64,
    program: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
    ask: Ask,
}

/// What a peer is asked.
#[derive(Clone, Copy)]
enum Ask {
    Tool,
    Hello,
}

/// As fast as its own settings make it: instances from a pool, pages kept.
const TUNED: [&str; 6] = [
    "-Opooling-allocator=y",
    "-Opooling-memory-keep-resident=1048576",
    "-Opooling-table-keep-resident=65536",
    "-Opooling-pagemap-scan=y",
    "-Opooling-max-unused-warm-slots=1000",
    "-Scli",
];

fn peers(root: &Path) -> Vec<Peer> {
    let here = root.join("tests/bench/peers");
    let tools = root.join("target/conformance/tools");
    let tool = |name, goal, program, script: Option<PathBuf>, folder| Peer {
        name,
        ours: MCP_READ,
        goal,
        program,
        arguments: script.iter().map(|it| it.display().to_string()).chain([PORT.to_owned()]).collect(),
        folder,
        ask: Ask::Tool,
    };
    let serve = |name, goal, settings: &[&str]| {
        let mut arguments = vec!["serve".to_owned(), format!("--addr=127.0.0.1:{PORT}")];
        arguments.extend(settings.iter().map(|it| (*it).to_owned()));
        arguments.push(root.join("target/peers/wasm32-wasip2/release/serve_peer.wasm").display().to_string());
        let program = root.join("target/peers/bin/wasmtime");
        Peer { name, ours: FRESH_READ, goal, program, arguments, folder: here.clone(), ask: Ask::Hello }
    };
    let node = tools.join("npm");
    let mut peers = vec![
        tool(
            "MCP SDK for Node, a trivial tool",
            12.0,
            tools.join("node/node_modules/node/bin/node"),
            Some(node.join("peer.mjs")),
            node,
        ),
        tool(
            "FastMCP on Python, a trivial tool",
            25.0,
            tools.join("python/bin/python"),
            Some(here.join("fast.py")),
            here.clone(),
        ),
        tool("rmcp, a trivial tool", 0.6, root.join("target/peers/release/rmcp-peer"), None, here.clone()),
    ];
    if given("--wasmtime") {
        peers.push(serve("wasmtime serve, hello, as it comes", 3.0, &["-Scli"]));
        peers.push(serve("wasmtime serve, hello, tuned", 1.0, &TUNED));
    }
    peers
}

/// The product's own engine, as the workspace's manifest names it.
const WASMTIME: &str = "=48.0.8";

/// What `wasmtime serve` needs of its program.
const SERVING: &str = "run,serve,component-model-async,compile,parallel-compilation,pooling-allocator";

/// Stands for the port among a peer's arguments.
const PORT: &str = "{port}";

/// Measures each that is there.
pub(crate) async fn rows(table: &mut Table) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    build(root);
    for (number, peer) in peers(root).into_iter().enumerate() {
        if !peer.program.exists() {
            println!(
                "{}: not there; tests/conformance/run installs Node's and Python's, cargo says above why a build failed",
                peer.name
            );
            continue;
        }
        if let Some(script) = peer.arguments.iter().find(|it| it.ends_with("peer.mjs")) {
            // Node looks for packages from the script's folder upwards.
            std::fs::copy(root.join("tests/bench/peers/node.mjs"), script).expect("a file");
        }
        let port = 18_600 + u16::try_from(number).expect("few");
        let mut running = start(&peer, port);
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        if listens(address).await {
            row(table, &peer, address, running.id()).await;
        } else {
            println!("{}: it does not start", peer.name);
        }
        let _ = running.kill();
        let _ = running.wait();
    }
}

fn build(root: &Path) {
    let target = root.join("target/peers");
    let cargo = |arguments: &[&str], manifest: Option<&str>| {
        let mut cargo = Command::new("cargo");
        cargo.args(arguments).arg("--target-dir").arg(&target).env_remove("RUSTC_WORKSPACE_WRAPPER");
        if let Some(manifest) = manifest {
            cargo.arg("--manifest-path").arg(root.join("tests/bench/peers").join(manifest));
        }
        let _ = cargo.status();
    };
    cargo(&["build", "--release", "--quiet"], Some("rmcp/Cargo.toml"));
    if given("--wasmtime") {
        cargo(&["build", "--release", "--quiet", "--target", "wasm32-wasip2"], Some("serve/Cargo.toml"));
        if !target.join("bin/wasmtime").exists() {
            let place = target.display().to_string();
            let install = ["install", "wasmtime-cli", "--version", WASMTIME, "--locked", "--quiet", "--root", &place];
            let features = ["--no-default-features", "--features", SERVING];
            cargo(&[&install[..], &features[..]].concat(), None);
        }
    }
}

fn start(peer: &Peer, port: u16) -> Child {
    let mut command = Command::new(&peer.program);
    let arguments = peer.arguments.iter().map(|it| it.replace(PORT, &port.to_string()));
    command.args(arguments).current_dir(&peer.folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

async fn listens(address: SocketAddr) -> bool {
    for _ in 0..200 {
        if tokio::net::TcpStream::connect(address).await.is_ok() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    false
}

async fn row(table: &mut Table, peer: &Peer, address: SocketAddr, pid: u32) {
    let make: Maker = match peer.ask {
        Ask::Tool => Arc::new(|_| request("POST", "/mcp", "x", CALL, &[("mcp-protocol-version", "2025-11-25")])),
        Ask::Hello => Arc::new(|_| request("POST", "/", "x", "{}", &[])),
    };
    load(address, CONNECTIONS, *SPAN / 4, make.clone()).await;
    let before = cpu_us(pid);
    let figures: Figures = load(address, CONNECTIONS, *SPAN, make).await;
    let spent = cpu_us(pid).zip(before).map(|(after, before)| after - before);
    let cpu_us = spent.map(|it| it / (figures.answered as f64).max(1.0));
    table.add(Row { name: peer.name.to_owned(), at_once: CONNECTIONS, figures, cpu_us });
    let (ours, its) = (table.rate(peer.ours, CONNECTIONS), table.rate(peer.name, CONNECTIONS));
    table.ratio(&format!("{} beside {}", peer.ours, peer.name), (ours, its), Goal::AtLeast(peer.goal));
}
