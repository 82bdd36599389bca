//! The operation `crawl.schedule.set`.

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::value::Time;
use sdk::{Cadence, Every, Planned, Scheduled, Watch};

use crate::run;
use crate::stored::Site;

#[args]
pub(crate) struct Set {
    /// The website, as listed.
    site_id: Id<Site>,
    /// How often; `off` ends the schedule. A monthly crawl begins on the first of the month.
    every: Often,
    /// When it begins, in UTC; 02:00 when left out.
    at: Option<Time>,
    /// The day of a weekly crawl, 0 is Monday; Monday when left out.
    weekday: Option<Count<0, 6>>,
    /// How to crawl: the arguments of `crawl.run.start` but `site_id`, each with the default that it has there.
    settings: Option<Settings>,
    /// Whether an audit of the whole crawl follows.
    #[default(true)]
    audit: bool,
    /// Tells you, in the way chosen with `account.notification.update`, when the audit's score has fallen by so many
    /// points since the round before.
    alert_score_drop: Option<Count<1, 100>>,
}

/// How often a website is crawled.
#[value]
pub(crate) enum Often {
    Off,
    Daily,
    Weekly,
    Monthly,
}

/// How a scheduled crawl is made; the bounds are those of `crawl.run.start`.
#[args]
pub(crate) struct Settings {
    /// Fetch at most this many addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_pages: Option<Count<1, 100_000>>,
    /// Follow at most this many links from a starting address.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_depth: Option<Count<0, 50>>,
    /// Starting addresses beside the website's own; they must be of the website.
    #[serde(skip_serializing_if = "Option::is_none")]
    seeds: Option<List<Url, 0, 100>>,
    /// Follow only addresses that match one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    include: Option<List<Text<1, 300>, 0, 50>>,
    /// Follow no address that matches one of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    exclude: Option<List<Text<1, 300>, 0, 50>>,
    /// Check whether links that leave the website lead anywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    check_external: Option<bool>,
    /// Keep the HTML of pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    store_html: Option<bool>,
    /// Requests a second at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_rps: Option<Decimal<100, 10_000>>,
    /// Take no notice of `Crawl-delay`; the website's ownership must be proven whenever the crawl starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    lift_crawl_delay: Option<bool>,
}

/// A recurring crawl.
#[value]
pub(crate) struct Recurring {
    /// How often.
    every: Often,
    /// When, in UTC.
    at: Time,
    /// The day of a weekly crawl, 0 is Monday.
    weekday: Option<u32>,
    /// The arguments of `crawl.run.start` that differ from their defaults.
    settings: Value,
    /// Whether an audit follows.
    audit: bool,
    /// The fall of the score that is told.
    alert_score_drop: Option<u32>,
    /// When the last round began.
    last_run: Option<Moment>,
    /// How it ended: `ok`, or the operation and the code of what ended it; none while it goes on.
    last_outcome: Option<String>,
    /// Why there is no next round: `grant_ended` when the client that set it was disconnected, `website_not_found` when
    /// the website is gone. Set it again to go on.
    stopped: Option<String>,
}

/// What is set.
#[value]
pub(crate) struct Answer {
    /// The schedule; none when it is off.
    schedule: Option<Recurring>,
    /// When the next crawl begins; none when there is none.
    next_run: Option<Moment>,
}

