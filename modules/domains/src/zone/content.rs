//! What a record may hold, kind by kind, in the form that is compared and sent.

mod service;

use std::net::{Ipv4Addr, Ipv6Addr};

use super::unquoted;

/// Kinds that are written.
pub(crate) const KINDS: [&str; 13] =
    ["A", "AAAA", "CAA", "CNAME", "DS", "HTTPS", "MX", "NS", "PTR", "SRV", "SVCB", "TLSA", "TXT"];
/// Bytes of a text.
const TEXT: usize = 4_000;

/// Content and priority of a record in canonical form: names in lower case without the last dot, numbers without zeros in
/// front, a text without its quotes.
///
/// # Errors
/// What is wrong with it, for people.
pub(crate) fn canonical(kind: &str, content: &str, priority: Option<u16>) -> Result<(String, Option<u16>), String> {
    let content = content.trim();
    let alone = |it: Result<String, String>| match priority {
        Some(_) => Err("only MX and SRV have a priority".to_owned()),
        None => it.map(|it| (it, None)),
    };
    match kind {
        "A" => alone(parsed::<Ipv4Addr>(content, "an IPv4 address, such as 192.0.2.10")),
        "AAAA" => alone(parsed::<Ipv6Addr>(content, "an IPv6 address, such as 2001:db8::10")),
        "CNAME" => alone(target(content, true)),
        "NS" | "PTR" => alone(target(content, false)),
        "TXT" => alone(text(content)),
        "CAA" => alone(permission(content)),
        "DS" => alone(digest(content)),
        "TLSA" => alone(association(content)),
        "SVCB" | "HTTPS" => alone(service::binding(content)),
        "MX" => exchanger(content, priority),
        "SRV" => located(content, priority),
        _ => Err(format!("records of this kind are not written here; these are: {}", KINDS.join(", "))),
    }
}

/// The same of a record that a provider holds; as it is where it cannot be read.
pub(crate) fn of_held(kind: &str, content: &str, priority: Option<u16>) -> (String, Option<u16>) {
    canonical(kind, content, priority).unwrap_or_else(|_| (content.to_owned(), priority))
}

fn parsed<T: std::str::FromStr + ToString>(content: &str, what: &str) -> Result<String, String> {
    content.parse::<T>().map(|it| it.to_string()).map_err(|_| format!("this is not {what}"))
}

/// A name that a record leads to: ASCII, in lower case, without the last dot.
pub(super) fn target(content: &str, underscore: bool) -> Result<String, String> {
    let name = content.strip_suffix('.').unwrap_or(content).to_ascii_lowercase();
    let fits = |label: &str| {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || (c == '_' && underscore);
        (1..=63).contains(&label.len()) && label.chars().all(letter) && !label.starts_with('-') && !label.ends_with('-')
    };
    if name.len() > 253 || !name.split('.').all(fits) {
        return Err("this is not a host name, such as mail.shop.example".to_owned());
    }
    if name.parse::<Ipv4Addr>().is_ok() {
        return Err("a name stands here, never an address (RFC 1035, 3.3)".to_owned());
    }
    Ok(name)
}

fn text(content: &str) -> Result<String, String> {
    let text = unquoted(content);
    if text.is_empty() || text.len() > TEXT {
        return Err(format!("a text has 1 to {TEXT} bytes"));
    }
    if text.chars().any(|c| c.is_control() || !c.is_ascii()) {
        return Err("a text has printable ASCII characters".to_owned());
    }
    Ok(text)
}

/// Flags, tag and value (RFC 8659, 4.1).
fn permission(content: &str) -> Result<String, String> {
    let wrong = || "this is not flags, tag and value, such as 0 issue \"letsencrypt.org\"".to_owned();
    let mut parts = content.splitn(3, char::is_whitespace);
    let (Some(flags), Some(tag), Some(value)) = (parts.next(), parts.next(), parts.next()) else { return Err(wrong()) };
    let flags: u8 = flags.parse().map_err(|_| wrong())?;
    let value = unquoted(value.trim());
    let fits = (1..=15).contains(&tag.len()) && tag.bytes().all(|it| it.is_ascii_alphanumeric());
    if !fits || value.len() > 1_000 || value.chars().any(|c| c.is_control() || !c.is_ascii() || c == '"') {
        return Err(wrong());
    }
    Ok(format!("{flags} {} \"{value}\"", tag.to_ascii_lowercase()))
}

fn hexadecimal(parts: &[&str]) -> Option<String> {
    let text = parts.concat().to_ascii_lowercase();
    (!text.is_empty() && text.len() % 2 == 0 && text.bytes().all(|it| it.is_ascii_hexdigit())).then_some(text)
}

