//! Rules and alerts as they are stored.

use sdk::prelude::*;

use super::condition::Condition;
use crate::event::stored::{Event, Severity};

/// Alerts of a website that are looked through.
const MOST: usize = 2_000;

/// A rule.
#[record(collection = "alert_rules", thing = "rule", index(site_id, name))]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Rule {
    pub(crate) site_id: String,
    pub(crate) name: String,
    /// `event.any`, `event.<kind>` or the name of a metric.
    pub(crate) on: String,
    pub(crate) condition: Condition,
    pub(crate) severity: Severity,
    pub(crate) debounce_minutes: u32,
    pub(crate) enabled: bool,
    pub(crate) created_ms: u64,
}

/// How an alert ended.
#[value]
pub(crate) enum Ending {
    /// What it was about is over.
    ByItself,
    MonitorDeleted,
    RuleChanged,
    /// A change, of which nothing more is to come.
    NothingGoesOn,
}

/// An alert that was fired.
#[record(
    collection = "alerts",
    thing = "alert",
    index(site_id, at_ms),
    index(rule, target, at_ms),
    index(site_id, target, at_ms)
)]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Alert {
    pub(crate) site_id: String,
    pub(crate) rule: String,
    pub(crate) rule_name: String,
    pub(crate) on: String,
    /// What it is about, of which there is one open alert: a monitor and a kind of event, or the name of a metric.
    pub(crate) target: String,
    pub(crate) severity: Severity,
    pub(crate) at_ms: u64,
    /// When it was seen last.
    pub(crate) last_ms: u64,
    /// How often it was seen.
    pub(crate) times: u32,
    pub(crate) ended_ms: Option<u64>,
    pub(crate) ending: Option<Ending>,
    /// What was seen.
    pub(crate) evidence: String,
    pub(crate) event: Option<String>,
    /// The notice that told it.
    pub(crate) notice: String,
}

impl Alert {
    /// The target of an alert on an event: another kind on the same monitor is another matter.
    pub(crate) fn target_of(event: &Event) -> String {
        format!("{} {}", event.monitor, event.kind.name())
    }

    /// The monitor, or the name of the metric.
    pub(crate) fn shown_target(&self) -> &str {
        self.target.split(' ').next().unwrap_or_default()
    }

    /// The newest alert of a rule on a target.
    pub(crate) fn newest(cx: &Cx, rule: &Id<Rule>, target: &str) -> Option<Stored<Self>> {
        cx.records::<Self>().by("rule_target_at_ms").equals(rule).equals(target).descending().first()
    }

    /// Ends the open alerts on a monitor.
    ///
    /// # Errors
    /// The host's refusal of a record.
    pub(crate) fn end_all(cx: &Cx, site: &str, monitor: &str, ending: Ending) -> Result<()> {
        let of_site = cx.records::<Self>().by("site_id_at_ms").equals(site).descending().scan().take(MOST);
        let open = of_site.filter(|it| it.ended_ms.is_none() && it.shown_target() == monitor);
        open.collect::<Vec<_>>().into_iter().try_for_each(|it| it.end(cx, ending))
    }
}

/// What ends an alert.
pub(crate) trait Ends {
    /// Writes that it has ended.
    ///
    /// # Errors
    /// The host's refusal of a record.
    fn end(self, cx: &Cx, ending: Ending) -> Result<()>;
}

impl Ends for Stored<Alert> {
    fn end(mut self, cx: &Cx, ending: Ending) -> Result<()> {
        self.ended_ms = Some(cx.now().millis());
        self.ending = Some(ending);
        cx.records::<Alert>().save(self).map(drop)
    }
}
