//! The life of a customer, as an operator's commands make it: added, paid, shut out, let in, and forgotten.

use serde_json::{Value, json};
use tests::host::{Process, operate, operate_with};
use tests::person::{App, Browser};
use tests::remains;

const SCOPES: &str = "account:read assets:read assets:write";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn column<'a>(rows: &'a Value, name: &str) -> Vec<&'a str> {
    rows.as_array().expect("rows").iter().map(|row| row[name].as_str().expect("text")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn customers_are_listed_page_by_page_and_by_what_they_are() {
    let data = folder();
    let host = Process::start(data.path(), &[]).await;
    for name in ["ada", "grace", "edsger", "100%_a"] {
        host.command(&["customer", "add", "--email", &format!("{name}@example.com"), "--credits", "100"]);
    }
    let all = host.command(&["customer", "list"]);
    assert_eq!(column(&all, "email")[1], "grace@example.com");
    let first = host.command(&["customer", "list", "--limit", "3"]);
    let last = column(&first, "customer")[2].to_owned();
    let rest = host.command(&["customer", "list", "--limit", "3", "--after", &last]);
    assert_eq!([column(&first, "customer"), column(&rest, "customer")].concat(), column(&all, "customer"));
    let found = host.command(&["customer", "list", "--email", " GRACE@"]);
    assert_eq!(column(&found, "email"), ["grace@example.com"]);
    assert_eq!(column(&host.command(&["customer", "list", "--email", "%_"]), "email"), ["100%_a@example.com"]);
    let grace = column(&found, "customer")[0];
    host.command(&["customer", "activate", "--customer", grace]);
    assert_eq!(column(&host.command(&["customer", "list", "--state", "active"]), "customer"), [grace]);
    assert_eq!(column(&host.command(&["customer", "list", "--state", "inactive"]), "email").len(), 3);
    for wrong in [&["customer", "list", "--state", "gone"][..], &["customer", "list", "--after", "cus_x"]] {
        assert!(!operate(data.path(), wrong).status.success(), "{wrong:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_paid_twice_is_credited_once() {
    let data = folder();
    let host = Process::start(data.path(), &[]).await;
    let ada = host.command(&["customer", "add", "--email", "ada@example.com"])["customer"].clone();
    let ada = ada.as_str().expect("an id");
    let order = host.command(&["order", "place", "--customer", ada, "--credits", "250"]);
    let reference = order["reference"].as_str().expect("a reference");
    assert_eq!(order["paid_at"], Value::Null);
    assert_eq!(host.command(&["order", "paid", reference])["credited"], true);
    assert_eq!(host.command(&["order", "paid", reference])["credited"], false);
    assert_eq!(column(&host.command(&["customer", "list"]), "credits"), ["250"]);
    assert!(host.command(&["order", "list", "--customer", ada])[0]["paid_at"].is_string());
    for wrong in [
        &["order", "paid", "ord_unknown"][..],
        &["order", "place", "--customer", ada, "--credits", "0"],
        &["order", "place", "--customer", "cus_x", "--credits", "1"],
    ] {
        assert!(!operate(data.path(), wrong).status.success(), "{wrong:?}");
    }
    host.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn all_access_of_a_customer_is_ended_by_one_command_and_nobody_elses() {
    let data = folder();
    let host = Process::start(data.path(), &[]).await;
    let ada = host.customer("ada@example.com", 200, SCOPES).await;
    let bob = host.customer("bob@example.com", 200, SCOPES).await;
    assert_eq!(ada.get("/account").await.status, 200);
    let told = host.command(&["customer", "lock-out", "--customer", &ada.id]);
    assert_eq!(told, json!({ "grants": 1, "sessions": 0, "shares": 0 }));
    assert_eq!(ada.get("/account").await.status, 401);
    assert_eq!(bob.get("/account").await.status, 200);
    host.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_who_is_shut_out_is_refused_everywhere_at_once_and_let_in_again() {
    let data = folder();
    let host = Process::start(data.path(), &[]).await;
    let ada = host.customer("ada@example.com", 200, SCOPES).await;
    assert_eq!(ada.get("/account").await.status, 200);
    host.command(&["customer", "deactivate", "--customer", &ada.id]);
    for path in ["/account", "/usage", "/websites", "/capabilities?query=add%20an%20author"] {
        assert_eq!(ada.get(path).await.refusal(), (403, "access_inactive".to_owned()), "{path}");
    }
    let refused = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await;
    assert_eq!(refused.refusal(), (403, "access_inactive".to_owned()));
    let mcp = reqwest::Client::new()
        .post(host.mcp())
        .bearer_auth(&ada.token)
        .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }))
        .send()
        .await
        .expect("an answer");
    assert_eq!(mcp.status(), 403);
    assert!(mcp.headers().get("www-authenticate").is_none(), "no scope would help");
    host.command(&["customer", "activate", "--customer", &ada.id]);
    assert_eq!(ada.get("/account").await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_is_forgotten_leaves_nothing_but_whole_books_and_a_whole_trail() {
    const CANARIES: [&str; 5] =
        ["canary-ada@example.com", "Canaryfirst", "Canarylast", "canary goal", "canary-token-name"];
    let data = folder();
    let host = Process::start(data.path(), &[]).await;
    let ada = host.customer(CANARIES[0], 300, SCOPES).await;
    host.command(&["token", "issue", "--customer", &ada.id, "--scopes", "account:read", "--name", CANARIES[4]]);
    ada.run("authors.create", json!({ "firstname": CANARIES[1], "lastname": CANARIES[2] })).await.data();
    ada.get("/capabilities?query=canary%20goal%20of%20mine").await.data();
    let feedback = json!({
        "category": "missing_capability",
        "completion_state": "blocked",
        "intent": "canary goal",
        "message": "canary goal",
    });
    ada.post("/feedback", feedback).await.data();
    let order = host.command(&["order", "place", "--customer", &ada.id, "--credits", "1"]);
    let order = order["reference"].as_str().expect("a reference").to_owned();
    let kept = remains::of(data.path()).await;
    for canary in CANARIES {
        assert!(remains::hold(&kept, canary), "{canary} is there before");
    }
    assert!(!operate(data.path(), &["customer", "erase", "--customer", &ada.id]).status.success(), "without --yes");
    assert_eq!(ada.get("/account").await.status, 200);
    host.command(&["customer", "erase", "--customer", &ada.id, "--yes"]);
    assert_eq!(ada.get("/account").await.refusal(), (401, "invalid_token".to_owned()));
    host.verify_ledger();
    host.verify_audit();
    for gone in [
        &["customer", "erase", "--customer", &ada.id, "--yes"][..],
        &["customer", "activate", "--customer", &ada.id],
        &["token", "issue", "--customer", &ada.id, "--scopes", "account:read"],
        &["order", "paid", &order],
    ] {
        assert!(!operate(data.path(), gone).status.success(), "{gone:?}");
    }
    let left = remains::of_tables(data.path()).await;
    for canary in CANARIES {
        assert!(!remains::hold(&left, canary), "{canary} is left");
    }
    assert!(remains::hold(&left, &ada.id), "the opaque id stays in the books");
    let again = host.command(&["customer", "add", "--email", CANARIES[0]]);
    assert_ne!(again["customer"], ada.id.as_str());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_set_by_the_operator_from_standard_input() {
    let data = folder();
    let host = Process::start(data.path(), &[]).await;
    let add = ["customer", "add", "--email", "ada@example.com", "--password-stdin", "--credits", "200"];
    let added = operate_with(data.path(), &add, "correct horse battery\n");
    let added: Value = serde_json::from_slice(&added.stdout).expect("JSON");
    let ada = added["customer"].as_str().expect("an id").to_owned();
    let app = App::register(host.mcp()).await;
    app.decide("account:read", "ada@example.com", "correct horse battery", "approve").await;
    let set = ["customer", "password", "--customer", &ada];
    assert!(!operate_with(data.path(), &set, "short").status.success());
    assert!(operate_with(data.path(), &set, "a new long password").status.success());
    let mut browser = Browser::default();
    let page = browser.open(&app.authorization("account:read")).await;
    let page = browser.open(&page.location().expect("the sign-in page")).await;
    let old = [("email", "ada@example.com"), ("password", "correct horse battery")];
    assert_eq!(browser.submit(&page, "password", &old).await.status, 422);
    app.decide("account:read", "ada@example.com", "a new long password", "approve").await;
}
