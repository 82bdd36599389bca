//! Whether a source still answers, as it was seen last: kept for a week, since it is derived.

use sdk::prelude::*;
use serde::{Deserialize, Serialize};

/// Seconds that a state is kept.
const KEPT: u32 = 7 * 86_400;

/// How a source answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// 0 without an answer.
    pub(crate) status: u16,
    /// Why there was no answer.
    pub(crate) failure: Option<String>,
    /// When.
    pub(crate) at_ms: u64,
}

impl Seen {
    /// Whether it is there; none where its robots.txt or a pause kept us from asking, or where we alone may be refused.
    pub(crate) fn is_live(&self) -> Option<bool> {
        match (self.status, self.failure.as_deref()) {
            (200..=399, _) => Some(true),
            (404 | 410, _) => Some(false),
            (0, Some("unresolved")) => Some(false),
            _ => None,
        }
    }
}

fn key(url: &str) -> String {
    format!("source:{}", &kit::text::hex(&kit::text::sha256(url.as_bytes()))[..32])
}

/// The last state of a source; none when it was not looked at for a week.
pub(crate) fn last(cx: &Cx, url: &str) -> Option<Seen> {
    cx.cache().get::<Seen>(&key(url))
}

/// Keeps the state of a source.
pub(crate) fn keep(cx: &Cx, url: &str, seen: &Seen) {
    cx.cache().put(&key(url), seen, KEPT);
}
