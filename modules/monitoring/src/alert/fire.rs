//! Fires and resolves alerts, and tells the customer once of each.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Next, Notice, NoticeState, Urgency, json};

use super::condition::Is;
use super::stored::{Alert, Ending, Ends, Rule};
use crate::event::stored::{Event, Severity};

/// Rules of one website.
pub(crate) const MOST_RULES: usize = 50;
/// Notices of one run.
const MOST_TOLD: usize = 20;

/// The rules of a website that are on.
pub(crate) fn rules(cx: &Cx, site: &str) -> Vec<Stored<Rule>> {
    let all = cx.records::<Rule>().by("site_id_name").equals(site);
    all.scan().filter(|it| it.enabled).take(MOST_RULES).collect()
}

/// Whether a rule is about an event.
pub(crate) fn is_about(rule: &Rule, event: &Event) -> bool {
    let kind = rule.on.strip_prefix("event.");
    rule.condition.is == Is::Event
        && kind.is_some_and(|kind| kind == "any" || kind == event.kind.name())
        && event.severity >= rule.condition.least()
}

/// Fires the rules that are about these events.
///
/// # Errors
/// The host's refusal of a record or a notice.
pub(crate) fn on_events(cx: &Cx, events: &[Stored<Event>]) -> Result<()> {
    let mut of_sites: BTreeMap<&str, Vec<Stored<Rule>>> = BTreeMap::new();
    let mut fired = Vec::new();
    for event in events {
        let rules = of_sites.entry(&event.site_id).or_insert_with(|| rules(cx, &event.site_id));
        for rule in rules.iter().filter(|it| is_about(it, event)) {
            let seen = format!("{}: {} ({})", event.kind.name(), event.target, event.seen);
            let target = Alert::target_of(event);
            let alert = fire(cx, &Fired { rule, target: &target, seen, event: Some(event) })?;
            fired.extend(alert.map(|it| (it, Some(event))));
        }
    }
    tell_all(cx, fired)
}

/// Tells of alerts that were fired: of more than a run may tell, those beyond are told together.
///
/// # Errors
/// The host's refusal of a record or a notice.
pub(crate) fn tell_all(cx: &Cx, mut fired: Vec<(Stored<Alert>, Option<&Stored<Event>>)>) -> Result<()> {
    let alone = if fired.len() > MOST_TOLD { MOST_TOLD - 1 } else { fired.len() };
    let together = fired.split_off(alone);
    for (mut alert, event) in fired {
        alert.notice = format!("alert {}", alert.id);
        tell(cx, &alert, event, None)?;
        cx.records::<Alert>().save(alert)?;
    }
    let others = together.len();
    let mut notice = None;
    for (mut alert, event) in together {
        if let Some(notice) = &notice {
            alert.notice = String::clone(notice);
        } else {
            alert.notice = format!("alerts {}", alert.id);
            tell(cx, &alert, event, Some(others - 1))?;
            notice = Some(alert.notice.clone());
        }
        cx.records::<Alert>().save(alert)?;
    }
    Ok(())
}

/// What a rule has found.
pub(crate) struct Fired<'a> {
    pub(crate) rule: &'a Stored<Rule>,
    pub(crate) target: &'a str,
    pub(crate) seen: String,
    pub(crate) event: Option<&'a Stored<Event>>,
}

