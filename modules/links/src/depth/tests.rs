//! Tests of `links.depth.report`.

use sdk::json;

use crate::trial::{Crawl, RUN, SITE, build, built, takes, website};

#[test]
fn a_chain_of_pages_is_brought_near_by_one_link_into_its_middle_and_the_rest_by_another() {
    let fake = website();
    let mut crawl = Crawl::begin(&fake, RUN);
    crawl.html("/", "<title>Home</title><main><a href=/1>one</a></main>");
    for page in 1..=8 {
        let next =
            format!("<title>Chapter {page}</title><main><a href=/{}>next</a><p>Words of it.</p></main>", page + 1);
        crawl.html(&format!("/{page}"), &next);
    }
    crawl.html("/9", "<title>Chapter 9</title><main>The end of it.</main>");
    build(&fake, json!({ "run_ref": RUN }));
    let report = fake.call("links.depth.report", json!({ "run_ref": RUN, "max_depth": 3 })).unwrap();
    assert_eq!((&report["deep_total"], &report["covered"]), (&json!(6), &json!(6)), "{report}");
    let links = report["proposed_hub_links"].as_array().unwrap();
    assert!(links.len() <= 3, "{report}");
    assert_eq!(links[0]["covers"], 2, "a link to a page brings what it links to near, too: {report}");
    let whole = &report["histogram"][0];
    assert_eq!((&whole["segment"], whole["depths"].as_array().unwrap().len()), (&json!("all"), 10));
    links.iter().for_each(takes);
    assert_eq!(links[0]["fix"]["arguments"]["site_id"], SITE);
}

#[test]
fn a_flat_website_needs_no_links_but_for_what_no_way_leads_to() {
    let fake = built();
    let report = fake.call("links.depth.report", json!({ "run_ref": RUN })).unwrap();
    let deep = report["deep_important"].as_array().unwrap();
    // To one nothing links, to the other one link that asks not to be followed.
    let urls: Vec<&str> = deep.iter().filter_map(|it| it["url"].as_str()).collect();
    assert_eq!(urls, ["https://shop.example/lost", "https://shop.example/desks"], "{report}");
    assert_eq!(report["histogram"][0]["unreachable"], 2);
}

#[test]
fn a_home_page_that_forbids_indexing_is_still_where_people_begin() {
    for head in ["<meta name=robots content=noindex>", "<link rel=canonical href=/1>"] {
        let fake = website();
        let mut crawl = Crawl::begin(&fake, RUN);
        crawl.html("/", &format!("{head}<title>Home</title><main><a href=/1>one</a> <a href=/2>two</a></main>"));
        crawl.html("/1", "<title>One</title><main><a href=/3>three</a></main>");
        crawl.html("/2", "<title>Two</title><main>Words.</main>");
        crawl.html("/3", "<title>Three</title><main>Words.</main>");
        build(&fake, json!({ "run_ref": RUN }));
        let report = fake.call("links.depth.report", json!({ "run_ref": RUN })).unwrap();
        assert_eq!(report["histogram"][0]["unreachable"], 0, "{head}: {report}");
    }
}
