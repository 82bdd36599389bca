//! A business, its rivals and a provider that shows them, for the tests of this module.

use sdk::serde_json::Value;
use sdk::value::Id;
use sdk::{Fake, json};

use crate::geodesy::Point;
use crate::layout::Spot;
use crate::recognise::Rules;
use crate::stored::{Business, Run};
use site::Site;

pub(crate) const SITE: &str = "4503599627370496";
pub(crate) const BUSINESS: &str = "bus-1";
/// Trafalgar Square.
pub(crate) const CENTRE: Point = Point { latitude: 51.508, longitude: -0.128 };
const ORDER: &str = "/v3/serp/google/maps/task_post";
const RESULT: &str = "/v3/serp/google/maps/task_get/advanced";
const TABLE: &str = include_str!("../../../catalog/operations.tsv");

/// A customer with a website, a business and a provider.
pub(crate) fn shop() -> Fake {
    unconnected().connected("con-1", "dataforseo")
}

/// The same without a provider.
pub(crate) fn unconnected() -> Fake {
    let fake = crate::fake().with_as(SITE, website());
    fake.put_as(BUSINESS, business(CENTRE));
    fake
}

fn website() -> Site {
    Site {
        domain: "shop.example".to_owned(),
        origin: "https://shop.example".to_owned(),
        country: Some("GB".to_owned()),
        ..Site::default()
    }
}

pub(crate) fn business(point: Point) -> Business {
    Business {
        site_id: SITE.to_owned(),
        name: "Lamp shop London".to_owned(),
        address: Some("1 Lamp Street, London".to_owned()),
        point: Some(point),
        rules: Rules {
            place_id: Some("ChIJown".to_owned()),
            names: vec!["Lamp shop London".to_owned()],
            phone: Some("442079460101".to_owned()),
            domain: Some("shop.example".to_owned()),
        },
        created_ms: 1,
    }
}

/// A rival's name, where it stands in metres east and north of the business, its category and its ratings.
const RIVALS: [(&str, f64, f64, &str, u64); 4] = [
    ("North Lights", 0.0, 3_000.0, "Lighting store", 40),
    ("Famous Lamps", 200.0, 100.0, "Lighting store", 900),
    ("Small Lamps", 200.0, 100.0, "Lighting store", 3),
    ("Candle Corner", -150.0, 0.0, "Candle store", 12),
];

/// Names in the order of their places, as a result of the provider has them. `own` is the business; others are rivals, or
/// anybody.
pub(crate) fn items(names: &[String]) -> Value {
    let one = |(rank, name): (u32, &String)| {
        let rival = RIVALS.iter().find(|it| it.0 == name);
        let (east, north) = rival.map_or((500.0, -500.0), |it| (it.1, it.2));
        let point = CENTRE.towards(f64::atan2(east, north).to_degrees(), f64::hypot(east, north));
        let (title, place_id) = match name.as_str() {
            "own" => ("Lamp shop London".to_owned(), "ChIJown".to_owned()),
            name => (name.to_owned(), format!("ChIJ{}", name.replace(' ', ""))),
        };
        let point = if name == "own" { CENTRE } else { point };
        json!({
            "type": "maps_search", "rank_group": rank, "rank_absolute": rank, "title": title, "place_id": place_id,
            "domain": "else.example", "phone": "+44 20 7946 0999", "address": "2 Else Street", "category": rival.map_or("Lighting store", |it| it.3),
            "rating": { "value": 4.5, "votes_count": rival.map_or(20, |it| it.4) },
            "latitude": point.latitude, "longitude": point.longitude,
        })
    };
    (1..).zip(names).map(one).collect()
}

/// Twenty names with the business at this place, or nowhere, and a rival or others before and after it.
pub(crate) fn at(rank: u32, first: &str) -> Vec<String> {
    let mut names: Vec<String> = (1..=20).map(|number| format!("Somebody {number}")).collect();
    if let Ok(place) = usize::try_from(rank)
        && (1..=20).contains(&rank)
    {
        names[place - 1] = "own".to_owned();
    }
    if rank != 1 {
        names[0] = first.to_owned();
    }
    names
}

/// Starts a scan.
pub(crate) fn start(fake: &Fake, more: Value) -> String {
    let mut arguments = json!({ "business_ref": BUSINESS, "keywords": ["lamp shop"], "language": "en", "size": 3 });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fake.call("local_grid.run.start", arguments).unwrap()["run_ref"].as_str().unwrap().to_owned()
}

/// The name of a pin's task at the provider.
fn task(run: &str, keyword: u32, number: usize) -> String {
    format!("task-{run}-{keyword}-{number}")
}

