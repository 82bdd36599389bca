//! What names and attributes of elements say about being content.

use crate::dom::{Data, Dom, NodeId};

/// Words in class and id of what is hardly ever content.
const UNLIKELY: &[&str] = &[
    "banner",
    "breadcrumb",
    "combx",
    "comment",
    "community",
    "consent",
    "cookie",
    "disqus",
    "extra",
    "footer",
    "gdpr",
    "header",
    "masthead",
    "menu",
    "navbar",
    "navigation",
    "newsletter",
    "pager",
    "pagination",
    "popup",
    "promo",
    "related",
    "remark",
    "rss",
    "share",
    "shoutbox",
    "sidebar",
    "skyscraper",
    "social",
    "sponsor",
    "subscribe",
    "supplemental",
    "toolbar",
    "widget",
];
/// Words that take that back.
const LIKELY: &[&str] = &["and", "article", "body", "column", "content", "main", "mathjax", "shadow"];
/// Words that raise a score.
const POSITIVE: &[&str] =
    &["article", "body", "content", "entry", "hentry", "h-entry", "main", "page", "post", "text", "blog", "story"];
/// Words that lower it.
const NEGATIVE: &[&str] = &[
    "hidden",
    "banner",
    "combx",
    "comment",
    "com-",
    "contact",
    "foot",
    "masthead",
    "media",
    "meta",
    "outbrain",
    "promo",
    "related",
    "scroll",
    "share",
    "shoutbox",
    "sidebar",
    "skyscraper",
    "sponsor",
    "shopping",
    "tags",
    "widget",
];

/// Whether an element is never content: not shown, or for machines, or for input.
#[must_use]
pub(super) fn is_left_out(dom: &Dom, id: NodeId) -> bool {
    matches!(
        dom.name(id),
        "script"
            | "style"
            | "noscript"
            | "template"
            | "head"
            | "iframe"
            | "object"
            | "embed"
            | "svg"
            | "canvas"
            | "button"
            | "select"
            | "input"
            | "textarea"
            | "label"
            | "dialog"
            | "menu"
    ) || is_boilerplate(dom, id)
        || is_hidden(dom, id)
        || is_permalink(dom, id)
}

/// Whether an element is navigation or the frame of a page by its name or role.
#[must_use]
pub(super) fn is_boilerplate(dom: &Dom, id: NodeId) -> bool {
    let role = dom.attribute(id, "role").unwrap_or_default().trim();
    let by_role = matches!(
        role,
        "navigation"
            | "menu"
            | "menubar"
            | "banner"
            | "complementary"
            | "contentinfo"
            | "alert"
            | "alertdialog"
            | "dialog"
            | "search"
            | "toolbar"
    );
    by_role
        || match dom.name(id) {
            "nav" | "aside" => true,
            // Those of an article belong to it.
            "header" | "footer" => !dom.ancestors(id).any(|it| matches!(dom.name(it), "article" | "main" | "section")),
            "form" => crate::text::about_words(&dom.text(id)) < 50,
            _ => false,
        }
}

fn is_hidden(dom: &Dom, id: NodeId) -> bool {
    dom.attribute(id, "hidden").is_some()
        || dom.attribute(id, "aria-hidden") == Some("true")
        || dom.attribute(id, "style").is_some_and(|style| {
            let style = style.to_ascii_lowercase().replace(' ', "");
            style.contains("display:none") || style.contains("visibility:hidden")
        })
}

/// The sign beside a heading that links to it.
fn is_permalink(dom: &Dom, id: NodeId) -> bool {
    dom.name(id) == "a"
        && dom.attribute(id, "href").is_some_and(|href| href.starts_with('#'))
        && matches!(dom.text(id).as_str(), "¶" | "#" | "§" | "🔗" | "")
}

/// Whether class and id say that this is hardly content.
#[must_use]
pub(super) fn is_unlikely(dom: &Dom, id: NodeId) -> bool {
    if matches!(
        dom.name(id),
        "" | "html" | "body" | "a" | "article" | "main" | "h1" | "h2" | "h3" | "pre" | "code" | "table"
    ) {
        return false;
    }
    let names = names(dom, id);
    !names.is_empty() && has(&names, UNLIKELY) && !has(&names, LIKELY) && !is_in_a_sentence(dom, id)
}

/// Whether an element holds words of a sentence: `the <em class="mail-header">Content-Type</em> field` would say
/// something else without them.
fn is_in_a_sentence(dom: &Dom, id: NodeId) -> bool {
    let beside = |it: Option<NodeId>| match it.map(|it| &dom.node(it).data) {
        Some(Data::Text(text)) => {
            crate::text::words(text).filter(|it| it.contains(char::is_alphabetic)).take(3).count()
        }
        _ => 0,
    };
    match dom.name(id) {
        "abbr" | "acronym" | "b" | "bdi" | "bdo" | "cite" | "data" | "del" | "dfn" | "em" | "i" | "ins" | "kbd"
        | "mark" | "q" | "ruby" | "s" | "samp" | "strong" | "sub" | "sup" | "tt" | "u" | "var" => true,
        "font" | "small" | "span" | "time" => beside(dom.previous_sibling(id)) + beside(dom.next_sibling(id)) >= 3,
        _ => false,
    }
}

/// What an element scores before its text is looked at.
#[must_use]
pub(super) fn first_score(dom: &Dom, id: NodeId) -> f64 {
    let by_name = match dom.name(id) {
        "article" | "main" => 10.0,
        "div" | "section" => 5.0,
        "pre" | "td" | "blockquote" => 3.0,
        "address" | "ol" | "ul" | "dl" | "dd" | "dt" | "li" | "form" => -3.0,
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "th" => -5.0,
        _ => 0.0,
    };
    by_name + weight(dom, id)
}

fn weight(dom: &Dom, id: NodeId) -> f64 {
    let of = |name: &str| {
        let value = dom.attribute(id, name).unwrap_or_default().to_ascii_lowercase();
        if value.is_empty() {
            return 0.0;
        }
        f64::from(i32::from(has(&value, POSITIVE)) - i32::from(has(&value, NEGATIVE))) * 25.0
    };
    of("class") + of("id")
}

fn names(dom: &Dom, id: NodeId) -> String {
    let of = |name: &str| dom.attribute(id, name).unwrap_or_default();
    format!("{} {}", of("class"), of("id")).trim().to_ascii_lowercase()
}

fn has(names: &str, words: &[&str]) -> bool {
    words.iter().any(|word| names.contains(word))
}

/// Whether an element begins a block of its own.
#[must_use]
pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "center"
            | "dd"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hr"
            | "li"
            | "main"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
    )
}
