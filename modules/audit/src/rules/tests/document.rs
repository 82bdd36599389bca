//! The document of the rules: written from them, and held against what is committed.

use std::env;
use std::fs;

use crate::limits::Limits;
use crate::rule::{Area, Check, Rule};
use crate::rules::all;

const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/RULES.md");

/// A cell of a table: a line break or a bar would end it.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

fn row(rule: &Rule) -> String {
    let threshold = rule.threshold.map(|it| it.words(&Limits::default())).unwrap_or_default();
    let level = if matches!(rule.check, Check::Site(_) | Check::Targets(_)) { "site" } else { "page" };
    format!(
        "| `{}` | {} | {level} | {} | {threshold} | {} | {} | `{}` | [source]({}) |\n",
        rule.id,
        rule.severity.as_str(),
        cell(rule.title),
        cell(rule.explanation),
        cell(rule.advice),
        rule.operation,
        rule.reference
    )
}

fn document() -> String {
    let count = all().count();
    let site = all().filter(|rule| !rule.is_of_page()).count();
    let mut text = format!(
        "# The rules of the audit\n\nWritten from the rules by a test; change the rules, then `UPDATE_EXPECT=1 cargo test -p audit document`.\n\n\
{count} rules: {} look at one page, {site} at a whole crawl. A threshold is what it is without settings; `audit.rule.configure` moves it.\n",
        count - site
    );
    for area in Area::ALL {
        let rules: Vec<&Rule> = all().filter(|rule| rule.area == area).collect();
        text += &format!("\n## {} ({})\n\n", area.word(), rules.len());
        text += "| rule | severity | of | finds | threshold | why | fix | operation | reference |\n";
        text += "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
        rules.into_iter().for_each(|rule| text += &row(rule));
    }
    text
}

#[test]
fn the_document_of_the_rules_is_what_the_rules_say() {
    let text = document();
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(PLACE, &text).unwrap();
    }
    let committed = fs::read_to_string(PLACE).unwrap_or_default();
    assert!(committed == text, "RULES.md is out of date: UPDATE_EXPECT=1 cargo test -p audit document");
}

#[test]
fn every_area_has_rules() {
    for area in Area::ALL {
        assert!(all().any(|rule| rule.area == area), "{area:?}");
    }
}
