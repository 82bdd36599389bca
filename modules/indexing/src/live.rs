//! Live pages as this module reads them.

use kit::page::{self, Answer, Document, Hop, PageFacts, Timing};
use sdk::Failure;
use sdk::prelude::*;

/// What an answer says, as a crawl would read it.
pub(crate) fn facts(url: &str, response: &Response) -> PageFacts {
    whole(url, response).0
}

/// As [`facts`], with the document itself when the answer is HTML.
pub(crate) fn whole(url: &str, response: &Response) -> (PageFacts, Option<Document>) {
    let hops: Vec<Hop> = response
        .hops
        .iter()
        .map(|it| Hop { url: it.url.clone(), status: it.status, location: it.location.clone() })
        .collect();
    page::read_whole(&Answer {
        url,
        final_url: &response.url,
        status: response.status,
        hops: &hops,
        headers: &response.headers,
        body: &response.body,
        truncated: response.truncated,
        timing: Timing::default(),
    })
}

/// An address that gave no answer.
pub(crate) fn unanswered(url: &str, failure: Failure) -> PageFacts {
    page::unanswered(url, if failure == Failure::Disallowed { "robots" } else { failure.name() })
}

/// Fetches several pages together, each up to `bytes`, without following redirects; what they say, in their order.
pub(crate) fn pages(cx: &Cx, urls: &[Url], bytes: u32) -> Vec<PageFacts> {
    let requests = urls.iter().map(|url| {
        Request::get(url)
            .header("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5")
            .follow(0)
            .max_bytes(bytes)
            .timeout(8_000)
    });
    let answers = cx.web().fetch_many(requests);
    let read = |(url, answer): (&Url, Result<Response, Failure>)| match answer {
        Ok(response) => facts(url.as_str(), &response),
        Err(failure) => unanswered(url.as_str(), failure),
    };
    urls.iter().zip(answers).map(read).collect()
}
