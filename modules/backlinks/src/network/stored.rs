//! What the last search for networks found, as scores read it.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use site::Site;

use super::groups::Shared;

const MAX_BLOB: u32 = 8 << 20;

/// Domains that look commonly run.
#[value]
pub(crate) struct Group {
    pub(crate) domains: Vec<String>,
    /// What they share, that of the most domains first.
    pub(crate) shared: Vec<Shared>,
    /// From 0 to 1: how far what they share is beyond chance.
    pub(crate) strength: f64,
    #[own]
    pub(crate) note: Option<String>,
}

/// What was found.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Networks {
    pub(crate) at_ms: u64,
    /// Domains whose page and names were looked at, and that are in no group.
    pub(crate) alone: BTreeSet<String>,
    pub(crate) groups: Vec<Group>,
}

impl Networks {
    /// What the last search found.
    pub(crate) fn of(cx: &Cx, site: &Id<Site>) -> Self {
        let bytes = cx.blobs().read(&format!("networks/{site}"), 0, MAX_BLOB);
        bytes.and_then(|it| sdk::serde_json::from_slice(&it).ok()).unwrap_or_default()
    }

    /// Keeps it.
    ///
    /// # Errors
    /// The host's refusal of the blob.
    pub(crate) fn keep(&self, cx: &Cx, site: &Id<Site>) -> Result<()> {
        let bytes = sdk::serde_json::to_vec(self).unwrap_or_default();
        cx.blobs().write(&format!("networks/{site}"), &bytes)
    }

    /// The strength of the network of each domain that was looked at; 0 for one in none.
    pub(crate) fn strengths(&self) -> BTreeMap<&str, f64> {
        let alone = self.alone.iter().map(|it| (it.as_str(), 0.0));
        let grouped = self.groups.iter().flat_map(|group| group.domains.iter().map(|it| (it.as_str(), group.strength)));
        alone.chain(grouped).collect()
    }
}