/// The provider takes every order of a scan, and has these names for each keyword and pin.
pub(crate) fn provide(fake: &Fake, run: &str, shown: impl Fn(u32, &Spot) -> Vec<String>) {
    taken(fake, run);
    for (keyword, number, spot) in pins(fake, run) {
        result(fake, run, keyword, number, 20_000, &json!([{ "items": items(&shown(keyword, &spot)) }]));
    }
}

/// The provider takes every order of a scan.
pub(crate) fn taken(fake: &Fake, run: &str) {
    let orders: Vec<Value> = pins(fake, run)
        .into_iter()
        .flat_map(|(keyword, number, _)| (0..3).map(move |tries| (keyword, number, tries)))
        .map(|(keyword, number, tries)| {
            let tag = format!("{run}-{keyword}-{number}-{tries}");
            json!({ "id": task(run, keyword, number), "status_code": 20_100, "cost": 0.0006, "data": { "tag": tag } })
        })
        .collect();
    fake.provider_answers("POST", ORDER, 200, &json!({ "status_code": 20_000, "tasks": orders }));
}

/// What the provider says of one task.
pub(crate) fn result(fake: &Fake, run: &str, keyword: u32, number: usize, code: u32, result: &Value) {
    let answer = json!({ "status_code": 20_000, "tasks": [{ "status_code": code, "result": result }] });
    fake.provider_answers("GET", &format!("{RESULT}/{}", task(run, keyword, number)), 200, &answer);
}

/// Keyword, number and place of each pin of a scan.
pub(crate) fn pins(fake: &Fake, run: &str) -> Vec<(u32, usize, Spot)> {
    let run = fake.records::<Run>().get(&Id::new(run)).unwrap();
    let spots = run.grid.lay(run.centre);
    let keywords = 0..u32::try_from(run.keywords.len()).unwrap();
    keywords
        .flat_map(|it| spots.clone().into_iter().enumerate().map(move |(number, spot)| (it, number, spot)))
        .collect()
}

/// A scan that has ended, with these names for each keyword and pin.
pub(crate) fn scanned(fake: &Fake, more: Value, shown: impl Fn(u32, &Spot) -> Vec<String>) -> String {
    let run = start(fake, more);
    provide(fake, &run, shown);
    fake.work();
    run
}

/// Makes sure that every action anywhere in a result is one of the catalog, with arguments that it takes; how many.
pub(crate) fn actions_fit(value: &Value) -> usize {
    let mut found = 0;
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(id)), Some(Value::Object(arguments))) =
                (members.get("operation_id"), members.get("arguments"))
            {
                let mut rows = TABLE.lines().map(|it| it.split('\t').collect::<Vec<_>>());
                let row = rows.find(|row| row[0] == id).unwrap_or_else(|| panic!("no operation {id}"));
                assert!(sdk::served(id), "{id}");
                kit::listed::fits(row[9], arguments).unwrap_or_else(|why| panic!("{why}: {id} {arguments:?}"));
                found += 1;
            }
            found += members.values().map(actions_fit).sum::<usize>();
        }
        Value::Array(all) => found += all.iter().map(actions_fit).sum::<usize>(),
        _ => {}
    }
    found
}

#[test]
fn a_scan_or_business_that_is_not_there_is_not_found_at_its_argument() {
    let fake = shop();
    for (operation, arguments, pointer) in [
        ("grid.preview", json!({ "business_ref": "no" }), "/business_ref"),
        ("run.start", json!({ "business_ref": "no", "keywords": ["a"], "language": "en" }), "/business_ref"),
        ("run.list", json!({ "business_ref": "no" }), "/business_ref"),
        ("trend.report", json!({ "business_ref": "no", "keyword": "a" }), "/business_ref"),
        (
            "schedule.set",
            json!({ "business_ref": "no", "keywords": ["a"], "every": "off", "grid": { "language": "en" } }),
            "/business_ref",
        ),
        ("business.list", json!({ "site_id": "1" }), "/site_id"),
        ("run.get", json!({ "run_ref": "no" }), "/run_ref"),
        ("run.stop", json!({ "run_ref": "no" }), "/run_ref"),
        ("run.delete", json!({ "run_ref": "no" }), "/run_ref"),
        ("pin.list", json!({ "run_ref": "no" }), "/run_ref"),
        ("run.compare", json!({ "run_a": "no", "run_b": "no" }), "/run_a"),
        ("competitor.report", json!({ "run_ref": "no" }), "/run_ref"),
        ("zone.detect", json!({ "run_ref": "no" }), "/run_ref"),
        ("proximity.fit", json!({ "run_ref": "no" }), "/run_ref"),
        ("heatmap.render", json!({ "run_ref": "no" }), "/run_ref"),
    ] {
        let fault = fake.refusal(&format!("local_grid.{operation}"), arguments);
        assert!(fault.code.ends_with("_not_found"), "{operation}: {}", fault.code);
        assert_eq!(fault.pointer.as_deref(), Some(pointer), "{operation}");
    }
}
