//! Drafts that are checked before they are published, and markup of what a page shows.

use sdk::json;
use sdk::serde_json::Value;

use crate::tests::{LAMP, PAGE, actions_fit, host};

#[test]
fn findings_in_a_draft_have_the_line_of_their_place() {
    let draft = "{\n\"@context\": \"https://schema.org\",\n\"@type\": \"Product\",\n\"name\": \"Lamp\",\n\"offers\": {\n\"@type\": \"Offer\",\n\"price\": \"cheap\",\n\"priceCurrency\": \"Euro\"}}";
    let checked = host().call("schema.markup.validate", json!({ "jsonld": draft })).unwrap();
    let line = |code: &str| {
        checked["errors"].as_array().unwrap().iter().find(|it| it["code"] == code).map(|it| it["line"].clone())
    };
    assert_eq!(line("not_a_currency"), Some(json!(8)), "{checked:#}");
    assert_eq!((checked["valid"].clone(), actions_fit(&checked) > 0), (json!(false), true));
    let broken = host().call("schema.markup.validate", json!({ "jsonld": "{\n\"@type\": \"Product\",\n}" })).unwrap();
    assert_eq!((&broken["parse_errors"][0]["line"], &broken["valid"]), (&json!(3), &json!(false)));
    let pasted = "<script type=\"application/ld+json\">{\"@context\":\"https://schema.org\",\"@type\":\"Person\",\"name\":\"Ada\"}</script>";
    assert_eq!(host().call("schema.markup.validate", json!({ "jsonld": pasted })).unwrap()["valid"], true);
}

#[test]
fn a_product_says_what_its_page_shows_and_where() {
    let made =
        host().call("schema.markup.generate", json!({ "url": PAGE, "type": "Product", "site_id": "81" })).unwrap();
    let node = &made["jsonld"]["@graph"][0];
    assert_eq!(
        (&node["name"], &node["sku"], &node["brand"]["name"]),
        (&json!("Brass lamp"), &json!("L-1"), &json!("Lampworks"))
    );
    assert_eq!((&node["offers"]["price"], &node["offers"]["priceCurrency"]), (&json!("89.00"), &json!("EUR")));
    assert_eq!(node["offers"]["availability"], "https://schema.org/InStock");
    assert_eq!(made["sources"]["name"], "html > body > main > h1");
    assert!(node.get("aggregateRating").is_none());
    assert_eq!((&made["valid"], &made["missing_required"]), (&json!(true), &json!([])));
    assert_eq!(made["jsonld"]["@graph"][1]["@id"], "https://shop.example/#organization");
    assert_eq!(actions_fit(&made), 2);
}

#[test]
fn a_trail_becomes_breadcrumbs() {
    let made = host().call("schema.markup.generate", json!({ "url": PAGE, "type": "BreadcrumbList" })).unwrap();
    let steps = made["jsonld"]["itemListElement"].as_array().unwrap();
    assert_eq!(steps.len(), 3, "{made:#}");
    assert_eq!((&steps[1]["item"], &steps[2]["name"]), (&json!("https://shop.example/products"), &json!("Brass lamp")));
    assert_eq!(made["valid"], true);
}

#[test]
fn ratings_and_prices_that_the_page_does_not_show_are_refused() {
    let fake = host();
    let with = |overrides: Value| {
        fake.call("schema.markup.generate", json!({ "url": PAGE, "type": "Product", "overrides": overrides }))
    };
    let refused =
        with(json!({ "aggregateRating": { "@type": "AggregateRating", "ratingValue": 4.9, "ratingCount": 312 } }))
            .unwrap_err();
    assert_eq!(
        (refused.code.as_str(), refused.pointer.as_deref()),
        ("not_visible", Some("/overrides/aggregateRating"))
    );
    assert_eq!(with(json!({ "offers": { "@type": "Offer", "price": "49.00" } })).unwrap_err().code, "not_visible");
    assert!(
        with(json!({ "offers": { "@type": "Offer", "price": "89.00", "priceCurrency": "EUR" }, "color": "gold" }))
            .is_ok()
    );
}

