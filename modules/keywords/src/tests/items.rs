//! Keywords are imported, merged, listed, changed and removed.

use super::*;

fn keywords(fake: &sdk::Fake, set: &str) -> Vec<Value> {
    list(&call(fake, "keywords.item.list", &json!({ "set_ref": set, "sort": "keyword", "limit": 100 })), "keywords")
        .to_vec()
}

#[test]
fn forms_of_a_keyword_are_merged_as_asked_and_split_again() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &[]);
    let lines = json!(["Milk chocolate", "chocolate milk", "milk  chocolate!", "desk lamps", "desk lamp", "?!"]);
    let report = call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "lines": lines }));
    assert_eq!((report["added"].as_u64(), report["rejected_total"].as_u64()), (Some(3), Some(1)));
    let merged: Vec<(&str, &str)> =
        list(&report, "merged").iter().map(|it| (text(it, "keyword"), text(it, "by"))).collect();
    assert_eq!(merged, [("chocolate milk", "order"), ("milk chocolate!", "exact")]);
    assert_eq!(report["rejected"][0], json!({ "line": 6, "reason": "empty", "column_name": null }));
    let stem = call(
        &fake,
        "keywords.item.import",
        &json!({ "set_ref": reference, "lines": ["lamps desk", "oil lamps", "oil lamp"], "merge": "stem" }),
    );
    assert_eq!((stem["added"].as_u64(), stem["merged"][0]["by"].as_str()), (Some(1), Some("stem")));
    let exact = call(
        &fake,
        "keywords.item.import",
        &json!({ "set_ref": reference, "lines": ["chocolate milk"], "merge": "exact" }),
    );
    assert_eq!(
        (exact["added"].as_u64(), exact["updated"].as_u64(), exact["keywords"].as_u64()),
        (Some(1), Some(1), Some(5))
    );
    let rows = keywords(&fake, &reference);
    assert_eq!(texts(&rows, "keyword"), ["chocolate milk", "desk lamp", "desk lamps", "Milk chocolate", "oil lamps"]);
    assert!(rows.iter().all(|it| it["keyword"] != "Milk chocolate" || list(it, "forms").is_empty()));
    let again = call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "lines": ["oil lamp"] }));
    assert_eq!((again["added"].as_u64(), again["merged_total"].as_u64()), (Some(0), Some(1)), "a form stays a form");
}

#[test]
fn a_table_of_another_tool_brings_metrics_that_measured_ones_replace() {
    let provider = Provider::of(&[("desk lamp", 90)]);
    let fake = fake(&provider);
    let reference = set(&fake, &[]);
    let csv = "Keyword Research\n#;Keyword;KD;Volume;CPC;Tags;Parent\n1;Desk Lamp;34;\"1.300\";0,5;lamps|desk;x\n2;Oil lamp;n/a;;-;;\n3;Bad;x;1;1;;\n";
    let report = call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "csv": csv }));
    assert_eq!(
        (report["added"].as_u64(), report["rejected"][0].clone()),
        (Some(2), json!({ "line": 5, "reason": "not_a_number", "column_name": "difficulty" }))
    );
    assert_eq!(report["unknown_columns"], json!(["#", "Parent"]));
    let row = &keywords(&fake, &reference)[0];
    assert_eq!(
        (row["volume"].as_u64(), row["cpc"].as_f64(), row["difficulty"].as_u64(), row["imported"].as_bool()),
        (Some(1_300), Some(0.5), Some(34), Some(true))
    );
    assert_eq!(row["tags"], json!(["lamps", "desk"]));
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    let row = &keywords(&fake, &reference)[0];
    assert_eq!(
        (row["volume"].as_u64(), row["imported"].as_bool()),
        (Some(90), Some(false)),
        "measured metrics replace imported ones"
    );
    call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "csv": "keyword,volume\ndesk lamp,5\n" }));
    assert_eq!(keywords(&fake, &reference)[0]["volume"].as_u64(), Some(90), "and a file does not replace them");
}

#[test]
fn a_file_is_handed_over_as_an_upload_and_read_in_parts() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &[]);
    let opened = call(&fake, "keywords.item.import", &json!({ "set_ref": reference }));
    assert_eq!((opened["added"].as_u64(), opened["upload"]["upload_ref"].is_string()), (Some(0), true));
    let rows: String = (0..10_010).map(|at| format!("lamp {at},{at}\n")).collect();
    let upload = fake.hand_over("text/csv", format!("keyword,volume\n{rows}").as_bytes());
    let first = call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "upload_ref": upload }));
    assert_eq!((first["added"].as_u64(), first["next_row"].as_u64()), (Some(10_000), Some(10_001)));
    let last = call(&fake, "keywords.item.import", &first["next"][0]["arguments"]);
    assert_eq!(
        (last["added"].as_u64(), last["keywords"].as_u64(), last["next_row"].is_null()),
        (Some(10), Some(10_010), true)
    );
}

#[test]
fn what_is_no_table_of_keywords_is_refused_and_nothing_is_written() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &[]);
    let refused = |arguments: Value| {
        let mut arguments = arguments;
        arguments["set_ref"] = json!(reference);
        let fault = fake.refusal("keywords.item.import", arguments);
        (fault.code, fault.pointer.unwrap_or_default())
    };
    let is = |code: &str, pointer: &str| (code.to_owned(), pointer.to_owned());
    assert_eq!(refused(json!({ "csv": "a,b\n1,2\n" })), is("no_header", "/csv"));
    assert_eq!(refused(json!({ "csv": "volume,cpc\n1,2\n" })), is("no_keyword_column", "/csv"));
    assert_eq!(refused(json!({ "csv": "PK\u{3}\u{4}x" })), is("not_a_table", "/csv"));
    assert_eq!(refused(json!({ "lines": ["a"], "csv": "keyword\na\n" })), is("one_source", "/lines"));
    assert_eq!(refused(json!({ "upload_ref": "none" })), is("upload_not_found", "/upload_ref"));
    let sets = call(&fake, "keywords.set.list", &json!({ "site_id": SITE }));
    assert_eq!(sets["sets"][0]["keywords"].as_u64(), Some(0));
}

