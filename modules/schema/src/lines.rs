//! On which line each place of a JSON text stands, so that a finding can point at it.

use crate::check::escaped;
use crate::extract::context::bare;

/// The lines of a text's places, by JSON pointer with names as schema.org's. The text is JSON that was read before.
pub(crate) struct Lines(Vec<(String, u32)>);

enum Level {
    Object { pointer: String, key: Option<String> },
    List { pointer: String, next: usize },
}

impl Lines {
    /// Reads a text once from its beginning to its end.
    pub(crate) fn of(text: &str) -> Self {
        let (mut out, mut levels) = (Vec::new(), Vec::<Level>::new());
        let (mut line, mut rest) = (1_u32, text);
        while let Some(letter) = rest.chars().next() {
            let mut used = letter.len_utf8();
            match letter {
                '\n' => line += 1,
                '"' => {
                    let (word, length) = string(rest);
                    used = length;
                    match levels.last_mut() {
                        Some(Level::Object { pointer, key: key @ None }) => {
                            let name = format!("{pointer}/{}", escaped(bare(&word)));
                            out.push((name, line));
                            *key = Some(word);
                        }
                        _ => value(&mut levels, line, &mut out),
                    }
                    line += u32::try_from(rest[..length].matches('\n').count()).unwrap_or(0);
                }
                '{' | '[' => {
                    let pointer = here(&levels);
                    value(&mut levels, line, &mut out);
                    levels.push(if letter == '{' {
                        Level::Object { pointer, key: None }
                    } else {
                        Level::List { pointer, next: 0 }
                    });
                }
                '}' | ']' => {
                    levels.pop();
                }
                ',' => match levels.last_mut() {
                    Some(Level::Object { key, .. }) => *key = None,
                    Some(Level::List { next, .. }) => *next += 1,
                    None => {}
                },
                // A number, or a word such as `true`, within a list.
                it if it.is_ascii_alphanumeric() || it == '-' => {
                    used = rest.find([',', ']', '}', '\n']).unwrap_or(rest.len());
                    value(&mut levels, line, &mut out);
                }
                _ => {}
            }
            rest = &rest[used..];
        }
        Self(out)
    }

    /// The line of a place, or of the nearest one around it.
    pub(crate) fn at(&self, pointer: &str) -> Option<u32> {
        let mut pointer = pointer;
        loop {
            if let Some((_, line)) = self.0.iter().find(|(known, _)| known == pointer) {
                return Some(*line);
            }
            pointer = &pointer[..pointer.rfind('/')?];
        }
    }
}

/// The pointer of the value that comes next.
fn here(levels: &[Level]) -> String {
    match levels.last() {
        None => String::new(),
        Some(Level::Object { pointer, key }) => {
            format!("{pointer}/{}", escaped(bare(key.as_deref().unwrap_or_default())))
        }
        Some(Level::List { pointer, next }) => format!("{pointer}/{next}"),
    }
}

/// Notes a value that begins here; a member's line is that of its name.
fn value(levels: &mut [Level], line: u32, out: &mut Vec<(String, u32)>) {
    if !matches!(levels.last(), Some(Level::Object { .. })) {
        out.push((here(levels), line));
    }
}

/// A string without its quotes, and its bytes with them.
fn string(text: &str) -> (String, usize) {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return (text[1..at].to_owned(), at + 1),
            _ => {}
        }
    }
    (text.get(1..).unwrap_or_default().to_owned(), text.len())
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn each_place_of_a_text_has_its_line() {
        let text = "{\n \"@graph\": [\n  { \"@type\": \"Person\",\n \"name\": \"A \\\" {\" },\n  {\n \"schema:offers\": [ 1,\n 2 ] } ] }";
        let lines = Lines::of(text);
        for (pointer, line) in [
            ("/@graph/0/name", 4),
            ("/@graph/1", 5),
            ("/@graph/1/offers", 6),
            ("/@graph/1/offers/1", 7),
            ("/@graph/0/missing", 3),
            ("/nothing", 1),
        ] {
            assert_eq!(lines.at(pointer), Some(line), "{pointer}");
        }
    }
}
