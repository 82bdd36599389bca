//! What `dom` has to do, sentence by sentence.

use super::Dom;

#[test]
fn nodes_know_their_line_their_parent_and_their_text() {
    let dom = Dom::parse(
        "<!doctype html>\n<title>T</title>\n<body>\n<p id=a>one <b>two</b><script>no</script></p>\n<p>three</p>",
    );
    let paragraphs: Vec<_> = dom.elements("p").collect();
    assert_eq!(paragraphs.len(), 2);
    assert_eq!((dom.node(paragraphs[0]).line, dom.node(paragraphs[1]).line), (4, 5));
    assert_eq!(dom.text(paragraphs[0]), "one two");
    assert_eq!(dom.parent(paragraphs[0]).map(|id| dom.name(id)), Some("body"));
    assert_eq!(dom.attribute(paragraphs[0], "id"), Some("a"));
    assert_eq!(dom.previous_sibling(paragraphs[0]).map(|id| dom.name(id)), Some(""));
}

#[test]
fn what_the_parser_repairs_is_kept_with_its_line() {
    let dom = Dom::parse("<!doctype html>\n<p><b>x</p></i>");
    assert!(!dom.faults.is_empty());
    assert!(dom.faults.iter().all(|(line, _)| *line >= 1));
    assert!(Dom::parse("<!doctype html><html><head><title>a</title></head><body></body></html>").faults.is_empty());
}

#[test]
fn descendants_stay_below_their_root() {
    let dom = Dom::parse("<ul><li>a</li></ul><p>b</p>");
    let list = dom.elements("ul").next().unwrap();
    assert_eq!(dom.descendants(list).count(), 2);
}

#[test]
fn a_document_that_never_stops_nesting_is_cut_and_the_page_says_so() {
    for tag in ["<div>", "<b>", "<table><tr><td>", "<svg><g>", "<ul><li>"] {
        let dom = Dom::parse(&tag.repeat(100_000));
        assert!(dom.cut, "{tag}");
        assert!(dom.len() < 300_000 && dom.deepest < 6_000, "{tag}: {} nodes, {} levels", dom.len(), dom.deepest);
    }
}

#[test]
fn formatting_that_is_opened_again_in_each_paragraph_does_not_multiply_without_end() {
    let open: String = (0..1_500).map(|number| format!("<b class=c{number}>")).collect();
    let dom = Dom::parse(&format!("<p>{open}{}", "<p>x".repeat(50_000)));
    assert!(dom.cut && dom.len() < 500_000, "{} nodes", dom.len());
}

#[test]
fn a_tag_with_a_million_attributes_ends_the_reading_before_it() {
    let many: String = (0..1_000_000).map(|number| format!(" a{number}")).collect();
    for tag in [format!("<p{many}>"), format!("<p{many}"), format!("<p {}>", "x='>' ".repeat(1_000))] {
        let dom = Dom::parse(&format!("<h1>before</h1>{tag}after"));
        assert!(dom.cut);
        assert_eq!(dom.text(0), "before");
    }
    let usual = Dom::parse(&format!("<p {}>text", "a='>' b=\"x y z\" c=d e ".repeat(40)));
    assert!(!usual.cut);
    assert_eq!(usual.text(0), "text");
}

#[test]
fn scripts_and_comments_are_no_tags_however_many_words_they_have() {
    let words = "a < b && i<n word ".repeat(2_000);
    for html in [format!("<script>{words}</SCRIPT><p>text"), format!("<!-- <p {words} --><p>text")] {
        let dom = Dom::parse(&html);
        assert!(!dom.cut);
        assert_eq!(dom.text(0), "text");
    }
}

#[test]
fn giant_texts_and_endless_comments_are_read_to_their_end() {
    let dom = Dom::parse(&format!("<p>{}</p>", "x".repeat(4 << 20)));
    assert!(!dom.cut && dom.len() < 10);
    let dom = Dom::parse(&format!("<p>text</p><!--{}", "<!-- x --".repeat(400_000)));
    assert!(!dom.cut);
    assert_eq!(dom.text(0), "text");
    assert!(Dom::parse(&"<!---->".repeat(400_000)).cut, "each is a node");
}
