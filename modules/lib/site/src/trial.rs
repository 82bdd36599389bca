//! What stored crawls look like, for the native tests of modules.

use kit::crawled::{RunRecord, RunState, StopReason};
use kit::page::{self, Answer, PageFacts, Timing};

/// Where the website of the tests is.
pub const ORIGIN: &str = "https://shop.example";

/// A crawl of [`ORIGIN`] that ended, at that time in milliseconds since 1970 UTC, because it had fetched everything.
#[must_use]
pub fn ended(site: &str, at: u64) -> RunRecord {
    RunRecord {
        site_id: site.to_owned(),
        origin: ORIGIN.to_owned(),
        state: RunState::Finished,
        stop_reason: Some(StopReason::Completed),
        created_ms: at,
        finished_ms: Some(at),
        ..RunRecord::default()
    }
}

/// What an answer says, as a crawl reads it.
#[must_use]
pub fn facts(url: &str, status: u16, headers: &[(&str, &str)], html: &str) -> PageFacts {
    let headers: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    page::read(&Answer {
        url,
        final_url: url,
        status,
        hops: &[],
        headers: &headers,
        body: html.as_bytes(),
        truncated: false,
        timing: Timing::default(),
    })
}
