//! Lines that a text with placeholders describes: nginx `log_format` and Apache `LogFormat`.

use std::borrow::Cow;

use super::line::{Field, Found, Read, Reason};
use super::time::Clock;

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(Vec<u8>),
    Field(Field),
}

/// A line, part by part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

impl Template {
    /// Of parts; texts that follow each other are joined.
    pub(crate) fn new(parts: Vec<Piece>) -> Self {
        let mut pieces: Vec<Piece> = Vec::with_capacity(parts.len());
        for part in parts {
            match (pieces.last_mut(), part) {
                (_, Piece::Text(text)) if text.is_empty() => {}
                (Some(Piece::Text(before)), Piece::Text(text)) => before.extend(text),
                (_, part) => pieces.push(part),
            }
        }
        Self { pieces }
    }

    /// Which fields it has.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Field> {
        self.pieces.iter().filter_map(|it| if let Piece::Field(field) = it { Some(*field) } else { None })
    }

    /// Reads a line.
    pub(crate) fn read<'a>(&self, line: &'a [u8], clock: &mut Clock) -> Read<'a> {
        let mut found = Found::default();
        match self.fill(line, &mut found) {
            Some([]) => found.read(clock),
            _ => Read::Rejected(Reason::OtherForm),
        }
    }

    /// Fills in the fields; what is left of the line.
    pub(crate) fn fill<'a>(&self, line: &'a [u8], found: &mut Found<'a>) -> Option<&'a [u8]> {
        let mut rest = line;
        let mut before: u8 = 0;
        for (at, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Text(text) => {
                    rest = rest.strip_prefix(text.as_slice())?;
                    before = *text.last().unwrap_or(&0);
                }
                Piece::Field(field) => {
                    let next = match self.pieces.get(at + 1) {
                        Some(Piece::Text(text)) => Some(text.as_slice()),
                        _ => None,
                    };
                    // A host that the path follows at once ends where that begins.
                    let joined = matches!(self.pieces.get(at + 1), Some(Piece::Field(Field::Target | Field::Path)));
                    let end = match next {
                        None if joined => rest.iter().position(|it| *it == b'/')?,
                        None => rest.len(),
                        Some(text) if before == b'"' && text.starts_with(b"\"") => quoted(rest)?,
                        Some(text) => find(rest, text)?,
                    };
                    if !found.take(*field, unescaped(&rest[..end])) {
                        return None;
                    }
                    rest = &rest[end..];
                    before = 0;
                }
            }
        }
        Some(rest)
    }
}

/// Where the text in quotes ends: at the first quote that no backslash stands before.
pub(crate) fn quoted(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.iter().position(|it| *it == first)?;
        if text[at..].starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Without the escapes of Apache, nginx and JSON: `\"`, `\\`, `\x16`, `\u0016`, `\t`, `\/`.
pub(crate) fn unescaped(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let hex = |from: usize, length: usize| {
        text.get(from..from + length).and_then(|it| u32::from_str_radix(std::str::from_utf8(it).ok()?, 16).ok())
    };
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let next = text.get(at + 1);
        match (byte, next) {
            (b'\\', Some(b'x')) if hex(at + 2, 2).is_some() => {
                out.extend(hex(at + 2, 2).and_then(|it| u8::try_from(it).ok()));
                at += 4;
            }
            (b'\\', Some(b'u')) if hex(at + 2, 4).is_some() => {
                let letter = hex(at + 2, 4).and_then(char::from_u32).unwrap_or('\u{fffd}');
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                at += 6;
            }
            (b'\\', Some(escaped)) => {
                out.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    other => *other,
                });
                at += 2;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}
