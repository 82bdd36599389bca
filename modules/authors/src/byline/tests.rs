//! Bylines of planted pages, and a hundred labelled ones.

use sdk::json;
use sdk::serde_json::Value;

use crate::crawled::Page;
use crate::tests::{author, host, page, put};

fn rows(audited: &Value) -> Vec<(&str, &str)> {
    audited["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (it["url"].as_str().unwrap().trim_start_matches("https://shop.example"), it["problem"].as_str().unwrap())
        })
        .collect()
}

#[test]
fn each_problem_is_told_apart() {
    let fake = host();
    let ada = author(&fake, "Ada", "Lovelace");
    author(&fake, "Grace", "Hopper");
    page(&fake, 1, "/right", Some("Ada Lovelace"), Some("Ada Lovelace"));
    page(&fake, 2, "/missing", None, Some("Ada Lovelace"));
    page(&fake, 3, "/unknown", Some("Edsger Dijkstra"), None);
    page(&fake, 4, "/inconsistent", Some("Ada Lovelase"), Some("Ada Lovelace"));
    page(&fake, 5, "/differs", Some("Ada Lovelace"), Some("Grace Hopper"));
    page(&fake, 6, "/generic", Some("admin"), Some("admin"));
    put(&fake, 7, Page { url: "https://shop.example/home".to_owned(), is_html: true, ..Page::default() });
    let reply = fake.reply("authors.byline.audit", json!({ "site_id": "81" })).unwrap();
    let expected = [
        ("/missing", "missing"),
        ("/unknown", "unknown"),
        ("/inconsistent", "inconsistent"),
        ("/differs", "markup_differs"),
        ("/generic", "generic"),
    ];
    assert_eq!(rows(&reply.data), expected);
    let summary = json!({
        "run_ref": "run1", "compared": 6, "complete": true, "correct": 1, "missing": 1, "unknown": 1, "inconsistent": 1,
        "markup_differs": 1, "generic": 1,
    });
    assert_eq!(reply.data["summary"], summary);
    assert_eq!(reply.units, 6);
    assert_eq!(reply.data["rows"][2]["matched"]["author_ref"], json!(ada));
    assert_eq!(reply.data["rows"][1]["matched"], Value::Null);
}

#[test]
fn each_person_of_a_byline_is_looked_for() {
    let fake = host();
    author(&fake, "Ada", "Lovelace");
    let grace = author(&fake, "Grace", "Hopper");
    page(&fake, 1, "/right", Some("Ada Lovelace; Grace Hopper"), Some("Grace Hopper; Ada Lovelace"));
    page(&fake, 2, "/one", Some("Ada Lovelace; Grace Hopper"), Some("Grace Hopper"));
    page(&fake, 3, "/stranger", Some("Ada Lovelace; Edsger Dijkstra"), None);
    page(&fake, 4, "/spelled", Some("Ada Lovelace; Grace Hoper"), None);
    page(&fake, 5, "/nobody", Some("Ada Lovelace; admin"), None);
    page(&fake, 6, "/differs", Some("Ada Lovelace; Grace Hopper"), Some("Alan Turing"));
    let audited = fake.call("authors.byline.audit", json!({ "site_id": "81" })).unwrap();
    let expected = [
        ("/stranger", "unknown"),
        ("/spelled", "inconsistent"),
        ("/nobody", "generic"),
        ("/differs", "markup_differs"),
    ];
    assert_eq!(rows(&audited), expected);
    assert_eq!(audited["summary"]["correct"], 2);
    assert_eq!(audited["rows"][1]["matched"]["author_ref"], json!(grace), "the one who is misspelled");
}

#[test]
fn rows_come_page_by_page_and_the_summary_once() {
    let fake = host();
    for seq in 1..=5 {
        page(&fake, seq, &format!("/{seq}"), Some("admin"), None);
    }
    let first = fake.call("authors.byline.audit", json!({ "site_id": "81", "limit": 2 })).unwrap();
    assert_eq!(first["summary"]["generic"], 5);
    assert_eq!(rows(&first), [("/1", "generic"), ("/2", "generic")]);
    let arguments = json!({ "site_id": "81", "limit": 2, "cursor": first["next_cursor"] });
    let second = fake.call("authors.byline.audit", arguments).unwrap();
    assert_eq!(second["summary"], Value::Null);
    assert_eq!(rows(&second), [("/3", "generic"), ("/4", "generic")]);
    let arguments = json!({ "site_id": "81", "limit": 2, "cursor": second["next_cursor"] });
    let third = fake.call("authors.byline.audit", arguments).unwrap();
    assert_eq!((rows(&third), &third["next_cursor"]), (vec![("/5", "generic")], &json!(null)));
}

#[test]
fn a_crawl_is_needed_and_must_be_of_the_website() {
    let fake =
        crate::fake().with_as("82", site::Site { origin: "https://other.example".to_owned(), ..site::Site::default() });
    assert_eq!(fake.refusal("authors.byline.audit", json!({ "site_id": "82" })).code, "crawl_required");
    assert_eq!(fake.refusal("authors.byline.audit", json!({ "site_id": "83" })).code, "website_not_found");
    let fake = host().with_as("82", site::Site { origin: "https://other.example".to_owned(), ..site::Site::default() });
    let fault = fake.refusal("authors.byline.audit", json!({ "site_id": "82", "run_ref": "run1" }));
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("run_not_found", Some("/run_ref")));
    assert_eq!(fake.refusal("authors.byline.audit", json!({ "site_id": "81", "cursor": "x" })).code, "invalid_cursor");
}

/// The catalog's target: at least 95 of 100 labelled pages judged right.
#[test]
fn at_least_95_of_100_labelled_bylines_are_judged_right() {
    let fake = host();
    let staff = ["Ada Lovelace", "Grace Hopper", "José Álvarez", "Mary-Ann O'Neill", "Jürgen Müller"];
    for name in staff {
        let (first, last) = name.split_once(' ').unwrap();
        author(&fake, first, last);
    }
    let spelled = ["Ada Lovelase", "Hopper, Grace", "Jose Alvarez", "Mary Ann O'Neill", "Juergen Mueller"];
    let strangers = ["Edsger Dijkstra", "Barbara Liskov", "Ada Yonath", "Grace Kelly", "Maria Alvarado"];
    let nobody = ["admin", "Editorial Team", "Staff", "guest author", "Webmaster"];
    let mut labels = Vec::new();
    for at in 0..100 {
        let (kind, which) = (at / 5 % 5, at % 5);
        let (visible, markup, label) = match kind {
            0 => (Some(staff[which]), Some(staff[which]), None),
            1 => (Some(spelled[which]), None, Some("inconsistent")),
            2 => (Some(strangers[which]), Some(strangers[which]), Some("unknown")),
            3 => (Some(nobody[which]), None, Some("generic")),
            _ => (Some(staff[which]), Some(staff[(which + 1) % 5]), Some("markup_differs")),
        };
        page(&fake, at as u64 + 1, &format!("/{at}"), visible, markup);
        labels.push((format!("https://shop.example/{at}"), label));
    }
    let audited = fake.call("authors.byline.audit", json!({ "site_id": "81", "limit": 100 })).unwrap();
    let found: std::collections::BTreeMap<_, _> = audited["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["url"].as_str().unwrap(), it["problem"].as_str().unwrap()))
        .collect();
    let right = labels.iter().filter(|(url, label)| found.get(url.as_str()).copied() == *label).count();
    assert!(right >= 95, "{right} of 100");
}
