//! Pictures of a small crawl: what pages say of them, and what their servers answered.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::files::File;
use crate::trial::{Crawl, ORIGIN, audit, website};

fn file(path: &str, status: u16, kind: &str, bytes: Option<u64>) -> File {
    File {
        run: "run-1".to_owned(),
        kind: "image".to_owned(),
        url: format!("{ORIGIN}{path}"),
        state: "checked".to_owned(),
        status: Some(status),
        bytes,
        content_type: Some(kind.to_owned()),
        pages: 2,
        sample: vec![format!("{ORIGIN}/")],
    }
}

fn pictures() -> Fake {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    pages
        .html("/", "<title>Lamps</title><img src=/a.jpg width=10 height=10><img src=/b.png alt='A lamp'>")
        .html("/lamps", "<title>All lamps</title><img src=/c.webp alt='IMG_1.jpg' width=10 height=10>");
    fake.put(file("/a.jpg", 200, "image/jpeg", Some(400_000)));
    fake.put(file("/b.png", 200, "image/png; charset=x", Some(1_000)));
    fake.put(file("/c.webp", 200, "image/webp", Some(900_000)));
    fake.put(file("/gone.jpg", 404, "text/html", Some(10)));
    fake.put(file("/secret.jpg", 403, "text/html", None));
    fake.put(file("/silent.gif", 200, "image/gif", None));
    fake.put(File {
        state: "left_out".to_owned(),
        status: None,
        bytes: None,
        content_type: None,
        ..file("/far.jpg", 0, "", None)
    });
    fake.put(File { run: "run-2".to_owned(), ..file("/other.jpg", 200, "image/jpeg", Some(1_000_000)) });
    fake
}

fn report(fake: &Fake, more: Value) -> Value {
    let mut arguments = json!({ "run_ref": "run-1" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fake.call("audit.image.report", arguments).unwrap()
}

fn files<'a>(report: &'a Value, problem: &str) -> Vec<&'a str> {
    let rows = report["rows"].as_array().unwrap().iter().filter(|row| row["problem"] == problem);
    rows.map(|row| row["image"].as_str().unwrap().strip_prefix(ORIGIN).unwrap()).collect()
}

#[test]
fn files_are_told_by_what_their_servers_answered() {
    let found = report(&pictures(), json!({ "limit": 100 }));
    assert_eq!(files(&found, "file.broken"), ["/gone.jpg"], "who may not ask does not know");
    assert_eq!(files(&found, "file.heavy"), ["/a.jpg", "/c.webp"]);
    assert_eq!(files(&found, "file.old_format"), ["/a.jpg", "/b.png", "/silent.gif"]);
    let broken = &found["rows"][0];
    assert_eq!(
        (&broken["evidence"]["value"], &broken["pages"], &broken["url"]),
        (&json!("404"), &json!(2), &json!(format!("{ORIGIN}/")))
    );
    assert!(broken["bytes_saved"].is_null());
}

#[test]
fn saved_bytes_are_those_of_files_whose_size_is_known_and_each_counts_once() {
    let found = report(&pictures(), json!({}));
    assert_eq!(found["bytes_saved"], 400_000 * 30 / 100 + 1_000 * 26 / 100);
    assert_eq!((&found["estimate"]["files"], &found["estimate"]["bytes"]), (&json!(2), &json!(401_000)));
    let says = |words: &str| {
        found["degraded"].as_array().unwrap().iter().any(|it| it["why"].as_str().unwrap().contains(words))
    };
    assert!(says("1 of 7 pictures were not fetched") && says("how large 1 pictures") && says("upscaled"), "{found}");
}

#[test]
fn what_pages_say_of_pictures_is_told_by_the_rules() {
    let fake = pictures();
    for _ in 0..2 {
        let found = report(&fake, json!({ "limit": 100 }));
        let page = |problem: &str| {
            let rows = found["rows"].as_array().unwrap();
            rows.iter().find(|row| row["problem"] == problem).unwrap_or_else(|| panic!("{problem}: {found}"))["url"]
                .clone()
        };
        assert_eq!(page("image.alt_missing"), format!("{ORIGIN}/"));
        assert_eq!(page("image.size_missing"), format!("{ORIGIN}/"));
        assert_eq!(page("image.alt_file_name"), format!("{ORIGIN}/lamps"));
        let sums = found["summary"].as_array().unwrap();
        let sum = |problem: &str| sums.iter().find(|sum| sum["problem"] == problem).unwrap();
        assert_eq!((&sum("image.alt_missing")["urls"], &sum("image.alt_missing")["files"]), (&json!(1), &json!(null)));
        assert_eq!((&sum("file.old_format")["files"], &sum("file.old_format")["urls"]), (&json!(3), &json!(null)));
        audit(&fake, json!({ "run_ref": "run-1" }));
    }
}

#[test]
fn one_problem_can_be_asked_for_and_pages_together_are_the_whole() {
    let fake = pictures();
    let heavy = report(&fake, json!({ "problem": "file.heavy" }));
    assert_eq!(heavy["rows"].as_array().unwrap().len(), 2);
    let alt = report(&fake, json!({ "problem": "image.alt_missing" }));
    assert_eq!(alt["rows"].as_array().unwrap().len(), 1);
    assert_eq!(alt["summary"], heavy["summary"], "the summary is of all problems");
    let whole = report(&fake, json!({ "limit": 100 }));
    for limit in [1, 6] {
        let (mut paged, mut more) = (Vec::new(), json!({ "limit": limit }));
        loop {
            let page = report(&fake, more.clone());
            paged.extend(page["rows"].as_array().unwrap().clone());
            let Some(next) = page.get("next_cursor").filter(|it| !it.is_null()) else { break };
            more["cursor"] = next.clone();
        }
        assert_eq!(&paged, whole["rows"].as_array().unwrap());
    }
}

#[test]
fn a_crawl_that_noted_no_files_says_that_they_are_unknown() {
    let fake = website();
    Crawl::begin(&fake, "run-1").html("/", "<title>Lamps</title><img src=/a.jpg>");
    let found = report(&fake, json!({}));
    assert_eq!(found["bytes_saved"], 0);
    assert!(found["degraded"].to_string().contains("recorded no picture files"), "{found}");
}
