//! What `links.suggestion.*` promise, from finding links to putting them in.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::stored::{Stand, Suggestion};
use crate::trial::{Crawl, ORIGIN, RUN, SITE, build, built, shop, takes, website};

const POSTS: &str = "/wp-json/wp/v2/posts";

fn suggested() -> (Fake, Value) {
    let fake = built();
    fake.call("links.suggestion.run", json!({ "run_ref": RUN })).unwrap();
    fake.work();
    let listed = fake.call("links.suggestion.list", json!({ "site_id": SITE })).unwrap();
    let first = listed["suggestions"][0].clone();
    (fake, first)
}

fn decide(fake: &Fake, suggestion: &Value, decision: &str) -> Value {
    let decision = json!({ "suggestion_ref": suggestion["suggestion_ref"], "decision": decision });
    fake.call("links.suggestion.decide", json!({ "decisions": [decision] })).unwrap()
}

#[test]
fn a_run_finds_the_sentence_that_names_another_page_and_what_the_link_would_bring() {
    let (fake, first) = suggested();
    assert_eq!(first["source"], format!("{ORIGIN}/blog/desk-care"));
    assert_eq!(first["target"], format!("{ORIGIN}/blog/clean-brass-lamps"));
    assert_eq!(first["anchor"], "clean brass lamps");
    assert!(first["sentence"].as_str().unwrap().contains("how to clean brass lamps with salt"), "{first}");
    assert!(first["expected_gain"].as_f64().unwrap() > 0.0);
    takes(&first["next"][0]);
    assert_eq!(fake.rows::<Suggestion>().len(), 1);
}

#[test]
fn for_one_page_the_same_sentence_is_found_from_it_and_pairs_that_were_rejected_are_not_suggested_again() {
    let (fake, first) = suggested();
    let of_page = json!({ "site_id": SITE, "url": first["source"], "direction": "out" });
    let found = fake.call("links.suggestion.for_page", of_page.clone()).unwrap();
    assert_eq!(found["suggestions"][0]["sentence"], first["sentence"], "{found}");
    takes(&found["next"][0]);
    decide(&fake, &first, "reject");
    let left = fake.call("links.suggestion.for_page", of_page).unwrap();
    assert!(left["suggestions"].as_array().unwrap().iter().all(|it| it["target"] != first["target"]), "{left}");
    fake.call("links.suggestion.run", json!({ "run_ref": RUN })).unwrap();
    fake.work();
    let listed = fake.call("links.suggestion.list", json!({ "site_id": SITE, "target": first["target"] })).unwrap();
    let states: Vec<&Value> = listed["suggestions"].as_array().unwrap().iter().map(|it| &it["state"]).collect();
    assert_eq!(states, ["rejected"]);
    let unknown = json!({ "site_id": SITE, "url": "https://shop.example/none" });
    let refused = fake.refusal("links.suggestion.for_page", unknown);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("page_not_found", Some("/url")));
}

#[test]
fn a_suggestion_that_a_later_run_does_not_make_again_is_lost() {
    let (fake, _) = suggested();
    shop(&fake, "run-2");
    let id = kit::crawled::page_id("run-2", &format!("{ORIGIN}/blog/desk-care"));
    assert!(fake.has::<site::Crawled>(&sdk::value::Id::new(id)));
    fake.blobs().write("crawl.text/run-2/0", b"").unwrap();
    build(&fake, json!({ "run_ref": "run-2" }));
    fake.call("links.suggestion.run", json!({ "run_ref": "run-2" })).unwrap();
    fake.work();
    let lost = fake.call("links.suggestion.list", json!({ "site_id": SITE, "state": "lost" })).unwrap();
    assert_eq!(lost["suggestions"].as_array().unwrap().len(), 1, "{lost}");
}

