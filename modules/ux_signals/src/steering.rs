//! The operations `ux_signals.viral.campaign.pause` and `.stop`.

use campaign::State;
use campaign::hours::Hours;
use campaign::pacing::last_day;
use sdk::prelude::*;

use crate::deliver::{keep, refund, withdraw};
use crate::prepare::{links, settle};
use crate::reading::standing;
use crate::stored::{Campaign, Charge};
use sdk::credits;

/// Tasks that a stop withdraws at once; the campaign's job withdraws the others within the hour.
const AT_ONCE: u64 = 6;

#[args]
pub(crate) struct Pause {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// `true` pauses, `false` resumes.
    paused: bool,
}

/// Where a campaign is after it was paused or resumed.
#[value]
pub(crate) struct Paused {
    /// Where it is.
    state: State,
    /// People still to be invited.
    actions_left: u32,
    /// The day on which the last of them would be invited, if it went on today.
    new_end_date: Day,
}

/// Pauses or resumes a campaign's scheduler; what is left moves on without being caught up in a burst.
///
/// Invitations that were handed over before are not called back. What the pause has missed is spread over days after the
/// planned end, with the same number a day. To pause a paused campaign once more changes nothing.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    side_effects = ["no further invitations go out while it is paused"],
    needs = ["store", "jobs"],
    phrasings = [
        "pause my boost campaign for now",
        "hold the sharing campaign over the holidays",
        "resume the paused campaign",
        "take a break from inviting people",
    ],
    examples = [{ "campaign_ref": "camp_01", "paused": true }]
)]
pub(crate) fn pause(cx: &Cx, args: Pause) -> Result<Paused> {
    let mut campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let next = if args.paused { State::Paused } else { State::Running };
    let (now, hours) = (cx.now(), Hours::of(campaign.country.as_deref()));
    if campaign.state != next {
        standing(cx, &campaign).to(next)?;
        campaign.turn(next, now)?;
        if !args.paused {
            campaign.first_day = campaign.first_day.or_else(|| Some(hours.next(now)));
            // The plan of a day that was paused is followed from here on.
            if let Some(today) = &mut campaign.today {
                today.until = now;
            }
        }
        campaign = cx.records::<Campaign>().save(campaign)?;
    }
    let today = hours.open_at(now).unwrap_or_else(|| hours.next(now));
    Ok(Paused {
        state: campaign.state,
        actions_left: campaign.left,
        new_end_date: last_day(today, campaign.left, campaign.terms.daily_actions),
    })
}

#[args]
pub(crate) struct Stop {
    /// The campaign.
    campaign_ref: Id<Campaign>,
}

/// What stopping came to.
#[value]
pub(crate) struct Stopped {
    /// Always `stopped`.
    state: State,
    /// Credits that go back: 5 for each link of which nothing was delivered.
    refunded_credits: f64,
    /// Open tasks that were withdrawn from the panel just now.
    withdrawn_tasks: u64,
    /// Open tasks that the campaign's job withdraws within the hour. Their links count as begun.
    withdrawing_tasks: u64,
}

/// Stops a campaign for good, withdraws open tasks and refunds links whose delivery never began.
///
/// A campaign that is stopped before it was charged is not charged. Its tracked links go on leading to their pages.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["open tasks are withdrawn from the panel", "the campaign cannot be taken up again"],
    needs = ["store", "jobs", "credits", "connection:fulfilment?"],
    outside = ["fulfilment POST /v1/tasks/*/cancel change"],
    phrasings = [
        "stop my boost campaign for good",
        "cancel the sharing campaign and give me my credits back",
        "end the viral campaign now",
    ],
    examples = [{ "campaign_ref": "camp_01" }]
)]
pub(crate) fn stop(cx: &Cx, args: Stop) -> Result<Stopped> {
    let mut campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let charged = !matches!(campaign.state, State::PreparingLinks | State::Charging);
    campaign.turn(State::Stopped, cx.now())?;
    if !charged {
        // The job that prepares sees it and ends for nothing.
        settle(cx, &campaign, |_| Charge::Released)?;
        let state = cx.records::<Campaign>().save(campaign)?.state;
        return Ok(Stopped { state, refunded_credits: 0.0, withdrawn_tasks: 0, withdrawing_tasks: 0 });
    }
    let mut all = links(cx, &campaign)?;
    let before = all.clone();
    let withdrawn = withdraw(cx, &mut campaign, &mut all, AT_ONCE)?;
    refund(cx, &mut campaign, &mut all)?;
    let campaign = keep(cx, campaign, all, &before)?;
    Ok(Stopped {
        state: campaign.state,
        refunded_credits: credits(campaign.refunded_milli),
        withdrawn_tasks: withdrawn.withdrawn,
        withdrawing_tasks: withdrawn.left,
    })
}
