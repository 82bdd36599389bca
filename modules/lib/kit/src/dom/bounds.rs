//! Where reading ends before the parser sees it: a tag with more attributes than anybody writes, each of which
//! the parser compares with all before it.

/// Attributes of one tag.
const MOST_ATTRIBUTES: usize = 200;

/// Elements whose content is no markup (HTML 13.1.2): a `<` in there opens nothing.
const RAW: [&str; 9] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"];

/// The beginning of a document up to its first tag that has too many attributes; usually all of it.
pub(super) fn within(html: &str) -> &str {
    let bytes = html.as_bytes();
    let mut at = 0;
    while let Some(open) = find(bytes, at, b'<') {
        if let Some(comment) = html[open..].strip_prefix("<!--") {
            at = comment.find("-->").map_or(bytes.len(), |end| open + 4 + end + 3);
        } else if bytes.get(open + 1).is_some_and(u8::is_ascii_alphabetic) {
            let Some(end) = tag_end(bytes, open) else { return &html[..open] };
            let name = bytes[open + 1..].split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
            let raw = RAW.iter().find(|raw| raw.as_bytes().eq_ignore_ascii_case(name));
            at = raw.map_or(end, |raw| raw_end(bytes, end, raw.as_bytes()));
        } else {
            at = open + 1;
        }
    }
    html
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    Some(from + bytes.get(from..)?.iter().position(|byte| *byte == wanted)?)
}

/// Behind the `>` of a tag, or the end of the document; none when it has too many attributes.
fn tag_end(bytes: &[u8], open: usize) -> Option<usize> {
    let (mut attributes, mut at) = (0, open + 1);
    // Whether a name could begin here, and whether a value could.
    let (mut apart, mut valued) = (false, false);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'>' => break,
            b'"' | b'\'' if valued => {
                at = find(bytes, at + 1, byte).unwrap_or(bytes.len());
                (apart, valued) = (true, false);
            }
            b'=' => (apart, valued) = (false, true),
            b'/' if !valued => apart = true,
            byte if byte.is_ascii_whitespace() => apart = !valued,
            _ => {
                attributes += usize::from(apart);
                (apart, valued) = (false, false);
            }
        }
        at += 1;
    }
    (attributes <= MOST_ATTRIBUTES).then(|| bytes.len().min(at + 1))
}

/// Where the end tag of an element begins whose content is raw, or the end of the document.
fn raw_end(bytes: &[u8], from: usize, name: &[u8]) -> usize {
    let mut at = from;
    while let Some(open) = find(bytes, at, b'<') {
        let end = bytes.get(open + 1..open + 2 + name.len());
        if end.is_some_and(|end| end[0] == b'/' && end[1..].eq_ignore_ascii_case(name)) {
            return open;
        }
        at = open + 1;
    }
    bytes.len()
}
