//! Tests of `links.graph.simulate`: the authority that a graph with these edits has when it is computed from scratch.

use kit::chance::Chance;
use kit::page::Placement;
use sdk::json;
use sdk::serde_json::Value;

use super::edit::Edited;
use super::*;
use crate::node::{Node, State, Where};
use crate::stored::Weight;
use crate::trial::{ORIGIN, RUN, built, takes};

fn edits(value: Value) -> Vec<Edit> {
    sdk::serde_json::from_value(value).unwrap()
}

/// A website by chance: pages in three folders, a menu, links in the text.
fn website(chance: &mut Chance) -> (Vec<Node>, Vec<crate::node::Raw>) {
    let folder = ["", "blog/", "tags/"];
    let node = |at: usize| Node { url: format!("{ORIGIN}/{}{at}", folder[at % 3]), status: 200, ..Node::default() };
    let nodes: Vec<Node> = (0..60).map(node).collect();
    let link = |from: usize, to: usize, placement| {
        let mut place = Where::default();
        place.add(placement, true);
        (from as u32, to as u32, place)
    };
    let mut links: Vec<_> =
        (0..60).flat_map(|from| (0..3).map(move |to| (from, to))).map(|(a, b)| link(a, b, Placement::Footer)).collect();
    links.extend((0..200).map(|_| link(chance.below(60), chance.below(60), Placement::Main)));
    (nodes, links)
}

#[test]
fn a_warm_start_equals_a_computation_from_scratch_for_edits_by_chance() {
    let mut chance = Chance::new(3);
    for round in 0..20 {
        let (mut nodes, links) = website(&mut chance);
        let own = Own::of(&nodes, &links, Weight::Placement);
        let before = own.flow.pagerank(None, REST).scores;
        own.pages.iter().zip(&before).for_each(|(page, score)| nodes[*page as usize].authority = *score);
        let url = |chance: &mut Chance| nodes[chance.below(60)].url.clone();
        let some = json!([
            { "op": "add", "from": url(&mut chance), "to": url(&mut chance) },
            { "op": "remove", "from": url(&mut chance), "to": url(&mut chance) },
            { "op": "remove_block", "from": "footer", "to": "/blog/*" },
            { "op": "noindex", "from": "/tags/2*" },
            { "op": "redirect", "from": "/blog/1*", "to": url(&mut chance) },
        ]);
        let mut edited = Edited { nodes: nodes.clone(), links: links.clone() };
        edited.apply(&edits(some)).unwrap();
        let after = Own::of(&edited.nodes, &edited.links, Weight::Placement);
        let warm = after.flow.pagerank(Some(&after.scores(&nodes)), REST);
        let scratch = after.flow.pagerank(None, REST);
        let worst = warm.scores.iter().zip(&scratch.scores).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst <= 1e-8 && warm.settled, "{round}: {worst}");
    }
}

#[test]
fn who_gains_and_who_loses_is_told_and_nothing_is_stored() {
    let fake = built();
    let before = fake.call("links.authority.list", json!({ "run_ref": RUN })).unwrap();
    let edits = json!([
        { "op": "add", "from": format!("{ORIGIN}/"), "to": format!("{ORIGIN}/lost") },
        { "op": "remove_block", "from": "nav" },
    ]);
    let told = fake.call("links.graph.simulate", json!({ "run_ref": RUN, "edits": edits })).unwrap();
    assert_eq!(told["gains"][0]["url"], format!("{ORIGIN}/lost"), "{told}");
    assert!(told["losses"].as_array().unwrap().iter().any(|it| it["url"] == format!("{ORIGIN}/blog/")), "{told}");
    let depth = told["depth_changes"].as_array().unwrap().iter().find(|it| it["url"] == format!("{ORIGIN}/lost"));
    assert_eq!(depth.unwrap()["after"], 1);
    assert_eq!(told["links_changed"], json!([1, 2]));
    assert_eq!(fake.call("links.authority.list", json!({ "run_ref": RUN })).unwrap(), before);
    told["next"].as_array().unwrap().iter().for_each(takes);
    assert_eq!((&told["basis"]["run_ref"], &told["basis"]["complete"]), (&json!(RUN), &json!(true)));
}

#[test]
fn an_edit_of_what_is_not_there_is_refused_where_it_stands() {
    let fake = built();
    let home = format!("{ORIGIN}/");
    for (edit, code, member) in [
        (json!({ "op": "add", "from": home, "to": "https://shop.example/none" }), "page_not_in_graph", "to"),
        (json!({ "op": "add", "from": home }), "edit_incomplete", "to"),
        (json!({ "op": "remove_block", "from": "basement" }), "unknown_part", "from"),
        (json!({ "op": "noindex", "from": "/nothing/*" }), "page_not_in_graph", "from"),
        (json!({ "op": "redirect", "from": "/blog/*", "to": "nowhere" }), "page_not_in_graph", "to"),
    ] {
        let fine = json!({ "op": "noindex", "from": "/blog/*" });
        let refused = fake.refusal("links.graph.simulate", json!({ "run_ref": RUN, "edits": [fine, edit] }));
        assert_eq!((refused.code.as_str(), refused.pointer.unwrap()), (code, format!("/edits/1/{member}")));
    }
    let mut edited =
        Edited { nodes: vec![Node { state: State::Sound, url: home.clone(), ..Node::default() }], links: Vec::new() };
    let own = json!([{ "op": "redirect", "from": "/", "to": home }]);
    assert_eq!(edited.apply(&edits(own)).unwrap(), [1]);
    assert_eq!(edited.nodes[0].alias, None, "a page never redirects to itself");
}
