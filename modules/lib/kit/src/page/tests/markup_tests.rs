//! What the markup offers: names, targets, nodes of structured data.

use super::page;
use crate::page::DataValue;

#[test]
fn fields_are_named_by_a_label_around_them_before_them_or_by_themselves() {
    let html =
        "<label>Name <input></label><label for=a>A</label><input id=a><input aria-label=B><select title=C></select>";
    assert_eq!(page(html).markup.fields_unnamed, 0);
    assert_eq!(
        page("<input><input id=a placeholder=x><textarea></textarea><input type=hidden>").markup.fields_unnamed,
        3
    );
}

#[test]
fn buttons_are_named_by_text_pictures_or_attributes() {
    let html =
        "<button>Buy</button><button><img alt=Buy></button><button aria-label=Buy><i></i></button><input type=submit>";
    assert_eq!(page(html).markup.buttons_unnamed, 0);
    assert_eq!(
        page("<button><i></i></button><input type=image src=a.png><input type=button>").markup.buttons_unnamed,
        3
    );
}

#[test]
fn a_fragment_leads_to_an_id_or_a_name_of_the_page() {
    let html = "<a href='#a'>A</a><a href='#b'>B</a><a href='#gr%C3%B6%C3%9Fe'>C</a><a href='#top'>D</a><a href='#!/x'>E</a>\
<a href='#lost'>F</a><p id=a><a name=b></a><p id=größe>";
    assert_eq!(page(html).markup.fragments_missing, ["lost"]);
    assert_eq!(page("<p id=x><p id=x><p id=x><p id=y>").markup.ids_repeated, ["x"]);
}

#[test]
fn frames_videos_and_outdated_elements_are_counted() {
    let facts = page(
        "<iframe src=/a></iframe><iframe src=/b title=Map loading=lazy></iframe><iframe src=/c width=0 height=0></iframe>\
<video src=a.mp4 autoplay></video><video src=b.mp4 autoplay muted></video><video src=c.mp4><track src=c.vtt></video>\
<font>x</font><center>y</center><font>z</font><object data=old.swf></object><p tabindex=3><main></main>",
    );
    let markup = &facts.markup;
    assert_eq!(
        (markup.frames_untitled, markup.frames_eager, markup.videos_uncaptioned, markup.autoplaying),
        (1, 1, 1, 1)
    );
    assert_eq!(markup.obsolete, ["font", "center"]);
    assert_eq!(
        (markup.plugins.as_slice(), markup.tab_ordered, markup.mains),
        (&["old.swf".to_owned()][..], 1, Some(1))
    );
}

#[test]
fn scripts_and_styles_of_the_page_itself_are_weighed() {
    let facts =
        page("<style>@import 'a.css';b{}</style><script>document.write('x')</script><script src=a.js></script>");
    let markup = &facts.markup;
    assert_eq!(
        (markup.style_bytes, markup.style_imports, markup.script_bytes, markup.document_write),
        (19, 1, 19, true)
    );
    let facts = page("<html dir=RTL amp><meta charset=UTF-8><meta http-equiv=X-UA-Compatible content=IE=edge>");
    assert_eq!((facts.markup.dir.as_deref(), facts.markup.amp), (Some("rtl"), true));
    assert_eq!(facts.meta_charsets, ["utf-8"]);
    assert_eq!(facts.metas, [("http-equiv:x-ua-compatible".to_owned(), "IE=edge".to_owned())]);
    assert!(page(&format!("<!--{}--><meta charset=utf-8>", "x".repeat(1_100))).meta_charset_late);
}

#[test]
fn nodes_of_json_ld_keep_their_properties_and_know_what_is_inside_them() {
    let facts = page(
        "<script type=application/ld+json>{\"@context\":\"https://schema.org\",\"@graph\":[{\"@type\":\"Product\",\"name\":\"Lamp\",\
\"offers\":{\"@type\":\"Offer\",\"price\":9.5},\"brand\":{\"@id\":\"#b\"}},{\"@id\":\"#b\",\"@type\":[\"Brand\",\"Thing\"],\"name\":\"Ada\"}]}</script>",
    );
    let data = &facts.structured;
    let lamp = &data.nodes[0];
    assert!(lamp.is("Product") && lamp.has("offers") && !lamp.has("image") && !data.nodes_cut);
    assert_eq!(data.inner(lamp, "offers").next().and_then(|offer| offer.text("price")), Some("9.5"));
    assert_eq!(data.inner(lamp, "brand").next().and_then(|brand| brand.text("name")), Some("Ada"));
    assert_eq!(data.nodes.last().map(|node| (node.is("Brand"), node.parent)), Some((true, None)));
    assert_eq!(data.contexts, ["https://schema.org"]);
    assert_eq!(lamp.holds["name"], [DataValue::Text("Lamp".to_owned())]);
    let text = serde_json::to_string(&facts).expect("facts are JSON");
    assert_eq!(
        serde_json::from_str::<crate::page::PageFacts>(&text).expect("facts read back").structured.nodes,
        data.nodes
    );
}

#[test]
fn a_great_heap_of_structured_data_is_cut() {
    let node = "{\"@type\":\"Product\",\"name\":\"Lamp\"},".repeat(200);
    let facts = page(&format!("<script type=application/ld+json>[{node}null]</script>"));
    assert!(facts.structured.nodes_cut && facts.structured.nodes.len() == 80);
    let long = format!("{{\"@type\":\"Product\",\"name\":\"{}\"}},", "x".repeat(3_000)).repeat(80);
    let facts = page(&format!("<script type=application/ld+json>[{long}null]</script>"));
    assert!(serde_json::to_string(&facts.structured).expect("JSON").len() < 64 << 10);
}

#[test]
fn what_is_counted_is_shown_by_its_first_element() {
    let html = "<label for=a>A</label><input id=a><input id=q class=wide><a href='javascript:go()'>Go</a><a href='http://10.0.0.5/x'>X</a>\
                <a href=/empty></a><button></button><iframe src=/f></iframe>";
    let markup = page(html).markup;
    let first = |name: &str| markup.first(name).unwrap_or_default().to_owned();
    assert_eq!(first("fields_unnamed"), "<input id=\"q\" class=\"wide\">");
    assert_eq!(first("uncrawlable"), "<a href=\"javascript:go()\">");
    assert_eq!(first("local"), "<a href=\"http://10.0.0.5/x\">");
    assert_eq!(first("empty_anchor"), "<a href=\"/empty\">");
    assert_eq!(first("buttons_unnamed"), "<button>");
    assert_eq!(first("frames_untitled"), "<iframe src=\"/f\">");
    assert_eq!(markup.first("insecure"), None);
}
