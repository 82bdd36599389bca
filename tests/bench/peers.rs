//! Other servers with one trivial tool, in the same run as the product's metered and durable call over MCP.
//!
//! `bench --peers`. The Node and Python peers are those that `tests/conformance/run` has installed; the Rust peer is built
//! here, once, outside of the workspace.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::doors::{MCP_READ, request};
use crate::load::{Figures, Maker, load};
use crate::product::cpu_us;
use crate::table::{Goal, Row, Table};
use crate::{CONNECTIONS, SPAN};

const CALL: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}"#;

/// One peer: its name, how many times as fast the product shall be, its program with arguments.
struct Peer {
    name: &'static str,
    goal: f64,
    program: PathBuf,
    script: Option<PathBuf>,
    folder: PathBuf,
}

fn peers(root: &Path) -> Vec<Peer> {
    let here = root.join("tests/bench/peers");
    let tools = root.join("target/conformance/tools");
    vec![
        Peer {
            name: "MCP SDK for Node, a trivial tool",
            goal: 12.0,
            program: tools.join("node/node_modules/node/bin/node"),
            script: Some(tools.join("npm/peer.mjs")),
            folder: tools.join("npm"),
        },
        Peer {
            name: "FastMCP on Python, a trivial tool",
            goal: 25.0,
            program: tools.join("python/bin/python"),
            script: Some(here.join("fast.py")),
            folder: here.clone(),
        },
        Peer {
            name: "rmcp, a trivial tool",
            goal: 0.6,
            program: root.join("target/peers/release/rmcp-peer"),
            script: None,
            folder: here.join("rmcp"),
        },
    ]
}

/// Measures each that is there.
pub(crate) async fn rows(table: &mut Table) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    build(root);
    for (number, peer) in peers(root).into_iter().enumerate() {
        if !peer.program.exists() {
            println!("{}: not there; tests/conformance/run installs it", peer.name);
            continue;
        }
        if let Some(script) = peer.script.as_ref().filter(|it| it.ends_with("peer.mjs")) {
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
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--quiet", "--manifest-path"])
        .arg(root.join("tests/bench/peers/rmcp/Cargo.toml"));
    cargo.arg("--target-dir").arg(root.join("target/peers")).env_remove("RUSTC_WORKSPACE_WRAPPER");
    let _ = cargo.status();
}

fn start(peer: &Peer, port: u16) -> Child {
    let mut command = Command::new(&peer.program);
    command.args(&peer.script).arg(port.to_string()).current_dir(&peer.folder);
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
    let headers = [("mcp-protocol-version", "2025-11-25")];
    let make: Maker = Arc::new(move |_| request("POST", "/mcp", "x", CALL, &headers));
    load(address, CONNECTIONS, *SPAN / 4, make.clone()).await;
    let before = cpu_us(pid);
    let figures: Figures = load(address, CONNECTIONS, *SPAN, make).await;
    let spent = cpu_us(pid).zip(before).map(|(after, before)| after - before);
    let cpu_us = spent.map(|it| it / (figures.answered as f64).max(1.0));
    table.add(Row { name: peer.name.to_owned(), at_once: CONNECTIONS, figures, cpu_us });
    let ours = table.rate(MCP_READ, CONNECTIONS);
    let its = table.rate(peer.name, CONNECTIONS);
    table.ratio(
        &format!("tools/call, sandboxed, durable, metered, beside {}", peer.name),
        (ours, its),
        Goal::AtLeast(peer.goal),
    );
}
