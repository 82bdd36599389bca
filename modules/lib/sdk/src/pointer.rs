//! Where in a JSON text a position is, as a JSON pointer (RFC 6901).
//!
//! serde says line and column of a value it refuses; a caller wants the name of the argument.

/// The pointer of the value that ends at or contains the position; empty for the whole text.
/// `line` and `column` count from 1 as serde_json does, in bytes.
pub(crate) fn at(text: &str, line: usize, column: usize) -> String {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let end = (start + column).saturating_sub(1).min(text.len());
    let mut path: Vec<Place> = Vec::new();
    let mut rest = text.as_bytes()[..end].iter().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'{' => path.push(Place::Member(String::new())),
            b'[' => path.push(Place::Item(0)),
            b'}' | b']' => {
                path.pop();
            }
            b',' => {
                if let Some(Place::Item(index)) = path.last_mut() {
                    *index += 1;
                }
            }
            b'"' => {
                let from = at + 1;
                let mut to = end;
                while let Some((at, byte)) = rest.next() {
                    match byte {
                        b'\\' => {
                            rest.next();
                        }
                        b'"' => {
                            to = at;
                            break;
                        }
                        _ => {}
                    }
                }
                let is_name = text.as_bytes()[(to + 1).min(text.len())..].iter().find(|it| !it.is_ascii_whitespace())
                    == Some(&b':');
                if let (Some(Place::Member(name)), true) = (path.last_mut(), is_name) {
                    *name = serde_json::from_str(&format!("\"{}\"", &text[from..to])).unwrap_or_default();
                }
            }
            _ => {}
        }
    }
    path.iter().map(Place::written).collect()
}

enum Place {
    Member(String),
    Item(usize),
}

impl Place {
    fn written(&self) -> String {
        match self {
            Self::Member(name) if name.is_empty() => String::new(),
            Self::Member(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
            Self::Item(index) => format!("/{index}"),
        }
    }
}

#[cfg(test)]
mod tests;
