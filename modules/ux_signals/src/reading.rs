//! The operations `ux_signals.campaign.list` and `.get`: where campaigns are.

use campaign::hours::Hours;
use campaign::pacing::last_day;
use campaign::{State, Turn};
use sdk::Next;
use sdk::prelude::*;
use sdk::{JobState, json};

use crate::prepare;
use crate::stored::{Audience, Campaign, Link, Problem, Task, Today};
use crate::viral::PER_URL_MILLI;
use sdk::credits;
use site::Site;

/// Hand-outs of own audiences that an answer shows.
const TO_SHARE: u64 = 20;

#[args(paged)]
pub(crate) struct Listing {
    /// Only of this website.
    site_id: Option<Id<Site>>,
    /// Only in this state. Nothing is stored of what was only quoted.
    state: Option<State>,
}

/// A campaign in a list.
#[value]
pub(crate) struct Line {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// The website.
    site_id: Id<Site>,
    /// Where it is.
    state: State,
    /// When it was bought.
    created_at: Moment,
    /// Its pages.
    urls: Vec<String>,
    /// Invitations planned.
    planned: u32,
    /// People who were reached.
    delivered: u64,
    /// Credits charged, less what went back.
    charged_credits: f64,
    /// Measured visits, automated traffic removed, counted at most an hour ago while the campaign runs; withheld while
    /// fewer than five people came. `ux_signals.campaign.metric.get` counts anew.
    visits: Option<u64>,
}

/// Campaigns, the newest first.
#[page]
pub(crate) struct Campaigns {
    /// The campaigns.
    campaigns: Vec<Line>,
}

