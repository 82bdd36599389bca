//! What is missing, and sitemaps.

use super::*;

#[test]
fn reports_before_the_first_import_name_it() {
    let fake = trial::fake(&steady());
    for operation in [
        "search_console.sync.status.get",
        "search_console.performance.compare",
        "search_console.drop.explain",
        "search_console.mover.report",
        "search_console.striking_distance.list",
        "search_console.ctr_gap.list",
        "search_console.brand.split",
        "search_console.new_query.list",
        "search_console.segment.report",
        "search_console.market.report",
        "search_console.appearance.report",
        "search_console.forecast.get",
    ] {
        let fault = fake.refusal(operation, json!({ "site_id": SITE }));
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("not_synced", Some("/site_id")), "{operation}");
        assert_eq!(detail(&fault)["operation_id"], "search_console.sync.run");
        assert_eq!(fake.refusal(operation, json!({ "site_id": "82" })).code, "website_not_found", "{operation}");
    }
    let fake = synced(&steady());
    let late = json!({ "site_id": SITE, "from": "2027-01-01", "to": "2027-01-31", "dimensions": ["page"] });
    assert_eq!(fake.refusal("search_console.performance.query", late).code, "period_not_synced");
}

#[test]
fn what_was_not_imported_is_named_with_the_import_that_brings_it() {
    let google = steady();
    let fake = trial::fake(&google);
    let pages = json!({ "site_id": SITE, "from": "2026-08-01", "dimensions": ["page"] });
    fake.call("search_console.sync.run", pages).expect("a job");
    fake.work();
    let fault = fake.refusal("search_console.brand.split", json!({ "site_id": SITE }));
    assert_eq!(fault.code, "dimensions_not_synced");
    assert_eq!(detail(&fault)["arguments"]["dimensions"], json!(["query"]));
    let partly =
        called(&fake, "search_console.performance.query", json!({ "from": "2026-07-20", "dimensions": ["page"] }));
    assert_eq!(partly["degraded"][0]["operation_id"], "search_console.sync.run");
}

#[test]
fn sitemaps_are_listed_with_the_live_file_submitted_after_a_check_and_removed() {
    let fake = trial::fake(&steady());
    let base = "/webmasters/v3/sites/sc-domain%3Ashop.example/sitemaps";
    let known = json!({ "sitemap": [
        { "path": format!("{SHOP}/sitemap.xml"), "errors": "0", "warnings": "1", "isPending": false,
          "lastDownloaded": "2026-09-27T03:00:00Z", "contents": [{ "type": "web", "submitted": "12", "indexed": "0" }] },
        { "path": format!("{SHOP}/gone.xml"), "errors": "3", "contents": [] },
    ] });
    fake.provider_answers("GET", base, 200, &known);
    let file = format!(
        "<urlset><url><loc>{SHOP}/</loc><lastmod>2026-09-01</lastmod></url><url><loc>{SHOP}/oil</loc></url></urlset>"
    );
    fake.serve(&format!("{SHOP}/sitemap.xml"), 200, &[("content-type", "application/xml")], file.as_bytes());
    fake.serve(&format!("{SHOP}/page"), 200, &[("content-type", "text/html")], b"<html><p>no sitemap</p></html>");
    let listed = called(&fake, "search_console.sitemap.list", json!({}));
    let rows = listed["sitemaps"].as_array().unwrap();
    assert_eq!((rows[0]["errors"].as_u64(), rows[1]["submitted_urls"].as_u64()), (Some(3), Some(12)));
    assert_eq!((rows[1]["live"]["urls"].as_u64(), text(&rows[1]["live"], "lastmod_max")), (Some(2), "2026-09-01"));
    assert!(!rows[0]["live"]["errors"].as_array().unwrap().is_empty());
    let encoded = "https%3A%2F%2Fshop.example%2Fsitemap.xml";
    fake.provider_answers("PUT", &format!("{base}/{encoded}"), 204, &json!({}));
    fake.provider_answers("DELETE", &format!("{base}/{encoded}"), 204, &json!({}));
    let submitted = called(&fake, "search_console.sitemap.submit", json!({ "url": format!("{SHOP}/sitemap.xml") }));
    assert_eq!((submitted["submitted"].as_bool(), submitted["validation"]["urls"].as_u64()), (Some(true), Some(2)));
    let bad = json!({ "site_id": SITE, "url": format!("{SHOP}/page") });
    let refused = fake.refusal("search_console.sitemap.submit", bad);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("invalid_sitemap", Some("/url")));
    let foreign = json!({ "site_id": SITE, "url": "https://other.example/sitemap.xml" });
    assert_eq!(fake.refusal("search_console.sitemap.submit", foreign).code, "url_not_of_property");
    assert!(!fake.sent().iter().any(|it| it.starts_with("PUT") && !it.contains(encoded)));
    called(&fake, "search_console.sitemap.delete", json!({ "url": format!("{SHOP}/sitemap.xml") }));
    let unknown = json!({ "site_id": SITE, "url": format!("{SHOP}/other.xml") });
    assert_eq!(fake.refusal("search_console.sitemap.delete", unknown).code, "sitemap_not_found");
}
