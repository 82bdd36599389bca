//! The shop's DNS zone as both DNS providers begin with it.

/// The zone.
pub(crate) const ZONE: &str = "shop.example";

/// A record: name relative to the zone (`@` is the zone itself), type, content, priority.
pub(crate) const RECORDS: [(&str, &str, &str, Option<u16>); 10] = [
    ("@", "A", "192.0.2.10", None),
    ("@", "AAAA", "2001:db8::10", None),
    ("www", "CNAME", "shop.example", None),
    ("blog", "A", "192.0.2.11", None),
    ("@", "MX", "mx1.mail.example", Some(10)),
    ("@", "MX", "mx2.mail.example", Some(20)),
    ("@", "TXT", "v=spf1 include:_spf.mail.example -all", None),
    ("_dmarc", "TXT", "v=DMARC1; p=none; rua=mailto:dmarc@shop.example", None),
    ("mail._domainkey", "TXT", "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7", None),
    ("@", "CAA", "0 issue \"letsencrypt.org\"", None),
];

/// The full name without a dot at the end.
pub(crate) fn full(name: &str) -> String {
    if name == "@" { ZONE.to_owned() } else { format!("{name}.{ZONE}") }
}

/// Whether a content fits its type, for the types where a provider looks; the words are for its message.
pub(crate) fn wrong(kind: &str, content: &str) -> Option<&'static str> {
    match kind {
        "A" if content.parse::<std::net::Ipv4Addr>().is_err() => Some("must be a valid IPv4 address."),
        "AAAA" if content.parse::<std::net::Ipv6Addr>().is_err() => Some("must be a valid IPv6 address."),
        "CNAME" | "NS" if content.trim_end_matches('.').is_empty() || content.contains([' ', '/']) => {
            Some("must be a valid hostname.")
        }
        "TXT" if content.is_empty() => Some("must not be empty."),
        _ => None,
    }
}
