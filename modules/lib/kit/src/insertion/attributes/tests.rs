//! Places of attributes, held against a parser of HTML.

use super::{BlockJson, marks};
use crate::dom::Dom;

const TEXT: &str = "<!-- wp:image {\"id\":7,\"alt\":\"a\"} -->\n<figure class=wp-block-image><IMG SRC='/a.jpg' alt = \"x > y\" loading/></figure>\n<!-- /wp:image -->\
<p>1 < 2 <a href=/b?x=1&amp;y data-x=\"\" >b</a><a\n\thref=\"https://shop.example/c\"title=t>c</a></p>\
<script>var a = \"<a href='/no'>\";</script><!-- <a href=\"/no\"> --><a HREF=\"/d\" href=\"/e\">d</a>";

#[test]
fn every_attribute_is_found_where_it_stands_as_a_parser_reads_it() {
    let marks = marks(TEXT);
    let dom = Dom::parse(TEXT);
    let read = |element: &str, name: &str| -> Vec<String> {
        dom.elements(element).filter_map(|it| dom.attribute(it, name).map(str::to_owned)).collect()
    };
    let found = |element: &str, name: &str| -> Vec<String> {
        let mut seen = Vec::new();
        let mut all = Vec::new();
        for it in marks.attributes.iter().filter(|it| it.element == element && it.name == name) {
            // The first of two attributes of one name counts (HTML, 13.2.5.33).
            if !seen.contains(&it.tag.start) {
                seen.push(it.tag.start);
                all.push(TEXT[it.value.clone()].replace("&amp;", "&"));
            }
        }
        all
    };
    for (element, name) in
        [("a", "href"), ("img", "src"), ("img", "alt"), ("img", "loading"), ("a", "title"), ("figure", "class")]
    {
        assert_eq!(found(element, name), read(element, name), "{element} {name}");
    }
    assert_eq!(
        marks.tags.iter().filter(|(name, _)| name == "img").map(|(_, it)| &TEXT[it.clone()]).collect::<Vec<_>>(),
        ["<IMG SRC='/a.jpg' alt = \"x > y\" loading/>"]
    );
    assert_eq!(marks.blocks, [BlockJson { name: "image".to_owned(), json: 14..32 }]);
    assert_eq!(&TEXT[marks.blocks[0].json.clone()], "{\"id\":7,\"alt\":\"a\"}");
}

#[test]
fn whatever_the_text_ranges_are_within_it_and_on_characters() {
    let pieces = [
        "<a",
        " href",
        "=",
        "\"",
        "'",
        ">",
        "ö",
        "/",
        "<!--",
        "-->",
        " wp:x {",
        "}",
        "<script>",
        "</script>",
        "=\"a\"",
        "&",
        " ",
    ];
    let mut state = 7_u64;
    for _ in 0..5_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(pieces[usize::try_from(state >> 33).unwrap_or(0) % pieces.len()]);
        }
        let found = marks(&text);
        for it in found.attributes {
            assert!(
                text.get(it.value.clone()).is_some() && it.tag.contains(&it.value.start.saturating_sub(1)),
                "{text:?}"
            );
        }
        assert!(found.blocks.iter().all(|it| text.get(it.json.clone()).is_some()), "{text:?}");
    }
}
