//! Pages of 2 MB of every shape that link: each job reads them in steps that its bounds allow.

use serde_json::json;
use tests::large::{Shape, page};

use super::{outcome, shop_with};

#[tokio::test(flavor = "multi_thread")]
async fn heavy_pages_are_read_in_as_many_steps_as_they_take() {
    let folder = tempfile::tempdir().expect("a folder");
    for shape in Shape::ALL {
        let html = page(shape, 2 << 20);
        let link = "<p>The Lamp Shop: <a href='http://shop.example/shop'>desk lamps</a></p>";
        let html = html.replacen("<h1>", &format!("{link}<h1>"), 1);
        std::fs::write(folder.path().join(format!("{}.html", shape.name())), html).expect("a file");
    }
    let served = tests::site::serve_folder(folder.path().to_path_buf()).await;
    // Ten pages on hosts of their own, so that all are fetched together.
    let pages: Vec<(String, &str)> =
        (0..2).flat_map(|at| Shape::ALL.map(|it| (format!("{}{at}.example", it.name()), it.name()))).collect();
    let (host, ada, site) =
        shop_with(|options| pages.iter().for_each(|(name, _)| options.map(name, served.address))).await;
    let mut csv = "Source url,Target url,Anchor,First seen\n".to_owned();
    let urls: Vec<String> = pages.iter().map(|(name, shape)| format!("http://{name}/{shape}.html")).collect();
    urls.iter().for_each(|url| csv.push_str(&format!("{url},http://shop.example/shop,desk lamps,2026-01-03\n")));
    let started = ada.run("backlinks.import.run", json!({ "site_id": site, "csv": csv })).await.data();
    outcome(&ada, &started).await;
    let started = ada.run("backlinks.verify.run", json!({ "site_id": site })).await.data();
    let seen = outcome(&ada, &started).await;
    assert_eq!((&seen["links"], &seen["live"]), (&json!(10), &json!(10)), "{seen}");
    let started = ada.run("backlinks.network.detect", json!({ "site_id": site })).await.data();
    assert_eq!(outcome(&ada, &started).await["domains"], 10);
    let scan = json!({ "site_id": site, "aliases": ["Lamp Shop"], "sources": urls });
    let started = ada.run("backlinks.mention.scan", scan).await.data();
    let told = outcome(&ada, &started).await;
    assert_eq!((&told["pages"], &told["unread_pages"]), (&json!(10), &json!(0)), "{told}");
    let weighed = ada.read("monitoring.page_weight.check", json!({ "url": urls[1], "max_resources": 10 })).await;
    assert!(weighed.data()["total_bytes"].as_u64() > Some(2_000_000));
    host.verify_ledger().await;
}
