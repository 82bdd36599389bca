//! The operation `monitoring.event.acknowledge`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, Next, json};

use super::noise::{self, patterns};
use super::stored::{Event, Judged, read};
use crate::monitor::stored::{Kind, Monitor};

/// Bytes of texts that one call compares for patterns: what the lock's fuel is for.
const MAX_COMPARED: usize = 1 << 20;
/// Patterns of one monitor.
const MOST_PATTERNS: usize = 20;

#[args]
pub(crate) struct Acknowledge {
    /// The events.
    event_refs: List<Id<Event>, 1, 100>,
    verdict: Judged,
    /// Whether a task is wanted for each problem.
    #[default(false)]
    open_task: bool,
}

/// Patterns that a monitor leaves aside from now on.
#[value]
pub(crate) struct Ignored {
    monitor_ref: Id<Monitor>,
    patterns: Vec<String>,
}

/// What was acknowledged.
#[value]
pub(crate) struct Acknowledged {
    updated: u64,
    /// Always empty: a task is written by the call in `next`.
    task_refs: Vec<String>,
    /// What noise added to the monitors.
    ignored: Vec<Ignored>,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Acknowledges events as intended, noise or problem; noise updates the monitor's ignore patterns and a problem can open a task.
///
/// Patterns are made of what changed: numbers, dates and tokens become classes, with the words before them. They are shown, and
/// monitoring.monitor.update takes them away. A monitor has at most 20.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["store"],
    phrasings = ["this change was intended", "mark a change as noise", "stop telling me of that date", "open a task for this change"],
    examples = [
        { "event_refs": ["event_01"], "verdict": "noise" },
        { "event_refs": ["event_01", "event_02"], "verdict": "problem", "open_task": true },
    ]
)]
pub(crate) fn acknowledge(cx: &Cx, args: Acknowledge) -> Result<Acknowledged> {
    let mut refs: Vec<&Id<Event>> = args.event_refs.iter().collect();
    refs.sort_unstable_by_key(|it| it.as_str());
    refs.dedup();
    let mut out =
        Acknowledged { updated: 0, task_refs: Vec::new(), ignored: Vec::new(), degraded: Vec::new(), next: Vec::new() };
    let mut room = MAX_COMPARED;
    let mut by_monitor: BTreeMap<String, Vec<Stored<Event>>> = BTreeMap::new();
    for id in refs {
        let at = args.event_refs.iter().position(|it| it == id).unwrap_or(0);
        let pointer = format!("/event_refs/{at}");
        let event = cx.records::<Event>().get(id).map_err(|fault| fault.at(&pointer))?;
        by_monitor.entry(event.monitor.clone()).or_default().push(event);
    }
    for (monitor, events) in by_monitor {
        let mut monitor = cx.records::<Monitor>().find(&Id::new(monitor));
        let mut added = Vec::new();
        for mut event in events {
            if event.judged.is_none()
                && !event.is_incident
                && let Some(monitor) = &mut monitor
            {
                monitor.open_changes = monitor.open_changes.saturating_sub(1);
            }
            if args.verdict == Judged::Noise {
                added.extend(of_noise(cx, &event, &mut room, &mut out.degraded));
            }
            if args.verdict == Judged::Problem && args.open_task {
                out.next.push(task(&event));
            }
            event.judged = Some(args.verdict);
            cx.records::<Event>().save(event)?;
            out.updated += 1;
        }
        let Some(mut monitor) = monitor else { continue };
        let is_text = matches!(monitor.kind, Kind::Content | Kind::Robots);
        let most = MOST_PATTERNS.saturating_sub(monitor.ignore.len());
        added.retain(|it| is_text && !monitor.ignore.contains(it));
        added.sort();
        added.dedup();
        if added.len() > most {
            let why =
                format!("a monitor has at most {MOST_PATTERNS} patterns; change them with monitoring.monitor.update");
            out.degraded.push(Degraded::new("ignored", why));
            added.truncate(most);
        }
        if !added.is_empty() {
            monitor.ignore.extend(added.iter().cloned());
            // What the patterns cut is cut of the next text only: that one is a first one.
            monitor.seen = None;
            out.ignored.push(Ignored { monitor_ref: monitor.id.clone(), patterns: added });
        }
        cx.records::<Monitor>().save(monitor)?;
    }
    if !out.next.is_empty() {
        let why = "tasks are kept by another module: make the calls in `next`";
        out.degraded.push(Degraded::new("task_refs", why));
    }
    Ok(out)
}

/// The patterns of one event, where there is `room` for its texts.
fn of_noise(cx: &Cx, event: &Event, room: &mut usize, degraded: &mut Vec<Degraded>) -> Vec<String> {
    let texts = read(cx, event.before.as_deref()).zip(read(cx, event.after.as_deref()));
    let Some((before, after)) = texts else {
        degraded.push(Degraded::new("ignored", "an event without a kept text gives no pattern"));
        return Vec::new();
    };
    let bytes = before.len() + after.len();
    if bytes > *room {
        let why = "the texts of more events than one call compares: acknowledge the others in a call of their own";
        degraded.push(Degraded::new("ignored", why));
        return Vec::new();
    }
    *room -= bytes;
    let mut found = patterns(&before, &after);
    if found.len() > noise::MOST {
        let why = format!("more than {} places differ, which is no noise; the first ones are left aside", noise::MOST);
        degraded.push(Degraded::new("ignored", why));
        found.truncate(noise::MOST);
    }
    found.retain(|it| it.len() <= 200);
    found
}

fn task(event: &Event) -> Next {
    let title: String = format!("{}: {}", event.kind.name(), event.target).chars().take(120).collect();
    let arguments = json!({ "site_id": event.site_id, "title": title, "note": event.seen });
    Next::new("websites.task.create", arguments, "opens a task for this change")
}
