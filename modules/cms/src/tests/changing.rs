//! Items that are changed under their hash, the list of changes, and the way back.

use sdk::json;
use sdk::serde_json::Value;
use simulators::Blog;

use super::making::reference;
use crate::trial::Trial;

fn hash(trial: &Trial, item: &str) -> Value {
    trial.call("cms.content.get", &json!({ "item_ref": item, "raw": false }))["edit_hash"].clone()
}

#[test]
fn chosen_fields_are_changed_and_taken_back_to_the_byte() {
    let trial = Trial::new(Blog::of_editor());
    let item = reference(&trial, "/lamp-1/");
    let before = trial.stored(&item);
    let changes = json!({ "title": "A lamp & more", "content": "<p>New\r\n\t text „here“ </p>", "excerpt": "Short.", "slug": "first-lamp",
        "terms": { "tags": ["mending"] }, "seo": { "description": "Another." } });
    let done = trial
        .call("cms.content.update", &json!({ "item_ref": item, "edit_hash": hash(&trial, &item), "changes": changes }));
    let fields: Vec<&str> =
        done["diff"].as_array().expect("a diff").iter().filter_map(|it| it["field"].as_str()).collect();
    assert_eq!(fields, ["title", "content", "excerpt", "slug", "terms.tags", "meta._yoast_wpseo_metadesc"]);
    assert_eq!(trial.stored(&item)["content"]["raw"], "<p>New\r\n\t text „here“ </p>");
    assert_eq!(done["edit_hash"], hash(&trial, &item));
    let listed = trial.call("cms.change.list", &json!({ "item_ref": item }));
    assert_eq!(listed["changes"].as_array().map(Vec::len), Some(2));
    let batch = listed["changes"][0]["batch_ref"].clone();
    let undone = trial.call("cms.change.rollback", &json!({ "batch_ref": batch }));
    assert_eq!((&undone["restored"], &undone["left"], &undone["conflicts"]), (&json!(2), &json!(0), &json!([])));
    assert_eq!(trial.stored(&item), before);
    // What was taken back is not taken back twice.
    let again = trial.call("cms.change.rollback", &json!({ "batch_ref": batch }));
    assert_eq!((&again["restored"], &again["left"]), (&json!(0), &json!(0)));
}

#[test]
fn an_edit_hash_of_before_writes_nothing_and_gives_the_one_of_now() {
    let trial = Trial::new(Blog::of_editor());
    let item = reference(&trial, "/lamp-1/");
    let old = hash(&trial, &item);
    let path = item.split_once('/').expect("a path").1;
    trial.ask("POST", &format!("/wp-json/wp/v2/{path}"), &json!({ "title": "Theirs" }));
    let arguments = json!({ "item_ref": item, "edit_hash": old, "changes": { "title": "Ours" } });
    let refused = trial.refusal("cms.content.update", &arguments);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("edit_conflict", Some("/edit_hash")));
    let detail: Value = sdk::serde_json::from_str(refused.detail.as_deref().expect("a detail")).expect("JSON");
    assert_eq!(detail["edit_hash"], hash(&trial, &item));
    assert_eq!(trial.stored(&item)["title"]["raw"], "Theirs");
    for (changes, code, pointer) in [
        (json!({}), "nothing_to_change", "/changes"),
        (json!({ "seo": {} }), "nothing_to_change", "/changes/seo"),
        (json!({ "seo": { "robots": ["index", "noindex"] } }), "contradiction", "/changes/seo/robots"),
        (json!({ "seo": { "canonical": "https://shop.example/x" } }), "field_not_writable", "/changes/seo"),
        (json!({ "parent": "https://shop.example/nowhere" }), "item_not_found", "/changes/parent"),
    ] {
        let refused = trial.refusal(
            "cms.content.update",
            &json!({ "item_ref": item, "edit_hash": hash(&trial, &item), "changes": changes }),
        );
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some(pointer)), "{changes}");
    }
    let unknown = json!({ "item_ref": item, "edit_hash": hash(&trial, &item), "changes": { "status": "publish" } });
    assert!(trial.fake.call("cms.content.update", json!({ "site_id": "81", "item_ref": item, "edit_hash": hash(&trial, &item), "changes": { "status": "publish" } })).is_err(), "{unknown}");
}

#[test]
fn content_that_a_page_builder_makes_is_refused() {
    let trial = Trial::new(Blog::of_editor());
    let item = reference(&trial, "/lamp-1/");
    let path = item.split_once('/').expect("a path").1;
    trial.ask("POST", &format!("/wp-json/wp/v2/{path}"), &json!({ "content": "[et_pb_section]x[/et_pb_section]" }));
    let arguments = |changes: Value| json!({ "item_ref": item, "edit_hash": hash(&trial, &item), "changes": changes });
    assert_eq!(trial.refusal("cms.content.update", &arguments(json!({ "content": "<p>x</p>" }))).code, "page_builder");
    trial.call("cms.content.update", &arguments(json!({ "title": "Only the title" })));
    let seen = trial.call("cms.site.inspect", &json!({}));
    assert_eq!(seen["page_builders"], json!(["Divi"]));
}

