//! What of an answer's Markdown is an address, the words of a link, a table or a list.

use std::ops::Range;

use crate::stored::Zone;

/// A numbered or bulleted line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its bytes, without the mark.
    pub(crate) bytes: Range<usize>,
    /// The first byte of its line.
    pub(crate) line: usize,
    /// Its number, for a numbered one.
    pub(crate) number: Option<u32>,
    /// The list that it is of, from 0.
    pub(crate) list: usize,
}

/// The parts of a Markdown text, by bytes.
pub(crate) struct Markup {
    /// Addresses: nothing in them is a mention.
    addresses: Vec<Range<usize>>,
    /// The words of links.
    links: Vec<Range<usize>>,
    /// Rows of tables.
    rows: Vec<Range<usize>>,
    /// Lines of lists, in order.
    pub(crate) items: Vec<Item>,
    /// Links: their bytes of words and their addresses.
    pub(crate) targets: Vec<(Range<usize>, String)>,
}

impl Markup {
    /// Reads a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut out =
            Self { addresses: Vec::new(), links: Vec::new(), rows: Vec::new(), items: Vec::new(), targets: Vec::new() };
        out.read_links(text);
        out.read_bare(text);
        out.read_lines(text);
        out
    }

    /// The zone of some bytes; none within an address.
    pub(crate) fn zone(&self, bytes: &Range<usize>) -> Option<Zone> {
        let within = |all: &[Range<usize>]| all.iter().any(|it| it.start <= bytes.start && bytes.end <= it.end);
        let touches = self.addresses.iter().any(|it| it.start < bytes.end && bytes.start < it.end);
        match () {
            () if touches => None,
            () if within(&self.links) => Some(Zone::Link),
            () if within(&self.rows) => Some(Zone::Table),
            () => Some(Zone::Sentence),
        }
    }

    /// `[words](address "title")`.
    fn read_links(&mut self, text: &str) {
        let mut from = 0;
        while let Some(middle) = text[from..].find("](").map(|it| it + from) {
            from = middle + 2;
            let Some(open) = text[..middle].rfind('[') else { continue };
            // A link's words stand in one paragraph.
            if text[open..middle].contains("\n\n") {
                continue;
            }
            let rest = &text[middle + 2..];
            let Some(length) = closing(rest) else { continue };
            let target = rest[..length].split_whitespace().next().unwrap_or_default();
            let words = open + 1..middle;
            self.addresses.push(middle + 1..middle + 2 + length + 1);
            // `[shop.example](…)` names a source and no brand.
            let label = text[words.clone()].trim();
            if label.contains('.') && !label.contains(' ') {
                self.addresses.push(words.clone());
            } else {
                self.links.push(words.clone());
            }
            if target.starts_with("http://") || target.starts_with("https://") {
                self.targets.push((words, target.trim_matches(['<', '>']).to_owned()));
            }
            from = middle + 2 + length;
        }
    }

    /// Addresses that stand in the text.
    fn read_bare(&mut self, text: &str) {
        let mut from = 0;
        while let Some(start) = text[from..].find("http").map(|it| it + from) {
            let rest = &text[start..];
            if !rest.starts_with("http://") && !rest.starts_with("https://") {
                from = start + 4;
                continue;
            }
            let stops = |it: char| it.is_whitespace() || matches!(it, ')' | ']' | '>' | '"' | '`' | '|' | '<');
            let length = rest.find(stops).unwrap_or(rest.len());
            let address = rest[..length].trim_end_matches(['.', ',', ';', ':', '*', '_', '!', '?', '\'']);
            let bytes = start..start + address.len();
            if !self.addresses.iter().any(|it| it.start <= bytes.start && bytes.end <= it.end) {
                self.targets.push((bytes.clone(), address.to_owned()));
                self.addresses.push(bytes);
            }
            from = start + length.max(4);
        }
    }

    fn read_lines(&mut self, text: &str) {
        let (mut start, mut list, mut open) = (0, 0, false);
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            let indent = line.len() - trimmed.len();
            if trimmed.starts_with('|') {
                self.rows.push(start..start + line.len());
            }
            match mark(trimmed) {
                Some((number, length)) if indent < 4 => {
                    if !open && !self.items.is_empty() {
                        list += 1;
                    }
                    open = true;
                    let bytes = start + indent + length..start + line.len();
                    self.items.push(Item { bytes, line: start + indent, number, list });
                }
                // What is indented belongs to the line above; an empty line ends nothing yet.
                _ if trimmed.trim().is_empty() || indent >= 2 => {}
                _ => open = false,
            }
            start += line.len();
        }
    }
}

/// Where a link's address ends: at the parenthesis that nothing in it opens.
fn closing(rest: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// The number and the bytes of a list's mark.
fn mark(line: &str) -> Option<(Option<u32>, usize)> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) {
        let rest = &line[digits..];
        let is_mark = rest.starts_with(['.', ')']) && rest[1..].starts_with([' ', '\t']);
        return is_mark.then(|| (line[..digits].parse().ok(), digits + 2));
    }
    // Some write a number into a heading or into bold letters: `### 1. Name`.
    let heading = line.trim_start_matches('#');
    if heading.len() < line.len() && heading.starts_with(' ') {
        let skipped = line.len() - heading.len() + 1;
        let (number, length) = mark(heading.trim_start()).filter(|it| it.0.is_some())?;
        return Some((number, skipped + length));
    }
    let bullet = ["- ", "* ", "+ ", "• "].iter().find(|it| line.starts_with(**it))?;
    Some((None, bullet.len()))
}

#[cfg(test)]
mod tests {
    use super::Markup;
    use crate::stored::Zone;

    fn zone(text: &str, words: &str) -> Option<Zone> {
        let at = text.find(words).expect("the words");
        Markup::of(text).zone(&(at..at + words.len()))
    }

    #[test]
    fn words_addresses_links_and_tables_are_told_apart() {
        let text = "Try [Bright](https://bright.example/a_(b)) or Lumen ([lumen.example](https://lumen.example/)).\n\
                    | Acme | 3 |\nSee https://lamps.example/x.";
        assert_eq!(zone(text, "Bright"), Some(Zone::Link));
        assert_eq!(zone(text, "bright.example"), None);
        assert_eq!(zone(text, "Lumen"), Some(Zone::Sentence));
        assert_eq!(zone(text, "lumen.example]"), None);
        assert_eq!(zone(text, "Acme"), Some(Zone::Table));
        assert_eq!(zone(text, "lamps"), None);
        let targets: Vec<String> = Markup::of(text).targets.into_iter().map(|it| it.1).collect();
        assert_eq!(targets, ["https://bright.example/a_(b)", "https://lumen.example/", "https://lamps.example/x"]);
    }

    #[test]
    fn lists_have_their_numbers_and_end_where_a_paragraph_begins() {
        let text = "Best:\n\n1. A\n   more of A\n\n2. B\n\nOthers:\n- C\n- D\n\n### 1. E\n";
        let items: Vec<(Option<u32>, usize)> = Markup::of(text).items.iter().map(|it| (it.number, it.list)).collect();
        assert_eq!(items, [(Some(1), 0), (Some(2), 0), (None, 1), (None, 1), (Some(1), 1)]);
        assert_eq!(Markup::of("2026. It was warm in 2,000 places.").items.len(), 0);
    }
}
