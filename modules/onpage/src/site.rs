//! What this module reads of others: websites, and the rows of their newest crawls.

use kit::terms::Analyzer;
use kit::tfidf::Frequencies;
use sdk::Basis;
use sdk::Degraded;
use sdk::prelude::*;

/// A website of the customer.
#[foreign(collection = "websites.sites", thing = "website", reference = "site_id")]
pub(crate) struct Site {
    /// Scheme, host and port.
    pub(crate) origin: String,
}

/// A crawl.
#[foreign(collection = "crawl.runs", index(site_id))]
pub(crate) struct Run {
    pub(crate) site_id: Id<Site>,
    /// `succeeded` and `cancelled` crawls can be read; the others still change, or broke off.
    pub(crate) state: String,
    /// Why it ended; `completed` when it fetched everything that it knew of.
    #[serde(default)]
    pub(crate) stop_reason: Option<String>,
    /// Milliseconds since 1970 UTC.
    pub(crate) finished_ms: Option<u64>,
}

impl Run {
    /// Whether it fetched everything that it knew of.
    fn is_complete(&self) -> bool {
        self.state == "succeeded" && self.stop_reason.as_deref() == Some("completed")
    }
}

/// One address of a crawl, flat; members that have no value are left out.
#[foreign(collection = "crawl.rows", index(run, seq))]
#[serde(default)]
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) run: String,
    pub(crate) seq: u64,
    pub(crate) url: String,
    pub(crate) status: u16,
    pub(crate) is_html: bool,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) h1: String,
}

/// The most rows that one call looks at.
pub(crate) const ROWS: usize = 3_000;

/// The pages of the newest complete crawl of a website.
pub(crate) struct Siblings {
    pub(crate) rows: Vec<Row>,
    pub(crate) basis: Basis,
}

/// The website of an optional argument; 404 for one that is not the customer's.
pub(crate) fn get(cx: &Cx, site: Option<&Id<Site>>) -> Result<Option<Stored<Site>>> {
    site.map(|site| cx.records().get(site).map_err(|fault| fault.at("/site_id"))).transpose()
}

/// The customer's website that an address belongs to.
pub(crate) fn of(cx: &Cx, url: &str) -> Option<Stored<Site>> {
    let within = |site: &Stored<Site>| url.strip_prefix(site.origin.as_str()).is_some_and(|it| it.starts_with('/'));
    cx.records::<Site>().all().scan().take(200).find(within)
}

/// The HTML pages of the website's newest complete crawl, or why there are none.
pub(crate) fn siblings(cx: &Cx, site: Option<&Stored<Site>>) -> Result<Siblings, Degraded> {
    let Some(site) = site else {
        return Err(Degraded::new(
            "site_pages",
            "no website of yours is meant; add the website, or give its site_id, to compare its other pages",
        ));
    };
    let runs = cx.records::<Run>().by("site_id").equals(&site.id).descending();
    let run = runs.scan().take(50).find(|it| matches!(it.state.as_str(), "succeeded" | "cancelled"));
    let Some(run) = run else {
        return Err(Degraded::new("site_pages", "the website has no finished crawl; start one with crawl.run.start"));
    };
    let rows = cx.records::<Row>().by("run_seq").equals(&run.id).scan().map(Stored::into_inner);
    let rows: Vec<Row> = rows.take(ROWS).filter(|it| it.status == 200 && it.is_html).collect();
    let ended = run.finished_ms.map_or_else(|| cx.now(), Moment::from_millis);
    let basis = Basis::of_run(run.id.as_str(), ended, cx.now(), run.is_complete());
    Ok(Siblings { rows, basis })
}

/// In how many pages of a website each stem is, by their titles, headings and descriptions.
pub(crate) fn frequencies(rows: &[Row], analyzer: &Analyzer) -> Frequencies {
    let mut all = Frequencies::default();
    for row in rows {
        all.add(&analyzer.stems(&format!("{}\n{}\n{}", row.title, row.h1, row.description)));
    }
    all
}
