//! Many edits at once, and what is not an item: links, pictures, terms, redirects.

use serde_json::{Value, json};
use tests::site::serve_folder;

use super::{BLOG, Blog};

/// A white dot.
const DOT: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

#[tokio::test(flavor = "multi_thread")]
async fn links_and_alternative_texts_are_changed_by_bytes_in_batches_and_brought_back() {
    let blog = Blog::open().await;
    let media = blog.own("GET", "/wp-json/wp/v2/media?search=lamp-3&context=edit", &Value::Null).await;
    let file = media[0]["source_url"].as_str().expect("a file").to_owned();
    let raw =
        format!("<p>\r\n<a  class=x href='/gone-away?a=1&amp;b=2#part'>gone</a> <img src=\"{file}\"> “q” &nbsp;</p>");
    let made = blog.run("cms.content.create", &json!({ "title": "Linking", "body": "x", "slug": "linking" })).await;
    let item = made["item_ref"].as_str().expect("a reference").to_owned();
    let path = format!("/wp-json/wp/v2/{}", item.split_once('/').expect("a path").1);
    blog.own("POST", &path, &json!({ "content": raw, "status": "publish" })).await;
    let content =
        async || blog.own("GET", &format!("{path}?context=edit"), &Value::Null).await["content"]["raw"].clone();

    let pairs = json!([
        { "from": blog.url("/gone-away?a=1&b=2"), "to": blog.url("/lamp-1/") },
        { "from": blog.url("/other"), "to": blog.url("/no-such-page/") },
    ]);
    let dry = blog.job("cms.link.replace", &json!({ "pairs": pairs, "dry_run": true })).await;
    assert_eq!((&dry["items"], &dry["replacements"], &content().await), (&json!(1), &json!(1), &json!(raw)), "{dry}");
    let done = blog.job("cms.link.replace", &json!({ "pairs": pairs })).await;
    assert_eq!((&done["items"], &done["skipped"][0]["code"]), (&json!(1), &json!("target_not_good")), "{done}");
    let linked = raw.replace("/gone-away?a=1&amp;b=2#part", &format!("{}#part", blog.url("/lamp-1/")));
    assert_eq!(content().await, linked);

    let texts = json!([{ "src": file, "alt": "Lamp 3 \"brass\"" }, { "src": blog.url("/nothing.gif"), "alt": "x" }]);
    let described = blog.job("cms.alt_text.bulk_update", &json!({ "items": texts })).await;
    assert_eq!((&described["items"], &described["replacements"]), (&json!(2), &json!(2)), "{described}");
    let with_alt = linked.replace("<img src", "<img alt=\"Lamp 3 &quot;brass&quot;\" src");
    assert_eq!(content().await, with_alt);
    let known = blog.own("GET", "/wp-json/wp/v2/media?search=lamp-3&context=edit", &Value::Null).await;
    assert_eq!(known[0]["alt_text"], "Lamp 3 \"brass\"");

    for batch in [&described["batch_ref"], &done["batch_ref"]] {
        let back = blog.change("cms.change.rollback", &json!({ "batch_ref": batch })).await;
        assert_eq!((&back["left"], &back["conflicts"]), (&json!(0), &json!([])), "{back}");
    }
    assert_eq!(content().await, raw, "byte for byte");
    let known = blog.own("GET", "/wp-json/wp/v2/media?search=lamp-3&context=edit", &Value::Null).await;
    assert_eq!(known[0]["alt_text"], "");
    blog.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_handed_over_once_and_taken_out_again() {
    let pictures = tempfile::tempdir().expect("a folder");
    let mut other = DOT.to_vec();
    other.extend([0; 7]);
    std::fs::write(pictures.path().join("Gr%C3%BCne%20Lampe.gif"), &other).expect("a picture");
    std::fs::write(pictures.path().join("page.gif"), "<!doctype html><p>no picture").expect("a page");
    let folder = serve_folder(pictures.path().to_path_buf()).await;
    let blog = Blog::with(|options| options.map("pictures.example", folder.address)).await;
    let source = "http://pictures.example/Gr%C3%BCne%20Lampe.gif";
    let made =
        blog.run("cms.media.upload", &json!({ "source_url": source, "alt": "A green lamp", "title": "Green" })).await;
    assert_eq!(
        (&made["alt"], &made["width"], &made["duplicate_of"]),
        (&json!("A green lamp"), &json!(1), &json!(null)),
        "{made}"
    );
    assert!(made["url"].as_str().is_some_and(|it| it.ends_with("/grune-lampe.gif")), "{made}");
    let again = blog.change("cms.media.upload", &json!({ "source_url": source })).await;
    assert_eq!((&again["duplicate_of"], &again["media_ref"]), (&made["media_ref"], &made["media_ref"]), "{again}");
    let refused = blog
        .ada
        .run("cms.media.upload", json!({ "site_id": blog.site, "source_url": "http://pictures.example/page.gif" }))
        .await;
    assert_eq!(refused.refusal(), (422, "type_not_allowed".to_owned()));
    let file = made["url"].as_str().expect("a file").split_once(BLOG).expect("a path").1.to_owned();
    assert_eq!(blog.page(&file).await.0, 200);
    let back = blog.run("cms.change.rollback", &json!({ "change_ref": made["change_ref"] })).await;
    assert_eq!((&back["restored"], &back["conflicts"]), (&json!(1), &json!([])), "{back}");
    let left = blog.own("GET", "/wp-json/wp/v2/media?search=Green&context=edit", &Value::Null).await;
    assert_eq!(left, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_and_terms_are_audited_and_redirects_made_and_brought_back_over_both_doors() {
    let blog = Blog::open().await;
    let terms = blog.read("cms.taxonomy.audit", &json!({ "taxonomy": "category" })).await;
    let problems: Vec<(&str, &str)> = terms["terms"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|it| (it["name"].as_str().expect("a name"), it["problem"].as_str().expect("a problem")))
        .collect();
    assert!(
        problems.contains(&("Lamps", "near_duplicate")) || problems.contains(&("Lamp", "near_duplicate")),
        "{problems:?}"
    );
    assert!(problems.contains(&("Press", "empty")) || problems.contains(&("Lamp", "empty")), "{problems:?}");
    assert_eq!(terms["merges"][0]["fix"]["operation_id"], "cms.redirect.upsert");
    let listed = blog.read("cms.redirect.list", &json!({})).await;
    assert_eq!((&listed["total"], &listed["redirects"][0]["in_loop"]), (&json!(4), &json!(true)));
    let wanted = json!([{ "from": "/summer", "to": "/lamp-1/" }, { "from": "/sold", "code": 410 }, { "from": "/lamp-2/", "to": "/lamp-1/" }]);
    let saved = blog.run("cms.redirect.upsert", &json!({ "redirects": wanted })).await;
    assert_eq!(
        (saved["saved"].as_array().map(Vec::len), &saved["refused"][0]["reason"]),
        (Some(2), &json!("is_live_page")),
        "{saved}"
    );
    assert_eq!(saved["saved"][0]["verified"], true, "{saved}");
    let refused =
        blog.ada.run("cms.redirect.delete", json!({ "site_id": blog.site, "sources": ["/old-lamps/"] })).await;
    assert_eq!(refused.refusal(), (409, "has_hits".to_owned()));
    let gone =
        blog.change("cms.redirect.delete", &json!({ "sources": ["/old-lamps/"], "acknowledge_hits": true })).await;
    assert_eq!(gone["deleted"], 1);
    for batch in [&gone["batch_ref"], &saved["batch_ref"]] {
        let back = blog.run("cms.change.rollback", &json!({ "batch_ref": batch })).await;
        assert_eq!((&back["conflicts"], &back["left"]), (&json!([]), &json!(0)), "{back}");
    }
    let after = blog.read("cms.redirect.list", &json!({})).await;
    assert_eq!(after["total"], 4);
    let eve = blog.host.customer(super::SCOPES).await;
    eve.not_found("cms.redirect.list", json!({ "site_id": blog.site })).await;
    eve.not_found("cms.taxonomy.audit", json!({ "site_id": blog.site })).await;
}
