//! Redirect maps: built from two crawls or a list, exported, followed live.

use std::collections::BTreeMap;

use sdk::json;
use sdk::serde_json::Value;
use simulators::Blog;

use crate::trial::{SITE, Trial, crawl};

const OLD: &str = "https://old.example";

fn words(seed: u64) -> String {
    let mut chance = kit::chance::Chance::new(seed);
    (0..80).map(|_| format!("word{}", chance.below(499))).collect::<Vec<_>>().join(" ")
}

fn page(path: &str, title: &str, seed: u64) -> (String, u16, String) {
    let text = words(seed);
    let html = format!(
        "<html lang=\"en\"><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{text}</p></main></body></html>"
    );
    (path.to_owned(), 200, html)
}

/// Two crawls: of a shop with an extension in its addresses, and of the one that takes its place.
fn two_sites(trial: &Trial) {
    let mut old = vec![
        page("/", "Home of lamps", 1),
        page("/about.php", "About us", 2),
        page("/guides/how-to-clean-brass.html", "How to clean brass", 3),
        page("/c/oak-desk-lamp-LX4401.html", "Oak desk lamp", 4),
        page("/misc/thing-one.html", "A peculiar thing", 5),
        page("/shop/discontinued.html", "No longer made", 6),
        page("/shop/", "The shop", 7),
        ("/brass".to_owned(), 301, "/guides/how-to-clean-brass.html".to_owned()),
        ("/broken".to_owned(), 404, String::new()),
    ];
    old.extend((0..6).map(|at| page(&format!("/news/item-{at}.html"), &format!("Item {at}"), 20 + at)));
    crawl(&trial.fake, "run_old", "82", OLD, &old);
    let mut new = vec![
        page("/", "Home of lamps", 1),
        page("/about/", "About us", 2),
        page("/journal/how-to-clean-brass/", "How to clean brass", 3),
        page("/product?sku=LX4401", "Desk lamp of oak", 4),
        page("/curiosities/peculiar/", "Peculiar", 5),
        page("/shop", "Our shop", 7),
        page("/new-things/", "New things", 90),
    ];
    new.extend((0..6).map(|at| page(&format!("/updates/item-{at}"), &format!("Item {at}"), 20 + at)));
    crawl(&trial.fake, "run_new", SITE, &Blog::home(), &new);
}

fn built(trial: &Trial, arguments: &Value) -> Value {
    let started = trial.fake.call("cms.redirect.map.build", arguments.clone()).expect("a job");
    trial.finished(&started)
}

fn exported(trial: &Trial, map: &Value, format: &str) -> Value {
    trial.fake.call("cms.redirect.map.export", json!({ "map_ref": map, "format": format })).expect("rules")
}

#[test]
fn every_old_address_has_one_best_target_or_is_named_as_lost() {
    let trial = Trial::new(Blog::of_editor());
    two_sites(&trial);
    let map = built(&trial, &json!({ "old_run_ref": "run_old", "new_run_ref": "run_new" }));
    assert_eq!(
        (&map["addresses"], &map["unchanged"], &map["clicks_at_risk"]),
        (&json!(14), &json!(0), &json!(null)),
        "{map}"
    );
    let csv = exported(&trial, &map["map_ref"], "csv");
    let rows: BTreeMap<&str, Vec<&str>> = csv["rules"]
        .as_str()
        .expect("text")
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect::<Vec<_>>())
        .map(|cells| (cells[0], cells))
        .collect();
    let home = Blog::home();
    for (from, to, by) in [
        ("/", "/", "path"),
        ("/about.php", "/about/", "path"),
        ("/guides/how-to-clean-brass.html", "/journal/how-to-clean-brass/", "last_part"),
        ("/c/oak-desk-lamp-LX4401.html", "/product?sku=LX4401", "number"),
        ("/misc/thing-one.html", "/curiosities/peculiar/", "likeness"),
        ("/brass", "/journal/how-to-clean-brass/", "redirect"),
        ("/news/item-3.html", "/updates/item-3", "last_part"),
    ] {
        let row = &rows[format!("{OLD}{from}").as_str()];
        assert_eq!((row[1], row[2], row[4]), (format!("{home}{to}").as_str(), "matched", by), "{row:?}");
    }
    assert_eq!(map["unmatched"][0]["from"], format!("{OLD}/shop/discontinued.html"));
    assert_eq!(map["unmatched"][0]["fallback"], format!("{home}/shop"));
    assert_eq!(map["matched"], 13);
    // Six addresses that move alike are one rule; those that do not are their own.
    let nginx = exported(&trial, &map["map_ref"], "nginx");
    assert_eq!(
        nginx["merged_patterns"],
        json!([{ "pattern": "^/news/([^/]+)\\.html$", "to": format!("{home}/updates/$1"), "stands_for": 6 }])
    );
    assert_eq!((&nginx["addresses"], &nginx["count"], &nginx["parts_total"]), (&json!(13), &json!(8), &json!(1)));
}

