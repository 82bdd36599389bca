//! Citations and landing pages.

use super::*;

fn page(name: &str, street: &str, postcode: &str, phone: &str, more: &str) -> String {
    format!(
        r#"<title>{name} | Directory</title><script type="application/ld+json">{{"@context":"https://schema.org","@type":"Store","name":"{name}","telephone":"{phone}","address":{{"@type":"PostalAddress","streetAddress":"{street}","postalCode":"{postcode}","addressLocality":"Lampton"}}}}</script><h1>{name}</h1>{more}"#
    )
}

/// Directories with planted errors.
fn web(fake: &Fake) {
    let serve =
        |url: &str, html: &str| fake.serve(url, 200, &[("content-type", "text/html; charset=utf-8")], html.as_bytes());
    let link = format!("<a href='{SHOP}'>Website</a>");
    serve("https://www.yell.com/biz/lamp", &page("Lamp Shop Lampton", "1 Lamp Ln", "TW3 4EW", "020 7946 0101", &link));
    serve(
        "https://www.thomsonlocal.com/lamp",
        &page(
            "Lamp shop Lampton Ltd",
            "1 Lamp Lane",
            "TW34EW",
            "+44 117 496 0999",
            "<a rel=nofollow href='https://shop.example/'>w</a>",
        ),
    );
    serve("https://www.scoot.co.uk/lamp", &page("Lamp shop", "7 Lamp Lane", "TW3 4EW", "+442079460101", ""));
    serve("https://www.scoot.co.uk/lamp-old", &page("Lamp shop Lampton", "1 Lamp Lane", "TW3 4EW", "02079460101", ""));
    serve(
        "https://news.example/lamps",
        "<title>Lamps</title><p>The lamp shop Lampton at 1 Lamp Lane can be called on 020 7946 0101.</p>",
    );
    serve("https://other.example/bakery", &page("Bakery Lampton", "2 Lamp Lane", "TW3 4EW", "020 7946 0555", ""));
    fake.fail("https://closed.example/lamp", sdk::Failure::Disallowed);
}

const URLS: [&str; 7] = [
    "https://www.yell.com/biz/lamp",
    "https://www.thomsonlocal.com/lamp",
    "https://www.scoot.co.uk/lamp",
    "https://www.scoot.co.uk/lamp-old",
    "https://news.example/lamps",
    "https://other.example/bakery",
    "https://closed.example/lamp",
];

fn scanned(fake: &Fake, arguments: Value) -> Value {
    let started = called(fake, "listings.citation.scan", arguments);
    ended(fake, &started)
}

#[test]
fn citations_are_graded_field_by_field_and_other_businesses_are_none() {
    let fake = Google::shop().fake();
    assert_eq!(refused(&fake, "listings.citation.scan", json!({})), at("nap_required", "/location_ref"));
    record(&fake);
    web(&fake);
    let done = scanned(&fake, json!({ "urls": URLS, "use_serp": false }));
    assert_eq!((&done["found"], &done["fetched"], &done["disallowed"]), (&json!(5), &json!(7), &json!(1)), "{done}");
    let listed = called(&fake, "listings.citation.list", json!({ "limit": 50 }));
    let row = |part: &str| {
        listed["citations"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["url"].as_str().unwrap().contains(part))
            .cloned()
            .unwrap()
    };
    let grades = |part: &str| {
        let row = row(part);
        ["name", "address", "phone"].map(|field| row["grades"][field].as_str().unwrap_or("null").to_owned())
    };
    assert_eq!(grades("yell.com"), ["exact", "exact", "exact"]);
    assert_eq!(grades("thomsonlocal"), ["exact", "exact", "conflict"]);
    assert_eq!(grades("scoot.co.uk/lamp-old"), ["exact", "exact", "exact"]);
    assert_eq!(grades("news.example"), ["exact", "exact", "exact"]);
    assert_eq!((&row("yell.com")["link"], &row("thomsonlocal")["link"]), (&json!("followed"), &json!("nofollow")));
    assert_eq!(
        (&row("closed.example")["state"], &row("closed.example")["grades"]),
        (&json!("disallowed"), &Value::Null)
    );
    assert_eq!(called(&fake, "listings.citation.list", json!({ "problem": "phone" }))["total"], 1);
    assert_eq!(called(&fake, "listings.citation.list", json!({ "problem": "duplicate" }))["total"], 1);
}

#[test]
fn the_score_falls_with_what_is_wrong_and_tasks_are_done_when_it_is_right() {
    let fake = Google::shop().fake();
    record(&fake);
    let none = called(&fake, "listings.citation.report", json!({}));
    assert_eq!(
        (&none["score"], &none["degraded"][0]["what"]),
        (&Value::Null, &json!("citations")),
        "nothing was looked at"
    );
    web(&fake);
    scanned(&fake, json!({ "urls": URLS, "use_serp": false }));
    let shown = called(&fake, "listings.citation.report", json!({}));
    let score = shown["score"].as_f64().unwrap();
    assert!(score > 60.0 && score < 95.0, "{score}");
    let first = &shown["corrections"][0];
    assert_eq!((&first["domain"], &first["fields"]), (&json!("thomsonlocal.com"), &json!(["phone"])), "{shown}");
    let missing: Vec<&str> =
        shown["missing"].as_array().unwrap().iter().filter_map(|it| it["domain"].as_str()).collect();
    assert!(
        missing.contains(&"facebook.com") && !missing.contains(&"yell.com") && !missing.contains(&"gelbeseiten.de")
    );
    let pack = called(
        &fake,
        "listings.citation.pack.create",
        json!({ "directories": ["thomsonlocal.com", "192.com", "www.yell.com", "scoot.co.uk"] }),
    );
    let works: Vec<&str> = pack["tasks"].as_array().unwrap().iter().filter_map(|it| it["work"].as_str()).collect();
    assert_eq!(works, ["correct", "submit", "claim", "merge"]);
    assert_eq!(pack["tasks"][0]["fields"]["phone"], "020 7946 0101");
    // A person corrects the directory, and the call of the task sees it.
    let right = page("Lamp shop Lampton", "1 Lamp Lane", "TW3 4EW", "020 7946 0101", "");
    fake.serve(URLS[1], 200, &[("content-type", "text/html; charset=utf-8")], right.as_bytes());
    let done = scanned(&fake, pack["tasks"][0]["next"][0]["arguments"].clone());
    assert!(done["tasks_done"].as_u64().unwrap() >= 1, "{done}");
    assert!(called(&fake, "listings.citation.report", json!({}))["score"].as_f64().unwrap() > score);
}

