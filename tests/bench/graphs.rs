//! What a large link graph takes in the sandbox: 100,000 pages with 20 links each, put together and ranked in one step of a
//! job; and beside it networkx with the same graph, where `ESPALIER_NETWORKX` names a Python that has it. The two must agree
//! to 1e-8.
//!
//! `cargo run --release -p tests --bin bench -- --graphs`. What the guest takes is the same in a debug build.

use std::process::Command;

use serde_json::{Value, json};
use tests::process::Launch;

/// How far two scores may lie apart.
const APART: f64 = 1e-8;

/// Prints what it took.
pub(crate) async fn row() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Launch::on(folder.path(), &[]).guest("graphs").start().await;
    let ada = process.customer("ada@example.com", 100, "account:read assets:read seo:analyze").await;
    let started = ada.run("graphs.rank", json!({ "pages": 100_000, "links": 20 })).await.data();
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let result: &Value = &ended["result"];
    println!(
        "PageRank of {} links in the sandbox: made in {} ms, ranked in {} ms, {} rounds",
        result["edges"], result["made_ms"], result["ranked_ms"], result["rounds"]
    );
    beside_networkx(result);
}

fn beside_networkx(ours: &Value) {
    let Some(python) = std::env::var_os("ESPALIER_NETWORKX") else {
        println!("the same with networkx: SKIPPED, ESPALIER_NETWORKX names no Python that has it");
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/references/kit/large.py");
    let said = Command::new(python).arg(script).output().expect("it starts");
    let theirs: Value = serde_json::from_slice(&said.stdout)
        .unwrap_or_else(|_| panic!("networkx failed: {}", String::from_utf8_lossy(&said.stderr)));
    let scores =
        |of: &Value| -> Vec<f64> { of["scores"].as_array().into_iter().flatten().filter_map(Value::as_f64).collect() };
    let pairs = scores(ours).into_iter().zip(scores(&theirs));
    let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!(
        "the same {} links with networkx: made in {} ms, ranked in {} ms; {} scores at most {apart:e} apart",
        theirs["edges"],
        theirs["made_ms"],
        theirs["ranked_ms"],
        scores(&theirs).len()
    );
    assert_eq!((scores(ours).len(), &ours["edges"]), (scores(&theirs).len(), &theirs["edges"]), "not the same graph");
    assert!(apart <= APART, "{apart:e} apart");
}
