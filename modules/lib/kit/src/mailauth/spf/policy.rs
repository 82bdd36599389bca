//! A record as terms (RFC 7208, 4.6 and 12).

use std::net::{Ipv4Addr, Ipv6Addr};

use super::macros;

/// What a match means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Qualifier {
    /// `+`: it may send.
    Pass,
    /// `-`: it may not.
    Fail,
    /// `~`: it probably may not.
    SoftFail,
    /// `?`: nothing is said.
    Neutral,
}

/// Whom a mechanism speaks of: a name with macros; none: the domain itself.
pub type Target = Option<String>;

/// What senders are matched by. Lengths of prefixes are of IPv4 and IPv6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mechanism {
    /// Everybody.
    All,
    /// Those that another domain's record passes.
    Include(String),
    /// The addresses of a name.
    A(Target, u8, u8),
    /// The addresses of a name's mail exchangers.
    Mx(Target, u8, u8),
    /// Names of the sender's address that lead back to it. Not to be used (5.5).
    Ptr(Target),
    /// A network.
    Ip4(Ipv4Addr, u8),
    /// A network.
    Ip6(Ipv6Addr, u8),
    /// A name that has an address.
    Exists(String),
}

/// A record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// In their order, the first that matches decides.
    pub terms: Vec<(Qualifier, Mechanism)>,
    /// Where to go on when nothing matches.
    pub redirect: Option<String>,
    /// Where the explanation of a failure stands; it is not read.
    pub exp: Option<String>,
}

/// Why a text is no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// It does not begin with `v=spf1`.
    Version,
    /// It holds something else than ASCII.
    NotAscii,
    /// A term that is not one.
    Term(String),
    /// A modifier that stands twice.
    Twice(&'static str),
}

impl Policy {
    /// Reads a record. One wrong term makes the whole wrong, wherever it stands (4.6).
    ///
    /// # Errors
    /// The first flaw.
    pub fn parse(record: &[u8]) -> Result<Self, Flaw> {
        let text = std::str::from_utf8(record).ok().filter(|it| it.is_ascii()).ok_or(Flaw::NotAscii)?;
        let rest = text.get(6..).filter(|_| text[..6].eq_ignore_ascii_case("v=spf1")).ok_or(Flaw::Version)?;
        if !rest.is_empty() && !rest.starts_with(' ') {
            return Err(Flaw::Version);
        }
        let mut policy = Self::default();
        for term in rest.split(' ').filter(|term| !term.is_empty()) {
            policy.read(term).ok_or_else(|| Flaw::Term(term.to_owned()))??;
        }
        Ok(policy)
    }

    fn read(&mut self, term: &str) -> Option<Result<(), Flaw>> {
        // The sign that comes first decides: a name with `=` is a modifier.
        let sign = term.find(['=', ':', '/']);
        if let Some(at) = sign.filter(|at| term[*at..].starts_with('=')) {
            return self.modifier(&term[..at], &term[at + 1..]);
        }
        let (qualifier, rest) = match term.as_bytes().first()? {
            b'+' => (Qualifier::Pass, &term[1..]),
            b'-' => (Qualifier::Fail, &term[1..]),
            b'~' => (Qualifier::SoftFail, &term[1..]),
            b'?' => (Qualifier::Neutral, &term[1..]),
            _ => (Qualifier::Pass, term),
        };
        self.terms.push((qualifier, mechanism(rest)?));
        Some(Ok(()))
    }

    fn modifier(&mut self, name: &str, value: &str) -> Option<Result<(), Flaw>> {
        let (slot, name) = match name.to_ascii_lowercase().as_str() {
            "redirect" => (&mut self.redirect, "redirect"),
            "exp" => (&mut self.exp, "exp"),
            _ => {
                let mut letters = name.chars();
                let known = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
                    && letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
                return (known && macros::is_text(value)).then_some(Ok(()));
            }
        };
        let value = macros::is_domain(value).then(|| value.to_owned())?;
        Some(if slot.replace(value).is_some() { Err(Flaw::Twice(name)) } else { Ok(()) })
    }
}

fn mechanism(text: &str) -> Option<Mechanism> {
    let end = text.find([':', '/']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let target = |text: &str| macros::is_domain(text).then(|| text.to_owned());
    Some(match name.to_ascii_lowercase().as_str() {
        "all" if rest.is_empty() => Mechanism::All,
        "include" => Mechanism::Include(target(rest.strip_prefix(':')?)?),
        "exists" => Mechanism::Exists(target(rest.strip_prefix(':')?)?),
        "ptr" => Mechanism::Ptr(if rest.is_empty() { None } else { Some(target(rest.strip_prefix(':')?)?) }),
        name @ ("a" | "mx") => {
            let (rest, four, six) = prefixes(rest)?;
            let of = if rest.is_empty() { None } else { Some(target(rest.strip_prefix(':')?)?) };
            if name == "a" { Mechanism::A(of, four, six) } else { Mechanism::Mx(of, four, six) }
        }
        "ip4" => {
            let (address, length) = network(rest.strip_prefix(':')?, 32)?;
            Mechanism::Ip4(address.parse().ok()?, length)
        }
        "ip6" => {
            let (address, length) = network(rest.strip_prefix(':')?, 128)?;
            Mechanism::Ip6(address.parse().ok()?, length)
        }
        _ => return None,
    })
}

/// What stands before the lengths of prefixes, and these: `/24`, `//64`, `/24//64`. A slash that no number follows is a part of
/// the name.
fn prefixes(text: &str) -> Option<(&str, u8, u8)> {
    let numbered = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let (text, six) = match text.rsplit_once("//").filter(|(_, length)| numbered(length)) {
        Some((before, length)) => (before, digits(length, 128)?),
        None => (text, 128),
    };
    match text.rsplit_once('/').filter(|(_, length)| numbered(length)) {
        Some((before, length)) => Some((before, digits(length, 32)?, six)),
        None => Some((text, 32, six)),
    }
}

fn network(text: &str, most: u8) -> Option<(&str, u8)> {
    match text.split_once('/') {
        Some((address, length)) => Some((address, digits(length, most)?)),
        None => Some((text, most)),
    }
}

/// A length without leading zeros.
fn digits(text: &str, most: u8) -> Option<u8> {
    let plain = text.bytes().all(|it| it.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    text.parse().ok().filter(|it| plain && *it <= most)
}
