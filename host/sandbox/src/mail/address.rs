//! Strict parsing of mail addresses. Rejects what two servers could parse differently.

use lettre::Address;
use url::Host;

/// Bytes before the at sign (RFC 5321, 4.5.3.1.1).
const LONGEST_LOCAL: usize = 64;
/// Bytes of an address (RFC 5321, 4.5.3.1.3, without the angle brackets).
const LONGEST: usize = 254;

/// Parses an address: a dot-atom in ASCII (RFC 5322, 3.4.1), and a domain, which is converted to A-labels (RFC 5891).
/// Quoted local parts and address literals are rejected.
pub(crate) fn parse(text: &str) -> Option<Address> {
    let (local, domain) = text.rsplit_once('@')?;
    let domain = a_labels(domain)?;
    (is_dot_atom(local) && local.len() + 1 + domain.len() <= LONGEST).then_some(())?;
    Address::new(local, domain).ok()
}

/// The domain of an address in ASCII. It has at least two labels, and the last is not a number.
fn a_labels(domain: &str) -> Option<String> {
    let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '.') || !it.is_ascii();
    if !domain.chars().all(plain) {
        return None;
    }
    let Ok(Host::Domain(name)) = Host::parse(domain) else { return None };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    (name.contains('.') && name.split('.').all(is_label)).then_some(name)
}

fn is_dot_atom(local: &str) -> bool {
    // RFC 5322, 3.2.3.
    let atext = |it: u8| it.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&it);
    local.len() <= LONGEST_LOCAL && local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(atext))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_dot_atom_at_a_domain() {
        for (text, is) in [
            ("bob@shop.example", "bob@shop.example"),
            ("b.o+b@Shop.Example", "b.o+b@shop.example"),
            ("o'neil@shop.example", "o'neil@shop.example"),
            ("hallo@bücher.example", "hallo@xn--bcher-kva.example"),
        ] {
            assert_eq!(parse(text).map(|it| it.to_string()).as_deref(), Some(is), "{text}");
        }
    }

    #[test]
    fn what_two_servers_could_read_in_two_ways_is_no_address() {
        let long = format!("{}@shop.example", "a".repeat(65));
        for text in [
            "",
            "bob",
            "@shop.example",
            "bob@",
            "bob@localhost",
            "bob@127.0.0.1",
            "bob@[127.0.0.1]",
            "bob@0x7f.1",
            "\"bob smith\"@shop.example",
            "bob@shop.example\r\nRCPT TO:<eve@evil.example>",
            "bob\r\n@shop.example",
            "bob@shop.example>",
            "<bob@shop.example>",
            "Bob <bob@shop.example>",
            "bob@shop.example,eve@evil.example",
            "bob smith@shop.example",
            ".bob@shop.example",
            "bo..b@shop.example",
            "bob@shop..example",
            "bob@-shop.example",
            "bob@sh%6fp.example",
            "bob@evil.example@shop.example",
            "bøb@shop.example",
            "bob@shop.example\0",
            &long,
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