#[test]
fn without_search_results_pages_have_to_be_given() {
    let fake = Google::shop().fake();
    record(&fake);
    assert_eq!(refused(&fake, "listings.citation.scan", json!({})), at("connection_required", "/use_serp"));
    assert_eq!(refused(&fake, "listings.citation.scan", json!({ "use_serp": false })), at("nothing_to_scan", "/urls"));
    web(&fake);
    let done = scanned(&fake, json!({ "urls": [URLS[0]] }));
    assert_eq!((&done["found"], &done["degraded"][0]["what"]), (&json!(1), &json!("found")), "{done}");
}

#[test]
fn a_landing_page_is_compared_with_the_record_and_its_repair_is_given() {
    let right = r#"<html lang=en><head><title>Lamp shop Lampton</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"HomeGoodsStore","name":"Lamp shop Lampton","telephone":"+442079460101","address":{"@type":"PostalAddress","streetAddress":"1 Lamp Lane","postalCode":"TW3 4EW"},"geo":{"@type":"GeoCoordinates","latitude":51.4751,"longitude":-0.3641},"sameAs":["https://maps.google.com/maps?cid=1"],"openingHoursSpecification":[{"@type":"OpeningHoursSpecification","dayOfWeek":["Monday","Tuesday","Wednesday","Thursday","Friday"],"opens":"09:00","closes":"17:30"}]}</script></head><body><h1>Lamp shop Lampton</h1><p>1 Lamp Lane, Lampton TW3 4EW</p><p><a href="tel:+442079460101">020 7946 0101</a></p><p>Monday to Friday 9:00 to 5:30 pm</p><a href="https://www.google.com/maps/place/x">Map</a></body></html>"#;
    let fake = Google::shop().fake().serving(SHOP, right);
    record(&fake);
    let found = called(&fake, "listings.landing_page.check", json!({}));
    let failing: Vec<&Value> = found["checks"].as_array().unwrap().iter().filter(|it| it["pass"] == false).collect();
    assert!(failing.is_empty(), "{failing:?}");
    assert_eq!(
        (&found["score"], &found["degraded"][0]["what"]),
        (&json!(100.0), &json!("checks")),
        "no crawl: its links are not known"
    );
    let poor =
        Google::shop().fake().serving(SHOP, "<title>Lamps</title><p>Call 0117 496 0999. We are at 7 Lamp Lane.</p>");
    record(&poor);
    let found = called(&poor, "listings.landing_page.check", json!({}));
    let check =
        |id: &str| found["checks"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap()["pass"].clone();
    for id in ["name_visible", "phone_visible", "phone_link", "markup", "map", "title", "h1", "hours_visible"] {
        assert_eq!(check(id), json!(false), "{id}");
    }
    assert_eq!(check("markup_geo"), Value::Null, "there is no structured data");
    let markup = &found["jsonld"];
    assert_eq!((&markup["telephone"], &markup["address"]["postalCode"]), (&json!("+442079460101"), &json!("TW3 4EW")));
    assert_eq!(markup["openingHoursSpecification"].as_array().unwrap().len(), 5);
}

#[test]
fn of_a_page_that_a_script_makes_nothing_is_said() {
    let fake = Google::shop()
        .fake()
        .serving(SHOP, "<title>Lamp shop Lampton</title><div id=app></div><script src=/app.js></script>");
    record(&fake);
    let found = called(&fake, "listings.landing_page.check", json!({}));
    let check =
        |id: &str| found["checks"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap()["pass"].clone();
    assert_eq!(
        (check("name_visible"), check("phone_visible"), check("title")),
        (Value::Null, Value::Null, json!(true))
    );
    assert!(found["degraded"].as_array().unwrap().iter().any(|it| it["why"].as_str().unwrap().contains("scripts")));
}

#[test]
fn a_page_of_two_megabytes_of_names_and_numbers_is_compared_within_bounds() {
    let long = "Lamp shop Lampton ".repeat(60_000);
    let heavy = page(&long, "1 Lamp Lane", "TW3 4EW", "020 7946 0101", &"<p>7 st 020 7946 0101</p>".repeat(40_000));
    let fake = Google::shop().fake().serving("https://heavy.example/", &heavy);
    record(&fake);
    let done = scanned(&fake, json!({ "urls": ["https://heavy.example/"], "use_serp": false }));
    assert_eq!((&done["fetched"], &done["unreachable"]), (&json!(1), &json!(0)), "{done}");
}
