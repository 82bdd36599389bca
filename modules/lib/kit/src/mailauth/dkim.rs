//! Keys of DomainKeys Identified Mail (RFC 6376, RFC 8301, RFC 8463).

use super::{NoAnswer, Resolver};

/// RSA keys of fewer bits are not to be believed (RFC 8301, 3.2).
const LEAST: usize = 1_024;
/// RSA keys of fewer bits are not to be used any more (RFC 8301, 3.2).
const ENOUGH: usize = 2_048;

/// What a selector has published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// As it is.
    pub record: String,
    /// `rsa` or `ed25519`.
    pub kind: String,
    /// Of the key; 0 when it cannot be read.
    pub bits: usize,
    /// Whether the domain only tries it out: `t=y`.
    pub is_test: bool,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// What is wrong with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// It was taken back: `p=` is empty.
    Revoked,
    /// It cannot be read.
    Unreadable,
    /// It has fewer than 1,024 bits: receivers do not believe it.
    TooShort,
    /// It has fewer than 2,048 bits.
    Short,
    /// It is of a kind that receivers do not know.
    UnknownKind,
    /// It allows SHA-1 alone, which receivers do not believe any more (RFC 8301, 3.1).
    Sha1Alone,
    /// The selector has more than one record; what receivers take is undefined (RFC 6376, 3.6.2.2).
    Several,
}

impl Problem {
    /// Whether mail signed with the key fails.
    #[must_use]
    pub const fn is_fatal(self) -> bool {
        !matches!(self, Self::Short | Self::Several)
    }
}

impl Key {
    /// Whether signatures can be checked with it.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        !self.problems.iter().any(|it| it.is_fatal())
    }
}

/// The key of a selector; none when there is none.
///
/// # Errors
/// No answer.
pub fn key(resolver: &mut impl Resolver, selector: &str, domain: &str) -> Result<Option<Key>, NoAnswer> {
    let texts = resolver.txt(&format!("{selector}._domainkey.{domain}"))?;
    // The version may be left out; a key has a `p`.
    let is_key = |text: &String| super::tags(text).iter().any(|(tag, _)| tag == "p");
    let all: Vec<String> = texts.into_iter().filter_map(|it| String::from_utf8(it).ok()).filter(is_key).collect();
    let several = all.len() > 1;
    Ok(all.into_iter().next().map(|record| read(record, several)))
}

fn read(record: String, several: bool) -> Key {
    let tags = super::tags(&record);
    let tag = |name: &str| tags.iter().find(|(it, _)| it == name).map(|(_, value)| value.as_str());
    let kind = tag("k").unwrap_or("rsa").to_ascii_lowercase();
    let public: String = tag("p").unwrap_or_default().split_whitespace().collect();
    let mut problems = Vec::new();
    let mut bits = 0;
    match (kind.as_str(), public.is_empty()) {
        (_, true) => problems.push(Problem::Revoked),
        ("rsa", false) => match decoded(&public).and_then(|der| modulus(&der)) {
            Some(length) => {
                bits = length;
                match length {
                    ..LEAST => problems.push(Problem::TooShort),
                    LEAST..ENOUGH => problems.push(Problem::Short),
                    _ => {}
                }
            }
            None => problems.push(Problem::Unreadable),
        },
        ("ed25519", false) => match decoded(&public) {
            Some(key) if key.len() == 32 => bits = 256,
            _ => problems.push(Problem::Unreadable),
        },
        _ => problems.push(Problem::UnknownKind),
    }
    if tag("v").is_some_and(|it| it != "DKIM1") {
        problems.push(Problem::Unreadable);
    }
    let hashes = tag("h").map(|it| it.split(':').map(|hash| hash.trim().to_ascii_lowercase()).collect::<Vec<_>>());
    if hashes.is_some_and(|all| !all.is_empty() && all.iter().all(|it| it == "sha1")) {
        problems.push(Problem::Sha1Alone);
    }
    if several {
        problems.push(Problem::Several);
    }
    let is_test = tag("t").is_some_and(|it| it.split(':').any(|flag| flag.trim() == "y"));
    Key { kind, bits, is_test, problems, record }
}

/// Base64 with or without its last signs (RFC 4648, 4).
fn decoded(text: &str) -> Option<Vec<u8>> {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for sign in text.trim_end_matches('=').bytes() {
        let value = u32::try_from(SIGNS.iter().position(|it| *it == sign)?).ok()?;
        held = (held << 6 | value) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push(u8::try_from(held >> bits & 0xff).ok()?);
        }
    }
    Some(out)
}

/// The bits of the modulus of an RSA key, as `SubjectPublicKeyInfo` (RFC 5280, 4.1) or alone (RFC 8017, A.1.1).
fn modulus(der: &[u8]) -> Option<usize> {
    let (0x30, body, _) = element(der)? else { return None };
    let body = match element(body)? {
        (0x30, _, rest) => {
            let (0x03, bits, _) = element(rest)? else { return None };
            let (0x30, key, _) = element(bits.get(1..)?)? else { return None };
            key
        }
        _ => body,
    };
    let (0x02, number, _) = element(body)? else { return None };
    let first = number.iter().position(|it| *it != 0)?;
    let rest = &number[first..];
    Some(rest.len() * 8 - rest[0].leading_zeros() as usize)
}

/// Tag, content and what follows of an element (X.690, 8.1).
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = der.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = if *first < 0x80 {
        (usize::from(*first), rest)
    } else {
        let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f)).filter(|it| it.0.len() <= 4)?;
        (bytes.iter().fold(0, |length, byte| length << 8 | usize::from(*byte)), rest)
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

#[cfg(test)]
mod tests;
