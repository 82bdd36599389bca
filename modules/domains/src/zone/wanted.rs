//! Records as a caller names them, read into whole names and canonical contents.

use sdk::json;
use sdk::prelude::*;

use super::Zone;
use super::content::{canonical, wrong_owner};
use super::plan::Record;

/// A record that is to be.
#[args]
pub(crate) struct Wanted {
    /// Its name: whole, such as `www.shop.example`, or within the zone, such as `www`; `@` is the zone itself.
    pub(crate) name: Text<1, 253>,
    /// A, AAAA, CAA, CNAME, DS, HTTPS, MX, NS, PTR, SRV, SVCB, TLSA or TXT.
    pub(crate) r#type: Text<1, 10>,
    /// As in a zone file; a text with or without quotes.
    pub(crate) content: Text<1, 8_000>,
    /// Seconds; left out, what stands there stays, and for a new record the provider chooses.
    pub(crate) ttl: Option<Count<60, 86_400>>,
    /// Of MX and SRV.
    pub(crate) priority: Option<Count<0, 65_535>>,
    /// Whether Cloudflare stands before it: of A, AAAA and CNAME alone.
    pub(crate) proxied: Option<bool>,
}

/// The whole name of a record of a zone, and its part before the zone.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn name(zone: &str, text: &str) -> Result<(String, String), (&'static str, String)> {
    let lower = international(text.trim()).to_ascii_lowercase();
    let outside = || {
        let message =
            format!("this name is not within the zone {zone}; write it relative, or whole with the zone behind it");
        ("outside_zone", message)
    };
    let within = |whole: &str| {
        if whole == zone {
            return Some(String::new());
        }
        whole.strip_suffix(zone).and_then(|it| it.strip_suffix('.')).map(str::to_owned)
    };
    let relative = match lower.strip_suffix('.') {
        Some(whole) => within(whole).ok_or_else(outside)?,
        None if lower == "@" => String::new(),
        None => match within(&lower) {
            Some(relative) => relative,
            // What ends in a known suffix is meant whole.
            None if suffixes::suffix(&lower).is_some_and(|it| it.is_known && lower.contains('.')) => {
                return Err(outside());
            }
            None => lower,
        },
    };
    let whole = if relative.is_empty() { zone.to_owned() } else { format!("{relative}.{zone}") };
    if whole.len() > 253 {
        return Err(("invalid_name", "a name has at most 253 characters".to_owned()));
    }
    Ok((whole, relative))
}

/// A name whose labels of other letters are written as `xn--` (UTS 46); as it is where it cannot be.
fn international(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let (bare, dot) = text.strip_suffix('.').map_or((text, ""), |bare| (bare, "."));
    let whole = crate::name::ascii(&format!("{bare}.example"));
    whole.and_then(|it| it.strip_suffix(".example").map(|it| format!("{it}{dot}"))).unwrap_or_else(|| text.to_owned())
}

/// A record in its canonical form.
///
/// # Errors
/// The member at fault with a code and what is wrong.
pub(crate) fn record(
    zone: &str,
    given: (&str, &str, &str, Option<u16>, Option<u32>),
) -> Result<Record, (&'static str, &'static str, String)> {
    let (named, kind, content, priority, ttl) = given;
    let kind = kind.trim().to_ascii_uppercase();
    let (whole, relative) = name(zone, named).map_err(|(code, message)| ("name", code, message))?;
    if !super::content::KINDS.contains(&kind.as_str()) {
        let message =
            format!("records of this kind are not written here; these are: {}", super::content::KINDS.join(", "));
        return Err(("type", "type_not_supported", message));
    }
    if kind == "NS" && relative.is_empty() {
        let message = "the name servers of the zone itself are set with domains.nameserver.update";
        return Err(("type", "zone_servers", message.to_owned()));
    }
    if let Some(problem) = wrong_owner(&kind, &relative) {
        return Err(("name", "invalid_name", problem.to_owned()));
    }
    let (content, priority) =
        canonical(&kind, content, priority).map_err(|problem| ("content", "invalid_content", problem))?;
    Ok(Record { name: whole, r#type: kind, content, priority, ttl, proxied: None })
}

/// All records of a call.
///
/// # Errors
/// 422 with every record at fault.
pub(crate) fn records(zone: &Zone, wanted: &[Wanted]) -> Result<Vec<Record>> {
    let (mut out, mut problems): (Vec<Record>, Vec<(String, &str, String)>) = (Vec::new(), Vec::new());
    for (at, it) in wanted.iter().enumerate() {
        let priority = it.priority.and_then(|it| u16::try_from(u64::from(it)).ok());
        let ttl = it.ttl.and_then(|it| u32::try_from(u64::from(it)).ok());
        let given = (it.name.as_str(), it.r#type.as_str(), it.content.as_str(), priority, ttl);
        let mut record = match record(&zone.name, given) {
            Ok(record) => record,
            Err((member, code, message)) => {
                problems.push((format!("/records/{at}/{member}"), code, message));
                continue;
            }
        };
        record.proxied = it.proxied;
        if it.proxied.is_some() {
            let stands = matches!(record.r#type.as_str(), "A" | "AAAA" | "CNAME");
            if !zone.is_cloudflare() || (!stands && it.proxied == Some(true)) {
                let message = "only Cloudflare stands before records, and only before A, AAAA and CNAME";
                problems.push((format!("/records/{at}/proxied"), "proxied_not_supported", message.to_owned()));
                continue;
            }
        }
        if out.iter().any(|other| other.key() == record.key()) {
            problems.push((format!("/records/{at}"), "named_twice", "this record stands twice in the call".to_owned()));
            continue;
        }
        out.push(record);
    }
    let Some((pointer, code, message)) = problems.first() else { return Ok(out) };
    let all: Vec<_> = problems
        .iter()
        .map(|(pointer, code, message)| json!({ "pointer": pointer, "code": code, "message": message }))
        .collect();
    Err(Fault::invalid(pointer, code, message).detail(json!({ "problems": all })))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_is_whole_or_within_the_zone_in_letters_of_any_language() {
        for (text, wanted) in [
            ("@", "shop.example"),
            ("www", "www.shop.example"),
            ("WWW.shop.example.", "www.shop.example"),
            ("_dmarc.shop.example", "_dmarc.shop.example"),
            ("b\u{fc}cher", "xn--bcher-kva.shop.example"),
            ("b\u{fc}cher.shop.example.", "xn--bcher-kva.shop.example"),
            ("*.shops", "*.shops.shop.example"),
        ] {
            assert_eq!(name("shop.example", text).map(|it| it.0), Ok(wanted.to_owned()), "{text}");
        }
        for text in ["www.other.example.", "www.other.com", "other.co.uk"] {
            assert_eq!(name("shop.example", text).expect_err("outside").0, "outside_zone", "{text}");
        }
    }
}
