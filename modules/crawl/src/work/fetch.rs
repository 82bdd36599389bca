//! Kept here: asking, at the pace that the site bears.

use sdk::prelude::*;
use sdk::{Failure, value};

use super::crawl::Crawl;

/// Longer waits are left to the time between two steps.
const LONGEST_WAIT_MS: u64 = 5_000;

/// What a failure is called in records.
pub(crate) fn name(failure: &Failure) -> &'static str {
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
        answer
    }
}
