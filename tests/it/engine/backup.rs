//! A backup under fire, put back elsewhere: everything that was acknowledged is there, and nothing half.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use model::clock::{SystemClock, SystemEntropy};
use serde_json::{Value, json};
use store::Store;
use tests::customer::Customer;
use tests::host::{Process, operate};

const SCOPES: &str = "account:read assets:read assets:write";

/// Creates authors, one after the other under keys of their own, until told to stop. What was acknowledged, in order.
async fn write(customer: Customer, name: &'static str, stop: Arc<AtomicBool>) -> Vec<(String, Value, Vec<u8>)> {
    let mut acknowledged = Vec::new();
    while !stop.load(Ordering::SeqCst) {
        let key = format!("{name}-{:06}", acknowledged.len());
        let body = json!({ "firstname": name, "lastname": key });
        let answer = customer.run_as("authors.create", body.clone(), &key).await;
        answer.data();
        acknowledged.push((key, body, answer.bytes));
    }
    acknowledged
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

async fn run(data: &Path, arguments: &[&str]) -> Output {
    let data = data.to_path_buf();
    let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
    let operating = tokio::task::spawn_blocking(move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        operate(&data, &arguments)
    });
    operating.await.expect("joined")
}

/// Every file of a folder with its content; the file that only carries the lock is left out.
fn content(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .filter(|entry| entry.path().is_file() && !entry.file_name().to_string_lossy().ends_with(".lock"))
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a file")))
        .collect();
    files.sort();
    files
}

#[track_caller]
fn refused(output: &Output, why: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains(why), "wanted {why:?}: {said}");
}