#[test]
fn a_list_of_addresses_is_matched_by_paths_and_says_so() {
    let trial = Trial::new(Blog::of_editor());
    two_sites(&trial);
    let urls = json!([
        format!("{OLD}/about.php"),
        format!("{OLD}/about.php#team"),
        format!("{}/new-things/", Blog::home()),
        format!("{OLD}/zzz/qqq")
    ]);
    let map = built(&trial, &json!({ "old_urls": urls, "new_run_ref": "run_new", "min_confidence": 0.9 }));
    assert_eq!(
        (&map["addresses"], &map["matched"], &map["unchanged"], &map["unmatched_total"]),
        (&json!(3), &json!(1), &json!(1), &json!(1)),
        "{map}"
    );
    let says: Vec<&str> =
        map["degraded"].as_array().expect("a list").iter().filter_map(|it| it["what"].as_str()).collect();
    assert!(says.contains(&"alike") && says.contains(&"clicks_28d"), "{map}");
}

#[test]
fn both_sides_must_be_named_and_be_two() {
    let trial = Trial::new(Blog::of_editor());
    two_sites(&trial);
    for (arguments, code, pointer) in [
        (json!({ "new_run_ref": "run_new" }), "missing", "/old_run_ref"),
        (
            json!({ "old_run_ref": "run_old", "old_urls": [format!("{OLD}/")], "new_run_ref": "run_new" }),
            "one_of_two",
            "/old_urls",
        ),
        (json!({ "old_run_ref": "run_new", "new_run_ref": "run_new" }), "same_run", "/new_run_ref"),
        (json!({ "old_run_ref": "run_no", "new_run_ref": "run_new" }), "run_not_found", "/old_run_ref"),
    ] {
        let refused = trial.fake.refusal("cms.redirect.map.build", arguments.clone());
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some(pointer)), "{arguments}");
    }
    let started = trial
        .fake
        .call("cms.redirect.map.build", json!({ "old_run_ref": "run_old", "new_run_ref": "run_new" }))
        .expect("a job");
    for operation in ["cms.redirect.map.export", "cms.redirect.map.test"] {
        let mut arguments = json!({ "map_ref": started["map_ref"] });
        if operation.ends_with("export") {
            arguments["format"] = json!("csv");
        }
        let early = trial.fake.refusal(operation, arguments.clone());
        assert_eq!((early.code.as_str(), early.pointer.as_deref()), ("map_unfinished", Some("/map_ref")));
        arguments["map_ref"] = json!("map_no");
        assert_eq!(trial.fake.refusal(operation, arguments).code, "map_not_found");
    }
    trial.fake.work();
    let part = json!({ "map_ref": started["map_ref"], "format": "csv", "part": 2 });
    assert_eq!(trial.fake.refusal("cms.redirect.map.export", part).code, "no_such_part");
}

