//! What a person sees is what is there: characters that hide, turn or colour text are taken out of what guests say.
//!
//! Pages and providers write text that agents read. Invisible characters carry instructions past the person who looks
//! on (the tags block spells whole sentences), direction marks show another order than is stored, and escape sequences
//! steer terminals. None of them leaves this service, wherever in a result the text stands.

use std::borrow::Cow;

/// Text without what hides. Borrowed where there is nothing to take out, which is nearly always.
#[must_use]
pub fn legible(text: &str) -> Cow<'_, str> {
    if !suspect(text) {
        return Cow::Borrowed(text);
    }
    let mut pen = Pen::default();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let follows = rest.clone().next();
        pen.put(character, follows, |pen| pen.text.push(character));
    }
    Cow::Owned(pen.text)
}

/// JSON text with every string made [`legible`], names of members too; written out or escaped, a character is the same.
/// All else stays as it stands, to the byte.
#[must_use]
pub fn legible_json(json: &str) -> Cow<'_, str> {
    if !suspect(json)
        && !json.contains("\\u")
        && !json.contains("\\b")
        && !json.contains("\\f")
        && !json.contains("\\r")
    {
        return Cow::Borrowed(json);
    }
    let mut pen = Pen::default();
    let mut rest = json;
    let mut quoted = false;
    while let Some((character, length)) = next(rest, quoted) {
        let (piece, after) = rest.split_at(length);
        match (quoted, piece) {
            (_, "\"") => {
                quoted = !quoted;
                pen.end();
                pen.text.push('"');
            }
            (false, _) => pen.text.push_str(piece),
            (true, _) => pen.put(character, next(after, true).map(|it| it.0), |pen| pen.text.push_str(piece)),
        }
        rest = after;
    }
    Cow::Owned(pen.text)
}

/// The next character of JSON text and the bytes that it takes, escapes within strings read as what they mean. A half
/// of a surrogate pair means nothing and is shown as the replacement character.
fn next(json: &str, quoted: bool) -> Option<(char, usize)> {
    let first = json.chars().next()?;
    if !quoted || first != '\\' {
        return Some((first, first.len_utf8()));
    }
    let unit = |at: usize| u32::from_str_radix(json.get(at + 2..at + 6)?, 16).ok();
    let escape = json[1..].chars().next().unwrap_or('\\');
    Some(match escape {
        'b' => ('\u{8}', 2),
        'f' => ('\u{c}', 2),
        'n' => ('\n', 2),
        'r' => ('\r', 2),
        't' => ('\t', 2),
        'u' => match (unit(0), json.get(6..8), unit(6)) {
            (Some(high @ 0xd800..=0xdbff), Some("\\u"), Some(low @ 0xdc00..=0xdfff)) => {
                (char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)).unwrap_or('\u{fffd}'), 12)
            }
            (Some(unit), _, _) => (char::from_u32(unit).unwrap_or('\u{fffd}'), 6),
            (None, _, _) => ('\u{fffd}', 2),
        },
        // An escaped quote is a character of the string, not its end: `"\""` is longer than one byte.
        other => (other, 1 + other.len_utf8()),
    })
}

/// Whether a character shows nothing or changes how its neighbours are shown: control characters, marks of direction,
/// zero widths, joiners, fillers, tags and variation selectors. For names and log lines, which need none of them;
/// [`legible`] keeps those that a language needs where they have an effect.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    character.is_control() || hidden(character) || joiner(character) || selector(character)
}

/// One line of at most `max_bytes` with each invisible character escaped (`\u{200b}`). The text can neither start
/// another line, nor colour a terminal, nor hide a part of itself. An escape is never cut.
#[must_use]
pub fn escape(text: &str, max_bytes: usize) -> String {
    let mut line = String::with_capacity(text.len().min(max_bytes));
    for character in text.chars() {
        let before = line.len();
        if is_invisible(character) {
            line.extend(character.escape_unicode());
        } else {
            line.push(character);
        }
        if line.len() > max_bytes {
            line.truncate(before);
            break;
        }
    }
    line
}

/// Lines for a terminal, with each invisible character but the line feed escaped. Whoever joins text of others into lines
/// takes [`escape`] for that text first, so that it begins no line of its own.
#[must_use]
pub fn printable(lines: &str) -> Cow<'_, str> {
    let seen = |character: char| character == '\n' || !is_invisible(character);
    if lines.chars().all(seen) {
        return Cow::Borrowed(lines);
    }
    let mut text = String::with_capacity(lines.len() + 16);
    for character in lines.chars() {
        if seen(character) {
            text.push(character);
        } else {
            text.extend(character.escape_unicode());
        }
    }
    Cow::Owned(text)
}

