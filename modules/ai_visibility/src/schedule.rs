//! The operation `ai_visibility.schedule.set`, and what becomes of a schedule whose runs fail.

use sdk::prelude::*;
use sdk::{Cadence, Every, Need, Planned, Scheduled, json};
use site::Site;

use crate::brand;

/// When runs begin, in minutes after midnight UTC: from three to seven, each website at a minute of its own.
const FROM: u32 = 3 * 60;
const SPREAD: u64 = 4 * 60;
/// Failed runs in a row that end a schedule.
const FAILURES: u32 = 3;

/// How often prompts are asked.
#[value]
pub(crate) enum Often {
    /// Not any more.
    Off,
    /// On Mondays.
    Weekly,
    /// On the first of the month.
    Monthly,
}

/// What is known of a website's schedule. The id is the website's.
#[record(collection = "schedules", thing = "schedule", reference = "schedule_ref")]
pub(crate) struct Kept {
    /// The website.
    pub(crate) site_id: String,
    /// How often.
    pub(crate) every: Often,
    /// The connections that are asked.
    pub(crate) connections: Vec<String>,
    /// How often each prompt is put to each.
    pub(crate) samples: u32,
    /// The most that one run may cost.
    pub(crate) cost_cap: Option<f64>,
    /// Failed runs in a row.
    pub(crate) failures: u32,
    /// When it ended by itself.
    pub(crate) ended_ms: Option<u64>,
}

#[args]
pub(crate) struct Set {
    /// The website.
    site_id: Id<Site>,
    /// How often; `off` ends the schedule.
    every: Often,
    /// The connections that are asked, as in ai_visibility.run.start.
    connections: List<Id<sdk::Connection>, 1, 6>,
    /// How often each prompt is put to each model.
    #[default(3)]
    samples: Count<1, 10>,
    /// The most that one run may cost.
    cost_cap: Option<Decimal<1, 1_000_000_000>>,
}

/// A recurring run.
#[value]
pub(crate) struct Recurring {
    every: Often,
    connections: Vec<Id<sdk::Connection>>,
    samples: u32,
    cost_cap: Option<f64>,
    /// When the last run began.
    last_run_at: Option<Moment>,
    /// How the last round ended: `ok`, or the operation and the code of what ended it.
    last_outcome: Option<String>,
    /// Failed runs in a row; with three the schedule ends itself.
    failures: u32,
    /// Why there is no next round, such as `grant_ended`.
    stopped: Option<String>,
}

/// What is set.
#[value]
pub(crate) struct Answer {
    /// With `off`, what was taken away and how its last round ended; null where there was nothing.
    schedule: Option<Recurring>,
    /// When the next run may begin; null when there is none.
    next_run: Option<Moment>,
    /// When an earlier schedule of this website ended itself after three failed runs.
    stopped_at: Option<Moment>,
}

/// Sets weekly or monthly runs with models, samples and a cost cap.
///
/// Runs begin between 03:00 and 07:00 UTC, on Mondays or on the first of the month, with all prompts of the website as they are then, in the name
/// of the client that sets the schedule and at the price of any run. After three runs without an answer the schedule ends
/// itself, which the next call here says.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    side_effects = ["runs begin by themselves and are charged like any other"],
    needs = ["store", "jobs", "connection:llm?", "connection:dataforseo?"],
    phrasings = ["check my AI visibility every week", "run the prompts monthly", "stop the recurring prompt runs", "schedule prompt runs with a budget"],
    examples = [
        { "site_id": "4503599627370496", "every": "weekly", "connections": ["con_4fzzzxjylrxeu7yx2kphqvjzba"] },
        { "site_id": "4503599627370496", "every": "off", "connections": ["con_4fzzzxjylrxeu7yx2kphqvjzba"] },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Answer> {
    let site = site::get(cx, &args.site_id)?;
    let name = site.id.as_str();
    let records = cx.records::<Kept>();
    let before = records.find(&site.id.cast());
    let stopped_at = before.as_ref().and_then(|it| it.ended_ms).map(Moment::from_millis);
    let every = match args.every {
        Often::Off => {
            let last = cx.schedules().get(name);
            cx.schedules().remove(name);
            let Some(mut before) = before else { return Ok(Answer { schedule: None, next_run: None, stopped_at }) };
            (before.it.every, before.it.failures) = (Often::Off, 0);
            let kept = records.save(before)?.into_inner();
            let schedule = last.map(|it| shown(kept, it));
            return Ok(Answer { schedule, next_run: None, stopped_at });
        }
        Often::Weekly => Every::Week,
        Often::Monthly => Every::Month,
    };
    brand::required(cx, &site)?;
    let held = cx.connections().all();
    for (at, id) in args.connections.iter().enumerate() {
        if held.iter().all(|it| it.reference != id.as_str()) {
            let reason = "no language model and no DataForSEO account of yours has this reference";
            return Err(Need::LLM.missing(&format!("/connections/{at}"), reason));
        }
    }
    let samples = u32::try_from(args.samples.get()).unwrap_or(1);
    let mut arguments = json!({ "site_id": site.id, "connections": args.connections, "samples": samples });
    if let Some(cap) = args.cost_cap {
        arguments["cost_cap"] = json!(cap.get());
    }
    let call = Planned { operation: "ai_visibility.run.start".to_owned(), arguments: arguments.to_string() };
    let minute = FROM + u32::try_from(kit::chance::Chance::of(name).draw() % SPREAD).unwrap_or(0);
    let put = cx.schedules().put(name, Cadence { every, minute, weekday: 0 }, &[call], None)?;
    let kept = Kept {
        site_id: name.to_owned(),
        every: args.every,
        connections: args.connections.iter().map(ToString::to_string).collect(),
        samples,
        cost_cap: args.cost_cap.map(Decimal::get),
        failures: 0,
        ended_ms: None,
    };
    let kept = match before {
        Some(mut before) => {
            before.it = kept;
            records.save(before)?
        }
        None => records.insert_as(site.id.cast(), kept)?,
    };
    let next_run = put.next.map(Moment::from_millis);
    Ok(Answer { schedule: Some(shown(kept.into_inner(), put)), next_run, stopped_at: None })
}

fn shown(kept: Kept, scheduled: Scheduled) -> Recurring {
    Recurring {
        every: kept.every,
        connections: kept.connections.into_iter().map(Id::new).collect(),
        samples: kept.samples,
        cost_cap: kept.cost_cap,
        last_run_at: scheduled.last.map(Moment::from_millis),
        last_outcome: scheduled.outcome,
        failures: kept.failures,
        stopped: scheduled.stopped,
    }
}

/// Notes how a run ended: three failures in a row end the schedule.
pub(crate) fn ended(cx: &Cx, site: &str, succeeded: bool) -> Result<()> {
    let records = cx.records::<Kept>();
    let Some(mut kept) = records.find(&Id::new(site)).filter(|it| it.every != Often::Off) else { return Ok(()) };
    kept.it.failures = if succeeded { 0 } else { kept.failures + 1 };
    if kept.failures >= FAILURES {
        cx.schedules().remove(site);
        (kept.it.every, kept.it.ended_ms) = (Often::Off, Some(cx.now().millis()));
    }
    records.save(kept)?;
    Ok(())
}
