//! What the provider is asked and how its answers are read.

use super::*;

fn ordered(spacing_m: u32) -> Value {
    let point = Point { latitude: 51.508_123_456_78, longitude: -0.000_000_012 };
    Order { keyword: "50% off + lamps", point, spacing_m, language: "en", depth: 40, tag: "run-1-0-3-0".into() }
        .written()
}

#[test]
fn an_order_is_written_as_the_provider_documents_it() {
    let wanted = json!({
        "keyword": "50%25 off %2B lamps", "location_coordinate": "51.5081235,-0.0000000,15z", "language_code": "en",
        "device": "desktop", "depth": 40, "priority": 1, "search_this_area": true, "search_places": false, "tag": "run-1-0-3-0",
    });
    assert_eq!(ordered(1_000), wanted);
    for (spacing, zoom) in [(100, "17z"), (500, "16z"), (3_000, "14z"), (5_000, "13z"), (10_000, "12z")] {
        assert!(ordered(spacing)["location_coordinate"].as_str().unwrap().ends_with(zoom), "{spacing}");
    }
}

#[test]
fn businesses_are_read_in_order_without_advertisements_and_what_lacks_a_name_or_rank() {
    let elements = json!([
        { "type": "maps_search", "rank_group": 2, "title": "B", "rating": { "value": 4.5, "votes_count": 7 }, "latitude": 1.0, "longitude": 2.0 },
        { "type": "maps_paid_item", "rank_group": 1, "title": "Advertisement" },
        { "type": "maps_search", "rank_group": 1, "title": " A ", "place_id": "x", "rating": null, "latitude": null, "longitude": 2.0, "phone": "" },
        { "type": "maps_search", "rank_group": 0, "title": "C" },
        { "type": "maps_search", "rank_group": 3 },
    ]);
    let items = items(&elements);
    assert_eq!(items.iter().map(|it| (it.rank, it.seen.name.as_str())).collect::<Vec<_>>(), [(1, "A"), (2, "B")]);
    assert_eq!(
        (items[0].seen.place_id.as_deref(), items[0].seen.phone.as_deref(), items[0].seen.point),
        (Some("x"), None, None)
    );
    assert_eq!(
        (items[1].rating, items[1].votes, items[1].seen.point),
        (Some(4.5), Some(7), Some(Point { latitude: 1.0, longitude: 2.0 }))
    );
    assert!(super::items(&Value::Null).is_empty());
}