/// JSON text for a terminal: each invisible character as its JSON escape, so that it means the same.
#[must_use]
pub fn printable_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_invisible) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_invisible(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            text.push(character);
        }
    }
    Cow::Owned(text)
}

/// A quick look: any byte that a hidden character begins with, in text or after UTF-8's lead bytes.
fn suspect(text: &str) -> bool {
    text.bytes().any(|byte| byte < 0x20 && byte != b'\n' && byte != b'\t' || byte == 0x7f)
        || !text.is_ascii() && text.chars().any(|it| it > '\u{7f}' && (hidden(it) || joiner(it) || selector(it)))
}

/// Whether nothing shows where it stands, or what shows is not what is stored: control characters (C0 but tab and line
/// feed, C1), marks of direction (UAX #9), zero widths and fillers, the tags block, variation selectors for ideographs
/// (which carry any byte and show nothing), interlinear marks and private line ends.
fn hidden(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The two marks that languages need: without them Persian and Sinhala are spelled wrong, and families fall apart.
fn joiner(character: char) -> bool {
    matches!(character, '\u{200c}' | '\u{200d}')
}

/// Whether a joiner does its work here (UAX #31, 2.3): between letters or marks of scripts that join, or pictures.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    let script = |it: char| matches!(it, '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{e80}'..='\u{109f}' | '\u{1780}'..='\u{18aa}' | '\u{1b00}'..='\u{1b7f}' | '\u{a800}'..='\u{a8ff}');
    let picture = |it: char| matches!(it, '\u{2190}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}');
    match (before, after) {
        (Some(before), Some(after)) => (script(before) && script(after)) || (picture(before) && picture(after)),
        _ => false,
    }
}

/// Variation selectors: one says how the character before it is drawn, and a row of them carries any bytes unseen.
fn selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}')
}

/// Writes what may be seen, and knows whether an escape sequence of a terminal (ECMA-48) is being left out.
#[derive(Default)]
struct Pen {
    text: String,
    last: Option<char>,
    sequence: Sequence,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Sequence {
    #[default]
    None,
    /// After ESC: what follows says which kind it is.
    Escape,
    /// After ESC `[`: until a letter.
    Control,
    /// After ESC `]`, `P`, `X`, `^` or `_`: until BEL or ESC `\`.
    Text,
}

impl Pen {
    fn put(&mut self, character: char, follows: Option<char>, write: impl FnOnce(&mut Self)) {
        let (sequence, dropped) = self.step(character);
        self.sequence = sequence;
        let misplaced = (joiner(character) && !joins(self.last, follows))
            || (selector(character) && self.last.is_none_or(|last| selector(last) || last.is_whitespace()));
        if dropped || hidden(character) || misplaced {
            return;
        }
        self.last = Some(character);
        write(self);
    }

    /// Where the sequence stands after this character, and whether the character is a part of it.
    fn step(&self, character: char) -> (Sequence, bool) {
        match (self.sequence, character) {
            (_, '\u{1b}') => (Sequence::Escape, true),
            (_, '\u{9b}') => (Sequence::Control, true),
            (_, '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}') => (Sequence::Text, true),
            (Sequence::None, _) => (Sequence::None, false),
            (Sequence::Escape, '[') => (Sequence::Control, true),
            (Sequence::Escape, ']' | 'P' | 'X' | '^' | '_') => (Sequence::Text, true),
            (Sequence::Escape, ' '..='~') => (Sequence::None, true),
            (Sequence::Control, ' '..='?') => (Sequence::Control, true),
            (Sequence::Control, '@'..='~') => (Sequence::None, true),
            (Sequence::Text, '\u{7}' | '\u{9c}') => (Sequence::None, true),
            // Text that was begun and not ended would swallow the rest: it is shown, without the characters that hide.
            (Sequence::Text, '\n') | (Sequence::Escape | Sequence::Control, _) => (Sequence::None, false),
            (Sequence::Text, _) => (Sequence::Text, true),
        }
    }

    /// The string ends, and with it whatever was begun.
    fn end(&mut self) {
        (self.last, self.sequence) = (None, Sequence::None);
    }
}

#[cfg(test)]
mod tests;