#[test]
fn what_was_edited_since_is_left_alone_unless_forced_and_force_can_be_taken_back() {
    let trial = Trial::new(Blog::of_editor());
    let item = reference(&trial, "/lamp-1/");
    let first = trial.stored(&item)["title"]["raw"].clone();
    let done = trial.call(
        "cms.content.update",
        &json!({ "item_ref": item, "edit_hash": hash(&trial, &item), "changes": { "title": "Ours" } }),
    );
    let path = item.split_once('/').expect("a path").1;
    trial.ask("POST", &format!("/wp-json/wp/v2/{path}"), &json!({ "title": "Theirs" }));
    let left = trial.call("cms.change.rollback", &json!({ "change_ref": done["change_ref"] }));
    assert_eq!(
        (&left["restored"], &left["conflicts"][0]["reason"], &left["conflicts"][0]["why"]),
        (&json!(0), &json!("edited"), &json!("title"))
    );
    let forced = trial.call("cms.change.rollback", &json!({ "change_ref": done["change_ref"], "force": true }));
    assert_eq!((&forced["restored"], &trial.stored(&item)["title"]["raw"]), (&json!(1), &first));
    let listed = trial.call("cms.change.list", &json!({ "batch_ref": forced["batch_ref"] }));
    let undoes = format!("cms.{}", done["change_ref"].as_str().expect("a reference"));
    assert_eq!(listed["changes"][0]["undoes"], json!(undoes));
    trial.call("cms.change.rollback", &json!({ "change_ref": listed["changes"][0]["change_ref"] }));
    assert_eq!(trial.stored(&item)["title"]["raw"], "Theirs");
    for (arguments, code, pointer) in [
        (json!({}), "change_or_batch", "/change_ref"),
        (json!({ "change_ref": "1", "batch_ref": "2" }), "change_or_batch", "/change_ref"),
        (json!({ "change_ref": "none" }), "change_not_found", "/change_ref"),
        (json!({ "batch_ref": "none" }), "batch_not_found", "/batch_ref"),
    ] {
        let refused = trial.refusal("cms.change.rollback", &arguments);
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some(pointer)));
    }
}

#[test]
fn changes_of_all_modules_are_listed_newest_first_page_by_page() {
    let trial = Trial::new(Blog::of_editor());
    let item = reference(&trial, "/lamp-1/");
    // All at one moment, which the clock of the tests stands at; and some of other modules before and after it.
    for number in 0..7 {
        let changes = json!({ "title": format!("Title {number}") });
        trial.call(
            "cms.content.update",
            &json!({ "item_ref": item, "edit_hash": hash(&trial, &item), "changes": changes }),
        );
    }
    let one: wordpress::Change = trial.fake.rows::<wordpress::Change>().remove(0).it;
    let at = one.at_ms;
    for (place, at_ms) in [(1, at - 5), (2, at), (3, at + 5)] {
        let change = wordpress::Change { at_ms, batch: format!("bat_links_{place}"), ..one.clone() };
        trial.fake.put(crate::change::OfLinks(change));
    }
    trial.fake.put(wordpress::Change { pending: true, ..one });
    for limit in [1, 2, 3, 4, 100] {
        let (mut cursor, mut seen) = (json!(null), Vec::new());
        loop {
            let mut arguments = json!({ "limit": limit });
            if !cursor.is_null() {
                arguments["cursor"] = cursor.clone();
            }
            let page = trial.call("cms.change.list", &arguments);
            let rows = page["changes"].as_array().expect("changes").clone();
            seen.extend(
                rows.iter().map(|it| (it["at"].as_str().expect("a moment").to_owned(), it["change_ref"].to_string())),
            );
            cursor = page["next_cursor"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(seen.len(), 10, "limit {limit}");
        assert!(seen.windows(2).all(|it| it[0].0 >= it[1].0));
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 10, "each once, limit {limit}");
    }
    let today = trial.fake.now().day();
    let none = trial.call("cms.change.list", &json!({ "to": today.plus(-2) }));
    assert_eq!(none["changes"], json!([]));
    assert_eq!(
        trial.call("cms.change.list", &json!({ "from": today.plus(-1), "to": today }))["changes"]
            .as_array()
            .map(Vec::len),
        Some(10)
    );
}

#[test]
fn a_long_batch_comes_to_its_end_also_where_much_of_it_was_edited_since() {
    let trial = Trial::new(Blog::of_editor());
    let changes: Vec<Value> = (1..=40)
        .map(|it| json!({ "item_ref": format!("https://shop.example/lamp-{it}/"), "title": format!("Title {it}") }))
        .collect();
    let done = trial.job("cms.seo_meta.bulk_update", &json!({ "changes": changes }));
    let all = done["applied"].as_u64().expect("a number");
    assert!(all > 20, "{all}");
    // An editor changes all but the first five.
    for it in done["diffs"].as_array().expect("diffs").iter().skip(5) {
        let reference = it["item_ref"].as_str().expect("a reference");
        let path = reference.split_once('/').expect("a path").1;
        trial.ask("POST", &format!("/wp-json/wp/v2/{path}"), &json!({ "meta": { "_yoast_wpseo_title": "Theirs" } }));
    }
    let (mut restored, mut conflicts, mut calls) = (0, 0, 0);
    let mut arguments = json!({ "batch_ref": done["batch_ref"] });
    loop {
        let undone = trial.call("cms.change.rollback", &arguments);
        restored += undone["restored"].as_u64().expect("a number");
        conflicts += undone["conflicts"].as_array().map_or(0, Vec::len) as u64;
        calls += 1;
        if undone["left"] == 0 || calls > 20 {
            break;
        }
        arguments = undone["next"][0]["arguments"].clone();
    }
    assert_eq!((restored, conflicts), (5, all - 5), "after {calls} calls");
}
