//! The items of a product feed: RSS 2.0, Atom or plain XML with the names of Google's product data
//! specification, and tables with commas, semicolons or tabs (RFC 4180).

use sdk::prelude::*;

/// The longest value that is kept, in bytes.
const LONGEST: usize = 600;

/// An item of a feed; members that it does not have are empty.
#[value]
#[derive(Default)]
pub(crate) struct Offer {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) link: String,
    pub(crate) price: String,
    pub(crate) sale_price: String,
    pub(crate) availability: String,
    pub(crate) gtin: String,
}

/// What a feed holds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Feed {
    pub(crate) offers: Vec<Offer>,
    /// There were more than were asked for.
    pub(crate) cut: bool,
}

/// Reads a feed, at most so many items.
pub(crate) fn feed(text: &str, most: usize) -> Feed {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let all = if start.starts_with('<') { xml(start, most + 1) } else { table(start, most + 1) };
    let mut all: Vec<Offer> = all.into_iter().filter(|it| !it.link.is_empty() || !it.id.is_empty()).collect();
    let cut = all.len() > most;
    all.truncate(most);
    Feed { offers: all, cut }
}

impl Offer {
    fn set(&mut self, name: &str, value: &str) {
        let plain = name.to_ascii_lowercase().replace([' ', '-'], "_");
        let member = match plain.rsplit(':').next().unwrap_or_default() {
            "id" | "item_id" | "sku" => &mut self.id,
            "title" | "name" => &mut self.title,
            "link" | "url" | "product_url" => &mut self.link,
            "price" => &mut self.price,
            "sale_price" => &mut self.sale_price,
            "availability" => &mut self.availability,
            "gtin" | "ean" | "upc" | "isbn" => &mut self.gtin,
            _ => return,
        };
        if member.is_empty() {
            kit::text::clip(value.trim(), LONGEST).clone_into(member);
        }
    }

    /// The price that counts now: the reduced one when there is one.
    pub(crate) fn due(&self) -> &str {
        if self.sale_price.is_empty() { &self.price } else { &self.sale_price }
    }
}

/// Items of XML: everything within the first of `item`, `entry` and `product` that the feed has.
fn xml(text: &str, most: usize) -> Vec<Offer> {
    let (mut out, mut rest) = (Vec::new(), text);
    let names = ["item", "entry", "product"];
    let first = names.iter().filter_map(|name| opened(rest, name).map(|(at, _)| (at, *name))).min();
    let Some((_, name)) = first else { return out };
    while out.len() < most
        && let Some((_, after)) = opened(rest, name)
    {
        let body = &rest[after..];
        let end = body.find(&format!("</{name}")).unwrap_or(body.len());
        out.push(members(&body[..end]));
        rest = &body[end..];
    }
    out
}

/// Where an element begins and where its tag ends; one that is empty is none.
fn opened(text: &str, name: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(&format!("<{name}"))?;
        let behind = at + 1 + name.len();
        let next = text[behind..].chars().next()?;
        let close = behind + text[behind..].find('>')?;
        if (next == '>' || next.is_whitespace()) && !text[..close].ends_with('/') {
            return Some((at, close + 1));
        }
        from = behind;
    }
}

fn members(body: &str) -> Offer {
    let mut offer = Offer::default();
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if rest.starts_with(['/', '!', '?']) {
            continue;
        }
        let Some(close) = rest.find('>') else { break };
        let tag = &rest[..close];
        let name = tag.split([' ', '\n', '\t', '\r', '/']).next().unwrap_or_default();
        // Atom puts the address into an attribute.
        if let Some(href) = attribute(tag, "href").filter(|_| name == "link") {
            offer.set("link", &unescaped(href));
        }
        rest = &rest[close + 1..];
        if tag.ends_with('/') {
            continue;
        }
        let Some(end) = rest.find(&format!("</{name}")) else { continue };
        let inner = rest[..end].trim();
        let value = match inner.strip_prefix("<![CDATA[").and_then(|it| it.strip_suffix("]]>")) {
            Some(literal) => literal.to_owned(),
            None if inner.contains('<') => continue,
            None => unescaped(inner),
        };
        offer.set(name, &value);
        rest = &rest[end..];
    }
    offer
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let rest = tag.split(&format!("{name}=")).nth(1)?;
    let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    rest[1..].split(quote).next()
}

/// The five entities of XML and numbers.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').filter(|it| *it <= 10);
        let letter = end.and_then(|end| match &rest[1..end] {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            number => {
                let number = number.strip_prefix('#')?;
                let code = match number.strip_prefix(['x', 'X']) {
                    Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                    None => number.parse().ok()?,
                };
                char::from_u32(code)
            }
        });
        match (letter, end) {
            (Some(letter), Some(end)) => {
                out.push(letter);
                rest = &rest[end + 1..];
            }
            _ => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Rows of a table whose first row names the columns.
fn table(text: &str, most: usize) -> Vec<Offer> {
    let head = text.lines().next().unwrap_or_default();
    let count = |letter: char| head.matches(letter).count();
    let between = ['\t', ';', ','].into_iter().max_by_key(|it| count(*it)).unwrap_or(',');
    let mut rows = Rows { rest: text, between };
    let Some(columns) = rows.next() else { return Vec::new() };
    let offer = |cells: Vec<String>| {
        let mut offer = Offer::default();
        columns.iter().zip(&cells).for_each(|(name, value)| offer.set(name.trim(), value));
        offer
    };
    rows.filter(|it| it.iter().any(|cell| !cell.trim().is_empty())).take(most).map(offer).collect()
}

/// The rows of a table; a cell in quotes may have line breaks, separators and doubled quotes.
struct Rows<'a> {
    rest: &'a str,
    between: char,
}

impl Iterator for Rows<'_> {
    type Item = Vec<String>;

    fn next(&mut self) -> Option<Vec<String>> {
        if self.rest.is_empty() {
            return None;
        }
        let (mut cells, mut cell, mut quoted, mut used) = (Vec::new(), String::new(), false, self.rest.len());
        let mut letters = self.rest.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' if quoted && letters.peek().is_some_and(|(_, it)| *it == '"') => {
                    cell.push('"');
                    letters.next();
                }
                '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
                '\n' if !quoted => {
                    used = at + 1;
                    break;
                }
                '\r' if !quoted => {}
                letter if letter == self.between && !quoted => cells.push(std::mem::take(&mut cell)),
                letter => cell.push(letter),
            }
        }
        cells.push(cell);
        self.rest = &self.rest[used..];
        Some(cells)
    }
}
