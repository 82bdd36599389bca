//! Direct queries to name servers: those that a guest names, or those of a zone, each resolved, classified and pinned
//! like any other target; and to the public resolvers that the operator named.

use std::net::SocketAddr;

use futures_util::future::join_all;
use hickory_net::proto::op::{DnsRequestOptions, Query};
use hickory_net::proto::rr::{Name, RData, RecordType};
use hickory_net::xfer::{DnsHandle as _, FirstAnswer as _};
use tokio::time::{Instant, timeout};

use super::super::resolve::Place;
use super::super::target;
use super::super::{Decision, Guard};
use super::wire::Wire;
use super::{Answer, Authority, Failure, LONGEST, PORT, Question, Told, answer, question};

/// Name servers of a zone. The root has 13; no legitimate zone needs more.
const MOST: usize = 13;
/// The only port at which a guest's servers are queried.
const PORTS: [u16; 1] = [PORT];

impl Guard {
    /// Queries each of these servers without recursion, or those of the name's zone if there are none.
    ///
    /// # Errors
    /// The question is not valid or not allowed, or the name has no zone.
    pub async fn authoritative(
        &self,
        asked: &Question,
        servers: &[String],
        most: usize,
        trail: &mut Vec<Decision>,
    ) -> Result<Authority, Failure> {
        let query = self.question(asked, trail)?;
        let (zone, mut servers) = match servers {
            [] => {
                let (zone, servers) = timeout(LONGEST, self.zone(&query)).await.map_err(|_| Failure::Timeout)??;
                (Some(zone.to_ascii()), servers)
            }
            named => (None, named.iter().map(|name| question::name(name)).collect::<Result<_, _>>()?),
        };
        let more = servers.len().saturating_sub(most.min(MOST));
        servers.truncate(most.min(MOST));
        let each = servers.iter().map(|server| async {
            let mut trail = Vec::new();
            let told = self.tell(server, &query, &mut trail).await;
            (told, trail)
        });
        let mut told = Vec::new();
        for (one, decided) in join_all(each).await {
            told.push(one);
            trail.extend(decided);
        }
        Ok(Authority { zone, servers: told, more })
    }

    /// Queries each public resolver of the policy with recursion, at their addresses as they are set.
    ///
    /// # Errors
    /// The question is not valid or not allowed.
    pub async fn resolvers(&self, asked: &Question, trail: &mut Vec<Decision>) -> Result<Vec<Told>, Failure> {
        let query = self.question(asked, trail)?;
        let each = self.policy.public_resolvers.iter().map(|(name, address)| {
            let query = query.clone();
            async move {
                let answer = exchange(Wire::public(*address), &query, true).await;
                Told { server: name.clone(), address: Some(*address), answer }
            }
        });
        Ok(join_all(each).await)
    }

    /// The zone of a name, and its servers. DS records of a delegation belong to the parent (RFC 4035, 2.4).
    async fn zone(&self, query: &Query) -> Result<(Name, Vec<Name>), Failure> {
        let mut at = query.name().clone();
        if query.query_type() == RecordType::DS {
            at = at.base_name();
        }
        while !at.is_root() {
            let asked = Query::query(at.clone(), RecordType::NS);
            let said = self.names.resolver.lookup(asked, DnsRequestOptions::default()).first_answer().await;
            let message = said.map_err(|error| answer::failure(&error))?.into_message();
            let of_zone = message.answers.iter().filter(|record| record.name == at);
            let mut servers: Vec<Name> = of_zone
                .filter_map(|record| match &record.data {
                    RData::NS(server) => Some(server.0.clone()),
                    _ => None,
                })
                .collect();
            if !servers.is_empty() {
                servers.sort();
                return Ok((at, servers));
            }
            at = at.base_name();
        }
        Err(Failure::Unresolved)
    }

    async fn tell(&self, server: &Name, query: &Query, trail: &mut Vec<Decision>) -> Told {
        let name = server.to_ascii().trim_end_matches('.').to_owned();
        let found = self.address(&name, trail).await;
        let answer = match found {
            Ok(address) => exchange(Wire::direct(address), query, false).await,
            Err(failure) => Err(failure),
        };
        Told { server: name, address: found.ok(), answer }
    }

    async fn address(&self, name: &str, trail: &mut Vec<Decision>) -> Result<SocketAddr, Failure> {
        let host = name.parse().map_or_else(|_| target::Name::Domain(name.to_owned()), target::Name::Address);
        let place = Place { host, port: PORT, ports: &PORTS };
        let addresses = self.resolve(&place, trail).await.map_err(|failure| match failure {
            super::super::Failure::Refused => Failure::Refused,
            _ => Failure::Unresolved,
        })?;
        addresses.into_iter().next().ok_or(Failure::Unresolved)
    }
}

async fn exchange(server: Wire, query: &Query, recursion: bool) -> Result<Answer, Failure> {
    let began = Instant::now();
    let mut options = DnsRequestOptions::default();
    options.recursion_desired = recursion;
    let said = timeout(LONGEST, server.lookup(query.clone(), options).first_answer()).await;
    let message = said.map_err(|_| Failure::Timeout)?.map_err(|error| answer::failure(&error))?.into_message();
    let mut answer = answer::of(&message, query, None);
    answer.took = began.elapsed();
    Ok(answer)
}
