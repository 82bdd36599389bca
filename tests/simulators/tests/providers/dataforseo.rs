//! DataForSEO: envelopes, live and posted tasks, costs, paging, and results that depend on where one looks.

use serde_json::{Value, json};

use crate::client::{dataforseo, world};

fn task(extra: Value) -> Value {
    let mut task = json!({ "location_code": 2826, "language_code": "en" });
    task.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    json!([task])
}

#[tokio::test]
async fn a_live_result_page_is_the_same_twice_and_costs_twice() {
    let world = world().await;
    let door = dataforseo(&world);
    let ask = || async {
        door.post("/v3/serp/google/organic/live/advanced", &task(json!({ "keyword": "brass lamp", "depth": 30 }))).await
    };
    let (first, second) = (ask().await, ask().await);
    assert_eq!(
        (first.at("/status_code"), first.at("/tasks/0/status_code"), first.at("/cost")),
        (&json!(20_000), &json!(20_000), &json!(0.002))
    );
    assert_eq!(first.at("/tasks/0/result/0/items"), second.at("/tasks/0/result/0/items"));
    let organic = first
        .at("/tasks/0/result/0/items")
        .as_array()
        .expect("items")
        .iter()
        .filter(|item| item["type"] == "organic")
        .count();
    assert_eq!(organic, 30);
    let data = door.get("/v3/appendix/user_data").await;
    assert_eq!(data.at("/tasks/0/result/0/money/balance"), &json!(99.996));
    assert_eq!(door.effects("task.charged"), 2);
}

#[tokio::test]
async fn a_posted_task_is_queued_then_ready_then_there() {
    let world = world().await;
    let door = dataforseo(&world);
    let made = door.post("/v3/serp/google/organic/task_post", &json!([{ "keyword": "desk lamp", "location_code": 2826, "language_code": "en", "tag": "mine" }, { "keyword": "", "location_code": 2826, "language_code": "en" }])).await;
    assert_eq!(
        (made.at("/tasks/0/status_code"), made.at("/tasks/1/status_code"), made.at("/tasks_error")),
        (&json!(20_100), &json!(40_501), &json!(1))
    );
    let id = made.at("/tasks/0/id").as_str().expect("an id");
    let collect = || async { door.get(&format!("/v3/serp/google/organic/task_get/advanced/{id}")).await };
    assert_eq!(collect().await.at("/tasks/0/status_code"), 40_602);
    assert_eq!(door.get("/v3/serp/google/organic/tasks_ready").await.at("/tasks/0/result/0/tag"), "mine");
    assert_eq!(collect().await.at("/tasks/0/result/0/keyword"), "desk lamp");
    assert_eq!(door.get("/v3/serp/google/organic/task_get/advanced/none").await.at("/tasks/0/status_code"), 40_401);
    assert_eq!(door.effects("task.charged"), 1, "what was refused costs nothing");
}

#[tokio::test]
async fn the_map_depends_on_where_one_stands() {
    let world = world().await;
    let door = dataforseo(&world);
    let rank = async |point: &str| {
        let said = door
            .post(
                "/v3/serp/google/maps/live/advanced",
                &task(json!({ "keyword": "lamp shop", "location_coordinate": point })),
            )
            .await;
        let items = said.at("/tasks/0/result/0/items").as_array().expect("items").clone();
        items.iter().position(|item| item["place_id"] == "ChIJlamp4503600001").expect("the shop")
    };
    let (near, far) = (rank("51.4750,-0.3640,17z").await, rank("51.5400,-0.2700,17z").await);
    assert!(near < far, "{near} at the door, {far} from afar");
    let nowhere = door
        .post(
            "/v3/serp/google/maps/live/advanced",
            &task(json!({ "keyword": "lamp shop", "location_coordinate": "0,0,17z" })),
        )
        .await;
    assert_eq!(nowhere.at("/tasks/0/status_code"), 40_102);
}

