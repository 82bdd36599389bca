//! How a live page becomes facts.

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

/// Fetches a page; one that does not answer has facts too. One that may not be asked for has none, which a refusal says
/// that names the argument `/url`.
pub(crate) fn fetch(cx: &Cx, url: &Url, reach: Reach) -> Result<PageFacts> {
    let answer = cx.web().fetch(&request(url, reach));
    match &answer {
        Err(Failure::Refused) => Err(Fault::invalid("/url", "url_refused", "this address is not a public web page")),
        Err(failure) => failure.unasked("/url").map_or_else(|| Ok(facts(url.as_str(), &answer)), Err),
        Ok(_) => Ok(facts(url.as_str(), &answer)),
    }
}

/// Fetches several pages together; facts in the order of the addresses, without those whose host asks for a pause.
pub(crate) fn fetch_many(cx: &Cx, urls: &[Url], reach: Reach) -> Vec<PageFacts> {
    let answers = cx.web().fetch_many(urls.iter().map(|url| request(url, reach)));
    let asked = urls.iter().zip(&answers).filter(|(_, answer)| !matches!(answer, Err(Failure::Paced(_))));
    asked.map(|(url, answer)| facts(url.as_str(), answer)).collect()
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
    page::read(&Answer { hops: &hops, ..self::answer(url, response) })
}

/// An answer as the page reader takes it, without the redirects before it.
pub(crate) fn answer<'a>(url: &'a str, response: &'a Response) -> Answer<'a> {
    Answer {
        url,
        final_url: &response.url,
        status: response.status,
        hops: &[],
        headers: &response.headers,
        body: &response.body,
        truncated: response.truncated,
        timing: Timing {
            dns_ms: response.timing.dns_ms,
            connect_ms: response.timing.connect_ms,
            first_byte_ms: response.timing.first_byte_ms,
            total_ms: response.timing.total_ms,
        },
    }
}

/// As crawled pages have it: one that its host forbids is one that robots.txt blocks.
fn word(failure: Failure) -> &'static str {
    match failure {
        Failure::Disallowed => "robots",
        other => other.name(),
    }
}
