//! Opening hours: a week of intervals and special days, as Google writes them, checked and in one order.
//!
//! Source: developers.google.com/my-business/reference/businessinformation/rest/v1/accounts.locations#BusinessHours.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

/// Minutes of a day, and of a week.
const DAY: u32 = 1_440;
const WEEK: u32 = 7 * DAY;

/// A day of the week.
#[value]
pub(crate) enum Weekday {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

const WEEKDAYS: [(Weekday, &str); 7] = [
    (Weekday::Monday, "MONDAY"),
    (Weekday::Tuesday, "TUESDAY"),
    (Weekday::Wednesday, "WEDNESDAY"),
    (Weekday::Thursday, "THURSDAY"),
    (Weekday::Friday, "FRIDAY"),
    (Weekday::Saturday, "SATURDAY"),
    (Weekday::Sunday, "SUNDAY"),
];

impl Weekday {
    fn read(text: &str) -> Option<Self> {
        WEEKDAYS.iter().find(|(_, name)| *name == text).map(|(day, _)| *day)
    }

    fn number(self) -> u32 {
        self as u32
    }

    fn of(number: u32) -> Self {
        WEEKDAYS[(number % 7) as usize].0
    }

    fn written(self) -> &'static str {
        WEEKDAYS[self.number() as usize].1
    }
}

/// Hours of a weekday. They run into the next day where `close` is at or before `open`; `24:00` ends a day.
#[value]
#[derive(Eq)]
pub(crate) struct Period {
    pub(crate) day: Weekday,
    /// Such as 09:30.
    pub(crate) open: String,
    /// Such as 17:00, at most 24:00.
    pub(crate) close: String,
}

/// A day on which other hours hold.
#[value]
#[derive(Eq)]
pub(crate) struct Special {
    pub(crate) date: Day,
    /// Such as 09:30; null when closed.
    pub(crate) open: Option<String>,
    pub(crate) close: Option<String>,
    pub(crate) closed: bool,
}

/// Minutes after midnight of a time from 00:00 to 24:00.
pub(crate) fn minutes(text: &str) -> Option<u32> {
    let (hours, minutes) = text.split_once(':')?;
    let number =
        |part: &str| (part.len() == 2 && part.bytes().all(|it| it.is_ascii_digit())).then(|| part.parse().ok())?;
    let (hours, minutes): (u32, u32) = (number(hours)?, number(minutes)?);
    (minutes < 60 && hours * 60 + minutes <= DAY).then_some(hours * 60 + minutes)
}

fn clock(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

fn time(value: &Value) -> u32 {
    // Google leaves out what is 0.
    let part = |name: &str| u32::try_from(value[name].as_u64().unwrap_or(0)).unwrap_or(0);
    part("hours") * 60 + part("minutes")
}

fn time_written(minutes: u32) -> Value {
    json!({ "hours": minutes / 60, "minutes": minutes % 60 })
}

/// An interval of the week: minutes from Monday 00:00. The end is after the beginning, and may lie in the next week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Interval {
    from: u32,
    to: u32,
}

impl Interval {
    fn of(period: &Period) -> Option<Self> {
        let (open, close) = (minutes(&period.open)?, minutes(&period.close)?);
        let from = period.day.number() * DAY + open;
        let length = if close > open { close - open } else { close + DAY - open };
        // Nothing opens at the end of a day: that is the next one.
        (open < DAY).then_some(Self { from, to: from + length })
    }

    /// Whether two have a minute in common, on a week that goes round.
    fn meets(self, other: Self) -> bool {
        let common = |shift: u32| self.from < other.to + shift && other.from + shift < self.to;
        common(0) || common(WEEK) || (self.from + WEEK < other.to && other.from < self.to + WEEK)
    }

    fn period(self) -> Period {
        let (day, end) = (self.from / DAY, self.to - self.from + self.from % DAY);
        let close = if end == DAY { DAY } else { end % DAY };
        Period { day: Weekday::of(day), open: clock(self.from % DAY), close: clock(close) }
    }
}

/// What is wrong with hours: where among those given, a code and words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) at: usize,
    pub(crate) code: &'static str,
    pub(crate) words: String,
}

