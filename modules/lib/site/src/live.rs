//! A live page: how it is asked for, what its answer says, and how a result tells of it.

use kit::dom::Dom;
use kit::page::{self, Answer, Document, Hop, PageFacts, Timing};
use kit::url::Url as Address;
use sdk::prelude::*;
use sdk::{Failure, json};

/// What is asked for first.
const ACCEPT: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

/// What is read of a page counts for at most so many bytes: all that is asked for, unless it is full of letters without spaces.
/// A page of 1 MB of nothing else takes what the locks allow for 2 MB of any other.
const MOST_WEIGHT: u64 = 8 << 20;
/// What a letter of a script without spaces counts for, in bytes.
const LETTER: u64 = 24;

/// How much of a page is read, and how long that may take. A whole read has 10 seconds.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Bytes of the body.
    pub bytes: u32,
    /// Milliseconds.
    pub time: u32,
}

impl Reach {
    /// The first 2 MiB of a page, within 8 seconds: more than 99 of 100 pages have at most.
    pub const PAGE: Self = Self::bytes(2 << 20);

    /// So many bytes, within 8 seconds.
    #[must_use]
    pub const fn bytes(bytes: u32) -> Self {
        Self { bytes, time: 8_000 }
    }
}

/// The request for a page.
pub fn request(url: &Url, reach: Reach) -> Request {
    Request::get(url).header("accept", ACCEPT).max_bytes(reach.bytes).timeout(reach.time)
}

/// What an answer says, as a crawl would read it, with the document itself when it is HTML.
#[must_use]
pub fn whole(url: &str, response: &Response) -> (PageFacts, Option<Document>) {
    let hops = response.hops.iter();
    let hops: Vec<Hop> =
        hops.map(|it| Hop { url: it.url.clone(), status: it.status, location: it.location.clone() }).collect();
    let timing = &response.timing;
    let read = kit::weight::within(&response.body, MOST_WEIGHT, LETTER);
    page::read_whole(&Answer {
        url,
        final_url: &response.url,
        status: response.status,
        hops: &hops,
        headers: &response.headers,
        body: &response.body[..read],
        truncated: response.truncated || read < response.body.len(),
        timing: Timing {
            dns_ms: timing.dns_ms,
            connect_ms: timing.connect_ms,
            first_byte_ms: timing.first_byte_ms,
            total_ms: timing.total_ms,
        },
    })
}

/// What an answer says, or that there was none: one that its host forbids is one that robots.txt blocks.
#[must_use]
pub fn facts(url: &str, answer: &Result<Response, Failure>) -> PageFacts {
    match answer {
        Ok(response) => whole(url, response).0,
        Err(Failure::Disallowed) => page::unanswered(url, "robots"),
        Err(failure) => page::unanswered(url, failure.name()),
    }
}

/// What a page says, also where it did not answer.
///
/// # Errors
/// 422 at `/url` for an address that is not public; 503 where its host wants to be left alone now.
pub fn fetch(cx: &Cx, url: &Url, reach: Reach) -> Result<PageFacts> {
    let answer = cx.web().fetch(&request(url, reach));
    match &answer {
        Err(Failure::Refused) => Err(Fault::invalid("/url", "url_refused", "this address is not a public web page")),
        Err(failure) => failure.unasked("/url").map_or_else(|| Ok(facts(url.as_str(), &answer)), Err),
        Ok(_) => Ok(facts(url.as_str(), &answer)),
    }
}

/// What several pages say, fetched together, in the order of the addresses; without those whose host asks for a pause.
#[must_use]
pub fn fetch_many(cx: &Cx, urls: &[Url], reach: Reach) -> Vec<PageFacts> {
    let answers = cx.web().fetch_many(urls.iter().map(|url| request(url, reach)));
    let asked = urls.iter().zip(&answers).filter(|(_, answer)| !matches!(answer, Err(Failure::Paced(_))));
    asked.map(|(url, answer)| facts(url.as_str(), answer)).collect()
}

/// What several addresses themselves say, fetched together, redirects not followed; one for each, in their order.
#[must_use]
pub fn unfollowed(cx: &Cx, urls: &[Url], reach: Reach) -> Vec<PageFacts> {
    let answers = cx.web().fetch_many(urls.iter().map(|url| request(url, reach).follow(0)));
    urls.iter().zip(&answers).map(|(url, answer)| facts(url.as_str(), answer)).collect()
}

