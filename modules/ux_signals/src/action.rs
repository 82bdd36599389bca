//! The operation `ux_signals.campaign.action.list`: what was planned and done, by day and audience; never by person.

use std::collections::BTreeMap;

use campaign::pacing::due;
use campaign::privacy;
use sdk::prelude::*;

use crate::stored::{Audience, Campaign, Task};

/// Rows that are read before a page ends.
const ROWS: usize = 8_000;

#[args(paged)]
pub(crate) struct Listing {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// The first day; the first with invitations when left out.
    from: Option<Day>,
    /// The last day; as long as anything is planned when left out.
    to: Option<Day>,
}

/// What one audience was asked on a day.
#[value]
pub(crate) struct OfAudience {
    /// The audience.
    audience_ref: Id<Audience>,
    /// Whether a panel delivers to it.
    panel: bool,
    /// People who were to be invited.
    planned: u64,
    /// People who were reached.
    delivered: u64,
    /// People who declined; withheld below five.
    declined: Option<u64>,
}

/// One day of a campaign.
#[value]
pub(crate) struct OnDay {
    /// The day, as it is counted where the people live.
    date: Day,
    /// People to invite on it.
    planned: u64,
    /// People who were reached.
    delivered: u64,
    /// People who accepted; withheld below five.
    accepted: Option<u64>,
    /// People who declined; withheld below five.
    declined: Option<u64>,
    /// By audience; empty for days to come.
    audiences: Vec<OfAudience>,
}

/// The days of a campaign, oldest first.
#[page]
pub(crate) struct Days {
    /// The days. Those to come are as things stand.
    days: Vec<OnDay>,
}

/// Lists planned and done daily actions in aggregate by day, audience and outcome; no individual is identified.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "how many people were invited each day",
        "what is planned for the campaign next week",
        "daily progress of the boost",
    ],
    examples = [{ "campaign_ref": "camp_01", "from": "2026-11-20" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Days> {
    let campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let most = usize::from(args.limit);
    let after = match &args.cursor {
        Some(cursor) => Some(day_of(cursor)?),
        None => None,
    };
    let from = after.map(|day| day.plus(1)).max(args.from).or(campaign.first_day);
    let from = from.unwrap_or_else(|| cx.now().day());
    let to = args.to.unwrap_or_else(|| from.plus(1_000));
    if args.to.is_some_and(|to| args.from.is_some_and(|from| to < from)) {
        return Err(Fault::invalid("/to", "range_backwards", "the last day must not be before the first one"));
    }
    let (mut days, mut cut): (BTreeMap<Day, OnDay>, _) = (BTreeMap::new(), false);
    let tasks = cx.records::<Task>().by("campaign_day").equals(&campaign.id).at_least(from.since_epoch());
    for (row, task) in tasks.below(to.since_epoch() + 1).scan().enumerate() {
        let date = Day::from_epoch(task.day);
        // A day that is begun is read to its end: it has far fewer rows than a read may have.
        if !days.contains_key(&date) && (days.len() > most || row > ROWS) {
            cut = row > ROWS;
            break;
        }
        add(days.entry(date).or_insert_with(|| empty(date, 0)), &task);
    }
    if !cut {
        plan(cx, &campaign, &mut days, from, to, most);
    }
    let more = cut || days.len() > most;
    let days: Vec<OnDay> = days.into_values().take(most).collect();
    let next_cursor = days.last().filter(|_| more).map(|day| Cursor::new(day.date.to_string()));
    Ok(Days { days: days.into_iter().map(shown).collect(), next_cursor })
}

/// Days to come, with what is left spread over them.
fn plan(cx: &Cx, campaign: &Campaign, days: &mut BTreeMap<Day, OnDay>, from: Day, to: Day, most: usize) {
    if campaign.state.is_over() {
        return;
    }
    let (mut left, per_day) = (campaign.left, campaign.terms.daily_actions);
    let today = campaign.today.as_ref().map(|today| today.day).max(Some(cx.now().day()));
    let mut day = today.unwrap_or_else(|| cx.now().day());
    while left > 0 && day <= to && days.len() <= most {
        let planned = due(left, per_day);
        left -= planned;
        day = day.plus(1);
        if day >= from && day <= to {
            days.entry(day).or_insert_with(|| empty(day, u64::from(planned)));
        }
    }
}

fn empty(date: Day, planned: u64) -> OnDay {
    OnDay { date, planned, delivered: 0, accepted: Some(0), declined: Some(0), audiences: Vec::new() }
}

fn add(day: &mut OnDay, task: &Task) {
    let plus = |sum: &mut Option<u64>, more: u32| *sum = sum.map(|sum| sum + u64::from(more));
    day.planned += u64::from(task.quantity);
    day.delivered += u64::from(task.delivered);
    plus(&mut day.accepted, task.accepted);
    plus(&mut day.declined, task.declined);
    let at = day.audiences.iter().position(|it| it.audience_ref.as_str() == task.audience_ref).unwrap_or_else(|| {
        let audience_ref = task.audience_ref.as_str().into();
        day.audiences.push(OfAudience { audience_ref, panel: task.panel, planned: 0, delivered: 0, declined: Some(0) });
        day.audiences.len() - 1
    });
    let audience = &mut day.audiences[at];
    audience.planned += u64::from(task.quantity);
    audience.delivered += u64::from(task.delivered);
    plus(&mut audience.declined, task.declined);
}

/// Without what fewer than five people did.
fn shown(mut day: OnDay) -> OnDay {
    day.accepted = day.accepted.and_then(privacy::shown);
    day.declined = day.declined.and_then(privacy::shown);
    for audience in &mut day.audiences {
        audience.declined = audience.declined.and_then(privacy::shown);
    }
    day
}

fn day_of(cursor: &Cursor) -> Result<Day> {
    cursor.as_str().parse().map_err(|_| sdk::invalid_cursor())
}
