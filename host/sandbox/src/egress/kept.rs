//! The HTTP cache (RFC 9111) of fetched pages. It is private to one customer and one module, so that a response never
//! reveals what another one fetched.

use std::time::{Duration, SystemTime};

use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, ETAG, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri};
use http_cache_semantics::{AfterResponse, BeforeRequest, CacheOptions, CachePolicy};
use model::clock::Moment;
use model::token::hex;
use sha2::{Digest as _, Sha256};
use store::edges::pages::{KeptPage, PAGE_BYTES, Shelf};

use super::exchange::ENCODINGS;
use super::target::Target;
use super::{Cached, Fetch, Fetched, Freshness, Guard, Manners};

/// Bytes of a body that is cached; compressed, it must fit into [`PAGE_BYTES`].
const MOST_BODY: usize = 2 * PAGE_BYTES;

/// A request that the cache may serve, with its cached page if there is one.
pub(super) struct Asked {
    shelf: Shelf,
    key: String,
    request: Request<()>,
    page: Option<(CachePolicy, Vec<u8>)>,
}

/// The options of a private cache.
pub(super) fn private() -> CacheOptions {
    CacheOptions { shared: false, ..CacheOptions::default() }
}

/// Converts a moment to the library's time.
pub(super) fn time(now: Moment) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now.0).unwrap_or(0))
}

/// Copies headers into the library's type. Skips invalid ones.
pub(super) fn copy(from: &[(String, String)], to: &mut HeaderMap) {
    for (name, value) in from {
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            to.append(name, value);
        }
    }
}

impl Guard {
    /// Looks up a request in the cache. `None` if the request must bypass the cache: HEAD, and requests with the
    /// guest's own validators.
    pub(super) async fn kept(&self, target: &Target, fetch: &Fetch, manners: &Manners) -> Option<Asked> {
        let shelf = manners.shelf.clone()?;
        let validates = |name: &str| IF_NONE_MATCH.as_str() == name || IF_MODIFIED_SINCE.as_str() == name;
        if fetch.head || fetch.headers.iter().any(|(name, _)| validates(&name.to_ascii_lowercase())) {
            return None;
        }
        let mut request = Request::new(());
        *request.uri_mut() = target.url.as_str().parse::<Uri>().ok()?;
        let headers = request.headers_mut();
        copy(&fetch.headers, headers);
        headers.insert(HOST, HeaderValue::from_str(target.url.host_str()?).ok()?);
        headers.insert(USER_AGENT, HeaderValue::from_str(&self.policy.agent).ok()?);
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS));
        if fetch.freshness == Freshness::Fresh {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
        let key = hex(&Sha256::digest(target.url.as_str().as_bytes()));
        let page = manners.store.edges.kept_page(&shelf, &key).await.unwrap_or_else(|error| {
            tracing::warn!(error = %error, "nobody can tell which pages are kept");
            None
        });
        let page = page.and_then(|page| Some((serde_json::from_str(&page.policy).ok()?, page.body)));
        Some(Asked { shelf, key, request, page })
    }
}

impl Asked {
    /// The cached page, if it is still fresh.
    pub(super) fn fresh(&self, target: &Target, fetch: &Fetch, now: Moment) -> Option<Fetched> {
        let (policy, body) = self.page.as_ref()?;
        let BeforeRequest::Fresh(parts) = policy.before_request(&self.request, time(now)) else { return None };
        let age = policy.age(time(now));
        Some(Fetched { cached: Cached::Fresh, age, ..page(target, parts.status.as_u16(), &parts.headers, body, fetch) })
    }

    /// The validators of a conditional request for the cached page.
    pub(super) fn validators(&self, now: Moment) -> Vec<(String, String)> {
        let Some((policy, _)) = &self.page else { return Vec::new() };
        let BeforeRequest::Stale { request, matches: true } = policy.before_request(&self.request, time(now)) else {
            return Vec::new();
        };
        let text =
            |name: &HeaderName| Some((name.as_str().to_owned(), request.headers.get(name)?.to_str().ok()?.to_owned()));
        [IF_NONE_MATCH, IF_MODIFIED_SINCE].iter().filter_map(text).collect()
    }

    /// The cached page with the headers of a 304 response; `None` if the response refers to another version.
    pub(super) async fn confirmed(
        &self,
        target: &Target,
        fetch: &Fetch,
        answer: &Fetched,
        manners: &Manners,
    ) -> Option<Fetched> {
        let (policy, body) = self.page.as_ref()?;
        let now = manners.store.database.now();
        match policy.after_response(&self.request, &response(answer)?, time(now)) {
            AfterResponse::NotModified(policy, parts) => {
                let text = serde_json::to_string(&policy).ok()?;
                told(manners.store.edges.confirm_page(&self.shelf, &self.key, &text, now).await);
                let timing = answer.timing;
                let page = page(target, parts.status.as_u16(), &parts.headers, body, fetch);
                Some(Fetched { cached: Cached::Revalidated, timing, ..page })
            }
            AfterResponse::Modified(..) => {
                told(manners.store.edges.drop_page(&self.shelf, &self.key).await);
                None
            }
        }
    }

    /// Caches a response if that is allowed and useful. Drops an earlier one otherwise.
    pub(super) async fn keep(&self, answer: &Fetched, manners: &Manners) {
        if let Some(policy) = self.policy(answer, manners.store.database.now()) {
            let page = KeptPage { policy, body: answer.body.clone() };
            told(manners.store.edges.keep_page(&self.shelf, &self.key, &page, manners.store.database.now()).await);
        } else if self.page.is_some() {
            told(manners.store.edges.drop_page(&self.shelf, &self.key).await);
        }
    }

    fn policy(&self, answer: &Fetched, now: Moment) -> Option<String> {
        if !matches!(answer.status, 200 | 203) || answer.truncated || answer.body.len() > MOST_BODY {
            return None;
        }
        let mut request = self.request.clone();
        // Remove the `no-cache` of this request: it does not apply to later ones.
        request.headers_mut().remove(CACHE_CONTROL);
        let response = response(answer)?;
        let policy = CachePolicy::new_options(&request, &response, time(now), private());
        let headers = response.headers();
        let useful = headers.contains_key(ETAG) || headers.contains_key(LAST_MODIFIED) || !policy.is_stale(time(now));
        if !policy.is_storable() || !useful {
            return None;
        }
        serde_json::to_string(&policy).ok()
    }
}

fn response(answer: &Fetched) -> Option<Response<()>> {
    let mut response = Response::builder().status(answer.status).body(()).ok()?;
    copy(&answer.headers, response.headers_mut());
    Some(response)
}

fn page(target: &Target, status: u16, headers: &HeaderMap, body: &[u8], fetch: &Fetch) -> Fetched {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    Fetched {
        url: target.url.as_str().to_owned(),
        status,
        headers: headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect(),
        body: body[..body.len().min(fetch.max_bytes)].to_vec(),
        truncated: body.len() > fetch.max_bytes,
        ..Fetched::default()
    }
}

/// A failed cache write must not fail the fetch.
fn told(outcome: Result<(), store::StoreError>) {
    if let Err(error) = outcome {
        tracing::warn!(error = %error, "a page could not be kept");
    }
}

#[cfg(test)]
mod tests;
