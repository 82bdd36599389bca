//! Asking, at the pace that the site bears.

use sdk::prelude::*;
use sdk::{Failure, value};

use super::crawl::Crawl;

/// Longer waits are left to the time between two steps.
const LONGEST_WAIT_MS: u64 = 5_000;
/// Pauses in a row that a site is given; each has two minutes at most.
const MOST_RESTS: u32 = 30;

/// What a failure is called in records: an address that the host did not ask for is one that robots.txt forbids.
pub(crate) fn name(failure: &Failure) -> &'static str {
    match failure {
        Failure::Disallowed => "robots",
        other => other.name(),
    }
}

/// Whether the answer to a request for headers says nothing before the page itself was asked for.
pub(crate) fn head_is_doubtful(answer: &Result<Response, Failure>) -> bool {
    let (status, failure) = match answer {
        Ok(answer) => (answer.status, None),
        Err(failure) => (0, Some(name(failure))),
    };
    kit::outcome::head_is_doubtful(status, failure)
}

impl Crawl<'_> {
    /// Waits for the site's turn; false when the wait is so long that the next step should take it.
    pub(crate) fn keep_pace(&mut self) -> bool {
        let since = self.clock_ms().saturating_sub(self.point.last_ms);
        let wait = self.run.0.pace.wait_ms(since);
        if wait > LONGEST_WAIT_MS {
            self.pause_ms = u32::try_from(wait).unwrap_or(u32::MAX);
            return false;
        }
        if wait > 0 {
            self.budget.call();
            self.cx.wait(u32::try_from(wait).unwrap_or(u32::MAX));
        }
        self.point.last_ms = self.clock_ms();
        self.run.0.pace.begin();
        true
    }

    /// Leaves the site alone for so long: others ask it too, or it wants a pause. What was to be asked for waits. False
    /// when it has rested so often in a row that waiting is no use.
    pub(crate) fn rest(&mut self, seconds: u32) -> bool {
        if self.point.rests >= MOST_RESTS {
            return false;
        }
        self.point.rests += 1;
        self.pause_ms = self.pause_ms.max(seconds.max(1).saturating_mul(1_000));
        true
    }

    /// Asks for an address.
    pub(crate) fn ask(&mut self, url: &str, shape: impl FnOnce(Request) -> Request) -> Result<Response, Failure> {
        self.request(url, Request::get, shape)
    }

    /// Asks for an address's headers.
    pub(crate) fn ask_head(&mut self, url: &str, shape: impl FnOnce(Request) -> Request) -> Result<Response, Failure> {
        self.request(url, Request::head, shape)
    }

    fn request(
        &mut self,
        url: &str,
        how: fn(&value::Url) -> Request,
        shape: impl FnOnce(Request) -> Request,
    ) -> Result<Response, Failure> {
        let url: value::Url = url.parse().map_err(|_| Failure::Refused)?;
        let answer = self.cx.web().fetch(&shape(how(&url)));
        self.budget.request();
        if answer.is_ok() {
            self.point.rests = 0;
        }
        answer
    }
}
