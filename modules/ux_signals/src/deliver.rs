//! The job that delivers a campaign, hour by hour: hands invitations over, asks what became of them, and ends.

mod hand;
mod poll;

use campaign::hours::Hours;
use campaign::pacing::{come, due, times};
use campaign::{State, fulfilment};
use sdk::prelude::*;

use crate::stored::{Campaign, Link, Preparation, Today};
use crate::viral::Work;
use crate::{measure, prepare};

pub(crate) use poll::{refund, withdraw};

/// Milliseconds between two looks; a job sleeps no longer.
const HOUR: u32 = 3_600_000;
/// After so many times its planned days a campaign ends with what it has delivered.
const PATIENCE: u32 = 3;

/// Nothing: where the campaign is stands in its record.
#[value]
pub(crate) struct Checkpoint {}

/// How far the campaign got.
#[value]
pub(crate) struct Progress {
    /// Where it is.
    state: State,
    /// People who were reached.
    delivered: u64,
    /// People still to be invited.
    left: u32,
}

type Turn = Step<Checkpoint, Progress, Progress>;

/// One look an hour: invites those whose moment has come since the last one. What was planned for a time when nobody
/// looked, or while the campaign was paused, is left for another day.
#[step]
pub(crate) fn work(cx: &Cx, payload: Work, _: Option<Checkpoint>) -> Result<Turn> {
    let mut campaign = cx.records::<Campaign>().get(&payload.campaign)?;
    let mut links = prepare::links(cx, &campaign)?;
    let before = links.clone();
    if campaign.state.is_over() {
        let open = withdraw(cx, &mut campaign, &mut links, poll::MOST)?.left;
        let campaign = keep(cx, campaign, links, &before)?;
        return Ok(turn(&campaign, open == 0));
    }
    poll::poll(cx, &mut campaign, &mut links)?;
    if campaign.state != State::Paused {
        deliver(cx, &mut campaign, &mut links)?;
        finish(cx, &mut campaign, &mut links)?;
    }
    campaign.visits = visits(cx, &campaign, &links);
    let campaign = keep(cx, campaign, links, &before)?;
    Ok(turn(&campaign, campaign.state.is_over()))
}

/// Writes a campaign down, with those of its links that have changed.
pub(crate) fn keep(
    cx: &Cx,
    campaign: Stored<Campaign>,
    links: Vec<Stored<Link>>,
    before: &[Stored<Link>],
) -> Result<Stored<Campaign>> {
    for link in links.into_iter().zip(before).filter(|(link, before)| link != *before).map(|(link, _)| link) {
        cx.records::<Link>().save(link)?;
    }
    cx.records::<Campaign>().save(campaign)
}

fn turn(campaign: &Campaign, over: bool) -> Turn {
    let progress = || Progress { state: campaign.state, delivered: campaign.delivered, left: campaign.left };
    if over { Step::done(progress(), progress()) } else { Step::next(Checkpoint {}, progress()).after(HOUR) }
}

/// Hands over what has come due within the hours of the day.
fn deliver(cx: &Cx, campaign: &mut Stored<Campaign>, links: &mut [Stored<Link>]) -> Result<()> {
    let (now, hours) = (cx.now(), Hours::of(campaign.country.as_deref()));
    let Some(day) = hours.open_at(now) else { return Ok(()) };
    if campaign.state == State::Scheduled {
        campaign.turn(State::Running, now)?;
        campaign.first_day = Some(day);
    }
    let fresh = Today { day, planned: due(campaign.left, campaign.terms.daily_actions), until: hours.opens(day) };
    let today = campaign.today.take().filter(|today| today.day == day).unwrap_or(fresh);
    let moments = times(campaign.id.as_str(), day, today.planned, hours);
    let come = come(&moments, today.until, now).min(campaign.left);
    campaign.today = Some(Today { until: now, ..today });
    if come > 0 {
        hand::over(cx, campaign, links, day, come)?;
    }
    Ok(())
}

/// Ends a campaign that has delivered all, or whose people could not be reached for far longer than was planned. Links of
/// which nothing was delivered are given back.
fn finish(cx: &Cx, campaign: &mut Stored<Campaign>, links: &mut [Stored<Link>]) -> Result<()> {
    let Some(first) = campaign.first_day else { return Ok(()) };
    let end = first.plus(i32::try_from(PATIENCE * campaign.terms.duration_days).unwrap_or(i32::MAX / 2));
    let late = cx.now().day() >= end;
    let all_done = campaign.left == 0 && poll::open(cx, campaign) == 0;
    if !late && !all_done {
        return Ok(());
    }
    if campaign.left > 0 {
        let message = "the audiences had no room for all invitations in three times the planned days";
        campaign.problem("time_over", message, None, cx.now());
    }
    campaign.turn(State::Completed, cx.now())?;
    poll::refund(cx, campaign, links)?;
    Ok(())
}

/// Visits since the campaign was bought, for the list of campaigns.
fn visits(cx: &Cx, campaign: &Campaign, links: &[Stored<Link>]) -> Option<u64> {
    let bought = Moment::from_millis(campaign.created_ms).day();
    measure::read(cx, links, bought, cx.now().day()).visits().visits
}

/// The connected panel, if any.
fn panel(cx: &Cx) -> Option<String> {
    fulfilment::panel(cx).map(|it| it.reference)
}

/// Whether people can be handed this link.
fn ready(link: &Link) -> bool {
    link.state == Preparation::Ready
}
