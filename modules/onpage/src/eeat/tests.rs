//! What `eeat` has to do, sentence by sentence.

use sdk::json;

use super::Signal;
use crate::tests::{GUIDE, host, html};

#[test]
fn a_page_with_an_author_dates_sources_and_links_scores_high() {
    let data = host().call("onpage.eeat.check", json!({ "url": GUIDE })).unwrap();
    assert!(data["score"].as_u64().unwrap() >= 90, "{data}");
    let found =
        |signal: &str| data["evidence"].as_array().unwrap().iter().find(|it| it["signal"] == signal).unwrap().clone();
    assert_eq!(
        (&found("author")["value"], &found("author_profile")["value"]),
        (&json!("Ada Lovelace"), &json!("https://shop.example/author/ada"))
    );
    assert_eq!((&found("contact")["where"], &found("privacy")["where"]), (&json!("nav"), &json!("footer")));
    assert!(found("sources")["value"].as_str().unwrap().contains("museum.example"));
    assert_eq!(found("ownership")["value"], "© 2026 Lampshop Ltd");
    let missing: Vec<&str> =
        data["missing"].as_array().unwrap().iter().map(|it| it["signal"].as_str().unwrap()).collect();
    assert_eq!(missing, ["reviewer", "disclosure"]);
}

#[test]
fn what_is_missing_is_named_with_the_most_points_first() {
    let fake =
        host().serving("http://bare.example/", &html("", "<main><p>Buy now. It is the best there is.</p></main>"));
    let data = fake.call("onpage.eeat.check", json!({ "url": "http://bare.example/", "site_id": "81" })).unwrap();
    assert_eq!((&data["score"], &data["missing"][0]["signal"]), (&json!(0), &json!("author")));
    assert_eq!(
        data["missing"][0]["fix"],
        json!({ "operation_id": "authors.byline.audit", "arguments": { "site_id": "81" } })
    );
    assert_eq!(data["missing"].as_array().unwrap().len(), 15);
}

#[test]
fn all_points_together_are_a_hundred() {
    let all = [
        Signal::Author,
        Signal::AuthorProfile,
        Signal::AuthorMarkup,
        Signal::Published,
        Signal::Modified,
        Signal::Reviewer,
        Signal::Sources,
        Signal::Contact,
        Signal::About,
        Signal::Privacy,
        Signal::Terms,
        Signal::Ownership,
        Signal::PublisherMarkup,
        Signal::Disclosure,
        Signal::Secure,
    ];
    assert_eq!(all.iter().map(|it| it.points()).sum::<u32>(), 100);
}

#[test]
fn words_that_only_look_like_a_signal_are_none() {
    let signals = |body: &str| {
        let fake = host().serving("https://shop.example/w", &html("", body));
        let data = fake.call("onpage.eeat.check", json!({ "url": "https://shop.example/w" })).unwrap();
        let found = data["evidence"].as_array().unwrap().iter().filter(|it| it["found"] == true);
        found.map(|it| it["signal"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let none = [
        "<a href=/weather-conditions>Weather conditions</a>",
        "<a href=/chains>What about chains?</a>",
        "<a href=/about-chains>About chains</a>",
        "<a href=/contact-lenses>Contact lenses</a>",
        "<a href=/terminal>Terminals</a>",
        "<p>The provision of spare parts is the duty of the maker.</p>",
        "<p>Every newspaper had its advertisement for lamps, and Werbung was everywhere.</p>",
        "<a href=/mentions-of-lamps>Mentions of lamps</a>",
    ];
    for body in none {
        assert_eq!(signals(body), ["secure"], "{body}");
    }
    let some = [
        ("<a href=/terms-and-conditions>Legal</a>", "terms"),
        ("<a href=/x>Terms of use</a>", "terms"),
        ("<a href=/agb>AGB</a>", "terms"),
        ("<a href=/about-us>Us</a>", "about"),
        ("<a href='/%C3%BCber-uns.html'>Wir</a>", "about"),
        ("<a href=/x>About the company</a>", "about"),
        ("<a href=/contact.php>Write to us</a>", "contact"),
        ("<a href=/x>Mentions légales</a>", "ownership"),
        ("<a href=/privacy-policy>Legal</a>", "privacy"),
        ("<p>This page has affiliate links: we may earn a little.</p>", "disclosure"),
        ("<p>Kaufen Sie darüber, erhalten wir eine Provision.</p>", "disclosure"),
        ("<p>Anzeige</p>", "disclosure"),
    ];
    for (body, signal) in some {
        assert!(signals(body).iter().any(|it| it == signal), "{body}");
    }
}
