//! The job of a campaign's day: it waits for the day, offers its tasks, waits for its end, and counts what was
//! delivered. Each day is a job of its own, so that each is charged when it has ended.

use campaign::fulfilment::{self, Unmade};
use campaign::hours::Hours;
use campaign::{State, turn};
use sdk::prelude::*;
use sdk::{LinkState, Redirect, SendFailure};

use super::plan;
use super::stored::{Campaign, Delivered};

/// The longest sleep of a job, in milliseconds.
const HOUR: u64 = 3_600_000;
/// How long a panel that cannot be asked is left alone, in milliseconds.
const PAUSE: u32 = 600_000;
/// Days for which a panel that does not tell its counts is asked again.
const UNCOUNTED: i32 = 3;
/// Days that a campaign may go on beyond those that were quoted.
const GRACE: u32 = 14;

/// What the job is about.
#[value]
pub(crate) struct Payload {
    /// The campaign.
    pub(crate) campaign: Id<Campaign>,
    /// The day, in days since 1970.
    pub(crate) day: i32,
}

/// Where the day stands.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// Whether the tasks were offered.
    pub(crate) offered: bool,
    /// The panel's tasks with their audiences.
    pub(crate) tasks: Vec<(String, String)>,
    /// Invitations that they are for.
    pub(crate) planned: u32,
}

/// What followers of the job see: counts of few are withheld, so none are shown.
#[value]
pub(crate) struct Progress {
    /// The day.
    pub(crate) day: Day,
    /// Whether people are being asked.
    pub(crate) asking: bool,
}

/// The job's result.
#[value]
pub(crate) struct Outcome {
    /// The campaign.
    pub(crate) campaign_ref: Id<Campaign>,
    /// Where it is.
    pub(crate) state: State,
}

type Turned = Result<Step<Checkpoint, Progress, Outcome>>;

/// Goes on with a day as far as it can.
#[step]
fn run(cx: &Cx, payload: Payload, checkpoint: Option<Checkpoint>) -> Turned {
    let mut point = checkpoint.unwrap_or_default();
    let day = Day::from_epoch(payload.day);
    let mut campaign = cx.records::<Campaign>().get(&payload.campaign)?;
    if campaign.state.is_over() {
        return Ok(end(&campaign, day, 0));
    }
    if campaign.state == State::PreparingLinks {
        campaign = prepare(cx, campaign)?;
    }
    let hours = Hours::of(campaign.country.as_deref());
    let now = cx.now();
    if now < hours.opens(day) {
        return Ok(sleep(point, day, hours.opens(day).since(now)));
    }
    if !point.offered {
        if now >= hours.closes(day) {
            // The day was missed: it is left out, and nothing is caught up.
            return close(cx, campaign, day, &Checkpoint::default(), &[]);
        }
        return match offer(cx, &mut campaign, day, &mut point)? {
            Offered::Later => Ok(Step::next(point, Progress { day, asking: false }).after(PAUSE)),
            Offered::Never(why) => fail(cx, campaign, day, why),
            Offered::Done => {
                point.offered = true;
                cx.records::<Campaign>().save(campaign)?;
                Ok(sleep(point, day, hours.closes(day).since(now)))
            }
        };
    }
    if now < hours.closes(day) {
        return Ok(sleep(point, day, hours.closes(day).since(now)));
    }
    let references: Vec<String> = point.tasks.iter().map(|it| it.0.clone()).collect();
    let Some(panel) = fulfilment::panel(cx) else {
        return fail(cx, campaign, day, "the panel was disconnected".to_owned());
    };
    let counted = fulfilment::tasks(cx, &panel.reference, &references).and_then(|tasks| {
        let open: Vec<String> =
            tasks.iter().flatten().filter(|it| !it.state.is_over()).map(|it| it.task_ref.clone()).collect();
        let withdrawn = fulfilment::cancel(cx, &panel.reference, &open)?;
        Ok((tasks, withdrawn))
    });
    match counted {
        Ok((tasks, withdrawn)) => {
            // What was withdrawn may have been seen by some more since it was asked for.
            let last = |task: &str| withdrawn.iter().flatten().find(|it| it.task_ref == task).map(|it| it.offered);
            let seen: Vec<u32> = references
                .iter()
                .zip(&tasks)
                .map(|(task, known)| last(task).unwrap_or(0).max(known.as_ref().map_or(0, |it| it.offered)))
                .collect();
            close(cx, campaign, day, &point, &seen)
        }
        // People may have seen it, and whoever is asked again in their place was not bought: a count is worth days of
        // waiting. Then what nobody can count is not charged.
        Err(_) if now < hours.closes(day.plus(UNCOUNTED)) => {
            Ok(Step::next(point, Progress { day, asking: false }).after(PAUSE))
        }
        Err(_) => close(cx, campaign, day, &point, &vec![0; references.len()]),
    }
}

fn sleep(point: Checkpoint, day: Day, milliseconds: u64) -> Step<Checkpoint, Progress, Outcome> {
    let asking = point.offered;
    let wait = u32::try_from(milliseconds.clamp(1_000, HOUR)).unwrap_or(3_600_000);
    Step::next(point, Progress { day, asking }).after(wait)
}

