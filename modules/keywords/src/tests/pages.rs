//! Which page answers a keyword, how hard it is, and what it would bring.

use super::*;

/// A shop of three pages, clusters of three topics, and pages of the provider.
fn mapped() -> (sdk::Fake, String) {
    let provider = Provider::of(&[("desk lamp", 900), ("oil lamp", 400), ("garden chair", 300)]);
    let urls = |first: &str| {
        let others = (0..9).map(|at| format!("https://rival{at}.example/lamp"));
        std::iter::once(format!("{SHOP}{first}")).chain(others).collect::<Vec<_>>()
    };
    provider
        .pages
        .borrow_mut()
        .extend([("desk lamp".to_owned(), urls("/desk")), ("oil lamp".to_owned(), urls("/desk"))]);
    let fake = fake(&provider);
    crawled(&fake, "/desk", "Desk lamps", "A desk lamp lights the desk where you read and write.");
    crawled(&fake, "/oil", "Oil lamps", "The wick of an oil lamp is trimmed before the oil is lit.");
    crawled(&fake, "/about", "About us", "We have mended lights since the year we began.");
    let reference = set(&fake, &["desk lamp", "oil lamp", "garden chair"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference, "with_history": false }));
    job(&fake, "keywords.cluster.serp", &json!({ "set_ref": reference, "min_shared": 9, "mode": "hard" }));
    job(&fake, "keywords.cluster.lexical", &json!({ "set_ref": reference, "threshold": 0.3 }));
    (fake, reference)
}

#[test]
fn keywords_are_mapped_to_pages_and_those_without_one_get_a_new_one() {
    let (fake, reference) = mapped();
    assert_eq!(fake.refusal("keywords.map.report", json!({ "set_ref": reference })).code, "not_mapped");
    let done = job(&fake, "keywords.map.assign", &json!({ "set_ref": reference, "site_id": SITE }));
    assert_eq!(
        (done["mapped"].as_u64(), done["new_pages"].as_u64(), done["conflicts"].as_u64()),
        (Some(2), Some(1), Some(0)),
        "{done}"
    );
    let rows = call(&fake, "keywords.item.list", &json!({ "set_ref": reference }));
    let page = |name: &str| {
        list(&rows, "keywords")
            .iter()
            .find(|it| it["keyword"] == name)
            .map(|it| text(it, "mapped_url").to_owned())
            .expect("a row")
    };
    assert_eq!(
        (page("desk lamp"), page("oil lamp"), page("garden chair")),
        (format!("{SHOP}/desk"), format!("{SHOP}/oil"), "/garden-chair".to_owned())
    );
    let report = call(&fake, "keywords.map.report", &json!({ "set_ref": reference }));
    let summary = &report["summary"];
    assert_eq!(
        (
            of(summary, "fine") + of(summary, "unmapped") + of(summary, "conflicts") + of(summary, "mismatches"),
            of(summary, "clusters")
        ),
        (3.0, 3.0)
    );
    let by =
        |problem: &str| list(&report, "rows").iter().find(|it| it["problem"] == problem).cloned().unwrap_or_default();
    assert_eq!(
        (text(&by("mismatch"), "name"), text(&by("mismatch"), "other_url")),
        ("oil lamp", "https://shop.example/desk")
    );
    assert_eq!(
        (text(&by("unmapped"), "name"), text(&by("no_keyword"), "url")),
        ("garden chair", "https://shop.example/about")
    );
    let choose = by("unmapped")["fix"].clone();
    call(&fake, text(&choose, "operation_id"), &choose["arguments"]);
    let kept = job(&fake, "keywords.map.assign", &json!({ "set_ref": reference, "site_id": SITE }));
    assert_eq!((kept["kept"].as_u64(), kept["new_pages"].as_u64()), (Some(1), Some(0)));
    let only = call(&fake, "keywords.map.report", &json!({ "set_ref": reference, "problem": "no_keyword" }));
    assert_eq!(list(&only, "rows").len(), 1);
    let foreign = fake.refusal("keywords.map.assign", json!({ "set_ref": reference, "site_id": "82" }));
    assert_eq!(foreign.pointer.as_deref(), Some("/site_id"));
}

#[test]
fn one_common_word_does_not_make_a_page_the_answer_to_a_keyword() {
    let fake = fake(&Provider::default());
    crawled(&fake, "/desk", "Desk lamps", "A desk lamp lights the desk where you read and write.");
    crawled(&fake, "/oil", "Oil lamps", "The wick of an oil lamp is trimmed before the oil is lit.");
    let reference = set(&fake, &["desk organizer leather", "desk lamps"]);
    let done = job(&fake, "keywords.map.assign", &json!({ "set_ref": reference, "site_id": SITE }));
    assert_eq!((done["mapped"].as_u64(), done["new_pages"].as_u64()), (Some(1), Some(1)), "{done}");
    let strict = json!({ "set_ref": reference, "site_id": SITE, "min_score": 0.9 });
    assert_eq!(job(&fake, "keywords.map.assign", &strict)["mapped"].as_u64(), Some(1), "the bound decides");
}

