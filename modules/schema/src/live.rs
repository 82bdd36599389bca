//! A live page as this module reads it, how its age is told, and what was missing.

use kit::dom::Dom;
use kit::page::{self, Answer, PageFacts, Timing};
use kit::url::Url as Address;
use sdk::Degraded;
use sdk::prelude::*;
use sdk::{Failure, serde_json::json};

use crate::extract::{self, Extracted};

/// The first 2 MiB of a page, within 8 seconds: more than 99 of 100 pages have at most.
pub(crate) const BYTES: u32 = 2 << 20;
/// Of each page, where many are read in one call.
pub(crate) const FEWER_BYTES: u32 = 192 << 10;
const TIME: u32 = 8_000;

/// The page that a result speaks of, and how old that knowledge is.
#[value]
pub(crate) struct Seen {
    /// The address asked for, normalised.
    pub(crate) url: String,
    /// The address that answered, after redirects.
    pub(crate) final_url: String,
    /// Its status.
    pub(crate) status: u16,
    /// When it was fetched.
    pub(crate) fetched_at: Moment,
    /// Seconds since then.
    pub(crate) age_seconds: u64,
    /// The page was longer than what is read; results then speak of its beginning.
    pub(crate) truncated: bool,
}

/// A page that answered with HTML.
pub(crate) struct Live {
    pub(crate) facts: PageFacts,
    pub(crate) dom: Dom,
    pub(crate) html: String,
    /// What references are resolved against.
    pub(crate) base: Address,
    fetched_at: Moment,
}

impl Live {
    /// What to say of it in a result.
    pub(crate) fn seen(&self) -> Seen {
        Seen {
            url: self.facts.url.clone(),
            final_url: self.facts.final_url.clone(),
            status: self.facts.status,
            fetched_at: self.fetched_at,
            age_seconds: 0,
            truncated: self.facts.truncated,
        }
    }

    /// Its structured data.
    pub(crate) fn extracted(&self) -> Extracted {
        extract::extract(&self.dom, &self.base)
    }

    /// What a cut page or a cut extraction leaves out.
    pub(crate) fn missing(&self, found: &Extracted) -> Vec<Degraded> {
        let mut out = Vec::new();
        if self.facts.truncated {
            out.push(Degraded::new("page", "the page is longer than what is read; its end was not looked at"));
        }
        if found.cut {
            out.push(Degraded::new("items", format!("only the first {} items were read", extract::MOST_ITEMS)));
        }
        out
    }
}

/// Fetches one page; the refusal names the argument `/url`.
pub(crate) fn page(cx: &Cx, url: &Url) -> Result<Live> {
    read(cx, url, "/url", &cx.web().fetch(&request(url, BYTES)))
}

/// Fetches several pages together, each up to `bytes`; answers in their order.
pub(crate) fn pages(cx: &Cx, urls: &[Url], bytes: u32) -> Vec<Result<Live>> {
    let answers = cx.web().fetch_many(urls.iter().map(|url| request(url, bytes)));
    urls.iter().zip(&answers).map(|(url, answer)| read(cx, url, "/url", answer)).collect()
}

fn request(url: &Url, bytes: u32) -> Request {
    let accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
    Request::get(url).header("accept", accept).max_bytes(bytes).timeout(TIME)
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
    let (facts, document) = page::read_whole(&Answer {
        url: url.as_str(),
        final_url: &response.url,
        status: response.status,
        hops: &[],
        headers: &response.headers,
        body: &response.body,
        truncated: response.truncated,
        timing: Timing::default(),
    });
    let Some(page::Document { html, dom }) = document else {
        let message = format!("the address answers with {}, not with HTML", facts.content_type);
        return Err(Fault::invalid(pointer, "not_html", message));
    };
    Ok(whole(facts, dom, html, url, cx.now()))
}

/// A page from its source, which nobody fetched.
pub(crate) fn of_source(cx: &Cx, url: &Url, html: &str) -> Live {
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
    let document = document.unwrap_or_else(|| page::Document { html: String::new(), dom: Dom::parse("") });
    whole(facts, document.dom, document.html, url, cx.now())
}

fn whole(facts: PageFacts, dom: Dom, html: String, url: &Url, fetched_at: Moment) -> Live {
    let own = Address::parse(&facts.final_url).unwrap_or_else(|_| (**url).clone());
    let declared = facts.base.as_deref().and_then(|base| Address::parse(base).ok());
    Live { base: declared.unwrap_or(own), facts, dom, html, fetched_at }
}
