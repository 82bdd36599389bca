//! What ends a head before its author meant it to end.
//!
//! The first element that may not stand in a head closes it (HTML 13.2.6.4.4): everything after it, a canonical or a
//! robots directive too, is then in the body and ignored. The source is scanned up to `</head>` or `<body>`.

/// Elements that may stand in a head.
const METADATA: &[&str] = &[
    "base", "link", "meta", "noscript", "script", "style", "template", "title", "html", "head", "bgsound", "basefont",
    "noframes",
];

/// The element (or `text`) before `</head>` that closes the head early; none when the head ends where it should.
pub(super) fn closed_by(html: &str) -> Option<String> {
    let mut rest = html.trim_start_matches('\u{feff}');
    let mut culprit: Option<String> = None;
    loop {
        let at = rest.find('<')?;
        if culprit.is_none() && !rest[..at].trim().is_empty() {
            culprit = Some("text".to_owned());
        }
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let closing = rest.starts_with('/');
        let name: String = rest
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .take(20)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        match name.as_str() {
            "head" if closing => return culprit,
            "body" => return None,
            _ => {}
        }
        rest = after_tag(rest);
        if closing {
            continue;
        }
        if matches!(name.as_str(), "script" | "style" | "title" | "template" | "noframes") {
            rest = after_closing(rest, &name);
        } else if culprit.is_none() && !name.is_empty() && !METADATA.contains(&name.as_str()) {
            culprit = Some(name);
        }
    }
}

/// What follows the end of a tag, attributes with quoted `>` passed over.
fn after_tag(rest: &str) -> &str {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return &rest[at + 1..],
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    ""
}

fn after_closing<'a>(rest: &'a str, name: &str) -> &'a str {
    let mut from = 0;
    while let Some(at) = rest[from..].find("</") {
        let tag = &rest[from + at + 2..];
        if tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
            return after_tag(tag);
        }
        from += at + 2;
    }
    ""
}
