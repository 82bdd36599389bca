//! Bindings of services, SVCB and HTTPS (RFC 9460): priority, target and parameters in the order of their numbers.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::target;

/// Keys with their numbers (RFC 9460, 14.3.2).
const KEYS: [(&str, u16); 7] =
    [("mandatory", 0), ("alpn", 1), ("no-default-alpn", 2), ("port", 3), ("ipv4hint", 4), ("ech", 5), ("ipv6hint", 6)];

/// A binding in canonical form.
///
/// # Errors
/// What is wrong with it.
pub(super) fn binding(content: &str) -> Result<String, String> {
    let wrong = || "this is not priority, target and parameters, such as 1 . alpn=\"h2,h3\"".to_owned();
    let mut words = words(content).ok_or_else(wrong)?.into_iter();
    let (Some(priority), Some(name)) = (words.next(), words.next()) else { return Err(wrong()) };
    let priority: u16 = priority.parse().map_err(|_| wrong())?;
    let name = if name == "." { name } else { target(&name, true)? };
    let mut parameters: Vec<(u16, String, Option<String>)> = Vec::new();
    for word in words {
        let (key, value) = match word.split_once('=') {
            Some((key, value)) => (key.to_ascii_lowercase(), Some(value.to_owned())),
            None => (word.to_ascii_lowercase(), None),
        };
        let number = number(&key).ok_or_else(|| format!("{key} is no key of a binding"))?;
        if parameters.iter().any(|(known, ..)| *known == number) {
            return Err(format!("{key} stands twice"));
        }
        fits(number, value.as_deref()).then_some(()).ok_or_else(|| format!("{key} does not hold this"))?;
        parameters.push((number, key, value));
    }
    if priority == 0 && !parameters.is_empty() {
        return Err("a priority of 0 makes an alias, which has no parameters (RFC 9460, 2.4.2)".to_owned());
    }
    parameters.sort_by_key(|it| it.0);
    let has = |number: u16| parameters.iter().any(|it| it.0 == number);
    if has(2) && !has(1) {
        return Err("no-default-alpn needs alpn (RFC 9460, 7.1.1)".to_owned());
    }
    if let Some((_, _, Some(list))) = parameters.iter().find(|it| it.0 == 0) {
        let all_there = list.split(',').all(|key| number(key).is_some_and(|it| it != 0 && has(it)));
        if !all_there {
            return Err("mandatory names keys that stand in the record, and never itself (RFC 9460, 8)".to_owned());
        }
    }
    let shown = parameters.into_iter().map(|(_, key, value)| match value {
        // Without quotes where they need not be: PowerDNS takes no number in quotes.
        Some(value) if value.contains(char::is_whitespace) => format!(" {key}=\"{value}\""),
        Some(value) => format!(" {key}={value}"),
        None => format!(" {key}"),
    });
    Ok(format!("{priority} {name}{}", shown.collect::<String>()))
}

fn number(key: &str) -> Option<u16> {
    let known = KEYS.iter().find(|(name, _)| *name == key).map(|it| it.1);
    known.or_else(|| key.strip_prefix("key")?.parse().ok())
}

fn fits(number: u16, value: Option<&str>) -> bool {
    let each = |is: fn(&str) -> bool| value.is_some_and(|it| it.split(',').all(is));
    match number {
        0 | 1 => each(|it| !it.is_empty()),
        2 => value.is_none(),
        3 => value.is_some_and(|it| it.parse::<u16>().is_ok()),
        4 => each(|it| it.parse::<Ipv4Addr>().is_ok()),
        6 => each(|it| it.parse::<Ipv6Addr>().is_ok()),
        _ => true,
    }
}

/// Words apart by spaces, quotes taken off; none where a quote is not closed or a character has no place.
fn words(content: &str) -> Option<Vec<String>> {
    let (mut out, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in content.chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
            }
            c if c.is_control() || !c.is_ascii() || c == '\\' => return None,
            c => word.push(c),
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    (!quoted).then_some(out)
}