#[test]
fn what_other_pages_show_makes_up_their_types() {
    let page =
        |body: &str| format!("<!doctype html><html lang=en><title>a</title><body><main>{body}</main></body></html>");
    let text = "<p>This is a paragraph that is long enough to be taken for the beginning of the text.</p>";
    let recipe = page(&format!(
        "<h1>Soup</h1>{text}<img src=/s.png width=600 height=400><p>Cook time: 1 hour 20 minutes</p><p>Serves: 4</p><h2>Ingredients</h2><ul><li>Water</li><li>Salt</li></ul><h2>Method</h2><ol><li>Boil.</li><li>Stir.</li></ol>"
    ));
    let post = page(&format!(
        "<h1>Brass</h1><p class=byline>By <a rel=author>Ada Byron</a></p><time datetime=2026-03-01 class=published>1 March 2026</time>{text}"
    ));
    let video = page(&format!(
        "<h1>How</h1>{text}<video src=/v.mp4 poster=/t.png></video><time datetime=2026-03-01>1 March</time>"
    ));
    let job = page(&format!(
        "<h1>Lamp maker</h1>{text}<dl><dt>Company</dt><dd>Lampshop</dd><dt>Location</dt><dd>Berlin, DE</dd><dt>Posted</dt><dd>1 March 2026</dd><dt>Employment type</dt><dd>Full time</dd></dl>"
    ));
    let event = page(&format!(
        "<h1>Workshop</h1>{text}<time datetime='2027-01-16T10:00'>16 January</time><p>Location: Lampshop, Berlin</p>"
    ));
    let profile = page(&format!("<h1>Ada Byron</h1>{text}<a href='https://github.com/ada'>GitHub</a>"));
    let question = page(&format!(
        "<h1>How is brass cleaned?</h1>{text}<div class=answer>With soap.</div><div class=answer>With salt.</div>"
    ));
    for (kind, html, path, wanted) in [
        ("Recipe", &recipe, "/cookTime", json!("PT1H20M")),
        ("Recipe", &recipe, "/recipeIngredient/1", json!("Salt")),
        ("BlogPosting", &post, "/author/name", json!("Ada Byron")),
        ("NewsArticle", &post, "/datePublished", json!("2026-03-01")),
        ("Article", &post, "/headline", json!("Brass")),
        ("VideoObject", &video, "/thumbnailUrl/0", json!("https://shop.example/t.png")),
        ("JobPosting", &job, "/jobLocation/address/addressCountry", json!("DE")),
        ("JobPosting", &job, "/employmentType", json!("FULL_TIME")),
        ("Event", &event, "/startDate", json!("2027-01-16T10:00")),
        ("ProfilePage", &profile, "/mainEntity/sameAs/0", json!("https://github.com/ada")),
        ("QAPage", &question, "/mainEntity/answerCount", json!(2)),
        ("Course", &profile, "/name", json!("Ada Byron")),
        ("Service", &profile, "/name", json!("Ada Byron")),
        ("SoftwareApplication", &profile, "/name", json!("Ada Byron")),
    ] {
        let fake = host().serving("https://shop.example/x", html);
        let made =
            fake.call("schema.markup.generate", json!({ "url": "https://shop.example/x", "type": kind })).unwrap();
        assert_eq!(made["jsonld"].pointer(path), Some(&wanted), "{kind} {made:#}");
        assert!(actions_fit(&made) > 0);
    }
    assert!(LAMP.contains("Add to cart"));
}

#[test]
fn what_a_page_says_of_itself_is_not_taken_for_its_content() {
    let made = |kind: &str, body: &str| {
        let html = format!(
            "<!doctype html><html lang=en><title>a</title><body><main><h1>Brass</h1>{body}</main></body></html>"
        );
        let fake = host().serving("https://shop.example/x", &html);
        fake.call("schema.markup.generate", json!({ "url": "https://shop.example/x", "type": kind })).unwrap()["jsonld"]
            .clone()
    };
    let find = |made: &Value, name: &str| -> Value {
        made.pointer(&format!("/@graph/0/{name}")).or_else(|| made.get(name)).cloned().unwrap_or_default()
    };
    let lead = "<p>Brass is an alloy of copper and zinc that lamps have been made of for two thousand years.</p>";
    let bylines = [
        "<p>Posted by Ada Byron and Grace Hopper on 1 March 2026, filed under lamps.</p>",
        "<p>By Ada Byron, who has written of lamps since 1998 for this shop</p>",
        "<p>Veröffentlicht am 1. März 2026 von der Redaktion der Lampenwelt</p>",
    ];
    for byline in bylines {
        let description = find(&made("Article", &format!("{byline}{lead}")), "description");
        assert!(description.as_str().unwrap().starts_with("Brass is an alloy"), "{byline}: {description}");
    }
    for ornament in ["down.gif", "icons/arrow-right.png", "spacer.gif", "sprite@2x.png", "logo.svg"] {
        let image = find(&made("Article", &format!("<img src=/{ornament}>{lead}<img src=/brass-lamp.jpg>")), "image");
        assert!(image.to_string().contains("brass-lamp.jpg"), "{ornament}: {image}");
    }
    let figure = find(&made("Article", &format!("{lead}<figure><img src=/star.jpg></figure>")), "image");
    assert!(figure.to_string().contains("star.jpg"), "a figure is content: {figure}");
    let published = "<p class=entry-meta>Published <time datetime=2026-03-01>1 March 2026</time></p>";
    let own = made("Event", &format!("{published}{lead}"));
    assert!(find(&own, "startDate").is_null(), "{own}");
    let event =
        made("Event", &format!("{published}{lead}<p>Doors open <time datetime='2027-01-16T10:00'>at ten</time></p>"));
    assert_eq!(find(&event, "startDate"), "2027-01-16T10:00");
}
