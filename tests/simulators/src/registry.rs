//! The names that a registrar sells and keeps.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde_json::Value;

/// A name in the account.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    pub(crate) nameservers: Vec<String>,
    pub(crate) locked: bool,
    pub(crate) autorenew: bool,
    pub(crate) privacy: bool,
    pub(crate) created: Date,
    pub(crate) expires: Date,
    /// Delegation signers as the registrar's interface has them.
    pub(crate) ds: Vec<Value>,
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

impl Domain {
    pub(crate) fn new(years: i64) -> Self {
        let servers = ["ns1.dns.example", "ns2.dns.example"].map(str::to_owned).into();
        Self {
            nameservers: servers,
            locked: true,
            autorenew: true,
            privacy: true,
            created: today(),
            expires: today().saturating_add(years.years()),
            ds: Vec::new(),
        }
    }

    /// Whether the name could be renewed: ten years ahead are the most.
    pub(crate) fn renew(&mut self, years: i64) -> bool {
        let until = self.expires.saturating_add(years.clamp(0, 20).years());
        if !(1..=10).contains(&years) || until > today().saturating_add(10.years()) {
            return false;
        }
        self.expires = until;
        true
    }
}

/// The shop's name, which expires soon, and some beside it.
pub(crate) fn seeded() -> BTreeMap<String, Domain> {
    let names = [("shop.example", 41), ("lamp-shop.example", 300), ("lampen.example", 620), ("old-lamps.example", 9)];
    let of = |(name, days): (&str, i64)| {
        let mut domain = Domain::new(1);
        domain.created = today().saturating_sub(5.years());
        domain.expires = today().saturating_add(days.days());
        domain.autorenew = name != "old-lamps.example";
        (name.to_owned(), domain)
    };
    names.map(of).into()
}

pub(crate) fn tld(name: &str) -> &str {
    name.split_once('.').map_or("", |(_, tld)| tld)
}

/// Whether nobody has it yet: well-formed, and not of those that are always taken.
pub(crate) fn free(name: &str) -> bool {
    let well_formed = name.split('.').count() >= 2
        && name.split('.').all(|label| {
            !label.is_empty() && label.len() <= 63 && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        });
    well_formed && !name.starts_with("taken")
}

/// Short names are dear.
pub(crate) fn premium(name: &str) -> bool {
    name.split('.').next().is_some_and(|label| label.len() <= 3)
}

/// A year's price in cents of a US dollar.
pub(crate) fn price(name: &str) -> u64 {
    let usual = match tld(name) {
        "com" | "net" => 1_299,
        "org" => 1_099,
        "io" => 4_499,
        _ => 1_899,
    };
    if premium(name) { usual * 100 } else { usual }
}

/// Two to thirteen host names, as a registry wants them.
pub(crate) fn servers(given: &Value) -> Option<Vec<String>> {
    let all: Option<Vec<String>> = given
        .as_array()?
        .iter()
        .map(|it| it.as_str().filter(|it| it.contains('.') && !it.contains(' ')).map(str::to_owned))
        .collect();
    all.filter(|it| (2..=13).contains(&it.len()))
}
