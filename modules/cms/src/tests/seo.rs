//! SEO fields, one item and many.

use sdk::json;
use simulators::Blog;

use super::making::reference;
use crate::trial::Trial;

const YOAST: &str = "wordpress-seo/wp-seo";
const RANK_MATH: &str = "seo-by-rank-math/rank-math";
const AIOSEO: &str = "all-in-one-seo-pack/all_in_one_seo_pack";
const BRIDGE: &str = "seo-keys-in-rest/seo-keys-in-rest";

#[test]
fn what_is_held_is_compared_with_what_the_page_shows() {
    let trial = Trial::new(Blog::of_editor());
    let item = reference(&trial, "/lamp-1/");
    let path = item.split_once('/').expect("a path").1;
    trial.ask(
        "POST",
        &format!("/wp-json/wp/v2/{path}"),
        &json!({ "meta": { "_yoast_wpseo_title": "%%title%% - %%sitename%%" } }),
    );
    let got = trial.call("cms.seo_meta.get", &json!({ "item_refs": [item, "https://shop.example/lamp-2/"] }));
    let row = &got["rows"][0];
    assert_eq!((&row["stored_is_template"], &row["differs"]), (&json!(true), &json!([])), "{row}");
    assert!(row["rendered"]["title"].as_str().is_some_and(|it| !it.contains('%')));
    assert_eq!(got["rows"][1]["url"], "https://shop.example/lamp-2/");
    // A page out of a cache of yesterday.
    let old = "<!doctype html><title>Yesterday</title><meta name=description content=x>";
    trial.fake.serve(
        "https://shop.example/lamp-2/",
        200,
        &[("content-type", "text/html"), ("age", "86400")],
        old.as_bytes(),
    );
    let got = trial.call("cms.seo_meta.get", &json!({ "item_refs": ["https://shop.example/lamp-2/"] }));
    assert_eq!(got["rows"][0]["differs"], json!(["title", "description"]));
    let refused = trial.refusal("cms.seo_meta.get", &json!({ "item_refs": [item, "con_1/posts/99999"] }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("item_not_found", Some("/item_refs/1")));
}

#[test]
fn one_item_is_written_seen_on_its_page_and_taken_back_with_every_plugin() {
    for (plugin, bridged) in [(YOAST, false), (YOAST, true), (RANK_MATH, false), (RANK_MATH, true), (AIOSEO, false)] {
        let trial = Trial::new(Blog::of_editor());
        trial.switch(YOAST, false);
        trial.switch(plugin, true);
        trial.switch(BRIDGE, bridged);
        let item = reference(&trial, "/lamp-1/");
        let before = (trial.stored(&item), trial.page("/lamp-1/").1);
        let done = trial.call(
            "cms.seo_meta.update",
            &json!({ "item_ref": item, "title": "Brass & steel", "description": "They last." }),
        );
        assert_eq!(
            (&done["verified"], &done["rendered"]["title"]),
            (&json!(true), &json!("Brass & steel")),
            "{plugin} {bridged}"
        );
        let undone = trial.call("cms.change.rollback", &json!({ "change_ref": done["change_ref"] }));
        let is_known = bridged || plugin != RANK_MATH;
        assert_eq!(undone["restored"], u64::from(is_known), "{plugin} {bridged}: {undone}");
        if is_known {
            assert_eq!((trial.stored(&item), trial.page("/lamp-1/").1), before, "{plugin} {bridged}");
        } else {
            assert_eq!(undone["conflicts"][0]["reason"], "not_known");
        }
    }
}

#[test]
fn a_field_that_cannot_be_written_is_refused_before_anything_is_sent() {
    let trial = Trial::new(Blog::of_editor());
    let item = json!("https://shop.example/lamp-1/");
    let refused =
        trial.refusal("cms.seo_meta.update", &json!({ "item_ref": item, "title": "x", "robots": ["noindex"] }));
    assert_eq!(refused.code, "field_not_writable");
    assert!(
        refused.detail.as_deref().is_some_and(|it| it.contains("\"fields\":[\"robots\"]") && it.contains("bridge"))
    );
    assert_eq!(trial.refusal("cms.seo_meta.update", &json!({ "item_ref": item })).code, "nothing_to_change");
    trial.switch(YOAST, false);
    assert_eq!(trial.refusal("cms.seo_meta.update", &json!({ "item_ref": item, "title": "x" })).code, "no_seo_plugin");
    assert!(trial.blog.effects().iter().all(|it| it.name == "plugin.switched"));
}

#[test]
fn a_page_that_a_cache_still_shows_is_told_and_is_no_failure() {
    let trial = Trial::new(Blog::of_editor());
    let old = "<!doctype html><title>Yesterday</title>";
    trial.fake.serve(
        "https://shop.example/lamp-2/",
        200,
        &[("content-type", "text/html"), ("age", "60")],
        old.as_bytes(),
    );
    let done =
        trial.call("cms.seo_meta.update", &json!({ "item_ref": "https://shop.example/lamp-2/", "title": "Today" }));
    assert_eq!((&done["verified"], &done["served_from_cache"]), (&json!(false), &json!(true)));
    assert_eq!(done["next"][0]["operation_id"], "crawl.url.fetch");
    let listed = trial.call("cms.change.list", &json!({}));
    assert_eq!(listed["changes"][0]["live_state"], "not_shown");
}

#[test]
fn many_items_are_one_batch_shown_first_written_and_taken_back() {
    let trial = Trial::new(Blog::of_editor());
    let paths: Vec<String> = (1..=20).map(|it| format!("/lamp-{it}/")).collect();
    let before: Vec<_> = paths.iter().map(|it| trial.page(it)).collect();
    let known = before.iter().filter(|it| it.0 == 200).count();
    let mut changes: Vec<_> = paths
        .iter()
        .zip(&before)
        .filter(|(_, page)| page.0 == 200)
        .map(|(path, _)| json!({ "item_ref": format!("https://shop.example{path}"), "title": format!("New title of {path}") }))
        .collect();
    changes.push(json!({ "item_ref": "https://shop.example/no-such-lamp/", "title": "x" }));
    changes.push(json!({ "item_ref": "https://shop.example/lamp-1", "canonical": "https://shop.example/x" }));
    let twice = json!({ "changes": [changes[0], changes[0]] });
    let refused = trial.refusal("cms.seo_meta.bulk_update", &twice);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("named_twice", Some("/changes/1/item_ref")));
    let dry = trial.job("cms.seo_meta.bulk_update", &json!({ "changes": changes, "dry_run": true }));
    assert_eq!((&dry["applied"], dry["failed"].as_array().map(Vec::len)), (&json!(known), Some(2)));
    assert_eq!(paths.iter().map(|it| trial.page(it)).collect::<Vec<_>>(), before, "a dry run changes nothing");
    let done = trial.job("cms.seo_meta.bulk_update", &json!({ "changes": changes }));
    assert_eq!((&done["applied"], &done["verified"]), (&json!(known), &json!(known)), "{done}");
    let codes: Vec<_> = done["failed"].as_array().expect("a list").iter().map(|it| it["code"].clone()).collect();
    assert_eq!(codes, [json!("item_not_found"), json!("field_not_writable")]);
    assert!(trial.page("/lamp-3/").1.contains("<title>New title of /lamp-3/</title>"));
    let again = trial.job("cms.seo_meta.bulk_update", &json!({ "changes": changes }));
    assert_eq!((&again["applied"], &again["unchanged"]), (&json!(0), &json!(known)));
    // One call takes back what it can; the rest is named.
    let mut restored = 0;
    let mut arguments = json!({ "batch_ref": done["batch_ref"] });
    for _ in 0..10 {
        let undone = trial.call("cms.change.rollback", &arguments);
        restored += undone["restored"].as_u64().expect("a number");
        assert_eq!(undone["conflicts"], json!([]));
        if undone["left"] == 0 {
            break;
        }
        arguments = undone["next"][0]["arguments"].clone();
    }
    assert_eq!(restored, known as u64);
    assert_eq!(paths.iter().map(|it| trial.page(it)).collect::<Vec<_>>(), before, "byte for byte");
}

#[test]
fn variables_of_a_plugin_say_nothing_of_the_page() {
    let trial = Trial::new(Blog::of_editor());
    let item = json!("https://shop.example/lamp-1/");
    let done = trial.call("cms.seo_meta.update", &json!({ "item_ref": item, "title": "%%title%% - %%sitename%%" }));
    assert_eq!((&done["verified"], done["change_ref"].is_string()), (&json!(null), true));
    let gone = trial.call("cms.seo_meta.update", &json!({ "item_ref": item, "description": "" }));
    assert_eq!(gone["verified"], json!(null), "nothing is left to be seen");
}
