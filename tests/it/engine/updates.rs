//! An update of a module whose new version asks what the old one has stored in a new way: nothing stored vanishes, neither by
//! the step, nor by a kill in the middle of it, nor by the step back. Nor does work under way change hands.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use tests::customer::Customer;
use tests::host::{Process, begin, guest, operate, shipped_with};
use tests::patience::tries;

const OLDER: &str = "2026-08-15";
const NEWEST: &str = "2026-09-28";
/// Rows that are there before the update, of ten websites.
const ROWS: i64 = 100_000;
const PLACE: &str = "notes.notes/site";

/// The folders of the old version of the notes, which has no index, and of the new one.
struct Versions {
    data: tempfile::TempDir,
    shelf: tempfile::TempDir,
}

impl Versions {
    /// Of the notes without an index, and with one.
    fn make() -> Self {
        let new = guest("notes");
        let mut manifest =
            serde_json::to_value(sandbox::inspect::inspect(&new).expect("a component").built.manifest).expect("JSON");
        manifest["collections"][0]["indexes"] = json!([]);
        let old = sandbox::seal::seal(&new, manifest.to_string().as_bytes(), &[]).expect("sealed");
        Self::of("notes", &old, &new)
    }

    fn of(name: &'static str, old: &[u8], new: &[u8]) -> Self {
        let (data, shelf) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        tests::shipped::share_compiled(data.path());
        shipped_with(&shelf.path().join("old"), name, old);
        shipped_with(&shelf.path().join("new"), name, new);
        Self { data, shelf }
    }

    /// Puts the folder of a version where the server has its modules.
    fn put(&self, version: &str) {
        let there = self.modules();
        if there.is_dir() {
            std::fs::remove_dir_all(&there).expect("removed");
        }
        let copied =
            std::process::Command::new("cp").arg("-r").arg(self.shelf.path().join(version)).arg(&there).status();
        assert!(copied.expect("cp").success());
    }

    fn modules(&self) -> PathBuf {
        self.data.path().join("modules")
    }

    /// Says whom to believe, before a host does.
    fn configure(&self) {
        std::fs::write(self.data.path().join("espalier.toml"), tests::signed::signer()).expect("a file");
    }

    /// What an operator's command says.
    fn said(&self, arguments: &[&str]) -> Value {
        let output = operate(self.data.path(), arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    async fn host(&self) -> Process {
        Process::start(self.data.path(), &[]).await
    }
}

async fn number(connection: &mut AnyConnection, sql: &str) -> i64 {
    let row = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(connection).await.expect("it answers");
    row.try_get(0).expect("a number")
}

/// Writes rows as they have always been there.
async fn fill(data: &Path, customer: &str) {
    let sql = format!(
        r#"INSERT INTO record (customer, collection, id, version, body)
           WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS})
           SELECT '{customer}', 'notes.notes', '-' || i, 1,
             '{{"site":"s' || (i % 10) || '.example","text":"a note","created_at":"2026-01-01T00:00:00Z"}}' FROM n"#
    );
    let mut connection = tests::database::connection(data).await;
    sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await.expect("filled");
}

/// Makes a note, and returns its id.
async fn note(door: &Customer, site: &str) -> Value {
    door.run("notes.create", json!({ "site": site, "text": "made meanwhile" })).await.data()["note_ref"].clone()
}

/// The newest note about a website.
async fn newest(door: &Customer, site: &str) -> Value {
    door.read("notes.list", json!({ "site": site, "limit": 1 })).await.data()["notes"][0]["note_ref"].clone()
}

