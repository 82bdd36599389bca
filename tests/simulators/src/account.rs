//! An account at a provider within the test's own process: the provider without a socket, a credential or faults.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;

use crate::cloudflare::Cloudflare;
use crate::name_com::NameCom;
use crate::porkbun::Porkbun;
use crate::powerdns::PowerDns;
use crate::provider::{Desk, Effect, Provider, Sites};
use crate::request::Request;
use crate::seed::Seed;
use crate::wordpress::Said;

/// An account; clones are the same one.
#[derive(Clone)]
pub struct Account(Arc<(Box<dyn Provider>, Desk)>);

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an account at a provider")
    }
}

impl Account {
    fn of(provider: Box<dyn Provider>) -> Self {
        Self(Arc::new((provider, Desk::new("https://provider.example".to_owned(), Seed(7), Sites::default()))))
    }

    /// The shop's zone at Cloudflare.
    #[must_use]
    pub fn cloudflare() -> Self {
        Self::of(Box::new(Cloudflare::new(Seed(7))))
    }

    /// The same at a PowerDNS of one's own.
    #[must_use]
    pub fn powerdns() -> Self {
        Self::of(Box::new(PowerDns::new()))
    }

    /// The shop's names at Name.com.
    #[must_use]
    pub fn name_com() -> Self {
        Self::of(Box::new(NameCom::new()))
    }

    /// The same at Porkbun.
    #[must_use]
    pub fn porkbun() -> Self {
        Self::of(Box::new(Porkbun::new()))
    }

    /// A request of the account's owner.
    #[must_use]
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        query: &[(String, String)],
        body: &[u8],
        headers: &[(String, String)],
    ) -> Said {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
                all.insert(name, value);
            }
        }
        let reply = self.0.0.answer(&Request::new(method, path, &query, all, Bytes::copy_from_slice(body)), &self.0.1);
        (reply.status, reply.headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(), reply.body)
    }

    /// What took effect so far.
    #[must_use]
    pub fn effects(&self) -> Vec<Effect> {
        self.0.1.effects()
    }
}
