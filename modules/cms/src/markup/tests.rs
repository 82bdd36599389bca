//! Edits by bytes: what they change, and that they change nothing else.

use kit::dom::Dom;
use kit::url::Url;

use super::alts::{Picture, described, whole_file};
use super::links::{Pairs, exchanged};
use super::{in_block, strings};

fn page() -> Url {
    Url::parse("https://shop.example/blog/post/").expect("an address")
}

fn pairs(all: &[(&str, &str)]) -> Pairs {
    all.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
}

#[test]
fn only_links_to_the_address_change_and_every_other_byte_stays() {
    let raw = "<p>\r\n<a  HREF='/old?a=1&amp;b=2#part' class=x>1</a> <a href=/old?a=1&b=2>2</a> <a href=\"../../old?a=1&#038;b=2\">3</a>\
<a href=\"https://SHOP.example/old?a=1&amp;b=2\" >4</a> <a href=\"/older\">no</a> <img src=\"/old?a=1&amp;b=2\"> &nbsp;\"q\" <!-- <a href=\"/old?a=1&b=2\"> --></p>\
<!-- wp:file {\"id\":3,\"href\":\"https://shop.example/old?a=1\\u0026b=2\"} -->";
    let (text, places) =
        exchanged(raw, &page(), &pairs(&[("https://shop.example/old?a=1&b=2", "https://shop.example/new?x=\"1\"&y")]))
            .expect("links");
    assert_eq!(places, 4);
    let new = "https://shop.example/new?x=&quot;1&quot;&amp;y";
    let wanted = raw
        .replacen("'/old?a=1&amp;b=2#part'", "'https://shop.example/new?x=\"1\"&amp;y#part'", 1)
        .replacen("href=/old?a=1&b=2>", &format!("href=\"{new}\">"), 1)
        .replacen("\"../../old?a=1&#038;b=2\"", &format!("\"{new}\""), 1)
        .replacen("\"https://SHOP.example/old?a=1&amp;b=2\"", &format!("\"{new}\""), 1)
        .replacen("https://shop.example/old?a=1\\u0026b=2", "https://shop.example/new?x=\\u00221\\u0022\\u0026y", 1);
    assert_eq!(text, wanted);
    assert_eq!(exchanged(raw, &page(), &pairs(&[("https://shop.example/none", "/x")])), None);
}

#[test]
fn an_exchange_and_its_opposite_give_the_first_bytes_back() {
    let mut state = 3_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0)
    };
    let pieces = [
        "<a href=\"https://shop.example/a\">a</a>",
        "<a href='https://shop.example/a#x' title=\"t\">b</a>",
        "<p>“Text” &amp; more\r\n</p>",
        "<!-- wp:paragraph -->",
        "<!-- /wp:paragraph -->",
        "<a href=\"https://shop.example/c\">c</a>",
        "[gallery ids=\"1\"]",
        "<img src=\"/a\" alt='x'>",
        "<!-- wp:navigation-link {\"label\":\"A\",\"url\":\"https://shop.example/a\"} /-->",
        "<b>ö🙂</b>",
        " < > ",
    ];
    for _ in 0..200 {
        let raw: String = (0..8).map(|_| pieces[next() % pieces.len()]).collect();
        let (a, b) = ("https://shop.example/a", "https://shop.example/b");
        let Some((there, places)) = exchanged(&raw, &page(), &pairs(&[(a, b)])) else { continue };
        let words = |html: &str| {
            let dom = Dom::parse(html);
            dom.elements("body").map(|it| dom.text(it)).collect::<String>()
        };
        assert_eq!(words(&there), words(&raw), "readers see the same words");
        assert_eq!(there.matches("wp:").count(), raw.matches("wp:").count());
        let (back, again) = exchanged(&there, &page(), &pairs(&[(b, a)])).expect("links");
        assert_eq!((back, again), (raw, places));
    }
}

#[test]
fn a_picture_gets_its_text_where_it_has_none_or_the_one_of_the_library() {
    let picture = Picture {
        media: Some(7),
        files: vec!["https://shop.example/u/lamp.jpg".to_owned()],
        known: Some("Old".to_owned()),
        alt: "A \"brass\" lamp & more".to_owned(),
    };
    let raw = "<img class=\"x wp-image-7\" src=\"/u/other.jpg\" alt=\"\"/><img src='/u/lamp-300x200.jpg'><img src=\"/u/lamp.jpg\" alt='Old' >\
<img src=\"/u/lamp.jpg\" alt=\"My own\"><img src=\"/u/lamp.jpg\" alt><img src=\"/u/else.jpg\">\
<!-- wp:cover {\"id\":7,\"alt\":\"Old\"} -->";
    let done = described(raw, &page(), &[picture]).expect("pictures");
    let new = "A &quot;brass&quot; lamp &amp; more";
    let wanted = raw
        .replacen("alt=\"\"", &format!("alt=\"{new}\""), 1)
        .replacen("<img src='/u/lamp-300x200.jpg'>", &format!("<img alt=\"{new}\" src='/u/lamp-300x200.jpg'>"), 1)
        .replacen("alt='Old'", "alt='A \"brass\" lamp &amp; more'", 1)
        .replacen("alt>", &format!("alt=\"{new}\">"), 1)
        .replacen("{\"id\":7,\"alt\":\"Old\"}", "{\"id\":7,\"alt\":\"A \\u0022brass\\u0022 lamp \\u0026 more\"}", 1);
    assert_eq!((done.text.as_str(), done.places, done.own), (wanted.as_str(), 4, 1));
    for (file, whole) in [("a-300x200.jpg", "a.jpg"), ("a-300x.jpg", "a-300x.jpg"), ("a-b.jpg", "a-b.jpg"), ("a", "a")]
    {
        assert_eq!(whole_file(file), whole);
    }
}

#[test]
fn strings_of_blocks_are_read_and_written_as_the_editor_does() {
    let json = r#"{"url":"https:\/\/shop.example\/a","n":{"alt":"x \u0022y\u0022"},"list":["z"],"k":7}"#;
    let found: Vec<(String, String)> = strings(json).into_iter().map(|(name, _, text)| (name, text)).collect();
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(found, [pair("url", "https://shop.example/a"), pair("alt", "x \"y\""), pair("list", "z")]);
    assert_eq!(in_block("a--b <c> & \"d\" \\"), "a\\u002d\\u002db \\u003cc\\u003e \\u0026 \\u0022d\\u0022 \\\\");
}
