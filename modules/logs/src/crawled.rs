//! The newest crawl beside the logs: what each address is, how deep, and how much authority it has.

use std::collections::HashMap;

use addresses::Known;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use site::{Run, Site};

/// The newest crawl of a website.
pub(crate) struct Crawled {
    pub(crate) run: Stored<Run>,
    pub(crate) pages: HashMap<String, Known>,
    /// Authority by address; 1 is an average page. None without a graph.
    pub(crate) authority: Option<HashMap<String, f64>>,
    pub(crate) basis: Basis,
    pub(crate) degraded: Vec<Degraded>,
}

impl Crawled {
    /// The newest crawl, if there is one.
    pub(crate) fn newest(cx: &Cx, site: &Id<Site>) -> Option<Self> {
        let run = site::newest(cx, site)?;
        let found = addresses::of(cx, &run.id);
        let mut degraded: Vec<Degraded> = found.degraded.into_iter().collect();
        let pages: HashMap<String, Known> = found.all.into_iter().map(|it| (it.url.clone(), it)).collect();
        let graph = linkgraph::newest(cx, site).and_then(|graph| linkgraph::pages(cx, &graph));
        let authority =
            graph.map(|nodes| nodes.into_iter().map(|it| (it.url, it.authority)).collect::<HashMap<_, _>>());
        if authority.is_none() {
            let why = "no link graph is built, so the authority of pages is not known";
            let build = json!({ "run_ref": run.id });
            degraded.push(Degraded::new("authority", why).supplied_by("links.graph.build", build));
        }
        let basis = site::basis(cx, &run);
        Some(Self { run, pages, authority, basis, degraded })
    }

    /// As [`Self::newest`], for what cannot be told without one.
    ///
    /// # Errors
    /// 409 `crawl_required`.
    pub(crate) fn required(cx: &Cx, site: &Id<Site>) -> Result<Self> {
        Self::newest(cx, site).ok_or_else(|| {
            let first = Fix::new("crawl.run.start", json!({ "site_id": site }));
            let message = "no crawl of this website has ended yet; call crawl.run.start first";
            Fault::conflict("crawl_required", message).at("/site_id").detail(json!(first))
        })
    }

    /// The authority of a page; none where it is not known.
    pub(crate) fn authority(&self, url: &str) -> Option<f64> {
        self.authority.as_ref()?.get(url).map(|it| kit::statistics::round(*it, 4))
    }

    /// Whether an address is another spelling of a page: the crawl knows its canonical, or knows it without its query.
    pub(crate) fn without_query<'u>(&self, url: &'u str) -> Option<&'u str> {
        let (path, _) = url.split_once('?')?;
        self.pages.contains_key(path).then_some(path)
    }
}

/// What is said where no crawl has ended.
pub(crate) fn missing(site: &Id<Site>) -> Degraded {
    let why = "no crawl of this website has ended, so it is not known what its addresses are";
    Degraded::new("crawl", why).supplied_by("crawl.run.start", json!({ "site_id": site }))
}
