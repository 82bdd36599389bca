//! The checks of a monitor by day, and the time that they observed.

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

/// What was observed from one day to another; the times of good checks are added to `times`.
pub(crate) fn observed(cx: &Cx, monitor: &Stored<Monitor>, from: Day, to: Day, times: &mut Vec<f64>) -> Span {
    let days = cx.records::<DayOfChecks>().by("monitor_date").equals(&monitor.id);
    let days = days.at_least(from.to_string()).below(to.plus(1).to_string());
    let mut checks: Vec<(u64, bool)> = Vec::new();
    for day in days.scan() {
        let begin = day.date.parse::<Day>().map_or(0, |it| it.since_epoch().unsigned_abs());
        for (second, good, _, ms) in &day.checks {
            checks.push((u64::from(begin) * 86_400 + u64::from(*second), *good));
            if *good {
                times.push(f64::from(*ms));
            }
        }
    }
    checks.sort_unstable();
    span(&checks, u64::from(monitor.every.minutes()) * 60)
}

/// The part of the last days that was good.
pub(crate) fn share(cx: &Cx, monitor: &Stored<Monitor>, days: i32) -> Option<f64> {
    let today = cx.now().day();
    observed(cx, monitor, today.plus(1 - days), today, &mut Vec::new()).availability()
}

/// The time between checks in their order that came within one and a half of the interval. It is down from a failing check to
/// the next good one.
pub(super) fn span(checks: &[(u64, bool)], every: u64) -> Span {
    let longest = every + every / 2;
    let mut out = Span {
        checks: checks.len() as u64,
        failed: checks.iter().filter(|it| !it.1).count() as u64,
        ..Span::default()
    };
    for pair in checks.windows(2) {
        let seconds = pair[1].0.saturating_sub(pair[0].0);
        if seconds <= longest {
            out.observed += seconds;
            out.down += if pair[0].1 { 0 } else { seconds };
        }
    }
    out
}
