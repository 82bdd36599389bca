//! A customer's own caps on spending hold through both doors, and say what to do.

use model::budget::{Budget, BudgetScope, Unit};
use model::clock::Clock as _;
use model::id::CustomerId;
use serde_json::json;
use tests::customer::fresh_key;
use tests::host::{Host, Process, operate};

const SCOPES: &str = "account:read assets:read assets:write";

fn cap(scope: BudgetScope, target: &str, daily: u64) -> Budget {
    Budget { scope, target: target.to_owned(), unit: Unit::Points, daily: Some(daily), monthly: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_over_a_budget_is_402_on_both_doors_and_changes_nothing() {
    let host = Host::start().await;
    let ada = host.customer(SCOPES).await;
    let id = CustomerId::from(ada.id.as_str());
    let now = host.clock.now();
    host.service.core.store().money.set_budget(&id, cap(BudgetScope::Module, "authors", 6), now).await.expect("set");
    let author = json!({ "firstname": "Ada", "lastname": "Lovelace" });
    ada.run("authors.create", author.clone()).await.data();
    ada.run("authors.create", author.clone()).await.data();
    let (key, refused) = (fresh_key(), (402, "budget_exhausted".to_owned()));
    let answer = ada.run_as("authors.create", author.clone(), &key).await;
    assert_eq!(answer.refusal(), refused);
    let error = answer.json()["error"].clone();
    assert_eq!(error["budget"], json!({ "scope": "module", "target": "authors", "unit": "points", "period": "daily" }));
    assert_eq!((error["cap"].as_str(), error["used"].as_str()), (Some("6"), Some("6")), "{error}");
    assert!(error["renews_at"].as_str().is_some_and(|at| at.ends_with("T00:00:00Z")), "{error}");
    let arguments = json!({ "operation_id": "authors.create", "arguments": author, "idempotency_key": key });
    assert_eq!(ada.tool("service_action_execute", arguments).await.refusal(), refused.1);
    // What is not about that module goes on, and the key is free when the budget is raised.
    assert_eq!(ada.get("/account").await.status, 200);
    host.service.core.store().money.set_budget(&id, cap(BudgetScope::Module, "authors", 20), now).await.expect("set");
    ada.run_as("authors.create", author, &key).await.data();
    let listed = ada.read("authors.list", json!({})).await.data();
    assert_eq!(listed["authors"].as_array().map(Vec::len), Some(3), "{listed}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_points_left_or_has_used_up_a_budget_can_still_end_accesses_stop_work_and_buy() {
    let host = Host::start().await;
    let scopes = "account:read assets:read assets:write billing:read billing:manage destructive:execute";
    let ada = host.customer(scopes).await;
    let id = CustomerId::from(ada.id.as_str());
    let stranger = host.token_for(&ada, "account:read", std::time::Duration::from_secs(3_600)).await;
    let listed = ada.read("account.grant.list", json!({})).await.data();
    let newest = listed["grants"][0]["grant_ref"].clone();
    // What was listed has used up more than this already.
    host.service
        .core
        .store()
        .money
        .set_budget(&id, cap(BudgetScope::Workspace, "", 1), host.clock.now())
        .await
        .expect("set");
    assert_eq!(ada.read("account.profile.get", json!({})).await.refusal().1, "budget_exhausted");
    ada.run("account.grant.revoke", json!({ "grant_ref": newest })).await.data();
    assert_eq!(host.bearer(&ada, &stranger).get("/account").await.status, 401);
    let missing = ada.run("account.job.cancel", json!({ "job_ref": "job_0000000000000000" })).await;
    assert_eq!(missing.status, 404, "{}", missing.json());
    let lifted = ada.run("account.budget.set", json!({ "scope": "workspace", "unit": "points", "daily": 100 })).await;
    assert_eq!(lifted.status, 200, "{}", lifted.json());
    assert_eq!(lifted.json()["meta"]["usage"]["points"], 0, "{}", lifted.json());
    ada.read("account.profile.get", json!({})).await.data();
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_sets_lists_and_takes_away_budgets_while_a_host_serves() {
    let data = tempfile::tempdir().expect("a folder");
    let host = Process::start(data.path(), &[]).await;
    let ada = host.customer("ada@example.com", 200, SCOPES).await;
    let set = |rest: &[&str]| {
        let mut words = vec!["budget", "set", "--customer", &ada.id];
        words.extend(rest);
        let output = operate(data.path(), &words);
        (output.status.success(), [output.stdout, output.stderr].concat())
    };
    let (done, said) = set(&["--scope", "workspace", "--unit", "points", "--daily", "3"]);
    assert!(done, "{}", String::from_utf8_lossy(&said));
    let author = json!({ "firstname": "Ada", "lastname": "Lovelace" });
    ada.run("authors.create", author.clone()).await.data();
    assert_eq!(ada.run("authors.create", author.clone()).await.refusal(), (402, "budget_exhausted".to_owned()));
    for wrong in [
        &["--scope", "galaxy", "--unit", "points", "--daily", "3"][..],
        &["--scope", "workspace", "--target", "authors", "--unit", "points", "--daily", "3"],
        &["--scope", "module", "--unit", "points", "--daily", "3"],
        &["--scope", "workspace", "--unit", "euros", "--daily", "3"],
    ] {
        assert!(!set(wrong).0, "{wrong:?}");
    }
    let listed = operate(data.path(), &["budget", "list", "--customer", &ada.id]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert_eq!((&listed[0]["daily"], &listed[0]["used_today"]), (&json!(3), &json!(3)), "{listed}");
    assert!(set(&["--scope", "workspace", "--unit", "points"]).0);
    ada.run("authors.create", author).await.data();
    host.verify_ledger();
}
