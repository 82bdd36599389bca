//! The score at its edges.

use super::*;
use crate::rules;

fn rule(id: &str) -> &'static Rule {
    rules::find(id).unwrap()
}

#[test]
fn a_site_without_faults_has_a_hundred() {
    assert_eq!(score([(rule("title.missing"), Count { asked: 10, affected: 0, worth: None })]).0, 100.0);
    assert_eq!(score([]).0, 100.0);
}

#[test]
fn a_fault_costs_its_weight_times_the_share_of_pages() {
    let (score, areas) = score([(rule("description.missing"), Count { asked: 100, affected: 25, worth: None })]);
    assert_eq!(score, 97.0);
    assert_eq!(areas[&Area::Metadata], AreaScore { issues: 1, findings: 25, lost: 3.0 });
}

#[test]
fn an_area_takes_no_more_than_its_cap() {
    let all = Count { asked: 10, affected: 10, worth: None };
    let metadata = rules::all().filter(|rule| rule.area == Area::Metadata).map(|rule| (rule, all));
    assert_eq!(score(metadata).0, 75.0);
}

#[test]
fn a_site_where_everything_is_wrong_has_next_to_nothing_left() {
    let all = Count { asked: 1, affected: 1, worth: None };
    let left = score(rules::all().map(|rule| (rule, all))).0;
    assert!((0.0..1.0).contains(&left), "{left}");
}

#[test]
fn more_affected_pages_never_raise_the_score() {
    let rule = rule("links.broken_internal");
    let scores: Vec<f64> =
        (0..=50).map(|affected| score([(rule, Count { asked: 50, affected, worth: None })]).0).collect();
    assert!(scores.windows(2).all(|pair| pair[1] <= pair[0]), "{scores:?}");
}

#[test]
fn a_count_that_was_never_asked_has_no_share() {
    assert_eq!(Count { asked: 0, affected: 3, worth: None }.share(), 0.0);
    assert_eq!(Count { asked: 2, affected: 3, worth: None }.share(), 1.0);
}

#[test]
fn a_fault_of_the_home_page_costs_more_than_one_of_a_page_that_nobody_links_to() {
    let rule = rule("indexability.noindex");
    let of = |worth| score([(rule, Count { asked: 200, affected: 1, worth: Some(worth) })]).0;
    assert_eq!((of(0.4), of(0.001)), (68.0, 99.9));
}

#[test]
fn a_fault_of_the_template_counts_once_and_one_that_hides_the_website_counts_in_full() {
    let all = Count { asked: 500, affected: 500, worth: Some(1.0) };
    assert_eq!(score([(rule("description.missing"), all)]).0, 97.0);
    assert_eq!(score([(rule("indexability.noindex"), all)]).0, 20.0);
    let few = Count { asked: 5, affected: 5, worth: Some(1.0) };
    assert_eq!(score([(rule("description.missing"), few)]).0, 88.0, "five pages are no template");
}

#[test]
fn headers_that_guard_visitors_cost_nothing() {
    let all = Count { asked: 500, affected: 500, worth: Some(1.0) };
    assert_eq!(score([(rule("security.version_told"), all), (rule("security.csp_missing"), all)]).0, 100.0);
}
