//! The fake web: pages by address, redirects followed, requests counted.

use std::collections::BTreeMap;

use super::World;
use super::providers::ProviderSaid;
use crate::bindings::wit::web::{Cached, Failure, Hop, Method, Request, Response, Timing};

/// What stands at an address.
type Page = Result<(u16, Vec<(String, String)>, Vec<u8>), Failure>;

/// Serves addresses where no page was put.
pub(super) type Server = Box<dyn Fn(&str) -> Option<ProviderSaid>>;

/// All that is served.
#[derive(Default)]
pub(super) struct Web {
    pages: BTreeMap<String, Page>,
    server: Option<Server>,
    requested: Vec<String>,
}

impl World {
    pub(super) fn serve(&self, url: &str, status: u16, headers: &[(&str, &str)], body: &[u8]) {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        self.web.borrow_mut().pages.insert(url.to_owned(), Ok((status, headers, body.to_vec())));
    }

    pub(super) fn serve_web(&self, server: Server) {
        self.web.borrow_mut().server = Some(server);
    }

    pub(super) fn fail(&self, url: &str, failure: Failure) {
        self.web.borrow_mut().pages.insert(url.to_owned(), Err(failure));
    }

    pub(super) fn requested(&self) -> Vec<String> {
        self.web.borrow().requested.clone()
    }
}

impl Web {
    pub(super) fn fetch(&mut self, request: &Request) -> Result<Response, Failure> {
        let mut url = request.url.clone();
        let mut hops = Vec::new();
        loop {
            self.requested.push(url.clone());
            let served = || self.server.as_ref().and_then(|server| server(&url)).map(Ok);
            let found = self.pages.get(&url).cloned().or_else(served);
            let (status, headers, body) = found.unwrap_or(Err(Failure::Unresolved))?;
            let location = headers.iter().find(|(name, _)| name == "location").map(|(_, value)| value.clone());
            if let (300..=399, Some(location), true) = (status, location, request.follow > 0) {
                if hops.len() >= usize::from(request.follow) {
                    return Err(Failure::Redirects);
                }
                let next = url::Url::parse(&url).and_then(|it| it.join(&location)).map_err(|_| Failure::Malformed)?;
                hops.push(Hop { url, status, location });
                url = next.into();
                continue;
            }
            let most = if request.method == Method::Head { 0 } else { request.max_bytes as usize };
            let truncated = request.method == Method::Get && body.len() > most;
            let timing = Timing { dns_ms: 1, connect_ms: 1, first_byte_ms: 2, total_ms: 3 };
            return Ok(Response {
                url,
                status,
                headers,
                hops,
                body: body.into_iter().take(most).collect(),
                truncated,
                timing,
                cached: Cached::None,
                age: 0,
            });
        }
    }
}
