//! A live page as this module reads it, what it costs to say, and how its absence is told.

use kit::dom::Dom;
use kit::extract::{self, Block, Content};
use kit::page::{self, Answer, Hop, PageFacts, Timing};
use sdk::prelude::*;
use sdk::{Failure, serde_json::json};

/// The first 2 MiB of the page, within 8 seconds: more than 99 of 100 pages have at most.
pub(crate) const BYTES: u32 = 2 << 20;
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
    /// What it says of itself.
    pub(crate) facts: PageFacts,
    /// Its tree.
    pub(crate) dom: Dom,
    /// Its source.
    pub(crate) html: String,
    /// Its content.
    pub(crate) content: Content,
    /// The content as blocks.
    pub(crate) blocks: Vec<Block>,
    /// When it was fetched.
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

    /// The address that references are resolved against.
    pub(crate) fn base(&self) -> Option<kit::url::Url> {
        let own = kit::url::Url::parse(&self.facts.final_url).ok()?;
        let declared = self.facts.base.as_deref().and_then(|base| kit::url::Url::parse(base).ok());
        Some(declared.unwrap_or(own))
    }

    /// The content as plain text.
    pub(crate) fn text(&self) -> String {
        extract::plain(&self.blocks)
    }

    /// The title, empty without one.
    pub(crate) fn title(&self) -> &str {
        self.facts.titles.first().map_or("", String::as_str)
    }

    /// The description, empty without one.
    pub(crate) fn description(&self) -> &str {
        self.facts.descriptions.first().map_or("", String::as_str)
    }

    /// The first heading of level one, empty without one.
    pub(crate) fn h1(&self) -> &str {
        self.facts.headings.iter().find(|it| it.level == 1).map_or("", |it| it.text.as_str())
    }

    /// The language to read it in: as asked for, as declared, or as detected; English at last.
    pub(crate) fn language(&self, asked: Option<&Language>) -> String {
        let declared =
            || self.facts.lang.as_deref().map(kit::language::primary).filter(|it| kit::language::is_known(it));
        let detected = || kit::language::detect(&self.text()).map(|it| it.language.to_owned());
        asked.map(|it| it.primary().to_owned()).or_else(declared).or_else(detected).unwrap_or_else(|| "en".to_owned())
    }
}

/// Fetches one page; the refusal names the argument `pointer`.
pub(crate) fn page(cx: &Cx, url: &Url, pointer: &str) -> Result<Live> {
    read(cx, url, pointer, &cx.web().fetch(&request(url, BYTES)))
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
            if let Some(unasked) = failure.unasked(pointer) {
                return Err(unasked);
            }
            let message = format!("the page did not answer: {}", failure.name());
            return Err(
                Fault::invalid(pointer, "page_unreachable", message).detail(json!({ "failure": failure.name() }))
            );
        }
    };
    if !response.is_success() {
        let message = format!(
            "the page answered with status {}; only a page that answers 200 to 299 can be read",
            response.status
        );
        return Err(Fault::invalid(pointer, "page_not_ok", message).detail(json!({ "status": response.status })));
    }
    let hops: Vec<Hop> = response
        .hops
        .iter()
        .map(|hop| Hop { url: hop.url.clone(), status: hop.status, location: hop.location.clone() })
        .collect();
    let timing = &response.timing;
    let (facts, document) = page::read_whole(&Answer {
        url: url.as_str(),
        final_url: &response.url,
        status: response.status,
        hops: &hops,
        headers: &response.headers,
        body: &response.body,
        truncated: response.truncated,
        timing: Timing {
            dns_ms: timing.dns_ms,
            connect_ms: timing.connect_ms,
            first_byte_ms: timing.first_byte_ms,
            total_ms: timing.total_ms,
        },
    });
    let Some(page::Document { html, dom }) = document else {
        let message = format!("the address answers with {}, not with HTML", facts.content_type);
        return Err(Fault::invalid(pointer, "not_html", message));
    };
    Ok(of_document(facts, html, dom, cx.now()))
}

/// A page from its source, which nobody fetched.
pub(crate) fn of_source(cx: &Cx, url: &Url, html: &str) -> Live {
    let headers = [("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    let answer = Answer {
        url: url.as_str(),
        final_url: url.as_str(),
        status: 200,
        hops: &[],
        headers: &headers,
        body: html.as_bytes(),
        truncated: false,
        timing: Timing::default(),
    };
    let (facts, document) = page::read_whole(&answer);
    let document = document.unwrap_or_else(|| page::Document { html: String::new(), dom: Dom::parse("") });
    of_document(facts, document.html, document.dom, cx.now())
}

fn of_document(facts: PageFacts, html: String, dom: Dom, fetched_at: Moment) -> Live {
    let content = extract::content(&dom);
    let blocks = extract::blocks(&dom, &content);
    Live { facts, dom, html, content, blocks, fetched_at }
}