/// Fires an alert, unless one of this rule on this target is open or ended within the debounce. It is still to be told.
///
/// # Errors
/// The host's refusal of a record.
pub(crate) fn fire(cx: &Cx, fired: &Fired<'_>) -> Result<Option<Stored<Alert>>> {
    let Fired { rule, target, seen, event } = fired;
    let now = cx.now().millis();
    if let Some(mut newest) = Alert::newest(cx, &rule.id, target) {
        let within = now.saturating_sub(newest.last_ms) < u64::from(rule.debounce_minutes) * 60_000;
        let ended_long = newest.ended_ms.is_some() && !within;
        if !ended_long {
            newest.last_ms = now;
            newest.times += 1;
            if newest.ended_ms.is_some() && event.is_some_and(|it| it.is_incident) {
                // It flaps: the same alert goes on, and nobody is told again.
                (newest.ended_ms, newest.ending) = (None, None);
                newest.event = event.map(|it| it.id.to_string());
            }
            cx.records::<Alert>().save(newest)?;
            return Ok(None);
        }
    }
    // Of a change nothing more is to come: its alert is over when it is fired.
    let is_over = event.is_some_and(|it| !it.is_incident);
    let alert = Alert {
        site_id: rule.site_id.clone(),
        rule: rule.id.to_string(),
        rule_name: rule.name.clone(),
        on: rule.on.clone(),
        target: (*target).to_owned(),
        severity: rule.severity,
        at_ms: now,
        last_ms: now,
        times: 1,
        ended_ms: is_over.then_some(now),
        ending: is_over.then_some(Ending::NothingGoesOn),
        evidence: kit::text::clip(seen, 500).to_owned(),
        event: event.map(|it| it.id.to_string()),
        notice: String::new(),
    };
    cx.records::<Alert>().insert(alert).map(Some)
}

/// Tells of an alert, and of so many others with it.
fn tell(cx: &Cx, alert: &Stored<Alert>, event: Option<&Stored<Event>>, others: Option<usize>) -> Result<()> {
    let plain = |text: &str, most: usize| {
        let line: String = text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect();
        kit::text::clip(line.trim(), most).to_owned()
    };
    let see = match event {
        _ if others.is_some() => {
            Next::new("monitoring.alert.list", json!({ "site_id": alert.site_id }), "shows the alerts")
        }
        Some(event) if event.before.is_some() => {
            Next::new("monitoring.event.diff.get", json!({ "event_ref": event.id }), "shows what changed")
        }
        Some(event) => {
            let arguments = json!({ "site_id": event.site_id, "monitor_ref": event.monitor });
            Next::new("monitoring.event.list", arguments, "shows the incident")
        }
        None => Next::new("monitoring.alert.list", json!({ "site_id": alert.site_id }), "shows the alert"),
    };
    let effect = event.map_or("", |it| it.kind.effect());
    let with = others.map_or(String::new(), |others| format!(", and {others} other alerts"));
    cx.notices().tell(&Notice {
        about: &alert.notice,
        urgency: match alert.severity {
            Severity::Info => Urgency::Info,
            Severity::Warning => Urgency::Warning,
            Severity::Critical => Urgency::Critical,
        },
        title: &plain(&format!("{}: {}", alert.rule_name, alert.evidence), 120),
        words: plain(&format!("{}{with} {effect}", alert.evidence), 1_500).trim(),
        site: Some(&alert.site_id),
        see: Some(&see),
    })
}

/// Ends the open alerts of an incident that is over.
///
/// # Errors
/// The host's refusal of a record.
pub(crate) fn resolve(cx: &Cx, event: &Stored<Event>) -> Result<()> {
    let of_target =
        cx.records::<Alert>().by("site_id_target_at_ms").equals(&event.site_id).equals(Alert::target_of(event));
    let open = of_target.descending().scan().take(200);
    let open: Vec<Stored<Alert>> =
        open.filter(|it| it.ended_ms.is_none() && it.event.as_deref() == Some(event.id.as_str())).collect();
    open.into_iter().try_for_each(|it| it.end(cx, Ending::ByItself))
}

/// What has become of telling an alert.
#[value]
pub(crate) enum Delivery {
    /// It is still to be told: quiet hours, or another try.
    Waiting,
    Told,
    Failed,
    /// You have chosen not to be told of the like, or no channel.
    Unwanted,
}

/// What has become of telling an alert, and why it failed.
pub(crate) fn delivery(cx: &Cx, alert: &Alert) -> (Delivery, Option<String>) {
    match cx.notices().state(&alert.notice) {
        NoticeState::Waiting => (Delivery::Waiting, None),
        NoticeState::Told => (Delivery::Told, None),
        NoticeState::Failed(why) => (Delivery::Failed, Some(why)),
        NoticeState::Unwanted => (Delivery::Unwanted, None),
    }
}
