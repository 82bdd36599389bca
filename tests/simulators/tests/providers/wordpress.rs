//! WordPress: what is written can be read, lists are paged, and only who may, may.

use reqwest::Method;
use serde_json::json;

use crate::client::{client, read, wordpress, world};

#[tokio::test]
async fn a_post_that_is_written_can_be_read_changed_and_put_back() {
    let world = world().await;
    let door = wordpress(&world);
    let made = door
        .post("/wp-json/wp/v2/posts", &json!({ "title": "On shades", "content": "<p>One.</p>", "status": "publish" }))
        .await;
    assert_eq!((made.status, made.at("/slug")), (201, &json!("on-shades")));
    let place = format!("/wp-json/wp/v2/posts/{}", made.at("/id"));
    assert!(made.header("location").ends_with(&place));

    let meta = json!({ "meta": { "_yoast_wpseo_title": "Shades decide", "rank_math_title": "not active" }, "content": "<p>Two.</p>" });
    let changed = door.post(&place, &meta).await;
    assert_eq!(changed.at("/content/raw"), "<p>Two.</p>");
    assert_eq!(changed.at("/meta/rank_math_title"), &json!(null), "only keys of active plugins are kept");
    assert_eq!(changed.at("/yoast_head_json/title"), "Shades decide");
    let revisions = door.get(&format!("{place}/revisions")).await;
    assert_eq!(
        (revisions.at("/0/content/raw"), revisions.body.as_array().map(Vec::len)),
        (&json!("<p>Two.</p>"), Some(1))
    );
    door.post(&place, &json!({ "content": "<p>Two.</p>" })).await;
    let revisions = door.get(&format!("{place}/revisions")).await;
    assert_eq!(revisions.body.as_array().map(Vec::len), Some(1), "the same content again makes no revision");

    let page = reqwest::get(format!("{}/on-shades/", world.wordpress.url()))
        .await
        .expect("a page")
        .text()
        .await
        .expect("text");
    assert!(page.contains("<title>Shades decide</title>") && page.contains("<p>Two.</p>"), "{page}");

    let trashed = door.send(Method::DELETE, &place, &json!({})).await;
    assert_eq!((trashed.at("/status"), trashed.at("/slug")), (&json!("trash"), &json!("on-shades__trashed")));
    let back = door.post(&place, &json!({ "status": "publish" })).await;
    assert_eq!((back.at("/status"), back.at("/slug")), (&json!("publish"), &json!("on-shades")));
    door.post(&place, &json!({ "slug": "about-shades" })).await;
    let old = client().get(format!("{}/on-shades/", world.wordpress.url())).send().await.expect("an answer");
    assert_eq!(old.status(), 301, "a slug that was changed leads to the new one");
    door.send(Method::DELETE, &place, &json!({})).await;
    assert_eq!(door.send(Method::DELETE, &place, &json!({})).await.status, 410);
    assert_eq!(door.send(Method::DELETE, &format!("{place}?force=true"), &json!({})).await.at("/deleted"), true);
    assert_eq!(door.get(&place).await.at("/code"), "rest_post_invalid_id");
    assert_eq!((door.effects("post.created"), door.effects("post.updated")), (1, 4));
}

#[tokio::test]
async fn lists_are_paged_and_say_how_long_they_are() {
    let world = world().await;
    let door = wordpress(&world);
    let mut seen = Vec::new();
    let first = door.get("/wp-json/wp/v2/posts?per_page=10").await;
    let pages: usize = first.header("x-wp-totalpages").parse().expect("a number");
    for page in 1..=pages {
        let said = door.get(&format!("/wp-json/wp/v2/posts?per_page=10&page={page}&_fields=id,slug")).await;
        assert_eq!(said.header("link").contains("rel=\"next\""), page < pages);
        seen.extend(said.body.as_array().expect("a list").iter().map(|post| post["id"].as_u64().expect("an id")));
    }
    let total: usize = first.header("x-wp-total").parse().expect("a number");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), total, "every post once");
    let beyond = door.get(&format!("/wp-json/wp/v2/posts?per_page=10&page={}", pages + 1)).await;
    assert_eq!((beyond.status, beyond.at("/code")), (400, &json!("rest_post_invalid_page_number")));
    assert_eq!(door.get("/wp-json/wp/v2/posts?per_page=101").await.at("/code"), "rest_invalid_param");
}

