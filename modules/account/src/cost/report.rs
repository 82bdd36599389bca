//! The operation `account.cost.report`.

use std::collections::BTreeMap;

use sdk::Grouping;
use sdk::prelude::*;

use super::forecast::{Forecast, month_end, month_of};
use crate::amount::credits;
use crate::platform::spending;
use site::Site;

/// The most days of a report.
const MOST_DAYS: i32 = 366;
/// The most rows of a report; what is spent beyond them is in the total.
const MOST_ROWS: usize = 500;

/// What spending is broken down by.
#[value]
pub(crate) enum Group {
    Module,
    Operation,
    Site,
    Client,
    Day,
}

impl Group {
    const fn asked(self) -> Grouping {
        match self {
            Self::Module => Grouping::Module,
            Self::Operation => Grouping::Operation,
            Self::Site => Grouping::Site,
            Self::Client => Grouping::Client,
            Self::Day => Grouping::Day,
        }
    }
}

#[args]
pub(crate) struct Report {
    /// What to break spending down by.
    group_by: Group,
    /// The first day, in UTC; the first of the last day's month when left out.
    from: Option<Day>,
    /// The last day, in UTC; today when left out.
    to: Option<Day>,
}

/// What was spent, and what the month will come to.
#[value]
pub(crate) struct Reported {
    /// The largest first; days in their order.
    rows: Vec<Row>,
    /// Rows that were left out, the smallest.
    rows_left_out: u64,
    /// Of all of them.
    total: Total,
    from: Day,
    to: Day,
    /// Of the month of today, whatever days were asked for; null for an account that is younger than three days.
    forecast: Option<Forecast>,
}

/// What was spent under one key.
#[value]
pub(crate) struct Row {
    /// The module, operation, `site_id`, `grant_ref` or day; null for what belongs to none.
    key: Option<String>,
    /// What the customer knows the key by: a website's domain, an application's name.
    name: Option<String>,
    calls: u64,
    points: i64,
    credits: f64,
}

/// What was spent in all.
#[value]
pub(crate) struct Total {
    calls: u64,
    points: i64,
    credits: f64,
}

/// A sum in the making.
#[derive(Default)]
struct Sum {
    name: Option<String>,
    calls: u64,
    points: i64,
    credits_milli: i64,
}

impl Sum {
    /// A credit buys 1,000 points, so that both can be compared.
    fn weight(&self) -> i64 {
        self.points.saturating_add(self.credits_milli)
    }
}

/// Breaks spend down by module, operation, website or client and forecasts the month end with a trailing 28-day weekday-weighted mean and its interval.
///
/// The month's end is what was spent so far and, for each day that remains, the mean of the same weekday in the last 28
/// days. The interval from `low` to `high` holds about eight months of ten; it is made of the days' own deviations from
/// these means. Days are days in UTC, at most 366 of them.
#[operation(
    read,
    scope = "billing:read",
    cost = indexed_read,
    needs = ["store", "credits"],
    phrasings = [
        "what did I spend this month",
        "which website costs the most credits",
        "what will my bill be at the end of the month",
        "break down costs by app",
        "daily spending of September",
    ],
    examples = [{ "group_by": "module" }, { "group_by": "day", "from": "2026-09-01", "to": "2026-09-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let to = args.to.unwrap_or_else(|| cx.now().day());
    let from = args.from.unwrap_or_else(|| month_of(to).0);
    if from > to {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    if to.since_epoch() - from.since_epoch() >= MOST_DAYS {
        let message = format!("a report is of at most {MOST_DAYS} days; ask for a later `from`");
        return Err(Fault::invalid("/from", "period_too_long", message));
    }
    let by_day = matches!(args.group_by, Group::Day);
    let mut sums: BTreeMap<Option<String>, Sum> = BTreeMap::new();
    for row in spending::of(cx, args.group_by.asked(), from, to)? {
        let named = row.key.filter(|key| !key.is_empty());
        let key = if by_day { Some(Day::from_epoch(row.day).to_string()) } else { named };
        let sum = sums.entry(key).or_default();
        sum.name = row.name.filter(|_| !by_day).or(sum.name.take());
        sum.calls += row.calls;
        sum.points += row.points;
        sum.credits_milli += row.credits_milli;
    }
    let total = Total {
        calls: sums.values().map(|it| it.calls).sum(),
        points: sums.values().map(|it| it.points).sum(),
        credits: credits(sums.values().map(|it| it.credits_milli).sum()),
    };
    let mut sums: Vec<_> = sums.into_iter().collect();
    if !by_day {
        // The sort is stable, so equal ones stay in the order of their keys.
        sums.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.weight()));
    }
    let left_out = sums.len().saturating_sub(MOST_ROWS);
    let domain = |key: &Option<String>| {
        let site = matches!(args.group_by, Group::Site).then_some(key.as_ref()).flatten()?;
        Some(cx.records::<Site>().find(&Id::new(site.as_str()))?.into_inner().domain)
    };
    let rows = sums.into_iter().take(MOST_ROWS).map(|(key, sum)| Row {
        name: sum.name.or_else(|| domain(&key)),
        key,
        calls: sum.calls,
        points: sum.points,
        credits: credits(sum.credits_milli),
    });
    Ok(Reported {
        rows: rows.collect(),
        rows_left_out: u64::try_from(left_out).unwrap_or(u64::MAX),
        total,
        from,
        to,
        forecast: month_end(cx)?,
    })
}
