//! The step that holds rules on figures against the newest day, once a day.

use sdk::prelude::*;
use sdk::{Progress, Work};
use site::Site;

use super::condition::{Figures, Is};
use super::fire::{Fired, fire, tell_all};
use super::stored::{Alert, Ending, Ends, Rule};
use crate::series;

/// Rules of one step.
const TOGETHER: u64 = 20;
/// The schedule's name.
const NAME: &str = "rules";

/// What the job works on.
#[value]
pub(crate) struct Payload {}

/// What one step hands to the next.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Checkpoint {
    after: Option<String>,
    rules: u64,
    fired: u64,
}

/// What the job ends with.
#[value]
pub(crate) struct Held {
    rules: u64,
    /// Alerts that were fired.
    fired: u64,
}

/// Writes the schedule, where any rule is on; it takes it away otherwise.
///
/// # Errors
/// The host's refusal of a schedule.
pub(super) fn settle(cx: &Cx) -> Result<()> {
    let any = cx.records::<Rule>().all().scan().any(|it| it.enabled && it.condition.is != Is::Event);
    if !any {
        cx.schedules().remove(NAME);
        return Ok(());
    }
    let work = Work {
        name: NAME,
        minutes: 1_440,
        operation: "monitoring.monitor.create",
        step: "alerts",
        payload: Payload {},
        // Holding rules against stored figures is no check, and costs nothing.
        units: 0,
    };
    cx.schedules().put_work(&work).map(drop)
}

/// Holds some rules against the newest day.
#[step]
pub(crate) fn alerts(
    cx: &Cx,
    _payload: Payload,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Held>> {
    let mut state = checkpoint.unwrap_or_default();
    let page = cx.records::<Rule>().all().page(TOGETHER, state.after.take().map(sdk::Cursor::new))?;
    let mut fired = Vec::new();
    for rule in page.items.iter().filter(|it| it.enabled && it.condition.is != Is::Event) {
        state.rules += 1;
        fired.extend(hold(cx, rule)?.map(|it| (it, None)));
    }
    state.fired += fired.len() as u64;
    tell_all(cx, fired)?;
    let progress = Progress::new(state.rules, None, "holding rules");
    if let Some(next) = page.next {
        state.after = Some(next.as_str().to_owned());
        return Ok(Step::next(state, progress));
    }
    Ok(Step::done(Held { rules: state.rules, fired: state.fired }, progress))
}

/// Holds one rule against the newest day; the alert that it fires.
fn hold(cx: &Cx, rule: &Stored<Rule>) -> Result<Option<Stored<Alert>>> {
    let Ok(metric) = series::metric(&rule.on, "/on") else { return Ok(None) };
    let site: Id<Site> = Id::new(rule.site_id.clone());
    let today = cx.now().day();
    let Some(last) = series::last_day(cx, &site) else { return Ok(None) };
    let day = if rule.condition.is == Is::Missing { today } else { last };
    let figures = Figures::read(cx, &site, metric, &rule.condition, day, day);
    match figures.holds(&rule.condition, day) {
        Some(seen) => {
            let seen = format!("{}: {seen}", rule.on);
            fire(cx, &Fired { rule, target: &rule.on, seen, event: None })
        }
        None => {
            if let Some(open) = Alert::newest(cx, &rule.id, &rule.on).filter(|it| it.ended_ms.is_none()) {
                open.end(cx, Ending::ByItself)?;
            }
            Ok(None)
        }
    }
}
