//! Windows, and cursors that do not belong to them.

use serde_json::{Value, json};

use super::Paged;

use crate::{Export, Fake, Kind, Module, Operation, Result, args, page, schema};

/// Rows of a site.
#[args(paged)]
struct Rows {
    /// The website.
    site_id: String,
}

/// Other rows with equal arguments.
#[args(paged(most = 7, default = 3))]
struct Others {
    /// The website.
    site_id: String,
}

fn rows(arguments: serde_json::Value) -> Rows {
    serde_json::from_value(arguments).unwrap()
}

#[test]
fn pages_of_any_limit_together_are_all_rows_in_order() {
    for limit in [1, 3, 10, 100] {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let mut arguments = json!({ "site_id": "7", "limit": limit });
            if let Some(cursor) = &cursor {
                arguments["cursor"] = json!(cursor);
            }
            let page = rows(arguments).window((0..10).collect()).unwrap();
            assert!(page.items.len() <= limit);
            seen.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, (0..10).collect::<Vec<_>>(), "limit {limit}");
    }
}

/// Numbers.
#[page]
struct Numbers {
    /// Up to ten.
    rows: Vec<u8>,
}

fn numbers(of: impl Paged) -> Result<Numbers> {
    Ok(of.window((0..10).collect())?.into())
}

fn list(id: &'static str, arguments: &Value) -> Result<Value> {
    let rows = Operation::new(Kind::Read, |_, it: Rows| numbers(it));
    let others = Operation::new(Kind::Read, |_, it: Others| numbers(it));
    let fake = Fake::new(Module {
        name: "numbers",
        operations: vec![
            Export { id: "rows", name: "rows", it: rows },
            Export { id: "others", name: "others", it: others },
        ],
        routes: Vec::new(),
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        untrusted: Vec::new(),
    });
    let answer = fake.natively(id, &arguments.to_string())?;
    Ok(serde_json::from_str(&answer.data).unwrap())
}

fn ask(arguments: &Value) -> Result<Value> {
    list("rows", arguments)
}

#[test]
fn a_cursor_continues_only_the_list_and_arguments_it_was_made_for() {
    let first = ask(&json!({ "site_id": "7", "limit": 2 })).unwrap();
    let cursor = first["next_cursor"].as_str().unwrap();
    let wider = ask(&json!({ "site_id": "7", "limit": 100, "cursor": cursor })).unwrap();
    assert_eq!(wider, json!({ "rows": [2, 3, 4, 5, 6, 7, 8, 9], "next_cursor": null }), "the limit may change");
    let next = ask(&json!({ "site_id": "7", "limit": 2, "cursor": cursor })).unwrap();
    assert_eq!(next["rows"], json!([2, 3]));
    let third = ask(&json!({ "site_id": "7", "limit": 2, "cursor": next["next_cursor"] })).unwrap();
    assert_eq!(third["rows"], json!([4, 5]));
    let refusals = [
        ask(&json!({ "site_id": "8", "cursor": cursor })).unwrap_err(),
        list("others", &json!({ "site_id": "7", "cursor": cursor })).unwrap_err(),
    ];
    for fault in refusals {
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invalid_cursor", Some("/cursor")));
    }
    for wrong in ["", "~", "2", "2~", "~x", "+2~x", "02~x", "-1~x", "4294967295~x", "99999999999999999999~x", "2~x~x"] {
        let text = wrong.replace('x', cursor.rsplit('~').next().unwrap());
        let fault = ask(&json!({ "site_id": "7", "cursor": text })).unwrap_err();
        assert_eq!(fault.code, "invalid_cursor", "{text}");
    }
}

#[test]
fn rows_that_vanished_leave_an_empty_last_page() {
    let cursor = rows(json!({ "site_id": "7", "limit": 2 })).window(vec![1, 2, 3]).unwrap().next;
    let page = rows(json!({ "site_id": "7", "cursor": cursor })).window(Vec::<u8>::new()).unwrap();
    assert_eq!((page.items, page.next), (Vec::new(), None));
}

#[test]
fn the_schema_shows_the_bounds_and_the_default_of_the_limit() {
    let limit = |schema: serde_json::Value| schema["properties"]["limit"].clone();
    let plain = limit(schema::arguments::<Rows>());
    assert_eq!((&plain["minimum"], &plain["maximum"], &plain["default"]), (&json!(1), &json!(100), &json!(25)));
    let own = limit(schema::arguments::<Others>());
    assert_eq!((&own["maximum"], &own["default"]), (&json!(7), &json!(3)));
    let absent: Others = serde_json::from_value(json!({ "site_id": "7" })).unwrap();
    assert_eq!(absent.limit(), 3);
}
