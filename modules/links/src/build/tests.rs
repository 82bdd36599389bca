//! Tests of `links.graph.build`.

use kit::graph::flow::{Flow, Rest};
use sdk::json;

use crate::node::{self, State};
use crate::stored::{Graph, Weight};
use crate::trial::{Crawl, ORIGIN, RUN, build, built, shop, website};

#[test]
fn what_moved_counts_for_where_it_leads_and_what_asks_not_to_be_followed_hands_nothing_on() {
    let fake = built();
    let graph = fake.rows::<Graph>().remove(0);
    let nodes = node::pages(&fake, &graph).unwrap();
    let at = |path: &str| nodes.iter().position(|node| node.url == format!("{ORIGIN}{path}")).unwrap();
    let (home, lamps, desks, old) = (at("/"), at("/lamps"), at("/desks"), at("/old"));
    assert_eq!((nodes[old].state, nodes[old].alias), (State::Moved, Some(lamps as u32)));
    assert!(nodes[old].authority.abs() < f64::EPSILON);
    let sum: f64 = nodes.iter().map(|node| node.authority).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let flow = node::flow(&nodes, &node::links(&fake, &graph).unwrap(), Weight::Placement);
    let links: Vec<(u32, f32)> = flow.from(home).collect();
    assert!(links.contains(&(lamps as u32, 1.0)), "of a link in the text and one in the menu the better counts");
    assert!(!flow.has(home as u32, desks as u32));
    assert_eq!((nodes[lamps].depth, nodes[desks].depth, nodes[at("/lost")].inlinks), (Some(1), None, 0));
}

#[test]
fn the_scores_are_those_of_the_same_graph_made_by_hand() {
    let fake = website();
    let mut crawl = Crawl::begin(&fake, RUN);
    crawl
        .html("/", "<title>A</title><main><a href=/b>b</a></main><footer><a href=/c>c</a></footer>")
        .html("/b", "<title>B</title><main><a href=/c>c</a></main>")
        .html("/c", "<title>C</title><main><a href=/>a</a> <a href=/b>b</a></main>");
    for (weight, of_footer) in [("placement", 0.125), ("uniform", 1.0)] {
        build(&fake, json!({ "run_ref": RUN, "weight": weight }));
        let graph = fake.rows::<Graph>().pop().unwrap();
        let own: Vec<f64> = node::pages(&fake, &graph).unwrap().iter().map(|node| node.authority).collect();
        let edges = vec![(0, 1, 1.0), (0, 2, of_footer), (1, 2, 1.0), (2, 0, 1.0), (2, 1, 1.0)];
        let by_hand = Flow::new(3, edges).pagerank(None, Rest { tolerance: 1e-13, rounds: 1_000 });
        let worst = own.iter().zip(&by_hand.scores).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-8, "{weight}: {worst}");
    }
}

#[test]
fn a_canonical_counts_for_its_page_only_when_that_is_wanted_and_circles_of_redirects_stand_for_themselves() {
    let fake = website();
    let mut crawl = Crawl::begin(&fake, RUN);
    crawl
        .html("/", "<title>A</title><main><a href=/b?x=1>b</a> <a href=/r>r</a></main>")
        .html("/b?x=1", "<title>B</title><link rel=canonical href=/b>")
        .html("/b", "<title>B</title><p>b</p>")
        .page("/r", 301, &[("location", "/s")], "")
        .page("/s", 301, &[("location", "/r")], "");
    for (collapse, pages) in [(true, 4), (false, 5)] {
        build(&fake, json!({ "run_ref": RUN, "collapse_canonicals": collapse }));
        let summary = fake.call("links.graph.summary.get", json!({ "run_ref": RUN })).unwrap();
        assert_eq!(summary["summary"]["pages"], pages, "{collapse}: {summary}");
    }
}

#[test]
fn a_build_reports_its_pages_as_units_and_takes_the_place_of_the_one_before() {
    let fake = website();
    shop(&fake, RUN);
    for _ in 0..2 {
        build(&fake, json!({ "run_ref": RUN }));
    }
    assert_eq!(fake.rows::<Graph>().len(), 2);
    let listed = fake.call("links.broken.list", json!({ "run_ref": RUN })).unwrap();
    assert_eq!(listed["links"].as_array().unwrap().len(), 2, "{listed}");
}

#[test]
fn a_crawl_that_runs_or_is_not_there_is_refused() {
    let fake = website();
    let running = kit::crawled::RunRecord { state: kit::crawled::RunState::Running, ..Default::default() };
    fake.put_as("running", site::Run(running));
    for (run, code) in [("running", "run_unfinished"), ("none", "run_not_found")] {
        let refused = fake.refusal("links.graph.build", json!({ "run_ref": run }));
        assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), (code, Some("/run_ref")));
    }
}
