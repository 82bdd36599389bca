//! The crawl module in its real sandbox, on the demo shop: every operation over both doors.

use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "websites:read assets:read assets:write seo:analyze seo:execute destructive:execute";
const PAGES: u64 = 40;

/// A host beside the demo shop, a customer, the shop's website and an ended crawl of a part of it.
async fn crawled() -> (Host, Customer, Value, Value) {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let run = start(&ada, &site).await;
    (host, ada, site, run)
}

async fn start(ada: &Customer, site: &Value) -> Value {
    let arguments = json!({ "site_id": site, "max_pages": PAGES, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", arguments).await.data()["run_ref"].clone();
    ended(ada, &run).await;
    run
}

async fn ended(ada: &Customer, run: &Value) -> Value {
    let ended = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    ended
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_crawl_keeps_is_read_over_both_doors() {
    let (host, ada, _site, run) = crawled().await;
    let list = ada.both("crawl.page.list", json!({ "run_ref": run, "limit": 100 })).await;
    let pages = list["pages"].as_array().expect("pages").clone();
    // With those that robots.txt forbids.
    let all = list["total"].as_u64().expect("a number");
    assert!(all >= PAGES && pages.len() as u64 == all, "{list}");
    let page = pages.iter().find(|page| page["word_count"].as_u64() > Some(20)).expect("a page with words");
    let content = ada.both("crawl.page.content.get", json!({ "run_ref": run, "url": page["url"] })).await;
    assert!(content["total_chars"].as_u64() > Some(50), "{content}");
    let title = page["title"].as_str().expect("a title");
    let word = title.split_whitespace().max_by_key(|word| word.len()).expect("a word").to_owned();
    let hits = ada.both("crawl.page.search", json!({ "run_ref": run, "query": word, "limit": 100 })).await;
    let found = hits["hits"].as_array().expect("hits").iter().any(|hit| hit["url"] == page["url"]);
    assert!(found, "{word}: {hits}");
    let html = ada
        .both("crawl.page.search", json!({ "run_ref": run, "query": "<title>", "mode": "absent", "in": "html" }))
        .await;
    assert!(html["looked_at"].as_u64() > Some(0), "{html}");
    let resources = ada.both("crawl.resource.list", json!({ "run_ref": run })).await;
    assert!(resources["total"].as_u64() > Some(0), "{resources}");
    let redirects = ada.both("crawl.redirect.list", json!({ "run_ref": run })).await;
    assert!(redirects["total"].is_u64(), "{redirects}");
    let tree = ada.both("crawl.structure.get", json!({ "run_ref": run })).await;
    assert_eq!((tree["tree"][0]["path"].as_str(), tree["tree"][0]["pages"].as_u64()), (Some("/"), Some(all)), "{tree}");
    let traps = ada.both("crawl.trap.detect", json!({ "run_ref": run })).await;
    assert!(traps["looked_at"].as_u64() >= Some(PAGES), "{traps}");
    let compared = ada.both("crawl.run.compare", json!({ "run_a": run, "run_b": run })).await;
    assert_eq!(compared["summary"]["unchanged"].as_u64(), Some(all), "{compared}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_saved_tried_and_run_and_addresses_are_asked_now() {
    let (host, ada, site, _run) = crawled().await;
    let rules = json!([{ "name": "heading", "kind": "css", "expr": "h1" }, { "name": "never", "kind": "regex", "expr": "no such text" }]);
    let saved = ada.change("crawl.extraction.set", json!({ "site_id": site, "rules": rules })).await;
    assert_eq!(saved["saved"], true, "{saved}");
    let tested =
        ada.read("crawl.extraction.test", json!({ "url": "http://shop.example/", "rules": rules })).await.data();
    assert_eq!(tested["status"], 200, "{tested}");
    let run = start(&ada, &site).await;
    let rows = ada.both("crawl.extraction.result.list", json!({ "run_ref": run, "name": "heading" })).await;
    assert!(rows["coverage"][0]["with_value"].as_u64() > Some(0), "{rows}");
    let fetched = ada.read("crawl.url.fetch", json!({ "url": "http://shop.example/" })).await.data();
    assert_eq!(
        (fetched["final"]["status"].as_u64(), fetched["robots"]["allowed"].as_bool()),
        (Some(200), Some(true)),
        "{fetched}"
    );
    let call = json!({ "operation_id": "crawl.url.fetch", "arguments": { "url": "http://shop.example/none-at-all" } });
    assert_eq!(ada.tool("service_action_execute", call).await.data()["final"]["status"], 404);
    let urls = json!(["http://shop.example/", "http://shop.example/none-at-all", "http://nowhere.example/"]);
    let check = ada.change("crawl.url.batch_check", json!({ "urls": urls, "site_id": site })).await;
    ended(&ada, &check["result_ref"]).await;
    let results = ada.both("crawl.page.list", json!({ "run_ref": check["result_ref"], "columns": ["status"] })).await;
    let statuses: Vec<u64> =
        results["pages"].as_array().expect("pages").iter().filter_map(|it| it["status"].as_u64()).collect();
    assert_eq!(statuses, [200, 404, 0], "{results}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_is_fetched_again_and_the_crawl_is_deleted() {
    let (host, ada, _site, run) = crawled().await;
    let again = json!({ "run_ref": run, "only": "listed", "urls": ["http://shop.example/", "http://shop.example/none-at-all"] });
    let queued = ada.change("crawl.run.recrawl", again).await;
    assert_eq!(queued["queued"], 2, "{queued}");
    let after = ended(&ada, &run).await;
    assert_eq!(after["totals"]["fetched"].as_u64(), Some(PAGES + 1), "{after}");
    let preview = ada.run("crawl.run.delete", json!({ "run_ref": run, "preview": true })).await.data();
    assert_eq!(preview["deleted"], false, "{preview}");
    let mut gone = ada.change("crawl.run.delete", json!({ "run_ref": run })).await;
    for _ in 0..20 {
        if gone["deleted"] == true {
            break;
        }
        assert_eq!(ada.read("crawl.run.get", json!({ "run_ref": run })).await.refusal().1, "run_not_found");
        gone = ada.run("crawl.run.delete", json!({ "run_ref": run })).await.data();
    }
    assert_eq!(gone["deleted"], true, "{gone}");
    assert_eq!(
        ada.read("crawl.page.list", json!({ "run_ref": run })).await.refusal(),
        (404, "run_not_found".to_owned())
    );
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_customers_crawls_do_not_exist() {
    let (host, _ada, site, run) = crawled().await;
    let eve = host.customer(SCOPES).await;
    host.buy_points(&eve, 10).await;
    let rules = json!([{ "name": "a", "kind": "css", "expr": "h1" }]);
    for (operation, arguments, code) in [
        ("crawl.run.compare", json!({ "run_a": run, "run_b": run }), "run_not_found"),
        ("crawl.page.content.get", json!({ "run_ref": run, "url": "http://shop.example/" }), "run_not_found"),
        ("crawl.page.search", json!({ "run_ref": run, "query": "lamp" }), "run_not_found"),
        ("crawl.resource.list", json!({ "run_ref": run }), "run_not_found"),
        ("crawl.redirect.list", json!({ "run_ref": run }), "run_not_found"),
        ("crawl.structure.get", json!({ "run_ref": run }), "run_not_found"),
        ("crawl.trap.detect", json!({ "run_ref": run }), "run_not_found"),
        ("crawl.extraction.result.list", json!({ "run_ref": run }), "run_not_found"),
        ("crawl.run.recrawl", json!({ "run_ref": run }), "run_not_found"),
        ("crawl.run.delete", json!({ "run_ref": run }), "run_not_found"),
        ("crawl.extraction.set", json!({ "site_id": site, "rules": rules }), "website_not_found"),
        ("crawl.url.batch_check", json!({ "urls": ["http://shop.example/"], "site_id": site }), "website_not_found"),
    ] {
        assert_eq!(eve.not_found(operation, arguments).await, code, "{operation}");
    }
}
