//! Names that are suggested, and what a domain was before.

use sdk::json;
use sdk::serde_json::Value;
use site::Site;

fn texts(list: &Value, member: &str) -> Vec<String> {
    let all = list.as_array().expect("a list").iter();
    all.map(|it| it[member].as_str().unwrap_or_default().to_owned()).collect()
}

/// A world in which a registry answers for .com: these names are taken, all others are free.
fn registry(taken: &[&str]) -> sdk::Fake {
    let fake = crate::fake();
    let list = json!({ "services": [[["com"], ["https://rdap.registry.example/"]]] });
    fake.serve(
        "https://data.iana.org/rdap/dns.json",
        200,
        &[("content-type", "application/json")],
        list.to_string().as_bytes(),
    );
    let taken: Vec<String> = taken.iter().map(|&it| it.to_owned()).collect();
    for name in &taken {
        fake.name(name, "NS", &["ns1.dns.example."]);
    }
    fake.web_plays(move |url| {
        let name = url.strip_prefix("https://rdap.registry.example/domain/")?.to_owned();
        let status = if taken.contains(&name) { 200 } else { 404 };
        let body = json!({ "objectClassName": "domain", "ldhName": name }).to_string();
        Some((status, vec![("content-type".to_owned(), "application/rdap+json".to_owned())], body.into_bytes()))
    });
    fake
}

#[test]
fn names_are_made_of_the_words_and_only_free_ones_are_called_free() {
    let fake = registry(&["lampstudio.com", "lamp.com"]);
    let seen = fake
        .call("domains.name.suggest", json!({ "words": ["Lamp", "studio"], "tlds": ["com"], "limit": 10 }))
        .expect("it");
    let names = texts(&seen["names"], "name");
    assert_eq!(names.len(), 10, "{seen}");
    assert!(!names.contains(&"lampstudio.com".to_owned()) && !names.contains(&"lamp.com".to_owned()), "{names:?}");
    assert!(seen["names"].as_array().expect("a list").iter().all(|it| it["state"] == "available"), "{seen}");
    let scores: Vec<f64> =
        seen["names"].as_array().expect("a list").iter().map(|it| it["score"].as_f64().expect("a score")).collect();
    assert!(
        scores.windows(2).all(|it| it[0] >= it[1]) && scores.iter().all(|it| (0.0..=1.0).contains(it)),
        "{scores:?}"
    );
    assert_eq!(seen["next"][0]["operation_id"], "domains.register.quote");
    assert!(seen["taken"].as_u64().expect("a number") >= 1);
    assert!(seen["degraded"][0]["why"].as_str().expect("words").contains("trademarks"));
}

#[test]
fn where_no_registry_answers_nothing_is_called_free() {
    let seen = crate::fake().call("domains.name.suggest", json!({ "words": ["lamp"], "limit": 5 })).expect("it");
    assert!(seen["names"].as_array().expect("a list").iter().all(|it| it["state"] == "unknown"), "{seen}");
    assert_eq!(seen["next"], json!([]));
}

#[test]
fn names_that_are_like_a_competitors_are_dropped_and_told() {
    let fake = registry(&[]);
    fake.put_as("81", Site { domain: "shop.example".to_owned(), ..Site::default() });
    let domains = ["lampshops.com", "getlamp.com", "1amp.com"].map(str::to_owned).into();
    fake.put_as("81", crate::suggest::Competitors { domains });
    let seen = fake
        .call("domains.name.suggest", json!({ "words": ["lamp", "shop"], "tlds": ["com"], "limit": 50 }))
        .expect("it");
    let clashes: Vec<(String, String)> =
        texts(&seen["clashes"], "name").into_iter().zip(texts(&seen["clashes"], "why")).collect();
    for (name, why) in [("lampshop", "one_letter"), ("getlamp", "confusable"), ("lamp", "confusable")] {
        assert!(clashes.contains(&(name.to_owned(), why.to_owned())), "{name}: {clashes:?}");
    }
    assert!(texts(&seen["names"], "name").iter().all(|it| it != "lampshop.com" && it != "lamp.com"));
    for (arguments, pointer, code) in [
        (json!({ "words": ["--"] }), "/words/0", "invalid_word"),
        (json!({ "words": ["lamp"], "tlds": ["com", "nosuffixatall"] }), "/tlds/1", "not_a_suffix"),
    ] {
        let refused = fake.refusal("domains.name.suggest", arguments);
        assert_eq!((refused.pointer.as_deref(), refused.code.as_str()), (Some(pointer), code));
    }
}

/// A page of so many words about something.
fn page(title: &str, sentence: &str) -> String {
    format!(
        "<html><head><title>{title}</title></head><body><h1>{title}</h1><p>{}</p></body></html>",
        sentence.repeat(30)
    )
}

