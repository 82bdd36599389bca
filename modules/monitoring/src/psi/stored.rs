//! Results of PageSpeed Insights as they are stored: the newest 24 of an address and strategy, and one of each month before.

use std::collections::BTreeMap;

use sdk::prelude::*;
use site::Site;

use crate::crux::ask::Assessment;

/// The newest results that are kept of an address and strategy.
const NEWEST: usize = 24;
/// Older ones that are looked at when some are removed.
const LOOKED_AT: usize = 200;

/// What is measured as.
#[value]
#[derive(Default)]
pub(crate) enum Strategy {
    #[default]
    Mobile,
    Desktop,
}

impl Strategy {
    /// Its name, also at the provider in upper case.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Mobile => "mobile",
            Self::Desktop => "desktop",
        }
    }
}

/// The scores of Lighthouse, 0 to 100.
#[value]
#[derive(Default)]
pub(crate) struct Scores {
    pub(crate) performance: Option<u8>,
    pub(crate) accessibility: Option<u8>,
    pub(crate) best_practices: Option<u8>,
    pub(crate) seo_score: Option<u8>,
}

/// What the laboratory measured once.
#[value]
#[derive(Default)]
pub(crate) struct Lab {
    pub(crate) fcp_ms: Option<f64>,
    pub(crate) lcp_ms: Option<f64>,
    pub(crate) tbt_ms: Option<f64>,
    pub(crate) cls: Option<f64>,
    pub(crate) speed_index_ms: Option<f64>,
    pub(crate) ttfb_ms: Option<f64>,
}

/// What real visitors saw, as PageSpeed Insights shows it.
#[value]
#[derive(Default)]
pub(crate) struct Field {
    /// The p75 by name: `lcp`, `inp`, `cls`, `fcp`, `ttfb`.
    pub(crate) p75: BTreeMap<String, f64>,
    pub(crate) assessment: Assessment,
    /// Whether the page has too few visits, and these figures are of its origin.
    pub(crate) of_origin: bool,
}

/// A file that could be smaller.
#[value]
pub(crate) struct Item {
    pub(crate) url: String,
    pub(crate) wasted_bytes: Option<u64>,
}

/// Something that would make the page faster.
#[value]
pub(crate) struct Opportunity {
    /// The audit of Lighthouse.
    pub(crate) id: String,
    pub(crate) title: String,
    /// Milliseconds that it would save, by metric.
    pub(crate) saved_ms: BTreeMap<String, f64>,
    pub(crate) saved_bytes: Option<u64>,
    /// At most 10.
    pub(crate) items: Vec<Item>,
}

/// Why there is no result.
#[value]
pub(crate) struct Failure {
    /// The code of Lighthouse, or what the provider said.
    #[own]
    pub(crate) code: String,
    pub(crate) message: String,
}

/// One result.
#[record(collection = "psi_results", thing = "result", index(site_id, measured_ms), index(site_id, page, measured_ms))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Measured {
    pub(crate) site_id: String,
    /// Strategy and address: what results are compared by.
    pub(crate) page: String,
    pub(crate) url: String,
    pub(crate) final_url: Option<String>,
    pub(crate) strategy: Strategy,
    pub(crate) measured_ms: u64,
    pub(crate) scores: Scores,
    pub(crate) lab: Lab,
    pub(crate) field: Option<Field>,
    pub(crate) opportunities: Vec<Opportunity>,
    pub(crate) lighthouse_version: Option<String>,
    pub(crate) warnings: Vec<String>,
    pub(crate) failure: Option<Failure>,
}

impl Measured {
    /// What results of an address and strategy are compared by.
    pub(crate) fn page_of(url: &str, strategy: Strategy) -> String {
        let hash = kit::text::hex(&kit::text::sha256(url.as_bytes())[..16]);
        format!("{} {hash}", strategy.name())
    }
}

/// Keeps a result, and removes what is no longer kept of its address.
///
/// # Errors
/// The host's refusal of a record.
pub(super) fn keep(cx: &Cx, measured: &Measured) -> Result<()> {
    let records = cx.records::<Measured>();
    records.put_many([measured])?;
    let all = records.by("site_id_page_measured_ms").equals(&measured.site_id).equals(&measured.page).descending();
    let mut months = std::collections::BTreeSet::new();
    for old in all.scan().take(LOOKED_AT).skip(NEWEST) {
        let (year, month, _) = Moment::from_millis(old.measured_ms).day().civil();
        if !months.insert((year, month)) {
            records.remove(&old)?;
        }
    }
    Ok(())
}

/// The newest results of a website, at most so many.
pub(crate) fn newest(cx: &Cx, site: &Id<Site>, most: usize) -> Vec<Stored<Measured>> {
    cx.records::<Measured>().by("site_id_measured_ms").equals(site).descending().scan().take(most).collect()
}
