//! The step that tells a customer of an ended job or an alert, channel by channel, until each has taken it.

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Letter, MailFailure, Send, SendFailure, json};

use super::channel::Channel;
use super::{Notifications, Severity, WORKSPACE, quiet};
use crate::profile;

/// Minutes before each further try of a channel that did not take it.
const PAUSES: [u32; 9] = [1, 5, 15, 30, 60, 120, 240, 360, 480];
/// The host takes up a waiting job within an hour.
const LONGEST_WAIT: u32 = 60;

/// What is told, as `wit/platform.md` has it under `tell-jobs`.
#[value]
pub(crate) struct Notice {
    kind: String,
    severity: Severity,
    at: u64,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// What one step hands to the next.
#[value]
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// The channel that is next.
    channel: usize,
    /// Tries that it did not take.
    tries: usize,
    /// Minutes that are still to be waited.
    wait: u32,
    /// What became of the channels before.
    told: Vec<Told>,
}

/// What became of one channel.
#[value]
pub(crate) struct Told {
    connection_ref: String,
    /// Whether it was taken over.
    delivered: bool,
    /// Why not.
    reason: Option<String>,
}

/// What followers of the job see.
#[value]
pub(crate) struct Progress {
    done: usize,
    total: usize,
}

/// What the job ends with.
#[value]
pub(crate) struct Outcome {
    channels: Vec<Told>,
    /// Why nothing was told: `below_severity` or `no_channel`.
    skipped: Option<String>,
}

/// Whether a channel has taken it.
enum Taken {
    Yes,
    /// It may next time.
    Later(&'static str),
    Never(&'static str),
}

/// Tells one channel after the other.
#[step]
pub(crate) fn tell(
    cx: &Cx,
    payload: Notice,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let settings = cx.records::<Notifications>().find(&Id::new(WORKSPACE)).map(|it| it.it).unwrap_or_default();
    let total = settings.channels.len();
    let skipped = match () {
        () if settings.channels.is_empty() => Some("no_channel"),
        () if payload.severity < settings.min_severity => Some("below_severity"),
        () => None,
    };
    if let Some(why) = skipped {
        let outcome = Outcome { channels: Vec::new(), skipped: Some(why.to_owned()) };
        return Ok(Step::done(outcome, Progress { done: 0, total }));
    }
    let mut state = checkpoint.unwrap_or_default();
    let zone = profile::timezone(cx);
    let hours = settings.quiet_from.zip(settings.quiet_to).filter(|_| payload.severity < Severity::Critical);
    if let Some(minutes) = quiet::left(cx.now(), &zone, hours) {
        let wait = u32::from(minutes).min(LONGEST_WAIT);
        let progress = Progress { done: state.channel, total };
        return Ok(Step::next(state, progress).after(wait * 60_000));
    }
    if state.wait > 0 {
        return Ok(waiting(state, total));
    }
    while let Some(channel) = settings.channels.get(state.channel) {
        let (delivered, reason) = match hand_over(cx, channel, &payload) {
            Taken::Yes => (true, None),
            Taken::Never(reason) => (false, Some(reason)),
            Taken::Later(reason) => match PAUSES.get(state.tries) {
                Some(minutes) => {
                    (state.tries, state.wait) = (state.tries + 1, *minutes);
                    return Ok(waiting(state, total));
                }
                None => (false, Some(reason)),
            },
        };
        let connection_ref = channel.connection_ref().to_owned();
        state.told.push(Told { connection_ref, delivered, reason: reason.map(str::to_owned) });
        (state.channel, state.tries) = (state.channel + 1, 0);
        // One message a step: what was sent is never in doubt for the next one.
        if state.channel < total {
            let progress = Progress { done: state.channel, total };
            return Ok(Step::next(state, progress));
        }
    }
    let progress = Progress { done: state.told.len(), total };
    Ok(Step::done(Outcome { channels: state.told, skipped: None }, progress))
}

fn waiting(mut state: Checkpoint, total: usize) -> Step<Checkpoint, Progress, Outcome> {
    let now = state.wait.min(LONGEST_WAIT);
    state.wait -= now;
    let progress = Progress { done: state.channel, total };
    Step::next(state, progress).after(now * 60_000)
}

fn hand_over(cx: &Cx, channel: &Channel, notice: &Notice) -> Taken {
    if channel.is_webhook() { webhook(cx, channel, notice) } else { mail(cx, channel, notice) }
}

fn webhook(cx: &Cx, channel: &Channel, notice: &Notice) -> Taken {
    let mut data = notice.rest.clone();
    data.retain(|_, value| !value.is_null());
    data.insert("severity".to_owned(), json!(notice.severity));
    let body = json!({
        "type": notice.kind,
        "timestamp": Moment::from_millis(notice.at),
        "data": data,
    });
    match cx.connections().send(&Send::post(channel.connection_ref(), "/").json(&body)) {
        Ok(sent) if sent.is_success() => Taken::Yes,
        // Standard Webhooks: the receiver does not want it any more.
        Ok(sent) if sent.status == 410 => Taken::Never("gone"),
        Ok(_) => Taken::Later("refused_by_receiver"),
        Err(SendFailure::NotConnected) => Taken::Never("not_connected"),
        Err(SendFailure::Refused) => Taken::Never("refused"),
        Err(SendFailure::UnknownOutcome) => Taken::Never("unknown_outcome"),
        Err(SendFailure::ExpiredCredential) => Taken::Never("credential_refused"),
        Err(_) => Taken::Later("unreachable"),
    }
}

fn mail(cx: &Cx, channel: &Channel, notice: &Notice) -> Taken {
    let letter = Letter::transactional(channel.connection_ref(), channel.target(), &subject(notice), text(notice));
    match cx.mail().send(&letter) {
        Ok(sent) if sent.accepted.is_empty() => Taken::Never("recipient_refused"),
        Ok(_) => Taken::Yes,
        Err(MailFailure::NotConnected) => Taken::Never("not_connected"),
        Err(MailFailure::Refused | MailFailure::Invalid(_) | MailFailure::TooLarge(_)) => Taken::Never("refused"),
        Err(MailFailure::ExpiredCredential) => Taken::Never("credential_refused"),
        Err(MailFailure::UnknownOutcome) => Taken::Never("unknown_outcome"),
        Err(MailFailure::Rejected(reply)) if (500..600).contains(&reply.code) => Taken::Never("rejected"),
        Err(_) => Taken::Later("unreachable"),
    }
}

fn part<'a>(notice: &'a Notice, name: &str) -> Option<&'a str> {
    notice.rest.get(name).and_then(Value::as_str)
}

