//! What servers of the tests' zone say.

use sdk::{DnsAnswer, DnsFailure, Entry, Outcome, Told};

/// The answer of a server that knows the zone as its own.
pub(super) fn answer(kind: &str, texts: &[&str]) -> DnsAnswer {
    let entry = |text: &&str| Entry {
        name: "shop.example.".to_owned(),
        kind: kind.to_owned(),
        ttl: 3_600,
        text: (*text).to_owned(),
        data: Vec::new(),
    };
    DnsAnswer {
        outcome: if texts.is_empty() { Outcome::NoData } else { Outcome::Found },
        code: 0,
        entries: texts.iter().map(entry).collect(),
        withheld: 0,
        trust: None,
        authoritative: true,
        milliseconds: 3,
    }
}

/// A server with its answer.
pub(super) fn told(server: &str, address: &str, answer: Result<DnsAnswer, DnsFailure>) -> Told {
    Told { server: server.to_owned(), address: Some(address.to_owned()), answer }
}
