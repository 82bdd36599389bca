//! People who are asked whether they want mail, and what they said, in words.

use sdk::prelude::*;
use sdk::{Invitation, RecipientState};

use crate::mail::fault;

#[args]
pub(crate) struct Ask {
    /// Through which connection.
    connection_ref: Text<1, 128>,
    /// Whom.
    address: Text<1, 320>,
    /// What for.
    words: Text<1, 1_000>,
}

#[args]
pub(crate) struct Who {
    /// Of whom.
    address: Text<1, 320>,
}

#[value]
pub(crate) struct Known {
    state: String,
    /// Everybody who was asked.
    asked: Vec<String>,
}

/// Asks somebody whether they want mail.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["connection:smtp"],
    outside = ["smtp SEND /transactional change"],
    phrasings = ["ask whether they want mail"],
    examples = [{ "connection_ref": "con_1", "address": "bob@shop.example", "words": "The weekly report" }]
)]
pub(crate) fn invite(cx: &Cx, args: Ask) -> Result<Known> {
    let invitation = cx.recipients().invite(&args.connection_ref, &args.address, &args.words).map_err(fault)?;
    let state = match invitation {
        Invitation::Invited(_) => "invited",
        Invitation::AlreadyInvited(_) => "already_invited",
        Invitation::Confirmed(_) => "confirmed",
        Invitation::Declined(_) => "declined",
        Invitation::Left(_) => "left",
    };
    Ok(Known { state: state.to_owned(), asked: asked(cx) })
}

/// Says what is known of somebody.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = ["who wants mail"],
    examples = [{ "address": "bob@shop.example" }]
)]
pub(crate) fn who(cx: &Cx, args: Who) -> Result<Known> {
    let state = match cx.recipients().state(&args.address) {
        RecipientState::Unknown => "unknown",
        RecipientState::Invited(_) => "invited",
        RecipientState::Confirmed(_) => "confirmed",
        RecipientState::Declined(_) => "declined",
        RecipientState::Left(_) => "left",
    };
    Ok(Known { state: state.to_owned(), asked: asked(cx) })
}

fn asked(cx: &Cx) -> Vec<String> {
    cx.recipients().list(None, 100).recipients.into_iter().map(|it| it.address).collect()
}
