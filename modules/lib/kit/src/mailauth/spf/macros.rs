//! Names with macros in them (RFC 7208, 7).

use std::fmt::Write as _;
use std::net::IpAddr;

/// What macros stand for.
#[derive(Debug, Clone)]
pub(super) struct Known<'a> {
    /// The whole sender, its local part, its domain.
    pub(super) sender: (&'a str, &'a str, &'a str),
    /// The domain whose record is read.
    pub(super) domain: &'a str,
    pub(super) address: IpAddr,
    /// What the sender called itself.
    pub(super) helo: &'a str,
}

/// One part of a text with macros.
enum Part<'t> {
    Plain(&'t str),
    /// The letter, how many parts are kept from the right, whether they are turned around, the signs between them.
    Macro(char, usize, bool, &'t str),
    Bad,
}

struct Parts<'t>(&'t str);

impl<'t> Iterator for Parts<'t> {
    type Item = Part<'t>;

    fn next(&mut self) -> Option<Part<'t>> {
        let text = self.0;
        if text.is_empty() {
            return None;
        }
        let Some(rest) = text.strip_prefix('%') else {
            let (plain, rest) = text.split_at(text.find('%').unwrap_or(text.len()));
            self.0 = rest;
            return Some(Part::Plain(plain));
        };
        let escaped = [('%', "%"), ('_', " "), ('-', "%20")].into_iter().find(|(sign, _)| rest.starts_with(*sign));
        if let Some((_, plain)) = escaped {
            self.0 = &rest[1..];
            return Some(Part::Plain(plain));
        }
        self.0 = "";
        let Some((inside, after)) = rest.strip_prefix('{').and_then(|it| it.split_once('}')) else {
            return Some(Part::Bad);
        };
        self.0 = after;
        let mut letters = inside.chars();
        let Some(letter) = letters.next().filter(char::is_ascii_alphabetic) else { return Some(Part::Bad) };
        let text = letters.as_str();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, text) = text.split_at(digits);
        let (turned, signs) = text.strip_prefix(['r', 'R']).map_or((false, text), |rest| (true, rest));
        let keep = if number.is_empty() { 0 } else { number.parse().unwrap_or(usize::MAX) };
        let fine = (number.is_empty() || keep > 0) && signs.chars().all(|c| ".-+,/_=".contains(c));
        Some(if fine { Part::Macro(letter, keep, turned, signs) } else { Part::Bad })
    }
}

/// Whether a text holds only what a text with macros may: visible ASCII and the macros of this place.
pub(super) fn is_text(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_graphic())
        && Parts(text).all(|part| match part {
            Part::Plain(_) => true,
            Part::Macro(letter, ..) => "slodipvh".contains(letter.to_ascii_lowercase()),
            Part::Bad => false,
        })
}

/// Whether a text is a name with macros: it ends in a macro, or in a label that is no number.
pub(super) fn is_domain(text: &str) -> bool {
    if text.is_empty() || !is_text(text) {
        return false;
    }
    if text.ends_with('}') {
        return Parts(text).last().is_some_and(|part| matches!(part, Part::Macro(..)));
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    let Some((_, last)) = text.rsplit_once('.') else { return false };
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
    !last.is_empty()
        && last.chars().all(inner)
        && !last.starts_with('-')
        && !last.ends_with('-')
        && last.contains(|c: char| !c.is_ascii_digit())
}

/// The text with every macro replaced, as a name of at most 253 bytes: labels are taken from the left until it is. `validated`
/// is asked for the name of the address where one is needed.
pub(super) fn expand(text: &str, known: &Known<'_>, validated: &mut dyn FnMut() -> String) -> String {
    let mut out = String::new();
    for part in Parts(text) {
        match part {
            Part::Plain(plain) => out.push_str(plain),
            Part::Macro(letter, keep, turned, signs) => {
                let value = value(letter.to_ascii_lowercase(), known, validated);
                let signs = if signs.is_empty() { "." } else { signs };
                let mut parts: Vec<&str> = value.split(|c| signs.contains(c)).collect();
                if turned {
                    parts.reverse();
                }
                if keep > 0 {
                    parts.drain(..parts.len().saturating_sub(keep));
                }
                let joined = parts.join(".");
                if letter.is_ascii_uppercase() {
                    out.push_str(&escaped(&joined));
                } else {
                    out.push_str(&joined);
                }
            }
            Part::Bad => {}
        }
    }
    let mut name = out.strip_suffix('.').unwrap_or(&out);
    while name.len() > 253 {
        let Some((_, rest)) = name.split_once('.') else { break };
        name = rest;
    }
    name.to_owned()
}

fn value(letter: char, known: &Known<'_>, validated: &mut dyn FnMut() -> String) -> String {
    match letter {
        's' => known.sender.0.to_owned(),
        'l' => known.sender.1.to_owned(),
        'o' => known.sender.2.to_owned(),
        'd' => known.domain.to_owned(),
        'h' => known.helo.to_owned(),
        'p' => validated(),
        'v' => if known.address.is_ipv4() { "in-addr" } else { "ip6" }.to_owned(),
        _ => match known.address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let nibbles = address.octets().into_iter().flat_map(|it| [it >> 4, it & 15]);
                nibbles.map(|it| format!("{it:x}")).collect::<Vec<_>>().join(".")
            }
        },
    }
}

/// As in an address of the web: all but unreserved letters as `%XX` (RFC 3986, 2.3).
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
