//! What a page says of its own encoding, found as the HTML standard says ("prescan a byte stream to
//! determine its encoding", 13.2.3.2) and without parsing it.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::told;

/// What was found.
#[derive(Default)]
pub(super) struct Declaration {
    /// The encoding to read the page in.
    pub(super) encoding: Option<&'static Encoding>,
    /// The first label that was declared, known or not.
    pub(super) label: Option<String>,
}

/// Looks for a declaration in the first bytes of a page.
pub(super) fn declaration(head: &[u8]) -> Declaration {
    // An XML declaration in UTF-16 that has no byte order mark.
    for (start, encoding) in [(b"<\0?\0x\0", UTF_16LE), (b"\0<\0?\0x", UTF_16BE)] {
        if head.starts_with(start) {
            return Declaration { encoding: Some(encoding), label: None };
        }
    }
    let mut found = Declaration::default();
    let mut scan = Scan { bytes: head, at: 0 };
    while let Some(byte) = scan.peek() {
        let rest = &head[scan.at..];
        if rest.starts_with(b"<!--") {
            // The hyphens of the start may be those of the end: `<!-->` is a comment.
            let end = rest[2..].windows(3).position(|it| it == b"-->");
            scan.at = end.map_or(head.len(), |end| scan.at + 2 + end + 3);
            continue;
        }
        if is_meta(rest) {
            scan.at += 5;
            let label = label_of_meta(&mut scan);
            if let Some(label) = label {
                found.label = found.label.or_else(|| told(&label));
                found.encoding = Encoding::for_label(label.as_bytes()).map(as_read);
            }
            if found.encoding.is_some() {
                return found;
            }
        } else if is_tag(rest) {
            scan.skip_until(|byte| is_space(byte) || byte == b'>');
            while scan.attribute().is_some() {}
        } else if byte == b'<' && matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            scan.skip_until(|byte| byte == b'>');
        }
        scan.at += 1;
    }
    if let Some(label) = label_of_xml(head) {
        found.encoding = Encoding::for_label(label.as_bytes()).map(as_read);
        found.label = found.label.or_else(|| told(&label));
    }
    found
}

/// A page that was read far enough to find it is not UTF-16, whatever it says.
fn as_read(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..5).is_some_and(|it| it.eq_ignore_ascii_case(b"<meta"))
        && rest.get(5).is_some_and(|byte| is_space(*byte) || *byte == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.first() == Some(&b'<') && rest.get(name).is_some_and(u8::is_ascii_alphabetic)
}

/// The label of one `<meta>`: of `charset`, or of `content` where `http-equiv` says that it is about that.
fn label_of_meta(scan: &mut Scan<'_>) -> Option<String> {
    let (mut pragma, mut needs_pragma, mut label) = (false, false, None);
    let mut seen = Vec::new();
    while let Some((name, value)) = scan.attribute() {
        if seen.contains(&name) {
            continue;
        }
        match name.as_str() {
            "http-equiv" => pragma = value == "content-type",
            "content" if label.is_none() => {
                label = label_of_content(&value);
                needs_pragma = label.is_some();
            }
            "charset" => (label, needs_pragma) = (Some(value), false),
            _ => {}
        }
        seen.push(name);
    }
    label.filter(|_| pragma || !needs_pragma)
}

/// "Extracting a character encoding from a `meta` element" (HTML 2.5.4), of a value in small letters.
fn label_of_content(content: &str) -> Option<String> {
    let mut rest = content;
    loop {
        rest = rest[rest.find("charset")? + "charset".len()..].trim_start();
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_start();
            return match value.chars().next()? {
                quote @ ('"' | '\'') => value[1..].split_once(quote).map(|(label, _)| label.to_owned()),
                _ => value.split(|it: char| it.is_ascii_whitespace() || it == ';').next().map(str::to_owned),
            };
        }
    }
}

/// "Get an XML encoding" (HTML 13.2.3.2).
fn label_of_xml(head: &[u8]) -> Option<String> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|byte| *byte == b'>')?];
    let text = String::from_utf8_lossy(declaration);
    let value = text.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    value[1..].split_once(quote).map(|(label, _)| label.to_owned())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// A place in the bytes.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_until(&mut self, end: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(|byte| !end(byte)) {
            self.at += 1;
        }
    }

    fn take_until(&mut self, end: impl Fn(u8) -> bool) -> String {
        let from = self.at;
        self.skip_until(end);
        let taken = self.bytes.get(from..self.at).unwrap_or_default();
        taken.iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect()
    }

    /// The next attribute of a tag, name and value in small letters ("get an attribute"); none at the tag's end.
    fn attribute(&mut self) -> Option<(String, String)> {
        self.skip_until(|byte| !is_space(byte) && byte != b'/');
        if self.peek()? == b'>' {
            return None;
        }
        let from = self.at;
        // An equals sign is part of a name that it begins.
        let name = self.take_until_name(from);
        self.skip_until(|byte| !is_space(byte));
        if self.peek() != Some(b'=') {
            return Some((name, String::new()));
        }
        self.at += 1;
        self.skip_until(|byte| !is_space(byte));
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.take_until(|byte| byte == quote);
                self.peek()?;
                self.at += 1;
                value
            }
            b'>' => String::new(),
            _ => self.take_until(|byte| is_space(byte) || byte == b'>'),
        };
        Some((name, value))
    }

    fn take_until_name(&mut self, from: usize) -> String {
        if self.peek() == Some(b'=') {
            self.at += 1;
        }
        self.take_until(|byte| is_space(byte) || matches!(byte, b'/' | b'>' | b'='));
        self.bytes[from..self.at].iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect()
    }
}
