//! Master files (RFC 1035, 5): a zone as text, read into records in canonical form.
//!
//! `$ORIGIN`, `$TTL` and times with units are read, parentheses, quotes, escapes, comments, an owner that is left out, class
//! and TTL in either order. `$INCLUDE` and `$GENERATE` (BIND) name what is not in the text, and are refused.

mod words;

use super::content::{KINDS, canonical};
use super::plan::Record;
use super::quoted;
use words::{Entry, Word};

/// Records of one text.
const MOST: usize = 20_000;
/// Kinds that are known by name and are not written (IANA, resource record types).
const OTHERS: [&str; 27] = [
    "SOA",
    "AFSDB",
    "APL",
    "CDNSKEY",
    "CDS",
    "CERT",
    "CSYNC",
    "DHCID",
    "DNAME",
    "DNSKEY",
    "EUI48",
    "EUI64",
    "HINFO",
    "HIP",
    "IPSECKEY",
    "KEY",
    "KX",
    "LOC",
    "NAPTR",
    "NSEC",
    "NSEC3",
    "NSEC3PARAM",
    "OPENPGPKEY",
    "RRSIG",
    "SMIMEA",
    "SSHFP",
    "URI",
];

/// A place of the text that is no master file.
#[derive(Debug, PartialEq)]
pub(crate) struct Problem {
    pub(crate) line: usize,
    pub(crate) problem: String,
}

/// A record that is read and not written.
#[derive(Debug, PartialEq)]
pub(crate) struct Skipped {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) kind: String,
}

/// A zone as it was read.
#[derive(Default)]
pub(crate) struct Zone {
    /// Records with their lines.
    pub(crate) records: Vec<(usize, Record)>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) problems: Vec<Problem>,
}

/// What holds for the lines that follow.
struct State {
    origin: String,
    ttl: Option<u32>,
    owner: Option<String>,
    last: Option<u32>,
}

/// Reads a zone; names without a last dot stand under `zone`.
pub(crate) fn read(text: &str, zone: &str) -> Zone {
    let mut out = Zone::default();
    let mut state = State { origin: zone.to_owned(), ttl: None, owner: None, last: None };
    let entries = match words::entries(text) {
        Ok(entries) => entries,
        Err((line, problem)) => {
            out.problems.push(Problem { line, problem: problem.to_owned() });
            return out;
        }
    };
    for entry in entries {
        if out.records.len() >= MOST {
            let problem = format!("a text has at most {MOST} records");
            out.problems.push(Problem { line: entry.line, problem });
            break;
        }
        if let Err(problem) = line(&entry, &mut state, &mut out) {
            out.problems.push(Problem { line: entry.line, problem });
        }
    }
    out
}

