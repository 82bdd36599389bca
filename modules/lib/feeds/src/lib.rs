//! Feeds as lists of entries: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, JSON Feed 1.x.
//!
//! What is read of an entry, and from where when it is said twice, is what feedparser reads of it; the tests hold both side by side
//! (`tests/references/feeds`). Feeds that are not well-formed are read as far as they go.

mod dates;
mod json;
mod xml;

use url::Url;

/// Entries that are read of one feed.
pub const MOST_ENTRIES: usize = 5_000;

/// What a feed lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    /// Its name, without markup.
    pub title: String,
    /// In its order.
    pub entries: Vec<Entry>,
    /// Whether it ended before its end: it is not well-formed, or has more than [`MOST_ENTRIES`] entries.
    pub cut: bool,
}

/// One entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// The page that it is of, resolved; none where it names none.
    pub link: Option<String>,
    /// Without markup.
    pub title: String,
    /// What it says, without markup: the whole content where it has it, else the summary.
    pub text: String,
    /// When it was published, or else changed, in seconds since 1970.
    pub published: Option<i64>,
}

/// Reads a feed that came from an address; none for what is no feed.
#[must_use]
pub fn read(body: &[u8], content_type: Option<&str>, base: &Url) -> Option<Feed> {
    let text = text(body, content_type);
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('{') { json::read(start, base) } else { xml::read(start, base) }
}

/// The text of a body: by its byte order mark, its header, its XML declaration, or as any other page.
fn text(body: &[u8], content_type: Option<&str>) -> String {
    let has_charset = content_type.is_some_and(|it| it.to_ascii_lowercase().contains("charset="));
    let declared = || {
        let start = String::from_utf8_lossy(&body[..body.len().min(200)]).into_owned();
        let declaration =
            start.trim_start_matches('\u{feff}').trim_start().strip_prefix("<?xml")?.split("?>").next()?.to_owned();
        let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start().to_owned();
        let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        Some(format!("text/xml; charset={}", value[1..].split(quote).next()?))
    };
    let named = if has_charset { None } else { declared() };
    charset::decode(body, named.as_deref().or(content_type)).0.into_owned()
}

/// A text as readers see it: markup and entities resolved, white space collapsed.
fn plain(text: &str) -> String {
    if !text.contains(['<', '&']) {
        return kit::text::collapse(text);
    }
    let dom = kit::dom::Dom::parse(text);
    let body = dom.elements("body").next();
    kit::text::collapse(&body.map(|it| dom.text(it)).unwrap_or_default())
}

/// An address against its base; none for what is no web address.
fn resolved(base: &Url, reference: &str) -> Option<String> {
    let url = base.join(reference.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

#[cfg(test)]
mod tests;
