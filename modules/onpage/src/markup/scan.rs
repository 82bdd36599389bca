//! Kept here: what only the source shows: elements that nobody closed, and on which line something stands.

/// Elements that have no end.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param",
    "keygen", "basefont", "bgsound", "frame",
];
/// Elements whose end may be left out (HTML 13.1.2.4).
const OPTIONAL: &[&str] = &[
    "html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option", "colgroup", "caption", "thead",
    "tbody", "tfoot", "tr", "td", "th",
];
/// Elements whose text is not markup.
const RAW: &[&str] = &["script", "style", "title", "textarea", "template", "noframes", "xmp", "iframe", "noembed"];

/// Elements that are opened and never closed, or closed and never opened: line and `<name>` or `</name>`; at most 50.
pub(super) fn unclosed(html: &str) -> Vec<(u32, String)> {
    let mut open: Vec<(u32, String)> = Vec::new();
    let mut out: Vec<(u32, String)> = Vec::new();
    let mut foreign = 0_u32;
    let mut lines = Lines::new(html);
    let mut at = 0;
    while let Some(found) = html[at..].find('<') {
        at += found;
        let rest = &html[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            at += 4 + comment.find("-->").map_or(comment.len(), |end| end + 3);
            continue;
        }
        let closing = rest.starts_with('/');
        let start = usize::from(closing);
        let name: String = rest[start..]
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let line = lines.at(at);
        let end = end_of_tag(rest);
        let itself = rest[..end].ends_with('/');
        at += 1 + end;
        if name.is_empty() || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        if matches!(name.as_str(), "svg" | "math") && !itself {
            foreign = if closing { foreign.saturating_sub(1) } else { foreign + 1 };
        }
        if closing {
            match open.iter().rposition(|(_, it)| *it == name) {
                Some(position) => {
                    let inner = open.drain(position..).skip(1);
                    out.extend(
                        inner
                            .filter(|(_, it)| !OPTIONAL.contains(&it.as_str()))
                            .map(|(line, it)| (line, format!("<{it}>"))),
                    );
                }
                None if OPTIONAL.contains(&name.as_str()) || VOID.contains(&name.as_str()) => {}
                None => out.push((line, format!("</{name}>"))),
            }
        } else if !(VOID.contains(&name.as_str()) || itself && foreign > 0) {
            if RAW.contains(&name.as_str()) {
                at = after_raw(html, at, &name);
            } else {
                open.push((line, name));
            }
        }
        if out.len() >= 50 {
            break;
        }
    }
    out.extend(
        open.into_iter().filter(|(_, it)| !OPTIONAL.contains(&it.as_str())).map(|(line, it)| (line, format!("<{it}>"))),
    );
    out.truncate(50);
    out
}

/// Where a tag ends, quoted values passed over; the position of its `>`.
fn end_of_tag(rest: &str) -> usize {
    let mut quote = None;
    for (at, byte) in rest.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') if rest[..at].trim_end().ends_with('=') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    rest.len()
}

fn after_raw(html: &str, from: usize, name: &str) -> usize {
    let mut at = from.min(html.len());
    while let Some(found) = html[at..].find("</") {
        let tag = at + found + 2;
        if html.get(tag..tag + name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name)) {
            return tag + html[tag..].find('>').map_or(html.len() - tag, |end| end + 1);
        }
        at = tag;
    }
    html.len()
}

/// The line of the first tag of a name, or of the first text, after the head begins.
pub(super) fn line_of(html: &str, element: &str) -> u32 {
    let lower = html.to_ascii_lowercase();
    let tag = format!("<{element}");
    let at = lower
        .match_indices(&tag)
        .map(|it| it.0)
        .find(|at| lower[at + tag.len()..].chars().next().is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-'));
    Lines::new(html).at(at.unwrap_or_default())
}

/// The byte where a line begins.
pub(super) fn offset_of_line(html: &str, line: u32) -> usize {
    html.match_indices('\n')
        .nth((line as usize).saturating_sub(2))
        .map_or(0, |(at, _)| if line <= 1 { 0 } else { at + 1 })
}

/// Counts lines forward.
struct Lines<'a> {
    html: &'a [u8],
    at: usize,
    line: u32,
}

impl<'a> Lines<'a> {
    fn new(html: &'a str) -> Self {
        Self { html: html.as_bytes(), at: 0, line: 1 }
    }

    fn at(&mut self, position: usize) -> u32 {
        let breaks = self.html[self.at..position].iter().filter(|it| **it == b'\n').count();
        self.line += u32::try_from(breaks).unwrap_or(u32::MAX);
        self.at = position;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::{line_of, offset_of_line, unclosed};

    #[test]
    fn what_nobody_closed_is_found_with_its_line() {
        let html = "<div>\n<span>a\n<p>b<li>c\n</div>\n</section><br><img src='a>b'>";
        assert_eq!(unclosed(html), [(2, "<span>".to_owned()), (5, "</section>".to_owned())]);
        assert!(unclosed("<script>if (a<b) {'<div>'}</script><svg><path d=''/></svg><!-- <b> -->").is_empty());
        assert_eq!(unclosed("<b>"), [(1, "<b>".to_owned())]);
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_of("a\n\n<DIV id=x>", "div"), 3);
        assert_eq!((offset_of_line("ab\ncd\n", 1), offset_of_line("ab\ncd\n", 2)), (0, 3));
    }
}
