//! Elements, attributes and addresses that may stand in a body.

/// Elements that may stand. None of them runs, loads or sends anything but pictures.
const ELEMENTS: [&str; 68] = [
    "a",
    "abbr",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
    "var",
];
/// Elements that are left out with all that is in them.
const WITH_CONTENT: [&str; 16] = [
    "head",
    "script",
    "style",
    "title",
    "noscript",
    "template",
    "iframe",
    "object",
    "textarea",
    "select",
    "xmp",
    "noembed",
    "noframes",
    "plaintext",
    "audio",
    "video",
];
/// Attributes that may stand, by element; an empty name stands for every element.
const ATTRIBUTES: [(&str, &[&str]); 14] = [
    ("", &["lang", "title", "dir"]),
    ("a", &["href", "hreflang"]),
    ("bdo", &["dir"]),
    ("blockquote", &["cite"]),
    ("code", &["class"]),
    ("col", &["span"]),
    ("colgroup", &["span"]),
    ("del", &["cite", "datetime"]),
    ("img", &["src", "alt", "width", "height"]),
    ("ins", &["cite", "datetime"]),
    ("ol", &["start"]),
    ("q", &["cite"]),
    ("td", &["colspan", "rowspan", "headers"]),
    ("th", &["colspan", "rowspan", "headers", "scope"]),
];
/// Attributes that are addresses.
const ADDRESSES: [&str; 3] = ["href", "src", "cite"];
/// Schemes that addresses may have; one without a scheme belongs to the page.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Whether an element may stand.
pub(crate) fn is_allowed(name: &str) -> bool {
    ELEMENTS.contains(&name)
}

/// Whether an element is left out with all that is in it.
pub(crate) fn is_left_out(name: &str) -> bool {
    WITH_CONTENT.contains(&name)
}

/// Whether an element has no content and no end.
pub(crate) fn is_void(name: &str) -> bool {
    matches!(name, "br" | "col" | "hr" | "img")
}

/// The value of an attribute, where it may stand.
pub(crate) fn value<'a>(element: &str, attribute: &str, value: &'a str) -> Option<&'a str> {
    let listed = ATTRIBUTES.iter().any(|(of, names)| (of.is_empty() || *of == element) && names.contains(&attribute));
    let time = element == "time" && attribute == "datetime";
    if !listed && !time {
        return None;
    }
    if ADDRESSES.contains(&attribute) {
        return is_safe(value).then_some(value);
    }
    (attribute != "class" || value.starts_with("language-")).then_some(value)
}

/// Whether an address has one of the schemes, or none.
fn is_safe(address: &str) -> bool {
    // Browsers leave white space and control characters out before they read the scheme.
    let read = address.chars().filter(|it| *it > ' ').take_while(|it| !matches!(it, '/' | '?' | '#'));
    let start: String = read.take(40).collect::<String>().to_ascii_lowercase();
    match start.split_once(':') {
        Some((scheme, _)) => SCHEMES.contains(&scheme),
        None => true,
    }
}
