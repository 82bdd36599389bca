//! What every report begins with: the website, its stored requests, the period, and what is known of the days.

use std::collections::{BTreeMap, BTreeSet};

use bots::Bot;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use search::Period;
use site::Site;
use visits::{Key, Store, TooMuch, Verdict, Visits};

use crate::import::hours;
use crate::stored::{Import, Source};

/// Days of a report without a period.
const DAYS: i32 = 28;
/// Sources of one website: each report looks at the hours of all of them.
pub(crate) const MOST_SOURCES: usize = 50;
/// The most days of a report.
const MOST_DAYS: i32 = 400;

/// The stored requests of a website in a period.
pub(crate) struct Given<'a> {
    pub(crate) site: Stored<Site>,
    pub(crate) store: Store<'a>,
    pub(crate) period: Period,
    pub(crate) coverage: Coverage,
    pub(crate) basis: Basis,
    pub(crate) degraded: Vec<Degraded>,
}

/// Which hours are known.
#[derive(Default)]
pub(crate) struct Coverage {
    /// Hours since 1970 UTC that have lines, with requests and answers of 500 to 599 of each five minutes.
    pub(crate) hours: BTreeMap<u32, [(u64, u64); 12]>,
}

impl Coverage {
    pub(crate) fn of(cx: &Cx, site: &Id<Site>, period: Period) -> Self {
        let sources = cx.records::<Source>().by("site_id_created_ms").equals(site).scan().take(MOST_SOURCES);
        let (first, end) = (hour_of(period.first), hour_of(period.last.plus(1)));
        let mut this = Self::default();
        for source in sources {
            for month in period.months() {
                for (hour, sum) in hours::of_source(cx, &source.id, month).range(first..end) {
                    let slots = this.hours.entry(*hour).or_default();
                    for (all, (requests, errors)) in slots.iter_mut().zip(sum.slots) {
                        all.0 += requests;
                        all.1 += errors;
                    }
                }
            }
        }
        this
    }

    /// Days with lines.
    pub(crate) fn days(&self) -> BTreeSet<Day> {
        self.hours.keys().map(|hour| day_of(*hour)).collect()
    }

    /// The second at which the last hour that is known ends.
    pub(crate) fn end(&self) -> Option<u64> {
        self.hours.last_key_value().map(|(hour, _)| (u64::from(*hour) + 1) * 3_600)
    }

    /// The second at which the first hour that is known begins.
    pub(crate) fn start(&self) -> Option<u64> {
        self.hours.first_key_value().map(|(hour, _)| u64::from(*hour) * 3_600)
    }
}

/// The first hour of a day, since 1970 UTC.
pub(crate) fn hour_of(day: Day) -> u32 {
    u32::try_from(day.since_epoch()).unwrap_or(0) * 24
}

/// The day of an hour.
pub(crate) fn day_of(hour: u32) -> Day {
    Day::from_epoch(i32::try_from(hour / 24).unwrap_or(0))
}

/// The time of a second.
pub(crate) fn moment(second: u64) -> Moment {
    Moment::from_millis(second * 1_000)
}

/// The refusal of a report about a website without logs.
fn not_imported(site: &Id<Site>) -> Fault {
    let message = "no log lines of this website are stored; save a source with logs.source.save and import a file";
    let save = Fix::new("logs.source.save", json!({ "site_id": site, "name": "web", "format": "combined" }));
    Fault::conflict("logs_not_imported", message).at("/site_id").detail(json!(save))
}

/// The last day with lines of a website.
fn last_day(cx: &Cx, site: &Id<Site>) -> Option<(Day, Moment)> {
    let imports = cx.records::<Import>().by("site_id_created_ms").equals(site).descending();
    let done: Vec<Stored<Import>> = imports.scan().take(200).filter(|it| !it.days.is_empty()).collect();
    let last = done.iter().filter_map(|it| it.days.last()).map(|it| it.date).max()?;
    let at = done.iter().filter_map(|it| it.ended_ms).max().unwrap_or(0);
    Some((last, Moment::from_millis(at)))
}