#[test]
fn an_anchor_must_stand_in_the_sentence_and_a_decision_can_be_taken_again_until_the_link_is_in() {
    let (fake, first) = suggested();
    let reference = &first["suggestion_ref"];
    let decisions = json!([
        { "suggestion_ref": reference, "decision": "approve", "anchor": "brass chandeliers" },
        { "suggestion_ref": reference, "decision": "approve", "anchor": "brass lamps with salt" },
    ]);
    let outcome = fake.call("links.suggestion.decide", json!({ "decisions": decisions })).unwrap();
    assert_eq!((&outcome["approved"], &outcome["invalid"][0]["reason"]), (&json!(1), &json!("anchor_not_in_sentence")));
    takes(&outcome["next"][0]);
    let row = fake.rows::<Suggestion>().remove(0);
    assert_eq!((row.state, row.anchor.as_str()), (Stand::Approved, "brass lamps with salt"));
    assert_eq!(decide(&fake, &first, "reject")["rejected"], 1);
    let foreign = json!({ "decisions": [
        { "suggestion_ref": reference, "decision": "approve" }, { "suggestion_ref": "none", "decision": "reject" }
    ] });
    let refused = fake.refusal("links.suggestion.decide", foreign);
    let pointer = Some("/decisions/1/suggestion_ref");
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("suggestion_not_found", pointer));
    assert_eq!(fake.rows::<Suggestion>()[0].state, Stand::Rejected, "nothing of a refused call stays");
}

/// A WordPress that has the page with this content.
fn wordpress(content: &str) -> (Fake, Value) {
    let (fake, first) = suggested();
    let fake = fake.connected("con_1", "wordpress");
    fake.provider_answers("GET", "/wp-json", 200, &json!({ "home": "https://shop.example" }));
    let item = json!({ "id": 7, "link": first["source"], "status": "publish", "modified_gmt": "2026-09-01T00:00:00",
        "title": { "raw": "Lamps" }, "content": { "raw": content, "rendered": content, "protected": false } });
    fake.provider_answers("GET", POSTS, 200, &json!([item]));
    fake.provider_answers("GET", "/wp-json/wp/v2/pages", 200, &json!([]));
    fake.provider_answers("GET", &format!("{POSTS}/7"), 200, &item);
    fake.provider_answers("GET", &format!("{POSTS}/7/revisions"), 200, &json!([{ "id": 70 }]));
    (fake, first)
}

fn apply(fake: &Fake, suggestion: &Value, dry_run: bool) -> Value {
    let arguments = json!({ "site_id": SITE, "suggestion_refs": [suggestion["suggestion_ref"]], "dry_run": dry_run });
    let started = fake.call("links.suggestion.apply", arguments).unwrap();
    fake.work();
    let job: sdk::value::Id<sdk::Job> = sdk::value::Id::new(started["job_ref"].as_str().unwrap());
    fake.jobs().get(&job).unwrap().result().unwrap()
}

#[test]
fn a_dry_run_shows_the_change_and_asks_wordpress_to_change_nothing() {
    let content = "<p>We told you before how to clean brass lamps with salt and vinegar.</p>";
    let (fake, first) = wordpress(content);
    let outcome = apply(&fake, &first, true);
    assert_eq!((&outcome["applied"], &outcome["skipped"]), (&json!(1), &json!([])), "{outcome}");
    let diff = &outcome["diffs"][0];
    assert!(diff["after"].as_str().unwrap().contains("\">clean brass lamps</a> with"), "{diff}");
    assert!(!diff["before"].as_str().unwrap().contains("<a"));
    assert!(fake.sent().iter().all(|it| it.starts_with("GET ")));
    assert_eq!(fake.rows::<Suggestion>()[0].state, Stand::Proposed);
}

