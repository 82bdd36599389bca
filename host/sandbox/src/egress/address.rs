//! Classification of addresses as public: the special-purpose registries of IANA (RFC 6890), and every form in which an
//! IPv6 address embeds an IPv4 address.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::str::FromStr;

/// The special-purpose range of an address; `None` if the address is public.
pub fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => special_v4(address),
        IpAddr::V6(address) => special_v6(address),
    }
}

/// Network, prefix length, name. Sources: RFC 6890 and the IANA IPv4 special-purpose registry.
const V4: [([u8; 4], u32, &str); 18] = [
    ([0, 0, 0, 0], 8, "this network"),
    ([10, 0, 0, 0], 8, "private"),
    ([100, 64, 0, 0], 10, "shared (CGNAT)"),
    ([127, 0, 0, 0], 8, "loopback"),
    // In no registry: the Azure endpoint that serves virtual machines their settings and certificates.
    ([168, 63, 129, 16], 32, "metadata"),
    ([169, 254, 0, 0], 16, "link-local"),
    ([172, 16, 0, 0], 12, "private"),
    ([192, 0, 0, 0], 24, "protocol assignments"),
    ([192, 0, 2, 0], 24, "documentation"),
    ([192, 31, 196, 0], 24, "AS112"),
    ([192, 52, 193, 0], 24, "AMT"),
    ([192, 88, 99, 0], 24, "6to4 relay"),
    ([192, 168, 0, 0], 16, "private"),
    ([192, 175, 48, 0], 24, "AS112"),
    ([198, 18, 0, 0], 15, "benchmarking"),
    ([198, 51, 100, 0], 24, "documentation"),
    ([203, 0, 113, 0], 24, "documentation"),
    // Multicast 224/4, and reserved 240/4 with the broadcast address.
    ([224, 0, 0, 0], 3, "multicast or reserved"),
];

fn special_v4(address: Ipv4Addr) -> Option<&'static str> {
    let bits = address.to_bits();
    V4.iter().find(|(network, prefix, _)| (bits ^ u32::from_be_bytes(*network)) >> (32 - prefix) == 0).map(|it| it.2)
}

/// As [`V4`]. An address of 2000::/3 in none of these ranges is public. The names tell the embeddings apart in the
/// audit trail.
const V6: [([u16; 8], u32, &str); 20] = [
    ([0, 0, 0, 0, 0, 0, 0, 0], 128, "unspecified"),
    ([0, 0, 0, 0, 0, 0, 0, 1], 128, "loopback"),
    ([0, 0, 0, 0, 0, 0xffff, 0, 0], 96, "IPv4-mapped"),
    ([0, 0, 0, 0, 0, 0, 0, 0], 96, "IPv4-compatible"),
    ([0, 0, 0, 0, 0xffff, 0, 0, 0], 96, "IPv4-translated"),
    ([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96, "NAT64"),
    ([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48, "NAT64 (local)"),
    ([0x100, 0, 0, 0, 0, 0, 0, 0], 64, "discard"),
    ([0x100, 0, 0, 1, 0, 0, 0, 0], 64, "dummy"),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 32, "Teredo"),
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23, "protocol assignments"),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32, "documentation"),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16, "6to4"),
    ([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48, "AS112"),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20, "documentation"),
    ([0x5f00, 0, 0, 0, 0, 0, 0, 0], 16, "segment routing"),
    ([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7, "unique local"),
    ([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10, "link-local"),
    ([0xfec0, 0, 0, 0, 0, 0, 0, 0], 10, "site-local"),
    ([0xff00, 0, 0, 0, 0, 0, 0, 0], 8, "multicast"),
];

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    let bits = address.to_bits();
    let within = |network: &[u16; 8], prefix: u32| (bits ^ Ipv6Addr::from(*network).to_bits()) >> (128 - prefix) == 0;
    if let Some((_, _, name)) = V6.iter().find(|(network, prefix, _)| within(network, *prefix)) {
        return Some(name);
    }
    // ISATAP (RFC 5214): an IPv4 address after 0:5efe in the interface identifier.
    if matches!(address.segments()[4..6], [0 | 0x200, 0x5efe]) {
        return Some("ISATAP");
    }
    // Global unicast is 2000::/3 and nothing else (RFC 4291, 2.4, and the IANA allocation).
    (bits >> 125 != 1).then_some("not global unicast")
}

/// Whether the address belongs to this machine, public or not. Asks the system which source address it would use; no
/// packet is sent.
pub(super) fn is_own(address: IpAddr) -> bool {
    let any: IpAddr = if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let from = UdpSocket::bind((any, 0)).and_then(|socket| {
        socket.connect((address, 9))?;
        socket.local_addr()
    });
    from.is_ok_and(|from| from.ip() == address)
}

/// A range of addresses, such as `127.0.0.0/8`; a single address is a range of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cidr {
    network: IpAddr,
    prefix: u8,
}

impl Cidr {
    /// Whether the range contains the address. An IPv4-mapped IPv6 address is not in an IPv4 range.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                (network.to_bits() ^ address.to_bits()).checked_shr(32 - u32::from(self.prefix)).unwrap_or(0) == 0
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                (network.to_bits() ^ address.to_bits()).checked_shr(128 - u32::from(self.prefix)).unwrap_or(0) == 0
            }
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// The text is not an address range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a range of addresses such as 127.0.0.0/8")]
pub struct NotCidr(String);

impl FromStr for Cidr {
    type Err = NotCidr;

    fn from_str(text: &str) -> Result<Self, NotCidr> {
        let wrong = || NotCidr(text.chars().take(64).collect());
        let (network, prefix) = match text.split_once('/') {
            Some((network, prefix)) => (network, Some(prefix)),
            None => (text, None),
        };
        let network: IpAddr = network.parse().map_err(|_| wrong())?;
        let longest = if network.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(longest), |prefix| prefix.parse().map_err(|_| wrong()))?;
        if prefix > longest { Err(wrong()) } else { Ok(Self { network, prefix }) }
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.prefix)
    }
}

#[cfg(test)]
mod tests;
