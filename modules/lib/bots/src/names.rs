//! The names of addresses, and the networks that they are in.

use std::net::IpAddr;

use crate::Bot;

/// Whether the name of an address is one that the operator of a bot documents: it ends in one of the suffixes, after a dot.
#[must_use]
pub fn is_of(bot: &Bot, name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    bot.suffixes
        .iter()
        .any(|suffix| name.strip_suffix(suffix).is_some_and(|host| host.ends_with('.') && host.len() > 1))
}

/// The name under which the name of an address is asked for (RFC 1035 section 3.5, RFC 3596 section 2.5).
#[must_use]
pub fn reverse(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(it) => {
            let [a, b, c, d] = it.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa")
        }
        IpAddr::V6(it) => {
            let mut out = String::with_capacity(72);
            for byte in it.octets().iter().rev() {
                for digit in [byte & 15, byte >> 4] {
                    out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
                    out.push('.');
                }
            }
            out + "ip6.arpa"
        }
    }
}

/// The network of an address that can be told without telling the address: its /24, or its /48.
#[must_use]
pub fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(it) => {
            let [a, b, c, _] = it.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(it) => {
            let [a, b, c, ..] = it.segments();
            let net = std::net::Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0);
            format!("{net}/48")
        }
    }
}
