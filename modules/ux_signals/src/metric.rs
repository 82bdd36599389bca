//! The operation `ux_signals.campaign.metric.get`: what a campaign came to, measured on our own redirects.

use sdk::Degraded;
use sdk::prelude::*;

use crate::measure::{self, Measured, OnDay};
use crate::prepare::links;
use crate::stored::{Campaign, Task};

#[args]
pub(crate) struct Get {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// The first UTC day; the day of the purchase when left out.
    from: Option<Day>,
    /// The last UTC day; today when left out.
    to: Option<Day>,
}

/// Visitors who have something in common; at least five.
#[value]
pub(crate) struct Group {
    /// What: a host, a country, an hour of the day in UTC.
    name: String,
    /// How many visitors, counted anew each day.
    unique: u64,
}

/// Measured results.
#[value]
pub(crate) struct Metrics {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// The first day.
    from: Day,
    /// The last day.
    to: Day,
    /// Visits, automated traffic removed; none while fewer than five people came.
    visits: Option<u64>,
    /// Visitors, counted anew each day; none while fewer than five.
    unique: Option<u64>,
    /// The share of hits that were no visits of people, 0 to 1.
    filtered_share: Option<f64>,
    /// By day; days without a visit are left out.
    series: Vec<OnDay>,
    /// By the host that visitors came from; `direct` where a browser says none.
    by_referrer: Vec<Group>,
    /// By country; empty, since no address is kept.
    by_country: Vec<Group>,
    /// By hour of the day in UTC, `00` to `23`.
    by_hour: Vec<Group>,
    /// Groups that were left out because they were of fewer than five people.
    withheld_groups: u64,
    /// Half of the visits came within so many minutes after the last hand-over of their link; none while fewer than five
    /// visits can be told.
    median_minutes_to_visit: Option<u64>,
    /// How old the newest hit can be, in seconds.
    as_of_seconds: u32,
    /// What could not be measured.
    degraded: Vec<Degraded>,
}

/// Returns measured results: visits with automated traffic removed, visitors by daily salted names, referrers, hours, and the time from delivery to visit.
///
/// Nothing is estimated. Groups of fewer than five people are withheld. `ux_signals.campaign.integrity.get` says what was
/// filtered and why.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how many visits did my boost campaign bring",
        "results of the viral campaign",
        "where did the visitors of the campaign come from",
        "did sharing my article work",
    ],
    examples = [{ "campaign_ref": "camp_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Metrics> {
    let campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let bought = Moment::from_millis(campaign.created_ms).day();
    let (from, to) = measure::range(cx, args.from, args.to, bought)?;
    let links = links(cx, &campaign)?;
    let measured = measure::read(cx, &links, from, to);
    let mut degraded = measured.degraded();
    if cx.now().day().since_epoch() - from.since_epoch() > 90 {
        degraded.push(Degraded::new("hits", "single hits are kept for 90 days; older days are left out"));
    }
    let (by_referrer, few_referrers) =
        measured.groups(|hit| hit.referrer.clone().unwrap_or_else(|| "direct".to_owned()));
    let (by_hour, few_hours) = measured.groups(|hit| format!("{:02}", hit.at / 3_600_000 % 24));
    let total = measured.visits();
    Ok(Metrics {
        from,
        to,
        visits: total.visits,
        unique: total.unique,
        filtered_share: measured.filtered_share(),
        series: measured.series(),
        by_referrer: groups(by_referrer),
        by_country: Vec::new(),
        by_hour: groups(by_hour),
        withheld_groups: few_referrers + few_hours,
        median_minutes_to_visit: delay(cx, &campaign, &measured, from, to),
        as_of_seconds: 5,
        degraded,
        campaign_ref: campaign.id,
    })
}

fn groups(groups: Vec<(String, u64)>) -> Vec<Group> {
    groups.into_iter().map(|(name, unique)| Group { name, unique }).collect()
}

/// The median time from the newest hand-over of a link to a visit, in minutes.
fn delay(cx: &Cx, campaign: &Stored<Campaign>, measured: &Measured, from: Day, to: Day) -> Option<u64> {
    let (first, end) = (from.since_epoch() - 2, to.since_epoch() + 1);
    let tasks = cx.records::<Task>().by("campaign_day").equals(&campaign.id).at_least(first).below(end);
    let mut handed: Vec<(usize, u64)> = tasks.scan().map(|task| (task.link as usize, task.at.millis())).collect();
    handed.sort_unstable();
    let mut minutes: Vec<u64> = measured
        .people()
        .filter_map(|it| {
            let until = handed.partition_point(|task| *task <= (it.link, it.hit.at));
            let (link, at) = handed[..until].last()?;
            (*link == it.link).then(|| (it.hit.at - at) / 60_000)
        })
        .collect();
    minutes.sort_unstable();
    (minutes.len() >= 5).then(|| minutes[minutes.len() / 2])
}
