//! What acts on a finding, for every rule and every place where findings are told.

use sdk::serde_json::Value;

use super::{Known, on_page};
use crate::rules;

const URL: &str = "https://shop.example/lamps";

const TABLE: &str = include_str!("../../../../catalog/operations.tsv");

/// Makes sure that the catalog has the operation, and that it takes these arguments.
fn takes(act: &sdk::Fix) {
    assert!(sdk::served(&act.operation_id), "{act:?}");
    let mut rows = TABLE.lines().map(|it| it.split('\t').collect::<Vec<_>>());
    let row = rows.find(|row| row[0] == act.operation_id).unwrap_or_else(|| panic!("no operation {act:?}"));
    kit::listed::fits(row[9], &act.arguments).unwrap_or_else(|why| panic!("{why}: {act:?}"));
}

fn names(act: &sdk::Fix) -> Vec<&str> {
    act.arguments.keys().map(String::as_str).collect()
}

#[test]
fn an_audit_proposes_values_where_a_rule_has_a_fixer_and_else_says_what_to_do_unless_an_operation_needs_no_more() {
    let known = Known { audit: Some("audit_1"), run: Some("run_1"), site: Some("7"), origin: "https://shop.example" };
    let urls = [URL.to_owned()];
    for rule in rules::all() {
        let act = known.act(rule, &urls);
        let fixed = crate::fix::mends(rule.id);
        assert_eq!(act.operation_id == "audit.fix.suggest", fixed, "{}", rule.id);
        let other = act.operation_id == rule.operation;
        assert!(fixed || other || act.operation_id == "audit.issue.get", "{}: {act:?}", rule.id);
        takes(&act);
    }
    let act = |id: &str| known.act(rules::find(id).unwrap(), &urls);
    assert_eq!(names(&act("title.missing")), ["audit_ref", "rule"]);
    assert_eq!(names(&act("security.hsts_missing")), ["url"], "the operation that fits looks at the page");
    assert!(rules::all().any(|rule| known.act(rule, &urls).operation_id == rule.operation));
}

#[test]
fn without_an_audit_the_crawl_is_audited_first_and_a_page_alone_gets_what_looks_at_it() {
    let urls = [URL.to_owned()];
    for rule in rules::all() {
        takes(&Known::default().act(rule, &urls));
        takes(&Known { site: Some("7"), origin: "https://shop.example", ..Known::default() }.act(rule, &urls));
    }
    let crawl = Known { run: Some("run_1"), ..Known::default() };
    let rule = |id: &str| rules::find(id).unwrap();
    let act = crawl.act(rule("title.missing"), &urls);
    assert_eq!((act.operation_id.as_str(), &act.arguments["run_ref"]), ("audit.run.start", &Value::from("run_1")));
    let alone = |id: &str| Known::default().act(rule(id), &urls);
    assert_eq!(alone("title.missing").operation_id, "onpage.title.suggest");
    assert_eq!(alone("description.too_long").operation_id, "onpage.description.suggest");
    let again = on_page(rule("canonical.missing"), URL);
    assert_eq!(
        (again.operation_id.as_str(), &again.arguments["rules"][0]),
        ("audit.page.check", &Value::from("canonical.missing"))
    );
    assert_eq!(Known::default().act(rule("title.missing"), &[]).operation_id, "audit.rule.list");
}
