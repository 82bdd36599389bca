//! What Google says of pages, and what is told to it, over both doors: through a consent and through a service account.

use std::time::Duration;

use super::*;

const WIDER: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute connections:manage";

/// A scene with the demo shop as a website.
async fn with_shop() -> (Scene, Value) {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let shop = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| {
        clients(options, &world);
        options.map("shop.example", shop);
    })
    .await;
    let added = host.add_customer("ada@example.com", PASSWORD, 300).await;
    let token = host.token_for(&added, WIDER, Duration::from_secs(86_400)).await;
    let ada = added.with_token(&token);
    host.buy_points(&ada, 50).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    (Scene { host, world, ada }, site)
}

fn page(path: &str) -> String {
    format!("http://shop.example/{path}")
}

/// The same call over MCP.
async fn over_mcp(ada: &Customer, operation: &str, arguments: Value, key: Option<&str>) -> Value {
    let mut call = json!({ "operation_id": operation, "arguments": arguments });
    if let Some(key) = key {
        call["idempotency_key"] = key.into();
    }
    ada.tool("service_action_execute", call).await.data()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_google_says_of_a_page_is_read_over_both_doors_and_of_many_by_a_job() {
    let (scene, site) = with_shop().await;
    scene.connect(json!({ "kind": "google_search_console" })).await;
    let asked = json!({ "site_id": site, "url": page("products/lamp-5") });
    let rest = scene.ada.read("indexing.url.inspect", asked.clone()).await.data();
    let mcp = over_mcp(&scene.ada, "indexing.url.inspect", asked, None).await;
    for said in [rest, mcp] {
        assert!(said.to_string().contains("Excluded by ‘noindex’ tag"), "{said}");
    }
    let urls = ["products/lamp-5", "error", "missing"].map(page);
    let run = json!({ "site_id": site, "urls": urls, "choose": "listed" });
    let rest = scene.ada.run("indexing.inspection.run", run.clone()).await.data();
    let mcp = over_mcp(&scene.ada, "indexing.inspection.run", run, Some("inspect-over-mcp")).await;
    for started in [rest, mcp] {
        let ended = scene.ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
        assert_eq!(ended["state"], "succeeded", "{ended}");
        assert_eq!((&ended["result"]["inspected"], &ended["result"]["failed"]), (&json!(3), &json!([])), "{ended}");
        assert_eq!(ended["result"]["states"]["Server error (5xx)"], 1, "{ended}");
    }
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn google_is_told_of_pages_that_are_gone_once_for_each_call_and_of_none_that_stands() {
    let (scene, site) = with_shop().await;
    let google = scene.world.google.clone();
    let credentials = json!({ "service_account": google.credentials()["service_account"] });
    let account =
        json!({ "kind": "google_indexing", "name": "Indexing", "endpoint": google.url(), "credentials": credentials });
    scene.ada.run("connections.add", account).await.data();
    let notice = |path: &str| json!({ "site_id": site, "urls": [page(path)], "type": "deleted" });
    let rest = scene.ada.run("indexing.google_jobs.notify", notice("missing")).await.data();
    let mcp = over_mcp(&scene.ada, "indexing.google_jobs.notify", notice("never-was"), Some("notify-over-mcp")).await;
    let again = over_mcp(&scene.ada, "indexing.google_jobs.notify", notice("never-was"), Some("notify-over-mcp")).await;
    for (told, path) in [(&rest, "missing"), (&mcp, "never-was"), (&again, "never-was")] {
        assert_eq!(told["accepted"][0]["url"], page(path), "{told}");
    }
    assert_eq!(times(&google, "url.notified"), 2, "a repetition under the same key tells nothing again");
    let stands = scene.ada.run("indexing.google_jobs.notify", notice("")).await.data();
    assert_eq!((&stands["accepted"], stands["refused"].as_array().map(Vec::len)), (&json!([]), Some(1)), "{stands}");
    assert_eq!(times(&google, "url.notified"), 2);
    scene.host.verify_ledger().await;
}