/// An archive with one capture a year, the oldest first.
fn archived(pages: &[(u32, &str)]) -> sdk::Fake {
    let fake = crate::fake();
    let mut rows = vec![json!(["timestamp", "original", "statuscode", "mimetype", "digest"])];
    for (year, html) in pages {
        rows.push(json!([format!("{year}0601120000"), "http://old.com/", "200", "text/html", format!("D{year}")]));
        let address = format!("https://web.archive.org/web/{year}0601120000id_/http://old.com/");
        fake.serve(&address, 200, &[("content-type", "text/html")], html.as_bytes());
    }
    let index = "https://web.archive.org/cdx/search/cdx?url=old.com/&collapse=timestamp:4&fl=timestamp,original,statuscode,mimetype,digest&limit=40&output=json";
    fake.serve(index, 200, &[("content-type", "application/json")], json!(rows).to_string().as_bytes());
    fake
}

const LAMPS: &str = "We repair old lamps and sell handmade brass lanterns with glass shades for every living room. ";
const BOATS: &str = "Our sailing school teaches navigation, knots and safe harbour manoeuvres on small wooden boats. ";

fn past(fake: &sdk::Fake) -> Value {
    fake.call("domains.history.get", json!({ "domain": "www.old.com" })).expect("it")
}

#[test]
fn a_quiet_past_is_clean_and_told_by_year() {
    let (one, two) = (page("Lamps of Bath", LAMPS), page("Lamps of Bath, repaired", LAMPS));
    let seen = past(&archived(&[(2019, &one), (2021, &two)]));
    assert_eq!(
        (&seen["verdict"], &seen["warnings"], &seen["domain"]),
        (&json!("clean"), &json!([]), &json!("old.com")),
        "{seen}"
    );
    let years: Vec<u64> =
        seen["years"].as_array().expect("a list").iter().map(|it| it["year"].as_u64().expect("a year")).collect();
    assert_eq!(years, [2021, 2019]);
    assert_eq!(
        (&seen["topics"][0]["language"], &seen["topics"][0]["title"]),
        (&json!("en"), &json!("Lamps of Bath, repaired"))
    );
    assert!(seen["referring_domains"].is_null());
}

#[test]
fn parked_spam_and_changed_periods_are_told_with_their_year() {
    let (lamps, boats) = (page("Lamps of Bath", LAMPS), page("Sailing school", BOATS));
    let parked = "<html><head><title>old.com</title></head><body><p>This domain is for sale.</p></body></html>";
    let spam = page("Best casino slots, poker and betting bonus", LAMPS);
    let german = page(
        "Lampen aus Bath",
        "Wir reparieren alte Lampen und verkaufen handgemachte Laternen aus Messing für jedes Wohnzimmer. ",
    );
    for (pages, id, verdict) in [
        (vec![(2018, lamps.as_str()), (2020, boats.as_str())], "topic_changed", "mixed"),
        (vec![(2018, lamps.as_str()), (2020, german.as_str())], "language_changed", "mixed"),
        (vec![(2018, lamps.as_str()), (2020, parked)], "parked", "mixed"),
        (vec![(2018, lamps.as_str()), (2020, spam.as_str())], "spam_words", "risky"),
    ] {
        let seen = past(&archived(&pages));
        let warning = &seen["warnings"][0];
        assert_eq!((&warning["id"], &seen["verdict"]), (&json!(id), &json!(verdict)), "{seen}");
        assert!(warning["captured_at"].as_str().expect("a moment").starts_with("2020-06-01"), "{warning}");
    }
}

#[test]
fn where_the_archive_does_not_answer_the_verdict_is_unknown() {
    let seen = past(&crate::fake());
    assert_eq!((&seen["verdict"], &seen["years"]), (&json!("unknown"), &json!([])), "{seen}");
    assert!(texts(&seen["degraded"], "what").contains(&"years".to_owned()));
    let empty = crate::fake();
    let index = "https://web.archive.org/cdx/search/cdx?url=old.com/&collapse=timestamp:4&fl=timestamp,original,statuscode,mimetype,digest&limit=40&output=json";
    empty.serve(index, 200, &[("content-type", "application/json")], b"[]");
    let seen = past(&empty);
    assert_eq!((&seen["verdict"], &seen["warnings"][0]["id"]), (&json!("unknown"), &json!("never_archived")), "{seen}");
}

#[test]
fn a_list_is_believed_only_where_it_answers_as_lists_do() {
    let html = page("Lamps of Bath", LAMPS);
    for (test, own, state, verdict) in [
        (Some("127.0.0.2"), Some("127.0.1.2"), "listed", "risky"),
        (Some("127.0.0.2"), None, "clean", "clean"),
        (Some("127.0.0.2"), Some("127.255.255.254"), "unknown", "clean"),
        (None, Some("127.0.1.2"), "unknown", "clean"),
    ] {
        let fake = archived(&[(2019, &html)]);
        fake.blocklists(&["dbl.list.example"]);
        if let Some(test) = test {
            fake.name("TEST.dbl.list.example", "A", &[test]);
        }
        if let Some(own) = own {
            fake.name("old.com.dbl.list.example", "A", &[own]);
        }
        let seen = past(&fake);
        assert_eq!(
            (&seen["blocklists"][0]["state"], &seen["verdict"]),
            (&json!(state), &json!(verdict)),
            "{test:?} {own:?} {seen}"
        );
    }
}
