//! What every report begins with: the website, its stored figures, the period, and what is known to be wrong or missing.

use kit::ctr::Curve;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use search::{Cut, DayRecord, Figures, Measurement, Period, ReadError, SearchType, measurement};
use site::Site;

use crate::stored::{Sync, Totals};

/// The operation that imports figures.
pub(crate) const SYNC: &str = "search_console.sync.run";
/// Days of a report without a period.
const DAYS: i32 = 28;
/// Groups that one answer is computed from.
pub(crate) const MAX_GROUPS: usize = 400_000;

/// Totals.
#[value]
#[derive(Default)]
pub(crate) struct Sums {
    /// Clicks.
    pub(crate) clicks: u64,
    /// Impressions.
    pub(crate) impressions: u64,
    /// Clicks per impression, 0 to 1; null without impressions.
    pub(crate) ctr: Option<f64>,
    /// The mean position, weighted by impressions; null without impressions and for types that have none.
    pub(crate) position: Option<f64>,
}

impl Sums {
    /// From stored figures.
    pub(crate) fn of(figures: kit::pack::Search) -> Self {
        Self {
            clicks: figures.clicks,
            impressions: figures.impressions,
            ctr: figures.click_rate().map(|it| kit::statistics::round(it, 6)),
            position: figures.position().map(|it| kit::statistics::round(it, 3)),
        }
    }
}

/// The stored figures of a website in a period.
pub(crate) struct Given<'a> {
    pub(crate) cx: &'a Cx,
    pub(crate) site: Stored<Site>,
    pub(crate) kind: SearchType,
    pub(crate) figures: Figures<'a>,
    pub(crate) period: Period,
    pub(crate) basis: Basis,
    pub(crate) degraded: Vec<Degraded>,
    pub(crate) measurement: Vec<Measurement>,
}

/// The refusal of a report about a website without figures.
fn not_synced(site: &Id<Site>) -> Fault {
    let message = "no search figures of this website are stored; import them with search_console.sync.run";
    Fault::conflict("not_synced", message).at("/site_id").detail(json!(Fix::new(SYNC, json!({ "site_id": site }))))
}

/// The website and the state of its import.
pub(crate) fn synced(cx: &Cx, site: &Id<Site>, kind: SearchType) -> Result<(Stored<Site>, Stored<Sync>)> {
    let site = site::get(cx, site)?;
    let sync = cx.records::<Sync>().find(&Sync::id(site.id.as_str(), kind)).ok_or_else(|| not_synced(&site.id))?;
    Ok((site, sync))
}

/// The last day that has totals.
fn last_day(cx: &Cx, site: &Id<Site>, kind: SearchType) -> Option<Day> {
    let days = cx.records::<Totals>().by("site_id_kind_date").equals(site).equals(kind.name());
    days.descending().first()?.0.day()
}

impl<'a> Given<'a> {
    /// The figures of a website. Without `to` the period ends with the last stored day, without `from` it has 28 days.
    pub(crate) fn of(
        cx: &'a Cx,
        site: &Id<Site>,
        kind: SearchType,
        from: Option<Day>,
        to: Option<Day>,
    ) -> Result<Self> {
        let (site, sync) = synced(cx, site, kind)?;
        let last = last_day(cx, &site.id, kind).ok_or_else(|| not_synced(&site.id))?;
        let to = to.unwrap_or(last);
        let from = from.unwrap_or_else(|| to.plus(1 - DAYS));
        if from > to {
            return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
        }
        let period = Period { first: from, last: to };
        let now = cx.now();
        let at = sync.synced_ms.map_or(now, Moment::from_millis);
        let complete = sync.gaps.is_empty();
        let basis = Basis { run_ref: None, at, age_seconds: now.since(at) / 1_000, complete };
        let figures = Figures::own(cx, &site.id, kind);
        let mut given =
            Self { cx, site, kind, figures, period, basis, degraded: Vec::new(), measurement: measurement(period) };
        let known = given.days(period).len();
        let length = usize::try_from(period.length()).unwrap_or(0);
        if known == 0 {
            let message = format!("no figures of {from} to {to} are stored; the last stored day is {last}");
            let sync = Fix::new(SYNC, json!({ "site_id": given.site.id, "type": kind }));
            return Err(Fault::conflict("period_not_synced", message).at("/from").detail(json!(sync)));
        }
        if known < length {
            let why = format!("figures of {} of {length} days are not stored", length - known);
            given
                .degraded
                .push(Degraded::new("days", why).supplied_by(SYNC, json!({ "site_id": given.site.id, "type": kind })));
        }
        Ok(given)
    }

