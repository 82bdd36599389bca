//! What `extract` has to do, sentence by sentence.

use super::{FoundBy, Kind, Measures, blocks, content, plain};
use crate::dom::Dom;

const PROSE: &str = "The lamp was made in 1920, of brass, and it still works, which is more than can be said of most lamps, old or new.";

fn text(html: &str) -> (FoundBy, String) {
    let dom = Dom::parse(html);
    let content = content(&dom);
    (content.found_by, plain(&blocks(&dom, &content)))
}

#[test]
fn a_landmark_is_the_content_and_its_menus_are_not() {
    let html = format!(
        "<nav>Home Shop</nav><main><h1>Lamps<a href='#lamps'>¶</a></h1><p>{PROSE}</p><p>{PROSE}</p>\
         <ul class=menu><li><a href=/a>One</a><li><a href=/b>Two</a><li><a href=/c>Three</a></ul></main><footer>Imprint</footer>"
    );
    let (by, text) = text(&html);
    assert_eq!(by, FoundBy::Landmark);
    assert_eq!(text, format!("Lamps\n{PROSE}\n{PROSE}"));
}

#[test]
fn without_a_landmark_the_text_with_commas_wins_over_links() {
    let links = "<li><a href=/x>Some other page of this site</a></li>".repeat(30);
    let html = format!(
        "<div id=side><ul>{links}</ul></div><div id=story><p>{PROSE}</p><p>{PROSE}</p><p>{PROSE}</p></div><div>© Shop</div>"
    );
    let (by, text) = text(&html);
    assert_eq!(by, FoundBy::Scoring);
    assert_eq!(text, format!("{PROSE}\n{PROSE}\n{PROSE}"));
}

#[test]
fn a_page_of_little_text_gives_its_whole_body() {
    let (by, text) = text("<body><div>Hello <b>there</b></div><script>no()</script><p hidden>secret</p></body>");
    assert_eq!((by, text.as_str()), (FoundBy::WholeBody, "Hello there"));
    assert_eq!(self::text("").1, "");
}

#[test]
fn words_of_a_sentence_stay_whatever_their_class_is_called() {
    let sentence = "The subtype stands in the <em class=mailheader>Content-Type</em> header, and <span \
                    class=share-price>40 euros</span> is the price of a share.";
    let html =
        format!("<main><p>{sentence}</p><p>{PROSE}</p><span class=share-buttons>Send it to a friend</span></main>");
    let (_, text) = text(&html);
    assert!(
        text.contains("stands in the Content-Type header, and 40 euros is the price") && !text.contains("friend"),
        "{text}"
    );
}

#[test]
fn blocks_know_what_they_are() {
    let html = "<main><h2>Head</h2>loose<ul><li>item <p>more</p></li></ul><pre>a\n  b</pre><blockquote><p>said</p></blockquote><table><tr><td>cell</td></tr></table></main>";
    let dom = Dom::parse(html);
    let found = blocks(&dom, &content(&dom));
    let kinds: Vec<Kind> = found.iter().map(|it| it.kind).collect();
    use Kind::{Cell, Code, Heading, Item, Paragraph, Quote};
    assert_eq!(kinds, [Heading(2), Paragraph, Item, Item, Code, Quote, Cell]);
    assert_eq!(found[4].text, "a\n  b");
}

#[test]
fn link_density_is_the_share_of_linked_text() {
    let dom = Dom::parse("<p>12345<a href=/>67890</a></p>");
    let p = dom.elements("p").next().unwrap();
    let measures = Measures::of(&dom);
    assert!((measures.link_density(p) - 0.5).abs() < 1e-9);
    assert_eq!((measures.length(p), measures.links(p)), (10, 1));
}

#[test]
fn a_deeply_nested_page_is_read_without_recursion() {
    let html = format!("{}<p>{PROSE}{PROSE}</p>", "<div>".repeat(1_500));
    assert!(text(&html).1.contains("brass"));
}
