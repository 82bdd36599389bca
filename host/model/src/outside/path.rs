//! Paths at a provider, and the patterns that permit them.
//!
//! A path is compared as it is sent, never decoded, so that no server can read in it what the host did not.

use std::fmt;
use std::str::FromStr;

/// Bytes of a path.
const LONGEST: usize = 2_048;

/// A path that was checked: absolute, without anything that another reader could take for another path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    text: String,
    slashes: bool,
}

/// Why a text is not a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It is an address, relative, empty or too long.
    #[error("a path begins with one slash and has at most 2048 bytes")]
    Form,
    /// A character that a path cannot have: a space, a control character, `?`, `#`, a backslash.
    #[error("a path has a character that must be percent-encoded, or none that a path can have")]
    Character,
    /// `%` without two hexadecimal digits.
    #[error("a percent sign begins two hexadecimal digits")]
    Encoding,
    /// `.`, `..` or nothing between two slashes, also when it is encoded, once or twice.
    #[error("a path has no empty segment and none that leads elsewhere")]
    Segment,
    /// A pattern whose wildcards are not what a pattern can have.
    #[error("`*` stands once in a segment and for one segment, `**` for the rest and at the end")]
    Wildcard,
}

impl Path {
    /// The path as it is sent.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a segment has an encoded slash in it. There are servers that decode before they route.
    pub fn has_encoded_slash(&self) -> bool {
        self.slashes
    }

    /// Whether this is `place` or below it for a server that decodes a path once or twice, reads capitals as small
    /// letters, or lets a last slash count for nothing. `place` is in small letters.
    pub fn leads_to(&self, place: &str) -> bool {
        let once = decoded(self.text.as_bytes()).unwrap_or_default();
        let twice = decoded(&once).unwrap_or_default();
        [once, twice].iter().any(|read| {
            let read = String::from_utf8_lossy(read).to_lowercase();
            read.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    fn segments(&self) -> std::str::Split<'_, char> {
        self.text[1..].split('/')
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let Some(rest) = text.strip_prefix('/').filter(|_| text.len() <= LONGEST) else { return Err(PathError::Form) };
        if rest.starts_with('/') {
            return Err(PathError::Form);
        }
        let mut slashes = false;
        let segments: Vec<&str> = rest.split('/').collect();
        for (at, segment) in segments.iter().enumerate() {
            // A slash at the end is another path than without it, and is compared like that.
            if segment.is_empty() && at + 1 != segments.len() {
                return Err(PathError::Segment);
            }
            slashes |= check(segment)?;
        }
        Ok(Self { text: text.to_owned(), slashes })
    }
}

/// Checks one segment. Says whether a slash is encoded in it.
fn check(segment: &str) -> Result<bool, PathError> {
    if !segment.bytes().all(is_path_byte) {
        return Err(PathError::Character);
    }
    let once = decoded(segment.as_bytes())?;
    if once.iter().any(|byte| byte.is_ascii_control() || *byte == b'\\') {
        return Err(PathError::Character);
    }
    // What is a plain percent sign after decoding must not become a slash or a dot for who decodes again.
    let twice = decoded(&once).unwrap_or_else(|_| once.clone());
    for bytes in [&once, &twice] {
        if bytes.split(|byte| matches!(byte, b'/' | b'\\')).any(|piece| matches!(piece, b"." | b"..")) {
            return Err(PathError::Segment);
        }
    }
    let slash = |bytes: &[u8]| bytes.iter().any(|byte| matches!(byte, b'/' | b'\\'));
    if !slash(&once) && slash(&twice) {
        return Err(PathError::Segment);
    }
    Ok(slash(&once))
}

/// `pchar` of RFC 3986, 3.3.
fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@%".contains(&byte)
}

fn decoded(bytes: &[u8]) -> Result<Vec<u8>, PathError> {
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        if *first != b'%' {
            decoded.push(*first);
            rest = tail;
            continue;
        }
        let [high, low, tail @ ..] = tail else { return Err(PathError::Encoding) };
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let (Some(high), Some(low)) = (digit(*high), digit(*low)) else { return Err(PathError::Encoding) };
        decoded.push(high << 4 | low);
        rest = tail;
    }
    Ok(decoded)
}

/// Paths that are permitted: segments that must be equal, `*` for a part of one segment or all of it, `**` for the
/// rest, at least one segment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern(String);

impl Pattern {
    /// Whether the path is one of these. What `*` stands for is not empty and has no bare colon, with which some
    /// providers write another action on the same thing (`locations/7:transfer`); as data it is sent as `%3A`.
    pub fn matches(&self, path: &Path) -> bool {
        let mut wanted = self.0[1..].split('/');
        let mut given = path.segments();
        loop {
            match (wanted.next(), given.next()) {
                (Some("**"), Some(first)) => return !first.is_empty(),
                (Some(wanted), Some(given)) if is_like(wanted, given) => {}
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    /// As much of a path as this pattern spells out, stars for the rest: what of a path can be told in a trail.
    pub fn shared(&self, path: &Path) -> String {
        let mut wanted = self.0[1..].split('/');
        path.segments().fold(String::new(), |shape, given| {
            let known = wanted.next().is_some_and(|wanted| wanted == given);
            shape + "/" + if known { given } else { "*" }
        })
    }
}

fn is_like(wanted: &str, given: &str) -> bool {
    let Some((before, after)) = wanted.split_once('*') else { return wanted == given };
    let middle = given.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    middle.is_some_and(|middle| !middle.is_empty() && !middle.contains(':'))
}

impl FromStr for Pattern {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        text.parse::<Path>()?;
        let segments: Vec<&str> = text[1..].split('/').collect();
        for (at, segment) in segments.iter().enumerate() {
            let stars = segment.matches('*').count();
            let rest = *segment == "**" && at + 1 == segments.len();
            if (stars > 1 && !rest) || segment.contains('%') {
                return Err(PathError::Wildcard);
            }
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
