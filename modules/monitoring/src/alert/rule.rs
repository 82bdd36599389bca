//! The operation `monitoring.alert_rule.set`.

use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;

use super::condition::{Condition, Figures, Is};
use super::daily;
use super::fire::{MOST_RULES, is_about};
use super::stored::{Alert, Ending, Ends, Rule};
use crate::event::stored::{Event, EventKind, Severity};
use crate::series;

/// Days that are looked back at.
const BACK: i32 = 30;
/// Events that are looked back at.
const MOST: usize = 2_000;

#[args]
pub(crate) struct Set {
    /// The website.
    site_id: Id<Site>,
    /// A rule of this name is changed, or made.
    name: Text<1, 80>,
    /// `event.any`, `event.` with a kind that monitoring.event.list shows, or a metric that monitoring.anomaly.detect knows.
    on: Text<1, 80>,
    condition: Condition,
    /// How much its alerts matter: monitoring tells you from the severity that account.notification.update has.
    severity: Severity,
    /// Minutes after an alert in which the same rule and target fire no new one.
    #[default(60)]
    debounce_minutes: Count<0, 1_440>,
    #[default(true)]
    enabled: bool,
}

/// The rule as it is now.
#[value]
pub(crate) struct RuleSet {
    rule_ref: Id<Rule>,
    /// Alerts that it would have fired in the last 30 days; null where nothing is stored to tell.
    would_have_fired_30d: Option<u64>,
    degraded: Vec<Degraded>,
}

/// Sets a rule on a metric or event kind (threshold, percent change, anomaly, missing data) with debounce, severity and channel.
///
/// Rules on events fire with the check that finds them, those on figures once a day. You are told once of each alert, in the way that
/// you chose with account.notification.update. A website has at most 50 rules.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["store"],
    phrasings = ["alert me when clicks fall", "tell me when a page gets noindex", "set an alert rule", "warn me of anomalies"],
    examples = [
        { "site_id": "4503599627370496", "name": "Critical events", "on": "event.any", "condition": { "is": "event", "min_severity": "critical" }, "severity": "critical" },
        { "site_id": "4503599627370496", "name": "Clicks fall", "on": "search.clicks", "condition": { "is": "change", "percent": 25, "days": 7 }, "severity": "warning", "debounce_minutes": 1440 },
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<RuleSet> {
    let site = site::get(cx, &args.site_id)?;
    let on = args.on.as_str().to_owned();
    let event = on.strip_prefix("event.");
    if let Some(kind) = event {
        let known = kind == "any" || serde_json::from_value::<EventKind>(json!(kind)).is_ok();
        if !known {
            let message = "there is no such kind of event; `event.any` is about all";
            return Err(Fault::invalid("/on", "event_unknown", message));
        }
    } else {
        series::metric(&on, "/on")?;
    }
    args.condition.check(event.is_some())?;
    let records = cx.records::<Rule>();
    let all: Vec<Stored<Rule>> = records.by("site_id_name").equals(&site.id).scan().collect();
    let before = all.iter().find(|it| it.name == args.name.as_str());
    if before.is_none() && all.len() >= MOST_RULES {
        let message = format!("a website has at most {MOST_RULES} rules; change one by its name");
        return Err(Fault::conflict("too_many_rules", message).at("/name"));
    }
    let rule = Rule {
        site_id: site.id.to_string(),
        name: args.name.into_string(),
        on,
        condition: args.condition,
        severity: args.severity,
        debounce_minutes: u32::try_from(args.debounce_minutes.get()).unwrap_or(60),
        enabled: args.enabled,
        created_ms: before.map_or_else(|| cx.now().millis(), |it| it.created_ms),
    };
    let rule = match before {
        Some(before) => {
            end(cx, before)?;
            let mut changed = before.clone();
            changed.it = rule;
            records.save(changed)?
        }
        None => records.insert(rule)?,
    };
    daily::settle(cx)?;
    let (would_have_fired_30d, degraded) = look_back(cx, &site, &rule);
    Ok(RuleSet { rule_ref: rule.id, would_have_fired_30d, degraded })
}

/// Ends what the rule had open: it says something else now.
fn end(cx: &Cx, rule: &Stored<Rule>) -> Result<()> {
    let open = cx.records::<Alert>().by("rule_target_at_ms").equals(&rule.id);
    let open: Vec<Stored<Alert>> = open.scan().take(500).filter(|it| it.ended_ms.is_none()).collect();
    open.into_iter().try_for_each(|it| it.end(cx, Ending::RuleChanged))
}

/// Alerts of the last 30 days, by the same code that fires them.
fn look_back(cx: &Cx, site: &Stored<Site>, rule: &Stored<Rule>) -> (Option<u64>, Vec<Degraded>) {
    let debounce = u64::from(rule.debounce_minutes) * 60_000;
    let first = cx.now().day().plus(1 - BACK);
    let mut fired = 0;
    if rule.condition.is == Is::Event {
        let events = cx.records::<Event>().by("site_id_at_ms").equals(&site.id).descending();
        let mut events: Vec<Stored<Event>> = events.scan().take(MOST).collect();
        events.reverse();
        let mut last: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
        for event in events.iter().filter(|it| is_about(rule, it) && Moment::from_millis(it.at_ms).day() >= first) {
            let before = last.insert(event.monitor.clone(), event.at_ms);
            fired += u64::from(before.is_none_or(|it| event.at_ms.saturating_sub(it) >= debounce));
        }
        return (Some(fired), Vec::new());
    }
    let Ok(metric) = series::metric(&rule.on, "/on") else { return (None, Vec::new()) };
    let Some(last) = series::last_day(cx, &site.id) else {
        let none = Degraded::new("would_have_fired_30d", "no search figures of this website are stored");
        let sync = json!({ "site_id": site.id });
        return (None, vec![none.supplied_by("search_console.sync.run", sync)]);
    };
    let last = if rule.condition.is == Is::Missing { cx.now().day() } else { last };
    let first = last.plus(1 - BACK);
    let figures = Figures::read(cx, &site.id, metric, &rule.condition, first, last);
    let mut is_open = false;
    for at in 0..BACK {
        let holds = figures.holds(&rule.condition, first.plus(at)).is_some();
        fired += u64::from(holds && !is_open);
        is_open = holds;
    }
    (Some(fired), Vec::new())
}
