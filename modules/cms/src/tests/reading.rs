//! What is read of a WordPress.

use sdk::json;
use simulators::Blog;

use crate::trial::{SITE, Trial, crawl};

#[test]
fn an_inspection_says_what_can_be_written_and_how_to_write_the_rest() {
    let trial = Trial::new(Blog::of_editor());
    let seen = trial.call("cms.site.inspect", &json!({}));
    assert_eq!(
        (&seen["version"], &seen["seo_plugin"], &seen["seo_how"]),
        (&json!("6.8.3"), &json!("yoast"), &json!("meta"))
    );
    assert_eq!(seen["writable_fields"], json!(["title", "description"]));
    assert_eq!(
        seen["rights"],
        json!({ "publish": true, "upload_media": true, "unfiltered_html": true, "edit_others": true })
    );
    assert_eq!(seen["has_redirection"], true);
    assert!(seen["bridge"].as_str().is_some_and(|it| it.contains("_yoast_wpseo_canonical")));
    let kinds: Vec<&str> =
        seen["post_types"].as_array().expect("types").iter().filter_map(|it| it["type"].as_str()).collect();
    assert_eq!(kinds, ["page", "post", "product"]);
    let author = Trial::new(Blog::of_author()).call("cms.site.inspect", &json!({}));
    assert_eq!(author["rights"]["unfiltered_html"], false);
    assert!(author["warnings"][0].as_str().is_some_and(|it| it.contains("role Editor")));
}

