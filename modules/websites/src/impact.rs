//! The operation `websites.impact.analyze`, what a change did to the pages it touched.

mod panel;

use ::search::{Measurement, Period, comparable, measurement};
use kit::causal;
use kit::chance::Chance;
use kit::statistics::{mean, round};
use sdk::Degraded;
use sdk::prelude::*;

use crate::search;
use crate::segment::Segment;
use crate::stored::Website;
use panel::{Measured, Panel};

/// The least days before and after a change that say something: two weeks and one.
const LEAST_BEFORE: i32 = 14;
const LEAST_AFTER: i32 = 7;
/// The fewest pages to compare with.
const LEAST_CONTROLS: usize = 3;
/// Earlier dates at which the same is asked, and the days between them.
const PLACEBOS: i32 = 20;
const APART: i32 = 3;
/// With fewer of them no p is given.
const LEAST_PLACEBOS: usize = 10;

/// What is measured.
#[value]
pub(crate) enum Metric {
    /// Visits from results.
    Clicks,
    /// Times a page was shown in results.
    Impressions,
    /// The mean position in results, weighted by impressions. Lower is better: a negative effect is an improvement.
    Position,
}

impl Metric {
    /// As the table of known faults calls it.
    fn counted(self) -> kit::anomalies::Metric {
        match self {
            Self::Clicks => kit::anomalies::Metric::Clicks,
            Self::Impressions => kit::anomalies::Metric::Impressions,
            Self::Position => kit::anomalies::Metric::Position,
        }
    }
}

#[args]
pub(crate) struct Analyze {
    /// The website, as listed.
    site_id: Id<Website>,
    /// The first day on which the change was live.
    change_date: Day,
    /// The pages that were changed; give these or a segment.
    treated_urls: Option<List<Url, 1, 2_000>>,
    /// The segment that was changed.
    segment_ref: Option<Id<Segment>>,
    /// What is measured.
    #[default("clicks")]
    metric: Metric,
    /// Days before the change.
    #[default(56)]
    pre_days: Count<14, 180>,
    /// Days from the change on; fewer when search data ends before.
    #[default(28)]
    post_days: Count<7, 180>,
}

/// One day.
#[value]
pub(crate) struct Point {
    /// The day.
    date: Day,
    /// The daily mean of the changed pages; for a position null on a day when none was shown.
    treated: Option<f64>,
    /// The weighted daily mean of the controls.
    control: Option<f64>,
}

/// What a change did.
#[value]
pub(crate) struct Impact {
    /// The effect: the difference of `log1p` of the daily means of changed pages and controls, after less before.
    /// For a position a negative effect is an improvement.
    effect: f64,
    /// The same in percent of what would have been without the change: `100 × (e^effect − 1)`.
    effect_percent: f64,
    /// The interval that holds the effect in 95 of 100 cases: moving-block bootstrap over days, blocks of 7, 2,000 draws.
    ci95: [f64; 2],
    /// Days that the interval rests on, before and after the change together.
    n: u32,
    /// The interval in percent.
    ci95_percent: [f64; 2],
    /// Whether the interval leaves out 0.
    significant: bool,
    /// How often a change that never was, at earlier dates, has an effect as large; null with fewer than 10 such dates.
    p_placebo: Option<f64>,
    /// Earlier dates that were tried.
    placebo_dates: u32,
    /// What was measured.
    metric: Metric,
    /// Changed pages in the comparison.
    treated_count: u32,
    /// Different pages that they were compared with.
    control_count: u32,
    /// These pages, at most 20, those that count most first.
    controls: Vec<String>,
    /// Days before the change.
    pre_days: u32,
    /// Days from the change on.
    post_days: u32,
    /// Day by day.
    series: Vec<Point>,
    /// The last day of search data.
    data_until: Day,
    /// Known faults of Google's figures in the days that were compared. Clicks are right in all of them; impressions and positions
    /// are compared between their borders alone.
    measurement: Vec<Measurement>,
    /// What could not be considered, in words.
    degraded: Vec<Degraded>,
}

