//! Notifications through a whole host: a job that ends is told by mail and by a signed webhook, once, and an archive is
//! put back by the operator's command.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use simulators::Seed;
use tests::host::{Process, operate};
use tests::patience::tries;

const SCOPES: &str = "account:read assets:read assets:write connections:manage";

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_ended_is_told_once_by_mail_through_the_customers_own_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start(folder.path(), &[]).await;
    let ada = process.customer("ada@example.com", 1_000, SCOPES).await;
    process.points(&ada, 5).await;
    let world = simulators::start(Seed(1)).await.expect("providers");
    let none = json!({ "channels": [{ "kind": "email", "target": "ops@shop.example" }] });
    let none = ada.run("account.notification.update", none).await;
    assert_eq!((none.refusal().1.as_str(), none.pointer()), ("connection_required", "/channels/0/target".to_owned()));
    let account = json!({
        "kind": "smtp", "name": "Mail", "endpoint": world.smtp.url(), "credentials": world.smtp.credentials(), "test": false,
    });
    ada.run("connections.add", account).await.data();
    let channels = json!([{ "kind": "email", "target": "ops@shop.example" }]);
    let set = ada.change("account.notification.update", json!({ "channels": channels })).await;
    assert_eq!(set["settings"]["channels"][0]["target"], "ops@shop.example", "{set}");
    let export = ada.run("account.export.create", json!({})).await.data();
    ada.wait_for("account.job.get", json!({ "job_ref": export["job_ref"] }), 60).await;
    for _ in tries(240) {
        if !world.smtp.messages().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let told = world.smtp.messages();
    assert_eq!(told.len(), 1, "once");
    assert!(told[0].raw.contains("Done: account.export.create"), "{}", told[0].raw);
    // The job that tells is among the jobs, costs nothing, and is not told of itself.
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(world.smtp.messages().len(), 1);
    let jobs = ada.read("account.job.list", json!({})).await.data();
    let telling =
        jobs["jobs"].as_array().expect("jobs").iter().find(|it| it["operation_id"] == "account.notification.update");
    assert_eq!(telling.expect("the job")["charge"]["points"], 0, "{jobs}");
    ada.change("account.notification.update", json!({ "channels": [] })).await;
    let export = ada.run("account.export.create", json!({})).await.data();
    ada.wait_for("account.job.get", json!({ "job_ref": export["job_ref"] }), 60).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(world.smtp.messages().len(), 1, "nobody wishes to be told any more");
    process.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_is_put_back_equals_the_account_it_was_taken_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start(folder.path(), &[]).await;
    let ada = process.customer("ada@example.com", 1_000, SCOPES).await;
    process.points(&ada, 5).await;
    for (first, last) in [("Ada", "Lovelace"), ("Grace", "Hopper"), ("Emmy", "Noether")] {
        ada.run("authors.create", json!({ "firstname": first, "lastname": last })).await.data();
    }
    let archive = tempfile::tempdir().expect("a folder");
    let first = taken(&ada, archive.path()).await;
    let bea = process.customer("bea@example.com", 1_000, SCOPES).await;
    process.points(&bea, 5).await;
    let import = |customer: &str| {
        let path = archive.path().to_string_lossy().into_owned();
        let output = operate(folder.path(), &["customer", "import", "--customer", customer, &path]);
        (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let (done, said) = import(&bea.id);
    assert!(done, "{said}");
    let copy = tempfile::tempdir().expect("a folder");
    let second = taken(&bea, copy.path()).await;
    assert_eq!(sums(&first), sums(&second));
    let (done, said) = import(&bea.id);
    assert!(done && said.contains("\"put\":0"), "{said}");
    let name = first["files"][0]["name"].as_str().expect("a name");
    std::fs::write(archive.path().join(name), "{}\n").expect("written");
    let (done, said) = import(&bea.id);
    assert!(!done && said.contains("SHA-256"), "{said}");
    process.verify_ledger();
}

/// Exports the authors into a folder; the manifest.
async fn taken(customer: &tests::customer::Customer, folder: &std::path::Path) -> Value {
    let wanted = json!({ "collections": ["authors.authors"] });
    let export = customer.run("account.export.create", wanted).await.data();
    let job = customer.wait_for("account.job.get", json!({ "job_ref": export["job_ref"] }), 60).await;
    let fetch = async |url: &Value| {
        let url = url.as_str().expect("an address");
        reqwest::get(url).await.expect("an answer").bytes().await.expect("a body")
    };
    let bytes = fetch(&job["result"]["download_ref"]).await;
    std::fs::write(folder.join("manifest.json"), &bytes).expect("written");
    let manifest: Value = serde_json::from_slice(&bytes).expect("JSON");
    for file in manifest["files"].as_array().expect("files") {
        let bytes = fetch(&file["url"]).await;
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(file["sha256"], sum);
        std::fs::write(folder.join(file["name"].as_str().expect("a name")), bytes).expect("written");
    }
    manifest
}

fn sums(manifest: &Value) -> Vec<(String, String)> {
    let files = manifest["files"].as_array().expect("files").iter();
    files.map(|it| (it["name"].to_string(), it["sha256"].to_string())).collect()
}
