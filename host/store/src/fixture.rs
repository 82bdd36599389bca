//! What every test of this crate starts from: an empty store, a clock that stands still, and calls to settle.
//!
//! The store is an SQLite of its own; with `DATABASE_URL=postgres://…` it is a PostgreSQL database of its own. The
//! last test here runs all the others that way.

use std::sync::Arc;
use std::time::Duration;

use model::audit::Audit;
use model::clock::{FixedClock, Moment, SeededEntropy};
use model::id::{CustomerId, JobId, RequestId};
use model::manifest::{Collection, FIRST_FORM, Index};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor as _};

use crate::database::dialect::{Address, Dialect, Durability};
use crate::database::{Database, Folder};
use crate::{
    Changes, JobHold, JobRow, KeyedAnswer, ModuleSchema, Reservation, Settlement, Share, Store, Stored, Workspace,
};

/// 2026-11-20T12:00:00Z.
pub(crate) const NOON: Moment = Moment(1_795_176_000_000);

/// A store with one customer who has nothing but the daily allowance.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) customer: CustomerId,
}

/// An empty store under this clock.
pub(crate) async fn empty(clock: Arc<FixedClock>) -> Store {
    let entropy = Arc::new(SeededEntropy::new([7; 32]));
    #[expect(clippy::disallowed_methods, reason = "which database a test runs on is the tester's choice")]
    let server = std::env::var("DATABASE_URL");
    match server {
        Err(_) => Store::memory(clock, entropy).await.unwrap(),
        Ok(server) => Store::open(&postgres_cluster::new_database(&server), clock, entropy).await.unwrap(),
    }
}

pub(crate) async fn fixture() -> Fixture {
    let store = empty(Arc::new(FixedClock::at(NOON))).await;
    let customer = CustomerId::from("cus_ann");
    add(&store, &customer).await;
    // A busy machine takes longer than a run would wait.
    store.records.known_indexes(&schema().named()).await.unwrap();
    while store.records.index_more().await.unwrap().is_some() {}
    Fixture { store, customer }
}

/// A fixture, and the way to its database past the store.
pub(crate) async fn addressed() -> (Fixture, Address) {
    #[expect(clippy::disallowed_methods, reason = "which database a test runs on is the tester's choice")]
    let server = std::env::var("DATABASE_URL");
    let folder = Folder::make().unwrap();
    let url = match server {
        Ok(server) => postgres_cluster::new_database(&server),
        Err(_) => format!("sqlite://{}/store.db", folder.0.display()),
    };
    let address = Address::read(&url, Durability::Full).unwrap();
    let (clock, entropy) = (Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([7; 32])));
    let store = Store::of(Database::connect(address.clone(), clock, entropy, Some(folder)).await.unwrap());
    let customer = CustomerId::from("cus_ann");
    add(&store, &customer).await;
    (Fixture { store, customer }, address)
}

/// What a node takes of due jobs that nothing bounds but this number.
pub(crate) fn share(free: u32) -> Share {
    Share { free, per_customer: 100, per_module: 100, lease: Duration::from_secs(60) }
}

/// Adds a customer.
pub(crate) async fn add(store: &Store, customer: &CustomerId) {
    let email = format!("{customer}@example.com");
    store.identity.add_customer(customer.clone(), email, None, NOON).await.unwrap().unwrap();
}

impl Fixture {
    /// A call that costs this many points and changes nothing.
    pub(crate) fn call(&self, request: &str, points: u64) -> Settlement {
        Settlement {
            customer: self.customer.clone(),
            grant: None,
            request: RequestId::from(request),
            operation: "authors.list".to_owned(),
            site: None,
            now: NOON,
            api_version: "2026-09-28".into(),
            points,
            hold: None,
            hold_for_job: None,
            changes: Changes::default(),
            answer: None,
            claim: None,
            audit: Audit { request: Some(RequestId::from(request)), ..self.line("ok") },
        }
    }

    pub(crate) fn line(&self, outcome: &str) -> Audit {
        Audit {
            at: NOON,
            customer: self.customer.clone(),
            request: None,
            grant: None,
            event: "operation.executed".to_owned(),
            subject: "authors.list".to_owned(),
            outcome: outcome.to_owned(),
            points: 0,
            detail: Value::Null,
        }
    }

    /// A reservation of this many points.
    pub(crate) fn reservation(&self, request: &str, points: u64) -> Reservation {
        Reservation {
            customer: self.customer.clone(),
            request: RequestId::from(request),
            operation: "authors.list".to_owned(),
            grant: None,
            site: None,
            points,
            now: NOON,
        }
    }

