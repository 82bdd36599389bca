//! Usage: today and the last thirty days, by day, by operation and by client.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::usage::INCLUDED_POINTS;
use service::oauth::Authority;
use service::portal::usage::{Count, DAYS, GrantUse, Usage};

use super::figures::{counted, grouped, until};
use super::frame::Frame;
use super::page::{Leads, page};
use super::{broken, either, enter};

#[derive(Template)]
#[template(path = "usage.html")]
struct Page {
    frame: Frame,
    days: u32,
    included: u64,
    included_remaining: u64,
    paid_points: String,
    renews_in: String,
    today: String,
    total_points: String,
    total_calls: String,
    is_used: bool,
    chart: Chart,
    operations: Vec<Row>,
    clients: Vec<Row>,
}

/// Bars in a box of 300 by 100.
struct Chart {
    bars: Vec<Bar>,
    /// What the upper edge stands for.
    top: String,
    half: String,
    first: String,
    middle: String,
    /// In a sentence.
    words: String,
}

struct Bar {
    x: u32,
    y: u64,
    height: u64,
    is_today: bool,
    day: String,
    points: String,
    calls: String,
}

struct Row {
    name: String,
    kind: &'static str,
    link: String,
    calls: String,
    points: String,
    /// Of all points, in hundredths.
    share: u64,
}

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap) -> Response {
    either(show(&authority, &headers).await)
}

async fn show(authority: &Authority, headers: &HeaderMap) -> Result<Response, Response> {
    let inside = enter(authority, headers, "/usage").await?;
    let (customer, now) = (&inside.session.customer, authority.clock().now());
    let balance = authority.balance(customer).await.map_err(broken)?;
    let usage = authority.usage(customer).await.map_err(broken)?;
    let total = usage.total();
    let template = Page {
        frame: inside.frame("/usage"),
        days: DAYS,
        included: INCLUDED_POINTS,
        included_remaining: balance.included_remaining,
        paid_points: grouped(balance.paid_points),
        renews_in: until(now.next_day(), now),
        today: grouped(usage.today().points),
        total_points: grouped(total.points),
        total_calls: counted(total.calls, "call"),
        is_used: total.calls + total.points > 0,
        chart: chart(&usage),
        operations: usage.operations.iter().map(|(name, count)| operation(name, *count, total.points)).collect(),
        clients: usage.grants.iter().map(|used| client(used, total.points)).collect(),
    };
    Ok(page(StatusCode::OK, &template, &Leads::Inside))
}

fn chart(usage: &Usage) -> Chart {
    let most = usage.days.iter().map(|(_, count)| count.points).max().unwrap_or(0);
    let top = round_up(most);
    let bar = |(number, (day, count)): (usize, &(model::clock::Moment, Count))| {
        // What was used at all is seen, however little it is.
        let height = (count.points * 100).div_ceil(top);
        Bar {
            x: u32::try_from(number).unwrap_or(0) * 10,
            y: 100 - height,
            height,
            is_today: number + 1 == usage.days.len(),
            day: day.day(),
            points: grouped(count.points),
            calls: grouped(count.calls),
        }
    };
    let bars: Vec<Bar> = usage.days.iter().enumerate().map(bar).collect();
    let label = |number: usize| usage.days.get(number).map(|(day, _)| day.short_day()).unwrap_or_default();
    let busiest = usage.days.iter().max_by_key(|(_, count)| count.points);
    let words = busiest.map(|(day, count)| {
        format!("Points by UTC day, the last {DAYS} days. The most were {} on {}.", grouped(count.points), day.day())
    });
    Chart {
        bars,
        top: grouped(top),
        half: if top.is_multiple_of(2) { grouped(top / 2) } else { String::new() },
        first: label(0),
        middle: label(usage.days.len() / 2),
        words: words.unwrap_or_default(),
    }
}

/// The next number that reads well on a scale.
fn round_up(most: u64) -> u64 {
    let mut step = 1_u64;
    loop {
        for factor in [1, 2, 4, 6, 8] {
            if let Some(top) = step.checked_mul(factor).filter(|top| *top >= most.max(10)) {
                return top;
            }
        }
        match step.checked_mul(10) {
            Some(next) => step = next,
            None => return most.max(1),
        }
    }
}

fn operation(name: &str, count: Count, all: u64) -> Row {
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("operation", name).finish();
    Row {
        name: name.to_owned(),
        kind: "",
        link: format!("/activity?{query}"),
        calls: grouped(count.calls),
        points: grouped(count.points),
        share: share(count.points, all),
    }
}

fn client(used: &GrantUse, all: u64) -> Row {
    let name = match (&used.name, &used.grant) {
        (Some(name), _) => name.clone(),
        (None, Some(grant)) => grant.to_string(),
        (None, None) => "Not known".to_owned(),
    };
    Row {
        name,
        kind: match (&used.grant, used.is_app) {
            (None, _) => "before clients were counted",
            (Some(_), true) => "app",
            (Some(_), false) => "token",
        },
        link: used.grant.as_ref().map_or_else(String::new, |grant| format!("/activity?app={grant}")),
        calls: grouped(used.count.calls),
        points: grouped(used.count.points),
        share: share(used.count.points, all),
    }
}

fn share(points: u64, all: u64) -> u64 {
    (points * 100).div_ceil(all.max(1)).min(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_ends_at_a_number_that_reads_well() {
        for (most, top) in [(0, 10), (10, 10), (11, 20), (61, 80), (101, 200), (4_321, 6_000), (100_001, 200_000)] {
            assert_eq!(round_up(most), top, "{most}");
        }
        assert_eq!(round_up(u64::MAX), u64::MAX);
    }
}