fn subject(notice: &Notice) -> String {
    let operation = part(notice, "operation_id").unwrap_or("a job");
    match notice.kind.as_str() {
        "job_succeeded" => format!("Done: {operation}"),
        "job_failed" => format!("Failed: {operation}"),
        _ => format!("Alert: {}", part(notice, "title").unwrap_or("a watched number has fallen")),
    }
}

fn text(notice: &Notice) -> String {
    let mut lines = vec![subject(notice), String::new()];
    let mut say = |words: &str, name: &str| {
        if let Some(value) = notice.rest.get(name).filter(|it| !it.is_null()) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            lines.push(format!("{words}: {value}"));
        }
    };
    say("Module", "module");
    say("Job", "job_ref");
    say("Reason", "code");
    say("Website", "site_id");
    say("Before", "before");
    say("Now", "now");
    lines.push(format!("At: {}", Moment::from_millis(notice.at)));
    if let Some(words) = part(notice, "words").filter(|it| !it.is_empty()) {
        lines.insert(2, format!("{words}\n"));
    }
    if let Some(see) = notice.rest.get("see").filter(|it| it.is_object()) {
        let operation = see.get("operation_id").and_then(Value::as_str).unwrap_or_default();
        let arguments = see.get("arguments").map(Value::to_string).unwrap_or_default();
        lines.push(format!("\nSee more with {operation} {arguments}."));
    }
    if part(notice, "job_ref").is_some() {
        lines.push("\nRead it with account.job.get.".to_owned());
    }
    lines.push("\nWhat you are told, and where, is set with account.notification.update.".to_owned());
    lines.join("\n")
}
