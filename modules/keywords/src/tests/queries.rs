//! Reports on stored search figures whose truth is planted.

use super::*;

/// Twelve weeks of figures: `shown` gives what a page has for a query in a week, none for nothing.
fn weeks(fake: &sdk::Fake, pairs: &[(&str, &str)], shown: impl Fn(usize, i32) -> Option<(u64, u64)>) {
    let mut rows = Vec::new();
    let first = day("2026-07-06");
    for week in 0..12 {
        for (at, (page, query)) in pairs.iter().enumerate() {
            if let Some((clicks, impressions)) = shown(at, week) {
                rows.push((
                    first.plus(week * 7),
                    format!("{SHOP}{page}"),
                    (*query).to_owned(),
                    figures(clicks, impressions, 5),
                ));
            }
        }
    }
    search::trial::store_queries(fake, SITE, &rows);
}

#[test]
fn pages_that_take_turns_are_found_and_innocent_ones_are_left() {
    let fake = fake(&Provider::default());
    let planted: Vec<(String, String)> = (0..8)
        .flat_map(|at| [(format!("/p{at}a"), format!("planted {at}")), (format!("/p{at}b"), format!("planted {at}"))])
        .collect();
    let innocent: Vec<(String, String)> = (0..20)
        .flat_map(|at| [(format!("/i{at}a"), format!("innocent {at}")), (format!("/i{at}b"), format!("innocent {at}"))])
        .collect();
    let brand = [("/".to_owned(), "lamp shop".to_owned()), ("/about".to_owned(), "lamp shop".to_owned())];
    let all: Vec<(&str, &str)> =
        planted.iter().chain(&innocent).chain(&brand).map(|(page, query)| (page.as_str(), query.as_str())).collect();
    weeks(&fake, &all, |at, week| {
        let second = at % 2 == 1;
        if at < 16 {
            // Planted: the pages take turns week by week.
            return ((week % 2 == 1) == second).then_some((4, 60));
        }
        // Innocent: both are shown side by side, or one has next to nothing.
        if at % 4 < 2 { Some((3, 40)) } else { Some(if second { (0, 4) } else { (6, 80) }) }
    });
    let found = call(
        &fake,
        "keywords.cannibalization.detect",
        &json!({ "site_id": SITE, "from": "2026-07-06", "to": "2026-09-27", "limit": 100 }),
    );
    let acting: Vec<&Value> = list(&found, "groups").iter().filter(|it| it["advice"] != "leave").collect();
    let mut names: Vec<&str> = acting.iter().map(|it| text(it, "query")).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["planted 0", "planted 1", "planted 2", "planted 3", "planted 4", "planted 5", "planted 6", "planted 7"]
    );
    assert_eq!(found["to_act"].as_u64(), Some(8));
    let first = acting[0];
    assert!((of(first, "entropy") - 1.0).abs() < 1e-6 && of(first, "switches") >= 10.0, "{first}");
    assert_eq!((text(first, "advice"), text(&first["fix"], "operation_id")), ("merge", "onpage.page.score"));
    assert!(!list(&found, "groups").iter().any(|it| it["query"] == "lamp shop"), "the brand is left out");
    assert_eq!(
        fake.refusal(
            "keywords.cannibalization.detect",
            json!({ "site_id": SITE, "from": "2025-01-01", "to": "2025-02-01" })
        )
        .code,
        "dimensions_not_synced"
    );
}

#[test]
fn words_that_win_or_waste_are_told_from_chance() {
    let fake = fake(&Provider::default());
    let queries: Vec<String> =
        (0..60).map(|at| format!("{} lamp {at}", if at % 3 == 0 { "cheap" } else { "brass" })).collect();
    let rows: Vec<_> = queries
        .iter()
        .enumerate()
        .map(|(at, query)| {
            (
                day("2026-09-20"),
                format!("{SHOP}/"),
                query.clone(),
                figures(if at % 3 == 0 { 5 + at as u64 % 4 } else { 48 + at as u64 % 7 }, 1_000, 5),
            )
        })
        .collect();
    search::trial::store_queries(&fake, SITE, &rows);
    let found = call(&fake, "keywords.ngram.report", &json!({ "site_id": SITE, "n": 1 }));
    let gram = |name: &str| list(&found, "ngrams").iter().find(|it| it["text"] == name).cloned().expect("an n-gram");
    let (cheap, brass, lamp) = (gram("cheap"), gram("brass"), gram("lamp"));
    assert!(of(&cheap, "lift") < 0.3 && of(&cheap, "q") < 1e-6 && of(&brass, "lift") > 3.0);
    assert_eq!((cheap["queries"].as_u64(), lamp["queries"].as_u64(), lamp["p"].is_null()), (Some(20), Some(60), true));
    let pairs = call(&fake, "keywords.ngram.report", &json!({ "site_id": SITE, "n": 2 }));
    assert!(texts(list(&pairs, "ngrams"), "text").contains(&"cheap lamp".to_owned()));
    let provider = Provider::of(&[("desk lamp", 900)]);
    let fake = crate::trial::fake(&provider);
    let reference = set(&fake, &["desk lamp", "desk chair"]);
    job(&fake, "keywords.metric.refresh", &json!({ "set_ref": reference }));
    let of_set = call(&fake, "keywords.ngram.report", &json!({ "site_id": SITE, "set_ref": reference, "n": 1 }));
    assert_eq!(
        (
            text(&of_set["ngrams"][0], "text"),
            of_set["ngrams"][0]["impressions"].as_u64(),
            of_set["ngrams"][0]["clicks"].is_null()
        ),
        ("desk", Some(900), true)
    );
    assert_eq!(fake.refusal("keywords.ngram.report", json!({ "site_id": SITE })).code, "not_synced");
}

#[test]
fn questions_are_grouped_and_those_without_an_answer_are_told() {
    let fake = fake(&Provider::default());
    crawled(
        &fake,
        "/clean",
        "How to clean a brass lamp",
        "Clean a brass lamp with lemon and salt, then rinse it and dry it well.",
    );
    let shown = [
        ("how to clean a brass lamp", 90),
        ("how do i clean brass lamps", 40),
        ("why does my lamp flicker", 70),
        ("brass lamp", 500),
        ("how to plant trees", 30),
    ];
    let rows: Vec<_> = shown
        .iter()
        .map(|(query, impressions)| {
            (day("2026-09-20"), format!("{SHOP}/"), (*query).to_owned(), figures(1, *impressions, 5))
        })
        .collect();
    search::trial::store_queries(&fake, SITE, &rows);
    let found = call(&fake, "keywords.question.extract", &json!({ "site_id": SITE, "topic": "lamp" }));
    let questions = list(&found, "questions");
    assert_eq!(texts(questions, "text"), ["how to clean a brass lamp", "why does my lamp flicker"]);
    assert_eq!(
        (questions[0]["impressions"].as_u64(), questions[0]["variants"].clone()),
        (Some(130), json!(["how do i clean brass lamps"]))
    );
    assert_eq!(
        (text(&questions[0], "answered_by"), questions[1]["answered_by"].is_null()),
        ("https://shop.example/clean", true)
    );
    assert_eq!((found["unanswered"].as_u64(), questions[0]["sources"].clone()), (Some(1), json!(["heading", "query"])));
}
