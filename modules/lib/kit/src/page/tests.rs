//! Tests of `page`.

use super::{Answer, Hop, PageFacts, Place, Reason, read, unanswered};

mod body_tests;
mod head_tests;
mod markup_tests;
mod placement_tests;
mod text_tests;

/// Reads a page as if it had been fetched from this address.
fn page_at(url: &str, headers: &[(&str, &str)], html: &str) -> PageFacts {
    let mut all = vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    all.extend(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let answer = Answer {
        url,
        final_url: url,
        status: 200,
        hops: &[],
        headers: &all,
        body: html.as_bytes(),
        truncated: false,
        timing: super::Timing::default(),
    };
    read(&answer)
}

fn page(html: &str) -> PageFacts {
    page_at("https://shop.example/a/page", &[], html)
}

fn answered(status: u16, headers: &[(&str, &str)]) -> PageFacts {
    let headers: Vec<(String, String)> =
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let url = "https://shop.example/old";
    read(&Answer {
        url,
        final_url: url,
        status,
        hops: &[],
        headers: &headers,
        body: b"",
        truncated: false,
        timing: super::Timing::default(),
    })
}

#[test]
fn the_verdict_names_the_first_reason_that_applies() {
    let reason = |facts: PageFacts| facts.indexability.reason;
    assert_eq!(reason(unanswered("https://shop.example/", "robots")), Reason::RobotsBlocked);
    assert_eq!(reason(unanswered("https://shop.example/", "timeout")), Reason::Unreachable);
    assert_eq!(reason(answered(301, &[("location", "/new")])), Reason::Redirect);
    assert_eq!(reason(answered(404, &[])), Reason::ClientError);
    assert_eq!(reason(answered(503, &[])), Reason::ServerError);
    assert_eq!(reason(answered(200, &[("content-type", "image/png")])), Reason::NotDocument);
    assert_eq!(reason(answered(200, &[("content-type", "application/pdf")])), Reason::Ok);
    assert_eq!(reason(page("<meta name=robots content='NOINDEX, follow'>")), Reason::Noindex);
    assert_eq!(reason(page_at("https://shop.example/", &[("x-robots-tag", "noindex")], "<p>x")), Reason::NoindexHeader);
    assert_eq!(reason(page("<link rel=canonical href=/other>")), Reason::Canonicalised);
    assert_eq!(reason(page("<meta http-equiv=refresh content='0; url=/other'>")), Reason::MetaRefresh);
    assert_eq!(reason(page("<link rel=canonical href=https://shop.example/a/page>")), Reason::Ok);
}

#[test]
fn canonicals_that_contradict_each_other_decide_nothing() {
    let facts = page("<head><link rel=canonical href=/one><link rel=canonical href=/two></head>");
    assert_eq!(facts.canonicals.len(), 2);
    assert_eq!(facts.indexability.reason, Reason::Ok);
}

#[test]
fn a_redirect_says_where_it_leads() {
    let facts = answered(302, &[("location", "//www.shop.example/New?utm_source=x#top")]);
    assert_eq!(facts.redirect_to.as_deref(), Some("https://www.shop.example/New"));
    assert!(facts.redirects.is_empty() && !facts.is_html);
}

#[test]
fn redirects_that_were_followed_are_kept_in_order() {
    let hops = [Hop { url: "https://shop.example/".into(), status: 301, location: "/en/".into() }];
    let facts = read(&Answer {
        url: "https://shop.example/",
        final_url: "https://shop.example/en/",
        status: 200,
        hops: &hops,
        headers: &[],
        body: b"<!doctype html><title>x</title>",
        truncated: true,
        timing: super::Timing::default(),
    });
    assert_eq!((facts.redirects.as_slice(), facts.final_url.as_str()), (&hops[..], "https://shop.example/en/"));
    assert!(facts.is_html && facts.truncated && facts.doctype);
}

#[test]
fn link_headers_carry_canonical_and_alternates() {
    let link = "<https://shop.example/c?a=1,2>; rel=\"canonical\", </de>; rel=alternate; hreflang=\"de\"";
    let facts = page_at("https://shop.example/x", &[("link", link)], "");
    assert_eq!(facts.canonicals[0].url.as_deref(), Some("https://shop.example/c?a=1,2"));
    assert_eq!((facts.hreflang[0].lang.as_str(), facts.hreflang[0].place), ("de", Place::Header));
}

#[test]
fn a_robots_header_for_another_crawler_does_not_count() {
    let facts = page_at(
        "https://shop.example/",
        &[("x-robots-tag", "otherbot: noindex, nofollow"), ("x-robots-tag", "GoogleBot: nofollow, max-snippet:20")],
        "x",
    );
    assert_eq!(facts.x_robots_tag, ["nofollow", "max-snippet:20"]);
}

#[test]
fn facts_survive_being_stored() {
    let facts =
        page("<html lang=en><title>T</title><h1>Hi</h1><a href=/x rel=nofollow>x</a><img src=a.png><p>some words here");
    let text = serde_json::to_string(&facts).expect("facts are JSON");
    assert_eq!(serde_json::from_str::<PageFacts>(&text).expect("facts read back"), facts);
    let old: PageFacts = serde_json::from_str("{}").expect("every field has a default");
    assert_eq!(old.links.len(), 0);
}

#[test]
fn a_document_nested_without_end_is_cut_instead_of_read_for_ever() {
    let facts = page(&"<div><b a=1><i>".repeat(100_000));
    assert!(facts.truncated);
    let facts = page(&(0..50_000).map(|n| format!("<b id={n}><p>")).collect::<String>());
    assert!(facts.truncated);
}
