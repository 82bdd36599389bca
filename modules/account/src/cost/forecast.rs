//! What a month will have cost at its end. The statistics are `kit::forecast`.

use kit::forecast::{WINDOW, weekdays};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Grouping, PlatformQuestion};

use crate::amount::{credits, of_unit};
use crate::platform::account::Account;
use crate::platform::spending::{self, Row};

/// What a month will have cost.
#[value]
pub(crate) struct Forecast {
    /// Expected.
    month_end: Spent,
    /// One month in ten ends lower.
    low: Spent,
    /// One month in ten ends higher.
    high: Spent,
    /// The last day of the month.
    until: Day,
    /// Whole days of the past that it stands on, at most 28.
    days_of_history: u32,
}

/// Points and credits.
#[value]
pub(crate) struct Spent {
    pub(crate) points: f64,
    pub(crate) credits: f64,
}

/// Of the month of today: what was spent so far, and for each day that remains the mean of the same weekday in the last
/// 28 days. Today counts with what it has brought already, or with what its weekday brings where that is more. None for an
/// account that is younger than three days.
pub(super) fn month_end(cx: &Cx) -> Result<Option<Forecast>> {
    let today = cx.now().day();
    let (first, until) = month_of(today);
    let account: Account = cx.platform().ask(&PlatformQuestion::Account)?;
    // What was spent before there was an account is not known to be nothing.
    let window = today.plus(-i32::try_from(WINDOW).unwrap_or(28));
    let begin = Moment::from_millis(account.created_at).day().max(window);
    let rows = spending::of(cx, Grouping::Day, begin.min(first), today)?;
    let forecast = |of: fn(&Row) -> f64| {
        let on = |day: Day| rows.iter().filter(|row| row.day == day.since_epoch()).map(of).sum::<f64>();
        let days = |from: Day, to: Day| (from.since_epoch()..to.since_epoch()).map(Day::from_epoch);
        let history: Vec<f64> = days(begin, today).map(on).collect();
        let ahead = days(today, until.plus(1)).count();
        let outlook = weekdays(&history, ahead)?;
        let so_far: f64 = days(first, today).map(on).sum();
        let of_today = outlook.daily.first().map_or(0.0, |expected| expected.max(on(today)));
        let end = so_far + of_today + outlook.daily.iter().skip(1).sum::<f64>();
        // Nothing that was spent comes back.
        let low = (end + outlook.below).max(so_far + on(today));
        Some((end, low, end + outlook.above, history.len()))
    };
    let points = forecast(|row| of_unit("points", row.points));
    let credits = forecast(|row| credits(row.credits_milli));
    let Some((points, credits)) = points.zip(credits) else { return Ok(None) };
    let both = |points: f64, credits: f64| Spent { points: round(points, 0), credits: round(credits, 3) };
    Ok(Some(Forecast {
        month_end: both(points.0, credits.0),
        low: both(points.1, credits.1),
        high: both(points.2, credits.2),
        until,
        days_of_history: u32::try_from(points.3).unwrap_or(u32::MAX),
    }))
}

/// The first and last day of the month of a day.
pub(super) fn month_of(day: Day) -> (Day, Day) {
    let first = first_of_month(day);
    // A month has 28 to 31 days.
    (first, first_of_month(first.plus(31)).plus(-1))
}

fn first_of_month(day: Day) -> Day {
    let (_, _, of_month) = day.civil();
    day.plus(1 - i32::try_from(of_month).unwrap_or(1))
}
