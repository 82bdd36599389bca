//! Asks a panel what became of tasks, withdraws them, and gives back what nothing came of.

use campaign::fulfilment::{self, TaskState};
use sdk::prelude::*;

use super::{panel, ready};
use crate::stored::{Campaign, Charge, Link, Task};

/// Tasks that are asked for, or withdrawn, in one look.
pub(super) const MOST: u64 = 25;
/// Days after which a task that a panel never ends is not asked for any more.
const STALE: i32 = 5;

/// What withdrawing came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Withdrawn {
    /// Tasks that were withdrawn.
    pub(crate) withdrawn: u64,
    /// Tasks that are still to be withdrawn.
    pub(crate) left: u64,
}

/// Reads the oldest open tasks again.
pub(super) fn poll(cx: &Cx, campaign: &mut Stored<Campaign>, links: &mut [Stored<Link>]) -> Result<()> {
    let open = oldest(cx, campaign, MOST)?;
    let known: Vec<String> = open.iter().filter_map(|task| task.task_ref.clone()).collect();
    let answers = match panel(cx).filter(|_| !known.is_empty()) {
        Some(panel) => fulfilment::tasks(cx, &panel, &known),
        None => Ok(vec![None; known.len()]),
    };
    let answers = match answers {
        Ok(answers) => answers,
        Err(fault) => {
            campaign.problem("panel_unavailable", &fault.message, None, cx.now());
            return Ok(());
        }
    };
    for (mut task, answer) in open.into_iter().zip(answers) {
        if let Some(answer) = answer {
            count(campaign, links, &mut task, &answer);
        }
        if cx.now().day().since_epoch() - task.day > STALE {
            task.state = TaskState::Expired;
        }
        if task.state.is_over() {
            close(campaign, links, &mut task);
        }
        cx.records::<Task>().save(task)?;
    }
    Ok(())
}

/// Withdraws open tasks, at most so many; who was reached before counts.
pub(crate) fn withdraw(
    cx: &Cx,
    campaign: &mut Stored<Campaign>,
    links: &mut [Stored<Link>],
    most: u64,
) -> Result<Withdrawn> {
    let all = open(cx, campaign);
    let open = oldest(cx, campaign, most)?;
    let known: Vec<String> = open.iter().filter_map(|task| task.task_ref.clone()).collect();
    let answers = match panel(cx).filter(|_| !known.is_empty()) {
        Some(panel) => fulfilment::cancel(cx, &panel, &known)?,
        None => vec![None; known.len()],
    };
    let taken = open.len() as u64;
    for (mut task, answer) in open.into_iter().zip(answers) {
        match answer {
            Some(answer) => count(campaign, links, &mut task, &answer),
            // It was finished before, or there is no panel any more: nothing more comes of it here.
            None => task.state = TaskState::Cancelled,
        }
        close(campaign, links, &mut task);
        cx.records::<Task>().save(task)?;
    }
    Ok(Withdrawn { withdrawn: taken, left: all.saturating_sub(taken) })
}

/// Gives back the price of links of which nothing was delivered, once for each campaign.
pub(crate) fn refund(cx: &Cx, campaign: &mut Stored<Campaign>, links: &mut [Stored<Link>]) -> Result<()> {
    let untouched = |link: &Link| ready(link) && link.charge == Charge::Charged && link.asked == 0;
    let units = links.iter().filter(|link| untouched(link)).count() as u64;
    if units == 0 {
        return Ok(());
    }
    campaign.refunded_milli = cx.jobs().refund(&Id::new(campaign.prepare_job.as_str()), units)?;
    for link in links.iter_mut().filter(|link| untouched(link)) {
        link.charge = Charge::Refunded;
    }
    Ok(())
}

/// Nothing more comes of a task: who was not reached can be invited by another one.
fn close(campaign: &mut Campaign, links: &mut [Stored<Link>], task: &mut Task) {
    let missed = task.quantity.saturating_sub(task.delivered);
    campaign.left += missed;
    if let Some(link) = links.iter_mut().find(|link| link.seq == task.link) {
        link.asked = link.asked.saturating_sub(u64::from(missed));
    }
    task.open = 0;
}

/// How many tasks something may still come of.
pub(super) fn open(cx: &Cx, campaign: &Stored<Campaign>) -> u64 {
    cx.records::<Task>().by("campaign_open_day").equals(&campaign.id).equals(1).count()
}

fn oldest(cx: &Cx, campaign: &Stored<Campaign>, most: u64) -> Result<Vec<Stored<Task>>> {
    Ok(cx.records::<Task>().by("campaign_open_day").equals(&campaign.id).equals(1).page(most, None)?.items)
}

/// Adds what a panel counts more than before. Its counts never fall.
fn count(campaign: &mut Campaign, links: &mut [Stored<Link>], task: &mut Task, answer: &fulfilment::Task) {
    let more = |now: u32, before: u32| u64::from(now.saturating_sub(before));
    let reached = answer.offered.min(task.quantity);
    let delivered = more(reached, task.delivered);
    campaign.delivered += delivered;
    campaign.accepted += more(answer.accepted, task.accepted);
    campaign.declined += more(answer.declined, task.declined);
    if let Some(link) = links.iter_mut().find(|link| link.seq == task.link) {
        link.delivered += delivered;
    }
    task.delivered = task.delivered.max(reached);
    task.accepted = task.accepted.max(answer.accepted);
    task.declined = task.declined.max(answer.declined);
    task.state = answer.state;
}
