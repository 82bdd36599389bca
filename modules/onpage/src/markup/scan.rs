//! The tags of a source, one after the other, and on which line something stands.

/// Elements that have no end.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param",
    "keygen", "basefont", "bgsound", "frame",
];
/// Elements whose text is not markup.
const RAW: &[&str] = &["script", "style", "title", "textarea", "template", "noframes", "xmp", "iframe", "noembed"];

/// A tag as it is written.
pub(super) struct Tag {
    /// From 1.
    pub(super) line: u32,
    /// In lower case.
    pub(super) name: String,
    /// Whether it is an end.
    pub(super) closing: bool,
    /// Whether a slash stands before its end.
    pub(super) itself: bool,
    /// Whether elements of this name have no end.
    pub(super) void: bool,
    /// Whether its text is no markup; the end tag is passed over with the text.
    pub(super) raw: bool,
    /// The line of the first text since the tag before, white space aside.
    pub(super) text: Option<u32>,
}

/// The tags of a source; comments, and what is no markup, are passed over.
pub(super) struct Tags<'a> {
    html: &'a str,
    at: usize,
    lines: Lines<'a>,
}

impl<'a> Tags<'a> {
    pub(super) fn of(html: &'a str) -> Self {
        Self { html, at: 0, lines: Lines::new(html) }
    }
}

impl Iterator for Tags<'_> {
    type Item = Tag;

    fn next(&mut self) -> Option<Tag> {
        let mut text = None;
        loop {
            let start = self.at + self.html[self.at..].find('<')?;
            let before = &self.html[self.at..start];
            if text.is_none() && !before.trim().is_empty() {
                text = Some(self.lines.at(start - before.trim_start().len()));
            }
            let rest = &self.html[start + 1..];
            if let Some(comment) = rest.strip_prefix("!--") {
                self.at = start + 4 + comment.find("-->").map_or(comment.len(), |end| end + 3);
                continue;
            }
            let closing = rest.starts_with('/');
            let letters = rest[usize::from(closing)..].chars();
            let name: String = letters
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '-')
                .map(|c| c.to_ascii_lowercase())
                .collect();
            let end = end_of_tag(rest);
            self.at = (start + 2 + end).min(self.html.len());
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                continue;
            }
            let (void, raw) = (VOID.contains(&name.as_str()), RAW.contains(&name.as_str()));
            if raw && !closing {
                self.at = after_raw(self.html, self.at, &name);
            }
            let line = self.lines.at(start);
            return Some(Tag { line, name, closing, itself: rest[..end].ends_with('/'), void, raw, text });
        }
    }
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

/// The line of the first tag of a name, or of the first text; the first line when there is none.
pub(super) fn line_of(html: &str, element: &str) -> u32 {
    let line =
        |tag: Tag| if element == "text" { tag.text } else { (tag.name == element && !tag.closing).then_some(tag.line) };
    Tags::of(html).find_map(line).unwrap_or(1)
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
    use super::{Tags, line_of, offset_of_line};

    #[test]
    fn tags_are_read_with_their_lines_and_what_is_no_markup_is_passed_over() {
        let html = "<!-- <b> --><P>\n<img alt='a > b'/><script>'<i>'</script>\n</p><3 <";
        let tags: Vec<_> = Tags::of(html).map(|it| (it.line, it.name, it.closing, it.itself)).collect();
        let tag = |line, name: &str, closing, itself| (line, name.to_owned(), closing, itself);
        assert_eq!(
            tags,
            [
                tag(1, "p", false, false),
                tag(2, "img", false, true),
                tag(2, "script", false, false),
                tag(3, "p", true, false)
            ]
        );
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_of("a\n\n<DIV id=x>", "div"), 3);
        assert_eq!(line_of("<!-- a <div> -->\n<title>x</title> <div>\n b\n", "div"), 2);
        assert_eq!(line_of("<head>\n<title>x</title>\n\n words<p>", "text"), 4);
        assert_eq!(line_of("<p>", "b"), 1);
        assert_eq!((offset_of_line("ab\ncd\n", 1), offset_of_line("ab\ncd\n", 2)), (0, 3));
    }
}
