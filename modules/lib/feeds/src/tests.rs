//! Feeds are read as feedparser reads them, and what is no feed is none.

use serde_json::Value;
use url::Url;

use crate::{Entry, read};

fn base() -> Url {
    Url::parse("https://news.example/feeds/all.xml").expect("an address")
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).filter_map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok()).collect()
}

#[test]
fn sixty_feeds_are_read_as_feedparser_reads_them() {
    let all: Vec<Value> = serde_json::from_str(include_str!("feeds.json")).expect("the feeds");
    let mut wrong = Vec::new();
    for case in &all {
        let body = bytes(case["body"].as_str().expect("a body"));
        let feed = read(&body, Some("application/xml"), &base()).expect("a feed");
        let told = case["entries"].as_array().expect("entries");
        assert_eq!(feed.entries.len(), told.len(), "{}", case["name"]);
        for (entry, told) in feed.entries.iter().zip(told) {
            let right = Entry {
                // Readers give an id for a link; one that is no web address is none here.
                link: told["link"].as_str().filter(|it| it.starts_with("http")).map(str::to_owned),
                title: told["title"].as_str().unwrap_or_default().to_owned(),
                text: told["text"].as_str().unwrap_or_default().to_owned(),
                published: told["published"].as_i64(),
            };
            if *entry != right {
                wrong.push(format!("{}: {entry:?} is not {right:?}", case["name"]));
            }
        }
    }
    assert!(
        all.len() == 60 && wrong.is_empty(),
        "{} wrong, as\n{}",
        wrong.len(),
        wrong[..wrong.len().min(6)].join("\n")
    );
}

#[test]
fn a_json_feed_is_read_and_other_json_is_none() {
    let feed = br#"{"version":"https://jsonfeed.org/version/1.1","title":"All","items":[{"id":"1","url":"/a","title":"Lamps &amp; more","content_html":"<p>Text.</p>","date_published":"2025-06-10T04:30:00Z"}]}"#;
    let feed = read(feed, None, &base()).expect("a feed");
    let entry = &feed.entries[0];
    assert_eq!(
        (entry.link.as_deref(), entry.title.as_str(), entry.text.as_str(), entry.published),
        (Some("https://news.example/a"), "Lamps & more", "Text.", Some(1_749_529_800))
    );
    assert!(read(br#"{"items":[]}"#, None, &base()).is_none());
    assert!(read(b"<html><body>no feed</body></html>", None, &base()).is_none());
    assert!(read(b"", None, &base()).is_none());
}

#[test]
fn a_feed_that_breaks_off_is_read_as_far_as_it_goes() {
    let broken = "<rss version='2.0'><channel><title>All</title><item><title>One & two &nbsp; three</title><link>https://a.example/1</link></item><item><title>Two</title><link>https://a.example/2</li";
    let feed = read(broken.as_bytes(), None, &base()).expect("a feed");
    let links: Vec<_> = feed.entries.iter().filter_map(|it| it.link.as_deref()).collect();
    assert_eq!(links.first(), Some(&"https://a.example/1"));
    assert_eq!(feed.entries[0].title, "One & two three");
}
