//! Addresses that are asked for now, outside any crawl.

pub(crate) mod checking;
pub(crate) mod fetching;

use kit::robots::{AGENT, MOST_BYTES, Robots};
use kit::url::{normal, origin};
use sdk::Failure;
use sdk::prelude::*;

use crate::work::failure_name;

/// Milliseconds for the rules of a host.
const RULES_MS: u32 = 3_000;
/// Milliseconds for a page; a whole read has 10 seconds.
const PAGE_MS: u32 = 5_000;

/// What robots.txt of a host says.
pub(crate) struct Rules {
    pub(crate) robots: Robots,
    /// Its status; 0 without an answer.
    pub(crate) status: u16,
    pub(crate) failure: Option<Failure>,
}

/// Asks for the rules of an address's host.
pub(crate) fn rules(cx: &Cx, url: &Url) -> Rules {
    let Some(address) = url.link("/robots.txt") else {
        return Rules { robots: Robots::forbid_all(), status: 0, failure: Some(Failure::Refused) };
    };
    let most = u32::try_from(MOST_BYTES).unwrap_or(u32::MAX);
    match cx.web().fetch(&Request::get(&address).follow(5).max_bytes(most).timeout(RULES_MS)) {
        Ok(answer) => Rules {
            robots: Robots::of_answer(answer.status, &answer.body, AGENT),
            status: answer.status,
            failure: None,
        },
        Err(failure) => Rules { robots: Robots::forbid_all(), status: 0, failure: Some(failure) },
    }
}

/// Fetches one page as its host allows; 409 when it may not be asked for, or does not answer.
pub(crate) fn page(cx: &Cx, url: &Url, most_bytes: u32) -> Result<Response> {
    let Rules { robots, failure, .. } = rules(cx, url);
    if let Some(failure) = failure {
        return Err(unanswered(failure));
    }
    if !robots.allows(normal(url).as_deref().unwrap_or(url.as_str())) {
        let message = format!("robots.txt of {:.200} forbids this address", origin(url));
        return Err(Fault::conflict("robots_disallowed", message).at("/url"));
    }
    let request = Request::get(url).follow(5).max_bytes(most_bytes).timeout(PAGE_MS);
    cx.web().fetch(&request).map_err(unanswered)
}

fn unanswered(failure: Failure) -> Fault {
    if let Some(unasked) = failure.unasked("/url") {
        return unasked;
    }
    let message = format!("the address gave no answer: {}", failure_name(&failure));
    Fault::conflict("url_unanswered", message).at("/url").detail(sdk::json!({ "failure": failure_name(&failure) }))
}
