//! A whole site with every fault of a page planted on a page of its own, and one without any fault.

use std::collections::{BTreeMap, BTreeSet};

use kit::page::PageFacts;
use sdk::serde_json::{self, Value};

use super::{base, context, pages, sites};
use crate::engine::{self, Choice};
use crate::rule::{Check, Severity};
use crate::rules::all;

#[test]
fn on_a_site_with_every_fault_each_one_is_found() {
    let choice = Choice::default();
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, bad, _) in pages::cases() {
        let hits = engine::judge_page(&choice, &bad.facts(), &context());
        assert!(hits.iter().any(|hit| hit.rule.id == id), "{id} is not found when all rules are asked");
        hits.iter().for_each(|hit| *found.entry(hit.rule.id).or_default() += 1);
    }
    for rule in all().filter(|rule| matches!(rule.check, Check::Page(_) | Check::Links(_))) {
        assert!(found.contains_key(rule.id), "{}", rule.id);
    }
}

/// Faults that are two things at once: what they break beside the rule that they are planted for is a fault too.
const TOGETHER: usize = 3;

#[test]
fn one_planted_fault_does_not_make_many_rules_speak() {
    let choice = Choice::default();
    let mut crowd: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (id, bad, _) in pages::cases() {
        let hits = engine::judge_page(&choice, &bad.facts(), &context());
        let others = hits.iter().filter(|hit| hit.rule.id != id && hit.rule.severity != Severity::Notice).count();
        crowd.entry(others).or_default().insert(id);
    }
    let loud: Vec<_> = crowd.range(TOGETHER + 1..).collect();
    assert!(loud.is_empty(), "{loud:#?}");
    let silent = crowd.get(&0).map_or(0, BTreeSet::len);
    assert!(silent * 10 >= pages::cases().len() * 7, "{silent} of {} faults speak alone", pages::cases().len());
}

#[test]
fn a_page_stored_before_a_fact_was_kept_is_not_accused_of_lacking_it() {
    let page = base::page().main(
        "<form method=post><label>Word <input type=password></label></form>\
<script src=\"https://cdn.jsdelivr.net/npm/vue@3.4.0/dist/vue.js\" integrity=\"sha384-x\" defer></script>",
    );
    let page = page.head("<link rel=preload as=font crossorigin href=/a.woff2><link rel=preload as=style href=/a.css>");
    let mut stored = serde_json::to_value(page.facts()).unwrap();
    let members = stored.as_object_mut().unwrap();
    ["markup", "metas", "meta_charsets", "sketch"].iter().for_each(|name| drop(members.remove(*name)));
    let data = members["structured"].as_object_mut().unwrap();
    ["nodes", "contexts"].iter().for_each(|name| drop(data.remove(*name)));
    for (list, names) in [("resources", &["integrity", "cors", "purpose"][..]), ("forms", &["post"])] {
        for row in members[list].as_array_mut().unwrap().iter_mut().filter_map(Value::as_object_mut) {
            names.iter().for_each(|name| drop(row.remove(*name)));
        }
    }
    let old: PageFacts = serde_json::from_value(stored).unwrap();
    let found = engine::judge_page(&Choice::default(), &old, &context());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_site_on_which_nothing_is_wrong_is_not_accused_of_anything() {
    let found = engine::judge_site(&Choice::default(), &sites::more::clean(), &context());
    assert!(found.is_empty(), "{found:#?}");
}