/// Estimates the effect of a change on clicks, impressions or position by difference-in-differences against matched untouched pages, with a block-bootstrap 95% interval and a placebo test.
///
/// Each changed page is matched with up to 10 untouched ones whose clicks before the change look most alike: their level,
/// slope and days of the week, in logarithms. What moves both groups alike, such as a season or a search update, is taken
/// out; what touches the changed pages alone at the same time is not, and pages whose own trends drift apart make the
/// interval too narrow. On pages with a few clicks a day `log1p` makes an effect look smaller. The same question has the same answer: the draws come from the arguments. A call reads some 60,000
/// page days, so of many changed pages those with the most clicks are compared; `degraded` says how many.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = [
        "did my new titles bring more clicks",
        "what was the effect of the relaunch on traffic",
        "prove that the change worked",
        "measure the impact of a release on rankings",
        "before and after comparison with a control group",
    ],
    examples = [
        { "site_id": "4503599627370496", "change_date": "2026-08-01", "treated_urls": ["https://shop.example/lamps"] },
        { "site_id": "4503599627370496", "change_date": "2026-08-01", "segment_ref": "seg_01", "metric": "position", "post_days": 14 },
    ]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Impact> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let wanted = panel::wanted(cx, &site, args.treated_urls, args.segment_ref)?;
    let (first, last) = match (search::first_day(cx, &site.id), search::last_day(cx, &site.id)) {
        (Some(first), Some(last)) => (first, last),
        _ => return Err(search::lacking(&site.id)),
    };
    let change = args.change_date;
    // What Google counted differently on two days is no effect of a change.
    let (from, to) = comparable(args.metric.counted(), change);
    let (first, last) = (from.map_or(first, |it| it.max(first)), to.map_or(last, |it| it.min(last)));
    let cut = from.is_some_and(|it| it == first) || to.is_some_and(|it| it == last);
    let after = days(args.post_days.get()).min(last.since_epoch() - change.since_epoch() + 1);
    let before = days(args.pre_days.get()).min(change.since_epoch() - first.since_epoch());
    if after < LEAST_AFTER {
        let message = format!(
            "search data that can be compared ends on {last}; an effect shows with {LEAST_AFTER} days from the change on"
        );
        return Err(Fault::conflict("change_too_recent", message).at("/change_date"));
    }
    if before < LEAST_BEFORE {
        let message = format!(
            "search data that can be compared begins on {first}; {LEAST_BEFORE} days before the change are needed"
        );
        return Err(Fault::conflict("history_too_short", message).at("/change_date"));
    }
    let back = (after + APART * (PLACEBOS - 1)).min(change.since_epoch() - before - first.since_epoch()).max(0);
    let mut panel = Panel::read(cx, &site, &wanted, change, [back, before, after], LEAST_CONTROLS)?;
    if before < days(args.pre_days.get()) || after < days(args.post_days.get()) {
        let why = if cut { ", between the borders of a known fault of Google's figures" } else { "" };
        panel.degraded.push(Degraded::new("period", format!(
            "search data is from {first} to {last}{why}, so {before} days before and {after} from the change on are compared"
        )));
    }
    let matches = causal::nearest(
        &panel.clicks(&panel.treated, back, before),
        &panel.clicks(&panel.pool, back, before),
        causal::MOST_CONTROLS,
    );
    let weights = causal::weights(&matches, panel.pool.len());
    let own = panel::group(&panel.treated, &vec![1.0; panel.treated.len()], args.metric);
    let others = panel::group(&panel.pool, &weights, args.metric);
    let at = |begin: i32, before: i32, after: i32| estimate(&own, &others, begin, before, after);
    let (lines, split) = at(back, before, after);
    let effect = causal::effect(&lines, split);
    let seed = format!("{}|{change}|{:?}|{before}|{after}|{}", site.id, args.metric, wanted.words());
    let interval = causal::interval(&lines, split, causal::DRAWS, &mut Chance::of(&seed));
    let Some(ci95) = interval else {
        let message = "the changed pages were shown on too few days for this metric";
        return Err(Fault::conflict("too_few_days", message).at("/metric"));
    };
    // A placebo's own days after end before the change begins, so that nothing of it is in them.
    let placebos: Vec<f64> = (0..PLACEBOS)
        .map(|number| back - after - APART * number)
        .take_while(|begin| *begin >= 0)
        .map(|begin| at(begin, before, after))
        .filter(|(days, split)| *split > 0 && days.len() > *split)
        .map(|(days, split)| causal::effect(&days, split))
        .collect();
    let enough = placebos.len() >= LEAST_PLACEBOS;
    if !enough {
        panel.degraded.push(Degraded::new("placebo", "search data does not go back far enough for a placebo test"));
    }
    let percent = |log: f64| round(100.0 * log.exp_m1(), 2);
    let mut counted: Vec<(f64, &Measured)> =
        weights.iter().copied().zip(&panel.pool).filter(|(weight, _)| *weight > 0.0).collect();
    counted.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.url.cmp(&b.1.url)));
    let size = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Ok(Impact {
        effect: round(effect, 9),
        effect_percent: percent(effect),
        ci95: ci95.map(|it| round(it, 6)),
        n: size(lines.len()),
        ci95_percent: ci95.map(percent),
        significant: ci95[0] > 0.0 || ci95[1] < 0.0,
        p_placebo: causal::placebo(effect, &placebos).filter(|_| enough).map(|it| round(it, 4)),
        placebo_dates: size(placebos.len()),
        metric: args.metric,
        treated_count: size(panel.treated.len()),
        control_count: size(counted.len()),
        controls: counted.iter().take(20).map(|(_, page)| page.url.clone()).collect(),
        pre_days: before.unsigned_abs(),
        post_days: after.unsigned_abs(),
        series: series(change.plus(-before), &own, &others, back),
        data_until: last,
        measurement: measurement(Period { first: change.plus(-before), last: change.plus(after - 1) }),
        degraded: panel.degraded,
    })
}

fn days(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The differences of the days that both groups have, and how many of them are before the change. Days are counted from
/// the first that was read; `begin` is the first one before the change.
fn estimate(own: &[Option<f64>], others: &[Option<f64>], begin: i32, before: i32, after: i32) -> (Vec<f64>, usize) {
    let place = |day: i32| usize::try_from(day).unwrap_or(0);
    let both = |from: i32, to: i32| -> (Vec<f64>, Vec<f64>) {
        (place(from)..place(to)).filter_map(|day| Some(((*own.get(day)?)?, (*others.get(day)?)?))).unzip()
    };
    let (own_before, others_before) = both(begin, begin + before);
    let (own_after, others_after) = both(begin + before, begin + before + after);
    let mut lines = causal::differences(&own_before, &others_before);
    let split = lines.len();
    lines.extend(causal::differences(&own_after, &others_after));
    (lines, split)
}

fn series(first: Day, own: &[Option<f64>], others: &[Option<f64>], back: i32) -> Vec<Point> {
    let skip = usize::try_from(back).unwrap_or(0);
    let shown = |value: &Option<f64>| value.map(|it| round(it, 4));
    own.iter()
        .zip(others)
        .skip(skip)
        .zip(0..)
        .map(|((own, other), day)| Point { date: first.plus(day), treated: shown(own), control: shown(other) })
        .collect()
}

/// The mean of the values that are there.
fn level(values: &[f64]) -> f64 {
    mean(values).ln_1p()
}

#[cfg(test)]
mod tests;
