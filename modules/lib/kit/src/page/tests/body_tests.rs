//! Tests of `tests`.

use super::super::Placement;
use super::page;

#[test]
fn a_link_stands_where_its_nearest_landmark_says() {
    let facts = page(
        "<body><header><a href=/h>h</a><nav><a href=/n>n</a></nav></header>\
         <div class='site-sidebar'><a href=/s>s</a></div>\
         <main><a href=/m>m</a><article><header><a href=/mh>mh</a></header></article><aside><a href=/ma>ma</a></aside>\
         <ul class=breadcrumbs><li><a href=/b>b</a></ul></main>\
         <div role=contentinfo><a href=/f>f</a></div><a href=/loose>l</a>",
    );
    let places: Vec<(&str, Placement)> =
        facts.links.iter().map(|link| (link.anchor.as_str(), link.placement)).collect();
    use Placement::{Aside, Footer, Header, Main, Nav};
    assert_eq!(
        places,
        [
            ("h", Header),
            ("n", Nav),
            ("s", Aside),
            ("m", Main),
            ("mh", Main),
            ("ma", Aside),
            ("b", Nav),
            ("f", Footer),
            ("l", Main)
        ]
    );
}

#[test]
fn links_are_resolved_normalised_and_sorted_into_inside_and_outside() {
    let facts = page(
        "<a href='../B?utm_source=x#Part' rel='NoFollow ugc' target=_blank>  Two\n words </a><a href=https://other.example>o</a>\
         <a href=http://www.shop.example/plain>w</a><a href=mailto:a@b.example>m</a><a href='javascript:x()'>j</a><a href=''>e</a>\
         <a name=here>no link</a><a href=#top>t</a><a href=http://localhost/>l</a><a href='http://[bad'>bad</a>",
    );
    let link = &facts.links[0];
    assert_eq!(
        (link.url.as_str(), link.anchor.as_str(), link.rel.as_str()),
        ("https://shop.example/B", "Two words", "nofollow ugc")
    );
    assert_eq!(
        (link.fragment.as_deref(), link.blank, link.internal, link.nofollow()),
        (Some("Part"), true, true, true)
    );
    let counts = facts.link_counts;
    assert_eq!((counts.internal, counts.external, counts.internal_nofollow), (4, 2, 1));
    assert_eq!((counts.same_page, counts.uncrawlable, counts.insecure, counts.local), (1, 3, 1, 1));
    assert_eq!((counts.internal_distinct, counts.external_distinct), (3, 2));
}

#[test]
fn the_text_of_a_picture_link_is_its_alt_and_a_label_comes_last() {
    let facts =
        page("<a href=/1><img src=x alt='Alt text'></a><a href=/2 aria-label=Label><svg></svg></a><a href=/3></a>");
    let anchors: Vec<(&str, bool)> = facts.links.iter().map(|link| (link.anchor.as_str(), link.image)).collect();
    assert_eq!(anchors, [("Alt text", true), ("Label", false), ("", false)]);
    assert_eq!(facts.link_counts.empty_anchor, 1);
}

#[test]
fn pictures_tell_size_alt_and_loading() {
    let facts = page(
        "<img src=a.png alt='' width=10 height=20px loading=LAZY><a href=/><img srcset='b.png 2x'></a><img src='data:image/png;base64,AAAA' alt=x><noscript><img src=c.png></noscript>",
    );
    assert_eq!((facts.image_count, facts.images_without_alt, facts.images_without_size), (3, 1, 2));
    let first = &facts.images[0];
    assert_eq!(
        (first.src.as_str(), first.alt.as_deref(), first.width, first.height),
        ("https://shop.example/a/a.png", Some(""), Some(10), Some(20))
    );
    assert_eq!(first.loading.as_deref(), Some("lazy"));
    assert!(facts.images[1].linked && facts.images[1].responsive && facts.images[1].alt.is_none());
    assert_eq!(facts.images[2].src, "data:");
}

#[test]
fn headings_keep_their_order_and_inner_text() {
    let facts = page("<h2>First <em>part</em></h2><h1><img src=x alt=Logo></h1><h3></h3>");
    let headings: Vec<(u8, &str)> =
        facts.headings.iter().map(|heading| (heading.level, heading.text.as_str())).collect();
    assert_eq!(headings, [(2, "First part"), (1, "Logo"), (3, "")]);
    assert_eq!((facts.h1_count, facts.heading_count), (1, 3));
}

#[test]
fn what_is_fetched_in_the_clear_by_a_secure_page_is_listed_once() {
    let facts = page(
        "<head><link rel=stylesheet href=http://cdn.example/a.css><script src=https://cdn.example/b.js></script></head><img src=http://cdn.example/c.png><img src=http://cdn.example/c.png><iframe src=//cdn.example/f></iframe>",
    );
    assert_eq!(facts.mixed_content, ["http://cdn.example/a.css", "http://cdn.example/c.png"]);
    let kinds: Vec<(&str, bool)> = facts.resources.iter().map(|one| (one.kind.as_str(), one.blocking)).collect();
    assert_eq!(kinds, [("style", true), ("script", true), ("frame", false)]);
    assert_eq!(facts.iframes, 1);
}

#[test]
fn forms_tell_where_they_send_and_whether_a_password_goes_along() {
    let facts = page("<form action=http://shop.example/login><input type=Password></form><form></form>");
    assert_eq!((facts.forms[0].action.as_str(), facts.forms[0].password), ("http://shop.example/login", true));
    assert_eq!((facts.forms[1].action.as_str(), facts.forms[1].password), ("https://shop.example/a/page", false));
}

#[test]
fn structured_data_gives_types_author_dates_and_errors() {
    let facts = page(
        r#"<script type="application/ld+json">{"@graph":[{"@type":"Article","author":{"@type":"Person","name":"Ada L."},"datePublished":"2026-01-02"},{"@type":["Product","Thing"]}]}</script>
        <script type="application/ld+json">{"a": }</script>
        <div itemscope itemtype="https://schema.org/Recipe"><span property=x typeof="schema:Person"></span></div>"#,
    );
    assert_eq!(facts.structured.json_ld, ["Article", "Person", "Product", "Thing"]);
    assert_eq!(facts.structured.microdata, ["Recipe"]);
    assert_eq!(facts.structured.blocks, 2);
    assert!(facts.structured.errors[0].contains("line 1 column 7"), "{:?}", facts.structured.errors);
    assert_eq!((facts.byline_markup.as_deref(), facts.published.as_deref()), (Some("Ada L."), Some("2026-01-02")));
    assert_eq!(facts.byline_visible, None);
}

#[test]
fn json_ld_nested_without_end_is_an_error_and_brackets_in_strings_are_not_nesting() {
    let block = |json: &str| page(&format!("<script type=application/ld+json>{json}</script>")).structured;
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(block(&deep).errors, ["the block is nested deeper than 48"]);
    let quoted = format!("{{\"@type\": \"Thing\", \"name\": \"\\\"{}\"}}", "[".repeat(200));
    assert_eq!((block(&quoted).errors.len(), block(&quoted).json_ld), (0, vec!["Thing".to_owned()]));
}
