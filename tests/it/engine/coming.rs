//! The first modules answer before the last is built: what is still being built says so, and then it answers too.

use espalier::catalogs::Sources;
use espalier::modules::{self, Profile};
use serde_json::{Value, json};
use service::generation::Coming;
use tests::host::Host;

async fn ready(host: &Host) -> Value {
    let url = format!("{}/readyz", host.rest.trim_end_matches("/v1"));
    reqwest::get(url).await.expect("an answer").json().await.expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_still_being_built_is_told_apart_from_what_there_is_not_and_comes_by_itself() {
    let workspace = modules::workspace().expect("the tests run in it");
    let mut sources = Sources::workspace(&workspace, Profile::Test).expect("the modules build");
    // The last is a module that no revision has: its author has not locked it yet.
    sources.coming = Coming::of(["authors", "local_grid", "notes"].map(str::to_owned));
    let later = sources.clone();
    let host = Host::start_with(|options| options.serve(sources)).await;
    let ada = host.customer("account:read assets:read assets:write").await;
    host.buy_points(&ada, 1).await;
    assert_eq!(ready(&host).await["coming"], json!(["authors", "local_grid"]));

    let list = json!({ "limit": 1 });
    let early = ada.read("authors.list", list.clone()).await;
    assert_eq!(early.refusal(), (503, "unavailable".to_owned()));
    assert_eq!(
        early.json()["error"]["message"].as_str(),
        Some("the module authors is still being built here, and is served as soon as it is there")
    );
    assert_eq!(
        ada.tool("service_action_execute", json!({ "operation_id": "authors.list", "arguments": list }))
            .await
            .refusal(),
        "unavailable"
    );
    assert_eq!(ada.get("/capabilities/authors.list").await.refusal().0, 503);
    assert_eq!(ada.read("authors.nonesuch", json!({})).await.refusal().0, 503, "nobody knows yet");
    assert_eq!(ada.read("nonesuch.list", json!({})).await.refusal().0, 404);
    assert_eq!(ada.read("notes.list", json!({})).await.refusal().0, 404, "the revision does not have it");
    assert_eq!(ada.get("/capabilities/websites.create").await.status, 200, "what is there answers");

    later.coming.has_failed("local_grid");
    assert_eq!(ready(&host).await["coming"], json!(["authors"]), "nobody is told to wait for what does not come");
    let (status, said) = (ada.read("local_grid.grid.list", json!({})).await, "could not be built here");
    assert!(status.status == 503 && status.json().to_string().contains(said), "{}", status.json());

    let (service, handle) = (host.service.clone(), tokio::runtime::Handle::current());
    let built = tokio::task::spawn_blocking(move || espalier::early::rest(&service, &later, &workspace, &handle));
    built.await.expect("everything is built");
    let ready = ready(&host).await;
    assert!(ready["coming"].is_null() && ready["operations"].as_u64() > Some(200), "{ready}");
    assert_eq!(ada.both("authors.list", list).await["authors"], json!([]));
    let misspelt = ada.read("authors.lst", json!({})).await;
    assert_eq!(misspelt.refusal().0, 404);
    assert_eq!(misspelt.json()["error"]["nearest"][0], "authors.list");
    let call = json!({ "operation_id": "authors.lst", "arguments": {} });
    assert_eq!(ada.tool("service_action_execute", call).await.refusal(), misspelt.refusal().1);
    let made = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
    assert!(made["author_ref"].is_string(), "what it keeps has its indexes: {made}");
    host.verify_ledger().await;
}
