//! Groups of a small crawl, with an audit and without one.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use super::sets::sets;
use crate::index::Entry;
use crate::trial::{Crawl, ORIGIN, audit, website};
use site::Crawled;

/// A page of this many words, `own` in each.
fn text(own: &str, words: usize) -> String {
    let words: Vec<String> = (0..words).map(|at| format!("{own}{}", at * at % 997 + at)).collect();
    words.join(" ")
}

fn page(head: &str, text: &str) -> String {
    format!("<title>A page</title>{head}<main><p>{text}</p></main>")
}

/// Two equal pages, three that differ in a word or two, one like none of them.
fn copies(fake: &Fake) {
    let mut pages = Crawl::begin(fake, "run-1");
    let guide = text("guide", 400);
    let lamp = page("", &text("lamp", 300));
    pages
        .html("/", &page("", &text("home", 200)))
        .html("/guide?from=mail", &page("", &guide))
        .html(
            "/guide-new",
            &page(&format!("<link rel=canonical href={ORIGIN}/guide>"), &guide.replacen(' ', " other ", 1)),
        )
        .html("/guide", &page("", &format!("{guide} and a little more")))
        .html("/lamp/long/address", &lamp)
        .html("/lamp", &lamp);
}

fn report(fake: &Fake, more: Value) -> Value {
    let mut arguments = json!({ "run_ref": "run-1" });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fake.call("audit.duplicate.report", arguments).unwrap()
}

fn paths(group: &Value) -> Vec<&str> {
    group["urls"].as_array().unwrap().iter().map(|url| url.as_str().unwrap().strip_prefix(ORIGIN).unwrap()).collect()
}

#[test]
fn equal_pages_and_nearly_equal_ones_are_groups_with_their_likely_canonical() {
    for audited in [false, true] {
        let fake = website();
        copies(&fake);
        if audited {
            audit(&fake, json!({ "run_ref": "run-1" }));
        }
        let found = report(&fake, json!({}));
        let groups = found["groups"].as_array().unwrap();
        assert_eq!(groups.len(), 2, "{found}");
        let (near, exact) = (&groups[0], &groups[1]);
        assert_eq!(paths(near), ["/guide", "/guide-new", "/guide?from=mail"]);
        assert_eq!(
            (&near["kind"], &near["method"], &near["canonical_by"]),
            (&json!("near"), &json!("shingles"), &json!("declared"))
        );
        assert!((0.9..1.0).contains(&near["similarity"].as_f64().unwrap()), "{near}");
        assert_eq!(paths(exact), ["/lamp", "/lamp/long/address"]);
        assert_eq!(
            (&exact["kind"], &exact["similarity"], &exact["canonical_by"]),
            (&json!("exact"), &json!(1.0), &json!("shorter"))
        );
        assert_eq!(!found["audit_ref"].is_null(), audited);
        assert!(found["next_cursor"].is_null());
    }
}

#[test]
fn only_texts_as_similar_as_wanted_are_together() {
    let fake = website();
    copies(&fake);
    let strict = report(&fake, json!({ "min_similarity": 1 }));
    assert_eq!(strict["groups"].as_array().unwrap().len(), 1, "only the equal pages: {strict}");
    let similarity = report(&fake, json!({}))["groups"][0]["similarity"].as_f64().unwrap();
    let kept = report(&fake, json!({ "min_similarity": similarity - 0.001 }));
    assert_eq!(paths(&kept["groups"][0]).len(), 3);
    let fewer = report(&fake, json!({ "min_similarity": similarity + 0.001 }));
    assert!(fewer["groups"].as_array().unwrap().iter().all(|group| paths(group).len() < 3), "{fewer}");
}

#[test]
fn pages_of_a_report_together_are_the_report() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    for at in 0..7 {
        let own = text(&format!("text{at}n"), 120);
        pages.html(&format!("/{at}/a"), &page("", &own)).html(&format!("/{at}/b"), &page("", &format!("{own} more")));
    }
    let whole = report(&fake, json!({ "limit": 100 }));
    assert_eq!(whole["groups"].as_array().unwrap().len(), 7);
    let (mut paged, mut more) = (Vec::new(), json!({ "limit": 2 }));
    loop {
        let page = report(&fake, more.clone());
        assert!(page["groups"].as_array().unwrap().len() <= 2);
        paged.extend(page["groups"].as_array().unwrap().clone());
        let Some(next) = page.get("next_cursor").filter(|it| !it.is_null()) else { break };
        more["cursor"] = next.clone();
    }
    assert_eq!(&paged, whole["groups"].as_array().unwrap());
}

#[test]
fn without_samples_the_fingerprint_speaks_and_the_report_says_so() {
    let (sampled, fake) = (website(), website());
    copies(&sampled);
    Crawl::begin(&fake, "run-1");
    for page in sampled.rows::<Crawled>() {
        let (id, mut page) = (page.id.clone(), page.into_inner());
        page.0.facts.sketch.clear();
        fake.put_as(id.as_str(), page);
    }
    let found = report(&fake, json!({ "min_similarity": 0.7 }));
    let near = found["groups"].as_array().unwrap().iter().find(|group| group["kind"] == "near").unwrap();
    assert_eq!(near["method"], "fingerprint");
    assert!(
        found["degraded"].as_array().unwrap().iter().any(|it| it["why"].as_str().unwrap().contains("no stored sample")),
        "{found}"
    );
}

#[test]
fn a_group_of_which_one_page_may_be_indexed_is_resolved() {
    let fake = website();
    let mut pages = Crawl::begin(&fake, "run-1");
    let lamp = text("lamp", 200);
    pages
        .html("/lamp", &page("", &lamp))
        .html("/lamp?a=1", &page(&format!("<link rel=canonical href={ORIGIN}/lamp>"), &lamp))
        .html("/open", &page("", &text("open", 200)))
        .html("/open?a=1", &page("", &text("open", 200)));
    let found = report(&fake, json!({}));
    let groups = found["groups"].as_array().unwrap();
    assert_eq!((paths(&groups[0])[0], &groups[0]["resolved"]), ("/open", &json!(false)), "what is open comes first");
    assert_eq!((paths(&groups[1])[0], &groups[1]["resolved"]), ("/lamp", &json!(true)));
}

#[test]
fn a_site_of_one_template_is_compared_in_parts_that_a_call_can_read() {
    let entries: Vec<Entry> = (0..500_u64)
        .map(|at| Entry {
            url: format!("{ORIGIN}/{at}"),
            page: true,
            text_hash: at.to_string(),
            simhash: kit::simhash::to_hex(1 << (at % 60)),
            bands: vec![1, 0, 0, 0],
            ..Entry::default()
        })
        .collect();
    let found = sets(&entries);
    assert!(found.sets.iter().all(|set| set.texts.len() <= 40));
    assert_eq!(found.sets.iter().map(|set| set.texts.len()).max(), Some(40));
    assert!(found.degraded.iter().any(|it| it.why.contains("in parts")), "{:?}", found.degraded);
}

#[test]
fn what_cannot_be_grouped_is_refused() {
    let fake = website();
    copies(&fake);
    let refusals = [
        (json!({ "run_ref": "none" }), "run_not_found"),
        (json!({ "run_ref": "run-1", "cursor": "x" }), "invalid_cursor"),
        (json!({ "run_ref": "run-1", "cursor": "1" }), "invalid_cursor"),
        (json!({ "run_ref": "run-1", "min_similarity": 0.5 }), "invalid_arguments"),
    ];
    for (arguments, code) in refusals {
        assert_eq!(fake.refusal("audit.duplicate.report", arguments.clone()).code, code, "{arguments}");
    }
}
