//! Rank tracking as its user does it: a tracker, a check, reports and a history from another tool, over both doors.

use super::researched::{first, job, provider};
use super::searched::{number, with_shop};
use super::*;

const KEYWORDS: [&str; 22] = [
    "desk lamp",
    "reading lamp",
    "bedside lamp",
    "led bulb",
    "lamp shade",
    "buy desk lamp",
    "best desk lamp",
    "lamp shop",
    "floor lamp",
    "wall lamp",
    "ceiling lamp",
    "table lamp",
    "oil lamp",
    "desk lamp led",
    "cheap lamp",
    "lamp price",
    "kitchen light",
    "garden lamp",
    "how to choose a desk lamp",
    "lamp repair",
    "smart bulb",
    "light switch",
];

/// A set with these keywords.
async fn set(ada: &Customer, site: &Value) -> Value {
    let create = json!({ "site_id": site, "name": "Lamps", "country": "GB", "language": "en" });
    let set = ada.run("keywords.set.create", create).await.data()["set_ref"].clone();
    ada.run("keywords.item.import", json!({ "set_ref": set, "lines": KEYWORDS })).await.data();
    set
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tracker_checks_its_keywords_and_reports_where_the_website_stands() {
    let (scene, site) = with_shop().await;
    let ada = &scene.ada;
    let set = set(ada, &site).await;
    let create = |more: Value| {
        let mut arguments = json!({ "site_id": site, "set_ref": set, "location": "London,England,United Kingdom", "language": "en",
            "depth": 20, "every": "daily", "competitors": ["lights.example", "site-1.example"] });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    let refused = ada.run("rankings.tracker.create", create(json!({}))).await.refusal();
    assert_eq!(refused, (422, "connection_required".to_owned()));
    provider(&scene).await;
    let unknown = ada.run("rankings.tracker.create", create(json!({ "location": "Londn" }))).await;
    assert_eq!(unknown.refusal(), (422, "unknown_location".to_owned()));
    let created = ada.run("rankings.tracker.create", create(json!({}))).await.data();
    let tracker = created["tracker_ref"].clone();
    assert_eq!((number(&created["checks_per_run"]), number(&created["provider_pages_per_check"])), (22, 2));
    let again = ada.run("rankings.tracker.create", create(json!({ "depth": 10 }))).await.refusal();
    assert_eq!(again, (409, "tracker_exists".to_owned()));
    let of = |more: Value| {
        let mut arguments = json!({ "tracker_ref": tracker });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    let early = ada.read("rankings.position.list", of(json!({}))).await.refusal();
    assert_eq!(early, (409, "not_checked".to_owned()));
    let checked = job(ada, "rankings.check.run", of(json!({}))).await;
    assert_eq!((number(&checked["checked"]), number(&checked["failed_total"])), (22, 0), "{checked}");
    let again = ada.run("rankings.check.run", of(json!({}))).await.refusal();
    assert_eq!(again, (409, "checked_today".to_owned()));
    let listed = ada.both("rankings.position.list", of(json!({ "limit": 100 }))).await;
    assert_eq!((number(&listed["total"]), &listed["basis"]["complete"]), (22, &json!(true)));
    let found = first(&listed, "rows", |it| it["position"].is_number());
    let keyword = found["keyword"].clone();
    let trackers = ada.both("rankings.tracker.list", json!({ "site_id": site })).await;
    assert!(trackers["trackers"][0]["visibility"].as_f64() > Some(0.0), "{trackers}");
    let visible = ada.both("rankings.visibility.report", of(json!({ "weight": "equal" }))).await;
    assert!(visible["ci95"][0].as_f64() <= visible["index"].as_f64() && number(&visible["n"]) == 22, "{visible}");
    let spread = ada.both("rankings.distribution.report", of(json!({}))).await;
    let counted: u64 =
        spread["buckets"].as_array().expect("ranges").iter().filter_map(|it| it["keywords"].as_u64()).sum();
    assert_eq!(counted, 22, "{spread}");
    let voices = ada.both("rankings.share_of_voice.report", of(json!({ "by": "topic" }))).await;
    assert!(voices["own_share"].as_f64() > Some(0.0), "{voices}");
    let features = ada.both("rankings.serp_feature.report", of(json!({ "feature": "ai_overview" }))).await;
    assert!(number(&features["total"]) > 5 && !features["features"][0]["owners"][0].is_null(), "{features}");
    let rival = ada.both("rankings.competitor.report", of(json!({ "domain": "lights.example" }))).await;
    assert!(number(&rival["win_rate"]["n"]) > 0, "{rival}");
    let page = ada.both("rankings.serp.get", of(json!({ "keyword": keyword }))).await;
    assert!(page["serp"]["items"].as_array().is_some_and(|it| it.len() >= 20), "{page}");
    let live = json!({ "keyword": keyword, "location": "GB", "language": "en", "device": "desktop", "depth": 20 });
    let live = ada.read("rankings.serp.live", live).await.data();
    let pair = json!({ "a": page["snapshot_ref"], "b": live["snapshot_ref"] });
    let compared = ada.both("rankings.serp.compare", pair).await;
    assert!((0.0..1.0).contains(&compared["rbo"].as_f64().expect("an overlap")), "{compared}");
    let scenario = json!([{ "keyword": keyword, "position": 1 }]);
    let outlook = ada.both("rankings.traffic.forecast", of(json!({ "scenario": scenario }))).await;
    assert_eq!(outlook["uncounted_keywords"], json!([keyword]), "no searches are known: {outlook}");
    let paused = ada.run("rankings.tracker.update", of(json!({ "every": "off" }))).await.data();
    assert!(paused["tracker"]["next_run"].is_null(), "{paused}");
    let deleted = ada.run("rankings.tracker.delete", of(json!({}))).await.data();
    assert_eq!((&deleted["deleted"], number(&deleted["snapshots"])), (&json!(true), 22));
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_history_of_another_tool_goes_on_and_its_moves_are_told_from_noise() {
    let (scene, site) = with_shop().await;
    let ada = &scene.ada;
    let set = set(ada, &site).await;
    let create = json!({ "site_id": site, "set_ref": set, "location": "GB", "language": "en", "every": "daily" });
    let tracker = ada.run("rankings.tracker.create", create).await.data()["tracker_ref"].clone();
    let of = |more: Value| {
        let mut arguments = json!({ "tracker_ref": tracker });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        arguments
    };
    let days: Vec<String> = (1..=20).map(|day| format!("2026-10-{day:02}")).collect();
    let mut csv = format!("Keyword;{}\n", days.join(";"));
    for (row, keyword) in KEYWORDS.iter().enumerate() {
        // Neighbouring days differ by at most one place; the first keyword falls for good on the 16th.
        let place = |day: usize| if row == 0 && day >= 15 { 60 } else { 10 + row % 3 + day % 2 };
        let cells: Vec<String> = (0..20).map(|day| place(day).to_string()).collect();
        csv += &format!("{keyword};{}\n", cells.join(";"));
    }
    let imported = ada.run("rankings.check.import", of(json!({ "csv": csv }))).await.data();
    assert_eq!((number(&imported["imported"]), imported["dates"].as_array().map(Vec::len)), (440, Some(20)));
    let opened = ada.run("rankings.check.import", of(json!({}))).await.data();
    assert!(opened["upload"]["url"].as_str().is_some_and(|it| it.starts_with("http")), "{opened}");
    let window = json!({ "from": "2026-10-14", "to": "2026-10-20" });
    let movers = ada.both("rankings.mover.report", of(window)).await;
    let lost: Vec<&str> =
        movers["losers"].as_array().expect("a list").iter().filter_map(|it| it["keyword"].as_str()).collect();
    assert_eq!((lost, number(&movers["winners_total"])), (vec!["desk lamp"], 0), "{movers}");
    let history = json!({ "keywords": ["desk lamp"], "from": "2026-10-01", "to": "2026-10-31" });
    let history = ada.both("rankings.position.history.get", of(history)).await;
    assert_eq!(history["series"][0]["points"].as_array().map(Vec::len), Some(20), "{history}");
    let shaken = ada.both("rankings.volatility.report", of(json!({ "from": "2026-10-01", "to": "2026-10-31" }))).await;
    assert!(shaken["series"][0]["volatility"].is_null(), "positions say nothing of pages: {shaken}");
    let refused = ada.read("rankings.ctr_model.fit", json!({ "site_id": site })).await.refusal();
    assert_eq!(refused, (409, "not_synced".to_owned()));
    scene.connect(json!({ "kind": "google_search_console" })).await;
    let import = json!({ "site_id": site, "from": "2026-09-01", "to": "2026-10-31", "every": "off" });
    job(ada, "search_console.sync.run", import).await;
    let model = ada.both("rankings.ctr_model.fit", json!({ "site_id": site })).await;
    let all = first(&model, "curves", |it| it["segment"] == "all");
    let rates: Vec<f64> = all["ctr"].as_array().expect("rates").iter().filter_map(Value::as_f64).collect();
    assert!(rates.len() == 20 && rates.is_sorted_by(|a, b| a >= b) && number(&all["n"]) > 5_000, "{model}");
    scene.host.verify_ledger().await;
}