#[test]
fn what_is_not_approved_changed_or_not_there_is_left_alone_with_the_reason() {
    let (fake, first) = wordpress("<p>We told you something else before that.</p>");
    let one = |undo: bool| json!({ "site_id": SITE, "suggestion_refs": [first["suggestion_ref"]], "undo": undo });
    for (undo, code) in [(false, "not_approved"), (true, "not_applied")] {
        let refused = fake.refusal("links.suggestion.apply", one(undo));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some("/suggestion_refs")));
    }
    decide(&fake, &first, "approve");
    assert_eq!(apply(&fake, &first, false)["skipped"][0]["reason"], "text_changed");
    fake.provider_answers("GET", POSTS, 200, &json!([]));
    assert_eq!(apply(&fake, &first, false)["skipped"][0]["reason"], "not_in_wordpress");
    fake.provider_fails("GET", POSTS, sdk::SendFailure::ExpiredCredential);
    assert_eq!(apply(&fake, &first, false)["skipped"][0]["reason"], "connection_expired");
    assert!(fake.sent().iter().all(|it| it.starts_with("GET ")));
    assert_eq!(fake.rows::<Suggestion>()[0].state, Stand::Approved);
}

#[test]
fn without_a_wordpress_or_with_what_is_not_ones_own_nothing_is_queued() {
    let (fake, first) = suggested();
    let arguments = json!({ "site_id": SITE, "suggestion_refs": [first["suggestion_ref"]] });
    let refused = fake.refusal("links.suggestion.apply", arguments);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("connection_required", Some("/site_id")));
    let unknown = json!({ "site_id": SITE, "suggestion_refs": ["none"] });
    let refused = fake.refusal("links.suggestion.apply", unknown);
    assert_eq!(
        (refused.code.as_str(), refused.pointer.as_deref()),
        ("suggestion_not_found", Some("/suggestion_refs/0"))
    );
    let foreign = json!({ "site_id": "7", "suggestion_refs": [first["suggestion_ref"]] });
    assert_eq!(fake.refusal("links.suggestion.apply", foreign).code, "website_not_found");
    let targets = json!({ "run_ref": RUN, "targets": ["https://shop.example/none"] });
    let refused = fake.refusal("links.suggestion.run", targets);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("page_not_in_graph", Some("/targets/0")));
}

#[test]
fn a_page_called_by_one_word_is_named_by_it_only_where_few_texts_hold_that_word() {
    let fake = website();
    let mut crawl = Crawl::begin(&fake, RUN);
    crawl.html("/", "<title>Home | Shop</title><main><p>Welcome to all who read this.</p></main>");
    for one in ["time", "wax"] {
        crawl.html(
            &format!("/{one}"),
            &format!("<title>{one} | Shop</title><main><p>Everything of it, told.</p></main>"),
        );
    }
    for number in 0..20 {
        let wax = if number == 7 { "and nobody spoke about wax in those days" } else { "" };
        let text = format!("It took a long time to make lamp {number} in our shop {wax}.");
        crawl.html(
            &format!("/lamp-{number}"),
            &format!("<title>Lamp {number} | Shop</title><main><p>{text}</p></main>"),
        );
    }
    crawl.index();
    build(&fake, json!({ "run_ref": RUN }));
    let mut found = Vec::new();
    for (page, direction) in [("wax", "in"), ("time", "in"), ("lamp-7", "out")] {
        let asked = json!({ "site_id": SITE, "url": format!("{ORIGIN}/{page}"), "direction": direction });
        let answer = fake.call("links.suggestion.for_page", asked).unwrap();
        let anchors =
            answer["suggestions"].as_array().unwrap().iter().map(|it| it["anchor"].as_str().unwrap().to_owned());
        found.push(anchors.collect::<Vec<_>>());
    }
    assert_eq!(found, [vec!["wax"], vec![], vec!["wax"]]);
    fake.call("links.suggestion.run", json!({ "run_ref": RUN })).unwrap();
    fake.work();
    assert_eq!(fake.rows::<Suggestion>().iter().map(|row| row.anchor.as_str()).collect::<Vec<_>>(), ["wax"]);
}

