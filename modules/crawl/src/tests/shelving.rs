//! What the columns of a large crawl promise, as tests: lists over it say what its rows say, at any size.

use std::cell::Cell;

use sdk::Fault;
use serde_json::Map;

use super::*;
use crate::columns::{self, Shelves};
use crate::stored::Row;

/// Pages of the large crawl.
const PAGES: u64 = 11_000;

/// The length of a page's title; every seventh has none.
fn length(seq: u64) -> Option<u64> {
    (!seq.is_multiple_of(7)).then_some(seq * 37 % 101)
}

/// A crawl of the home page, to which thousands of rows are put; a page that is fetched again makes the columns.
fn large() -> (Fake, String) {
    let (fake, run) = filled(PAGES, "p");
    assert!(Shelves::read(&fake, &run).is_some_and(|shelves| shelves.whole && shelves.pages == [5_000, 5_000, 1_000]));
    (fake, run)
}

/// So many pages, each with this before its number in its address.
fn filled(pages: u64, before: &str) -> (Fake, String) {
    let fake = fake();
    serve(&fake, &[("/", "<title>Home of the shop</title>")]);
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    let run = crawl(&fake, json!({}));
    assert!(Shelves::read(&fake, &run).is_none(), "a small crawl has no columns");
    for seq in 2..=pages {
        let url = format!("{ORIGIN}/{before}{seq}");
        let mut row: Map<String, Value> = Map::new();
        let said = json!({ "run": run, "seq": seq, "url": url, "status": 200, "depth": 1 + seq % 3, "title": format!("Page {seq} of the shop") });
        row.extend(said.as_object().expect("an object").clone());
        row.extend(length(seq).map(|length| ("title_length".to_owned(), json!(length))));
        fake.put_as(&kit::crawled::page_id(&run, &url), Row(row));
    }
    again(&fake, &run, &["/"]);
    (fake, run)
}

fn again(fake: &Fake, run: &str, paths: &[&str]) {
    let urls: Vec<String> = paths.iter().map(|path| format!("{ORIGIN}{path}")).collect();
    fake.call("crawl.run.recrawl", json!({ "run_ref": run, "urls": urls })).expect("a job");
    fake.work();
}

/// All pages of a list, over as many calls as it takes: the numbers of the pages, and the total that the first call said.
fn all(fake: &Fake, mut arguments: Value, calls: &Cell<u32>) -> (Vec<u64>, Option<u64>) {
    arguments["columns"] = json!(["seq"]);
    arguments["limit"] = json!(100);
    let (mut found, mut total) = (Vec::new(), None);
    loop {
        let list = fake.call("crawl.page.list", arguments.clone()).expect("a list");
        found.extend(list["pages"].as_array().expect("pages").iter().filter_map(|page| page["seq"].as_u64()));
        total = total.or(list["total"].as_u64());
        calls.set(calls.get() + 1);
        match list.get("next_cursor").filter(|it| !it.is_null()) {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => return (found, total),
        }
    }
}

#[test]
fn a_filter_counts_and_finds_exactly_the_pages_that_pass() {
    let (fake, run) = large();
    let calls = Cell::new(0);
    let ask = |filter: Value| {
        calls.set(0);
        all(&fake, json!({ "run_ref": run, "filter": filter }), &calls)
    };
    let passing = |test: &dyn Fn(u64) -> bool| (2..=PAGES).filter(|seq| test(*seq)).collect::<Vec<u64>>();
    let long = passing(&|seq| length(seq).is_some_and(|length| length > 90));
    let (found, total) = ask(json!([{ "field": "title_length", "op": "gt", "value": 90 }]));
    assert_eq!((found.len() as u64, &found), (total.expect("a total"), &long));
    assert!(u64::from(calls.get()) <= long.len() as u64 / 100 + 1, "no call comes back empty-handed");
    let both = json!([{ "field": "title", "op": "contains", "value": "PAGE 77" }, { "field": "depth", "op": "eq", "value": 3 }]);
    let expected = passing(&|seq| seq % 3 == 2 && seq.to_string().starts_with("77"));
    assert_eq!(ask(both), (expected.clone(), Some(expected.len() as u64)));
    // What an index answers alone is counted once, when the columns are written.
    let deep = passing(&|seq| seq % 3 == 1);
    let (found, total) = ask(json!([{ "field": "depth", "op": "eq", "value": 2 }]));
    assert_eq!((found.len() as u64, total), (deep.len() as u64, Some(deep.len() as u64)));
    assert_eq!(ask(json!([{ "field": "status", "op": "eq", "value": 404 }])), (vec![], Some(0)));
    assert_eq!(ask(json!([{ "field": "status", "op": "eq", "value": 200 }])).1, Some(PAGES));
    let without = passing(&|seq| seq.is_multiple_of(7) || length(seq) == Some(0));
    assert_eq!(ask(json!([{ "field": "title_length", "op": "empty" }])).0, without);
    assert_eq!(ask(json!([{ "field": "h1", "op": "empty", "value": false }])), (vec![], Some(0)), "no column at all");
    assert_eq!(calls.get(), 1, "eleven thousand pages are looked through in one call");
}

