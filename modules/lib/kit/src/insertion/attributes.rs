//! Where attributes stand in a text as an editor stores it, byte by byte, and the JSON of its blocks.

use std::ops::Range;

use super::scan::{RAW, is_tag, tag_length};

/// An attribute of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// The name of the element, in small letters.
    pub element: String,
    /// Where the tag stands.
    pub tag: Range<usize>,
    /// The name of the attribute, in small letters.
    pub name: String,
    /// Where the value stands, its quotation marks not among it.
    pub value: Range<usize>,
    /// Its quotation mark; none for a bare value.
    pub quote: Option<char>,
}

/// The JSON of a block: `<!-- wp:image {"id":7} -->`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockJson {
    /// The block, as it is written: `image`, `core/image`.
    pub name: String,
    /// Where the JSON stands.
    pub json: Range<usize>,
}

/// What stands in a stored text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Attributes of tags, in order. Those in comments, scripts and the like are text.
    pub attributes: Vec<Attribute>,
    /// Tags of an element without any attribute of the name `alt` are found here by their range and name.
    pub tags: Vec<(String, Range<usize>)>,
    /// The JSON of blocks, in order.
    pub blocks: Vec<BlockJson>,
}

/// Reads a stored text in one pass.
#[must_use]
pub fn marks(raw: &str) -> Marks {
    let mut marks = Marks::default();
    let mut at = 0;
    while let Some(open) = raw[at..].find('<').map(|it| it + at) {
        let rest = &raw[open..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            let length = comment.find("-->").map_or(rest.len(), |end| end + 7);
            marks.blocks.extend(block(&raw[open..open + length], open));
            at = open + length;
        } else if is_tag(rest) {
            let length = tag_length(rest);
            let name = tag(&raw[open..open + length], open, &mut marks);
            at = open + length;
            if let Some(name) = name.filter(|it| RAW.contains(&it.as_str())) {
                // Only its own end tag ends it.
                at += find_end(&raw[at..], &name);
            }
        } else {
            at = open + 1;
        }
    }
    marks
}

/// Where the end tag of a raw element begins.
fn find_end(rest: &str, name: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_end = |at: &usize| {
        rest[*at..].starts_with("</")
            && bytes.get(at + 2..at + 2 + name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
    };
    rest.match_indices("</").map(|(at, _)| at).find(is_end).unwrap_or(rest.len())
}

/// The JSON of a block's comment.
fn block(comment: &str, at: usize) -> Option<BlockJson> {
    let inner = comment.strip_prefix("<!--")?.strip_suffix("-->")?;
    let name_at = inner.find(|c: char| !c.is_whitespace())?;
    let rest = inner[name_at..].strip_prefix("wp:")?;
    let name: String = rest.chars().take_while(|c| !c.is_whitespace()).collect();
    let json = rest[name.len()..].trim().trim_end_matches('/').trim_end();
    let begin = comment.find(json).filter(|_| json.starts_with('{') && json.ends_with('}'))?;
    Some(BlockJson { name, json: at + begin..at + begin + json.len() })
}

/// Reads a tag; the name of the element unless it is an end tag (HTML, 13.1.2.3).
fn tag(tag: &str, at: usize, marks: &mut Marks) -> Option<String> {
    let bytes = tag.as_bytes();
    if bytes.get(1).is_none_or(|it| !it.is_ascii_alphabetic()) {
        return None;
    }
    let space = |it: u8| it.is_ascii_whitespace() || it == b'/';
    let mut place = 1;
    while place < bytes.len() && !space(bytes[place]) && bytes[place] != b'>' {
        place += 1;
    }
    let element = tag[1..place].to_ascii_lowercase();
    let whole = at..at + tag.len();
    marks.tags.push((element.clone(), whole.clone()));
    loop {
        while place < bytes.len() && space(bytes[place]) {
            place += 1;
        }
        if place >= bytes.len() || bytes[place] == b'>' {
            return Some(element);
        }
        let from = place;
        // A name may begin with `=`.
        place += 1;
        while place < bytes.len() && !space(bytes[place]) && !matches!(bytes[place], b'=' | b'>') {
            place += 1;
        }
        let name = String::from_utf8_lossy(&bytes[from..place]).to_ascii_lowercase();
        let mut next = place;
        while next < bytes.len() && bytes[next].is_ascii_whitespace() {
            next += 1;
        }
        if bytes.get(next) != Some(&b'=') {
            marks.attributes.push(Attribute {
                element: element.clone(),
                tag: whole.clone(),
                name,
                value: at + place..at + place,
                quote: None,
            });
            continue;
        }
        next += 1;
        while next < bytes.len() && bytes[next].is_ascii_whitespace() {
            next += 1;
        }
        let (value, quote) = match bytes.get(next) {
            Some(open @ (b'"' | b'\'')) => {
                let end = bytes[next + 1..].iter().position(|it| it == open).map_or(bytes.len(), |it| next + 1 + it);
                place = (end + 1).min(bytes.len());
                (next + 1..end, Some(char::from(*open)))
            }
            _ => {
                let mut end = next;
                while end < bytes.len() && !bytes[end].is_ascii_whitespace() && bytes[end] != b'>' {
                    end += 1;
                }
                place = end;
                (next..end, None)
            }
        };
        marks.attributes.push(Attribute {
            element: element.clone(),
            tag: whole.clone(),
            name,
            value: at + value.start..at + value.end,
            quote,
        });
    }
}

#[cfg(test)]
mod tests;
