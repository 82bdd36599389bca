//! What people searched: figures of Search Console are imported through a consent and reported over both doors.

use super::*;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute destructive:execute connections:manage";

pub(super) async fn with_shop() -> (Scene, Value) {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let shop = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| {
        clients(options, &world);
        options.map("shop.example", shop);
    })
    .await;
    let added = host.add_customer("ada@example.com", PASSWORD, 300).await;
    let token = host.token_for(&added, SCOPES, std::time::Duration::from_secs(86_400)).await;
    let ada = added.with_token(&token);
    host.buy_points(&ada, 100).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    (Scene { host, world, ada }, site)
}

pub(super) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number: {value}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_property_is_imported_and_its_planted_drop_explained_over_both_doors() {
    let (scene, site) = with_shop().await;
    let ada = &scene.ada;
    let refused = ada.read("search_console.drop.explain", json!({ "site_id": site })).await.refusal();
    assert_eq!(refused, (409, "not_synced".to_owned()));
    scene.connect(json!({ "kind": "google_search_console" })).await;
    let import = json!({ "site_id": site, "from": "2026-06-20", "to": "2026-10-31" });
    let started = ada.run("search_console.sync.run", import).await.data();
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 240).await;
    assert_eq!((&ended["state"], &ended["result"]["gaps"]), (&json!("succeeded"), &json!([])), "{ended}");
    let status = ada.both("search_console.sync.status.get", json!({ "site_id": site })).await;
    assert_eq!((&status["from"], &status["to"]), (&json!("2026-06-20"), &json!("2026-10-31")), "{status}");
    assert!(status["anonymised_share"].as_f64() > Some(0.0) && status["schedule"]["next_run"].is_string(), "{status}");
    // The same figures, cut differently, add up to the same.
    let period = |dimensions: Value| json!({ "site_id": site, "from": "2026-08-01", "to": "2026-10-31", "dimensions": dimensions });
    let by_page = ada.both("search_console.performance.query", period(json!(["page"]))).await;
    let by_market = ada.both("search_console.performance.query", period(json!(["country", "device"]))).await;
    assert_eq!(by_page["totals"], by_market["totals"]);
    assert_eq!(number(&by_page["totals"]["clicks"]), number(&by_page["property_totals"]["clicks"]));
    let by_query = ada.both("search_console.performance.query", period(json!(["query"]))).await;
    assert!(number(&by_query["totals"]["clicks"]) < number(&by_page["totals"]["clicks"]), "rare queries are hidden");
    // From 2026-09-14 on the guides lose half of their clicks on mobile.
    let asked = json!({ "site_id": site, "from": "2026-08-01", "to": "2026-10-31" });
    let drop = ada.both("search_console.drop.explain", asked.clone()).await;
    // That is a twentieth of all clicks, so its day is found within two weeks.
    let date = drop["change_point"]["date"].as_str().expect("a change");
    assert!(("2026-08-31".."2026-09-28").contains(&date), "{drop}");
    let drivers = drop["drivers"].as_array().expect("drivers");
    assert!(drivers.iter().any(|it| it["key"] == "mobile") && drop["kind"] == "click_rate", "{drop}");
    let guides = drivers.iter().filter(|it| it["dimension"] == "page" && it["inside"].is_null());
    assert!(
        guides.clone().count() > 0
            && guides.clone().all(|it| it["key"].as_str().is_some_and(|url| url.contains("/guides"))),
        "{drop}"
    );
    let narrow = json!({ "site_id": site, "from": "2026-09-14", "to": "2026-10-11" });
    let movers =
        json!({ "site_id": site, "from": "2026-09-14", "to": "2026-10-11", "by": "page", "direction": "down" });
    let movers = ada.both("search_console.mover.report", movers).await;
    assert!(movers["rows"][0]["key"].as_str().is_some_and(|url| url.contains("/guides")), "{movers}");
    let compared = ada.both("search_console.performance.compare", narrow.clone()).await;
    let totals = &compared["totals"];
    let parts = ["demand", "mix", "rank", "ctr"].map(|it| totals[it].as_f64().expect("a part"));
    assert!((parts.iter().sum::<f64>() - totals["delta"].as_f64().expect("a change")).abs() < 0.01, "{totals}");
    for (operation, more, member) in [
        ("search_console.striking_distance.list", json!({}), "rows"),
        ("search_console.ctr_gap.list", json!({}), "rows"),
        ("search_console.page.query.list", json!({ "url": "http://shop.example/guides/bulbs" }), "queries"),
        ("search_console.brand.split", json!({}), "series"),
        ("search_console.new_query.list", json!({}), "queries"),
        ("search_console.segment.report", json!({}), "segments"),
        ("search_console.market.report", json!({}), "countries"),
        ("search_console.appearance.report", json!({}), "appearances"),
    ] {
        let mut asked = narrow.clone();
        asked.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        let answer = ada.both(operation, asked).await;
        assert!(answer[member].is_array(), "{operation}: {answer}");
    }
    let forecast = ada.both("search_console.forecast.get", json!({ "site_id": site, "days": 28 })).await;
    assert_eq!((forecast["forecast"].as_array().map(Vec::len), &forecast["model"]), (Some(28), &json!("ets")));
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sitemap_is_checked_before_google_is_told_of_it_and_taken_back() {
    let (scene, site) = with_shop().await;
    scene.connect(json!({ "kind": "google_search_console" })).await;
    let ada = &scene.ada;
    let listed = ada.both("search_console.sitemap.list", json!({ "site_id": site })).await;
    assert_eq!(listed["sitemaps"][0]["live"]["status"], 200, "{listed}");
    let page = json!({ "site_id": site, "url": "http://shop.example/about" });
    let refused = ada.run("search_console.sitemap.submit", page).await.refusal();
    assert_eq!(refused, (422, "invalid_sitemap".to_owned()));
    assert_eq!(times(&scene.world.google, "sitemap.submitted"), 0);
    let file = json!({ "site_id": site, "url": "http://shop.example/sitemap-pages.xml" });
    let submitted = ada.run("search_console.sitemap.submit", file.clone()).await.data();
    assert!(number(&submitted["validation"]["urls"]) > 0, "{submitted}");
    assert_eq!(times(&scene.world.google, "sitemap.submitted"), 1);
    ada.run("search_console.sitemap.delete", file.clone()).await.data();
    assert_eq!(times(&scene.world.google, "sitemap.deleted"), 1);
    let again = ada.run("search_console.sitemap.delete", file).await.refusal();
    assert_eq!(again, (404, "sitemap_not_found".to_owned()));
    scene.host.verify_ledger().await;
}
