//! The rules against axe-core, and the audits against Lighthouse's own terms.

use kit::dom::Dom;
use sdk::serde_json::{self, Value};

use super::catalog::validate;
use super::rules::{RULES, failures};
use super::tree::Tree;

/// Pages and what axe-core 4.13.0 under jsdom says of each: by rule the places of failing elements among all. Written by
/// `tests/references/ai_visibility/axe.mjs`.
const REFERENCE: &str = include_str!("axe.jsonl");

#[test]
fn the_rules_fail_where_axe_core_says_so() {
    let (mut same, mut all) = (0_u32, 0_u32);
    let mut differing: Vec<String> = Vec::new();
    let mut seen: std::collections::BTreeSet<String> = Default::default();
    for line in REFERENCE.lines() {
        let row: Value = serde_json::from_str(line).expect("JSON");
        let html = row["html"].as_str().expect("a page");
        let dom = Dom::parse(html);
        let tree = Tree::of(&dom);
        let found = failures(&tree);
        for (rule, _) in RULES {
            let place = |id: &u32| tree.elements.iter().position(|it| it == id).unwrap_or(usize::MAX) as u64;
            let mut ours: Vec<u64> =
                found.iter().filter(|it| it.rule == rule).flat_map(|it| &it.nodes).map(place).collect();
            ours.sort_unstable();
            let theirs: Vec<u64> = serde_json::from_value(row["failing"][rule].clone()).unwrap_or_default();
            if ours.is_empty() && theirs.is_empty() {
                continue;
            }
            all += 1;
            if !theirs.is_empty() {
                seen.insert(rule.to_owned());
            }
            if ours == theirs {
                same += 1;
            } else {
                differing.push(format!("{rule}: {ours:?} and axe {theirs:?} in {html}"));
            }
        }
    }
    let share = f64::from(same) / f64::from(all);
    assert!(share >= 0.97, "{same} of {all}:\n{}", differing.join("\n"));
    assert!(seen.len() >= 28, "{} rules fail somewhere: {seen:?}", seen.len());
}

#[test]
fn a_catalog_is_read_as_the_conformance_test_does() {
    let good = r#"{"specVersion":"1.0","entries":[{"identifier":"urn:air:shop.example:lamps:finder","displayName":"Finder","type":"application/mcp-server-card+json","url":"https://shop.example/mcp.json","representativeQueries":["find a lamp","lamp price"]}]}"#;
    assert_eq!(validate(good), (Vec::new(), Vec::new()));
    let of = |text: &str| validate(text);
    assert_eq!(of("{").0.len(), 1);
    let (errors, warnings) = of(
        r#"{"specVersion":"0.9","collections":[],"entries":[{"identifier":"x","type":"text/plain","url":"a","data":{},"representativeQueries":["one",2],"trustManifest":{}}]}"#,
    );
    assert_eq!(errors.len(), 6, "{errors:?}");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}
