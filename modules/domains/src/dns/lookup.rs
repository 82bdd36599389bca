//! The operation `domains.dns.lookup`.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Authority, Degraded, DnsAnswer, DnsFailure, Entry, Outcome, Question, Trust, json};

use crate::name::given;

/// Servers of a zone that are asked.
const SERVERS: u8 = 4;

/// Kinds of records.
#[value]
pub(crate) enum Kind {
    #[serde(rename = "A")]
    A,
    #[serde(rename = "AAAA")]
    Aaaa,
    #[serde(rename = "CNAME")]
    Cname,
    #[serde(rename = "MX")]
    Mx,
    #[serde(rename = "TXT")]
    Txt,
    #[serde(rename = "NS")]
    Ns,
    #[serde(rename = "SOA")]
    Soa,
    #[serde(rename = "CAA")]
    Caa,
    #[serde(rename = "SRV")]
    Srv,
    #[serde(rename = "DS")]
    Ds,
    #[serde(rename = "DNSKEY")]
    Dnskey,
    #[serde(rename = "TLSA")]
    Tlsa,
    #[serde(rename = "SVCB")]
    Svcb,
    #[serde(rename = "HTTPS")]
    Https,
    #[serde(rename = "PTR")]
    Ptr,
}

impl Kind {
    pub(crate) fn word(self) -> String {
        json!(self).as_str().unwrap_or_default().to_owned()
    }
}

#[args]
pub(crate) struct Lookup {
    /// A name, such as `www.shop.example` or `_dmarc.shop.example`.
    name: Text<1, 253>,
    /// Kinds of records.
    types: List<Kind, 1, 15>,
}

/// A record.
#[value]
pub(crate) struct Shown {
    name: String,
    #[own]
    r#type: String,
    /// Seconds.
    ttl: u32,
    /// As in a zone file; a text without its quotes, its parts joined.
    value: String,
}

/// What came of a question.
#[value]
pub(crate) enum Came {
    /// There are records.
    Found,
    /// The name exists and has nothing of this kind.
    NoData,
    /// The name does not exist.
    NoName,
    /// Nobody answered, or not what was asked.
    Failed,
}

/// What the signatures of an answer came to (RFC 4035, 4.3).
#[value]
pub(crate) enum Signed {
    /// They lead to the root.
    Secure,
    /// The zone is not signed.
    Insecure,
    /// Nobody knows.
    Indeterminate,
    /// They are wrong: resolvers that check them give no answer.
    Bogus,
}

/// What the resolver says of one kind.
#[value]
pub(crate) struct Said {
    #[own]
    r#type: String,
    outcome: Came,
    /// The aliases on the way are among them.
    records: Vec<Shown>,
    signed: Option<Signed>,
    /// Why there is no answer; null when there is one.
    problem: Option<String>,
    milliseconds: Option<u32>,
}

/// What a server of the zone says of one kind.
#[value]
pub(crate) struct Told {
    server: String,
    address: Option<String>,
    #[own]
    r#type: String,
    outcome: Came,
    records: Vec<Shown>,
    /// Whether it says that the zone is its own.
    is_authoritative: bool,
    /// Whether it says the same as the resolver; null when one of both says nothing.
    same: Option<bool>,
    problem: Option<String>,
}

/// What the name system says.
#[value]
pub(crate) struct Looked {
    /// The name as it was asked.
    name: String,
    answers: Vec<Said>,
    /// The servers of the zone, asked one by one without recursion; at most four.
    authoritative: Vec<Told>,
    /// Whether the servers of the zone say different things.
    servers_differ: bool,
    /// The worst that the signatures came to; null when nothing was answered.
    dnssec: Option<Signed>,
    degraded: Vec<Degraded>,
}

/// Looks names up at the resolver and at each server of the zone, with DNSSEC validated, and says where they differ.
///
/// The resolver may still have what was true before; the zone's servers say what is true now.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 90),
    needs = ["dns"],
    phrasings = [
        "what are the dns records of my domain",
        "look up the mx of this domain",
        "which ip does this name have",
        "is dnssec on for my domain",
    ],
    examples = [{ "name": "shop.example", "types": ["A", "MX"] }, { "name": "_dmarc.shop.example", "types": ["TXT"] }]
)]
pub(crate) fn lookup(cx: &Cx, args: Lookup) -> Result<Looked> {
    let name = given(args.name.as_str(), "/name")?;
    let mut seen = BTreeSet::new();
    let kinds: Vec<String> = args.types.iter().map(|it| it.word()).filter(|it| seen.insert(it.clone())).collect();
    let answers = cx.dns().lookup_many(kinds.iter().map(|kind| Question::new(&name, kind)));
    let mut all = Looked {
        name: name.clone(),
        answers: Vec::new(),
        authoritative: Vec::new(),
        servers_differ: false,
        dnssec: None,
        degraded: Vec::new(),
    };
    for (kind, answer) in kinds.iter().zip(answers) {
        let said = said(kind, answer);
        all.dnssec = all.dnssec.max(said.signed);
        match cx.dns().authoritative(&Question::new(&name, kind), SERVERS) {
            Ok(authority) => told(kind, &said, authority, &mut all),
            Err(failure) => {
                let why = format!("the servers of the zone were not asked for {kind}: {}", word(failure));
                all.degraded.push(Degraded::new("authoritative", why));
            }
        }
        all.answers.push(said);
    }
    Ok(all)
}

