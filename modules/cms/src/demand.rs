//! What a page is worth before it is taken away: its clicks, and the links that lead to it.

use sdk::prelude::*;
use sdk::{Degraded, json};
use search::Clicks;
use serde_json::Value;
use site::{Linked, Site};

/// What is known of a page; null where nothing was measured.
pub(crate) struct Demand {
    pub(crate) clicks_28d: Option<u64>,
    pub(crate) inlinks: Option<u64>,
    pub(crate) degraded: Vec<Degraded>,
}

impl Demand {
    /// Of the page at an address.
    pub(crate) fn of(cx: &Cx, site: &Stored<Site>, url: &str) -> Self {
        let normal = kit::url::normalize(url).unwrap_or_else(|| url.to_owned());
        let mut degraded = Vec::new();
        let clicks_28d = Clicks::newest(cx, &site.id).map(|it| it.of(&normal));
        if clicks_28d.is_none() {
            let why = "no search figures by page are stored; search_console.sync.run imports them";
            degraded.push(
                Degraded::new("clicks_28d", why).supplied_by("search_console.sync.run", json!({ "site_id": site.id })),
            );
        }
        let inlinks = site::newest(cx, &site.id)
            .map(|run| cx.records::<Linked>().by("run_target").equals(&run.id).equals(&normal).count());
        if inlinks.is_none() {
            let why = "no crawl of the website has ended";
            degraded.push(Degraded::new("inlinks", why).supplied_by("crawl.run.start", json!({ "site_id": site.id })));
        }
        Self { clicks_28d, inlinks, degraded }
    }

    /// Whether something is at stake that is known.
    pub(crate) fn is_worth(&self) -> bool {
        self.clicks_28d.is_some_and(|it| it > 0) || self.inlinks.is_some_and(|it| it > 0)
    }

    /// The counts, for the detail of a refusal.
    pub(crate) fn counts(&self) -> Value {
        json!({ "clicks_28d": self.clicks_28d, "inlinks": self.inlinks })
    }
}
