//! What this module keeps of log sources and imports, and what it reads of other modules.

use sdk::prelude::*;

use crate::format::Format;

/// What is kept of the addresses of visitors.
#[value]
#[derive(Default)]
pub(crate) enum Ip {
    /// Impostors are counted by a keyed hash and shown by network; claimed bots are kept for 7 days to be verified.
    #[default]
    Hash,
    /// Impostors are shown by network; claimed bots are kept for 7 days to be verified.
    Truncate,
    /// Nothing beyond the import itself: what no published range decides stays unverified.
    Drop,
}

/// Where the address of a visitor stands.
#[value]
#[derive(Default)]
pub(crate) enum RealIp {
    /// The connection's.
    #[default]
    Connection,
    /// The rightmost public address of `X-Forwarded-For` that is none of the proxies.
    Forwarded,
}

/// A key that addresses are hashed by, for one month.
#[value]
pub(crate) struct Mark {
    /// The month, as `2026-09`.
    pub(crate) month: String,
    pub(crate) key: String,
}

/// A log source: one stream of one server.
#[record(collection = "sources", thing = "source", index(site_id, name), index(site_id, created_ms))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Source {
    pub(crate) site_id: String,
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) pattern: Option<String>,
    pub(crate) timezone: Option<String>,
    pub(crate) ip: Ip,
    pub(crate) real_ip: RealIp,
    pub(crate) proxies: Vec<String>,
    pub(crate) hosts: Vec<String>,
    pub(crate) ignore_params: Vec<String>,
    pub(crate) created_ms: u64,
    pub(crate) marks: Vec<Mark>,
    /// The streams that it has lines of.
    pub(crate) streams: Vec<String>,
}

/// Where an import stands.
#[value]
#[derive(Default)]
pub(crate) enum State {
    #[default]
    Running,
    Done,
}

/// The parts of an import's figures by hour that are kept for some days.
#[value]
#[derive(Default)]
pub(crate) struct Run {
    /// The month, as `2026-09`.
    pub(crate) month: String,
    pub(crate) number: u32,
}

/// Lines of a day.
#[value]
pub(crate) struct DayLines {
    pub(crate) date: Day,
    /// Lines of it that were counted.
    pub(crate) lines: u64,
}

/// A line that is no request.
#[value]
pub(crate) struct RejectedLine {
    /// Its number in the file.
    pub(crate) line: u64,
    #[own]
    pub(crate) reason: String,
    /// Its beginning, with addresses left out.
    pub(crate) sample: String,
}

/// Lines that are no requests, by reason.
#[value]
#[derive(Default)]
pub(crate) struct Rejections {
    /// Lines of another form.
    pub(crate) other_form: u64,
    /// Lines without a time from 1995 to tomorrow.
    pub(crate) no_time: u64,
    /// Lines without a status from 100 to 599.
    pub(crate) no_status: u64,
    /// Lines of over 64 KiB.
    pub(crate) too_long: u64,
}

impl Rejections {
    pub(crate) const fn total(&self) -> u64 {
        self.other_form + self.no_time + self.no_status + self.too_long
    }
}

/// An import of one file.
#[record(
    collection = "imports",
    thing = "import",
    index(site_id, created_ms),
    index(source_ref, created_ms),
    index(site_id, sha256)
)]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Import {
    pub(crate) site_id: String,
    pub(crate) source_ref: String,
    pub(crate) stream: String,
    /// SHA-256 of the file; empty before it is known.
    pub(crate) sha256: String,
    pub(crate) state: State,
    pub(crate) created_ms: u64,
    pub(crate) ended_ms: Option<u64>,
    pub(crate) job_ref: Option<Id<Job>>,
    /// Whether the file was read to its end.
    pub(crate) whole: bool,
    pub(crate) lines: u64,
    pub(crate) parsed: u64,
    /// Lines of hours that were counted.
    pub(crate) counted: u64,
    pub(crate) other_hosts: u64,
    pub(crate) rejections: Rejections,
    pub(crate) rejected: Vec<RejectedLine>,
    pub(crate) skipped_hours: u64,
    pub(crate) days: Vec<DayLines>,
    /// Figures by hour that are still there.
    pub(crate) runs: Vec<Run>,
    /// Parts of claimed bots that wait to be verified.
    pub(crate) pending: u32,
}

/// The import that merges its figures into a website's, so that no other does at the same time. Its id is the website.
#[record(collection = "merging", thing = "merging")]
pub(crate) struct Merging {
    pub(crate) job_ref: String,
    pub(crate) since_ms: u64,
}

/// A published list of address ranges that was fetched. Its id is a hash of its address.
#[record(collection = "lists", thing = "list")]
pub(crate) struct RangeList {
    pub(crate) url: String,
    pub(crate) fetched_ms: u64,
    pub(crate) prefixes: u64,
}

/// The verification of a website's claimed bots that is running, or ran last. Its id is the website.
#[record(collection = "verifications", thing = "verification")]
pub(crate) struct Verification {
    pub(crate) at_ms: u64,
    pub(crate) job_ref: String,
}

/// Claimed bots with their addresses.
pub(crate) const CLAIMS: sdk::Raw = sdk::Raw {
    name: "log_claims",
    words: "addresses of claimed bots that wait to be verified, and figures of log imports by hour; figures by day stay",
    collection: "imports",
    dated: "created_ms",
    rows: false,
    blobs: &["claims/{id}/", "runs/{id}/"],
};
