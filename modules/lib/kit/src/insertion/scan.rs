//! Which characters of a stored text a reader sees, where each stands in it, and where a link may be.

use std::ops::Range;

use super::Refused;

/// Elements in which no link may be put: a link itself, headings, and what is no running text.
const CLOSED: &[&str] = &[
    "a", "h1", "h2", "h3", "h4", "h5", "h6", "script", "style", "pre", "code", "kbd", "samp", "button", "label",
    "textarea", "select", "option", "title", "svg", "math", "template", "noscript", "iframe", "object", "nav",
    "summary",
];
/// Elements that do not end a line of text.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s",
    "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr", "label",
];
/// Elements without an end tag.
const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];
/// Elements whose content is no markup.
pub(super) const RAW: &[&str] = &["script", "style", "textarea", "title"];

/// Where a character stands in the stored text, and in which text node.
type Origin = (Range<usize>, u32);

/// What a reader sees of a stored text.
pub(super) struct Visible {
    /// The visible text, made plain.
    pub(super) text: String,
    /// For each character of `text`: where it begins there, where its source stands, and its text node; none for a
    /// character that markup stands for.
    sources: Vec<(usize, Option<Origin>)>,
    /// Which text nodes may hold a link.
    open: Vec<bool>,
    /// Addresses that are linked.
    pub(super) links: Vec<String>,
}

impl Visible {
    pub(super) fn of(raw: &str) -> Self {
        let mut reader = Reader {
            raw,
            seen: Self { text: String::new(), sources: Vec::new(), open: Vec::new(), links: Vec::new() },
            elements: Vec::new(),
            shortcodes: Vec::new(),
        };
        reader.read();
        reader.seen
    }

    /// Where a piece of the visible text stands, when a link may be put around it.
    pub(super) fn place(&self, piece: Range<usize>) -> Result<Range<usize>, Refused> {
        let first = self.sources.partition_point(|(at, _)| *at < piece.start);
        let end = self.sources.partition_point(|(at, _)| *at < piece.end);
        let mut found: Option<Origin> = None;
        for (_, source) in &self.sources[first..end] {
            let Some((range, node)) = source else { return Err(Refused::Interrupted) };
            match &mut found {
                None => found = Some((range.clone(), *node)),
                Some((whole, one)) if one == node => whole.end = range.end,
                Some(_) => return Err(Refused::Interrupted),
            }
        }
        let (range, node) = found.ok_or(Refused::TextChanged)?;
        if self.open[node as usize] { Ok(range) } else { Err(Refused::Forbidden) }
    }

    fn push(&mut self, character: char, source: Option<Origin>) {
        if character.is_whitespace() {
            // A run of white space is one space, which stands for all of it.
            if self.text.ends_with(' ') {
                self.widen(source.as_ref());
            }
            if self.text.ends_with([' ', '\n']) || self.text.is_empty() {
                return;
            }
            self.sources.push((self.text.len(), source));
            self.text.push(' ');
            return;
        }
        let (plain, times) = beautified(character);
        for _ in 0..times {
            // A run of hyphens is one dash.
            if plain == '-' && self.text.ends_with('-') {
                self.widen(source.as_ref());
                continue;
            }
            self.sources.push((self.text.len(), source.clone()));
            self.text.push(plain);
        }
    }

    /// The last character stands for this too.
    fn widen(&mut self, source: Option<&Origin>) {
        if let (Some((_, Some(last))), Some(more)) = (self.sources.last_mut(), source)
            && last.1 == more.1
        {
            last.0.end = more.0.end;
        }
    }

    fn line(&mut self) {
        if self.text.ends_with(' ') {
            self.text.pop();
            self.sources.pop();
        }
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.sources.push((self.text.len(), None));
            self.text.push('\n');
        }
    }
}

/// A sentence or a piece of one, as [`Visible::text`] has it.
pub(super) fn plain(text: &str) -> String {
    let mut seen = Visible { text: String::new(), sources: Vec::new(), open: Vec::new(), links: Vec::new() };
    text.chars().for_each(|c| seen.push(c, None));
    seen.text.trim_end().to_owned()
}

/// What a beautified sign stands for, and how many of it.
const fn beautified(character: char) -> (char, usize) {
    match character {
        '‘' | '’' | '‚' | '‛' | '′' => ('\'', 1),
        '“' | '”' | '„' | '‟' | '″' => ('"', 1),
        '‐' | '‑' | '‒' | '–' | '—' | '−' => ('-', 1),
        '…' => ('.', 3),
        // A soft hyphen, joiners and marks of direction are not seen.
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => (' ', 0),
        other => (other, 1),
    }
}