/// Sets or clears a recurring crawl, optionally followed by a full audit and a score-drop alert, within the same limits as a manual one; each run is priced when it starts.
///
/// Rounds begin through the client that sets the schedule, with its scopes, limits and budgets: disconnecting it ends
/// the schedule. For the alert it needs the scope of `audit.run.get` too. A round that was missed is not made up for.
/// `crawl.run.list` shows the schedule and how its last round ended.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    side_effects = ["crawls, and audits if asked to, begin by themselves and are charged like any other"],
    needs = ["jobs"],
    phrasings = [
        "crawl my site every week",
        "schedule a nightly crawl and audit",
        "alert me when the seo score drops",
        "stop the recurring crawl",
    ],
    examples = [
        { "site_id": "8123456789012345", "every": "weekly", "at": "03:30", "weekday": 0, "alert_score_drop": 5 },
        { "site_id": "8123456789012345", "every": "off" },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Answer> {
    let site = cx.records::<Site>().get(&args.site_id)?;
    let every = match args.every {
        Often::Off => {
            cx.schedules().remove(site.id.as_str());
            return Ok(Answer { schedule: None, next_run: None });
        }
        Often::Daily => Every::Day,
        Often::Weekly => Every::Week,
        Often::Monthly => Every::Month,
    };
    if args.weekday.is_some() && args.every != Often::Weekly {
        return Err(Fault::invalid("/weekday", "weekday_unfit", "a weekday is for every = weekly only"));
    }
    if args.alert_score_drop.is_some() && !args.audit {
        let message = "the score comes from the audit: leave audit at true";
        return Err(Fault::invalid("/alert_score_drop", "alert_without_audit", message));
    }
    let weekday = args.weekday.map_or(0, |day| u32::try_from(day.get()).unwrap_or(0));
    let at = args.at.unwrap_or(Time::from_minutes(120));
    run::seeds(&site, args.settings.as_ref().and_then(|it| it.seeds.as_ref()), "/settings/seeds")?;
    let settings = args.settings.map_or_else(|| json!({}), |it| sdk::serde_json::to_value(it).unwrap_or_default());
    let calls = calls(&site, settings, args.audit);
    let watch = args.alert_score_drop.map(|drop| Watch {
        read: planned("audit.run.get", &json!({ "audit_ref": { "$result": "audit_ref" } })),
        pointer: "/score".to_owned(),
        falls_by: u32::try_from(drop.get()).unwrap_or(100),
        title: format!("audit score of {:.60}", site.domain),
    });
    let cadence = Cadence { every, minute: u32::from(at.minutes()), weekday };
    let set = cx.schedules().put(site.id.as_str(), cadence, &calls, watch.as_ref())?;
    let next_run = set.next.map(Moment::from_millis);
    Ok(Answer { schedule: Some(shown(set)), next_run })
}

/// The crawl, and the audit of all of it.
fn calls(site: &Stored<Site>, settings: Value, audit: bool) -> Vec<Planned> {
    let mut start = settings;
    let most = start.get("max_pages").and_then(Value::as_u64).unwrap_or(1_000);
    start["site_id"] = json!(site.id);
    let mut calls = vec![planned("crawl.run.start", &start)];
    if audit {
        calls.push(planned("audit.run.start", &json!({ "run_ref": { "$result": "run_ref" }, "max_pages": most })));
    }
    calls
}

fn planned(operation: &str, arguments: &Value) -> Planned {
    Planned { operation: operation.to_owned(), arguments: arguments.to_string() }
}

/// The schedule of a website, as lists show it.
pub(crate) fn of(cx: &Cx, site: &Id<Site>) -> Option<Answer> {
    let found = cx.schedules().get(site.as_str())?;
    let next_run = found.next.map(Moment::from_millis);
    Some(Answer { schedule: Some(shown(found)), next_run })
}

fn shown(scheduled: Scheduled) -> Recurring {
    let Scheduled { cadence, calls, watch, last, outcome, stopped, .. } = scheduled;
    let start = calls.first().map_or("{}", |call| call.arguments.as_str());
    let mut settings: Value = sdk::serde_json::from_str(start).unwrap_or_default();
    if let Some(settings) = settings.as_object_mut() {
        settings.remove("site_id");
    }
    Recurring {
        every: match cadence.every {
            Every::Day => Often::Daily,
            Every::Week => Often::Weekly,
            Every::Month => Often::Monthly,
        },
        at: Time::from_minutes(u16::try_from(cadence.minute).unwrap_or(0)),
        weekday: (cadence.every == Every::Week).then_some(cadence.weekday),
        settings,
        audit: calls.len() > 1,
        alert_score_drop: watch.map(|watch| watch.falls_by),
        last_run: last.map(Moment::from_millis),
        last_outcome: outcome,
        stopped,
    }
}

#[cfg(test)]
mod tests;
