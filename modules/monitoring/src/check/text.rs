//! The text of a page that is compared: a part or the main content, without what is to be left aside.

use kit::dom::Dom;
use kit::extract::{blocks, content, plain};
use regex::{Regex, RegexBuilder};
use scraper::{Html, Selector};

use crate::event::stored::MAX_TEXT;

/// Bytes that a pattern may take when it is compiled.
const MAX_PATTERN: usize = 64 * 1024;

/// A selector; none where the text is none.
pub(crate) fn selector(text: &str) -> Option<Selector> {
    Selector::parse(text).ok()
}

/// A pattern; none where the text is none, or too large.
pub(crate) fn pattern(text: &str) -> Option<Regex> {
    RegexBuilder::new(text).size_limit(MAX_PATTERN).build().ok()
}

/// The text of the elements that a selector finds, one a line; none where it finds none.
pub(super) fn selected(html: &str, selector: &Selector) -> Option<String> {
    let document = Html::parse_document(html);
    let lines: Vec<String> =
        document.select(selector).map(|it| it.text().collect::<Vec<_>>().join(" ")).map(|it| folded(&it)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The main content, one block a line.
pub(super) fn main(html: &str) -> String {
    let dom = Dom::parse(html);
    let text = plain(&blocks(&dom, &content(&dom)));
    text.lines().map(folded).filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
}

/// A text without what patterns cut, not longer than is kept.
pub(super) fn without(text: &str, patterns: &[String]) -> String {
    let cut = patterns
        .iter()
        .filter_map(|it| pattern(it))
        .fold(text.to_owned(), |text, it| it.replace_all(&text, "").into_owned());
    let cut: String = cut.lines().map(folded).collect::<Vec<_>>().join("\n");
    cut[..cut.floor_char_boundary(MAX_TEXT)].to_owned()
}

/// White space as one space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
