//! The local grid in its real sandbox, with a provider of map results and a panel: every operation over both doors.

use std::time::Duration;

use serde_json::{Value, json};
use simulators::{Fault, Seed, Simulator, World};
use tests::customer::Customer;
use tests::host::Host;
use tests::patience::tries;
use tests::process::Launch;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute connections:manage \
                      destructive:execute";
const ORDER: &str = "/v3/serp/google/maps/task_post";
const HOUR: Duration = Duration::from_secs(3_600);
/// As the simulated provider knows the shop's first branch.
const BRANCH: (&str, f64, f64) = ("ChIJlamp4503600001", 51.475, -0.364);

/// A customer with a business that was scanned twice, and the world around.
struct Town {
    host: Host,
    ada: Customer,
    world: World,
    site: Value,
    business: Value,
    runs: [Value; 2],
    source: Value,
}

async fn connect(ada: &Customer, provider: &Simulator) {
    let arguments = json!({
        "kind": provider.name(), "name": provider.name(), "endpoint": provider.url(),
        "credentials": provider.credentials(), "test": false,
    });
    ada.run("connections.add", arguments).await.data();
}

fn business(site: &Value) -> Value {
    json!({
        "site_id": site, "name": "Lamp shop Lampton", "place_id": BRANCH.0, "latitude": BRANCH.1, "longitude": BRANCH.2,
        "phone": "+44 20 7946 0101", "address": "1 Lamp Lane, Lampton",
    })
}

/// A grid that is wide enough for the business to lose at its edges.
fn start(business: &Value) -> Value {
    json!({ "business_ref": business, "keywords": ["lamp shop", "lamp repair"], "language": "en", "size": 5, "spacing_m": 2500 })
}

impl Town {
    async fn open() -> Self {
        let world = simulators::start(Seed(5)).await.expect("providers");
        let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
        let host = Host::start_with(|options| options.map("shop.example", address)).await;
        let ada = host.customer(SCOPES).await;
        let ada = ada.with_token(&host.token_for(&ada, SCOPES, 2_000 * HOUR).await);
        host.buy_points(&ada, 30).await;
        let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
        let business = ada.change("local_grid.business.add", business(&site)).await["business_ref"].clone();
        let unconnected = ada.run("local_grid.run.start", start(&business)).await;
        assert_eq!(unconnected.refusal(), (422, "connection_required".to_owned()));
        connect(&ada, &world.dataforseo).await;
        let mut runs = Vec::new();
        for _ in 0..2 {
            let answer = ada.run("local_grid.run.start", start(&business)).await;
            let held = answer.json()["meta"]["usage"]["held_credits_milli"].clone();
            assert_eq!((&answer.data()["reserved_credits"], held), (&json!(2.0), json!(2_000)));
            let run = answer.data()["run_ref"].clone();
            let ended = ada.wait_for("local_grid.run.get", json!({ "run_ref": run }), 120).await;
            assert_eq!((&ended["state"], &ended["pins_done"]), (&json!("succeeded"), &json!(50)), "{ended}");
            runs.push(run);
        }
        let sources = ada.read("local_grid.gmb_signals.sources.get", json!({ "business_ref": business })).await.data();
        let fit = sources["sources"].as_array().and_then(|all| all.iter().find(|it| it["eligible"] == true));
        let source = fit.unwrap_or_else(|| panic!("{sources}"))["source_ref"].clone();
        let runs = <[Value; 2]>::try_from(runs).expect("two");
        Self { host, ada, world, site, business, runs, source }
    }

    /// The reads of the module, and a member of each result that is there.
    fn reads(&self) -> Vec<(&'static str, Value, &'static str)> {
        let Self { site, business, runs: [before, after], source, .. } = self;
        let run = json!({ "run_ref": after });
        vec![
            ("local_grid.business.list", json!({ "site_id": site }), "businesses"),
            ("local_grid.grid.preview", json!({ "business_ref": business, "shape": "hex" }), "geojson"),
            ("local_grid.run.get", run.clone(), "definitions"),
            ("local_grid.run.list", json!({ "business_ref": business, "keyword": "lamp shop" }), "runs"),
            ("local_grid.pin.list", json!({ "run_ref": after, "limit": 60 }), "pins"),
            ("local_grid.run.compare", json!({ "run_a": before, "run_b": after }), "p_value"),
            ("local_grid.competitor.report", run.clone(), "competitors"),
            ("local_grid.zone.detect", json!({ "run_ref": after, "threshold": 3 }), "zones"),
            ("local_grid.proximity.fit", run.clone(), "by_bearing"),
            ("local_grid.trend.report", json!({ "business_ref": business, "keyword": "lamp shop" }), "series"),
            ("local_grid.heatmap.render", run, "content"),
            ("local_grid.gmb_signals.sources.get", json!({ "site_id": site }), "sources"),
            (
                "local_grid.gmb_signals.campaign.quote",
                json!({ "source_refs": [source], "daily_actions": 10, "duration_days": 7 }),
                "quote_hash",
            ),
        ]
    }

