//! Nothing of a consent is in the log or, unsealed, in the database.

use tests::process::Launch;
use tests::remains;

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn no_state_code_verifier_or_token_of_a_consent_is_in_the_log_or_in_the_database() {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let (data, logs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (log, clients) = (logs.path().join("log"), logs.path().join("clients.toml"));
    let known = world.bing_webmaster.credentials();
    let text = |name: &str| known[name].as_str().expect("text").to_owned();
    std::fs::write(logs.path().join("bing.secret"), text("client_secret")).expect("a file");
    let file = format!(
        "[bing_webmaster]\nclient_id = {:?}\nclient_secret_file = \"bing.secret\"\nendpoint = {:?}\n",
        text("client_id"),
        world.bing_webmaster.url()
    );
    std::fs::write(&clients, file).expect("a file");
    let mut host = Launch::on(data.path(), &[]).log(&log).clients(&clients).start().await;
    let email = "ada@example.com";
    let add = ["customer", "add", "--email", email, "--password-stdin", "--credits", "200"];
    let added = tests::host::operate_with(data.path(), &add, PASSWORD);
    let added: Value = serde_json::from_slice(&added.stdout).expect("JSON");
    let id = added["customer"].as_str().expect("an id");
    let token = host.command(&["token", "issue", "--customer", id, "--scopes", SCOPES]);
    let ada = Customer::with(id, token["access_token"].as_str().expect("a token"), host.rest(), host.mcp());
    let started = ada.run("connections.oauth.start", json!({ "kind": "bing_webmaster" })).await.data();
    let origin: Url = host.rest().trim_end_matches("/v1").parse().expect("a URL");
    let mut browser = signed_in(&origin, email).await;
    let provider = leave(&mut browser, &started).await;
    let back = decide(&provider, "allow").await;
    assert_eq!(browser.open(&back).await.status, 200);
    let status = ada.read("connections.oauth.status", json!({ "flow_ref": started["flow_ref"] })).await.data();
    let tested = ada.run("connections.test", json!({ "connection_ref": status["connection_ref"] })).await.data();
    assert_eq!(tested["ok"], true, "{tested}");
    assert_eq!(ada.get("/account?access_token=none").await.status, 400);
    host.terminate();
    host.ended().await;

    let query: std::collections::BTreeMap<_, _> = back.query_pairs().into_owned().collect();
    let mut secrets = vec![
        ("state", query["state"].clone()),
        ("code", query["code"].clone()),
        ("client's secret", text("client_secret")),
    ];
    // The simulator numbers what it gives: these are all there can be.
    for number in 1..10 {
        secrets.push(("access token", format!("bing-access-{number}")));
        secrets.push(("refresh token", format!("bing-refresh-{number}")));
    }
    let logged = std::fs::read(&log).expect("a log");
    let kept = remains::of(data.path()).await;
    assert!(remains::hold(&kept, started["flow_ref"].as_str().expect("a reference")), "{} bytes", kept.len());
    assert!(
        remains::hold(&logged, "a request was refused"),
        "what is looked through is the log: {} bytes",
        logged.len()
    );
    for (what, secret) in &secrets {
        assert!(!remains::hold(&logged, secret), "a {what} is in the log");
        assert!(!remains::hold(&kept, secret), "a {what} is in the database");
    }
}
