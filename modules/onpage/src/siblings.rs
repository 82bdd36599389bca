//! The other pages of a website, from its newest crawl.

use kit::terms::Analyzer;
use kit::tfidf::Frequencies;
use sdk::Basis;
use sdk::Degraded;
use sdk::prelude::*;
use site::Site;

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
pub(crate) fn website(cx: &Cx, site: Option<&Id<Site>>) -> Result<Option<Stored<Site>>> {
    site.map(|site| site::get(cx, site)).transpose()
}

/// The HTML pages of the website's newest complete crawl, or why there are none.
pub(crate) fn of(cx: &Cx, site: Option<&Stored<Site>>) -> Result<Siblings, Degraded> {
    let Some(site) = site else {
        return Err(Degraded::new(
            "site_pages",
            "no website of yours is meant; add the website, or give its site_id, to compare its other pages",
        ));
    };
    let Some(run) = site::newest(cx, &site.id) else {
        return Err(Degraded::new("site_pages", "the website has no finished crawl; start one with crawl.run.start"));
    };
    let rows = cx.records::<Row>().by("run_seq").equals(&run.id).scan().map(Stored::into_inner);
    let rows: Vec<Row> = rows.take(ROWS).filter(|it| it.status == 200 && it.is_html).collect();
    Ok(Siblings { rows, basis: site::basis(cx, &run) })
}

/// In how many pages of a website each stem is, by their titles, headings and descriptions.
pub(crate) fn frequencies(rows: &[Row], analyzer: &Analyzer) -> Frequencies {
    let mut all = Frequencies::default();
    for row in rows {
        all.add(&analyzer.stems(&format!("{}\n{}\n{}", row.title, row.h1, row.description)));
    }
    all
}
