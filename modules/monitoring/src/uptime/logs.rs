//! What the access logs have of an outage.

use std::collections::BTreeMap;

use sdk::prelude::*;
use search::Period;
use site::Site;
use visits::{Key, Store, Verdict};

/// The largest blob that is read.
const MAX_BLOB: u32 = 8 << 20;

/// A source of logs, as `logs` keeps it.
#[foreign(collection = "logs.sources", thing = "source", may_be_missing, index(site_id, created_ms))]
pub(crate) struct Source {
    pub(crate) site_id: String,
    pub(crate) created_ms: u64,
}

/// An hour of a source: requests, and answers of 500 to 599, of each five minutes.
#[derive(serde::Deserialize)]
struct Hour {
    slots: [(u64, u64); 12],
}

/// The logs of a website.
pub(super) struct Hits {
    site: Id<Site>,
    sources: Vec<Id<Source>>,
}

/// Requests of some minutes.
#[derive(Default)]
pub(super) struct During {
    pub(super) requests: u64,
    pub(super) failed: u64,
    /// Failed requests of verified bots on these days.
    pub(super) bots: u64,
}

impl Hits {
    /// The logs of a website; none where nothing is stored.
    pub(super) fn of(cx: &Cx, site: &Id<Site>) -> Option<Self> {
        let sources = cx.records::<Source>().by("site_id_created_ms").equals(site);
        let sources: Vec<Id<Source>> = sources.scan().map(|it| it.id.clone()).collect();
        (!sources.is_empty()).then(|| Self { site: site.clone(), sources })
    }

    /// Requests in the five minutes that a time touches.
    pub(super) fn during(&self, cx: &Cx, from: Moment, to: Moment) -> During {
        let (first, last) = (from.millis() / 300_000, to.millis() / 300_000);
        let mut out = During::default();
        for source in &self.sources {
            let mut of_months: BTreeMap<u32, Hour> = BTreeMap::new();
            for month in (Period { first: from.day(), last: to.day() }).months() {
                let key = format!("logs.hours/{source}/all/{month}");
                let bytes = cx.blobs().read(&key, 0, MAX_BLOB).unwrap_or_default();
                of_months.extend(serde_json::from_slice::<BTreeMap<u32, Hour>>(&bytes).unwrap_or_default());
            }
            for (hour, of_hour) in of_months {
                for (at, (requests, failed)) in of_hour.slots.into_iter().enumerate() {
                    let slot = u64::from(hour) * 12 + at as u64;
                    if (first..=last).contains(&slot) {
                        out.requests += requests;
                        out.failed += failed;
                    }
                }
            }
        }
        if out.failed > 0 {
            let period = Period { first: from.day(), last: to.day() };
            out.bots = self.bots(cx, period);
        }
        out
    }

    fn bots(&self, cx: &Cx, period: Period) -> u64 {
        let mut failed = 0;
        let store = Store::of(cx, &self.site);
        let told = store.days(period, Key::BOTS, |key, _, figures| {
            if let Key::Bot { verdict: Verdict::Verified, status: 500.., .. } = key {
                failed += figures.hits;
            }
        });
        told.map_or(0, |()| failed)
    }
}