    /// The totals of the days of a period, the earliest first.
    pub(crate) fn days(&self, period: Period) -> Vec<DayRecord> {
        self.cx
            .records::<Totals>()
            .by("site_id_kind_date")
            .equals(&self.site.id)
            .equals(self.kind.name())
            .at_least(period.first)
            .below(period.last.plus(1))
            .scan()
            .map(|row| row.it.0)
            .collect()
    }

    /// The totals of those days of a period that a cut has too: what its sums are to be held against.
    pub(crate) fn days_with(&self, cut: Cut, period: Period) -> Vec<DayRecord> {
        let stored = self.figures.days(cut, period);
        let mut days = self.days(period);
        days.retain(|record| record.day().is_some_and(|day| stored.binary_search(&day).is_ok()));
        days
    }

    /// Says that a cut is not stored for the whole period.
    ///
    /// # Errors
    /// 409 `dimensions_not_synced` when it is not stored at all.
    pub(crate) fn needs(&mut self, cut: Cut, period: Period) -> Result<()> {
        let stored = self.figures.stored_days(cut, period);
        let length = u32::try_from(period.length()).unwrap_or(0);
        let dimensions: &[&str] = match cut {
            Cut::Markets => &["country", "device"],
            Cut::Pages => &["page"],
            Cut::PageMarkets => &["page", "country", "device"],
            Cut::Queries => &["query"],
            Cut::Details => &["page", "query"],
            Cut::Appearances => &["appearance"],
        };
        let arguments = json!({ "site_id": self.site.id, "type": self.kind, "dimensions": dimensions });
        let what = dimensions.join(" and ");
        if !self.kind.has(cut) {
            let message = format!("Search Console has no figures by {what} for the type {}", self.kind.name());
            return Err(Fault::invalid("/type", "dimension_not_available", message));
        }
        if stored == 0 {
            let message = format!("figures by {what} are not stored for this period");
            return Err(Fault::conflict("dimensions_not_synced", message)
                .at("/from")
                .detail(json!(Fix::new(SYNC, arguments))));
        }
        let known = u32::try_from(self.days(period).len()).unwrap_or(0);
        if stored < known.min(length) {
            let why = format!("figures by {what} are stored for {stored} of {length} days");
            self.degraded.push(Degraded::new(what, why).supplied_by(SYNC, arguments));
        }
        Ok(())
    }

    /// The curve that expected clicks are computed with, and its name: the website's own where it has enough impressions.
    pub(crate) fn curve(&self, period: Period) -> (Curve, &'static str) {
        let year = Period { first: period.last.plus(-364), last: period.last };
        let counts = self.figures.counts(year);
        match Curve::fit(&counts.bins("non_brand")).or_else(|| Curve::fit(&counts.bins("all"))) {
            Some(curve) => (curve, "fitted to the website's own clicks"),
            None => (Curve::published(), "published: SISTRIX, July 2020"),
        }
    }

    /// The refusal when figures cannot be read.
    pub(crate) fn unread(why: ReadError) -> Fault {
        why.at("/from")
    }
}

/// Refuses an answer that would be computed from too many groups.
pub(crate) fn within_bounds(groups: usize) -> Result<()> {
    if groups <= MAX_GROUPS {
        return Ok(());
    }
    let message = format!("more than {MAX_GROUPS} groups; ask for a shorter period or add a filter");
    Err(Fault::invalid("/from", "period_too_wide", message))
}
