//! The operation `connections.usage.get`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{ConnectionSpending, ConnectionUse, Money};

use crate::account;
use crate::stored::Connection;

/// The days that are shown when none are named, and the most that can be asked for.
const USUAL: i32 = 30;
const MOST: i32 = 366;

#[args]
pub(crate) struct Get {
    /// The connection, as listed.
    connection_ref: Id<Connection>,
    /// The first UTC day; 29 days before the last when left out.
    from: Option<Day>,
    /// The last UTC day; today when left out.
    to: Option<Day>,
}

/// How a connection was asked.
#[value]
pub(crate) struct Usage {
    /// Days with requests, first to last.
    days: Vec<OfDay>,
    /// Operations by their number of requests, most first.
    by_operation: Vec<OfOperation>,
    /// What went wrong, most often first.
    error_codes: Vec<OfCode>,
    /// What providers reported, or what tokens cost at the prices that the customer set, by currency.
    spent: Vec<Money>,
}

/// The requests of one day.
#[value]
pub(crate) struct OfDay {
    day: Day,
    #[serde(flatten)]
    total: Total,
    /// By currency; empty where nothing was spent that anybody could tell.
    spent: Vec<Money>,
}

/// The requests of one operation.
#[value]
pub(crate) struct OfOperation {
    operation_id: String,
    #[serde(flatten)]
    total: Total,
}

/// Requests in numbers.
#[value]
pub(crate) struct Total {
    /// Requests sent.
    calls: u64,
    /// Those that came to nothing or to a status of 400 or more.
    errors: u64,
    /// Milliseconds that half of the requests took at most, within the span it was counted in.
    p50_ms: f64,
    /// Milliseconds that 95 of 100 took at most.
    p95_ms: f64,
}

/// How often something went wrong.
#[value]
pub(crate) struct OfCode {
    /// A status of 400 or more, or what came instead of an answer, such as `timeout`.
    code: String,
    calls: u64,
}

/// Returns calls, errors by provider code, retries, latency p50/p95 and provider-reported cost of a connection by day and operation.
///
/// Every request that was sent is counted, also one that was sent again; latency is of the whole exchange and counted in
/// spans of a fourth of a doubling, within which it is interpolated. `spent` is what
/// providers said that requests cost, and for a language model its tokens at the `price_in` and `price_out` that are set
/// as `defaults` of the connection.
#[operation(
    read,
    scope = "account:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how much do we use this API",
        "how slow is my provider",
        "which errors did the connection have last month",
        "how many requests did DataForSEO get",
    ],
    examples = [{ "connection_ref": "con_4fzzzxjylrxeu7yx2kphqvjzba", "from": "2026-09-01", "to": "2026-09-28" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Usage> {
    account::found(cx, &args.connection_ref)?;
    let to = args.to.unwrap_or_else(|| cx.now().day());
    let from = args.from.unwrap_or_else(|| to.plus(1 - USUAL));
    if from > to {
        return Err(Fault::invalid("/from", "invalid_range", "the first day is after the last one"));
    }
    if to.since_epoch() - from.since_epoch() >= MOST {
        let message = format!("at most {MOST} days can be asked for at once");
        return Err(Fault::invalid("/from", "range_too_long", message));
    }
    let (first, last) = (i64::from(from.since_epoch()), i64::from(to.since_epoch()));
    let id = args.connection_ref.as_str();
    Ok(summed(&cx.vault().usage(id, first, last), &cx.vault().spending(id, first, last)))
}

fn summed(used: &[ConnectionUse], spent: &[ConnectionSpending]) -> Usage {
    let mut days: BTreeMap<i64, Vec<&ConnectionUse>> = BTreeMap::new();
    let mut operations: BTreeMap<&str, Vec<&ConnectionUse>> = BTreeMap::new();
    let mut codes: BTreeMap<&str, u64> = BTreeMap::new();
    for it in used {
        days.entry(it.day).or_default().push(it);
        operations.entry(&it.operation).or_default().push(it);
        if it.outcome != "ok" {
            *codes.entry(&it.outcome).or_default() += it.calls;
        }
    }
    let day = |(day, used): (i64, Vec<&ConnectionUse>)| {
        let spent = money(spent.iter().filter(|it| it.day == day));
        Some(OfDay { day: Day::from_epoch(i32::try_from(day).ok()?), total: total(&used), spent })
    };
    let operation =
        |(id, used): (&str, Vec<&ConnectionUse>)| OfOperation { operation_id: id.to_owned(), total: total(&used) };
    let mut by_operation: Vec<_> = operations.into_iter().map(operation).collect();
    by_operation.sort_by_key(|it| std::cmp::Reverse(it.total.calls));
    let code = |(code, calls): (&str, u64)| OfCode { code: code.to_owned(), calls };
    let mut error_codes: Vec<_> = codes.into_iter().map(code).collect();
    error_codes.sort_by_key(|it| std::cmp::Reverse(it.calls));
    Usage { days: days.into_iter().filter_map(day).collect(), by_operation, error_codes, spent: money(spent.iter()) }
}

/// Sums by currency.
fn money<'a>(spent: impl Iterator<Item = &'a ConnectionSpending>) -> Vec<Money> {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    for it in spent {
        let sum = sums.entry(&it.currency).or_default();
        *sum = sum.saturating_add(it.micros);
    }
    let written = |(currency, micros): (&str, u64)| Money {
        amount: format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000),
        currency: currency.to_owned(),
    };
    sums.into_iter().map(written).collect()
}

fn total(used: &[&ConnectionUse]) -> Total {
    let mut spans: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    for it in used {
        *spans.entry((it.from_ms, it.to_ms)).or_default() += it.calls;
    }
    Total {
        calls: used.iter().map(|it| it.calls).sum(),
        errors: used.iter().filter(|it| it.outcome != "ok").map(|it| it.calls).sum(),
        p50_ms: quantile(&spans, 0.5),
        p95_ms: quantile(&spans, 0.95),
    }
}

/// A quantile of a histogram: the calls of a span are taken to lie evenly in it. To the tenth of a millisecond.
#[expect(clippy::cast_precision_loss, reason = "calls and milliseconds are far below 2^52")]
fn quantile(spans: &BTreeMap<(u64, u64), u64>, share: f64) -> f64 {
    let wanted = spans.values().sum::<u64>() as f64 * share;
    let mut below = 0.0;
    for (&(from, to), &calls) in spans {
        let calls = calls as f64;
        if below + calls >= wanted && calls > 0.0 {
            let within = from as f64 + (to.saturating_sub(from)) as f64 * (wanted - below) / calls;
            return (within * 10.0).round() / 10.0;
        }
        below += calls;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_lies_within_the_span_that_holds_it() {
        let spans = BTreeMap::from([((0, 10), 50), ((10, 20), 45), ((100, 200), 5)]);
        assert!((quantile(&spans, 0.5) - 10.0).abs() < 1e-9);
        assert!((quantile(&spans, 0.95) - 20.0).abs() < 1e-9);
        assert!((quantile(&spans, 0.99) - 180.0).abs() < 1e-9);
        assert!(quantile(&BTreeMap::new(), 0.5).abs() < 1e-9);
    }
}
