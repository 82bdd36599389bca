//! The backlinks module in its real sandbox: exports of several tools become one profile, which every read tells over both doors.

use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::{Host, Options};

mod heavy;
mod looking;

const SCOPES: &str = "account:read billing:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute connections:manage";

/// A host beside the demo shop, and a customer with its website and a crawl of it.
async fn shop_with(change: impl FnOnce(&mut Options)) -> (Host, Customer, Value) {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| {
        options.map("shop.example", address);
        change(options);
    })
    .await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 60).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let crawl = json!({ "site_id": site, "max_pages": 40, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    ada.change("links.graph.build", json!({ "run_ref": run })).await;
    ada.wait_for("links.graph.summary.get", json!({ "run_ref": run }), 120).await;
    (host, ada, site)
}

async fn outcome(ada: &Customer, started: &Value) -> Value {
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 120).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    ended["result"].clone()
}

/// An export as Ahrefs writes it: one domain for each number, every third of them without a following.
fn export(domains: usize) -> String {
    let mut out =
        "Referring page URL\tTarget URL\tAnchor\tDomain rating\tNofollow\tFirst seen\tLast seen\tLost\n".to_owned();
    let targets = ["/", "/shop", "/no-such-page"];
    for at in 0..domains {
        out.push_str(&format!(
            "https://site{at}.example/page\thttp://shop.example{}\tlamp {}\t{}\t{}\t2026-0{}-11\t2026-09-20\t\n",
            targets[at % 3],
            at % 7,
            at % 90,
            at % 3 == 0,
            1 + at % 8,
        ));
    }
    out
}

#[tokio::test(flavor = "multi_thread")]
async fn exports_become_one_profile_that_is_told_over_both_doors() {
    let (host, ada, site) = shop_with(|_| {}).await;
    // A file of its own hand: the call opens an upload, and its job waits for it.
    let opened = ada.run("backlinks.import.run", json!({ "site_id": site })).await.data();
    let url = opened["upload"]["url"].as_str().expect("an address");
    let put = reqwest::Client::new().put(url).header("content-type", "text/csv").body(export(3_000)).send();
    assert!(put.await.expect("an answer").status().is_success());
    let done = outcome(&ada, &opened).await;
    assert_eq!(
        (&done["tool"], &done["links"], &done["domains"]),
        (&json!("ahrefs"), &json!(3_000), &json!(3_000)),
        "{done}"
    );
    // Search Console names no targets: what it knows joins what is there.
    let console =
        "Linking page,Last crawled\nhttps://site1.example/page,2026-09-25\nhttps://only.example/,2026-09-25\n";
    let started = ada.run("backlinks.import.run", json!({ "site_id": site, "csv": console })).await.data();
    let done = outcome(&ada, &started).await;
    assert_eq!(
        (&done["tool"], &done["links"], &done["new_links"]),
        (&json!("gsc"), &json!(3_001), &json!(1)),
        "{done}"
    );

    let mut named = super::advice::Named::default();
    for (operation, more, member) in [
        ("backlinks.profile.get", json!({}), "growth"),
        (
            "backlinks.link.list",
            json!({ "filter": [{ "field": "followed", "op": "eq", "value": true }], "sort": "-rating" }),
            "links",
        ),
        ("backlinks.domain.list", json!({ "filter": [{ "field": "rating", "op": "gt", "value": 80 }] }), "domains"),
        ("backlinks.anchor.report", json!({}), "anchors"),
        ("backlinks.broken.list", json!({}), "targets"),
        ("backlinks.change.report", json!({}), "series"),
        ("backlinks.equity.report", json!({}), "shares"),
        ("backlinks.disavow.validate", json!({ "text": "domain:site1.example\ndomain:co.uk\n" }), "errors"),
        ("links.orphan.list", json!({ "source": "backlinks" }), "basis"),
    ] {
        let mut arguments = json!({ "site_id": site });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let told = ada.both(operation, arguments).await;
        assert!(!told[member].is_null() && told[member] != json!([]), "{operation}: {told}");
        named.collect(&told);
    }
    let broken = ada.read("backlinks.broken.list", json!({ "site_id": site })).await.data();
    let lost = broken["targets"]
        .as_array()
        .expect("targets")
        .iter()
        .find(|it| it["url"] == "http://shop.example/no-such-page");
    assert_eq!(lost.map(|it| it["domains"].clone()), Some(json!(1_000)), "{broken}");
    let disavow = json!({ "site_id": site, "domains": ["site3.example", "site6.example"] });
    let built = ada.run("backlinks.disavow.build", disavow).await.data();
    named.collect(&built);
    let file = reqwest::get(built["download_url"].as_str().expect("an address")).await.expect("an answer");
    let text = file.text().await.expect("a text");
    assert_eq!(Some(text.as_str()), built["text"].as_str(), "the file is what was told");
    let (calls, wrong) = named.wrong(&ada).await;
    assert!(calls > 3 && wrong.is_empty(), "{wrong:?}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_of_somebody_else_do_not_exist() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 30).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let csv = "Source Url,Target Url,Anchor Text\nhttps://a.example/,https://shop.example/,x\n";
    let started = ada.run("backlinks.import.run", json!({ "site_id": site, "csv": csv })).await.data();
    outcome(&ada, &started).await;
    let eve = host.customer(SCOPES).await;
    host.buy_points(&eve, 10).await;
    for (operation, arguments) in [
        ("backlinks.import.run", json!({ "site_id": site, "csv": csv })),
        ("backlinks.profile.get", json!({ "site_id": site })),
        ("backlinks.link.list", json!({ "site_id": site })),
        ("backlinks.domain.list", json!({ "site_id": site })),
        ("backlinks.anchor.report", json!({ "site_id": site })),
        ("backlinks.change.report", json!({ "site_id": site })),
        ("backlinks.disavow.build", json!({ "site_id": site, "domains": ["a.example"] })),
        ("backlinks.disavow.validate", json!({ "site_id": site, "text": "domain:a.example" })),
    ] {
        assert_eq!(eve.not_found(operation, arguments).await, "website_not_found", "{operation}");
    }
    host.verify_ledger().await;
}