/// The page that a result speaks of, and how old that knowledge is.
#[value]
pub struct Seen {
    /// The address asked for, normalised.
    pub url: String,
    /// The address that answered, after redirects.
    pub final_url: String,
    /// Its status.
    pub status: u16,
    /// When it was fetched.
    pub fetched_at: Moment,
    /// Seconds since then.
    pub age_seconds: u64,
    /// The page was longer than what is read; results then speak of its beginning.
    pub truncated: bool,
}

/// A page that answered with HTML.
pub struct Live {
    /// What it says of itself.
    pub facts: PageFacts,
    /// Its tree.
    pub dom: Dom,
    /// Its source.
    pub html: String,
    /// What references are resolved against.
    pub base: Address,
    /// When it was fetched.
    pub fetched_at: Moment,
}

impl Live {
    /// What to say of it in a result.
    #[must_use]
    pub fn seen(&self) -> Seen {
        Seen {
            url: self.facts.url.clone(),
            final_url: self.facts.final_url.clone(),
            status: self.facts.status,
            fetched_at: self.fetched_at,
            age_seconds: 0,
            truncated: self.facts.truncated,
        }
    }
}

/// Reads one page.
///
/// # Errors
/// 422 at `pointer`: `url_refused`, `page_unreachable`, `page_not_ok`, `not_html`; 503 where its host wants to be left
/// alone now.
pub fn page(cx: &Cx, url: &Url, pointer: &str) -> Result<Live> {
    read(cx, url, pointer, &cx.web().fetch(&request(url, Reach::PAGE)))
}

/// Reads several pages, fetched together; answers in their order.
#[must_use]
pub fn pages(cx: &Cx, urls: &[Url], reach: Reach) -> Vec<Result<Live>> {
    let answers = cx.web().fetch_many(urls.iter().map(|url| request(url, reach)));
    urls.iter().zip(&answers).map(|(url, answer)| read(cx, url, "/url", answer)).collect()
}

fn read(cx: &Cx, url: &Url, pointer: &str, answer: &Result<Response, Failure>) -> Result<Live> {
    let response = match answer {
        Ok(response) => response,
        Err(Failure::Refused) => {
            return Err(Fault::invalid(pointer, "url_refused", "this address is not a public web page"));
        }
        Err(failure) => {
            let told = || {
                let message = format!("the page did not answer: {}", failure.name());
                let detail = json!({ "failure": failure.name() });
                Fault::invalid(pointer, "page_unreachable", message).detail(detail)
            };
            return Err(failure.unasked(pointer).unwrap_or_else(told));
        }
    };
    if !response.is_success() {
        let status = response.status;
        let message = format!("the page answered with status {status}; only one that answers 200 to 299 can be read");
        return Err(Fault::invalid(pointer, "page_not_ok", message).detail(json!({ "status": status })));
    }
    let (facts, document) = whole(url.as_str(), response);
    let Some(document) = document else {
        let message = format!("the address answers with {}, not with HTML", facts.content_type);
        return Err(Fault::invalid(pointer, "not_html", message));
    };
    Ok(live(facts, document, url, cx.now()))
}

/// A page from its source, which nobody fetched.
#[must_use]
pub fn of_source(cx: &Cx, url: &Url, html: &str) -> Live {
    let headers = [("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    let (facts, document) = page::read_whole(&Answer {
        url: url.as_str(),
        final_url: url.as_str(),
        status: 200,
        hops: &[],
        headers: &headers,
        body: html.as_bytes(),
        truncated: false,
        timing: Timing::default(),
    });
    let document = document.unwrap_or_else(|| Document { html: String::new(), dom: Dom::parse("") });
    live(facts, document, url, cx.now())
}

fn live(facts: PageFacts, document: Document, url: &Url, fetched_at: Moment) -> Live {
    let own = Address::parse(&facts.final_url).unwrap_or_else(|_| (**url).clone());
    let declared = facts.base.as_deref().and_then(|base| Address::parse(base).ok());
    Live { base: declared.unwrap_or(own), facts, dom: document.dom, html: document.html, fetched_at }
}