#[test]
fn lists_are_filtered_sorted_and_paged() {
    let provider = Provider::of(&[("desk lamp", 900), ("oil lamp", 40), ("reading lamp", 300)]);
    let fake = fake(&provider);
    let reference = set(&fake, &["desk lamp", "oil lamp", "reading lamp", "unknown lamp"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    let names = |extra: Value| {
        let mut asked = json!({ "set_ref": reference });
        asked.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        texts(list(&call(&fake, "keywords.item.list", &asked), "keywords"), "keyword")
    };
    assert_eq!(names(json!({})), ["desk lamp", "reading lamp", "oil lamp", "unknown lamp"]);
    assert_eq!(
        names(json!({ "filter": [{ "field": "volume", "op": "gt", "value": 100 }], "sort": "volume" })),
        ["reading lamp", "desk lamp"]
    );
    assert_eq!(names(json!({ "filter": [{ "field": "volume", "op": "empty" }] })), ["unknown lamp"]);
    let first = call(&fake, "keywords.item.list", &json!({ "set_ref": reference, "limit": 3 }));
    assert_eq!((first["total"].as_u64(), list(&first, "keywords").len()), (Some(4), 3));
    assert_eq!(names(json!({ "limit": 3, "cursor": first["next_cursor"] })), ["unknown lamp"]);
    let fault = fake.refusal(
        "keywords.item.list",
        json!({ "set_ref": reference, "filter": [{ "field": "traffic", "op": "gt", "value": 1 }] }),
    );
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("unknown_field", Some("/filter/0/field")));
}

#[test]
fn changes_are_kept_taken_back_and_counted() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &["desk lamp", "oil lamp"]);
    let change =
        |change: Value| call(&fake, "keywords.item.update", &json!({ "set_ref": reference, "changes": [change] }));
    let made = change(
        json!({ "keyword": "DESK lamp", "tags": ["a", "b"], "priority": "high", "target_url": "https://shop.example/lamps", "intent": "local" }),
    );
    assert_eq!((made["updated"].as_u64(), list(&made, "unknown").len()), (Some(1), 0));
    let row = &keywords(&fake, &reference)[0];
    assert_eq!(
        (text(row, "priority"), text(row, "intent"), row["intent_chosen"].as_bool(), text(row, "mapped_url")),
        ("high", "local", Some(true), "https://shop.example/lamps")
    );
    assert_eq!(change(json!({ "keyword": "desk lamp", "priority": "high" }))["unchanged"].as_u64(), Some(1));
    change(json!({ "keyword": "desk lamp", "priority": null, "intent": null, "target_url": null, "excluded": true }));
    let row = &keywords(&fake, &reference)[0];
    assert!(
        row["priority"].is_null() && row["intent"].is_null() && row["mapped_url"].is_null() && row["excluded"] == true
    );
    assert_eq!(row["tags"], json!(["a", "b"]), "what is left out stays");
    assert_eq!(change(json!({ "keyword": "no lamp", "excluded": true }))["unknown"], json!(["no lamp"]));
    let fault = fake.refusal(
        "keywords.item.update",
        json!({ "set_ref": reference, "changes": [{ "keyword": "desk lamp", "intent": "loud" }] }),
    );
    assert!(fault.pointer.as_deref().is_some_and(|it| it.starts_with("/changes/0")), "{fault:?}");
}

#[test]
fn keywords_are_removed_by_list_or_filter_and_only_what_was_previewed() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &["desk lamp", "oil lamp", "oil lamp wick"]);
    let filter = json!([{ "field": "keyword", "op": "contains", "value": "oil" }]);
    let preview =
        call(&fake, "keywords.item.remove", &json!({ "set_ref": reference, "filter": filter, "preview": true }));
    assert_eq!((preview["removed"].as_u64(), preview["would_remove"].as_u64()), (Some(0), Some(2)));
    call(&fake, "keywords.item.import", &json!({ "set_ref": reference, "lines": ["oil can"] }));
    let changed = fake.refusal(
        "keywords.item.remove",
        json!({ "set_ref": reference, "filter": filter, "confirm_hash": preview["confirm_hash"] }),
    );
    assert_eq!(changed.code, "confirm_hash_changed");
    let removed = call(&fake, "keywords.item.remove", &json!({ "set_ref": reference, "filter": filter }));
    assert_eq!((removed["removed"].as_u64(), removed["would_remove"].as_u64()), (Some(3), Some(0)));
    let named =
        call(&fake, "keywords.item.remove", &json!({ "set_ref": reference, "keywords": ["Desk LAMP", "gone"] }));
    assert_eq!((named["removed"].as_u64(), named["unknown"].clone()), (Some(1), json!(["gone"])));
    assert_eq!(call(&fake, "keywords.set.list", &json!({ "site_id": SITE }))["sets"][0]["keywords"].as_u64(), Some(0));
    assert_eq!(fake.refusal("keywords.item.remove", json!({ "set_ref": reference })).code, "keywords_or_filter");
}