#[test]
fn a_large_crawl_is_sorted_either_way_and_pages_without_a_value_stay_last() {
    let (fake, run) = large();
    let calls = Cell::new(0);
    let filter =
        json!([{ "field": "title_length", "op": "lt", "value": 3 }, { "field": "status", "op": "eq", "value": 200 }]);
    let mut expected: Vec<u64> = (2..=PAGES).filter(|seq| length(*seq).is_some_and(|length| length < 3)).collect();
    expected.sort_by_key(|seq| (std::cmp::Reverse(length(*seq)), *seq));
    let sorted = all(&fake, json!({ "run_ref": run, "filter": filter, "sort": "-title_length" }), &calls);
    assert_eq!(sorted, (expected.clone(), Some(expected.len() as u64)));
    let every = json!({ "run_ref": run, "sort": "title_length", "limit": 1, "columns": ["seq", "title_length"] });
    let first = fake.call("crawl.page.list", every.clone()).expect("a list");
    assert_eq!((first["total"].as_u64(), first["pages"][0]["title_length"].as_u64()), (Some(PAGES), Some(0)));
    let last = continued(&fake, every, &format!("o:{}", PAGES - 1)).expect("a list");
    assert_eq!(last["pages"], json!([{ "url": format!("{ORIGIN}/p10997"), "seq": 10_997 }]), "the last that has none");
    assert!(last["next_cursor"].is_null());
}

#[test]
fn a_page_that_is_fetched_again_is_found_by_what_it_says_now_and_meanwhile_rows_answer() {
    let (fake, run) = large();
    let titled = |title: &str| {
        let filter = json!([{ "field": "title", "op": "eq", "value": title }]);
        all(&fake, json!({ "run_ref": run, "filter": filter }), &Cell::new(0)).0
    };
    assert_eq!((titled("Home of the shop"), titled("Mended")), (vec![1], vec![]));
    serve(&fake, &[("/", "<title>Mended</title>")]);
    let urls = json!([format!("{ORIGIN}/")]);
    fake.call("crawl.run.recrawl", json!({ "run_ref": run, "urls": urls })).expect("a job");
    let (mut steps, mut by_rows) = (0, 0);
    while fake.work_one_step() {
        steps += 1;
        by_rows += u32::from(Shelves::read(&fake, &run).is_some_and(|shelves| !shelves.whole));
        let titles = (titled("Home of the shop").len(), titled("Mended").len());
        assert!(matches!(titles, (1, 0) | (0, 1)), "step {steps}: {titles:?}");
    }
    assert_eq!((titled("Home of the shop"), titled("Mended")), (vec![], vec![1]));
    assert!(by_rows >= 2, "{by_rows} of {steps} steps");
}

#[test]
fn long_addresses_take_several_calls_and_none_is_left_out() {
    let (fake, run) = filled(3_000, &"long".repeat(520));
    let shelves = Shelves::read(&fake, &run).expect("columns").pages;
    assert!(shelves.len() > 5 && shelves.iter().sum::<u32>() == 3_000, "{shelves:?}");
    let calls = Cell::new(0);
    let filter = json!([{ "field": "url", "op": "contains", "value": "99" }]);
    let (found, total) = all(&fake, json!({ "run_ref": run, "filter": filter }), &calls);
    assert_eq!(found, (2..=3_000).filter(|seq: &u64| seq.to_string().contains("99")).collect::<Vec<u64>>());
    assert!(total.is_none() && calls.get() > 1, "{total:?} after {} calls", calls.get());
    let fault = fake.refusal("crawl.page.list", json!({ "run_ref": run, "filter": filter, "sort": "url" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("sort_too_wide", Some("/sort")));
}

#[test]
fn a_cursor_of_another_way_of_looking_is_refused_or_goes_on_its_own_way() {
    let (fake, run) = large();
    let filter = json!([{ "field": "title", "op": "contains", "value": "shop" }]);
    let narrow = json!({ "run_ref": run, "filter": filter, "columns": ["seq"], "limit": 1 });
    for cursor in ["c:0", "c:x:1", "c:", "7", "o:1", "c:1:99999999999999999999"] {
        let fault = continued(&fake, narrow.clone(), cursor).expect_err("no place of this list");
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("invalid_cursor", Some("/cursor")), "{cursor}");
    }
    for (cursor, first) in [("c:1:999", Some(6_000)), ("c:2:999", Some(11_000)), ("c:2:1000", None), ("c:3:0", None)] {
        let list = continued(&fake, narrow.clone(), cursor).expect("a list");
        assert_eq!(list["pages"][0]["seq"].as_u64(), first, "{cursor}");
    }
    // The crawl ended while somebody was going through its rows.
    assert_eq!(continued(&fake, narrow, "3:").expect("a list")["pages"][0]["seq"], 4);
}

/// The page of a list that begins at a place of the module's own.
fn continued(fake: &Fake, mut arguments: Value, place: &str) -> Result<Value, Fault> {
    let first = fake.call("crawl.page.list", arguments.clone())?;
    let (_, list) = first["next_cursor"].as_str().and_then(|it| it.rsplit_once('~')).expect("a list of several pages");
    arguments["cursor"] = json!(format!("{place}~{list}"));
    fake.call("crawl.page.list", arguments)
}

#[test]
fn nothing_of_the_columns_is_left_when_the_crawl_is_deleted() {
    let (fake, run) = large();
    while fake.call("crawl.run.delete", json!({ "run_ref": run })).expect("a part goes")["deleted"] == false {}
    let keys = [Shelves::blob(&run)].into_iter().chain((0..3).flat_map(|shelf| columns::blobs(&run, shelf)));
    for key in keys {
        assert!(fake.blobs().read(&key, 0, 1).is_none_or(|bytes| bytes.is_empty()), "{key}");
    }
}
