//! Kept here: how a live page becomes facts.

use kit::page::{self, Answer, Hop, PageFacts, Timing};
use sdk::prelude::*;
use sdk::{Failure, Request, Response};

/// How much of a page is read, and how long that may take. A whole read has 10 seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// Bytes of the body.
    pub(crate) bytes: u32,
    /// Milliseconds.
    pub(crate) time: u32,
}

/// Fetches a page; one that does not answer has facts too.
pub(crate) fn fetch(cx: &Cx, url: &Url, reach: Reach) -> PageFacts {
    facts(url.as_str(), &cx.web().fetch(&request(url, reach)))
}

/// Fetches several pages together; facts in the order of the addresses.
pub(crate) fn fetch_many(cx: &Cx, urls: &[Url], reach: Reach) -> Vec<PageFacts> {
    let answers = cx.web().fetch_many(urls.iter().map(|url| request(url, reach)));
    urls.iter().zip(&answers).map(|(url, answer)| facts(url.as_str(), answer)).collect()
}

fn request(url: &Url, reach: Reach) -> Request {
    let accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
    Request::get(url).header("accept", accept).max_bytes(reach.bytes).timeout(reach.time)
}

fn facts(url: &str, answer: &Result<Response, Failure>) -> PageFacts {
    let response = match answer {
        Ok(response) => response,
        Err(failure) => return page::unanswered(url, word(*failure)),
    };
    let hops: Vec<Hop> = response
        .hops
        .iter()
        .map(|hop| Hop { url: hop.url.clone(), status: hop.status, location: hop.location.clone() })
        .collect();
    page::read(&Answer {
        url,
        final_url: &response.url,
        status: response.status,
        hops: &hops,
        headers: &response.headers,
        body: &response.body,
        truncated: response.truncated,
        timing: Timing {
            dns_ms: response.timing.dns_ms,
            connect_ms: response.timing.connect_ms,
            first_byte_ms: response.timing.first_byte_ms,
            total_ms: response.timing.total_ms,
        },
    })
}

fn word(failure: Failure) -> &'static str {
    match failure {
        Failure::Refused => "refused",
        Failure::Unresolved => "unresolved",
        Failure::Unreachable => "unreachable",
        Failure::Timeout => "timeout",
        Failure::Redirects => "redirects",
        Failure::Tls => "tls",
        Failure::Malformed => "malformed",
    }
}
