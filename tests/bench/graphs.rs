//! What a large link graph takes in the sandbox: 100,000 pages with 20 links each, put together and ranked in one step of a
//! job. `tests/references/kit/large.py` does the same with networkx.
//!
//! `cargo run --release -p tests --bin bench -- --graphs`. What the guest takes is the same in a debug build.

use serde_json::{Value, json};
use tests::process::Launch;

/// Prints what it took.
pub(crate) async fn row() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Launch::on(folder.path(), &[]).guest("graphs").start().await;
    let ada = process.customer("ada@example.com", 100, "account:read seo:analyze").await;
    let started = ada.run("graphs.rank", json!({ "pages": 100_000, "links": 20 })).await.data();
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let result: &Value = &ended["result"];
    println!(
        "PageRank of {} links in the sandbox: made in {} ms, ranked in {} ms, {} rounds\n{}",
        result["edges"], result["made_ms"], result["ranked_ms"], result["rounds"], result["first"]
    );
}
