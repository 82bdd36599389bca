//! What addresses answer, and what that says against a redirect.

use std::collections::BTreeMap;

use kit::page::Indexability;
use sdk::prelude::*;
use site::Site;
use site::live::{self, Reach};

use super::{Planned, Reason};
use crate::crawled::Row;

/// Addresses that are fetched, where no crawl of this week knows them.
pub(super) const FETCHED: usize = 150;
/// A crawl that is older says nothing about what answers now.
const FRESH_MS: u64 = 7 * 86_400_000;

/// What is known of an address.
#[derive(Debug, Clone, Copy, PartialEq)]
struct State {
    status: u16,
    indexable: bool,
}

/// What addresses answer: by a crawl of this week, else by a look at them.
pub(super) struct States {
    known: BTreeMap<String, State>,
    /// Addresses that nobody looked at.
    pub(super) unknown: usize,
}

impl States {
    pub(super) fn of(cx: &Cx, site: &Stored<Site>, urls: impl Iterator<Item = String>) -> Self {
        let run = site::newest(cx, &site.id).filter(|run| cx.now().since(site::ended_at(run)) < FRESH_MS);
        let (mut known, mut open) = (BTreeMap::new(), Vec::new());
        for url in urls {
            if known.contains_key(&url) || open.contains(&url) {
                continue;
            }
            match run.as_ref().and_then(|run| Row::of(cx, run, &url)) {
                Some(row) => _ = known.insert(url, State { status: row.status, indexable: row.is_indexable() }),
                None => open.push(url),
            }
        }
        let unknown = open.len().saturating_sub(FETCHED);
        open.truncate(FETCHED);
        let addresses: Vec<Url> = open.iter().filter_map(|url| url.parse().ok()).collect();
        // Redirects are not followed: one that answers here is no live page.
        for chunk in addresses.chunks(8) {
            for facts in live::unfollowed(cx, chunk, Reach::bytes(256 << 10)) {
                let indexable = facts.indexability == Indexability::default() || facts.indexability.is_indexable();
                known.insert(facts.url.clone(), State { status: facts.status, indexable });
            }
        }
        Self { known, unknown }
    }

    /// What speaks against a redirect.
    pub(super) fn against(&self, it: &Planned) -> Option<(Reason, String)> {
        if let Some(state) = self.known.get(&it.from_url)
            && state.status == 200
            && state.indexable
        {
            return Some((Reason::IsLivePage, "the source answers 200 and can be found".to_owned()));
        }
        let state = self.known.get(it.to_url.as_ref()?)?;
        match state {
            // A target that is itself redirected is flattened first.
            State { status: 301 | 302 | 307 | 308, .. } => None,
            State { status: 200, indexable: true } => None,
            State { status: 200, .. } => Some((Reason::TargetNoindex, "the target is not to be indexed".to_owned())),
            State { status: 0, .. } => Some((Reason::TargetStatus, "the target does not answer".to_owned())),
            State { status, .. } => Some((Reason::TargetStatus, format!("the target answers {status}"))),
        }
    }
}
