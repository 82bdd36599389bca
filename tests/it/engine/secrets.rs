//! No secret is ever in a log or in the database: a whole connection is made with known ones, and then they are
//! looked for in everything that was written.

use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::operate_with;
use tests::person::{App, Browser, REDIRECT, VERIFIER};
use tests::process::Launch;
use tests::remains;

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "canary-password-7Xq2";
const LEAKED: &str = "sk_live_canary51HxYzAbCdEfGh0123456789";

fn text(tokens: &Value, name: &str) -> String {
    tokens[name].as_str().unwrap_or_else(|| panic!("no {name}")).to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_password_token_code_verifier_cookie_or_form_token_is_in_the_log_or_in_the_database() {
    let (data, logs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let log = logs.path().join("log");
    let mut host = Launch::on(data.path(), &[]).log(&log).start().await;
    let add = ["customer", "add", "--email", EMAIL, "--password-stdin", "--credits", "200"];
    let added = operate_with(data.path(), &add, PASSWORD);
    let id = text(&serde_json::from_slice(&added.stdout).expect("JSON"), "customer");
    let mut secrets = vec![("password", PASSWORD.to_owned()), ("verifier", VERIFIER.to_owned())];

    // A wrong try, sign-in and consent, each with its form's token and cookie.
    let app = App::register(host.mcp()).await;
    let mut browser = Browser::default();
    let mut page = browser.open(&app.authorization("account:read assets:read assets:write")).await;
    let mut wrong = Some("canary-wrong-password-9");
    let back = loop {
        secrets.extend(browser.secrets().map(|cookie| ("cookie", cookie.to_owned())));
        secrets.extend(page.value("csrf").map(|csrf| ("form token", csrf)));
        page = match page.location() {
            Some(to) if to.as_str().starts_with(REDIRECT) => break to,
            Some(to) => browser.open(&to).await,
            None if page.text.contains("name=\"password\"") => {
                let password = wrong.take().unwrap_or(PASSWORD);
                secrets.push(("typed password", password.to_owned()));
                browser.submit(&page, "password", &[("email", EMAIL), ("password", password)]).await
            }
            None => browser.submit(&page, "decision", &[("decision", "approve")]).await,
        };
    };
    let code = back.query_pairs().find(|(name, _)| name == "code").expect("a code").1.into_owned();
    let (_, first) = app.exchange(&code).await;
    let (_, second) = app.refresh(&text(&first, "refresh_token")).await;
    secrets.push(("code", code));
    for tokens in [&first, &second] {
        secrets.push(("access token", text(tokens, "access_token")));
        secrets.push(("refresh token", text(tokens, "refresh_token")));
    }
    let made = host.command(&["token", "issue", "--customer", &id, "--scopes", "account:read"]);
    secrets.push(("token made by hand", text(&made, "access_token")));

    // Calls on both doors, one with a token in the address, feedback with a credential in it, and a revocation.
    let ada = Customer::with(&id, &text(&second, "access_token"), host.rest(), host.mcp());
    ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
    ada.tool("service_account_snapshot", json!({})).await.data();
    let in_address = format!("/account?access_token={}", text(&second, "access_token"));
    assert_eq!(ada.get(&in_address).await.status, 400);
    let intent = format!("my api key is {LEAKED} and it fails");
    let feedback = json!({ "category": "blocked_goal", "completion_state": "blocked", "intent": intent });
    ada.post("/feedback", feedback).await.data();
    secrets.push(("credential in feedback", LEAKED.to_owned()));
    app.refresh(&text(&first, "refresh_token")).await;
    assert_eq!(app.revoke(&text(&second, "refresh_token")).await, 200);

    host.terminate();
    host.ended().await;
    let logged = std::fs::read(&log).expect("a log");
    let kept = remains::of(data.path()).await;
    let refused = "a request was refused";
    assert!(remains::hold(&logged, refused), "what is looked through is the log: {} bytes", logged.len());
    assert!(remains::hold(&kept, EMAIL), "what is looked through is the database: {} bytes", kept.len());
    assert!(secrets.len() > 12, "{}", secrets.len());
    for (what, secret) in &secrets {
        assert!(!remains::hold(&logged, secret), "a {what} is in the log");
        assert!(!remains::hold(&kept, secret), "a {what} is in the database");
    }
}