#[test]
fn positions_that_nobody_looked_at_are_told_and_never_removed_by() {
    let fake = fake(&Provider::of(&[("desk lamp", 900)]));
    let reference = set(&fake, &["desk lamp"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference, "with_history": false }));
    for operation in ["keywords.opportunity.score", "keywords.item.list"] {
        let answer = call(&fake, operation, &json!({ "set_ref": reference }));
        let missing = list(&answer, "degraded").iter().find(|it| it["what"] == "positions").expect("told");
        assert_eq!(missing["operation_id"], "keywords.cluster.serp", "{operation}");
    }
    let filter = json!([{ "field": "position", "op": "gt", "value": 10 }]);
    let refused = fake.refusal("keywords.item.remove", json!({ "set_ref": reference, "filter": filter }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("positions_unknown", Some("/filter")));
}

#[test]
fn difficulties_need_a_result_page_and_opportunities_count_clicks_once() {
    let (fake, reference) = mapped();
    job(&fake, "keywords.map.assign", &json!({ "set_ref": reference, "site_id": SITE }));
    let found = call(
        &fake,
        "keywords.difficulty.estimate",
        &json!({ "keywords": ["Desk lamp", "garden chair"], "site_id": SITE, "country": "GB" }),
    );
    assert!(of(&found["rows"][0], "difficulty") > 0.0 && found["rows"][0]["parts"]["own_weakness"].is_null());
    assert!(found["rows"][1]["difficulty"].is_null(), "{found}");
    let scored = call(&fake, "keywords.opportunity.score", &json!({ "set_ref": reference, "target_position": 1 }));
    let rows = list(&scored, "rows");
    // Whoever stands first has nothing to gain.
    assert_eq!(texts(rows, "keyword"), ["garden chair"]);
    assert!((of(&rows[0], "potential_clicks") - 300.0 * 0.285).abs() < 0.1);
    assert!((of(&rows[0], "feasibility") - 0.66).abs() < 1e-9, "the provider's difficulty of 34");
    assert!((of(&rows[0], "score") - 300.0 * 0.285 * 0.66).abs() < 0.1);
    let worthless = json!({ "set_ref": reference, "target_position": 1, "intent_weights": { "commercial": 0 } });
    assert!(of(&call(&fake, "keywords.opportunity.score", &worthless)["rows"][0], "score").abs() < 1e-9);
}

#[test]
fn gaps_are_what_rivals_have_and_the_website_has_not() {
    let provider = Provider::of(&[("desk lamp", 900), ("desk lamps", 500), ("oil lamp", 400), ("wool rug", 50)]);
    let fake = fake(&provider);
    let asked = json!({ "site_id": SITE, "competitors": ["rival.example", "other.example"], "country": "GB", "language": "en" });
    let done = job(&fake, "keywords.gap.analyze", &asked);
    assert_eq!(texts(list(&done, "missing"), "keyword"), ["desk lamp", "oil lamp"]);
    assert_eq!(list(&done["missing"][0], "competitors").len(), 2, "a keyword of two rivals is told once");
    assert_eq!(texts(list(&done, "weak"), "keyword"), ["desk lamps", "wool rug"]);
    assert_eq!((text(&done["missing"][0], "effort"), text(&done["clusters"][0], "name")), ("medium", "desk lamp"));
    assert_eq!(
        (provider.count("dataforseo_labs/google/domain_intersection/live"), done["provider_cost"]["amount"].clone()),
        (4, json!("0.040000"))
    );
    let mut capped = asked.clone();
    capped["cost_cap"] = json!(0.035);
    let done = job(&fake, "keywords.gap.analyze", &capped);
    assert!(
        done["degraded"].as_array().is_some_and(|it| it.iter().any(|it| it["why"] == "the cap of costs was reached")),
        "{done}"
    );
    let own = fake.refusal(
        "keywords.gap.analyze",
        json!({ "site_id": SITE, "competitors": ["shop.example"], "country": "GB", "language": "en" }),
    );
    assert_eq!((own.code.as_str(), own.pointer.as_deref()), ("own_domain", Some("/competitors/0")));
}

#[test]
fn a_competitors_keywords_have_their_pages_and_positions() {
    let provider = Provider::of(&[("desk lamp", 900), ("oil lamp", 40)]);
    let fake = fake(&provider);
    let found = call(
        &fake,
        "keywords.competitor.list",
        &json!({ "target": "https://rival.example/lamps", "country": "GB", "language": "en", "min_volume": 10 }),
    );
    assert_eq!(
        (texts(list(&found, "keywords"), "keyword"), found["total"].as_u64()),
        (vec!["desk lamp".to_owned(), "oil lamp".to_owned()], Some(2))
    );
    let asked = provider.asked.borrow().last().cloned().expect("a question");
    assert_eq!(
        (text(&asked.1, "target"), asked.1["filters"][0][2].as_u64()),
        ("https://rival.example/lamps", Some(10))
    );
}
