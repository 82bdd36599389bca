//! How words are joined, how a goal is read, and what is found among a few contracts.

use std::collections::HashSet;
use std::sync::Arc;

use model::contract::{Contract, Kind};
use serde_json::json;

use super::verbs::Prior;
use super::{Goal, Index, goal, spelling, words};

#[test]
fn endings_do_not_matter() {
    for row in [
        &["list", "lists", "listing", "listed"][..],
        &["author", "authors"],
        &["analyze", "analysis", "analyse", "analyzing", "analyses"],
        &["create", "created", "creating", "creates"],
        &["page", "pages"],
        &["optimisation", "optimization", "optimise", "optimizing"],
        &["query", "queries"],
        &["status"],
    ] {
        let stems: Vec<Vec<String>> = row.iter().map(|word| words::stems(word).collect()).collect();
        assert!(stems.iter().all(|stem| *stem == stems[0] && stem.len() == 1), "{row:?} {stems:?}");
    }
}

fn read(query: &str, known: &[&str]) -> Vec<goal::Term> {
    let known = known.iter().map(|stem| (*stem).to_owned()).collect();
    goal::terms(&spelling::read(query, &known), &known)
}

fn counts(term: &goal::Term, stem: &str) -> f32 {
    term.variants.iter().find(|(known, _)| known == stem).map_or(0.0, |(_, closeness)| *closeness)
}

#[test]
fn a_goal_keeps_its_content_words_once() {
    let terms = read("I would like to list all the authors of my authors' site", &[]);
    let shown: Vec<&str> = terms.iter().map(|term| term.shown.as_str()).collect();
    assert_eq!(shown, ["list", "authors", "site"]);
    assert!(counts(&terms[2], "websit") > 0.0, "{:?}", terms[2]);
}

#[test]
fn a_goal_of_nothing_but_stop_words_keeps_them() {
    let terms = read("how to do it", &[]);
    assert_eq!(terms.iter().filter(|term| !term.shown.contains(' ')).count(), 4);
}

#[test]
fn two_words_count_as_the_one_that_the_contracts_write() {
    let terms = read("back links", &["backlink"]);
    assert!(counts(&terms[0], "backlink") > 0.5, "{terms:?}");
}

#[test]
fn a_phrase_means_what_none_of_its_words_says() {
    let terms = read("are we in the map pack", &[]);
    let phrase = terms.iter().find(|term| term.shown == "map pack").unwrap();
    assert!(counts(phrase, "grid") > 0.0, "{phrase:?}");
}

#[test]
fn a_slip_is_forgiven_and_another_word_is_not() {
    let known: HashSet<String> = ["keyword", "redirect", "crawl", "sitemap"].map(str::to_owned).into();
    for (written, meant) in [
        ("keywrod", Some("keyword")),
        ("redirct", Some("redirect")),
        ("rediretc", Some("redirect")),
        ("crwal", Some("crawl")),
        ("stemap", Some("sitemap")),
        ("rcawl", Some("crawl")),
        ("rawl", Some("crawl")),
        ("brawl", None),
        ("keyring", None),
        ("cra", None),
        ("301", None),
    ] {
        assert_eq!(spelling::nearest(written, &known), meant, "{written}");
    }
}

#[test]
fn a_verb_says_what_kind_of_work_is_meant() {
    let prior = |query: &str, kind: Kind| {
        let words = spelling::read(query, &HashSet::new());
        Prior::of(&words.into_iter().map(|word| word.meant).collect::<Vec<_>>()).for_kind(kind)
    };
    assert!(prior("delete the old crawl", Kind::Destructive) > prior("delete the old crawl", Kind::Write));
    assert!(prior("how many pages are broken", Kind::Read) > prior("how many pages are broken", Kind::Write));
    assert!(prior("rename the segment", Kind::Write) > prior("rename the segment", Kind::Read));
    assert!(prior("start a crawl", Kind::Job) > prior("start a crawl", Kind::Read));
    assert!(prior("delte the old crawl", Kind::Destructive) > prior("delte the old crawl", Kind::Write), "misspelt");
}

fn index(contracts: &[(&str, &str, &str)]) -> Index {
    Index::new(contracts.iter().map(|(id, kind, summary)| {
        let contract = json!({
            "id": id, "export": "x", "kind": kind, "mode": "immediate", "scopes": [], "summary": summary,
            "cost": { "class": "list", "base": 1 }, "arguments": { "type": "object" },
            "result": { "type": "object", "properties": { "canonical": { "description": "The preferred address." } } },
        });
        Arc::new(serde_json::from_value::<Contract>(contract).unwrap())
    }))
}

fn found(index: &Index, query: &str) -> Vec<String> {
    let goal = Goal { query: Some(query.to_owned()), ..Goal::default() };
    index.find(&goal).results.iter().map(|hit| hit.contract.id.clone()).collect()
}

#[test]
fn words_of_results_are_found_and_words_that_nobody_knows_are_weak() {
    let index = index(&[("crawl.page.get", "read", "Reads a page."), ("authors.list", "read", "Lists writers.")]);
    assert_eq!(found(&index, "canonical").len(), 2);
    assert_eq!(found(&index, "zzyzx qwrtp"), Vec::<String>::new());
    let goal = Goal { query: Some("authors zzyzx qwrtp vxcvb bnmfg".to_owned()), ..Goal::default() };
    assert!(index.find(&goal).weak);
}

#[test]
fn an_id_finds_itself_and_a_filter_keeps_the_others_out() {
    let index = index(&[
        ("authors.create", "write", "Creates an author."),
        ("authors.delete", "destructive", "Deletes an author."),
        ("crawl.run.start", "job", "Crawls a website."),
    ]);
    assert_eq!(found(&index, "authors.delete")[0], "authors.delete");
    assert_eq!(found(&index, "get rid of an author")[0], "authors.delete");
    let goal = Goal { query: Some("author".to_owned()), kind: Some(Kind::Write), ..Goal::default() };
    let results = index.find(&goal).results;
    assert_eq!(results.iter().map(|hit| hit.contract.id.as_str()).collect::<Vec<_>>(), ["authors.create"]);
}
