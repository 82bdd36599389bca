//! Parsing and checking of a guest's DNS question.

use std::str::FromStr as _;

use hickory_net::proto::op::Query;
use hickory_net::proto::rr::{Name, RecordType};

use super::super::address::special;
use super::super::target;
use super::{Failure, Question};

/// Bytes of a name as a guest writes it; the wire format allows at most 255 (RFC 1035, 2.3.4).
const LONGEST: usize = 1_024;

/// Parses a question. With `closed`, internal names are refused.
pub(super) fn read(question: &Question, closed: bool) -> Result<Query, Failure> {
    let kind = kind(&question.kind).ok_or(Failure::Malformed)?;
    let name = name(&question.name)?;
    if closed && is_inside(&name) {
        return Err(Failure::Refused);
    }
    Ok(Query::query(name, kind))
}

/// Parses a name, makes it fully qualified and encodes international labels.
pub(super) fn name(text: &str) -> Result<Name, Failure> {
    if text.is_empty() || text.len() > LONGEST || text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(Failure::Malformed);
    }
    let mut name = Name::from_utf8(text).map_err(|_| Failure::Malformed)?;
    name.set_fqdn(true);
    Ok(name)
}

/// Parses a record type by name or by number (RFC 3597). Rejects types that do not name data (RFC 6895, 3.1: 128 to
/// 255, and OPT).
pub(super) fn kind(text: &str) -> Option<RecordType> {
    let text = text.trim().to_ascii_uppercase();
    let number = text.strip_prefix("TYPE").unwrap_or(&text).parse::<u16>().ok();
    let kind = match number {
        Some(number) => RecordType::from(number),
        None => RecordType::from_str(&text).ok()?,
    };
    let is_data = !matches!(u16::from(kind), 0 | 41 | 128..=255 | 65_535);
    is_data.then_some(kind)
}

/// The text of a record type.
pub(super) fn word(kind: RecordType) -> String {
    match kind {
        RecordType::Unknown(number) => format!("TYPE{number}"),
        kind => kind.to_string(),
    }
}

/// Whether the name is internal: a reserved name, or the reverse name of an address that is not public. A name of one
/// label is a top-level domain here, since it is fully qualified.
fn is_inside(name: &Name) -> bool {
    let text = name.to_ascii().trim_end_matches('.').to_ascii_lowercase();
    if let Ok(network) = name.parse_arpa_name() {
        return special(network.network()).is_some();
    }
    target::Name::Domain(format!("x.{text}")).is_inside()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_as(name: &str, kind: &str) -> Result<String, Failure> {
        let question = Question { name: name.to_owned(), kind: kind.to_owned() };
        read(&question, true).map(|query| format!("{} {}", query.name().to_ascii(), word(query.query_type())))
    }

    #[test]
    fn a_name_is_asked_for_with_its_last_dot_and_encoded() {
        assert_eq!(read_as("example.com", "a").as_deref(), Ok("example.com. A"));
        assert_eq!(read_as("BÜCHER.example", "MX").as_deref(), Ok("xn--bcher-kva.example. MX"));
        assert_eq!(read_as("_443._tcp.example.com.", "TLSA").as_deref(), Ok("_443._tcp.example.com. TLSA"));
        assert_eq!(read_as("com", "DS").as_deref(), Ok("com. DS"));
        assert_eq!(read_as("8.8.8.8.in-addr.arpa", "PTR").as_deref(), Ok("8.8.8.8.in-addr.arpa. PTR"));
    }

    #[test]
    fn a_kind_is_a_name_or_a_number() {
        assert_eq!(read_as("example.com", "TYPE257").as_deref(), Ok("example.com. CAA"));
        assert_eq!(read_as("example.com", "65280").as_deref(), Ok("example.com. TYPE65280"));
        for kind in ["", "ANY", "AXFR", "IXFR", "OPT", "TSIG", "TYPE252", "255", "TYPE", "NONSENSE", "TYPE99999"] {
            assert_eq!(read_as("example.com", kind), Err(Failure::Malformed), "{kind}");
        }
    }

    #[test]
    fn names_of_the_inside_are_refused() {
        for name in [
            "localhost",
            "printer.local",
            "db.internal.",
            "metadata.google.internal",
            "router.home.arpa",
            "7.0.0.10.in-addr.arpa",
            "10.in-addr.arpa",
            "254.169.in-addr.arpa",
            "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa",
        ] {
            assert_eq!(read_as(name, "A"), Err(Failure::Refused), "{name}");
        }
        for name in ["", ".".repeat(3).as_str(), "a b.example", "a\n.example", &"x".repeat(64), &"a.".repeat(200)] {
            assert_eq!(read_as(name, "A"), Err(Failure::Malformed), "{name}");
        }
    }
}