#[track_caller]
fn done(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_taken_under_fire_has_all_that_was_acknowledged_before_it_began() {
    let (data, kept, elsewhere) = (folder(), folder(), folder());
    let process = Process::start(data.path(), &[]).await;
    let mut customers = Vec::new();
    for name in ["ada", "bob"] {
        let customer = process.customer(&format!("{name}@example.com"), 1_000, SCOPES).await;
        process.points(&customer, 20).await;
        customers.push((name, customer));
    }
    let before = Arc::new(AtomicBool::new(false));
    let writing: Vec<_> =
        customers.iter().map(|(name, customer)| tokio::spawn(write(customer.clone(), name, before.clone()))).collect();
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    before.store(true, Ordering::SeqCst);
    let mut acknowledged = Vec::new();
    for (writer, (_, customer)) in writing.into_iter().zip(&customers) {
        acknowledged.push((customer.clone(), writer.await.expect("written")));
    }

    // The stream goes on, under other keys, while the backup is made.
    let during = Arc::new(AtomicBool::new(false));
    let writing = tokio::spawn(write(customers[0].1.clone(), "during", during.clone()));
    let file = kept.path().join("today.backup");
    done(&run(data.path(), &["backup", text(&file)]).await);
    during.store(true, Ordering::SeqCst);
    let during = writing.await.expect("written");
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&file.metadata().expect("a file").permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(content(kept.path()).len(), 1, "nothing is left beside the backup");
    drop(process);

    done(&run(elsewhere.path(), &["restore", text(&file)]).await);
    let process = Process::start(elsewhere.path(), &[]).await;
    process.verify_ledger();
    done(&run(elsewhere.path(), &["audit", "verify"]).await);
    for (customer, acknowledged) in &acknowledged {
        assert!(acknowledged.len() > 3, "only {} calls before the backup", acknowledged.len());
        let customer = process.again(customer);
        for (key, body, bytes) in acknowledged {
            let again = customer.run_as("authors.create", body.clone(), key).await;
            assert_eq!(
                again.headers.get("idempotent-replayed").map(|value| value.as_bytes()),
                Some(&b"true"[..]),
                "{key}"
            );
            assert_eq!(&again.bytes, bytes);
        }
    }
    // Of what came during the backup, the first so many are there and the others are not.
    let customer = process.again(&customers[0].1);
    let mut replayed = Vec::new();
    for (key, body, _) in &during {
        let again = customer.run_as("authors.create", body.clone(), key).await;
        again.data();
        replayed.push(again.headers.contains_key("idempotent-replayed"));
    }
    assert!(replayed.is_sorted_by(|earlier, later| earlier >= later), "{replayed:?}");
    process.verify_ledger();
    let url = format!("sqlite://{}", text(&elsewhere.path().join("espalier.db")));
    let store = Store::open(&url, Arc::new(SystemClock), Arc::new(SystemEntropy)).await.expect("opened");
    assert_eq!(store.trail.verify_audit().await.expect("readable"), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_a_whole_backup_is_refused_and_nothing_changes() {
    let (data, kept, target) = (folder(), folder(), folder());
    for email in ["ada@example.com", "bob@example.com"] {
        done(&run(data.path(), &["customer", "add", "--email", email, "--credits", "5"]).await);
    }
    let file = kept.path().join("good");
    done(&run(data.path(), &["backup", text(&file)]).await);
    done(&run(target.path(), &["customer", "add", "--email", "eve@example.com", "--credits", "5"]).await);
    let untouched = content(target.path());
    let bytes = std::fs::read(&file).expect("a file");
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    let mut newer = bytes.clone();
    newer[16..20].copy_from_slice(&2_u32.to_be_bytes());
    let longer = [bytes.as_slice(), b"more"].concat();
    let attempts: [(&str, &[u8], &str); 7] = [
        ("damaged", &damaged, "is damaged"),
        ("longer", &longer, "is damaged"),
        ("half", &bytes[..bytes.len() / 2], "is cut off"),
        ("almost", &bytes[..bytes.len() - 1], "is cut off"),
        ("newer", &newer, "use the version that made it"),
        ("empty", b"", "is not a backup"),
        ("other", b"SQLite format 3\0 and so on and so on", "is not a backup"),
    ];
    for (name, bytes, why) in attempts {
        let file = kept.path().join(name);
        std::fs::write(&file, bytes).expect("a file");
        refused(&run(target.path(), &["restore", "--force", text(&file)]).await, why);
        assert_eq!(content(target.path()), untouched, "{name}");
    }
    refused(&run(target.path(), &["restore", text(&file)]).await, "is there already");
    assert_eq!(content(target.path()), untouched);
    // What is put aside is there whole, and what comes is used.
    let restored = done(&run(target.path(), &["restore", "--force", text(&file)]).await);
    assert!(Path::new(restored["former"].as_str().expect("a folder")).join("espalier.db").is_file());
    let listed = done(&run(target.path(), &["customer", "list"]).await).to_string();
    assert!(listed.contains("ada@") && listed.contains("bob@") && !listed.contains("eve@"), "{listed}");
    let left: Vec<_> = std::fs::read_dir(target.path()).expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("espalier-restore")), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_restored_under_a_host_that_serves() {
    let (data, kept) = (folder(), folder());
    let process = Process::start(data.path(), &[]).await;
    let ada = process.customer("ada@example.com", 200, SCOPES).await;
    let file = kept.path().join("backup");
    done(&run(data.path(), &["backup", text(&file)]).await);
    let created = ada.run_as("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" }), "after-it").await;
    refused(&run(data.path(), &["restore", "--force", text(&file)]).await, "is in use");
    let again = ada.run_as("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" }), "after-it").await;
    assert_eq!(again.bytes, created.bytes);
    drop(process);
    done(&run(data.path(), &["restore", "--force", text(&file)]).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_server_both_say_which_command_does_it_and_no_password() {
    let data = folder();
    let database = "postgres://ann:s3cret@db.example:5433/espalier";
    let saved = run(data.path(), &["--database", database, "backup", "today"]).await;
    let words = "pg_dump --format=custom --exclude-table-data=transcript --host=db.example --port=5433 --username=ann --dbname=espalier --file='today'";
    refused(&saved, words);
    let restored = run(data.path(), &["--database", database, "restore", "today"]).await;
    refused(&restored, "pg_restore --clean --if-exists --single-transaction --host=db.example");
    for output in [saved, restored] {
        assert!(!String::from_utf8_lossy(&output.stderr).contains("s3cret"));
    }
}
