//! What jobs look at outside: pages, some at a time, with what a host's wish for a pause and a step's bounds mean for them.

use kit::page::PageFacts;
use sdk::prelude::*;
use sdk::{Failure, Request, Response};

/// Pages that are fetched together.
const TOGETHER: usize = 8;
/// Milliseconds after which a step takes no more pages, and bytes of pages that it reads.
const LONGEST: u64 = 30_000;
const MOST_BYTES: usize = 12 << 20;
/// Requests after which a step takes no more pages; a round of them has at most 200 more.
const MOST_REQUESTS: usize = 240;
/// How often hosts that ask for a pause are asked again, and the pause.
const TRIES: u32 = 3;
pub(crate) const PAUSE_MS: u32 = 30_000;

/// How far a job is with its pages, which have numbers.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Reading {
    /// The next page.
    at: usize,
    /// Pages that are asked again, after all others.
    again: Vec<usize>,
    /// How often that was done.
    tries: u32,
}

/// What came of some pages.
#[derive(Default)]
pub(crate) struct Round {
    /// Those whose hosts ask for a pause.
    pub(crate) paced: Vec<usize>,
    /// Those that the step has no room for.
    pub(crate) unread: Vec<usize>,
    pub(crate) bytes: usize,
    pub(crate) requests: usize,
    /// Whether no more is wanted.
    pub(crate) is_enough: bool,
}

impl Reading {
    /// Whether nothing is left, or what is left was asked for often enough.
    pub(crate) fn is_done(&self, count: usize) -> bool {
        self.at >= count && (self.again.is_empty() || self.tries >= TRIES)
    }

    /// Pages whose hosts asked for a pause each time.
    pub(crate) fn left(&self) -> u64 {
        self.again.len() as u64
    }

    /// Reads pages as far as one step may; `round` gets their numbers and how many bytes there is room for. Whether only such are
    /// left whose hosts ask for a pause.
    pub(crate) fn step(&mut self, cx: &Cx, count: usize, mut round: impl FnMut(&[usize], usize) -> Round) -> bool {
        let (mut bytes, mut requests) = (0, 0);
        while cx.elapsed() < LONGEST && bytes < MOST_BYTES && requests < MOST_REQUESTS {
            let is_first = self.at < count;
            let some: Vec<usize> = if is_first {
                (self.at..count.min(self.at + TOGETHER)).collect()
            } else {
                self.again.drain(..self.again.len().min(TOGETHER)).collect()
            };
            let Some(last) = some.last() else { break };
            let came = round(&some, MOST_BYTES - bytes);
            (bytes, requests) = (bytes + came.bytes, requests + came.requests);
            let is_paced = !came.paced.is_empty();
            if is_first {
                self.at = came.unread.first().copied().unwrap_or(last + 1);
                // Of what is asked for once more, those that asked for a pause behind it come once more too.
                self.again.extend(came.paced.into_iter().filter(|it| *it < self.at));
            } else {
                self.again.extend(came.unread);
                self.again.extend(came.paced);
            }
            if came.is_enough || is_paced && !is_first {
                break;
            }
        }
        let is_waiting = self.at >= count && !self.again.is_empty();
        self.tries += u32::from(is_waiting);
        is_waiting
    }
}

/// A page that was read.
pub(crate) struct Read {
    pub(crate) facts: PageFacts,
    /// Its content: paragraphs, one a line.
    pub(crate) content: String,
}

/// What came of a page.
pub(crate) enum Came {
    Page(Box<Read>),
    /// Its host asks for a pause.
    Paced,
    /// It may not be read, did not answer well, or is no HTML.
    Not,
    /// The step has read enough; it is asked again by the next one.
    Unread,
}

/// Fetches some pages together, in their order, and reads them until so many bytes are read; how many were.
pub(crate) fn pages(cx: &Cx, urls: &[&str], room: usize) -> (Vec<Came>, usize) {
    let parsed: Vec<Option<Url>> = urls.iter().map(|it| it.parse().ok()).collect();
    let requests: Vec<Request> =
        parsed.iter().flatten().map(|url| site::live::request(url, site::live::Reach::bytes(1 << 20))).collect();
    let mut answers = cx.web().fetch_many(requests).into_iter();
    let mut bytes = 0;
    let each = urls.iter().zip(&parsed).map(|(url, parsed)| {
        let answer = parsed.as_ref().and_then(|_| answers.next());
        match answer {
            Some(Err(Failure::Paced(_))) => Came::Paced,
            None | Some(Err(_)) => Came::Not,
            Some(Ok(response)) if !response.is_success() => Came::Not,
            Some(Ok(_)) if bytes > room => Came::Unread,
            Some(Ok(response)) => {
                bytes += response.body.len();
                read(url, &response)
            }
        }
    });
    let came = each.collect();
    (came, bytes)
}

fn read(url: &str, response: &Response) -> Came {
    let (facts, document) = site::live::whole(url, response);
    document.map_or(Came::Not, |it| Came::Page(Box::new(Read { facts, content: content(&it.dom) })))
}

/// The content of a page: its blocks, one a line.
fn content(dom: &kit::dom::Dom) -> String {
    kit::extract::plain(&kit::extract::blocks(dom, &kit::extract::content(dom)))
}