/// A week in order, and what is worth a warning.
///
/// # Errors
/// The first period that is none, or that overlaps another one.
pub(crate) fn settled(given: &[Period]) -> std::result::Result<(Vec<Period>, Vec<String>), Wrong> {
    let mut intervals = Vec::new();
    for (at, period) in given.iter().enumerate() {
        let wrong = |code, words: &str| Wrong { at, code, words: words.to_owned() };
        let interval = Interval::of(period)
            .ok_or_else(|| wrong("invalid_hours", "a time is 00:00 to 24:00, and nothing opens at 24:00"))?;
        if intervals.iter().any(|other| interval.meets(*other)) {
            return Err(wrong("hours_overlap", "these hours overlap others of the week"));
        }
        intervals.push(interval);
    }
    intervals.sort();
    let (mut warnings, mut merged): (Vec<String>, Vec<Interval>) = (Vec::new(), Vec::new());
    for interval in intervals {
        match merged.last_mut() {
            // What ends at midnight is two days' hours and stays so.
            Some(last) if last.to == interval.from && interval.from % DAY != 0 => {
                warnings.push(format!("hours that touch at {} became one", clock(interval.from % DAY)));
                last.to = interval.to;
            }
            _ => merged.push(interval),
        }
    }
    let a_day = |day: u32| merged.iter().filter(|it| it.from / DAY == day).count();
    for day in (0..7).filter(|day| a_day(*day) > 3) {
        warnings.push(format!(
            "{} hours on {}: few businesses close three times a day",
            a_day(day),
            Weekday::of(day).written()
        ));
    }
    Ok((merged.into_iter().map(Interval::period).collect(), warnings))
}

/// The week of a profile.
pub(crate) fn read_week(hours: &Value) -> Vec<Period> {
    let periods = hours["periods"].as_array().into_iter().flatten();
    let read = |it: &Value| {
        let (open, close) = (time(&it["openTime"]), time(&it["closeTime"]));
        Some(Period { day: Weekday::read(it["openDay"].as_str()?)?, open: clock(open), close: clock(close) })
    };
    periods.filter_map(read).collect()
}

/// The week as Google takes it.
pub(crate) fn write_week(week: &[Period]) -> Value {
    let periods: Vec<Value> = week
        .iter()
        .filter_map(|it| {
            let (open, close) = (minutes(&it.open)?, minutes(&it.close)?);
            let runs_on = close <= open;
            let end = if runs_on { Weekday::of(it.day.number() + 1) } else { it.day };
            Some(json!({
                "openDay": it.day.written(), "openTime": time_written(open),
                "closeDay": end.written(), "closeTime": time_written(close),
            }))
        })
        .collect();
    json!({ "periods": periods })
}

/// The special days of a profile; those of several days are told day by day.
pub(crate) fn read_special(hours: &Value) -> Vec<Special> {
    let mut all = Vec::new();
    for it in hours["specialHourPeriods"].as_array().into_iter().flatten() {
        let Some(first) = date(&it["startDate"]) else { continue };
        let closed = it["closed"].as_bool().unwrap_or(false);
        let last = if closed { date(&it["endDate"]).unwrap_or(first) } else { first };
        let mut day = first;
        while day <= last && all.len() < 400 {
            let clock = |name: &str| (!closed).then(|| clock(time(&it[name])));
            all.push(Special { date: day, open: clock("openTime"), close: clock("closeTime"), closed });
            day = day.plus(1);
        }
    }
    all.sort_by_key(|it| it.date);
    all
}

/// The special days as Google takes them.
pub(crate) fn write_special(special: &[Special]) -> Value {
    let periods: Vec<Value> = special
        .iter()
        .filter_map(|it| {
            if it.closed {
                let day = date_written(it.date);
                return Some(json!({ "startDate": day, "endDate": day, "closed": true }));
            }
            let (open, close) = (minutes(it.open.as_deref()?)?, minutes(it.close.as_deref()?)?);
            let end = if close <= open { it.date.plus(1) } else { it.date };
            Some(json!({
                "startDate": date_written(it.date), "openTime": time_written(open),
                "endDate": date_written(end), "closeTime": time_written(close),
            }))
        })
        .collect();
    json!({ "specialHourPeriods": periods })
}

/// A date of Google (google.type.Date).
pub(crate) fn date(value: &Value) -> Option<Day> {
    let part = |name: &str| value[name].as_u64().and_then(|it| u32::try_from(it).ok());
    Day::from_civil(i32::try_from(part("year")?).ok()?, part("month")?, part("day")?)
}

/// A date as Google takes it.
pub(crate) fn date_written(day: Day) -> Value {
    let (year, month, day) = day.civil();
    json!({ "year": year, "month": month, "day": day })
}

#[cfg(test)]
mod tests;
