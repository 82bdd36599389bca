//! The job that prepares the links of a campaign. Its end is what charges for those that became ready.

use campaign::State;
use sdk::prelude::*;
use sdk::{Failure, Redirect, Request};

use crate::stored::{Campaign, Charge, Link, Preparation};
use crate::viral::{Work, is_own};

/// How often a page is asked for whose host wants a pause first.
const ASKED: u32 = 5;
/// Milliseconds before a page is asked for again.
const PAUSE: u32 = 2_000;

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// The page that comes next.
    next: u32,
    /// How often it was asked for.
    asked: u32,
}

/// How far the job got.
#[value]
pub(crate) struct Progress {
    /// Pages that were looked at.
    prepared: u32,
    /// Links that are ready.
    ready: u32,
}

/// What the job ends with.
#[value]
pub(crate) struct Outcome {
    /// Where the campaign is.
    state: State,
    /// Links that are ready, and charged.
    links_ready: u32,
}

type Turn = Step<Checkpoint, Progress, Outcome>;

/// Prepares one link a step; the last step charges and schedules.
#[step]
pub(crate) fn work(cx: &Cx, payload: Work, checkpoint: Option<Checkpoint>) -> Result<Turn> {
    let mut at = checkpoint.unwrap_or_default();
    let campaign = cx.records::<Campaign>().get(&payload.campaign)?;
    if campaign.state.is_over() {
        return Ok(ended(&campaign, at.next, 0));
    }
    if campaign.state == State::Charging {
        return charge(cx, campaign, at.next);
    }
    let Some(url) = campaign.terms.urls.get(at.next as usize).cloned() else { return close(cx, campaign, at) };
    let url: Url = url.parse().map_err(|_| Fault::conflict("url_unreadable", "a stored address is none"))?;
    let answered = match cx.web().fetch(&Request::get(&url).max_bytes(64 << 10)) {
        Err(Failure::Paced(_)) if at.asked < ASKED => {
            at.asked += 1;
            let (progress, pause) = (progress(&campaign, at.next), PAUSE * at.asked);
            return Ok(Step::next(at, progress).after(pause));
        }
        Err(failure) => Err(failure.name().to_owned()),
        Ok(answer) if answer.is_success() => Ok(answer.status.to_string()),
        Ok(answer) => Err(answer.status.to_string()),
    };
    let campaign = prepared(cx, campaign, &url, at.next, answered)?;
    let progress = progress(&campaign, at.next + 1);
    Ok(Step::next(Checkpoint { next: at.next + 1, asked: 0 }, progress))
}

/// Makes the link of a page that answers, and notes the one that does not.
fn prepared(
    cx: &Cx,
    mut campaign: Stored<Campaign>,
    url: &Url,
    seq: u32,
    answered: Result<String, String>,
) -> Result<Stored<Campaign>> {
    let mut link = Link {
        site_id: campaign.site_id.clone(),
        campaign: campaign.id.as_str().to_owned(),
        seq,
        created_ms: cx.now().millis(),
        target: url.to_string(),
        own: is_own(url, &campaign.domain),
        code: None,
        short_url: None,
        state: Preparation::Failed,
        answered: answered.clone().unwrap_or_else(|word| word),
        charge: Charge::Reserved,
        asked: 0,
        delivered: 0,
    };
    match answered {
        Ok(_) => {
            let made = cx.links().create(&Redirect::to(url).context(campaign.id.as_str()))?;
            (link.code, link.short_url) = (Some(made.code), Some(made.url));
            link.state = Preparation::Ready;
            campaign.links_ready += 1;
        }
        Err(word) => {
            let message = format!("the page did not answer with success ({word}); it gets no link and is not charged");
            campaign.problem("url_unreachable", &message, Some(url.as_str()), cx.now());
        }
    }
    cx.records::<Link>().insert(link)?;
    cx.records::<Campaign>().save(campaign)
}

/// All pages were looked at: goes on to be charged, or fails when none of the website's own is ready.
fn close(cx: &Cx, mut campaign: Stored<Campaign>, at: Checkpoint) -> Result<Turn> {
    let own_ready = links(cx, &campaign)?.iter().any(|link| link.own && link.state == Preparation::Ready);
    if !own_ready {
        let message = "no page of the website's own domain became ready; nothing was charged";
        campaign.problem("no_own_link_ready", message, None, cx.now());
        campaign.turn(State::Failed, cx.now())?;
        settle(cx, &campaign, |_| Charge::Released)?;
        let campaign = cx.records::<Campaign>().save(campaign)?;
        return Ok(ended(&campaign, at.next, 0));
    }
    campaign.turn(State::Charging, cx.now())?;
    let campaign = cx.records::<Campaign>().save(campaign)?;
    let progress = progress(&campaign, at.next);
    Ok(Step::next(at, progress))
}

/// The charge: this job ends for as many units as links are ready, and the one that delivers begins in the same commit.
fn charge(cx: &Cx, mut campaign: Stored<Campaign>, prepared: u32) -> Result<Turn> {
    settle(cx, &campaign, |link| match link.state {
        Preparation::Ready => Charge::Charged,
        Preparation::Failed => Charge::Released,
    })?;
    let job = cx.jobs().enqueue("deliver", &Work { campaign: campaign.id.clone() })?;
    campaign.deliver_job = Some(job.as_str().to_owned());
    campaign.turn(State::Scheduled, cx.now())?;
    let ready = campaign.links_ready;
    let campaign = cx.records::<Campaign>().save(campaign)?;
    Ok(ended(&campaign, prepared, ready))
}

/// Writes where the charge of each link is.
pub(crate) fn settle(cx: &Cx, campaign: &Stored<Campaign>, charge: impl Fn(&Link) -> Charge) -> Result<()> {
    for mut link in links(cx, campaign)? {
        link.charge = charge(&link);
        cx.records::<Link>().save(link)?;
    }
    Ok(())
}

/// The links of a campaign, in the order of its pages.
pub(crate) fn links(cx: &Cx, campaign: &Stored<Campaign>) -> Result<Vec<Stored<Link>>> {
    Ok(cx.records::<Link>().by("campaign_seq").equals(&campaign.id).page(100_u64, None)?.items)
}

fn ended(campaign: &Campaign, prepared: u32, charged: u32) -> Turn {
    let outcome = Outcome { state: campaign.state, links_ready: campaign.links_ready };
    Step::done(outcome, progress(campaign, prepared)).units(u64::from(charged))
}

fn progress(campaign: &Campaign, prepared: u32) -> Progress {
    Progress { prepared, ready: campaign.links_ready }
}