    /// Arguments of a campaign with the hash of its quote.
    async fn quoted(&self) -> Value {
        let mut arguments = json!({ "source_refs": [self.source], "daily_actions": 10, "duration_days": 7 });
        let quote = self.ada.read("local_grid.gmb_signals.campaign.quote", arguments.clone()).await.data();
        arguments["expected_quote_hash"] = quote["quote_hash"].clone();
        arguments["native_idempotency_key"] = json!("spring-in-lampton");
        arguments
    }

    async fn credits(&self) -> f64 {
        let usage = self.ada.get("/usage").await.data();
        let text = usage["credits"]["available"].as_str().unwrap_or_else(|| panic!("{usage}")).to_owned();
        text.parse().expect("a number")
    }
}

/// Every call that a result names, anywhere in it.
fn calls(value: &Value, out: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(id)), Some(arguments)) = (members.get("operation_id"), members.get("arguments"))
            {
                out.push((id.clone(), arguments.clone()));
            }
            members.values().for_each(|it| calls(it, out));
        }
        Value::Array(items) => items.iter().for_each(|it| calls(it, out)),
        _ => {}
    }
}

/// Makes sure that an answer tells no place, by no name and by no number.
fn tells_no_place(value: &Value) {
    let names = [
        "latitude",
        "longitude",
        "lat",
        "lng",
        "lon",
        "coordinates",
        "point",
        "centre",
        "near",
        "places",
        "radius_m",
        "bearing",
        "direction",
        "route",
        "routes",
        "route_url",
        "geojson",
        "geometry",
    ];
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                assert!(!names.contains(&name.as_str()), "{name} is in an answer");
                tells_no_place(value);
            }
        }
        Value::Array(items) => items.iter().for_each(tells_no_place),
        Value::Number(number) => {
            let number = number.as_f64().expect("a number");
            let near = |place: f64| number.fract() != 0.0 && (number - place).abs() < 0.05;
            assert!(!near(BRANCH.1) && !near(BRANCH.2), "{number} is a coordinate");
        }
        other => assert!(!other.to_string().contains("-0.364"), "{other} tells a place"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_answers_over_both_doors_and_every_call_that_it_names_is_taken() {
    let town = Town::open().await;
    let mut named = Vec::new();
    for (operation, arguments, member) in town.reads() {
        let result = town.ada.both(operation, arguments).await;
        assert!(!result[member].is_null() && result[member] != json!([]), "{operation}: {result}");
        if operation.contains("gmb_signals") {
            tells_no_place(&result);
        }
        calls(&result, &mut named);
    }
    named.sort_by_key(|it| format!("{} {}", it.0, it.1));
    named.dedup();
    for (operation, arguments) in &named {
        let contract = town.ada.get(&format!("/capabilities/{operation}")).await;
        assert_eq!(contract.status, 200, "{operation}");
        let schema = contract.data()["arguments"].clone();
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        assert!(validator.is_valid(arguments), "{operation} does not take {arguments}");
    }
    assert!(named.len() >= 8, "{named:?}");
    let scanned = town.ada.read("local_grid.run.get", json!({ "run_ref": town.runs[1] })).await.data();
    assert_eq!((&scanned["charge"], &scanned["failed_pins"]), (&json!(2.0), &json!(0)), "{scanned}");
    assert_eq!(scanned["match_evidence"][0]["by"], "place_id");
    assert_eq!(town.world.dataforseo.effects().len(), 100, "each pin of two scans was ordered once");
    let health = town.ada.read("websites.health.get", json!({ "site_id": town.site })).await.data();
    let local = health["pillars"].as_array().and_then(|all| all.iter().find(|it| it["name"] == "local"));
    let local = &local.unwrap_or_else(|| panic!("{health}"))["inputs"][0];
    assert_eq!(local["score"].as_f64(), scanned["solv"].as_f64().map(|it| (1_000.0 * it).round() / 10.0), "{local}");
    town.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_somebody_else_does_not_exist_and_buys_nothing() {
    let town = Town::open().await;
    let eve = town.host.customer(SCOPES).await;
    town.host.buy_points(&eve, 20).await;
    connect(&eve, &town.world.dataforseo).await;
    for (operation, arguments, _) in town.reads() {
        let code = eve.not_found(operation, arguments).await;
        assert!(code.ends_with("_not_found"), "{operation}: {code}");
    }
    let (run, business) = (&town.runs[0], &town.business);
    let grid = json!({ "language": "en" });
    let quoted = town.quoted().await;
    for (operation, arguments) in [
        ("local_grid.business.add", self::business(&town.site)),
        ("local_grid.run.start", start(business)),
        ("local_grid.run.stop", json!({ "run_ref": run })),
        ("local_grid.run.delete", json!({ "run_ref": run })),
        (
            "local_grid.schedule.set",
            json!({ "business_ref": business, "keywords": ["lamps"], "every": "weekly", "grid": grid }),
        ),
        ("local_grid.gmb_signals.campaign.create", quoted),
        ("local_grid.gmb_signals.campaign.get", json!({ "campaign_ref": run })),
    ] {
        let code = eve.not_found(operation, arguments).await;
        assert!(code.ends_with("_not_found"), "{operation}: {code}");
    }
    town.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_that_is_stopped_is_charged_for_its_finished_pins_and_a_schedule_and_a_deletion_do_what_they_say() {
    let town = Town::open().await;
    let ada = &town.ada;
    let before = town.credits().await;
    let mut large = start(&town.business);
    (large["size"], large["spacing_m"]) = (json!(15), json!(1_000));
    let run = ada.change("local_grid.run.start", large).await["run_ref"].clone();
    let only = json!({ "run_ref": run });
    let set_aside = before - town.credits().await;
    assert!(
        (set_aside - 18.0).abs() < 1e-9,
        "450 pins are 18 credits, not the most that any scan may cost: {set_aside}"
    );
    for _ in tries(1_600) {
        let got = ada.read("local_grid.run.get", only.clone()).await.data();
        if got["pins_done"].as_u64() > Some(0) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let stopping = ada.change("local_grid.run.stop", only.clone()).await;
    assert_eq!(stopping["state"], "running", "{stopping}");
    let ended = ada.wait_for("local_grid.run.get", only.clone(), 120).await;
    let done = ended["pins_done"].as_u64().expect("a number");
    assert_eq!(ended["state"], "cancelled", "{ended}");
    assert!(done > 0 && done < 450, "{ended}");
    let mut charged = 0.0;
    for _ in tries(100) {
        charged = before - town.credits().await;
        if charged < 17.9 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!((charged - done as f64 * 0.04).abs() < 1e-9, "{charged} for {done} pins");
    assert_eq!(ada.run("local_grid.run.stop", only.clone()).await.refusal(), (409, "scan_ended".to_owned()));
    let deleted = ada.change("local_grid.run.delete", only.clone()).await;
    assert_eq!(deleted, json!({ "deleted": true, "pins": 450 }));
    assert_eq!(ada.not_found("local_grid.run.get", only).await, "run_not_found");

    let set = json!({ "business_ref": town.business, "keywords": ["lamp shop"], "every": "biweekly", "grid": { "language": "en", "size": 3 } });
    let scheduled = ada.change("local_grid.schedule.set", set.clone()).await;
    assert_eq!((&scheduled["price_per_run"], &scheduled["schedule"]["every"]), (&json!(0.36), &json!("biweekly")));
    let mut off = set;
    off["every"] = json!("off");
    assert_eq!(ada.change("local_grid.schedule.set", off).await["schedule"], Value::Null);
    town.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_campaign_is_bought_once_delivered_by_days_and_charged_for_what_people_have_seen() {
    let town = Town::open().await;
    let ada = &town.ada;
    let quoted = town.quoted().await;
    let unconnected = ada.run("local_grid.gmb_signals.campaign.create", quoted.clone()).await;
    assert_eq!(unconnected.refusal(), (422, "connection_required".to_owned()));
    let panel = &town.world.fulfilment;
    connect(ada, panel).await;
    let mut other = quoted.clone();
    other["daily_actions"] = json!(11);
    let changed = ada.run("local_grid.gmb_signals.campaign.create", other.clone()).await;
    assert_eq!(changed.refusal(), (409, "quote_changed".to_owned()));
    let mut routed = quoted.clone();
    routed["route_url"] = json!("https://maps.example/dir/A/B");
    let refused = ada.run("local_grid.gmb_signals.campaign.create", routed).await;
    assert_eq!(refused.refusal(), (422, "invalid_arguments".to_owned()));
    let before = town.credits().await;
    let bought = ada.run("local_grid.gmb_signals.campaign.create", quoted.clone()).await.data();
    tells_no_place(&bought);
    assert!((before - town.credits().await - 14.0).abs() < 1e-9, "70 actions are set aside");
    // Another transport key and the same native key: the same campaign, and nothing set aside again.
    let again = ada.change("local_grid.gmb_signals.campaign.create", quoted).await;
    assert_eq!((&again["campaign_ref"], &again["replayed"]), (&bought["campaign_ref"], &json!(true)));
    assert!((before - town.credits().await - 14.0).abs() < 1e-9);
    let conflict = ada.run("local_grid.gmb_signals.campaign.create", other).await;
    assert_eq!(conflict.refusal(), (409, "native_idempotency_key_conflict".to_owned()));
    let run =
        json!({ "run_ref": town.source.as_str().expect("a text").trim_end_matches(['0', '1']).trim_end_matches('-') });
    let evidence = ada.run("local_grid.run.delete", run).await;
    assert_eq!(evidence.refusal(), (409, "scan_is_evidence".to_owned()));

    let reference = json!({ "campaign_ref": bought["campaign_ref"] });
    let token = panel.credentials()["api_key"].as_str().expect("a token").to_owned();
    let mut campaign = Value::Null;
    for _ in 0..200 {
        town.host.clock.advance(2 * HOUR);
        // The worker looks twice a second, and a day that it cannot keep up with is not caught up.
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        let advance = reqwest::Client::new().post(format!("{}/v1/sandbox/advance", panel.url())).bearer_auth(&token);
        advance.send().await.expect("an answer");
        campaign = ada.read("local_grid.gmb_signals.campaign.get", reference.clone()).await.data();
        tells_no_place(&campaign);
        if campaign["state"] == "completed" {
            break;
        }
    }
    assert_eq!((&campaign["state"], &campaign["delivered"]), (&json!("completed"), &json!(70)), "{campaign}");
    assert_eq!((&campaign["days_run"], &campaign["charged_credits"]), (&json!(7), &json!(14.0)), "{campaign}");
    tells_no_place(&ada.both("local_grid.gmb_signals.campaign.get", reference).await);
    assert!((before - town.credits().await - 14.0).abs() < 1e-9);
    let tasks = panel.effects().len();
    assert!((7..=84).contains(&tasks), "{tasks}");
    town.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scan_whose_host_dies_with_an_order_on_its_way_orders_every_pin_once() {
    let world = simulators::start(Seed(5)).await.expect("providers");
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let data = tempfile::tempdir().expect("a folder");
    let launch = Launch::on(data.path(), &[("shop.example", address)]).lease(3);
    let mut process = launch.start().await;
    let ada = process.customer("ada@example.com", 1_000, SCOPES).await;
    process.points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let business = ada.run("local_grid.business.add", business(&site)).await.data()["business_ref"].clone();
    connect(&ada, &world.dataforseo).await;
    world.dataforseo.fault_on(ORDER, Fault::AnswerLost, Some(1));
    let run = ada.run("local_grid.run.start", start(&business)).await.data()["run_ref"].clone();
    let asked = || world.dataforseo.requests().iter().filter(|it| it.path == ORDER).count();
    for _ in tries(600) {
        if asked() > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    process.kill();
    assert_eq!(world.dataforseo.effects().len(), 50, "the order has arrived and its answer is lost");
    process = launch.start().await;
    let ada = process.again(&ada);
    let ended = ada.wait_for("local_grid.run.get", json!({ "run_ref": run }), 120).await;
    assert_eq!((&ended["state"], &ended["pins_done"]), (&json!("succeeded"), &json!(50)), "{ended}");
    assert_eq!((asked(), world.dataforseo.effects().len()), (1, 50), "nothing was ordered twice");
    process.verify_ledger();
}

#[test]
fn both_revisions_list_every_operation_of_the_module() {
    let table = include_str!("../../../catalog/operations.tsv");
    let wanted: Vec<&str> =
        table.lines().filter_map(|line| line.split('\t').next()).filter(|it| it.starts_with("local_grid.")).collect();
    assert_eq!(wanted.len(), 20);
    for lock in [
        include_str!("../../../catalog/2026-08-15/local_grid.toml"),
        include_str!("../../../catalog/2026-09-28/local_grid.toml"),
    ] {
        for id in &wanted {
            assert!(lock.contains(&format!("[operations.\"{id}\"]")), "{id}");
        }
    }
}