impl<'a> Given<'a> {
    /// The requests of a website. Without `to` the period ends with the last day that has lines, without `from` it has 28 days.
    ///
    /// # Errors
    /// 404 for a website that is not the customer's; 409 `logs_not_imported` and `period_not_imported`; 422 `range_reversed` and
    /// `period_too_wide`.
    pub(crate) fn of(cx: &'a Cx, site: &Id<Site>, from: Option<Day>, to: Option<Day>) -> Result<Self> {
        let site = site::get(cx, site)?;
        let (last, at) = last_day(cx, &site.id).ok_or_else(|| not_imported(&site.id))?;
        let to = to.unwrap_or(last);
        let from = from.unwrap_or_else(|| to.plus(1 - DAYS));
        if from > to {
            return Err(Fault::invalid("/to", "range_reversed", "to is a day before from"));
        }
        let period = Period { first: from, last: to };
        if period.length() > MOST_DAYS {
            let message = format!("a report has at most {MOST_DAYS} days");
            return Err(Fault::invalid("/from", "period_too_wide", message));
        }
        let coverage = Coverage::of(cx, &site.id, period);
        let known = coverage.days();
        if known.is_empty() {
            let message = format!("no lines of {from} to {to} are stored; the last day with lines is {last}");
            let list = Fix::new("logs.import.list", json!({ "site_id": site.id }));
            return Err(Fault::conflict("period_not_imported", message).at("/from").detail(json!(list)));
        }
        let length = usize::try_from(period.length()).unwrap_or(0);
        let complete = known.len() == length;
        let basis = Basis { run_ref: None, at, age_seconds: cx.now().since(at) / 1_000, complete };
        let mut degraded = Vec::new();
        if !complete {
            let why = format!(
                "{} of the {length} days from {from} to {to} have log lines; the others are unknown",
                known.len()
            );
            degraded.push(Degraded::new("days", why).supplied_by("logs.import.list", json!({ "site_id": site.id })));
        }
        let store = Store::own(cx, &site.id);
        Ok(Self { site, store, period, coverage, basis, degraded })
    }

    /// Calls `each` with the requests of all bots.
    ///
    /// # Errors
    /// 422 `period_too_wide`; 503 `storage_damaged`.
    pub(crate) fn bots(&self, mut each: impl FnMut(&str, &str, Verdict, u16, Day, Visits)) -> Result<()> {
        let read = self.store.days(self.period, Key::BOTS, |key, day, it| {
            if let Key::Bot { url, family, verdict, status } = key {
                each(url, family, verdict, status, day, it);
            }
        });
        read.map_err(|why: TooMuch| why.at("/from"))
    }

    /// Calls `each` with the requests that count as those of a family: its verified ones; where not a single one could be
    /// verified, those under its name that are not known to be others', and that is said.
    ///
    /// # Errors
    /// As [`Self::bots`].
    pub(crate) fn family(&mut self, family: &str, mut each: impl FnMut(&str, u16, Day, Visits)) -> Result<u64> {
        let (mut verified, mut unverified) = (0, 0);
        self.bots(|_, of, verdict, _, _, it| {
            if of == family {
                match verdict {
                    Verdict::Verified => verified += it.hits,
                    Verdict::Unverified => unverified += it.hits,
                    Verdict::Spoofed => {}
                }
            }
        })?;
        let wanted = if verified > 0 { Verdict::Verified } else { Verdict::Unverified };
        self.bots(|url, of, verdict, status, day, it| {
            if of == family && verdict == wanted {
                each(url, status, day, it);
            }
        })?;
        if unverified > 0 {
            let why = if verified > 0 {
                format!("{unverified} further requests under this name could not be verified and are left out")
            } else {
                "no request of this bot could be verified; its name alone is counted, which anybody can use".to_owned()
            };
            let site = json!({ "site_id": self.site.id });
            self.degraded.push(Degraded::new("verification", why).supplied_by("logs.bot.verify", site));
        }
        Ok(if verified > 0 { verified } else { unverified })
    }

    /// Days of the period that have lines.
    pub(crate) fn known_days(&self) -> u64 {
        self.coverage.days().len() as u64
    }
}

/// The family of the argument `family`.
///
/// # Errors
/// 422 `unknown_family` with some that are known.
pub(crate) fn family(name: &str, pointer: &str) -> Result<&'static Bot> {
    bots::family(&name.to_ascii_lowercase()).ok_or_else(|| {
        let search: Vec<&str> =
            bots::all().iter().filter(|it| it.purpose == bots::Purpose::Search).map(|it| it.family).collect();
        let message = format!(
            "no bot of this name is known; logs.bot.report lists those that came. Search engines: {}",
            search.join(", ")
        );
        Fault::invalid(pointer, "unknown_family", message)
    })
}

/// The class of a status, such as `2xx`.
pub(crate) fn class(status: u16) -> &'static str {
    match status / 100 {
        1 => "1xx",
        2 => "2xx",
        3 => "3xx",
        4 => "4xx",
        _ => "5xx",
    }
}

/// A share of a whole, to four digits; none of nothing.
#[expect(clippy::cast_precision_loss, reason = "requests are far below 2^52")]
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| kit::statistics::round(part as f64 / whole as f64, 4))
}
