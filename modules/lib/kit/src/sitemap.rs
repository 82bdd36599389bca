//! Sitemaps of the protocol at sitemaps.org: XML files, indexes of files, plain lists, gzip.

use std::io::Read;

use flate2::read::MultiGzDecoder;

/// The most addresses in one file (sitemaps.org).
pub const MOST_URLS: usize = 50_000;
/// The most bytes of one file after inflation: the protocol's 50 MiB would not leave room to work.
pub const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// How far an element's end is looked for: longer addresses are none (sitemaps.org).
const LONGEST_CONTENT: usize = 16 * 1024;

/// What a file lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Further files, when it is an index.
    pub sitemaps: Vec<Entry>,
    /// Pages.
    pub urls: Vec<Entry>,
    /// Whether something was left out: too many addresses, too many bytes, or a damaged archive.
    pub cut: bool,
}

/// One entry, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// The address.
    pub url: String,
    /// The date of the last change, if given.
    pub lastmod: Option<String>,
}

/// Reads a file, inflating it when it is gzip by its first bytes.
#[must_use]
pub fn read(file: &[u8]) -> Sitemap {
    if !file.starts_with(&[0x1f, 0x8b]) {
        return read_text(&crate::charset::decode(file, Some("text/xml; charset=utf-8")).0);
    }
    let mut inflated = Vec::new();
    let whole = MultiGzDecoder::new(file).take(MOST_BYTES + 1).read_to_end(&mut inflated);
    let cut = whole.is_err() || inflated.len() as u64 > MOST_BYTES;
    let mut sitemap = read_text(&String::from_utf8_lossy(&inflated));
    sitemap.cut |= cut;
    sitemap
}

fn read_text(text: &str) -> Sitemap {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('<') { read_xml(start) } else { read_list(start) }
}

/// One address a line.
fn read_list(text: &str) -> Sitemap {
    let mut sitemap = Sitemap::default();
    for line in text.lines().map(str::trim).filter(|line| line.starts_with("http")) {
        if sitemap.urls.len() == MOST_URLS {
            sitemap.cut = true;
            break;
        }
        sitemap.urls.push(Entry { url: line.to_owned(), lastmod: None });
    }
    sitemap
}

/// A scan for the elements that matter, whatever their prefix; everything else is passed over.
fn read_xml(text: &str) -> Sitemap {
    let mut sitemap = Sitemap::default();
    let mut entry = Entry::default();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let Some(end) = rest.find('>') else { break };
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        let closing = tag.starts_with('/');
        let name =
            tag.trim_start_matches('/').split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        // `image:loc` and `video:…` belong to extensions; `sm:loc` would be the protocol under a prefix of the author's.
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if matches!(prefix, "image" | "video" | "news" | "xhtml" | "mobile") {
            continue;
        }
        match (local, closing) {
            ("url" | "sitemap", false) => entry = Entry::default(),
            ("loc", false) => entry.url = content(after),
            ("lastmod", false) => {
                entry.lastmod = Some(content(after)).filter(|date| !date.is_empty() && date.len() <= 40)
            }
            ("url" | "sitemap", true) => {
                let list = if local == "url" { &mut sitemap.urls } else { &mut sitemap.sitemaps };
                let entry = std::mem::take(&mut entry);
                if list.len() == MOST_URLS {
                    sitemap.cut = true;
                } else if !entry.url.is_empty() {
                    list.push(entry);
                }
            }
            _ => {}
        }
    }
    sitemap
}

/// The text up to the next tag, with entities and CDATA resolved.
fn content(after: &str) -> String {
    let after = &after[..after.floor_char_boundary(LONGEST_CONTENT)];
    let trimmed = after.trim_start();
    if let Some(raw) = trimmed.strip_prefix("<![CDATA[") {
        return raw.split("]]>").next().unwrap_or_default().trim().to_owned();
    }
    let raw = after.split('<').next().unwrap_or_default().trim();
    if !raw.contains('&') {
        return raw.to_owned();
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(11).position(|byte| byte == b';');
        match end.and_then(|end| entity(&rest[1..end]).map(|c| (c, end))) {
            Some((c, end)) => {
                out.push(c);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = number
                .strip_prefix(['x', 'X'])
                .map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())?;
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests;
