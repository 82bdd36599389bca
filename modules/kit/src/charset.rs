//! Kept here: in which encoding a page is written, and its text.
//!
//! The order of the HTML standard (13.2.3.2): byte order mark, header, `<meta>` in the first 1,024 bytes;
//! then, where browsers guess by locale, UTF-8 when the bytes are valid UTF-8 and windows-1252 otherwise.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::page::{Charset, CharsetSource};

/// How far into a page a declaration is looked for.
const PRESCAN: usize = 1_024;

/// Reads bytes as text. `content_type` is the value of the header.
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> (Cow<'a, str>, Charset) {
    let header = content_type.and_then(label_of_header);
    let meta = prescan(&bytes[..bytes.len().min(PRESCAN)]);
    let declared = header.clone().or_else(|| meta.clone());
    let (encoding, source) = if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        (encoding, CharsetSource::Bom)
    } else if let Some(encoding) = header.as_deref().and_then(|label| Encoding::for_label(label.as_bytes())) {
        (encoding, CharsetSource::Header)
    } else if let Some(encoding) = meta.as_deref().and_then(|label| Encoding::for_label(label.as_bytes())) {
        // A page that was read far enough to find this is not UTF-16, whatever it says (HTML 13.2.3.3).
        let encoding = if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding };
        (encoding, CharsetSource::Meta)
    } else if std::str::from_utf8(bytes).is_ok() || is_cut_utf8(bytes) {
        (UTF_8, CharsetSource::Bytes)
    } else {
        (WINDOWS_1252, CharsetSource::Fallback)
    };
    let (text, _, damaged) = encoding.decode(bytes);
    (text, Charset { name: encoding.name().to_ascii_lowercase(), source, declared, damaged })
}

/// Valid UTF-8 but for a last character that was cut off.
fn is_cut_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// The `charset` parameter of a media type.
fn label_of_header(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| clean(value)).flatten()
    })
}

/// The label of the first `<meta charset>` or `<meta http-equiv=content-type content="…charset=…">` outside comments.
fn prescan(head: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let mut rest = head.as_str();
    loop {
        let at = rest.find('<')?;
        rest = &rest[at..];
        if rest.starts_with("<!--") {
            rest = &rest[rest.get(2..)?.find("-->")? + 5..];
            continue;
        }
        if let Some(tag) = rest.strip_prefix("<meta") {
            let end = tag.find('>').unwrap_or(tag.len());
            if let Some(label) = label_of_meta(&tag[..end]) {
                return Some(label);
            }
            rest = &tag[end..];
        } else {
            rest = &rest[1..];
        }
    }
}

fn label_of_meta(attributes: &str) -> Option<String> {
    let at = attributes.find("charset")?;
    let value = attributes[at + "charset".len()..].trim_start().strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    clean(value.split(['"', '\'', ';', ' ', '\t', '\n', '/']).next()?)
}

fn clean(label: &str) -> Option<String> {
    let label = label.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    (!label.is_empty() && label.len() <= 40).then_some(label)
}

#[cfg(test)]
mod tests;
