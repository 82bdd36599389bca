//! Every rule with a page that breaks it and one that does not.

mod base;
mod document;
mod pages;
mod shop;
mod sites;
mod targets;

use std::collections::BTreeSet;

use kit::page::PageFacts;

use self::base::Page;
use super::{all, find};
use crate::engine::{self, Choice};
use crate::index::SiteIndex;
use crate::limits::Limits;
use crate::rule::{Check, SiteContext};

/// A rule, a page that breaks it, a page that does not.
type PageCase = (&'static str, Page, Page);
/// A rule, a site that breaks it, a site that does not.
type SiteCase = (&'static str, SiteIndex, SiteIndex);

/// Each page rule with a page that breaks it, for tests of what mends pages.
pub(crate) fn broken_pages() -> Vec<(&'static str, PageFacts)> {
    pages::cases().into_iter().map(|(id, bad, _)| (id, bad.facts())).collect()
}

fn context() -> SiteContext {
    SiteContext { origin: "https://shop.example".to_owned(), limits: Limits::default() }
}

fn broken(page: &Page) -> Vec<&'static str> {
    engine::judge_page(&Choice::default(), &page.facts(), &context()).into_iter().map(|hit| hit.rule.id).collect()
}

#[test]
fn a_well_made_page_breaks_no_rule() {
    assert_eq!(broken(&base::page()), Vec::<&str>::new());
}

#[test]
fn every_page_rule_finds_its_fault_and_lets_its_twin_pass() {
    let mut wrong = Vec::new();
    for (id, bad, good) in pages::cases() {
        let choice = Choice::default().only(&[id.to_owned()]);
        let judge = |page: &Page| engine::judge_page(&choice, &page.facts(), &context());
        let hits = judge(&bad);
        if hits.len() != 1 {
            wrong.push(format!("{id} finds {} faults in the page that breaks it", hits.len()));
            continue;
        }
        if hits[0].evidence.element.is_empty() || hits[0].evidence.expected.is_none() {
            wrong.push(format!("{id} names no element, or not what it expected"));
        }
        wrong.extend(judge(&good).first().map(|hit| format!("{id} finds a fault where none is: {:?}", hit.evidence)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_site_rule_finds_its_fault_and_lets_its_twin_pass() {
    for (id, bad, good) in sites::cases() {
        let choice = Choice::default().only(&[id.to_owned()]);
        let hits = engine::judge_site(&choice, &bad, &context());
        assert!(!hits.is_empty(), "{id} does not find its fault");
        for hit in &hits {
            assert!(!hit.evidence.element.is_empty() && hit.evidence.expected.is_some(), "{id}: {:?}", hit.evidence);
            assert!(bad.get(&hit.url).is_some(), "{id} speaks of {}, which was not crawled", hit.url);
        }
        let found = engine::judge_site(&choice, &good, &context());
        assert!(found.is_empty(), "{id} finds a fault where none is: {found:?}");
    }
}

#[test]
fn every_rule_about_targets_finds_its_fault_and_lets_its_twin_pass() {
    for (id, entry, bad, good) in targets::cases() {
        let hits = targets::judge(id, &entry, &bad);
        assert_eq!(hits.len(), 1, "{id} does not find its fault");
        assert!(!hits[0].evidence.element.is_empty() && hits[0].evidence.expected.is_some(), "{id}");
        assert!(targets::judge(id, &entry, &good).is_empty(), "{id} finds a fault where none is");
    }
}

#[test]
fn every_rule_has_a_case() {
    let target_cases = targets::cases();
    let page_cases = pages::cases();
    let site_cases = sites::cases();
    for rule in all() {
        let cases = match rule.check {
            Check::Page(_) | Check::Links(_) => page_cases.iter().filter(|(id, ..)| *id == rule.id).count(),
            Check::Targets(_) => target_cases.iter().filter(|(id, ..)| *id == rule.id).count(),
            Check::Site(_) => site_cases.iter().filter(|(id, ..)| *id == rule.id).count(),
        };
        assert!(cases > 0, "{} needs a page that breaks it and one that does not", rule.id);
    }
    let known = page_cases.iter().map(|(id, ..)| *id).chain(site_cases.iter().map(|(id, ..)| *id));
    let known = known.chain(target_cases.iter().map(|(id, ..)| *id));
    for id in known {
        assert!(find(id).is_some(), "there is a case for {id}, which is no rule");
    }
}

#[test]
fn rules_have_ids_of_their_own_and_say_everything() {
    assert!(all().count() >= 300, "{} rules", all().count());
    let ids: BTreeSet<&str> = all().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), all().count());
    for rule in all() {
        assert!(rule.id.split('.').count() == 2, "{}", rule.id);
        for text in [rule.title, rule.explanation, rule.advice] {
            assert!(text.len() >= 9, "{}: {text}", rule.id);
        }
        assert!(
            rule.explanation.ends_with('.') && rule.advice.ends_with('.') && !rule.title.ends_with('.'),
            "{}",
            rule.id
        );
        assert!(rule.reference.starts_with("https://"), "{}", rule.id);
        assert!((1..=100).contains(&rule.confidence), "{}", rule.id);
        assert!(rule.operation.split('.').count() >= 3, "{}: {}", rule.id, rule.operation);
    }
}

#[test]
fn the_operation_of_every_rule_is_one_of_the_catalog() {
    let table = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../catalog/operations.tsv")).unwrap();
    let known: BTreeSet<&str> = table.lines().filter_map(|row| row.split('\t').next()).collect();
    for rule in all() {
        assert!(known.contains(rule.operation), "{}: there is no operation {}", rule.id, rule.operation);
    }
}

#[test]
fn a_missing_page_is_not_asked_about_its_title() {
    let found = broken(&base::page().status(404));
    assert_eq!(found, ["response.client_error"]);
}

#[test]
fn a_page_that_may_not_be_indexed_is_not_asked_about_its_snippet() {
    let page = base::page().head("<meta name=\"robots\" content=\"noindex\">").swap(base::DESCRIPTION, "");
    assert_eq!(broken(&page), ["indexability.noindex"]);
}
