//! The fake name system and the fake secure sides of hosts: what a test put there, and nothing else.

use std::collections::BTreeMap;

use super::World;
use crate::bindings::wit::{dns, tls};

/// A name and a kind, as asked.
type Asked = (String, String);

/// All that is known.
#[derive(Default)]
pub(super) struct Names {
    answers: BTreeMap<Asked, Result<dns::Answer, dns::Failure>>,
    authorities: BTreeMap<Asked, Result<dns::Authority, dns::Failure>>,
    resolvers: BTreeMap<Asked, Vec<dns::Told>>,
    pub(super) blocklists: Vec<String>,
    hosts: BTreeMap<(String, u16), Result<tls::Report, tls::Failure>>,
}

fn asked(name: &str, kind: &str) -> Asked {
    (name.trim_end_matches('.').to_ascii_lowercase(), kind.to_ascii_uppercase())
}

/// An answer of these records, validated; `TXT` takes the bare text.
pub(super) fn answer(name: &str, kind: &str, texts: &[&str]) -> dns::Answer {
    let entry = |text: &&str| {
        let is_text = kind.eq_ignore_ascii_case("TXT");
        let parts = text.as_bytes().chunks(255).filter(|_| is_text);
        let data = parts.flat_map(|part| [&[part.len() as u8], part].concat()).collect();
        let text = if is_text { format!("{text:?}") } else { (*text).to_owned() };
        dns::Entry { name: format!("{name}."), kind: kind.to_ascii_uppercase(), ttl: 300, text, data }
    };
    dns::Answer {
        outcome: if texts.is_empty() { dns::Outcome::NoData } else { dns::Outcome::Found },
        code: 0,
        entries: texts.iter().map(entry).collect(),
        withheld: 0,
        trust: Some(dns::Trust::Secure),
        authoritative: false,
        milliseconds: 1,
    }
}

impl World {
    pub(super) fn know(&self, name: &str, kind: &str, answer: Result<dns::Answer, dns::Failure>) {
        self.names.borrow_mut().answers.insert(asked(name, kind), answer);
    }

    pub(super) fn know_servers(&self, name: &str, kind: &str, said: Result<dns::Authority, dns::Failure>) {
        self.names.borrow_mut().authorities.insert(asked(name, kind), said);
    }

    pub(super) fn know_resolvers(&self, name: &str, kind: &str, told: Vec<dns::Told>) {
        self.names.borrow_mut().resolvers.insert(asked(name, kind), told);
    }

    pub(super) fn know_blocklists(&self, zones: &[&str]) {
        self.names.borrow_mut().blocklists = zones.iter().map(|&it| it.to_owned()).collect();
    }

    pub(super) fn know_host(&self, host: &str, port: u16, report: Result<tls::Report, tls::Failure>) {
        self.names.borrow_mut().hosts.insert((host.to_ascii_lowercase(), port), report);
    }
}

impl Names {
    /// A name of which nothing is known does not exist.
    pub(super) fn lookup(&self, question: &dns::Question) -> Result<dns::Answer, dns::Failure> {
        let (name, kind) = asked(&question.name, &question.kind);
        let of_name = |(known, _): &Asked| *known == name;
        match self.answers.get(&(name.clone(), kind.clone())) {
            Some(answer) => answer.clone(),
            None if self.answers.keys().any(of_name) => Ok(answer(&name, &kind, &[])),
            None => {
                let none = answer(&name, &kind, &[]);
                Ok(dns::Answer { outcome: dns::Outcome::NoName, code: 3, ..none })
            }
        }
    }

    pub(super) fn authoritative(&self, question: &dns::Question) -> Result<dns::Authority, dns::Failure> {
        let known = self.authorities.get(&asked(&question.name, &question.kind));
        known.cloned().unwrap_or(Err(dns::Failure::Unresolved))
    }

    /// Resolvers of which nothing is known are none.
    pub(super) fn resolvers(&self, question: &dns::Question) -> Vec<dns::Told> {
        self.resolvers.get(&asked(&question.name, &question.kind)).cloned().unwrap_or_default()
    }

    pub(super) fn inspect(&self, question: &tls::Question) -> Result<tls::Report, tls::Failure> {
        let known = self.hosts.get(&(question.host.to_ascii_lowercase(), question.port));
        known.cloned().unwrap_or(Err(tls::Failure::Unresolved))
    }
}