/// Lists campaigns with state, pages, progress, charge and measured visits, the newest first.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "which boost campaigns are running",
        "list my viral campaigns",
        "show all sharing campaigns of this site",
    ],
    examples = [{ "state": "running" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Campaigns> {
    let all = cx.records::<Campaign>();
    let query = match (&args.site_id, args.state) {
        (Some(site), Some(state)) => all.by("site_id_state_created_ms").equals(site).equals(state),
        (Some(site), None) => all.by("site_id_created_ms").equals(site),
        (None, Some(state)) => all.by("state_created_ms").equals(state),
        (None, None) => all.by("created_ms"),
    };
    let page = query.descending().page(args.limit, args.cursor)?;
    let mut campaigns = Vec::new();
    for campaign in page.items {
        campaigns.push(Line {
            state: standing(cx, &campaign),
            site_id: campaign.site_id.as_str().into(),
            created_at: Moment::from_millis(campaign.created_ms),
            urls: campaign.terms.urls.clone(),
            planned: campaign.planned(),
            delivered: campaign.delivered,
            charged_credits: charged(&campaign),
            visits: campaign.visits,
            campaign_ref: campaign.id,
        });
    }
    Ok(Campaigns { campaigns, next_cursor: page.next })
}

#[args]
pub(crate) struct Get {
    /// The campaign.
    campaign_ref: Id<Campaign>,
}

/// What a campaign costs.
#[value]
pub(crate) struct Cost {
    /// `reserved`, `charged`, `released` (nothing was charged) or `refunded` (in part or whole).
    state: String,
    /// Credits that were held back when it was created.
    reserved_credits: f64,
    /// Credits that were charged for links that became ready.
    charged_credits: f64,
    /// Credits that went back for links of which nothing was delivered.
    refunded_credits: f64,
    /// The job that the ledger names.
    ledger_ref: Id<Line>,
}

/// How far the invitations are.
#[value]
pub(crate) struct Actions {
    /// Planned in all.
    planned: u32,
    /// People who were reached: by a panel's count, or handed to the owner of an own audience.
    delivered: u64,
    /// People who accepted, where a panel says so; withheld below five.
    accepted: Option<u64>,
    /// Still to be invited.
    left: u32,
}

/// Words and a link that stand ready for the owner of an own audience to pass on.
#[value]
pub(crate) struct ToShare {
    /// The audience.
    audience_ref: Id<Audience>,
    /// Since when.
    at: Moment,
    /// For how many people.
    people: u32,
    /// What they are to read.
    text: String,
    /// Who pays for it; belongs under the text.
    disclosure: String,
    /// The tracked link that belongs to it.
    short_url: Option<String>,
}

/// A campaign.
#[value]
pub(crate) struct View {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// The website.
    site_id: Id<Site>,
    /// Where it is.
    state: State,
    /// How it came there.
    timeline: Vec<Turn>,
    /// Its pages.
    urls: Vec<String>,
    /// Links that became ready.
    links_ready: u32,
    /// What it costs.
    charge: Cost,
    /// The day that is being delivered.
    scheduler: Option<Today>,
    /// The first day on which people were invited.
    first_day: Option<Day>,
    /// The day on which the last would be, as things stand; none when it is over.
    last_day: Option<Day>,
    /// How far the invitations are.
    actions: Actions,
    /// The newest hand-outs for owners of own audiences, at most 20.
    to_share: Vec<ToShare>,
    /// What went wrong, the newest last.
    problems: Vec<Problem>,
    /// What can be done with it as it stands.
    next: Vec<Next>,
}

/// Reads a campaign: state and history, link preparation, charge, scheduler position, delivered actions and why anything was refused.
///
/// For own audiences it also has the words and links that stand ready to be passed on.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how is my boost campaign going",
        "why did my campaign fail",
        "has the campaign been charged yet",
        "what should I post to my newsletter for the campaign",
    ],
    examples = [{ "campaign_ref": "camp_01" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let state = standing(cx, &campaign);
    let links = prepare::links(cx, &campaign)?;
    let hours = Hours::of(campaign.country.as_deref());
    let today = hours.open_at(cx.now()).unwrap_or_else(|| hours.next(cx.now()));
    let (mut timeline, mut problems) = (campaign.timeline.clone(), campaign.problems.clone());
    if state != campaign.state {
        let message = "the campaign's job has ended; ux_signals.viral.campaign.stop gives back what was not delivered";
        timeline.push(Turn { state, at: cx.now() });
        problems.push(Problem { code: "job_ended".into(), message: message.into(), url: None, at: cx.now() });
    }
    Ok(View {
        state,
        timeline,
        urls: campaign.terms.urls.clone(),
        links_ready: campaign.links_ready,
        charge: cost(&campaign, state),
        scheduler: campaign.today.clone(),
        first_day: campaign.first_day,
        last_day: (!state.is_over()).then(|| last_day(today, campaign.left, campaign.terms.daily_actions)),
        actions: Actions {
            planned: campaign.planned(),
            delivered: campaign.delivered,
            accepted: campaign::privacy::shown(campaign.accepted),
            left: campaign.left,
        },
        to_share: to_share(cx, &campaign, &links)?,
        problems,
        next: next(&campaign, state),
        site_id: campaign.site_id.as_str().into(),
        campaign_ref: campaign.id,
    })
}

/// Where a campaign stands, its jobs considered: one whose job failed or was cancelled will not move again.
pub(crate) fn standing(cx: &Cx, campaign: &Campaign) -> State {
    let job = match campaign.state {
        State::PreparingLinks | State::Charging => Some(&campaign.prepare_job),
        State::Scheduled | State::Running | State::Paused => campaign.deliver_job.as_ref(),
        _ => None,
    };
    let state = job.and_then(|job| cx.jobs().find(&Id::new(job.as_str()))).map(|job| job.state);
    match state {
        Some(JobState::Failed) => State::Failed,
        Some(JobState::Cancelled) => State::Stopped,
        _ => campaign.state,
    }
}

/// Credits charged, less what went back.
pub(crate) fn charged(campaign: &Campaign) -> f64 {
    credits((was_charged(campaign)).saturating_sub(campaign.refunded_milli))
}

fn was_charged(campaign: &Campaign) -> u64 {
    let charged = campaign.timeline.iter().any(|turn| turn.state == State::Scheduled);
    if charged { PER_URL_MILLI * u64::from(campaign.links_ready) } else { 0 }
}

fn cost(campaign: &Campaign, state: State) -> Cost {
    let charged = was_charged(campaign);
    let word = match (charged, campaign.refunded_milli) {
        (0, _) if state.is_over() => "released",
        (0, _) => "reserved",
        (_, 0) => "charged",
        _ => "refunded",
    };
    Cost {
        state: word.to_owned(),
        reserved_credits: credits(PER_URL_MILLI * campaign.terms.urls.len() as u64),
        charged_credits: credits(charged),
        refunded_credits: credits(campaign.refunded_milli),
        ledger_ref: campaign.prepare_job.as_str().into(),
    }
}

fn to_share(cx: &Cx, campaign: &Stored<Campaign>, links: &[Stored<Link>]) -> Result<Vec<ToShare>> {
    let tasks = cx.records::<Task>().by("campaign_open_day").equals(&campaign.id).equals(0).descending();
    let page = tasks.page(TO_SHARE, None)?;
    let own = page.items.into_iter().filter(|task| !task.panel).map(|task| ToShare {
        short_url: links.iter().find(|link| link.seq == task.link).and_then(|link| link.short_url.clone()),
        audience_ref: task.audience_ref.as_str().into(),
        at: task.at,
        people: task.quantity,
        text: task.text.clone(),
        disclosure: task.disclosure.clone(),
    });
    Ok(own.collect())
}

fn next(campaign: &Stored<Campaign>, state: State) -> Vec<Next> {
    let reference = &campaign.id;
    let pause = |paused: bool| {
        let arguments = json!({ "campaign_ref": reference, "paused": paused });
        let why = if paused { "pauses the invitations" } else { "goes on with the invitations" };
        Next::new("ux_signals.viral.campaign.pause", arguments, why)
    };
    let of = |operation, why: &str| Next::new(operation, json!({ "campaign_ref": reference }), why);
    let stop = || of("ux_signals.viral.campaign.stop", "ends the campaign; what was not delivered is given back");
    let metrics = || of("ux_signals.campaign.metric.get", "shows visits and shares so far");
    match state {
        State::Scheduled | State::Running => {
            vec![pause(true), stop(), metrics()]
        }
        State::Paused => vec![pause(false), stop()],
        State::PreparingLinks | State::Charging => vec![stop()],
        _ => vec![of("ux_signals.campaign.charge.list", "shows what was charged for which page"), metrics()],
    }
}
