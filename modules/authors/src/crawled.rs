//! The pages of the newest crawls, as this module reads them.

use sdk::prelude::*;
use site::{Run, Site};

/// One address of a crawl, flat; members that have no value are left out.
#[foreign(collection = "crawl.rows", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) is_html: bool,
    pub(crate) title: String,
    pub(crate) h1: String,
    pub(crate) published: Option<String>,
    pub(crate) byline_visible: Option<String>,
    pub(crate) byline_markup: Option<String>,
    /// Every type that the structured data declares, with `, ` between them.
    pub(crate) structured_types: String,
}

impl Page {
    /// Whether the page declares one of these schema.org types.
    pub(crate) fn declares(&self, types: &[&str]) -> bool {
        self.structured_types.split(", ").any(|it| types.contains(&it))
    }
}

/// An address as the crawl stores it.
pub(crate) fn normal(url: &Url) -> String {
    kit::url::normal(url).unwrap_or_else(|| url.without_fragment().to_string())
}

/// The newest complete crawl of each website, or of the one.
pub(crate) struct Newest {
    runs: Vec<(String, Id<Run>)>,
}

impl Newest {
    /// Looks the crawls up.
    pub(crate) fn of(cx: &Cx, site: Option<&Id<Site>>) -> Self {
        let sites: Vec<_> = match site {
            Some(site) => cx.records().find(site).into_iter().collect(),
            None => cx.records::<Site>().all().scan().take(50).collect(),
        };
        let runs = sites.into_iter().filter_map(|site| Some((site.it.origin, site::newest(cx, &site.id)?.id)));
        Self { runs: runs.collect() }
    }

    /// What was found at an address.
    pub(crate) fn page(&self, cx: &Cx, url: &str) -> Option<Page> {
        let within = |origin: &str| url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'));
        let (_, run) = self.runs.iter().find(|(origin, _)| within(origin))?;
        cx.records::<Page>().find(&Id::new(kit::crawled::page_id(run.as_str(), url))).map(Stored::into_inner)
    }

    /// The pages of all these crawls, in the order of fetching.
    pub(crate) fn pages<'a>(&'a self, cx: &'a Cx) -> impl Iterator<Item = Page> + 'a {
        self.runs.iter().flat_map(move |(_, run)| from(cx, run, 0))
    }

    /// The hosts of the websites.
    pub(crate) fn hosts(&self) -> impl Iterator<Item = String> + '_ {
        self.runs.iter().filter_map(|(origin, _)| Some(origin.parse::<Url>().ok()?.host_str()?.to_owned()))
    }
}

/// The pages of a crawl from a place on.
pub(crate) fn from<'a>(cx: &'a Cx, run: &Id<Run>, seq: u64) -> impl Iterator<Item = Page> + 'a {
    cx.records::<Page>().by("run_seq").equals(run).at_least(seq).scan().map(Stored::into_inner)
}
