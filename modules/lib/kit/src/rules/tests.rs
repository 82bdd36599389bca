//! Tests of `rules`. `parsel.json` was made by `tests/references/kit/extract.py`.

use serde_json::{Value, json};

use super::*;

fn rule(kind: Kind, expr: &str, attr: Option<&str>) -> Rule {
    Rule { name: "x".into(), kind, expr: expr.into(), attr: attr.map(str::to_owned), multiple: true }
}

fn values(html: &str, rule: &Rule) -> Vec<String> {
    let ready = rule.ready().expect("a rule");
    apply(html, &[ready]).remove(0).into_iter().map(|it| it.value).collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().expect("a list").iter().map(|it| it.as_str().expect("text").to_owned()).collect()
}

#[test]
fn selectors_find_on_real_pages_what_parsel_finds() {
    let reference: Value = serde_json::from_str(include_str!("parsel.json")).expect("JSON");
    let (mut same, mut asked, mut others) = (0, 0, Vec::new());
    for case in reference["css"].as_array().expect("cases") {
        let html = reference["pages"][case[0].as_str().expect("a page")].as_str().expect("HTML");
        let own = values(html, &rule(Kind::Css, case[1].as_str().expect("a selector"), case[2].as_str()));
        asked += 1;
        if own == texts(&case[3]) { same += 1 } else { others.push(format!("{} {} {own:?}", case[1], case[3])) }
    }
    assert_eq!(same, asked, "{others:#?}");
}

#[test]
fn expressions_find_on_real_pages_what_python_finds() {
    let reference: Value = serde_json::from_str(include_str!("parsel.json")).expect("JSON");
    for case in reference["regex"].as_array().expect("cases") {
        let html = reference["pages"][case[0].as_str().expect("a page")].as_str().expect("HTML");
        let own = values(html, &rule(Kind::Regex, case[1].as_str().expect("an expression"), None));
        assert_eq!(own, texts(&case[2]), "{}", case[1]);
    }
}

#[test]
fn paths_find_in_json_ld_what_jsonpath_finds() {
    let reference: Value = serde_json::from_str(include_str!("parsel.json")).expect("JSON");
    let html: String = reference["blocks"]
        .as_array()
        .expect("blocks")
        .iter()
        .map(|block| format!("<script type=\"application/ld+json\">{block}</script>"))
        .collect();
    for case in reference["jsonpath"].as_array().expect("cases") {
        let mut own = values(&html, &rule(Kind::Jsonld, case[0].as_str().expect("a path"), None));
        own.sort();
        assert_eq!(own, texts(&case[1]), "{}", case[0]);
    }
}

#[test]
fn a_path_that_begins_with_a_type_finds_it_however_deep_and_reaches_into_lists() {
    let html = format!(
        "<script type='application/ld+json'>{}</script>",
        json!({ "@graph": [{ "@type": ["Product", "Thing"], "offers": [{ "price": 1 }, { "price": 2 }] }, { "@type": "https://schema.org/Brand", "name": "B" }] })
    );
    assert_eq!(values(&html, &rule(Kind::Jsonld, "Product.offers.price", None)), ["1", "2"]);
    assert_eq!(values(&html, &rule(Kind::Jsonld, "Brand.name", None)), ["B"]);
    assert!(values(&html, &rule(Kind::Jsonld, "Offer.price", None)).is_empty());
}

#[test]
fn every_match_says_where_it_stands() {
    let html =
        "<html><body><p>a</p>\n<p class=x>price: 12</p><script type='application/ld+json'>{\"a\":{\"b\":7}}</script>";
    let rules =
        [rule(Kind::Css, "p.x", None), rule(Kind::Regex, r"price: (\d+)", None), rule(Kind::Jsonld, "$.a.b", None)];
    let ready: Vec<Ready> = rules.iter().map(|rule| rule.ready().expect("a rule")).collect();
    let positions: Vec<String> = apply(html, &ready).into_iter().map(|found| found[0].position.clone()).collect();
    assert_eq!(positions, ["html > body:nth-child(2) > p:nth-child(2)", "2:19", "1/a/b"]);
}

#[test]
fn a_rule_that_cannot_be_asked_says_why() {
    for (kind, expr, attr) in [
        (Kind::Css, "p[", None),
        (Kind::Regex, "(", None),
        (Kind::Regex, r"(a)\1", None),
        (Kind::Regex, "x", Some("href")),
        (Kind::Jsonld, "", None),
        (Kind::Jsonld, "$.", None),
        (Kind::Jsonld, "$[x]", None),
        (Kind::Jsonld, "$[0", None),
    ] {
        assert!(rule(kind, expr, attr).ready().is_err(), "{expr}");
    }
    let once = Rule { multiple: false, ..rule(Kind::Css, "p", None) };
    assert_eq!(values("<p>1<p>2", &once), ["1"]);
    assert_eq!(values(&"<p>1".repeat(50), &rule(Kind::Css, "p", None)).len(), MOST_MATCHES);
}
