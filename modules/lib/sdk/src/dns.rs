//! What the name system says, by the host's own resolver or by a zone's servers.

use crate::Cx;
use crate::bindings::wit::dns as wit;
use crate::host::Host;

/// An answer: its outcome, entries, trust and time.
pub use crate::bindings::wit::dns::Answer as DnsAnswer;
/// What servers said that were asked directly.
pub use crate::bindings::wit::dns::Authority;
/// A record of an answer.
pub use crate::bindings::wit::dns::Entry;
/// Why there is no answer.
pub use crate::bindings::wit::dns::Failure as DnsFailure;
/// What an answer says of the name.
pub use crate::bindings::wit::dns::Outcome;
/// What one server said.
pub use crate::bindings::wit::dns::Told;
/// What validation with DNSSEC came to.
pub use crate::bindings::wit::dns::Trust;

/// A name and a kind of record: `A`, `TLSA`, `TYPE65280`.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Question(wit::Question);

impl Question {
    /// A question about a name, in Unicode or as `xn--`, with or without its last dot.
    pub fn new(name: &str, kind: &str) -> Self {
        Self(wit::Question { name: name.to_owned(), kind: kind.to_owned() })
    }
}

impl Entry {
    /// The bytes of a `TXT` record, its parts put together as SPF and DKIM read them (RFC 7208, 3.3); none for another
    /// kind, or when the data is cut.
    pub fn joined(&self) -> Option<Vec<u8>> {
        if self.kind != "TXT" {
            return None;
        }
        let (mut rest, mut joined) = (self.data.as_slice(), Vec::new());
        while let Some((length, after)) = rest.split_first() {
            let (part, after) = after.split_at_checked(usize::from(*length))?;
            joined.extend_from_slice(part);
            rest = after;
        }
        Some(joined)
    }
}

/// The name system. Made by `Cx::dns`.
pub struct Dns<'a> {
    pub(crate) cx: &'a Cx,
}

impl Dns<'_> {
    /// Asks the host's resolver; what it says is validated.
    pub fn lookup(&self, question: &Question) -> Result<DnsAnswer, DnsFailure> {
        self.cx.host.lookup(&question.0)
    }

    /// Asks many questions together; answers in their order.
    pub fn lookup_many(&self, questions: impl IntoIterator<Item = Question>) -> Vec<Result<DnsAnswer, DnsFailure>> {
        let questions: Vec<_> = questions.into_iter().map(|it| it.0).collect();
        self.cx.host.lookup_many(&questions)
    }

    /// Asks the servers of the name's zone one by one, at most `most` of 1 to 13.
    pub fn authoritative(&self, question: &Question, most: u8) -> Result<Authority, DnsFailure> {
        self.cx.host.authoritative(&question.0, &[], most)
    }

    /// Asks the operator's public resolvers, each with recursion: what the world is told at this moment.
    pub fn resolvers(&self, question: &Question) -> Result<Vec<Told>, DnsFailure> {
        self.cx.host.resolvers(&question.0)
    }

    /// The zones of DNS lists of bad names and addresses (RFC 5782) that the operator may ask; often none.
    pub fn blocklists(&self) -> Vec<String> {
        self.cx.host.blocklists()
    }

    /// Asks these servers one by one, delegated to or not; each is a name or an address.
    pub fn ask(&self, question: &Question, servers: &[String]) -> Result<Authority, DnsFailure> {
        let most = u8::try_from(servers.len()).unwrap_or(u8::MAX);
        self.cx.host.authoritative(&question.0, servers, most)
    }
}
