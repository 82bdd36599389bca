//! Tests of `links.authority.list`.

use sdk::json;

use crate::trial::{RUN, SITE, built, searched, takes};

#[test]
fn pages_come_by_authority_page_after_page_and_the_average_is_one() {
    let fake = built();
    let mut all = Vec::new();
    let mut arguments = json!({ "run_ref": RUN, "limit": 4 });
    loop {
        let page = fake.call("links.authority.list", arguments.clone()).unwrap();
        all.extend(page["pages"].as_array().unwrap().clone());
        let Some(next) = page.get("next_cursor").filter(|it| !it.is_null()) else { break };
        arguments["cursor"] = next.clone();
    }
    assert_eq!(all.len(), 9);
    let authority: Vec<f64> = all.iter().filter_map(|it| it["authority"].as_f64()).collect();
    assert!(authority.is_sorted_by(|a, b| a >= b));
    assert!((authority.iter().sum::<f64>() / 9.0 - 1.0).abs() < 0.01, "{authority:?}");
    assert_eq!((&all[0]["url"], &all[0]["depth"]), (&json!("https://shop.example/"), &json!(0)));
    all.iter().for_each(takes);
}

#[test]
fn a_long_text_with_hardly_a_link_is_underlinked_and_its_act_finds_links_for_it() {
    let fake = built();
    let arguments = json!({ "run_ref": RUN, "mismatch": "underlinked" });
    let pages = fake.call("links.authority.list", arguments).unwrap()["pages"].clone();
    let lost = pages.as_array().unwrap().iter().find(|it| it["url"] == "https://shop.example/lost");
    assert_eq!(
        lost.unwrap()["fix"]["arguments"],
        json!({ "site_id": SITE, "url": "https://shop.example/lost", "direction": "in" })
    );
}

#[test]
fn with_search_figures_clicks_are_shown_and_decide_which_page_is_underlinked() {
    let lost = "https://shop.example/lost";
    let underlinked = |clicks: Option<u64>| {
        let fake = built();
        if let Some(clicks) = clicks {
            searched(&fake, &[("https://shop.example/", 90), (lost, clicks)]);
        }
        let arguments = json!({ "run_ref": RUN, "mismatch": "underlinked" });
        let listed = fake.call("links.authority.list", arguments).unwrap();
        listed["pages"].as_array().unwrap().iter().any(|it| it["url"] == lost)
    };
    assert!(underlinked(None), "its text is long");
    assert!(!underlinked(Some(0)), "nobody clicks it");
    assert!(underlinked(Some(40)));
    let fake = built();
    searched(&fake, &[("https://shop.example/", 90)]);
    let listed = fake.call("links.authority.list", json!({ "run_ref": RUN })).unwrap();
    assert_eq!(listed["pages"][0]["clicks"], 90);
    assert!(!listed["degraded"].as_array().unwrap().iter().any(|it| it["what"] == "clicks"), "{listed}");
}

#[test]
fn a_segment_narrows_the_list_and_one_of_another_website_does_not_exist() {
    let fake = built();
    let rules = vec![kit::segments::Rule { kind: kit::segments::Match::Glob, value: "/blog/*".into(), negate: false }];
    let segment = |site: &str| site::Segment { site_id: site.into(), name: "Blog".into(), rules: rules.clone() };
    fake.put_as("seg_1", segment(SITE));
    fake.put_as("seg_2", segment("7"));
    let listed = fake.call("links.authority.list", json!({ "run_ref": RUN, "segment_ref": "seg_1" })).unwrap();
    assert_eq!(listed["total"], 4, "three that answer, and one that is gone");
    let refused = fake.refusal("links.authority.list", json!({ "run_ref": RUN, "segment_ref": "seg_2" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("segment_not_found", Some("/segment_ref")));
    let wrong = json!({ "run_ref": RUN, "cursor": "somewhere" });
    assert_eq!(fake.refusal("links.authority.list", wrong).code, "invalid_cursor");
}
