//! The operation `local_grid.gmb_signals.campaign.create`.

use campaign::{State, fulfilment, terms, wording};
use sdk::json;
use sdk::prelude::*;

use super::campaign::{FAMILY, QUOTE, Terms, whole};
use super::day::Payload;
use super::evidence;
use super::plan;
use super::stored::{Campaign, NativeKey};
use crate::stored::{Business, Tally};
use site::Site;

#[args]
pub(crate) struct Create {
    /// As quoted.
    source_refs: List<Id<Tally>, 1, 10>,
    /// As quoted.
    daily_actions: Count<1, 100>,
    /// As quoted.
    duration_days: Count<7, 90>,
    /// As quoted.
    audience_ref: Option<Text<1, 128>>,
    /// `quote_hash` of the quote.
    expected_quote_hash: Text<1, 128>,
    /// A key of your own for this campaign: the same key gives back the same campaign, whatever the transport's key.
    native_idempotency_key: Text<8, 200>,
}

/// A campaign that was accepted.
#[value]
pub(crate) struct Created {
    /// The campaign; follow it with `local_grid.gmb_signals.campaign.get`.
    campaign_ref: Id<Campaign>,
    /// The job of its first day, or of today.
    job_ref: Id<Job>,
    /// Where it stands: queued.
    state: sdk::JobState,
    /// The first day on which people are asked.
    first_action_day: Day,
    /// Invitations in all.
    actions_total: u32,
    /// Whether the key had bought it before; nothing was set aside again.
    replayed: bool,
}

