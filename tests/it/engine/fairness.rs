//! What customers share is shared fairly: a noisy one delays a quiet one by little, whatever it starts.

use std::net::SocketAddr;

use serde_json::{Value, json};
use sqlx::Executor as _;
use store::MOST_OPEN;
use tests::customer::{Customer, fresh_key};
use tests::host::Host;
use tests::site;
use tokio::net::TcpListener;

const SCOPES: &str = "account:read assets:read assets:write seo:analyze seo:execute";

/// A site that takes connections and never answers.
async fn silent() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            kept.push(stream);
        }
    });
    address
}

async fn check(customer: &Customer, host: &str, urls: usize) -> Value {
    let urls: Vec<String> = (0..urls).map(|at| format!("http://{host}/p{at}.html")).collect();
    customer.run("crawl.url.batch_check", json!({ "urls": urls })).await.data()
}

async fn queued(customer: &Customer) -> usize {
    let listed = customer.read("account.job.list", json!({ "state": "queued", "limit": 100 })).await.data();
    listed["jobs"].as_array().expect("jobs").len()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_of_a_quiet_customer_has_its_turn_beside_the_many_slow_ones_of_another() {
    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), 3);
    let (quick, slow) = (site::serve_folder(folder.path().to_path_buf()).await.address, silent().await);
    let host = Host::start_with(|options| {
        options.map("quick.example", quick);
        options.map("slow.example", slow);
    })
    .await;
    let (eve, ada) = (host.customer(SCOPES).await, host.customer(SCOPES).await);
    host.buy_points(&eve, 20).await;
    for _ in 0..30 {
        check(&eve, "slow.example", 40).await;
    }
    let started = check(&ada, "quick.example", 3).await;
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 60).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let waiting = queued(&eve).await;
    assert!(waiting >= 20, "only {waiting} of 30 earlier jobs still wait for their first step");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_as_many_open_jobs_as_one_may_have_is_refused_in_the_same_words_on_both_interfaces() {
    let host = Host::start().await;
    let (eve, ada) = (host.customer(SCOPES).await, host.customer(SCOPES).await);
    // Due in a far future, so that none of them ends meanwhile.
    let sql = format!(
        "INSERT INTO job (customer, job, module, step, operation, payload, state, progress, attempt, due_at, units, points, \
         credits, created_at, changed_at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MOST_OPEN}) \
         SELECT '{}', 'job_' || i, 'crawl', 'check', 'crawl.url.batch_check', '{{}}', 'waiting', '{{}}', 0, 9000000000000, 0, 0, \
         0, 1, 1 FROM n",
        eve.id
    );
    let written = host.service.core.store().database.write(move |tx| {
        Box::pin(async move {
            tx.connection().execute(sqlx::AssertSqlSafe(sql)).await?;
            Ok::<_, store::StoreError>(())
        })
    });
    written.await.expect("written");
    let arguments = json!({ "urls": ["http://quick.example/"] });
    let refused = eve.run("crawl.url.batch_check", arguments.clone()).await;
    assert_eq!(refused.refusal(), (429, "too_many_jobs".to_owned()), "{}", refused.json());
    let call =
        json!({ "operation_id": "crawl.url.batch_check", "arguments": arguments, "idempotency_key": fresh_key() });
    assert_eq!(eve.tool("service_action_execute", call).await.refusal(), refused.refusal().1);
    assert_eq!(ada.run("crawl.url.batch_check", arguments).await.status, 200, "others have their own");
}
