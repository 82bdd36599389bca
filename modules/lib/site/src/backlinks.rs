//! How many other domains link to each page of a website, as the module `backlinks` keeps it of the files that were imported.

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::Site;

/// The largest blob that is read back.
const MAX_BLOB: u32 = 8 << 20;

/// Linking domains by page; none where no links were imported.
pub struct LinkedPages(BTreeMap<String, u64>);

impl LinkedPages {
    /// Those of a website.
    #[must_use]
    pub fn of(cx: &Cx, site: &Id<Site>) -> Option<Self> {
        let bytes = cx.blobs().read(&format!("backlinks.targets/{site}"), 0, MAX_BLOB).filter(|it| !it.is_empty())?;
        serde_json::from_slice(&bytes).ok().map(Self)
    }

    /// Domains that link to a page; 0 for a page that none of the imported links leads to.
    #[must_use]
    pub fn domains(&self, url: &str) -> u64 {
        self.0.get(plain(url)).copied().unwrap_or(0)
    }

    /// The pages that links lead to, without scheme and `www.`.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// An address without its scheme and `www.`, as pages are compared.
#[must_use]
pub fn plain(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |it| it.1);
    rest.strip_prefix("www.").unwrap_or(rest)
}
