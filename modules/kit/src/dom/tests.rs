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