fn end(campaign: &Stored<Campaign>, day: Day, delivered: u32) -> Step<Checkpoint, Progress, Outcome> {
    let outcome = Outcome { campaign_ref: campaign.id.clone(), state: campaign.state };
    Step::done(outcome, Progress { day, asking: false }).units(u64::from(delivered))
}

/// Makes the tracked link.
fn prepare(cx: &Cx, mut campaign: Stored<Campaign>) -> Result<Stored<Campaign>> {
    let target: Url =
        campaign.url.parse().map_err(|_| Fault::refused("url_unreadable", "the website's origin is not an address"))?;
    let link = cx.links().create(&Redirect::to(&target).context(campaign.id.as_str()))?;
    campaign.link = Some(link.code);
    campaign.link_url = Some(link.url);
    let Campaign { state, history, .. } = &mut campaign.it;
    // The price was set aside with the call, and each day takes its own.
    for next in [State::Charging, State::Scheduled] {
        turn(state, history, next, cx.now())?;
    }
    cx.records::<Campaign>().save(campaign)
}

/// What came of offering a day's tasks.
enum Offered {
    Done,
    Later,
    Never(String),
}

/// Offers the tasks of a day.
fn offer(cx: &Cx, campaign: &mut Stored<Campaign>, day: Day, point: &mut Checkpoint) -> Result<Offered> {
    let Some(panel) = fulfilment::panel(cx) else {
        return Ok(Offered::Never("the panel was disconnected".to_owned()));
    };
    let Ok(all) = fulfilment::audiences(cx, &panel.reference) else { return Ok(Offered::Later) };
    let asked = plan::audiences(all, campaign.audience_ref.as_deref(), campaign.country.as_deref());
    let planned = plan::day(campaign, &asked, day);
    let tasks: Vec<_> = planned.iter().map(|it| (it.task.clone(), it.place.near())).collect();
    let made = fulfilment::offer_near(cx, &panel.reference, &tasks);
    // Somebody may have it: the same step again sends the same key, and the panel gives the task back.
    if made.iter().any(|it| matches!(it, Err(Unmade::Later(SendFailure::UnknownOutcome)))) {
        return Err(Fault::unavailable("provider_error", "nobody knows whether the panel has taken a task"));
    }
    let taken = made.iter().filter(|it| it.is_ok()).count();
    if taken == 0 && made.iter().any(|it| matches!(it, Err(Unmade::Later(_)))) {
        return Ok(Offered::Later);
    }
    for (task, made) in tasks.iter().zip(&made) {
        match made {
            Ok(made) => {
                point.tasks.push((made.task_ref.clone(), task.0.audience_ref.clone()));
                point.planned += task.0.quantity;
            }
            Err(Unmade::Refused(code)) if taken == 0 => {
                return Ok(Offered::Never(format!("the panel refuses the tasks: {code}")));
            }
            Err(_) => {}
        }
    }
    if campaign.state == State::Scheduled {
        let Campaign { state, history, .. } = &mut campaign.it;
        turn(state, history, State::Running, cx.now())?;
    }
    Ok(Offered::Done)
}

/// Ends a day with what was seen of each task, and goes on with the next one.
fn close(cx: &Cx, mut campaign: Stored<Campaign>, day: Day, point: &Checkpoint, seen: &[u32]) -> Turned {
    let delivered: u32 = seen.iter().sum();
    // A panel may show no more than it was asked for; what it shows beyond is not the customer's.
    let delivered = delivered.min(point.planned).min(campaign.left());
    let mut by_audience: Vec<(String, u32)> = Vec::new();
    for ((_, audience), seen) in point.tasks.iter().zip(seen) {
        match by_audience.iter_mut().find(|it| it.0 == *audience) {
            Some(known) => known.1 += seen,
            None => by_audience.push((audience.clone(), *seen)),
        }
    }
    campaign.days.push(Delivered { day: day.since_epoch(), planned: point.planned, delivered, by_audience });
    let last = campaign.first_day + i32::try_from(campaign.duration_days + GRACE).unwrap_or(0);
    // A host that was away for days goes on today.
    let next = day.plus(1).max(cx.now().day());
    if campaign.left() == 0 || next.since_epoch() >= last {
        let Campaign { state, history, .. } = &mut campaign.it;
        turn(state, history, State::Completed, cx.now())?;
        let campaign = cx.records::<Campaign>().save(campaign)?;
        return Ok(end(&campaign, day, delivered));
    }
    let payload = Payload { campaign: campaign.id.clone(), day: next.since_epoch() };
    campaign.job_ref = cx.jobs().enqueue("signals", &payload)?.as_str().to_owned();
    let campaign = cx.records::<Campaign>().save(campaign)?;
    Ok(end(&campaign, day, delivered).handing_over())
}

/// Ends a campaign that cannot go on; what was set aside and not used comes back.
fn fail(cx: &Cx, mut campaign: Stored<Campaign>, day: Day, why: String) -> Turned {
    campaign.trouble = Some(why);
    if let Some(code) = campaign.link.clone() {
        cx.links().set_state(&code, LinkState::Paused)?;
    }
    let Campaign { state, history, .. } = &mut campaign.it;
    turn(state, history, State::Failed, cx.now())?;
    let campaign = cx.records::<Campaign>().save(campaign)?;
    Ok(end(&campaign, day, 0))
}

#[cfg(test)]
mod tests;
