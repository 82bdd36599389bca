//! The managed block of markup within the content of a WordPress item.
//!
//! A block is a Custom HTML block of the editor, so that the editor shows it and leaves it alone. An item has at most one.

use serde_json::{Map, Value};

const BEGIN: &str = "<!-- espalier:schema ";
const END: &str = "<!-- /espalier:schema -->";
const OPEN: &str = "\n\n<!-- wp:html -->\n";
const CLOSE: &str = "\n<!-- /wp:html -->";

/// The block of a deployment. `<` is written as `\u003c`, so that nothing in a text can end the script.
pub(crate) fn written(id: &str, jsonld: &Map<String, Value>) -> String {
    let json = Value::Object(jsonld.clone()).to_string().replace('<', "\\u003c");
    format!("{OPEN}{BEGIN}{id} -->\n<script type=\"application/ld+json\">{json}</script>\n{END}{CLOSE}")
}

/// Where the block of an item stands, the editor's marks around it included where they are still there.
fn span(content: &str) -> Option<(usize, usize)> {
    let begin = content.find(BEGIN)?;
    let end = begin + content[begin..].find(END)? + END.len();
    let begin = if content[..begin].ends_with(OPEN) { begin - OPEN.len() } else { begin };
    let end = if content[end..].starts_with(CLOSE) { end + CLOSE.len() } else { end };
    Some((begin, end))
}

/// The block that stands in a content.
pub(crate) fn found(content: &str) -> Option<&str> {
    span(content).map(|(begin, end)| &content[begin..end])
}

/// A content with this block in the place of the one before, or at its end.
pub(crate) fn put(content: &str, block: &str) -> String {
    match span(content) {
        Some((begin, end)) => format!("{}{block}{}", &content[..begin], &content[end..]),
        None => format!("{content}{block}"),
    }
}

/// A content without its block; none when it has none.
pub(crate) fn without(content: &str) -> Option<String> {
    let (begin, end) = span(content)?;
    Some(format!("{}{}", &content[..begin], &content[end..]))
}

#[cfg(test)]
mod tests {
    use sdk::json;

    use super::{found, put, without, written};

    #[test]
    fn a_block_is_put_once_and_what_was_there_before_comes_back_byte_for_byte() {
        let json = |name: &str| json!({ "@type": "Product", "name": name }).as_object().unwrap().clone();
        for before in
            ["", "<p>Hallo &amp; Grüße</p>\r\n\t ", "<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n"]
        {
            let one = put(before, &written("dep_1", &json("Lamp </script><b>")));
            assert_eq!(one.matches("</script>").count(), 1);
            assert_eq!(without(&one).as_deref(), Some(before));
            let two = put(&one, &written("dep_1", &json("Other")));
            assert_eq!(two.matches("espalier:schema dep_1").count(), 1);
            assert_eq!(put(&two, found(&two).unwrap()), two, "the same block again changes nothing");
            assert_eq!(without(&two).as_deref(), Some(before));
        }
        assert_eq!(without("<p>nothing</p>"), None);
        assert_eq!(without("<!-- espalier:schema x --> cut off"), None);
    }
}