#[tokio::test]
async fn strangers_read_what_is_published_and_nothing_else() {
    let world = world().await;
    let url = world.wordpress.url();
    let open = read(client().get(format!("{url}/wp-json/wp/v2/posts")).send().await.expect("an answer")).await;
    assert_eq!(open.status, 200);
    assert!(open.at("/0/content/raw").is_null());
    let drafts =
        read(client().get(format!("{url}/wp-json/wp/v2/posts?status=draft")).send().await.expect("an answer")).await;
    assert_eq!((drafts.status, drafts.at("/data/details/status/code")), (400, &json!("rest_forbidden_status")));
    let wrong = client()
        .post(format!("{url}/wp-json/wp/v2/posts"))
        .basic_auth("editor", Some("guess"))
        .json(&json!({ "title": "x" }));
    let wrong = read(wrong.send().await.expect("an answer")).await;
    assert_eq!((wrong.status, wrong.at("/code")), (401, &json!("incorrect_password")));
    assert!(world.wordpress.effects().is_empty());
    let recorded = world.wordpress.requests();
    assert!(recorded.iter().all(|it| it.headers.iter().all(|(name, _)| name != "authorization")));
}

#[tokio::test]
async fn the_redirection_plugin_sends_visitors_where_it_is_told() {
    let world = world().await;
    let door = wordpress(&world);
    let made = door.post("/wp-json/redirection/v1/redirect", &json!({ "url": "/gone/", "action_data": { "url": "/lamp-2/" }, "action_code": 301, "group_id": 1, "match_type": "url", "action_type": "url" })).await;
    assert_eq!(made.at("/items/0/url"), "/gone/");
    let visit = client().get(format!("{}/gone/", world.wordpress.url())).send().await.expect("an answer");
    assert_eq!((visit.status().as_u16(), &visit.headers()["location"]), (301, &"/lamp-2/".parse().expect("a value")));
    let id = made.at("/items/0/id").to_string();
    let listed = door.get("/wp-json/redirection/v1/redirect?per_page=25").await;
    assert_eq!(listed.at("/items/0/hits"), 1);
    let left = door.post("/wp-json/redirection/v1/bulk/redirect/delete", &json!({ "items": id })).await;
    assert_eq!(left.at("/total").as_u64(), listed.at("/total").as_u64().map(|total| total - 1));
    assert_eq!(door.effects("redirect.deleted"), 1);
}

#[tokio::test]
async fn media_come_back_byte_for_byte() {
    let world = world().await;
    let door = wordpress(&world);
    let upload = |kind: &'static str| {
        door.request(&client(), Method::POST, "/wp-json/wp/v2/media").header("content-type", kind).body("GIF89a-lamp")
    };
    let bare = read(upload("image/gif").send().await.expect("an answer")).await;
    assert_eq!(bare.at("/code"), "rest_upload_no_content_disposition");
    let made = upload("image/gif").header("content-disposition", "attachment; filename=\"new-lamp.gif\"");
    let made = read(made.send().await.expect("an answer")).await;
    let source = made.at("/source_url").as_str().expect("an address").to_owned();
    assert_eq!(reqwest::get(source).await.expect("a file").bytes().await.expect("bytes"), "GIF89a-lamp");
    let place = format!("/wp-json/wp/v2/media/{}", made.at("/id"));
    assert_eq!(door.post(&place, &json!({ "alt_text": "A new lamp" })).await.at("/alt_text"), "A new lamp");
}

#[tokio::test]
async fn each_seo_plugin_is_written_in_its_own_keys() {
    let world = world().await;
    let door = wordpress(&world);
    let place = "/wp-json/wp/v2/plugins";
    door.post(&format!("{place}/wordpress-seo/wp-seo"), &json!({ "status": "inactive" })).await;
    door.post(&format!("{place}/seo-by-rank-math/rank-math"), &json!({ "status": "active" })).await;
    let id = door.get("/wp-json/wp/v2/posts?slug=lamp-1").await.at("/0/id").to_string();
    let post = format!("/wp-json/wp/v2/posts/{id}");
    let dropped = door.post(&post, &json!({ "meta": { "rank_math_title": "By Rank Math" } })).await;
    assert!(dropped.at("/meta/rank_math_title").is_null(), "none of its keys is registered for REST");
    let meta = json!({ "rank_math_title": "By Rank Math", "rank_math_robots": ["noindex"] });
    let body = json!({ "objectType": "post", "objectID": id.parse::<u64>().expect("a number"), "meta": meta });
    assert_eq!(door.post("/wp-json/rankmath/v1/updateMeta", &body).await.status, 200);
    let page =
        reqwest::get(format!("{}/lamp-1/", world.wordpress.url())).await.expect("a page").text().await.expect("text");
    assert!(page.contains("<title>By Rank Math</title>") && page.contains("content=\"noindex, follow\""), "{page}");
    door.post(&format!("{place}/seo-by-rank-math/rank-math"), &json!({ "status": "inactive" })).await;
    door.post(&format!("{place}/all-in-one-seo-pack/all_in_one_seo_pack"), &json!({ "status": "active" })).await;
    door.post(&post, &json!({ "aioseo_meta_data": { "title": "By AIOSEO", "description": "d" } })).await;
    assert_eq!(door.get(&post).await.at("/aioseo_meta_data/title"), "By AIOSEO");
}