/// Activates the new version, and kills that once it has begun to give rows their keys, before it is done.
async fn killed_in_the_middle(data: &Path, database: &mut AnyConnection, there: &str) {
    let mut killed = begin(data, &["catalog", "activate", NEWEST]);
    let mut begun = 0;
    for _ in tries(6_000) {
        begun = number(database, there).await;
        if begun > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    killed.kill().expect("killed");
    killed.wait().expect("gone");
    assert!(begun > 0, "it gives rows their keys");
    assert!(number(database, there).await < ROWS, "it was killed in the middle");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_the_version_before_are_found_after_a_kill_in_the_middle_and_after_a_rollback() {
    let versions = Versions::make();
    let data = versions.data.path();
    versions.put("old");
    versions.configure();
    versions.said(&["catalog", "activate", OLDER]);
    let mut host = versions.host().await;
    let ada = host.customer("ada@example.com", 1_000, "account:read assets:read assets:write").await;
    host.points(&ada, 20).await;
    note(&ada, "s3.example").await;
    host.terminate();
    host.ended().await;
    fill(data, &ada.id).await;

    versions.put("new");
    let mut database = tests::database::connection(data).await;
    let there = format!("SELECT COUNT(*) FROM record_index WHERE place = '{PLACE}'");
    killed_in_the_middle(data, &mut database, &there).await;
    let served = "SELECT COUNT(*) FROM serving WHERE what = 'catalog' AND revision = '2026-08-15'";
    assert_eq!(number(&mut database, served).await, 1, "what cannot answer is not in force");
    let activated = versions.said(&["catalog", "activate", NEWEST]);
    assert_eq!(activated["indexed"][PLACE], ROWS + 1, "{activated}");
    assert_eq!(number(&mut database, &there).await, ROWS + 1);

    let mut host = versions.host().await;
    let door = host.again(&ada);
    let made = note(&door, "s3.example").await;
    assert_eq!(newest(&door, "s3.example").await, made);
    let all = door.read("notes.list", json!({ "site": "s4.example", "limit": 100 })).await.data();
    assert_eq!(all["notes"].as_array().map(Vec::len), Some(100), "rows of the version before");
    host.terminate();
    host.ended().await;

    // The old version does not declare the index, and keeps it up.
    versions.put("old");
    assert_eq!(versions.said(&["catalog", "rollback"])["revision"], OLDER);
    let mut host = versions.host().await;
    let made = note(&host.again(&ada), "s5.example").await;
    host.terminate();
    host.ended().await;
    versions.put("new");
    let again = versions.said(&["catalog", "activate", NEWEST]);
    assert_eq!(again["indexed"], json!({}), "nothing is left to do");
    let host = versions.host().await;
    assert_eq!(newest(&host.again(&ada), "s5.example").await, made);
    assert_eq!(number(&mut database, &there).await, ROWS + 3);
    host.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_another_form_are_read_and_found_after_a_kill_and_a_rollback_over_them_has_to_be_meant() {
    let versions = Versions::of("notes", &guest("notes"), &guest("notes_later"));
    let data = versions.data.path();
    versions.put("old");
    versions.configure();
    versions.said(&["catalog", "activate", OLDER]);
    let mut host = versions.host().await;
    let ada = host.customer("ada@example.com", 1_000, "account:read assets:read assets:write").await;
    host.points(&ada, 20).await;
    let first = note(&ada, "s3.example").await;
    host.terminate();
    host.ended().await;
    fill(data, &ada.id).await;

    versions.put("new");
    let mut database = tests::database::connection(data).await;
    let place = "notes.notes/website";
    let there = format!("SELECT COUNT(*) FROM record_index WHERE place = '{place}'");
    killed_in_the_middle(data, &mut database, &there).await;
    let activated = versions.said(&["catalog", "activate", NEWEST]);
    assert_eq!(activated["indexed"][place], ROWS + 1, "{activated}");
    let mut host = versions.host().await;
    let door = host.again(&ada);
    let of_site = door.read("notes.list", json!({ "site": "s3.example", "limit": 100 })).await.data();
    let found = of_site["notes"].as_array().expect("notes");
    assert_eq!((found.len(), &found[0]["note_ref"], &found[0]["website"]), (100, &first, &json!("s3.example")));
    assert_eq!(found[0]["words"], 2, "what the version before did not count");
    let made = note(&door, "s3.example").await;
    assert_eq!(newest(&door, "s3.example").await, made);
    host.terminate();
    host.ended().await;

    versions.put("old");
    let refused = operate(data, &["catalog", "rollback"]);
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && words.contains("notes.notes: 1") && words.contains("--strand"), "{words}");
    assert_eq!(versions.said(&["catalog", "rollback", "--strand"])["revision"], OLDER);
    let mut host = versions.host().await;
    let meanwhile = note(&host.again(&ada), "s5.example").await;
    host.terminate();
    host.ended().await;
    versions.put("new");
    versions.said(&["catalog", "activate", NEWEST]);
    let host = versions.host().await;
    let door = host.again(&ada);
    assert_eq!(newest(&door, "s5.example").await, meanwhile, "what the version before wrote meanwhile is found too");
    assert_eq!(newest(&door, "s3.example").await, made);
    host.verify_ledger();
}

/// The same module with other code: what its job says of it is as long.
fn later_tally(first: &[u8]) -> Vec<u8> {
    let (began, after) = (b"the code that it began with", b"the code that came after it");
    let mut bytes = first.to_vec();
    let places: Vec<usize> = (0..bytes.len() - began.len()).filter(|at| bytes[*at..].starts_with(began)).collect();
    assert!(!places.is_empty(), "the letters are in the component");
    places.into_iter().for_each(|at| bytes[at..at + after.len()].copy_from_slice(after));
    bytes
}

/// Starts a job of so many steps.
async fn counts(door: &Customer, steps: u32) -> Value {
    door.run("tally.count", json!({ "steps": steps })).await.data()["job_ref"].clone()
}

/// Which code has run each step of a job, once it has ended.
async fn ran_by(door: &Customer, job: &Value) -> Vec<String> {
    let ended = door.wait_for("account.job.get", json!({ "job_ref": job }), 120).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let by = ended["result"]["by"].as_array().expect("a list");
    by.iter().map(|it| it.as_str().unwrap_or_default().rsplit(' ').next().unwrap_or_default().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_ends_on_the_code_that_it_began_with_and_what_is_in_force_is_served_whatever_the_folder_has() {
    let first = guest("tally");
    let versions = Versions::of("tally", &first, &later_tally(&first));
    let data = versions.data.path();
    versions.put("old");
    versions.configure();
    versions.said(&["catalog", "activate", OLDER]);
    let mut host = versions.host().await;
    let ada = host.customer("ada@example.com", 1_000, "account:read assets:read assets:write").await;
    host.points(&ada, 20).await;
    host.terminate();
    host.ended().await;

    // The new folder is there and not in force: a restart serves what is.
    versions.put("new");
    let mut host = versions.host().await;
    let door = host.again(&ada);
    assert_eq!(ran_by(&door, &counts(&door, 1).await).await, ["with"]);
    let long = counts(&door, 10).await;
    versions.said(&["catalog", "activate", NEWEST]);
    let mut by = Vec::new();
    for _ in tries(100) {
        by = ran_by(&door, &counts(&door, 1).await).await;
        if by == ["it"] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(by, ["it"], "what begins now begins with the new code");
    host.terminate();
    host.ended().await;
    let mut host = versions.host().await;
    let door = host.again(&ada);
    assert_eq!(ran_by(&door, &long).await, ["with"; 10], "what had begun ends as it began, over a restart too");
    let taken_out = counts(&door, 3).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    host.terminate();
    host.ended().await;

    // Back to bytes that no folder has any more.
    assert_eq!(versions.said(&["catalog", "rollback"])["revision"], OLDER);
    let again = operate(data, &["catalog", "rollback"]);
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("went back already"));
    let host = versions.host().await;
    let door = host.again(&ada);
    assert_eq!(ran_by(&door, &counts(&door, 1).await).await, ["with"]);
    let by = ran_by(&door, &taken_out).await;
    assert_eq!(by.last().map(String::as_str), Some("with"), "code that was taken out does nothing more: {by:?}");
    host.verify_ledger();
}
