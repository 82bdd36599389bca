//! Keyword research as its user does it: from a list to a map, with a crawl, search figures and a provider, over both doors.

use super::searched::{number, with_shop};
use super::*;

/// Connects the customer's account at the provider.
pub(super) async fn provider(scene: &Scene) {
    let simulator = &scene.world.dataforseo;
    let arguments = json!({ "kind": simulator.name(), "name": "Keywords", "endpoint": simulator.url(),
        "credentials": simulator.credentials(), "test": false });
    scene.ada.run("connections.add", arguments).await.data();
}

/// Runs a job to its end; its result.
pub(super) async fn job(ada: &Customer, operation: &str, arguments: Value) -> Value {
    let started = ada.run(operation, arguments).await.data();
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 240).await;
    assert_eq!(ended["state"], "succeeded", "{operation}: {ended}");
    ended["result"].clone()
}

pub(super) fn first<'v>(answer: &'v Value, list: &str, holds: impl Fn(&Value) -> bool) -> &'v Value {
    let all = answer[list].as_array().unwrap_or_else(|| panic!("{list} of {answer}"));
    all.iter().find(|it| holds(it)).unwrap_or_else(|| panic!("{list} has none: {answer}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_keywords_becomes_clusters_on_pages_with_their_chances() {
    let (scene, site) = with_shop().await;
    let ada = &scene.ada;
    let create = json!({ "site_id": site, "name": "Lamps", "country": "GB", "language": "en" });
    let set = ada.run("keywords.set.create", create.clone()).await.data()["set_ref"].clone();
    assert_eq!(ada.run("keywords.set.create", create).await.refusal(), (409, "set_exists".to_owned()));
    let in_set = |more: Value| {
        let mut arguments = json!({ "set_ref": set });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    // A table larger than most bodies comes as an argument, since this operation takes as much.
    let filler: String =
        (0..210).map(|at| format!("unheard of thing number {at},{}\n", "words ".repeat(500))).collect();
    let named = [
        "desk lamp",
        "lamp for desk",
        "reading lamp",
        "bedside lamp",
        "led bulb",
        "lamp shade",
        "buy desk lamp",
        "best desk lamp",
        "lamp shop",
        "how to choose a desk lamp",
        "unheard lamp (odd)",
    ];
    let csv = format!("keyword,notes\n{}\n{filler}", named.map(|it| format!("{it},")).join("\n"));
    assert!(csv.len() > 600 * 1_024);
    let imported = ada.run("keywords.item.import", in_set(json!({ "csv": csv }))).await.data();
    assert_eq!((number(&imported["added"]), &imported["unknown_columns"]), (221, &json!(["notes"])), "{imported}");
    let filter = json!([{ "field": "keyword", "op": "contains", "value": "unheard of thing" }]);
    let removed = ada.run("keywords.item.remove", in_set(json!({ "filter": filter }))).await.data();
    assert_eq!(number(&removed["removed"]), 210);
    let refused = ada.run("keywords.metric.refresh", in_set(json!({}))).await.refusal();
    assert_eq!(refused, (422, "connection_required".to_owned()));
    provider(&scene).await;
    let refreshed = job(ada, "keywords.metric.refresh", in_set(json!({}))).await;
    assert_eq!((number(&refreshed["refreshed"]), number(&refreshed["not_found"])), (11, 0), "{refreshed}");
    assert!(refreshed["provider_cost"]["amount"].as_str().is_some_and(|it| it > "0"), "{refreshed}");
    let listed = ada.both("keywords.item.list", in_set(json!({ "limit": 100 }))).await;
    assert_eq!(number(&listed["total"]), 11);
    let sets = ada.both("keywords.set.list", json!({ "site_id": site })).await;
    assert!(number(&sets["sets"][0]["volume_total"]) > 0, "{sets}");
    let season = ada.both("keywords.seasonality.analyze", in_set(json!({}))).await;
    let lamp = first(&season, "rows", |it| it["keyword"] == "desk lamp");
    assert!([11, 12].contains(&number(&lamp["peaks"][0]["month"])) && lamp["strength"].as_f64() > Some(0.8), "{lamp}");
    let intents = ada.both("keywords.intent.classify", in_set(json!({}))).await;
    let intent = |name: &str| first(&intents, "rows", |it| it["keyword"] == name)["intent"].clone();
    assert_eq!(
        (intent("buy desk lamp"), intent("how to choose a desk lamp")),
        (json!("transactional"), json!("informational"))
    );
    let by_results = job(ada, "keywords.cluster.serp", in_set(json!({ "min_shared": 3, "mode": "soft" }))).await;
    assert_eq!((number(&by_results["fetched"]), number(&by_results["without_page"])), (11, 0), "{by_results}");
    let hard = ada
        .both("keywords.difficulty.estimate", json!({ "keywords": ["desk lamp"], "site_id": site, "country": "GB" }))
        .await;
    assert!((0.0..=100.0).contains(&hard["rows"][0]["difficulty"].as_f64().expect("a difficulty")), "{hard}");
    let by_words = job(ada, "keywords.cluster.lexical", in_set(json!({}))).await;
    let clusters = ada.both("keywords.cluster.list", in_set(json!({ "limit": 100 }))).await;
    assert_eq!(number(&by_words["clusters"]), number(&clusters["total"]));
    let rename =
        json!([{ "op": "rename", "clusters": [clusters["clusters"][0]["cluster_ref"]], "name": "Lamps for desks" }]);
    ada.run("keywords.cluster.edit", in_set(json!({ "edits": rename }))).await.data();
    let again = job(ada, "keywords.cluster.lexical", in_set(json!({}))).await;
    assert_eq!(again["clusters"], by_words["clusters"]);
    let clusters = ada.both("keywords.cluster.list", in_set(json!({ "limit": 100 }))).await;
    first(&clusters, "clusters", |it| it["name"] == "Lamps for desks" && it["pinned"] == true);
    let refused = ada.run("keywords.map.assign", in_set(json!({ "site_id": site }))).await.refusal();
    assert_eq!(refused, (409, "crawl_required".to_owned()));
    let crawl = json!({ "site_id": site, "max_pages": 60 });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 120).await;
    let mapped = job(ada, "keywords.map.assign", in_set(json!({ "site_id": site }))).await;
    assert_eq!(number(&mapped["mapped"]) + number(&mapped["new_pages"]), number(&by_words["clusters"]), "{mapped}");
    let report = ada.both("keywords.map.report", in_set(json!({}))).await;
    let summary = &report["summary"];
    let parts: u64 = ["fine", "unmapped", "conflicts", "mismatches"].iter().map(|it| number(&summary[*it])).sum();
    assert_eq!(parts, number(&summary["clusters"]), "{summary}");
    let scored = ada.both("keywords.opportunity.score", in_set(json!({ "target_position": 1 }))).await;
    assert!(scored["rows"][0]["score"].as_f64() > Some(0.0), "{scored}");
    let deleted = ada.run("keywords.set.delete", in_set(json!({}))).await.data();
    assert_eq!((deleted["deleted"].clone(), number(&deleted["keywords"])), (json!(true), 11));
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ideas_gaps_and_queries_come_from_what_people_search() {
    let (scene, site) = with_shop().await;
    let ada = &scene.ada;
    provider(&scene).await;
    let market = |more: Value| {
        let mut arguments = json!({ "country": "GB", "language": "en" });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    let suggested = ada
        .read("keywords.idea.autocomplete", market(json!({ "seeds": ["desk lamp"], "max_requests": 4 })))
        .await
        .data();
    assert_eq!((number(&suggested["requests"]), &suggested["cut"]), (4, &json!(true)), "{suggested}");
    let related =
        ada.read("keywords.idea.related", market(json!({ "seeds": ["desk lamp"], "limit": 20 }))).await.data();
    assert!(number(&related["ideas"][0]["volume"]) > 0, "{related}");
    let covered =
        ada.read("keywords.idea.related", json!({ "seeds": ["lampe"], "country": "DE", "language": "fr" })).await;
    assert_eq!(covered.refusal(), (422, "market_not_covered".to_owned()));
    let rival =
        ada.read("keywords.competitor.list", market(json!({ "target": "lights.example", "min_volume": 100 }))).await;
    let rival = rival.data();
    let volumes: Vec<u64> =
        rival["keywords"].as_array().expect("keywords").iter().map(|it| number(&it["volume"])).collect();
    assert!(volumes.iter().all(|it| *it >= 100) && volumes.is_sorted_by(|a, b| a >= b), "{rival}");
    let competitors = json!({ "site_id": site, "competitors": ["lights.example"], "limit": 100 });
    let gap = job(ada, "keywords.gap.analyze", market(competitors)).await;
    assert!(gap["missing"].as_array().expect("a list").iter().all(|it| it["own_position"].is_null()), "{gap}");
    assert!(gap["weak"].as_array().expect("a list").iter().all(|it| number(&it["own_position"]) > 10), "{gap}");
    scene.connect(json!({ "kind": "google_search_console" })).await;
    let import = json!({ "site_id": site, "from": "2026-09-01", "to": "2026-10-31", "every": "off" });
    job(ada, "search_console.sync.run", import).await;
    let set =
        ada.run("keywords.set.create", market(json!({ "site_id": site, "name": "Ideas" }))).await.data()["set_ref"]
            .clone();
    let expand = json!({ "set_ref": set, "seeds": ["desk lamp"], "language": "en", "evidence_only": true });
    let seen = ada.both("keywords.idea.expand", expand).await;
    assert!(number(&seen["ideas"][0]["evidence"][0]["impressions"]) > 0, "{seen}");
    let grams = ada.both("keywords.ngram.report", json!({ "site_id": site, "n": 1 })).await;
    first(&grams, "ngrams", |it| it["text"] == "lamp" && number(&it["queries"]) > 10);
    let pairs = ada
        .both("keywords.cannibalization.detect", json!({ "site_id": site, "from": "2026-09-01", "to": "2026-10-31" }))
        .await;
    assert!(number(&pairs["to_act"]) <= number(&pairs["total"]), "{pairs}");
    let asked = ada.both("keywords.question.extract", json!({ "site_id": site, "topic": "lamp" })).await;
    first(&asked, "questions", |it| it["text"].as_str().is_some_and(|text| text.starts_with("how to choose")));
    assert!(asked["unanswered"].is_null(), "nothing was crawled: {asked}");
    let refused = ada.read("keywords.idea.from_content", json!({ "site_id": site })).await.refusal();
    assert_eq!(refused, (409, "crawl_required".to_owned()));
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_beyond_what_its_operation_takes_is_refused_with_the_way_for_more_and_nothing_is_written() {
    let (scene, site) = with_shop().await;
    let ada = &scene.ada;
    let create = json!({ "site_id": site, "name": "Lamps", "country": "GB", "language": "en" });
    let set = ada.run("keywords.set.create", create).await.data()["set_ref"].clone();
    let table = |bytes: usize| json!({ "set_ref": set, "csv": format!("keyword\nlamp\n{}", "x".repeat(bytes)) });
    let said = |answer: &Value| answer["message"].as_str().unwrap_or_default().to_owned();
    // More than the 6 MiB that the lock gives to this operation.
    let refused = ada.run("keywords.item.import", table(6 * 1_048_576 + 8_192)).await;
    assert_eq!(refused.refusal(), (413, "body_too_large".to_owned()));
    assert!(said(&refused.json()["error"]).contains("`upload_ref`"), "{}", refused.json());
    // Its neighbours without a bound of their own stay at the usual one.
    let refused = ada.read("keywords.set.list", json!({ "site_id": site, "cursor": "x".repeat(600_000) })).await;
    assert_eq!(refused.refusal(), (413, "body_too_large".to_owned()));
    // Over MCP the name stands in the body, so that the usual bound holds for all.
    let call = json!({ "operation_id": "keywords.item.import", "arguments": table(600_000), "idempotency_key": "a-table-too-large" });
    let refused = ada.tool("service_action_execute", call).await;
    assert_eq!(refused.status, 413, "{}", refused.body);
    assert!(said(&refused.body["error"]).contains("`upload_ref`"), "{}", refused.body);
    let listed = ada.both("keywords.item.list", json!({ "set_ref": set })).await;
    assert_eq!(number(&listed["total"]), 0);
    scene.host.verify_ledger().await;
}