#[tokio::test]
async fn lists_are_cut_by_limit_and_offset_and_nothing_is_lost_between() {
    let world = world().await;
    let door = dataforseo(&world);
    for (path, about) in [
        ("/v3/dataforseo_labs/google/ranked_keywords/live", json!({ "target": "shop.example" })),
        ("/v3/dataforseo_labs/google/related_keywords/live", json!({ "keyword": "brass lamp" })),
        ("/v3/backlinks/backlinks/live", json!({ "target": "shop.example" })),
        ("/v3/backlinks/referring_domains/live", json!({ "target": "lights.example" })),
    ] {
        let page = async |limit: u64, offset: u64| {
            let mut one = about.clone();
            (one["limit"], one["offset"]) = (json!(limit), json!(offset));
            door.post(path, &task(one)).await
        };
        let all = page(1_000, 0).await;
        let items = all.at("/tasks/0/result/0/items").as_array().expect("items").clone();
        assert_eq!(all.at("/tasks/0/result/0/total_count").as_u64(), Some(items.len() as u64), "{path}");
        let mut paged = page(7, 0).await.at("/tasks/0/result/0/items").as_array().expect("items").clone();
        paged.extend(page(1_000, 7).await.at("/tasks/0/result/0/items").as_array().expect("items").clone());
        assert_eq!(paged.len(), items.len(), "{path}");
        assert!(!items.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn what_is_asked_wrongly_is_refused_by_code() {
    let world = world().await;
    let door = dataforseo(&world);
    let missing = door
        .post("/v3/serp/google/organic/live/advanced", &json!([{ "keyword": "lamp", "language_code": "en" }]))
        .await;
    assert_eq!((missing.status, missing.at("/tasks/0/status_code")), (200, &json!(40_501)));
    assert_eq!(
        door.post("/v3/serp/google/organic/live/advanced", &json!({ "keyword": "lamp" })).await.at("/status_code"),
        40_503
    );
    assert_eq!(door.post("/v3/serp/altavista/organic/live/advanced", &json!([{}])).await.status, 404);
    let two = json!([{ "keyword": "a", "location_code": 1, "language_code": "en" }, { "keyword": "b", "location_code": 1, "language_code": "en" }]);
    assert_eq!(door.post("/v3/serp/google/organic/live/advanced", &two).await.at("/status_code"), 40_006);
}

#[tokio::test]
async fn every_endpoint_that_the_product_uses_answers() {
    let world = world().await;
    let door = dataforseo(&world);
    for (path, about) in [
        ("serp/bing/organic/live/advanced", json!({ "keyword": "lamp cord" })),
        ("serp/google/autocomplete/live/advanced", json!({ "keyword": "lamp" })),
        ("serp/google/ai_mode/live/advanced", json!({ "keyword": "lamp repair" })),
        ("keywords_data/google_ads/search_volume/live", json!({ "keywords": ["brass lamp"] })),
        ("keywords_data/google_ads/keywords_for_keywords/live", json!({ "keywords": ["brass lamp"] })),
        ("dataforseo_labs/google/keyword_overview/live", json!({ "keywords": ["brass lamp"] })),
        ("dataforseo_labs/google/keyword_suggestions/live", json!({ "keyword": "lamp" })),
        ("dataforseo_labs/google/keyword_ideas/live", json!({ "keywords": ["floor lamp"] })),
        ("dataforseo_labs/google/keywords_for_site/live", json!({ "target": "shop.example" })),
        ("dataforseo_labs/google/bulk_keyword_difficulty/live", json!({ "keywords": ["brass lamp"] })),
        ("dataforseo_labs/google/search_intent/live", json!({ "keywords": ["buy brass lamp"] })),
        (
            "dataforseo_labs/google/domain_intersection/live",
            json!({ "target1": "lights.example", "target2": "shop.example", "intersections": false }),
        ),
        ("dataforseo_labs/google/competitors_domain/live", json!({ "target": "shop.example" })),
        ("backlinks/summary/live", json!({ "target": "shop.example" })),
        ("backlinks/anchors/live", json!({ "target": "shop.example" })),
        (
            "backlinks/domain_intersection/live",
            json!({ "targets": { "1": "lights.example", "2": "brightly.example" }, "exclude_targets": ["shop.example"] }),
        ),
    ] {
        let said = door.post(&format!("/v3/{path}"), &task(about)).await;
        let result = said.at("/tasks/0/result/0");
        let found =
            result.get("items").map_or(!result.is_null(), |items| items.as_array().is_some_and(|all| !all.is_empty()));
        assert!(said.at("/tasks/0/status_code") == 20_000 && found, "{path}: {said:?}");
    }
}
