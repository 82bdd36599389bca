//! Ideas say where they were seen, and what is asked at the provider is bounded.

use super::*;

#[test]
fn patterns_become_ideas_and_those_that_were_seen_come_first() {
    let fake = fake(&Provider::default());
    let reference = set(&fake, &["best desk lamp"]);
    crawled(&fake, "/a", "How to clean a lamp", "Words.");
    let rows = [
        (day("2026-09-25"), format!("{SHOP}/a"), "desk lamp near me".to_owned(), figures(3, 40, 4)),
        (day("2026-09-25"), format!("{SHOP}/a"), "blue desk lamp".to_owned(), figures(1, 90, 4)),
    ];
    search::trial::store_queries(&fake, SITE, &rows);
    let found =
        call(&fake, "keywords.idea.expand", &json!({ "set_ref": reference, "seeds": ["Desk Lamp"], "language": "en" }));
    let ideas = list(&found, "ideas");
    assert_eq!((text(&ideas[0], "keyword"), text(&ideas[0], "pattern")), ("blue desk lamp", "query"));
    assert_eq!(
        (text(&ideas[1], "keyword"), ideas[1]["evidence"][0]["impressions"].as_u64()),
        ("desk lamp near me", Some(40))
    );
    assert!(
        !texts(ideas, "keyword").contains(&"best desk lamp".to_owned()) && found["known_keywords"].as_u64() == Some(1)
    );
    assert!(
        texts(ideas, "keyword").contains(&"desk lamp in london".to_owned())
            && texts(ideas, "keyword").contains(&"best desk lamp 2027".to_owned())
    );
    let seen = call(
        &fake,
        "keywords.idea.expand",
        &json!({ "set_ref": reference, "seeds": ["desk lamp"], "language": "en", "evidence_only": true }),
    );
    assert_eq!(list(&seen, "ideas").len(), 2);
    assert_eq!(
        fake.refusal("keywords.idea.expand", json!({ "seeds": ["a b"], "language": "en", "evidence_only": true }))
            .pointer
            .as_deref(),
        Some("/set_ref")
    );
    let foreign = call(&fake, "keywords.idea.expand", &json!({ "seeds": ["lampa"], "language": "fi" }));
    assert_eq!((list(&foreign, "ideas").len(), foreign["degraded"][0]["what"].clone()), (0, json!("patterns")));
}

#[test]
fn suggestions_are_asked_for_in_turns_up_to_the_bound() {
    let provider = Provider::default();
    let fake = fake(&provider);
    let asked = json!({ "seeds": ["desk lamp", "oil lamp"], "country": "GB", "language": "en", "max_requests": 5 });
    let found = call(&fake, "keywords.idea.autocomplete", &asked);
    assert_eq!((found["requests"].as_u64(), found["cut"].as_bool()), (Some(5), Some(true)));
    let typed: Vec<String> = provider.asked.borrow().iter().map(|it| text(&it.1, "keyword").to_owned()).collect();
    assert_eq!(typed, ["desk lamp", "oil lamp", "desk lamp a", "oil lamp a", "desk lamp b"]);
    assert_eq!(found["ideas"][0], json!({ "keyword": "desk lamp near me", "parent": "desk lamp", "rank": 1 }));
    assert_eq!(found["provider_cost"]["amount"], "0.050000");
    provider.failing.set((99, 40_501));
    let refused = fake.refusal("keywords.idea.autocomplete", asked);
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("provider_refused_value", Some("/country")));
}

#[test]
fn related_keywords_are_new_ones_with_their_metrics() {
    let provider = Provider::of(&[("desk lamp", 900), ("lamp shade", 300), ("lamp oil", 40)]);
    let fake = fake(&provider);
    let reference = set(&fake, &["desk lamp"]);
    let asked = json!({ "seeds": ["lamp"], "country": "GB", "language": "en", "set_ref": reference, "limit": 10 });
    let found = call(&fake, "keywords.idea.related", &asked);
    assert_eq!(
        (texts(list(&found, "ideas"), "keyword"), found["known_keywords"].as_u64()),
        (vec!["lamp shade".to_owned(), "lamp oil".to_owned()], Some(1))
    );
    assert_eq!(
        (found["ideas"][0]["difficulty"].as_u64(), text(&found["ideas"][0], "intent")),
        (Some(34), "commercial")
    );
    let refused =
        fake.refusal("keywords.idea.related", json!({ "seeds": ["lamp"], "country": "DE", "language": "fr" }));
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("market_not_covered", Some("/language")));
    provider.failing.set((1, 40_204));
    assert_eq!(fake.refusal("keywords.idea.related", asked).code, "provider_plan_required");
}

#[test]
fn phrases_of_pages_are_weighed_by_how_rare_they_are_elsewhere() {
    let fake = fake(&Provider::default());
    for (at, title) in
        ["Brass desk lamps", "Brass desk lamps for reading", "The time of the year", "More time for the people"]
            .iter()
            .enumerate()
    {
        crawled(&fake, &format!("/{at}"), title, "Words.");
    }
    let found = call(&fake, "keywords.idea.from_content", &json!({ "site_id": SITE }));
    let first = &found["candidates"][0];
    assert_eq!((text(first, "phrase"), first["pages"].as_u64()), ("brass desk lamps", Some(2)));
    let score = |name: &str| {
        list(&found, "candidates").iter().find(|it| it["phrase"] == name).map_or(0.0, |it| of(it, "score"))
    };
    assert!(score("people") < score("reading"), "what is common elsewhere is worth less: {found}");
    let bare = fake.refusal("keywords.idea.from_content", json!({ "site_id": "82" }));
    assert_eq!(bare.code, "website_not_found");
}