#[test]
fn every_unlinked_mention_of_the_whole_name_of_a_page_is_found_whatever_the_texts_are_about() {
    let (first, second) = (
        ["copper", "linen", "walnut", "granite", "velvet", "bamboo", "marble", "silver"],
        ["gutter", "curtain", "ladder", "basin", "hinge", "trellis", "mantel", "lantern"],
    );
    let name = |at: usize| format!("{} {}", first[at % 8], second[(at / 8 + at) % 8]);
    let fake = website();
    let mut crawl = Crawl::begin(&fake, RUN);
    let pages = 48;
    crawl.html("/", "<title>Home - Shop</title><main><h1>Home</h1></main>");
    for at in 0..pages {
        let own = name(at);
        let others = [name((at + 5) % pages), name((at + 17) % pages)];
        let text = format!(
            "<p>The {own} is what this page is about, and whoever has a {own} will know it from the {own} of before.</p>\
             <p>There was once somebody who had the {} next to the door and was glad of it.</p>\
             <p>It is said in the village that the {} was never as good as it is now.</p>",
            others[0], others[1]
        );
        crawl.html(&format!("/p{at}"), &format!("<title>{own} - Shop</title><main><h1>{own}</h1>{text}</main>"));
    }
    crawl.index();
    build(&fake, json!({ "run_ref": RUN }));
    fake.call("links.suggestion.run", json!({ "run_ref": RUN, "per_page": 10, "per_target": 50 })).unwrap();
    fake.work();
    let found: std::collections::BTreeSet<(String, String)> =
        fake.rows::<Suggestion>().into_iter().map(|it| (it.source.clone(), it.target.clone())).collect();
    let url = |at: usize| format!("{ORIGIN}/p{}", at % pages);
    let missed: Vec<_> = (0..pages)
        .flat_map(|at| [(url(at), url(at + 5)), (url(at), url(at + 17))])
        .filter(|pair| !found.contains(pair))
        .collect();
    assert!(missed.is_empty(), "{} of {} are missing, such as {:?}", missed.len(), 2 * pages, missed[0]);
    assert_eq!(found.len(), 2 * pages, "and nothing else");
}

#[test]
fn a_page_is_also_called_by_the_queries_that_bring_it_clicks() {
    use kit::pack::Search;

    let fake = website();
    let filler =
        "Whoever reads this page learns a little of what is made in the valley, and how it is done by hand there.";
    Crawl::begin(&fake, RUN)
        .html("/", "<title>Home - Shop</title><main><h1>Home</h1><a href=/seating>Seating</a></main>")
        .html("/seating", &format!("<title>Seating</title><main><h1>Seating</h1><p>{filler}</p></main>"))
        .html(
            "/diary",
            "<title>Diary of a winter</title><main><h1>Diary of a winter</h1><p>In the evening we sat down on walnut rocking \
             chairs next to the fire and told each other stories.</p></main>",
        )
        .index();
    build(&fake, json!({ "run_ref": RUN }));
    let asked = json!({ "site_id": SITE, "url": format!("{ORIGIN}/seating"), "direction": "in" });
    let before = fake.call("links.suggestion.for_page", asked.clone()).unwrap();
    assert_eq!(before["suggestions"], json!([]));
    let told = before["degraded"].as_array().unwrap().iter().find(|it| it["what"] == "target queries").expect("told");
    assert_eq!(told["operation_id"], "search_console.sync.run");
    let shown = |query: &str, clicks: u64, position: u64| {
        let figures = Search { clicks, impressions: 100, positions: 100 * position };
        ("2026-09-20".parse().unwrap(), format!("{ORIGIN}/seating"), query.to_owned(), figures)
    };
    search::trial::store_queries(&fake, SITE, &[shown("walnut rocking chairs", 7, 4), shown("evening stories", 9, 40)]);
    let after = fake.call("links.suggestion.for_page", asked).unwrap();
    let anchors: Vec<&str> =
        after["suggestions"].as_array().unwrap().iter().filter_map(|it| it["anchor"].as_str()).collect();
    assert_eq!(anchors, ["walnut rocking chairs"], "{after}");
    assert!(after["degraded"].as_array().unwrap().iter().all(|it| it["what"] != "target queries"), "{after}");
}
