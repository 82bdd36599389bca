//! A WordPress without a network: native tests of modules ask it in their own process.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;

use super::{PASSWORD, USER, WRITER, WordPress};
use crate::provider::{Desk, Effect, Provider, Sites};
use crate::request::{Auth, Request};
use crate::seed::Seed;
use crate::shop;

/// What an answer is: its status, headers and body.
pub type Said = (u16, Vec<(String, String)>, Vec<u8>);

/// The shop's blog. Clones are the same blog.
#[derive(Clone)]
pub struct Blog(Arc<Inner>);

struct Inner {
    provider: WordPress,
    desk: Desk,
    /// Who asks its REST interface.
    user: &'static str,
}

impl std::fmt::Debug for Blog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the shop's blog")
    }
}

impl Blog {
    /// The blog as its editor reaches it.
    #[must_use]
    pub fn of_editor() -> Self {
        Self::of(USER)
    }

    /// The blog as an author reaches it, who may write no unfiltered HTML.
    #[must_use]
    pub fn of_author() -> Self {
        Self::of(WRITER)
    }

    fn of(user: &'static str) -> Self {
        let seed = Seed(7);
        let desk = Desk::new(Self::home(), seed, Sites::default());
        Self(Arc::new(Inner { provider: WordPress::new(seed), desk, user }))
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn home() -> String {
        format!("https://{}", shop::HOST)
    }

    /// A request to its REST interface with the user's application password.
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
        let credential = BASE64_STANDARD.encode(format!("{}:{PASSWORD}", self.0.user));
        self.said(
            method,
            path,
            &query,
            body,
            headers.iter().cloned().chain([("authorization".to_owned(), format!("Basic {credential}"))]),
        )
    }

    /// What a visitor of an address sees.
    #[must_use]
    pub fn see(&self, path: &str, query: &str) -> Said {
        self.said("GET", path, query, &[], [])
    }

    /// What took effect so far.
    #[must_use]
    pub fn effects(&self) -> Vec<Effect> {
        self.0.desk.effects()
    }

    fn said(
        &self,
        method: &str,
        path: &str,
        query: &str,
        body: &[u8],
        headers: impl IntoIterator<Item = (String, String)>,
    ) -> Said {
        let mut all = HeaderMap::new();
        let own = [("host".to_owned(), shop::HOST.to_owned()), ("x-forwarded-proto".to_owned(), "https".to_owned())];
        for (name, value) in headers.into_iter().chain(own) {
            if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&value)) {
                all.insert(name, value);
            }
        }
        let request = Request::new(method, path, query, all, Bytes::copy_from_slice(body));
        let reply = match self.0.provider.auth(&request) {
            Auth::Right | Auth::NotNeeded => self.0.provider.answer(&request, &self.0.desk),
            _ => self.0.provider.refused(&request),
        };
        (reply.status, reply.headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(), reply.body)
    }
}
