//! The score at its edges.

use super::*;
use crate::rules;

fn rule(id: &str) -> &'static Rule {
    rules::find(id).unwrap()
}

#[test]
fn a_site_without_faults_has_a_hundred() {
    assert_eq!(score([(rule("title.missing"), Count { asked: 10, affected: 0 })]).0, 100.0);
    assert_eq!(score([]).0, 100.0);
}

#[test]
fn a_fault_costs_its_weight_times_the_share_of_pages() {
    let (score, areas) = score([(rule("description.missing"), Count { asked: 100, affected: 25 })]);
    assert_eq!(score, 97.0);
    assert_eq!(areas[&Area::Metadata], AreaScore { issues: 1, findings: 25, lost: 3.0 });
}

#[test]
fn an_area_takes_no_more_than_its_cap() {
    let all = Count { asked: 10, affected: 10 };
    let metadata = rules::all().filter(|rule| rule.area == Area::Metadata).map(|rule| (rule, all));
    assert_eq!(score(metadata).0, 75.0);
}

#[test]
fn a_site_where_everything_is_wrong_has_nothing_left_and_not_less() {
    let all = Count { asked: 1, affected: 1 };
    assert_eq!(score(rules::all().map(|rule| (rule, all))).0, 0.0);
}

#[test]
fn more_affected_pages_never_raise_the_score() {
    let rule = rule("links.broken_internal");
    let scores: Vec<f64> = (0..=50).map(|affected| score([(rule, Count { asked: 50, affected })]).0).collect();
    assert!(scores.windows(2).all(|pair| pair[1] <= pair[0]), "{scores:?}");
}

#[test]
fn a_count_that_was_never_asked_has_no_share() {
    assert_eq!(Count { asked: 0, affected: 3 }.share(), 0.0);
    assert_eq!(Count { asked: 2, affected: 3 }.share(), 1.0);
}
