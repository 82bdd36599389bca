//! Mail of both classes, and how it went in words.

use sdk::prelude::*;
use sdk::{Letter, MailFailure, json};

use crate::{Handed, Started};

#[args]
pub(crate) struct Write {
    /// Through which connection.
    connection_ref: Text<1, 128>,
    /// To whom.
    to: List<Text<1, 320>, 1, 30>,
    /// What it is about.
    subject: Text<1, 400>,
    /// What it says.
    text: Text<1, 10_000>,
    /// The name beside the address.
    from_name: Option<Text<1, 200>>,
    /// What it answers.
    in_reply_to: Option<Text<1, 400>>,
}

#[value]
pub(crate) struct Written {
    message_id: String,
    accepted: Vec<String>,
    /// `550 5.1.1 nobody@shop.example`.
    refused: Vec<String>,
}

/// Tells somebody something about their own affairs.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["connection:smtp"],
    outside = ["smtp SEND /transactional change"],
    phrasings = ["send a note"],
    examples = [{ "connection_ref": "con_1", "to": ["bob@shop.example"], "subject": "A lamp", "text": "Hello" }]
)]
pub(crate) fn note(cx: &Cx, args: Write) -> Result<Written> {
    let mut letter = letter(Letter::transactional, &args);
    for more in args.to.iter().skip(1) {
        letter = letter.also_to(more);
    }
    send(cx, &letter)
}

/// Tells the people of a list something.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["connection:smtp"],
    outside = ["smtp SEND /list change"],
    phrasings = ["send news"],
    examples = [{ "connection_ref": "con_1", "to": ["bob@shop.example"], "subject": "News", "text": "Hello" }]
)]
pub(crate) fn news(cx: &Cx, args: Write) -> Result<Written> {
    send(cx, &letter(Letter::list, &args))
}

/// Tries to send list mail with a line for transactional mail alone.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["connection:smtp"],
    outside = ["smtp SEND /transactional change"],
    phrasings = ["send what is not permitted"],
    examples = [{ "connection_ref": "con_1", "to": ["bob@shop.example"], "subject": "News", "text": "Hello" }]
)]
pub(crate) fn smuggle(cx: &Cx, args: Write) -> Result<Written> {
    send(cx, &letter(Letter::list, &args))
}

/// Writes to one after another in the steps of a job.
#[operation(
    job,
    queued(step = "round"),
    scope = "assets:write",
    cost = job(unit = "letters", every = 1, most = 10),
    needs = ["connection:smtp"],
    outside = ["smtp SEND /list change"],
    phrasings = ["write to all"],
    examples = [{ "connection_ref": "con_1", "to": ["bob@shop.example"], "subject": "News", "text": "Hello" }]
)]
pub(crate) fn round(cx: &Cx, args: Write) -> Result<Started> {
    Ok(Started { job_ref: cx.jobs().enqueue("round", &args)?, state: sdk::IsQueued::Queued })
}

#[value]
pub(crate) struct Rounds {
    /// Recipients that were written to or given up.
    done: u32,
    /// Those who have left the list.
    left: u32,
    /// Those of whom nobody knows whether they have it.
    unknown: u32,
}

/// One letter a step.
#[step]
pub(crate) fn walk(cx: &Cx, payload: Write, checkpoint: Option<Rounds>) -> Result<Step<Rounds, Rounds, Rounds>> {
    let Rounds { done, mut left, mut unknown } = checkpoint.unwrap_or(Rounds { done: 0, left: 0, unknown: 0 });
    let to = &payload.to[done as usize];
    let letter = Letter::list(&payload.connection_ref, to, &payload.subject, payload.text.as_str());
    match cx.mail().send(&letter) {
        Ok(_) => {}
        Err(MailFailure::Unsubscribed) => left += 1,
        Err(MailFailure::UnknownOutcome) => unknown += 1,
        Err(_) => return Err(Fault::unavailable("mail_failed", "the server did not take it")),
    }
    let now = || Rounds { done: done + 1, left, unknown };
    let is_last = payload.to.len() == done as usize + 1;
    Ok(if is_last { Step::done(now(), now()) } else { Step::next(now(), now()) }.units(1))
}

fn letter(class: fn(&str, &str, &str, String) -> Letter, args: &Write) -> Letter {
    let mut letter = class(&args.connection_ref, &args.to[0], &args.subject, args.text.to_string());
    if let Some(name) = &args.from_name {
        letter = letter.from_name(name);
    }
    if let Some(id) = &args.in_reply_to {
        letter = letter.answering(id, []);
    }
    letter
}

/// Sends a letter and keeps a record of it in the same call.
fn send(cx: &Cx, letter: &Letter) -> Result<Written> {
    let sent = cx.mail().send(letter).map_err(fault)?;
    cx.records::<Handed>().insert(Handed::named("a letter"))?;
    let refused = sent.refused.into_iter().map(|it| {
        let enhanced = it.reply.enhanced.unwrap_or_default();
        format!("{} {enhanced} {}", it.reply.code, it.address)
    });
    Ok(Written { message_id: sent.message_id, accepted: sent.accepted, refused: refused.collect() })
}

pub(crate) fn fault(failure: MailFailure) -> Fault {
    let unavailable = |code| Fault::unavailable(code, "the server did not take it");
    match failure {
        MailFailure::Invalid(it) => Fault::invalid("/to", "mail_invalid", &it.why).detail(json!({ "at": it.member })),
        MailFailure::NotConnected => Fault::not_found("connection_not_found", "there is no such connection"),
        MailFailure::Unsubscribed => Fault::conflict("unsubscribed", "they have left the list"),
        MailFailure::UnknownOutcome => Fault::conflict("outcome_unknown", "the server may have it"),
        MailFailure::Rejected(reply) => {
            unavailable("mail_rejected").detail(json!({ "reply": reply.code, "enhanced": reply.enhanced }))
        }
        MailFailure::RateLimited(reply) => {
            unavailable("mail_limited").detail(json!({ "reply": reply.map(|it| it.code) }))
        }
        MailFailure::Refused => unavailable("mail_refused"),
        MailFailure::Unreachable => unavailable("mail_unreachable"),
        MailFailure::Timeout => unavailable("mail_timeout"),
        MailFailure::Tls => unavailable("mail_tls"),
        MailFailure::Malformed => unavailable("mail_malformed"),
        MailFailure::ExpiredCredential => unavailable("mail_expired_credential"),
        MailFailure::TooLarge(_) => unavailable("mail_too_large"),
    }
}