#[test]
fn each_redirect_is_followed_hop_by_hop_and_judged_by_where_it_ends() {
    let trial = Trial::new(Blog::of_editor());
    two_sites(&trial);
    let map = built(&trial, &json!({ "old_run_ref": "run_old", "new_run_ref": "run_new" }));
    let home = Blog::home();
    trial.fake.web_plays(move |url| {
        let leads = |status: u16, to: &str| Some((status, vec![("location".to_owned(), to.to_owned())], Vec::new()));
        let shows = |title: &str, seed: u64| {
            let html = page("", title, seed).2;
            Some((200, vec![("content-type".to_owned(), "text/html".to_owned())], html.into_bytes()))
        };
        let path = url.strip_prefix(OLD).or_else(|| url.strip_prefix(&home))?;
        match (url.starts_with(OLD), path) {
            (true, "/") => leads(301, &home),
            (false, "/") => shows("Home of lamps", 1),
            (true, "/about.php") => leads(302, &format!("{home}/about/")),
            (false, "/about/") => shows("About us", 2),
            (true, "/guides/how-to-clean-brass.html") => leads(301, &format!("{home}/journal/how-to-clean-brass")),
            (false, "/journal/how-to-clean-brass") => leads(301, &format!("{home}/journal/how-to-clean-brass/")),
            (false, "/journal/how-to-clean-brass/") => shows("How to clean brass", 3),
            (true, "/c/oak-desk-lamp-LX4401.html") => leads(301, &home),
            (true, "/misc/thing-one.html") => leads(301, &format!("{home}/curiosities/peculiar/")),
            (false, "/curiosities/peculiar/") => shows("Sale", 77),
            (true, "/shop/") => shows("The shop", 7),
            (true, "/news/item-0.html") => leads(301, "/news/item-1.html"),
            (true, "/news/item-1.html") => leads(301, "/news/item-0.html"),
            (true, "/news/item-2.html") => leads(301, &format!("{home}/updates/item-2")),
            (true, "/news/item-3.html") => Some((403, Vec::new(), b"Forbidden".to_vec())),
            _ => {
                Some((404, vec![("content-type".to_owned(), "text/html".to_owned())], b"<title>Gone</title>".to_vec()))
            }
        }
    });
    let started =
        trial.fake.call("cms.redirect.map.test", json!({ "map_ref": map["map_ref"], "max_urls": 12 })).expect("a job");
    let seen = trial.finished(&started);
    let problems = |list: &str| -> BTreeMap<String, String> {
        let all = seen[list].as_array().expect("a list").iter();
        let text = |it: &Value| it.as_str().unwrap_or_default().trim_start_matches(OLD).to_owned();
        all.map(|it| (text(&it["from"]), text(&it["problem"]))).collect()
    };
    let of = |all: &[(&str, &str)]| -> BTreeMap<String, String> {
        all.iter().map(|(from, problem)| ((*from).to_owned(), (*problem).to_owned())).collect()
    };
    assert_eq!(
        problems("warnings"),
        of(&[
            ("/about.php", "temporary"),
            ("/guides/how-to-clean-brass.html", "chain"),
            ("/misc/thing-one.html", "content_differs"),
        ]),
        "{seen}"
    );
    let failed = problems("failed");
    for (from, problem) in [
        ("/c/oak-desk-lamp-LX4401.html", "wrong_target"),
        ("/shop/", "not_redirected"),
        ("/news/item-0.html", "loop"),
        ("/news/item-2.html", "target_status"),
        ("/news/item-4.html", "not_found"),
    ] {
        assert_eq!(failed.get(from).map(String::as_str), Some(problem), "{failed:?}");
    }
    assert_eq!(
        (&seen["tested"], &seen["passed"], &seen["unknown_total"]),
        (&json!(11), &json!(4), &json!(1)),
        "{seen}"
    );
    let brass =
        seen["warnings"].as_array().expect("a list").iter().find(|it| it["problem"] == "chain").expect("a chain");
    assert_eq!(
        (&brass["hops"].as_array().map(Vec::len), &brass["kept"]),
        (&Some(2), &json!({ "title": 1.0, "text": 1.0 }))
    );
}
