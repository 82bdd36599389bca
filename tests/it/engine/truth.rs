//! Books and trail under somebody's hands: what was changed behind the host's back is found, and nothing is charged.

use std::path::Path;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};
use store::{Store, StoreError};
use tests::host::{Host, Process, operate};

const SCOPES: &str = "account:read assets:read assets:write";

/// Does to the tables what no code of ours does.
async fn damage(store: &Store, statements: &[&str]) {
    let statements: Vec<String> = statements.iter().map(|sql| (*sql).to_owned()).collect();
    let done = store.database.write(move |tx| {
        Box::pin(async move {
            for sql in statements {
                tx.connection().execute(AssertSqlSafe(sql)).await?;
            }
            Ok::<_, StoreError>(())
        })
    });
    done.await.expect("damaged");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_ledger_is_wrong_nothing_is_charged() {
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    let author = json!({ "firstname": "Ada", "lastname": "Lovelace" });
    let made = ada.run_as("authors.create", author.clone(), "truth-key-0001").await.data();
    let store = host.service.core.store();
    damage(store, &["UPDATE account SET credits_posted = credits_posted + 7 WHERE account = 'points.used'"]).await;
    host.service.books.look_at_ledger().await;
    let left = ada.get("/usage").await.data();
    let wrong = (503, "ledger_inconsistent".to_owned());
    assert_eq!(ada.run("authors.create", author.clone()).await.refusal(), wrong);
    assert_eq!(ada.read("authors.list", json!({})).await.refusal(), wrong);
    assert_eq!(ada.get("/account").await.refusal(), wrong);
    assert_eq!(ada.tool("service_account_snapshot", json!({})).await.refusal(), wrong.1);
    // What was paid for is still answered, and what costs nothing too.
    assert_eq!(ada.run_as("authors.create", author, "truth-key-0001").await.data(), made);
    assert_eq!(ada.get("/usage").await.data(), left);
    damage(store, &["UPDATE account SET credits_posted = credits_posted - 7 WHERE account = 'points.used'"]).await;
    assert_eq!(ada.read("authors.list", json!({})).await.refusal(), wrong, "nobody has looked yet");
    host.service.books.look_at_ledger().await;
    assert_eq!(ada.read("authors.list", json!({})).await.data()["authors"].as_array().map(Vec::len), Some(1));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_looks_at_its_ledger_by_itself() {
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    damage(host.service.core.store(), &["UPDATE account SET limited = 0 WHERE account = 'credits'"]).await;
    host.clock.advance(std::time::Duration::from_secs(601));
    while ada.get("/account").await.status == 200 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(ada.get("/account").await.refusal(), (503, "ledger_inconsistent".to_owned()));
}

async fn verify(data: &Path) -> (bool, Value) {
    let data = data.to_path_buf();
    let output = tokio::task::spawn_blocking(move || operate(&data, &["audit", "verify"])).await.expect("joined");
    let said = serde_json::from_slice(&output.stdout).expect("JSON");
    (output.status.success(), said)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trail_that_was_cut_short_is_found_by_the_operators_command() {
    let data = tempfile::tempdir().expect("a folder");
    let mut process = Process::start(data.path(), &[]).await;
    let ada = process.customer("ada@example.com", 200, SCOPES).await;
    for name in ["Lovelace", "Byron", "King"] {
        ada.run("authors.create", json!({ "firstname": "Ada", "lastname": name })).await.data();
    }
    process.terminate();
    process.ended().await;
    let (clean, said) = verify(data.path()).await;
    assert!(clean && said["damage"] == json!([]) && said["checkpoints"].as_u64() > Some(0), "{said}");
    assert!(said["public_key"].as_str().is_some_and(|key| key.starts_with("espalier.audit+")), "{said}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(data.path().join("audit.key")).expect("a key").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    {
        let store = tests::database::open(data.path()).await;
        let unlock = if tests::database::of(data.path()).is_none() {
            "DROP TRIGGER audit_no_DELETE"
        } else {
            "ALTER TABLE audit DISABLE TRIGGER USER"
        };
        let cut = [
            unlock,
            "DELETE FROM audit WHERE seq > 3",
            "UPDATE audit_head SET seq = 3, hash = \
             (SELECT hash FROM audit WHERE audit.customer = audit_head.customer AND audit.seq = 3)",
        ];
        damage(&store, &cut).await;
        assert_eq!(store.trail.verify_audit().await.expect("readable"), [], "the chain itself holds");
    }
    let (clean, said) = verify(data.path()).await;
    assert!(!clean, "{said}");
    assert_eq!(said["damage"][0]["customer"], ada.id, "{said}");
    assert!(said["damage"][0]["seq"].as_u64() > Some(3), "{said}");
}
