//! Edits of a stored content by bytes: addresses of links, and alternative texts. Everything else stays as it is.

pub(crate) mod alts;
pub(crate) mod links;

/// A value as it stands between quotation marks, references of characters read.
pub(crate) fn read(value: &str) -> String {
    value
        .replace("&quot;", "\"")
        .replace("&#039;", "'")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#038;", "&")
        .replace("&amp;", "&")
}

/// A value for an attribute in these quotation marks.
pub(crate) fn written(value: &str, quote: char) -> String {
    let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if quote == '\'' { value.replace('\'', "&#039;") } else { value.replace('"', "&quot;") }
}

/// A text as the editor writes it in the JSON of a block: what could end the comment is escaped
/// (`serialize_block_attributes` of WordPress).
pub(crate) fn in_block(value: &str) -> String {
    let json = serde_json::Value::String(value.to_owned()).to_string();
    let inner = json[1..json.len() - 1].replace("\\\"", "\\u0022");
    inner.replace("--", "\\u002d\\u002d").replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Replaces ranges of a text, which do not overlap.
pub(crate) fn replaced(text: &str, mut edits: Vec<(std::ops::Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, with) in edits {
        if range.start < at {
            continue;
        }
        out.push_str(&text[at..range.start]);
        out.push_str(&with);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// A string in the JSON of a block: where its text stands, without its quotation marks, and what it says.
pub(crate) fn strings(json: &str) -> Vec<(String, std::ops::Range<usize>, String)> {
    let bytes = json.as_bytes();
    let (mut all, mut at, mut name) = (Vec::new(), 0, String::new());
    while let Some(open) = json[at..].find('"').map(|it| it + at) {
        let mut end = open + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        if end >= bytes.len() {
            break;
        }
        let text: String = serde_json::from_str(&json[open..=end]).unwrap_or_default();
        let after = json[end + 1..].trim_start();
        if after.starts_with(':') {
            name = text;
        } else {
            all.push((std::mem::take(&mut name), open + 1..end, text));
        }
        at = end + 1;
    }
    all
}

#[cfg(test)]
mod tests;
