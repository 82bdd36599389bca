//! How strong a page is within its website.

use std::collections::HashMap;

use sdk::Degraded;
use sdk::prelude::*;

use crate::stored::Graph;
use site::Run;

/// The authority of pages: that of the link graph for the strongest, and by clicks from the home page for the others.
pub(crate) struct Authority {
    top: HashMap<String, f64>,
    /// What could not be considered.
    pub(crate) degraded: Option<Degraded>,
}

impl Authority {
    /// That of a crawl.
    pub(crate) fn of(cx: &Cx, run: &Stored<Run>) -> Self {
        let graphs = cx.records::<Graph>().by("run_ref_created_ms").equals(&run.id).descending();
        let summary = graphs.scan().take(5).find_map(|it| it.it.summary);
        let degraded = match summary {
            Some(_) => None,
            None => Some(
                Degraded::new(
                    "authority",
                    "no link graph of the newest crawl is built; clicks from the home page are used instead",
                )
                .supplied_by("links.graph.build", sdk::json!({ "run_ref": run.id })),
            ),
        };
        let top = summary.unwrap_or_default().top.into_iter().map(|it| (it.url, it.authority)).collect();
        Self { top, degraded }
    }

    /// A number that grows with authority; 1 is about an average page. `depth` is clicks from the home page.
    pub(crate) fn of_page(&self, url: &str, depth: u32) -> f64 {
        // The strongest pages have more than others by definition; the others are told apart by depth alone.
        self.top.get(url).map_or_else(|| 1.0 / (1.0 + f64::from(depth)), |it| 1.0 + it)
    }
}