fn line(entry: &Entry, state: &mut State, out: &mut Zone) -> Result<(), String> {
    let mut words = entry.words.iter().peekable();
    if let Some(word) = words.peek().filter(|it| !it.quoted && it.text.starts_with('$') && !entry.blank) {
        return directive(&word.text.to_ascii_uppercase(), &entry.words[1..], state);
    }
    if !entry.blank {
        let Some(word) = words.next() else { return Ok(()) };
        state.owner = Some(whole(&word.raw, &state.origin)?);
    }
    let owner = state.owner.clone().ok_or("the first record has no name")?;
    let mut own = None;
    // TTL and class stand in either order, and either may be left out.
    while let Some(word) = words.peek() {
        if let Some(class) = class(&word.text) {
            if class != "IN" {
                return Err(format!("the class {class} is not the internet's"));
            }
        } else if let Some(seconds) = seconds(&word.text) {
            own = Some(seconds);
        } else {
            break;
        }
        words.next();
    }
    let kind = words.next().ok_or("there is no kind of record")?.text.to_ascii_uppercase();
    let rest: Vec<&Word> = words.collect();
    // Without its own, a record has the default of the zone, or what the one before it has (RFC 2308, 4).
    let ttl = own.or(state.ttl).or(state.last);
    state.last = own.or(state.last);
    let is_number = kind.strip_prefix("TYPE").is_some_and(|it| it.parse::<u16>().is_ok());
    if OTHERS.contains(&kind.as_str()) || is_number || rest.first().is_some_and(|it| !it.quoted && it.raw == "\\#") {
        out.skipped.push(Skipped { line: entry.line, name: owner, kind });
        return Ok(());
    }
    if !KINDS.contains(&kind.as_str()) {
        return Err(format!("{kind} is no kind of record"));
    }
    let content = content(&kind, &rest, &state.origin)?;
    let (content, priority) = canonical(&kind, &content, None).map_err(|problem| format!("{kind}: {problem}"))?;
    let record = Record { name: owner, r#type: kind, content, priority, ttl, proxied: None };
    out.records.push((entry.line, record));
    Ok(())
}

fn directive(name: &str, rest: &[Word], state: &mut State) -> Result<(), String> {
    match (name, rest) {
        ("$ORIGIN", [origin]) => state.origin = whole(&origin.raw, &state.origin)?,
        ("$TTL", [ttl]) => state.ttl = Some(seconds(&ttl.text).ok_or("this is no time, such as 3600 or 1h30m")?),
        ("$ORIGIN" | "$TTL", _) => return Err(format!("{name} has one value")),
        ("$INCLUDE" | "$GENERATE", _) => {
            return Err(format!("{name} is not followed: write out the records that it stands for"));
        }
        _ => return Err(format!("{name} is no directive of RFC 1035")),
    }
    Ok(())
}

/// A name with its origin, in lower case, without the last dot.
fn whole(name: &str, origin: &str) -> Result<String, String> {
    if name.contains('\\') || name.chars().any(|c| c.is_control() || !c.is_ascii()) {
        return Err(format!("the name {name} has characters that no host name has"));
    }
    let name = name.to_ascii_lowercase();
    let whole = match name.strip_suffix('.') {
        _ if name == "@" => origin.to_owned(),
        Some("") => ".".to_owned(),
        Some(whole) => whole.to_owned(),
        None if origin == "." => name,
        None => format!("{name}.{origin}"),
    };
    if whole.len() > 253 || (whole != "." && whole.split('.').any(|it| it.is_empty() || it.len() > 63)) {
        return Err(format!("{whole} is not a name"));
    }
    Ok(whole)
}

fn class(text: &str) -> Option<&'static str> {
    ["IN", "CH", "HS", "CS"].into_iter().find(|it| it.eq_ignore_ascii_case(text))
}

/// A time: seconds, or numbers with units, such as `1h30m`; at most 2^31 − 1 (RFC 2181, 8).
fn seconds(text: &str) -> Option<u32> {
    let (mut sum, mut number): (u64, Option<u64>) = (0, None);
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(u64::from(digit))?);
            continue;
        }
        let unit = match c.to_ascii_lowercase() {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 86_400,
            'w' => 604_800,
            _ => return None,
        };
        sum = sum.checked_add(number.take()?.checked_mul(unit)?)?;
    }
    if text.is_empty() {
        return None;
    }
    let sum = sum.checked_add(number.unwrap_or(0))?;
    u32::try_from(sum).ok().filter(|it| i32::try_from(*it).is_ok())
}

/// The data of a record on one line, its names whole.
fn content(kind: &str, words: &[&Word], origin: &str) -> Result<String, String> {
    let text =
        |at: usize| words.get(at).map(|it| it.text.clone()).ok_or_else(|| format!("{kind}: something is missing"));
    let count =
        |most: usize| (words.len() <= most).then_some(()).ok_or_else(|| format!("{kind}: something is too much"));
    let dotted = |at: usize| {
        text(at)?;
        let name = whole(&words[at].raw, origin)?;
        Ok::<_, String>(if name == "." { name } else { format!("{name}.") })
    };
    match kind {
        "CNAME" | "NS" | "PTR" => {
            count(1)?;
            dotted(0)
        }
        "MX" => {
            count(2)?;
            Ok(format!("{} {}", text(0)?, dotted(1)?))
        }
        "SRV" => {
            count(4)?;
            Ok(format!("{} {} {} {}", text(0)?, text(1)?, text(2)?, dotted(3)?))
        }
        "TXT" => {
            text(0)?;
            Ok(quoted(&words.iter().map(|it| it.text.as_str()).collect::<String>()))
        }
        "CAA" => {
            count(3)?;
            Ok(format!("{} {} {}", text(0)?, text(1)?, quoted(&text(2)?)))
        }
        "SVCB" | "HTTPS" => {
            let rest = words.iter().skip(2).map(|it| format!(" {}", it.raw)).collect::<String>();
            Ok(format!("{} {}{rest}", text(0)?, dotted(1)?))
        }
        _ => Ok(words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")),
    }
}

#[cfg(test)]
mod tests;
