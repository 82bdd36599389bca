//! The links of a sanitised body.

use kit::dom::Dom;

/// A link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The address as it is written.
    pub href: String,
    /// The words that are linked.
    pub text: String,
}

/// The links of HTML that [`crate::of_html`] gave, in order, at most `most`.
#[must_use]
pub fn links(html: &str, most: usize) -> Vec<Link> {
    let dom = Dom::parse(html);
    let link = |id| {
        let href = dom.attribute(id, "href")?.trim();
        (!href.is_empty()).then(|| Link { href: href.to_owned(), text: dom.text(id) })
    };
    dom.elements("a").filter_map(link).take(most).collect()
}