/// Reads a stored text from its beginning to its end.
struct Reader<'a> {
    raw: &'a str,
    seen: Visible,
    /// Open elements.
    elements: Vec<String>,
    /// Open shortcodes that have an end.
    shortcodes: Vec<String>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut at = 0;
        while at < self.raw.len() {
            let rest = &self.raw[at..];
            if let Some(name) = self.elements.last().filter(|it| RAW.contains(&it.as_str())) {
                // Only its own end tag ends it.
                let end = rest.to_ascii_lowercase().find(&format!("</{name}")).unwrap_or(rest.len());
                if end > 0 {
                    at += end;
                    continue;
                }
            }
            at += if let Some(comment) = rest.strip_prefix("<!--") {
                let length = comment.find("-->").map_or(rest.len(), |end| end + 7);
                self.node();
                length
            } else if is_tag(rest) {
                let length = tag_length(rest);
                self.tag(&rest[..length]);
                length
            } else if let Some(length) = shortcode_length(rest) {
                self.shortcode(&rest[..length], &rest[length..]);
                length
            } else {
                self.character(at)
            };
        }
        self.seen.line();
    }

    /// What follows is another text node, or another piece of one that markup interrupts.
    fn node(&mut self) {
        let closed = self.elements.iter().any(|it| CLOSED.contains(&it.as_str()));
        self.seen.open.push(!closed && self.shortcodes.is_empty());
    }

    fn character(&mut self, at: usize) -> usize {
        if self.seen.open.is_empty() {
            self.node();
        }
        let rest = &self.raw[at..];
        let node = u32::try_from(self.seen.open.len() - 1).unwrap_or(u32::MAX);
        let (text, length) = reference(rest).unwrap_or_else(|| {
            let first = rest.chars().next().unwrap_or(' ');
            (first.to_string(), first.len_utf8())
        });
        text.chars().for_each(|c| self.seen.push(c, Some((at..at + length, node))));
        length
    }

    fn tag(&mut self, tag: &str) {
        let ending = tag.starts_with("</");
        let name: String = tag.trim_start_matches(['<', '/']).chars().take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        if !INLINE.contains(&name.as_str()) {
            self.seen.line();
        }
        if ending {
            if let Some(open) = self.elements.iter().rposition(|it| *it == name) {
                self.elements.truncate(open);
            }
        } else if !VOID.contains(&name.as_str()) && !tag.ends_with("/>") {
            if name == "a" {
                self.seen.links.extend(href(tag));
            }
            self.elements.push(name);
        }
        self.node();
    }

    fn shortcode(&mut self, code: &str, after: &str) {
        let ending = code.starts_with("[/");
        let name: String = code.trim_start_matches(['[', '/']).chars().take_while(|c| is_word(*c)).collect();
        if ending {
            if let Some(open) = self.shortcodes.iter().rposition(|it| *it == name) {
                self.shortcodes.truncate(open);
            }
        } else if !code.ends_with("/]") && after.contains(&format!("[/{name}]")) {
            self.shortcodes.push(name);
        }
        self.seen.line();
        self.node();
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// Whether a tag begins here: `<` is text before anything but a letter, `/` or `!` (HTML, 13.2.5.6).
pub(super) fn is_tag(rest: &str) -> bool {
    let mut letters = rest.chars();
    letters.next() == Some('<')
        && letters.next().is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
}

/// How long a tag is; `>` within quotation marks does not end it.
pub(super) fn tag_length(rest: &str) -> usize {
    let mut quoted = None;
    for (at, c) in rest.char_indices() {
        match (quoted, c) {
            (None, '>') => return at + 1,
            (None, '"' | '\'') => quoted = Some(c),
            (Some(open), c) if open == c => quoted = None,
            _ => {}
        }
    }
    rest.len()
}

/// How long the shortcode is that begins here: `[name …]` or `[/name]`, without a line break.
fn shortcode_length(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('[')?;
    let name = inner.strip_prefix('/').unwrap_or(inner);
    name.starts_with(|c: char| c.is_ascii_lowercase()).then_some(())?;
    let after = name.trim_start_matches(is_word);
    after.starts_with([' ', ']', '/', '=']).then_some(())?;
    let end = rest.find([']', '\n'])?;
    rest[end..].starts_with(']').then_some(end + 1)
}

/// The address of a link, read.
fn href(tag: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let at = lower.match_indices("href").map(|(at, _)| at + 4).find(|at| lower[*at..].trim_start().starts_with('='))?;
    let value = tag[at..].trim_start().strip_prefix('=')?.trim_start();
    let value = match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next()?,
        _ => value.split([' ', '>', '\n', '\t']).next()?,
    };
    Some(value.replace("&quot;", "\"").replace("&#038;", "&").replace("&amp;", "&"))
}

/// The character reference that begins here, and its length; those that editors write, and all numbers.
fn reference(rest: &str) -> Option<(String, usize)> {
    let inner = rest.strip_prefix('&')?;
    let end = inner.char_indices().take(12).find(|(_, c)| *c == ';')?.0;
    let name = &inner[..end];
    let character = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)?
        }
        None => match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            "nbsp" => '\u{a0}',
            "shy" => '\u{ad}',
            "hellip" => '…',
            "ndash" => '–',
            "mdash" => '—',
            "lsquo" => '‘',
            "rsquo" => '’',
            "ldquo" => '“',
            "rdquo" => '”',
            "auml" => 'ä',
            "ouml" => 'ö',
            "uuml" => 'ü',
            "Auml" => 'Ä',
            "Ouml" => 'Ö',
            "Uuml" => 'Ü',
            "szlig" => 'ß',
            "eacute" => 'é',
            "egrave" => 'è',
            "agrave" => 'à',
            "ccedil" => 'ç',
            "ntilde" => 'ñ',
            "euro" => '€',
            "copy" => '©',
            "reg" => '®',
            "trade" => '™',
            _ => return None,
        },
    };
    Some((character.to_string(), end + 2))
}
