//! The checks of a monitor by day, and the time that they observed.

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::round;
use sdk::prelude::*;

use crate::monitor::stored::Monitor;

/// Days whose checks are kept.
const KEPT: i32 = 400;

/// One check: the second of the day, whether it was good, the status (0 without an answer), milliseconds to the whole answer.
type Check = (u32, bool, u16, u32);

/// The checks of one day. Its id is monitor and day.
#[record(collection = "uptime_days", thing = "day_of_checks", index(monitor, date))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct DayOfChecks {
    pub(crate) monitor: String,
    pub(crate) date: String,
    pub(crate) checks: Vec<Check>,
}

/// Writes a check down.
///
/// # Errors
/// The host's refusal of a record.
pub(crate) fn add(cx: &Cx, monitor: &Stored<Monitor>, at: Moment, status: u16, ms: u32, is_good: bool) -> Result<()> {
    let records = cx.records::<DayOfChecks>();
    let day = at.day();
    let second = u32::try_from(at.millis() % 86_400_000 / 1_000).unwrap_or(0);
    let id: Id<DayOfChecks> = Id::new(format!("{}:{day}", monitor.id));
    let check = (second, is_good, status, ms);
    if let Some(mut stored) = records.find(&id) {
        stored.checks.push(check);
        records.save(stored)?;
        return Ok(());
    }
    let row = DayOfChecks { monitor: monitor.id.to_string(), date: day.to_string(), checks: vec![check] };
    records.insert_as(id, row)?;
    let old = records.by("monitor_date").equals(&monitor.id).below(day.plus(-KEPT).to_string());
    for old in old.scan().take(2) {
        records.remove(&old)?;
    }
    Ok(())
}

/// What was observed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// Seconds.
    pub(crate) observed: u64,
    pub(crate) down: u64,
    pub(crate) checks: u64,
    pub(crate) failed: u64,
}

impl Span {
    pub(crate) const fn add(&mut self, other: Self) {
        self.observed += other.observed;
        self.down += other.down;
        self.checks += other.checks;
        self.failed += other.failed;
    }

    /// One less the part that was down; none where nothing was observed.
    pub(crate) fn availability(self) -> Option<f64> {
        (self.observed > 0).then(|| round(1.0 - as_number(self.down) / as_number(self.observed), 6))
    }
}

/// What was observed of a monitor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed {
    pub(crate) whole: Span,
    /// By the day on which a stretch of time begins.
    pub(crate) days: BTreeMap<Day, Span>,
    /// Milliseconds of good checks.
    pub(crate) times: Vec<f64>,
}

/// What was observed from one day to another.
pub(crate) fn observed(cx: &Cx, monitor: &Stored<Monitor>, from: Day, to: Day) -> Observed {
    let mut out = Observed::default();
    let days = cx.records::<DayOfChecks>().by("monitor_date").equals(&monitor.id);
    let days = days.at_least(from.to_string()).below(to.plus(1).to_string());
    let mut checks: Vec<(u64, bool)> = Vec::new();
    for day in days.scan() {
        let begin = day.date.parse::<Day>().map_or(0, |it| it.since_epoch().unsigned_abs());
        for (second, good, _, ms) in &day.checks {
            checks.push((u64::from(begin) * 86_400 + u64::from(*second), *good));
            if *good {
                out.times.push(f64::from(*ms));
            }
        }
    }
    checks.sort_unstable();
    (out.whole, out.days) = spans(&checks, u64::from(monitor.every.minutes()) * 60);
    out
}

/// The part of the last days that was good.
pub(crate) fn share(cx: &Cx, monitor: &Stored<Monitor>, days: i32) -> Option<f64> {
    let today = cx.now().day();
    observed(cx, monitor, today.plus(1 - days), today).whole.availability()
}

/// The time between checks in their order that came within one and a half of the interval, as a whole and by day. It is down
/// from a failing check to the next good one.
pub(super) fn spans(checks: &[(u64, bool)], every: u64) -> (Span, BTreeMap<Day, Span>) {
    let longest = every + every / 2;
    let mut days: BTreeMap<Day, Span> = BTreeMap::new();
    for (number, (at, good)) in checks.iter().enumerate() {
        let day = days.entry(Moment::from_millis(at * 1_000).day()).or_default();
        day.checks += 1;
        day.failed += u64::from(!good);
        let until = checks.get(number + 1).map_or(*at, |next| next.0);
        let seconds = until.saturating_sub(*at);
        if seconds <= longest {
            day.observed += seconds;
            day.down += if *good { 0 } else { seconds };
        }
    }
    let mut whole = Span::default();
    days.values().for_each(|it| whole.add(*it));
    (whole, days)
}
