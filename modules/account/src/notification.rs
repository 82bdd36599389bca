//! The operation `account.notification.update`. What is told, and when, is its step's: `notification/tell.rs`.

mod channel;
mod quiet;
pub(crate) mod tell;

use sdk::prelude::*;
use sdk::value::Time;
use sdk::{PlatformAction, json};

use crate::profile;
use channel::{Channel, Wanted};

/// The one row of the settings.
const WORKSPACE: &str = "workspace";

/// How much something matters.
#[value]
#[derive(Default)]
pub(crate) enum Severity {
    /// A job has ended well.
    #[default]
    Info,
    /// A job has failed, or a watched number has fallen.
    Warning,
    /// The service cannot go on without you.
    Critical,
}

/// Where alerts and job results go; one row, under the id `workspace`.
#[record(collection = "notification_settings", reference = "workspace")]
#[derive(Default)]
pub(crate) struct Notifications {
    /// In the order in which they are used; none: nothing is told.
    pub(crate) channels: Vec<Channel>,
    /// What matters less is not told.
    pub(crate) min_severity: Severity,
    /// From this time on, in the workspace's zone, only what is critical is told at once.
    pub(crate) quiet_from: Option<Time>,
    /// Until this time, when the rest follows.
    pub(crate) quiet_to: Option<Time>,
}

/// Members that are left out stay as they are.
#[args]
pub(crate) struct Update {
    /// Where to; an empty list ends all notifications.
    channels: Option<List<Wanted, 0, 5>>,
    /// What matters less is not told: `info` tells of every job, `warning` of failures and falls.
    min_severity: Option<Severity>,
    /// From this time on, in the workspace's time zone, what is not critical waits; equal to `quiet_to`: never.
    quiet_from: Option<Time>,
    /// Until this time.
    quiet_to: Option<Time>,
}

/// The settings in force.
#[value]
pub(crate) struct Shown {
    channels: Vec<Channel>,
    min_severity: Severity,
    quiet_from: Option<Time>,
    quiet_to: Option<Time>,
    /// The zone of both times; `account.profile.update` sets it.
    timezone: String,
}

/// What is set.
#[value]
pub(crate) struct Updated {
    settings: Shown,
    /// Where the secret is that webhooks are signed with; null without a webhook. It is entered with `connections.add`
    /// and never shown.
    webhook_secret_hint: Option<String>,
}

/// Sets where alerts and job results go (email, webhook signed with HMAC-SHA-256), the severity floor and quiet hours in the workspace time zone.
///
/// E-mail goes through your own server, a connection of kind `smtp`. A webhook is a connection of kind `signed_webhook`,
/// named by its reference or its name: the body is JSON and signed as Standard Webhooks say (`webhook-id`,
/// `webhook-timestamp`, `webhook-signature`), and `webhook-id` stays the same when it is sent again. What cannot be handed
/// over is tried for about a day. The job that tells you is among your jobs and costs nothing.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["messages are sent to these addresses when jobs end and alerts are raised"],
    needs = ["store", "mail", "connection:smtp?", "connection:signed_webhook?"],
    outside = ["smtp SEND /transactional change", "signed_webhook POST / change idempotent"],
    phrasings = [
        "email me when a job is done",
        "send alerts to a webhook",
        "only notify me about failures",
        "set quiet hours at night",
        "turn off notifications",
    ],
    examples = [
        { "channels": [{ "kind": "email", "target": "ops@shop.example" }], "min_severity": "warning" },
        { "quiet_from": "22:00", "quiet_to": "07:00" },
        { "channels": [] },
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let kept = cx.records::<Notifications>().find(&Id::new(WORKSPACE));
    let mut settings = kept.as_ref().map(|it| it.it.clone()).unwrap_or_default();
    if let Some(wanted) = args.channels {
        settings.channels = channel::read(cx, wanted.iter())?;
    }
    settings.min_severity = args.min_severity.unwrap_or(settings.min_severity);
    settings.quiet_from = args.quiet_from.or(settings.quiet_from);
    settings.quiet_to = args.quiet_to.or(settings.quiet_to);
    if settings.quiet_from.is_some() != settings.quiet_to.is_some() {
        let pointer = if settings.quiet_from.is_some() { "/quiet_to" } else { "/quiet_from" };
        let message = "quiet hours have a beginning and an end: give both";
        return Err(Fault::invalid(pointer, "quiet_hours_incomplete", message));
    }
    let told = !settings.channels.is_empty();
    cx.platform().act::<sdk::serde_json::Value>(&PlatformAction::TellJobs(told))?;
    match kept {
        Some(kept) => {
            cx.records::<Notifications>().update(&kept.id, |it| *it = settings.clone())?;
        }
        None => {
            cx.records::<Notifications>().insert_as(Id::new(WORKSPACE), settings.clone())?;
        }
    }
    let signed = settings.channels.iter().find(|it| it.is_webhook());
    let hint = signed.map(|it| format!("signing_secret of the connection {}", it.connection_ref()));
    let Notifications { channels, min_severity, quiet_from, quiet_to } = settings;
    let shown = Shown { channels, min_severity, quiet_from, quiet_to, timezone: profile::timezone(cx) };
    Ok(Updated { settings: shown, webhook_secret_hint: hint })
}

/// What `connection_required` says.
fn connection_required(pointer: String, kind: &str, reason: &str) -> Fault {
    Fault::invalid(pointer, "connection_required", reason).detail(json!({
        "kind": kind,
        "reason": reason,
        "add_with": "connections.add",
    }))
}

#[cfg(test)]
mod tests;