    /// The line of the next step of a job.
    pub(crate) fn job_line(&self, job: &JobRow) -> Audit {
        let detail = json!({ "job": job.id, "step": job.steps + 1 });
        Audit { event: "job.step".to_owned(), detail, ..self.line("ok") }
    }

    pub(crate) fn workspace(&self) -> Workspace {
        Workspace::open(&self.store, self.customer.clone(), Arc::new(schema()), NOON)
    }

    /// Commits what a workspace has collected, free of charge.
    pub(crate) async fn commit(&self, workspace: Workspace, request: &str) -> Result<(), crate::SettleError> {
        let changes = workspace.into_changes();
        self.store.calls.settle(Settlement { changes, ..self.call(request, 0) }).await.map(|_| ())
    }

    /// A call that starts a job and holds this much for it.
    pub(crate) async fn start_job(&self, request: &str, hold: JobHold) -> JobId {
        let mut workspace = self.workspace();
        let job = workspace.enqueue("crawl", r#"{"url":"https://example.com/"}"#.to_owned()).await.unwrap();
        let changes = workspace.into_changes();
        let call = Settlement { changes, hold_for_job: Some(hold), ..self.call(request, 1) };
        self.store.calls.settle(call).await.unwrap();
        job
    }

    /// No invariant of ledger and trail is broken.
    pub(crate) async fn holds(&self) {
        assert_eq!(self.store.money.verify_ledger().await.unwrap(), []);
        assert_eq!(self.store.trail.verify_audit().await.unwrap(), []);
    }
}

/// Does to the tables what no code of ours does: the triggers that forbid it are taken away first.
pub(crate) async fn force(store: &Store, statements: impl IntoIterator<Item = String>) {
    let statements: Vec<String> = statements.into_iter().collect();
    let forced = store.database.write(move |tx| {
        Box::pin(async move {
            for table in ["transfer", "audit", "checkpoint", "checkpoint_leaf"] {
                let unlock = match tx.dialect {
                    Dialect::Sqlite => vec![
                        format!("DROP TRIGGER IF EXISTS {table}_no_UPDATE"),
                        format!("DROP TRIGGER IF EXISTS {table}_no_DELETE"),
                    ],
                    Dialect::Postgres => vec![format!("ALTER TABLE {table} DISABLE TRIGGER ALL")],
                };
                for sql in unlock {
                    tx.connection().execute(AssertSqlSafe(sql)).await?;
                }
            }
            for sql in statements {
                tx.connection().execute(AssertSqlSafe(sql)).await?;
            }
            Ok::<_, crate::StoreError>(())
        })
    });
    forced.await.unwrap();
}

/// The answer `{}` under this key.
pub(crate) fn answer(key: &str, fingerprint: &str) -> KeyedAnswer {
    KeyedAnswer {
        key: key.to_owned(),
        fingerprint: fingerprint.to_owned(),
        outcome: Stored::Done { data: r#"{"id":"1"}"#.into(), untrusted: None },
    }
}

/// Authors, by status and by status and age; and another module's sites, to read.
pub(crate) fn schema() -> ModuleSchema {
    let index = |name: &str, fields: &[&str]| Index {
        name: name.to_owned(),
        fields: fields.iter().map(|field| (*field).to_owned()).collect(),
    };
    let authors = Collection {
        name: "authors".to_owned(),
        indexes: vec![index("by_status", &["status"]), index("by_status_age", &["status", "age"])],
        form: FIRST_FORM,
    };
    let sites =
        Collection { name: "sites".to_owned(), indexes: vec![index("by_domain", &["domain"])], form: FIRST_FORM };
    ModuleSchema {
        module: "authors".to_owned(),
        collections: vec![authors],
        foreign: [("websites.sites".to_owned(), sites)].into(),
    }
}

/// Runs this very program again, so that no test can be forgotten.
#[test]
#[expect(clippy::disallowed_methods, clippy::print_stderr, reason = "a test speaks to the person who runs it")]
fn every_test_of_the_store_holds_on_postgresql_too() {
    if std::env::var("DATABASE_URL").is_ok() {
        return;
    }
    let Some(cluster) = postgres_cluster::shared() else {
        assert!(std::env::var("ESPALIER_REQUIRE_ALL").as_deref() != Ok("1"), "{}", postgres_cluster::HOW);
        eprintln!("SKIPPED: needs PostgreSQL ({})", postgres_cluster::HOW);
        return;
    };
    let again = std::process::Command::new(std::env::current_exe().unwrap()).env("DATABASE_URL", &cluster.url).output();
    let again = again.unwrap();
    assert!(again.status.success(), "on PostgreSQL:\n{}", String::from_utf8_lossy(&again.stdout));
}
