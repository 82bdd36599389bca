//! `dns`: DNS queries through the guard of `egress`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt as _;

use crate::bindings::dns;
use crate::egress::dns as names;
use crate::state::State;
use crate::stop::Denial;

/// Concurrent queries of one call.
const TOGETHER: usize = 8;
/// Servers that one question may be sent to.
const MOST_SERVERS: u64 = 13;

type Answered = Result<dns::Answer, dns::Failure>;

impl dns::Host for State {
    async fn lookup(&mut self, question: dns::Question) -> wasmtime::Result<Answered> {
        let mut answers = self.lookup_many(vec![question]).await?;
        Ok(answers.pop().unwrap_or(Err(dns::Failure::Malformed)))
    }

    async fn lookup_many(&mut self, questions: Vec<dns::Question>) -> wasmtime::Result<Vec<Answered>> {
        self.enter_outside("dns", Denial::Dns, questions.len() as u64)?;
        // Decisions are recorded as they are made, so that a timeout does not lose them from the audit trail.
        let decided = Mutex::new(Vec::new());
        let asked = questions.into_iter().map(|question| {
            let (guard, decided) = (Arc::clone(&self.guard), &decided);
            async move {
                let mut trail = Vec::new();
                let answer = guard.lookup(&read(question), &mut trail).await;
                decided.lock().unwrap_or_else(PoisonError::into_inner).extend(trail);
                answer.map(told).map_err(failure)
            }
        });
        let together = futures_util::stream::iter(asked).buffered(TOGETHER).collect::<Vec<_>>();
        let answers = self.span.outside(together).await;
        self.decisions.extend(decided.into_inner().unwrap_or_else(PoisonError::into_inner));
        answers.map_err(|stop| self.end(stop))
    }

    async fn authoritative(
        &mut self,
        question: dns::Question,
        servers: Vec<String>,
        most: u8,
    ) -> wasmtime::Result<Result<dns::Authority, dns::Failure>> {
        let most = u64::from(most).clamp(1, MOST_SERVERS);
        self.enter_outside("dns", Denial::Dns, 1 + most)?;
        let (guard, mut trail) = (Arc::clone(&self.guard), Vec::new());
        let question = read(question);
        let asked = guard.authoritative(&question, &servers, most as usize, &mut trail);
        let answer = self.span.outside(asked).await;
        self.decisions.extend(trail);
        let answer = answer.map_err(|stop| self.end(stop))?;
        // Give back the requests that were counted for servers that do not exist.
        let asked = answer.as_ref().map_or(0, |authority| authority.servers.len() as u64);
        self.used.requests -= most.saturating_sub(asked);
        Ok(answer.map(authority).map_err(failure))
    }

    async fn resolvers(&mut self, question: dns::Question) -> wasmtime::Result<Result<Vec<dns::Told>, dns::Failure>> {
        let (guard, mut trail) = (Arc::clone(&self.guard), Vec::new());
        let resolvers = guard.public_resolvers() as u64;
        self.enter_outside("dns", Denial::Dns, 1 + resolvers)?;
        let question = read(question);
        let answer = self.span.outside(guard.resolvers(&question, &mut trail)).await;
        self.decisions.extend(trail);
        let answer = answer.map_err(|stop| self.end(stop))?;
        Ok(answer.map(|all| all.into_iter().map(one).collect()).map_err(failure))
    }

    async fn blocklists(&mut self) -> wasmtime::Result<Vec<String>> {
        self.enter_outside("dns", Denial::Dns, 0)?;
        Ok(self.guard.blocklists().to_vec())
    }
}

fn read(question: dns::Question) -> names::Question {
    names::Question { name: question.name, kind: question.kind }
}

fn told(answer: names::Answer) -> dns::Answer {
    dns::Answer {
        outcome: match answer.outcome {
            names::Outcome::Found => dns::Outcome::Found,
            names::Outcome::NoData => dns::Outcome::NoData,
            names::Outcome::NoName => dns::Outcome::NoName,
            names::Outcome::Failed => dns::Outcome::Failed,
        },
        code: answer.code,
        entries: answer
            .entries
            .into_iter()
            .map(|it| dns::Entry { name: it.name, kind: it.kind, ttl: it.ttl, text: it.text, data: it.data })
            .collect(),
        withheld: answer.withheld,
        trust: answer.trust.map(|trust| match trust {
            names::Trust::Secure => dns::Trust::Secure,
            names::Trust::Insecure => dns::Trust::Insecure,
            names::Trust::Bogus => dns::Trust::Bogus,
            names::Trust::Indeterminate => dns::Trust::Indeterminate,
        }),
        authoritative: answer.authoritative,
        milliseconds: milliseconds(answer.took),
    }
}

fn authority(authority: names::Authority) -> dns::Authority {
    dns::Authority {
        zone: authority.zone,
        servers: authority.servers.into_iter().map(one).collect(),
        more: u32::try_from(authority.more).unwrap_or(u32::MAX),
    }
}

fn one(one: names::Told) -> dns::Told {
    dns::Told {
        server: one.server,
        address: one.address.map(|address| address.ip().to_string()),
        answer: one.answer.map(told).map_err(failure),
    }
}

fn failure(failure: names::Failure) -> dns::Failure {
    match failure {
        names::Failure::Malformed => dns::Failure::Malformed,
        names::Failure::Refused => dns::Failure::Refused,
        names::Failure::Unresolved => dns::Failure::Unresolved,
        names::Failure::Unreachable => dns::Failure::Unreachable,
        names::Failure::Timeout => dns::Failure::Timeout,
        names::Failure::Garbled => dns::Failure::Garbled,
    }
}

fn milliseconds(span: Duration) -> u32 {
    u32::try_from(span.as_millis()).unwrap_or(u32::MAX)
}