#[test]
fn items_are_listed_page_by_page_each_once() {
    let trial = Trial::new(Blog::of_editor());
    let (mut cursor, mut seen) = (json!(null), Vec::new());
    loop {
        let mut arguments = json!({ "limit": 7, "status": "publish" });
        if !cursor.is_null() {
            arguments["cursor"] = cursor.clone();
        }
        let page = trial.call("cms.content.list", &arguments);
        let rows = page["items"].as_array().expect("items").clone();
        assert!(rows.iter().all(|it| it["status"] == "publish" && it["seo"]["title"].is_string()));
        seen.extend(rows.iter().map(|it| it["item_ref"].as_str().expect("a reference").to_owned()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            assert_eq!(page["total"], seen.len());
            break;
        }
    }
    let all = seen.len();
    seen.sort();
    seen.dedup();
    assert!(seen.len() == all && all > 14, "{all}");
    let drafts = trial.call("cms.content.list", &json!({ "status": "draft" }));
    assert_eq!((&drafts["total"], &drafts["items"][0]["title"]), (&json!(1), &json!("Winter workshop")));
    let refused = trial.refusal("cms.content.list", &json!({ "type": "lampshade" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("type_not_found", Some("/type")));
    let first = trial.call("cms.content.list", &json!({ "limit": 5 }));
    let other = trial.refusal("cms.content.list", &json!({ "limit": 7, "cursor": first["next_cursor"] }));
    assert!(["limit_changed", "invalid_cursor"].contains(&other.code.as_str()), "{}", other.code);
}

#[test]
fn a_post_that_missed_its_moment_is_told() {
    let trial = Trial::new(Blog::of_editor());
    // The clock of the tests stands later than the blog's.
    trial.fake.set_now(sdk::value::Moment::from_millis(4_000_000_000_000));
    let at = "2090-01-01T00:00:00";
    let made =
        trial.ask("POST", "/wp-json/wp/v2/posts", &json!({ "title": "Late", "status": "publish", "date_gmt": at }));
    assert_eq!(made["status"], "future");
    let listed = trial.call("cms.content.list", &json!({ "status": "future" }));
    assert_eq!(
        (&listed["items"][0]["missed_schedule"], &listed["items"][0]["published_at"]),
        (&json!(true), &json!("2090-01-01T00:00:00.000Z"))
    );
}

#[test]
fn an_item_is_shown_with_its_texts_its_revisions_and_the_hash_of_an_edit() {
    let trial = Trial::new(Blog::of_editor());
    let by_url = trial.call("cms.content.get", &json!({ "item_ref": "https://shop.example/lamp-1/" }));
    let reference = by_url["item"]["item_ref"].as_str().expect("a reference").to_owned();
    assert!(by_url["content"].as_str().is_some_and(|it| it.starts_with("<!-- wp:paragraph -->")));
    assert_eq!(by_url["edit_hash"].as_str().map(str::len), Some(64));
    assert_eq!(by_url["revisions"], json!([]));
    assert!(!by_url["item"]["author"].is_null() && by_url["item"]["terms"][0]["taxonomy"] == "category");
    let path = reference.split_once('/').expect("a path").1;
    trial.ask("POST", &format!("/wp-json/wp/v2/{path}"), &json!({ "excerpt": "Another." }));
    let short = trial.call("cms.content.get", &json!({ "item_ref": reference, "raw": false }));
    assert_eq!((&short["content"], short["revisions"].as_array().map(Vec::len)), (&json!(null), Some(1)));
    assert_ne!(short["edit_hash"], by_url["edit_hash"]);
    for (text, code) in [
        ("https://shop.example/none", "item_not_found"),
        ("con_9/posts/1", "item_not_found"),
        ("nothing", "item_not_found"),
    ] {
        let refused = trial.refusal("cms.content.get", &json!({ "item_ref": text }));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some("/item_ref")));
    }
}

#[test]
fn without_a_wordpress_of_the_website_nothing_is_asked() {
    let none = crate::fake();
    let website = site::Site {
        domain: "shop.example".to_owned(),
        origin: "https://shop.example".to_owned(),
        ..site::Site::default()
    };
    none.put_as("81", website);
    let refused = none.refusal("cms.content.list", json!({ "site_id": "81" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("connection_required", Some("/site_id")));
    let trial = Trial::new(Blog::of_editor());
    let other = site::Site {
        domain: "other.example".to_owned(),
        origin: "https://other.example".to_owned(),
        ..site::Site::default()
    };
    trial.fake.put_as("82", other);
    let refused = trial.refusal("cms.content.list", &json!({ "site_id": "82" }));
    assert_eq!(refused.code, "wordpress_not_of_site");
    assert_eq!(trial.refusal("cms.content.list", &json!({ "site_id": "83" })).code, "website_not_found");
}

#[test]
fn an_archive_is_thin_only_when_the_newest_crawl_says_that_it_can_be_found() {
    let trial = Trial::new(Blog::of_editor());
    let mut pages = Vec::new();
    for (name, head) in [("velvet", ""), ("granite", "<meta name=\"robots\" content=\"noindex\">")] {
        let term = trial.ask("POST", "/wp-json/wp/v2/tags", &json!({ "name": name, "slug": name }));
        for at in 0..2 {
            let post = json!({ "title": format!("{name} {at}"), "status": "publish", "tags": [term["id"]] });
            trial.ask("POST", "/wp-json/wp/v2/posts", &post);
        }
        let link = term["link"].as_str().expect("an address");
        let path = link.strip_prefix(&Blog::home()).expect("of the blog").to_owned();
        pages.push((path, 200, format!("<html><head><title>{name}</title>{head}</head><body>Words.</body></html>")));
    }
    let problems = |trial: &Trial| -> Vec<(String, String)> {
        let seen = trial.call("cms.taxonomy.audit", &json!({}));
        let of = |it: &sdk::serde_json::Value, member: &str| it[member].as_str().unwrap_or_default().to_owned();
        let all = seen["terms"].as_array().expect("findings").iter();
        all.map(|it| (of(it, "name"), of(it, "problem"))).filter(|it| it.1 == "thin_archive").collect()
    };
    assert_eq!(problems(&trial), [], "nobody looked");
    crawl(&trial.fake, "run_1", SITE, &Blog::home(), &pages);
    assert_eq!(problems(&trial), [("velvet".to_owned(), "thin_archive".to_owned())]);
}
