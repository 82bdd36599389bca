//! Hands invitations over: to a panel as tasks, to the owner of an own audience as words and links that stand ready.

use campaign::fulfilment::{self, NewTask, TaskKind, TaskState, Unmade};
use campaign::wording::{self, To};
use sdk::SendFailure;
use sdk::prelude::*;

use super::{panel, ready};
use crate::due::split;
use crate::people::{self, People};
use crate::stored::{Campaign, Link, Task};

/// Milliseconds for which a panel's people can answer.
const OPEN_FOR: u64 = 2 * 86_400_000;

/// Invites so many people now, each audience within its weekly cap. What there is no room for stays to be done.
pub(super) fn over(
    cx: &Cx,
    campaign: &mut Stored<Campaign>,
    links: &mut [Stored<Link>],
    day: Day,
    actions: u32,
) -> Result<()> {
    let people = match people::chosen(cx, &campaign.terms) {
        Ok((people, _)) => people,
        Err(fault) => {
            campaign.problem(&fault.code, &fault.message, None, cx.now());
            return Ok(());
        }
    };
    let week: Vec<u64> = people.iter().map(|it| people::in_seven_days(cx, &it.reference, day)).collect();
    let today: Vec<u64> = people.iter().map(|it| on(cx, &it.reference, day)).collect();
    let mut tasks: Vec<(Task, Option<NewTask>)> = Vec::new();
    for (people, quantity) in people.iter().zip(split(actions, &people, &week, &today)) {
        let quantity = quantity.min(fulfilment::MOST_PEOPLE);
        // The link that fewest people were handed comes next.
        let Some(link) = links.iter_mut().filter(|link| ready(link)).min_by_key(|link| (link.asked, link.seq)) else {
            continue;
        };
        if quantity > 0 {
            link.asked += u64::from(quantity);
            tasks.push(made(cx, campaign, link, people, day, quantity));
        }
    }
    if tasks.iter().map(|(task, _)| task.quantity).sum::<u32>() < actions {
        let message = "the weekly caps of the audiences leave no room for more invitations now; the rest moves on";
        campaign.problem("audience_caps", message, None, cx.now());
    }
    keep(cx, campaign, links, tasks)
}

fn on(cx: &Cx, reference: &str, day: Day) -> u64 {
    let from = day.since_epoch();
    let tasks = cx.records::<Task>().by("audience_ref_day").equals(reference).at_least(from).below(from + 1).scan();
    tasks.map(|task| u64::from(task.quantity)).sum()
}

fn made(
    cx: &Cx,
    campaign: &Stored<Campaign>,
    link: &Link,
    people: &People,
    day: Day,
    quantity: u32,
) -> (Task, Option<NewTask>) {
    let country = people.country.as_deref().or(campaign.country.as_deref());
    let words = wording::invitation(&campaign.domain, To::Share, country, campaign.terms.message.as_deref());
    let disclosure = people.disclosure.clone().unwrap_or(words.disclosure);
    let task = Task {
        campaign: campaign.id.as_str().to_owned(),
        day: day.since_epoch(),
        at: cx.now(),
        audience_ref: people.reference.clone(),
        panel: people.panel,
        link: link.seq,
        quantity,
        task_ref: None,
        state: if people.panel { TaskState::Open } else { TaskState::Offered },
        open: u8::from(people.panel),
        text: words.text.clone(),
        disclosure: disclosure.clone(),
        delivered: if people.panel { 0 } else { quantity },
        accepted: 0,
        declined: 0,
    };
    let offered = people.panel.then(|| NewTask {
        campaign: campaign.id.as_str().to_owned(),
        kind: TaskKind::Share,
        audience_ref: people.reference.clone(),
        quantity,
        text: words.text,
        disclosure,
        url: link.short_url.clone().unwrap_or_default(),
        not_before: None,
        expires_at: Some(cx.now().plus(OPEN_FOR)),
    });
    (task, offered)
}

/// Sends what goes to a panel and writes all of it down. What a panel refuses stays to be done.
fn keep(
    cx: &Cx,
    campaign: &mut Stored<Campaign>,
    links: &mut [Stored<Link>],
    mut tasks: Vec<(Task, Option<NewTask>)>,
) -> Result<()> {
    let offers: Vec<NewTask> = tasks.iter_mut().filter_map(|(_, offer)| offer.take()).collect();
    let mut answers = match panel(cx) {
        Some(panel) => fulfilment::offer(cx, &panel, &offers),
        None => offers.iter().map(|_| Err(Unmade::Later(SendFailure::NotConnected))).collect(),
    }
    .into_iter();
    for (mut task, _) in tasks {
        let link = links.iter_mut().find(|link| link.seq == task.link);
        if task.panel {
            match answers.next() {
                Some(Ok(answer)) => task.task_ref = Some(answer.task_ref),
                // Nobody knows whether it was made: the step runs again and asks the same under the same key.
                Some(Err(Unmade::Later(SendFailure::UnknownOutcome))) => {
                    return Err(SendFailure::UnknownOutcome.into());
                }
                refused => {
                    let code = match refused {
                        Some(Err(Unmade::Refused(code))) => code,
                        _ => "unavailable".to_owned(),
                    };
                    let message = format!("the panel did not take a task ({code}); its invitations move on");
                    campaign.problem("panel_refused", &message, None, cx.now());
                    link.into_iter().for_each(|link| link.asked -= u64::from(task.quantity));
                    continue;
                }
            }
        } else {
            campaign.delivered += u64::from(task.quantity);
            link.into_iter().for_each(|link| link.delivered += u64::from(task.quantity));
        }
        campaign.left = campaign.left.saturating_sub(task.quantity);
        cx.records::<Task>().insert(task)?;
    }
    Ok(())
}
