//! Tests of `tests`.

use super::super::Place;
use super::{page, page_at};

#[test]
fn every_title_and_description_is_kept_and_svg_titles_are_not() {
    let facts = page(
        "<head><title> One\n title </title><title>Two</title><meta name=Description content=' first '><meta name=description content=second></head>\
         <body><svg><title>Icon</title></svg>",
    );
    assert_eq!(facts.titles, ["One title", "Two"]);
    assert_eq!(facts.descriptions, ["first", "second"]);
    assert!(facts.head_end.misplaced.is_empty());
}

#[test]
fn the_element_that_ends_a_head_early_is_named_with_what_it_pushed_out() {
    let facts = page(
        "<html><head><title>x</title><img src=pixel.gif><link rel=canonical href=/a><meta name=robots content=noindex></head><body>",
    );
    assert_eq!(facts.head_end.closed_by.as_deref(), Some("img"));
    assert_eq!(facts.head_end.misplaced, ["link:canonical", "meta:robots"]);
    assert_eq!(facts.canonicals[0].place, Place::Body);
    assert_eq!(page("<head>loose text<title>x</title></head>").head_end.closed_by.as_deref(), Some("text"));
}

#[test]
fn a_sound_head_is_not_accused() {
    for html in [
        "<!doctype html><html><head><!-- <div> --><script>document.write('<div></head>')</script><title>a > b</title>\
         <meta name=x content='<p>'><noscript><link rel=stylesheet href=x></noscript><style>p{}</style></head><body><div>",
        "<title>No head tags</title><p>text",
        "<p>Nothing",
    ] {
        assert_eq!(page(html).head_end.closed_by, None, "{html}");
    }
}

#[test]
fn references_resolve_against_the_base_element() {
    let facts =
        page("<head><base href='/base/'><link rel=canonical href=c><link rel=icon href=i.png></head><a href=x>x</a>");
    assert_eq!(facts.canonicals[0].url.as_deref(), Some("https://shop.example/base/c"));
    assert_eq!(facts.icon.as_deref(), Some("https://shop.example/base/i.png"));
    assert_eq!(facts.links[0].url, "https://shop.example/base/x");
}

#[test]
fn language_viewport_cards_and_alternates_are_read() {
    let facts = page_at(
        "https://shop.example/",
        &[],
        "<html lang=' de-AT '><head><meta name=viewport content='width=device-width'><meta property=og:title content=T>\
         <meta name=twitter:card content=summary><link rel=alternate hreflang=x-default href=/><meta name=generator content=Hand></head>",
    );
    assert_eq!(facts.lang.as_deref(), Some("de-AT"));
    assert_eq!(facts.viewport.as_deref(), Some("width=device-width"));
    assert_eq!(facts.open_graph, [("og:title".to_owned(), "T".to_owned())]);
    assert_eq!(facts.twitter, [("twitter:card".to_owned(), "summary".to_owned())]);
    assert_eq!(facts.hreflang[0].url.as_deref(), Some("https://shop.example/"));
    assert_eq!(facts.generator.as_deref(), Some("Hand"));
}

#[test]
fn a_meta_refresh_gives_its_seconds_and_target() {
    let refresh = |content: &str| page(&format!("<meta http-equiv=Refresh content=\"{content}\">")).meta_refresh;
    let found = refresh("5; URL='/next'").expect("a refresh");
    assert_eq!((found.seconds, found.url.as_deref()), (5, Some("https://shop.example/next")));
    assert_eq!(refresh("30").expect("a reload").url, None);
    assert_eq!(refresh("soon"), None);
}

#[test]
fn robots_directives_of_both_names_are_joined() {
    let facts = page(
        "<meta name=robots content='Index, FOLLOW'><meta name=googlebot content='noarchive'><meta name=bingbot content=noindex>",
    );
    assert_eq!(facts.meta_robots, ["index", "follow", "noarchive"]);
}
