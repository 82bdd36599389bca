//! A panel, evidence, and what no answer of these operations may have in it, for the tests.

use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::trial::{CENTRE, at, scanned, shop};

/// Members that would tell a place, a direction or a way.
const PLACES: [&str; 18] = [
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

/// Makes sure that an answer tells no place, by no name and by no number.
pub(crate) fn tells_no_place(value: &Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                assert!(!PLACES.contains(&name.as_str()), "{name} is in an answer");
                tells_no_place(value);
            }
        }
        Value::Array(all) => all.iter().for_each(tells_no_place),
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            let near = |place: f64| number.fract() != 0.0 && (number - place).abs() < 0.05;
            assert!(!near(CENTRE.latitude) && !near(CENTRE.longitude), "{number} is a coordinate");
        }
        Value::String(text) => assert!(!text.contains("51.5") && !text.contains("-0.1"), "{text} tells a place"),
        _ => {}
    }
}

/// Calls an operation; its answer tells no place.
pub(crate) fn call(fake: &Fake, operation: &str, arguments: Value) -> Value {
    let answer = fake.call(&format!("local_grid.gmb_signals.{operation}"), arguments).unwrap();
    tells_no_place(&answer);
    answer
}

/// A customer with a panel whose every task is seen by so many people, and a scan with a weak north.
pub(crate) fn ready(seen: u32) -> (Fake, String) {
    let fake = shop().connected("con-2", "fulfilment");
    panel(&fake, 400, seen);
    let run = scanned(&fake, json!({ "size": 5 }), |_, spot| at(if spot.row < 2 { 12 } else { 2 }, "Famous Lamps"));
    (fake, format!("{run}-0"))
}

/// A panel with an audience of so many people.
pub(crate) fn panel(fake: &Fake, people: u32, seen: u32) {
    let audience = |name: &str, people: u32, countries: Value| {
        json!({
            "audience_ref": name, "name": name, "people": people, "countries": countries, "topics": [], "consent_basis": "opt-in, 2026-02 wording",
            "weekly_cap": 2, "acceptance_28d": 0.4,
        })
    };
    let audiences = json!([audience("aud_near", people, json!(["GB"])), audience("aud_far", 5_000, json!(["JP"]))]);
    fake.provider_answers("GET", "/v1/audiences", 200, &json!({ "audiences": audiences, "next_cursor": null }));
    let task = |state: &str, offered: u32| json!({ "task_ref": "task_1", "state": state, "quantity": 1, "offered": offered, "accepted": 0, "declined": 0, "done": 0 });
    fake.provider_answers("POST", "/v1/tasks", 201, &task("open", 0));
    fake.provider_answers("GET", "/v1/tasks/task_1", 200, &task("done", seen));
}

/// Arguments of a campaign on a source, with the hash of its quote.
pub(crate) fn quoted(fake: &Fake, source: &str) -> Value {
    let mut arguments = json!({ "source_refs": [source], "daily_actions": 10, "duration_days": 7 });
    let quote = call(fake, "campaign.quote", arguments.clone());
    arguments["expected_quote_hash"] = quote["quote_hash"].clone();
    arguments["native_idempotency_key"] = json!("spring-2026");
    arguments
}