/// Key tag, algorithm, digest type and digest (RFC 4034, 5.3; RFC 4509; RFC 6605).
fn digest(content: &str) -> Result<String, String> {
    let parts: Vec<&str> = content.split_whitespace().collect();
    let read = || {
        let [tag, algorithm, kind, digest @ ..] = parts.as_slice() else { return None };
        let (tag, algorithm, kind) = (tag.parse::<u16>().ok()?, algorithm.parse::<u8>().ok()?, kind.parse().ok()?);
        let length = match kind {
            1_u8 => 40,
            2 => 64,
            4 => 96,
            _ => return None,
        };
        let digest = hexadecimal(digest).filter(|it| it.len() == length)?;
        Some(format!("{tag} {algorithm} {kind} {digest}"))
    };
    read()
        .ok_or_else(|| "this is not key tag, algorithm, digest type (1, 2 or 4) and a digest of its length".to_owned())
}

/// Usage, selector, matching type and data (RFC 6698, 2.1).
fn association(content: &str) -> Result<String, String> {
    let parts: Vec<&str> = content.split_whitespace().collect();
    let read = || {
        let [usage, selector, matching, data @ ..] = parts.as_slice() else { return None };
        let number = |text: &str, most: u8| text.parse::<u8>().ok().filter(|it| *it <= most);
        let (usage, selector, matching) = (number(usage, 3)?, number(selector, 1)?, number(matching, 2)?);
        let data = hexadecimal(data)?;
        let fits = match matching {
            1 => data.len() == 64,
            2 => data.len() == 128,
            _ => true,
        };
        fits.then(|| format!("{usage} {selector} {matching} {data}"))
    };
    read().ok_or_else(|| {
        "this is not usage (0 to 3), selector (0, 1), matching type (0 to 2) and data of its length".to_owned()
    })
}

fn exchanger(content: &str, priority: Option<u16>) -> Result<(String, Option<u16>), String> {
    let (priority, name) = match content.split_once(char::is_whitespace) {
        Some((number, rest)) if priority.is_none() => (number.parse().ok(), rest.trim()),
        _ => (priority, content),
    };
    let priority = priority.ok_or("an MX has a priority, 0 to 65535")?;
    // A domain that takes no mail has the root as its only exchanger (RFC 7505).
    let name = if name.is_empty() || name == "." { ".".to_owned() } else { target(name, false)? };
    Ok((name, Some(priority)))
}

/// Weight, port and target, behind the priority (RFC 2782).
fn located(content: &str, priority: Option<u16>) -> Result<(String, Option<u16>), String> {
    let wrong = || "this is not weight, port and target with a priority, such as 5 443 sip.shop.example".to_owned();
    let parts: Vec<&str> = content.split_whitespace().collect();
    let (priority, rest) = match (priority, parts.as_slice()) {
        (None, [number, rest @ ..]) => (number.parse().map_err(|_| wrong())?, rest),
        // Some write the priority into the content too.
        (Some(priority), [number, rest @ ..]) if rest.len() == 3 && number.parse() == Ok(priority) => (priority, rest),
        (Some(priority), rest) => (priority, rest),
        _ => return Err(wrong()),
    };
    let [weight, port, name] = rest else { return Err(wrong()) };
    let (weight, port) = (weight.parse::<u16>().map_err(|_| wrong())?, port.parse::<u16>().map_err(|_| wrong())?);
    // A target of "." says that the service is not there.
    let name = if *name == "." { ".".to_owned() } else { target(name, false)? };
    Ok((format!("{weight} {port} {name}"), Some(priority)))
}

/// What is wrong with the name of a record of this kind; none when nothing is. `relative` has no zone and no last dot.
pub(crate) fn wrong_owner(kind: &str, relative: &str) -> Option<&'static str> {
    let mut labels = relative.split('.').filter(|it| !it.is_empty());
    let first = labels.clone().next().unwrap_or_default();
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain = |label: &str| label.chars().all(letter) && label.len() <= 63;
    if !relative.is_empty()
        && !relative.split('.').enumerate().all(|(at, it)| (at == 0 && it == "*") || (!it.is_empty() && plain(it)))
    {
        return Some(
            "a name has labels of 1 to 63 letters, digits, hyphens and underscores; `*` only as the first one",
        );
    }
    match kind {
        "A" | "AAAA" | "MX" if labels.any(|it| it.starts_with('_')) => {
            Some("names of hosts and mail domains have no underscore (RFC 1123, 2.1)")
        }
        "SRV" if !first.starts_with('_') => Some("an SRV stands at _service._protocol (RFC 2782)"),
        "TLSA" if !first.starts_with('_') => Some("a TLSA stands at _port._protocol (RFC 6698, 3)"),
        "DS" if relative.is_empty() => Some("the DS of a zone stands in its parent: set it at the registrar"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
