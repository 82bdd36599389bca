//! In which encoding a page is written, and its text.
//!
//! The order of the HTML standard (13.2.3.2): byte order mark, header, what the first 1,024 bytes declare; then, where
//! browsers guess, UTF-8 when the bytes can be that, and otherwise what chardetng makes of them, as in Firefox.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

mod prescan;

/// How far into a page a declaration is looked for.
const PRESCAN: usize = 1_024;
/// Bytes that a guess is made from.
const GUESSED: usize = 32 * 1_024;
/// What stands before the first byte outside ASCII and is looked at for the guess too.
const BEFORE: usize = 256;
/// The longest label that is told.
const LONGEST_LABEL: usize = 40;

/// The encoding that a page is read in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The WHATWG name in lower case, such as `utf-8`.
    pub name: String,
    /// What decided it.
    pub source: Source,
    /// The label that the header or the page declares, in lower case, known or not.
    pub declared: Option<String>,
    /// Whether bytes had to be replaced.
    pub damaged: bool,
}

/// What decides an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A byte order mark.
    Bom,
    /// `charset` of the header `Content-Type`.
    Header,
    /// The page's own declaration.
    Page,
    /// The bytes are valid UTF-8.
    Bytes,
    /// A guess from the bytes.
    Guess,
}

/// Reads bytes as text. `content_type` is the value of the header.
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> (Cow<'a, str>, Read) {
    let header = content_type.and_then(label_of_header);
    let page = prescan::declaration(&bytes[..bytes.len().min(PRESCAN)]);
    let known = |label: &Option<String>| Encoding::for_label(label.as_deref()?.as_bytes());
    let (encoding, source) = if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        (encoding, Source::Bom)
    } else if let Some(encoding) = known(&header) {
        (encoding, Source::Header)
    } else if let Some(encoding) = page.encoding {
        (encoding, Source::Page)
    } else if std::str::from_utf8(bytes).is_ok() || is_cut_utf8(bytes) {
        (UTF_8, Source::Bytes)
    } else {
        (guess(bytes), Source::Guess)
    };
    let (text, _, damaged) = encoding.decode(bytes);
    (text, Read { name: encoding.name().to_ascii_lowercase(), source, declared: header.or(page.label), damaged })
}

/// Valid UTF-8 but for a last character that was cut off.
fn is_cut_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// What the bytes look like, by those around the first one outside ASCII.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let from = first.saturating_sub(BEFORE);
    let upto = bytes.len().min(from + GUESSED);
    // ISO-2022-JP is never guessed: a page could make the rest of a site look like something else with it.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[from..upto], upto == bytes.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// The `charset` parameter of a media type.
fn label_of_header(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| told(value.trim().trim_matches(['"', '\'']))).flatten()
    })
}

/// A label as it is told to people.
fn told(label: &str) -> Option<String> {
    let label = label.trim().to_ascii_lowercase();
    (!label.is_empty() && label.len() <= LONGEST_LABEL).then_some(label)
}

#[cfg(test)]
mod tests;
