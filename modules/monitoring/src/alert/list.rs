//! The operation `monitoring.alert.list`.

use sdk::prelude::*;
use site::Site;

use super::fire::{Delivery, delivery};
use super::stored::{Alert, Ending, Rule};
use crate::event::stored::{Event, Severity};
use crate::near;

/// Alerts that one call looks at.
const MOST: usize = 2_000;

/// Whether an alert goes on.
#[value]
pub(crate) enum State {
    Open,
    Resolved,
}

#[args(paged)]
pub(crate) struct Listing {
    /// The website; all of yours when left out.
    site_id: Option<Id<Site>>,
    /// Those that stand so.
    state: Option<State>,
    /// This severity alone.
    severity: Option<Severity>,
    /// From this day.
    from: Option<Day>,
    /// Until this day.
    to: Option<Day>,
}

/// An alert.
#[value]
pub(crate) struct Row {
    alert_ref: Id<Alert>,
    rule_ref: Id<Rule>,
    rule_name: String,
    site_id: Id<Site>,
    on: String,
    /// The monitor, or the metric.
    target: String,
    severity: Severity,
    state: State,
    fired_at: Moment,
    resolved_at: Option<Moment>,
    /// How it ended: `by_itself` is the recovery of what it was about.
    ending: Option<Ending>,
    /// How often it was seen, within its debounce.
    times: u32,
    /// What was seen.
    evidence: String,
    event_ref: Option<Id<Event>>,
    delivery: Delivery,
    /// Why no channel took it.
    #[own]
    delivery_reason: Option<String>,
}

/// Alerts.
#[page]
pub(crate) struct Rows {
    /// The newest first.
    alerts: Vec<Row>,
    total: u64,
}

/// Lists fired alerts with evidence, delivery outcome and whether they resolved by themselves.
///
/// An alert on a change is resolved when it is fired: nothing goes on that could end. The newest 2,000 are looked at.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list my alerts", "which alerts are open", "was I told of the outage"],
    examples = [{ "site_id": "4503599627370496", "state": "open" }, { "severity": "critical", "from": "2026-09-01", "to": "2026-09-30" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    near::in_order(args.from, args.to)?;
    let records = cx.records::<Alert>();
    let mut all: Vec<Stored<Alert>> = match &args.site_id {
        Some(site) => {
            let site = site::get(cx, site)?;
            records.by("site_id_at_ms").equals(&site.id).descending().scan().take(MOST).collect()
        }
        None => records.all().descending().scan().take(MOST).collect(),
    };
    all.sort_by_key(|it| std::cmp::Reverse(it.at_ms));
    let state = |it: &Alert| if it.ended_ms.is_some() { State::Resolved } else { State::Open };
    all.retain(|it| {
        let day = Moment::from_millis(it.at_ms).day();
        args.state.is_none_or(|wanted| wanted == state(it))
            && args.severity.is_none_or(|severity| severity == it.severity)
            && args.from.is_none_or(|from| day >= from)
            && args.to.is_none_or(|to| day <= to)
    });
    let total = all.len() as u64;
    let page = args.window(all)?;
    let rows = page.items.into_iter().map(|it| row(cx, it)).collect();
    Ok(Rows { alerts: rows, next_cursor: page.next, total })
}

fn row(cx: &Cx, it: Stored<Alert>) -> Row {
    let (delivery, delivery_reason) = delivery(cx, &it);
    let target = it.shown_target().to_owned();
    let alert_ref = it.id.clone();
    let it = it.into_inner();
    Row {
        alert_ref,
        state: if it.ended_ms.is_some() { State::Resolved } else { State::Open },
        rule_ref: Id::new(it.rule),
        rule_name: it.rule_name,
        site_id: Id::new(it.site_id),
        on: it.on,
        target,
        severity: it.severity,
        fired_at: Moment::from_millis(it.at_ms),
        resolved_at: it.ended_ms.map(Moment::from_millis),
        ending: it.ending,
        times: it.times,
        evidence: it.evidence,
        event_ref: it.event.map(Id::new),
        delivery,
        delivery_reason,
    }
}