fn said(kind: &str, answer: Result<DnsAnswer, DnsFailure>) -> Said {
    match answer {
        Ok(answer) => Said {
            r#type: kind.to_owned(),
            outcome: came(&answer),
            signed: answer.trust.map(|it| match it {
                Trust::Secure => Signed::Secure,
                Trust::Insecure => Signed::Insecure,
                Trust::Bogus => Signed::Bogus,
                Trust::Indeterminate => Signed::Indeterminate,
            }),
            problem: (answer.outcome == Outcome::Failed).then(|| format!("the response code is {}", answer.code)),
            milliseconds: Some(answer.milliseconds),
            records: answer.entries.iter().map(shown).collect(),
        },
        Err(failure) => Said {
            r#type: kind.to_owned(),
            outcome: Came::Failed,
            records: Vec::new(),
            signed: None,
            problem: Some(word(failure).to_owned()),
            milliseconds: None,
        },
    }
}

fn told(kind: &str, said: &Said, authority: Authority, all: &mut Looked) {
    let mut first: Option<BTreeSet<String>> = None;
    for server in authority.servers {
        let (outcome, records, is_authoritative, problem) = match server.answer {
            Ok(answer) => {
                let problem =
                    (answer.outcome == Outcome::Failed).then(|| format!("the response code is {}", answer.code));
                (came(&answer), answer.entries.iter().map(shown).collect(), answer.authoritative, problem)
            }
            Err(failure) => (Came::Failed, Vec::new(), false, Some(word(failure).to_owned())),
        };
        let own = values(kind, &records);
        let both = outcome != Came::Failed && said.outcome != Came::Failed;
        // A server that only knows of an alias leaves the rest to others.
        let same = both.then(|| own == values(kind, &said.records) || (own.is_empty() && !records.is_empty()));
        if outcome != Came::Failed {
            match &first {
                Some(first) => all.servers_differ |= *first != own,
                None => first = Some(own),
            }
        }
        all.authoritative.push(Told {
            server: server.server,
            address: server.address,
            r#type: kind.to_owned(),
            outcome,
            records,
            is_authoritative,
            same,
            problem,
        });
    }
    if authority.more > 0 {
        let why = format!("{} more servers of the zone were not asked", authority.more);
        if !all.degraded.iter().any(|it| it.why == why) {
            all.degraded.push(Degraded::new("authoritative", why));
        }
    }
}

/// The values of a kind, in no order.
fn values(kind: &str, records: &[Shown]) -> BTreeSet<String> {
    records.iter().filter(|it| it.r#type == kind).map(|it| it.value.to_ascii_lowercase()).collect()
}

fn came(answer: &DnsAnswer) -> Came {
    match answer.outcome {
        Outcome::Found => Came::Found,
        Outcome::NoData => Came::NoData,
        Outcome::NoName => Came::NoName,
        Outcome::Failed => Came::Failed,
    }
}

fn shown(entry: &Entry) -> Shown {
    let text = entry.joined().map(|it| String::from_utf8_lossy(&it).into_owned());
    Shown {
        name: entry.name.trim_end_matches('.').to_owned(),
        r#type: entry.kind.clone(),
        ttl: entry.ttl,
        value: text.unwrap_or_else(|| entry.text.clone()),
    }
}

/// A failure in words.
pub(crate) fn word(failure: DnsFailure) -> &'static str {
    match failure {
        DnsFailure::Malformed => "it is not a name, or not a kind of record",
        DnsFailure::Refused => "this name may not be asked for",
        DnsFailure::Unresolved => "the name has no zone",
        DnsFailure::Unreachable => "no connection",
        DnsFailure::Timeout => "no answer in time",
        DnsFailure::Garbled => "what came is no answer",
    }
}