/// Creates the campaign from the unchanged quote with a native and a transport idempotency key; places are chosen internally from weak zones and delivery goes to opted-in people through the fulfilment connection, charged as delivered.
///
/// The price of all actions is set aside. Each day is charged when it has ended, for the invitations that people have seen;
/// what is left at the end comes back. A day that is missed or delivers less is not caught up: the campaign goes on for up
/// to two weeks more. People are asked from 9 to 19 o'clock in the country of the website, and no more often than the panel's
/// weekly caps allow.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "actions", every = 1000, most = daily_actions * duration_days),
    native_price(unit = "actions", every = 1, credits_milli = 200, most = daily_actions * duration_days),
    queued(step = "signals"),
    result_operation = "local_grid.gmb_signals.campaign.get",
    side_effects = ["asks a panel to invite people who opted in, day by day", "makes a tracked link to the website"],
    needs = ["store", "jobs", "credits", "connection:fulfilment?"],
    outside = [
        "fulfilment GET /v1/audiences",
        "fulfilment GET /v1/tasks/*",
        "fulfilment POST /v1/tasks change",
        "fulfilment POST /v1/tasks/*/cancel change",
    ],
    phrasings = [
        "start the local signals campaign I was quoted",
        "invite local people to my store every day",
        "run gmb signals for my weak areas",
        "buy the quoted map visibility campaign",
    ],
    examples = [{
        "source_refs": ["run_01-0"], "daily_actions": 10, "duration_days": 28, "expected_quote_hash": "q1w2e3r4",
        "native_idempotency_key": "spring-campaign-2026",
    }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let key: Id<NativeKey> = Id::new(kit::crawled::page_id("native", args.native_idempotency_key.as_str()));
    let fingerprint = fingerprint(&args);
    if let Some(known) = cx.records::<NativeKey>().find(&key) {
        return replayed(cx, &known, &fingerprint);
    }
    let evidence = evidence::of(cx, &args.source_refs)?;
    let (daily, days) = (whole(args.daily_actions.get()), whole(args.duration_days.get()));
    let audience = args.audience_ref.as_ref().map(Text::as_str);
    let quoted = Terms::of(&evidence, daily, days, audience);
    terms::check(cx, FAMILY, &quoted, args.expected_quote_hash.as_str(), QUOTE)?;
    let site = cx.records::<Site>().get(&Id::new(evidence.site_id.clone()))?;
    let business = cx.records::<Business>().get(&Id::new(evidence.business.clone()))?;
    let reason = "invitations are delivered by a panel of people who opted in";
    let panel = cx.connections().required(fulfilment::NEED, "/audience_ref", reason)?;
    let asked = plan::audiences(fulfilment::audiences(cx, &panel.reference)?, audience, site.country.as_deref());
    if asked.is_empty() {
        let message = "the panel has no audience of people who consented, in this country and under this reference";
        return Err(Fault::conflict("audience_not_found", message).at("/audience_ref"));
    }
    let room = plan::daily_room(&asked);
    if room < u64::from(daily) {
        let message = format!("the audience can be asked {room} times a day within its weekly caps");
        return Err(Fault::conflict("audience_too_small", message)
            .at("/daily_actions")
            .detail(json!({ "daily_room": room, "operation_id": QUOTE })));
    }
    // What people read is ours but for the name in it.
    let names = [business.name.clone(), site.domain.clone()];
    let Some(called) = names.into_iter().find(|name| wording::lint(name).is_empty()) else {
        wording::check("/source_refs", &business.name)?;
        return Err(Fault::conflict("wording_refused", "the name cannot stand in an invitation").at("/source_refs"));
    };
    let now = cx.now();
    let first = now.day().plus(1);
    let mut history = Vec::new();
    let mut state = State::Quoted;
    campaign::turn(&mut state, &mut history, State::PreparingLinks, now)?;
    let made = cx.records::<Campaign>().insert(Campaign {
        site_id: evidence.site_id,
        business: evidence.business,
        called,
        url: if site.origin.is_empty() { format!("https://{}", site.domain) } else { site.origin.clone() },
        country: site.country.clone(),
        state,
        history,
        sources: evidence.sources,
        daily_actions: daily,
        duration_days: days,
        actions_total: daily * days,
        audience_ref: args.audience_ref.as_ref().map(|it| it.as_str().to_owned()),
        places: evidence.places,
        first_day: first.since_epoch(),
        link: None,
        link_url: None,
        days: Vec::new(),
        job_ref: String::new(),
        created_ms: now.millis(),
        trouble: None,
    })?;
    let payload = Payload { campaign: made.id.clone(), day: first.since_epoch() };
    let job = cx.jobs().enqueue("signals", &payload)?;
    let made = cx.records::<Campaign>().update(&made.id, |it| it.job_ref = job.as_str().to_owned())?;
    cx.records::<NativeKey>().insert_as(key, NativeKey { campaign: made.id.as_str().to_owned(), fingerprint })?;
    Ok(created(made, false))
}

/// The campaign that a key has bought; 409 `native_idempotency_key_conflict` when it was bought with other arguments.
fn replayed(cx: &Cx, known: &NativeKey, fingerprint: &str) -> Result<Created> {
    if known.fingerprint != fingerprint {
        let message = "this key has bought a campaign with other arguments; take a new key for another campaign";
        return Err(Fault::conflict("native_idempotency_key_conflict", message)
            .at("/native_idempotency_key")
            .detail(json!({ "campaign_ref": known.campaign })));
    }
    Ok(created(cx.records::<Campaign>().get(&Id::new(known.campaign.clone()))?, true))
}

fn created(campaign: Stored<Campaign>, replayed: bool) -> Created {
    Created {
        campaign_ref: campaign.id.clone(),
        job_ref: campaign.job_ref.as_str().into(),
        state: sdk::JobState::Queued,
        first_action_day: Day::from_epoch(campaign.first_day),
        actions_total: campaign.actions_total,
        replayed,
    }
}

/// Over all arguments but the key.
fn fingerprint(args: &Create) -> String {
    let Create { source_refs, daily_actions, duration_days, audience_ref, expected_quote_hash, .. } = args;
    let written = json!([source_refs, daily_actions, duration_days, audience_ref, expected_quote_hash]).to_string();
    kit::crawled::page_id("arguments", &written)
}
