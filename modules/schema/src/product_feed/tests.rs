//! Feeds read, and compared with their pages.

use sdk::json;

use super::read::{Offer, feed};
use crate::tests::{PAGE, actions_fit, host};

const RSS: &str = "<?xml version='1.0'?><rss xmlns:g='http://base.google.com/ns/1.0'><channel><title>Shop</title><link>https://shop.example/</link>
<item><g:id>L-1</g:id><title><![CDATA[Brass lamp & shade]]></title><link>https://shop.example/products/lamp-1</link><g:price>79.00 EUR</g:price><g:availability>out_of_stock</g:availability><g:gtin>4006381333932</g:gtin><g:shipping><g:price>3 EUR</g:price></g:shipping></item>
<item><g:id>L-2</g:id><g:title>Oak &amp; co</g:title><g:link>https://else.example/x</g:link><g:price>1 EUR</g:price></item></channel></rss>";

#[test]
fn rss_atom_and_tables_give_the_same_items() {
    let found = feed(RSS, 10);
    assert_eq!((found.offers.len(), found.cut), (2, false));
    assert_eq!((found.offers[0].title.as_str(), found.offers[0].price.as_str()), ("Brass lamp & shade", "79.00 EUR"));
    assert_eq!(found.offers[1].title, "Oak & co");
    let atom = "<feed><entry><id>L-1</id><title>Lamp</title><link href='https://a.example/?a=1&amp;b=2'/><g:price>5 EUR</g:price></entry></feed>";
    assert_eq!(feed(atom, 10).offers[0].link, "https://a.example/?a=1&b=2");
    let table = "\u{feff}id;title;link;price\r\nL-1;\"Brass; \"\"big\"\"\r\nlamp\";https://a.example/;\"1.299,00 EUR\"\r\n\r\nL-2;b;https://b.example/;2";
    let rows = feed(table, 10).offers;
    assert_eq!(
        (rows.len(), rows[0].title.as_str(), rows[0].price.as_str()),
        (2, "Brass; \"big\"\r\nlamp", "1.299,00 EUR")
    );
    assert_eq!(feed("id\ttitle\tlink\nA\tb\thttps://c.example/", 10).offers[0].link, "https://c.example/");
    assert_eq!((feed(RSS, 1).offers.len(), feed(RSS, 1).cut), (1, true));
    assert_eq!(feed("<html><p>no feed", 10).offers, Vec::<Offer>::new());
    assert_eq!(feed("<item><item><item", 10).offers, Vec::<Offer>::new());
}

#[test]
fn each_difference_between_feed_and_page_is_told() {
    let fake = host();
    fake.serve("https://shop.example/feed.xml", 200, &[("content-type", "text/xml")], RSS.as_bytes());
    let question = json!({ "feed_url": "https://shop.example/feed.xml", "site_id": "81" });
    let started = fake.call("schema.product_feed.check", question.clone()).unwrap();
    assert_eq!(started["state"], "queued");
    fake.work();
    let done = fake.call("schema.product_feed.check", question).unwrap();
    let mut fields: Vec<&str> =
        done["mismatches"].as_array().unwrap().iter().map(|it| it["field"].as_str().unwrap()).collect();
    fields.sort_unstable();
    // The markup of the page has no price at all; what readers see is another one than the feed's.
    assert_eq!(fields, ["availability", "gtin", "price", "visible_price"], "{done:#}");
    assert_eq!((&done["checked"], &done["degraded"][0]["what"]), (&json!(1), &json!("foreign_items")));
    assert_eq!((actions_fit(&done), done["mismatches"][0]["url"].as_str()), (1, Some(PAGE)));
}

#[test]
fn what_is_no_feed_fails_with_words() {
    let fake = host();
    fake.serve("https://shop.example/feed", 200, &[("content-type", "text/html")], b"<p>hello");
    let question = json!({ "feed_url": "https://shop.example/feed", "site_id": "81" });
    fake.call("schema.product_feed.check", question.clone()).unwrap();
    fake.work();
    let started = fake.call("schema.product_feed.check", question).unwrap();
    assert_eq!(started["state"], "queued", "a failed check is made anew");
}
