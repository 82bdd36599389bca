//! Ranges of addresses, as operators publish them.

use std::net::IpAddr;

use serde::Deserialize;

/// Prefixes of one list, at most.
const MOST: usize = 50_000;

/// A text that is no list of ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

/// Ranges of addresses: first and last, sorted, without overlaps. IPv4 addresses are those mapped into IPv6
/// (RFC 4291 section 2.5.5.2).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranges {
    ranges: Vec<(u128, u128)>,
    prefixes: usize,
}

/// `{"creationTime": …, "prefixes": [{"ipv4Prefix": …}, {"ipv6Prefix": …}]}`; some lists hold plain texts, or other names.
#[derive(Deserialize)]
struct Published {
    #[serde(alias = "ips")]
    prefixes: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Plain(String),
    #[serde(rename_all = "camelCase")]
    Named {
        #[serde(alias = "ip_prefix", alias = "ip_address")]
        ipv4_prefix: Option<String>,
        #[serde(alias = "ipv6_prefix")]
        ipv6_prefix: Option<String>,
    },
}

impl Ranges {
    /// Reads a list: JSON as most publish it, or a prefix or address a line.
    ///
    /// # Errors
    /// [`Malformed`] for a text without a single prefix, or with one that is none.
    pub fn read(text: &str) -> Result<Self, Malformed> {
        let text = text.trim_start_matches('\u{feff}').trim();
        let mut found = Vec::new();
        if text.starts_with('{') {
            let published: Published = serde_json::from_str(text).map_err(|_| Malformed)?;
            for entry in published.prefixes.into_iter().take(MOST) {
                match entry {
                    Entry::Plain(prefix) => found.push(prefix),
                    Entry::Named { ipv4_prefix, ipv6_prefix } => found.extend(ipv4_prefix.or(ipv6_prefix)),
                }
            }
        } else {
            let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
            found.extend(lines.filter(|line| !line.is_empty()).take(MOST).map(str::to_owned));
        }
        Self::of(found.iter().map(String::as_str))
    }

    /// Of prefixes and addresses.
    ///
    /// # Errors
    /// [`Malformed`] for none, or one that is no prefix.
    pub fn of<'a>(prefixes: impl IntoIterator<Item = &'a str>) -> Result<Self, Malformed> {
        let mut ranges = prefixes.into_iter().map(range).collect::<Option<Vec<_>>>().ok_or(Malformed)?;
        if ranges.is_empty() {
            return Err(Malformed);
        }
        let prefixes = ranges.len();
        ranges.sort_unstable();
        let mut merged: Vec<(u128, u128)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut().filter(|before| first <= before.1) {
                Some(before) => before.1 = before.1.max(last),
                None => merged.push((first, last)),
            }
        }
        Ok(Self { ranges: merged, prefixes })
    }

    /// Whether an address is in one of them.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = number(address);
        let after = self.ranges.partition_point(|(first, _)| *first <= address);
        after > 0 && address <= self.ranges[after - 1].1
    }

    /// How many prefixes the list had.
    #[must_use]
    pub const fn prefixes(&self) -> usize {
        self.prefixes
    }
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(it) => u128::from(it.to_ipv6_mapped()),
        IpAddr::V6(it) => u128::from(it),
    }
}

/// The first and last address of `192.0.2.0/24`, or of an address alone.
fn range(prefix: &str) -> Option<(u128, u128)> {
    let (address, length) = match prefix.trim().split_once('/') {
        Some((address, length)) => (address, Some(length.parse::<u32>().ok()?)),
        None => (prefix.trim(), None),
    };
    let (address, bits) = match address.parse::<IpAddr>().ok()? {
        it @ IpAddr::V4(_) => (number(it), 32),
        it @ IpAddr::V6(_) => (number(it), 128),
    };
    let free = u32::checked_sub(bits, length.unwrap_or(bits))?;
    let mask = if free >= 128 { u128::MAX } else { (1 << free) - 1 };
    Some((address & !mask, address | mask))
}
