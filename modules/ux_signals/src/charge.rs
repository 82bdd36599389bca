//! The operation `ux_signals.campaign.charge.list`: what each page of a campaign costs, and where the ledger has it.

use campaign::State;
use sdk::prelude::*;

use crate::prepare::links;
use crate::reading::{charged, standing};
use crate::stored::{Campaign, Charge};
use crate::viral::PER_URL_MILLI;
use sdk::credits;

#[args]
pub(crate) struct Listing {
    /// The campaign.
    campaign_ref: Id<Campaign>,
}

/// The charge for one page.
#[value]
pub(crate) struct Line {
    /// The page.
    url: String,
    /// Where its charge is.
    state: Charge,
    /// Credits that it holds or costs now.
    credits: f64,
    /// The line of the ledger that says so, as `account.credit.ledger.list` shows it.
    ledger_ref: Id<Line>,
}

/// The charges of a campaign.
#[value]
pub(crate) struct Charges {
    /// One for each page.
    charges: Vec<Line>,
    /// Credits charged in all, less what went back.
    total: f64,
}

/// Lists reservations, delayed charges and refunds of a campaign per page, with ledger references.
#[operation(
    read,
    scope = "assets:read",
    cost = list(most = 10),
    needs = ["store", "credits"],
    phrasings = [
        "what was I charged for the boost campaign",
        "did I get credits back for the links that failed",
        "cost of my viral campaign per url",
    ],
    examples = [{ "campaign_ref": "camp_01" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Answer<Charges>> {
    let campaign = cx.records::<Campaign>().get(&args.campaign_ref)?;
    let links = links(cx, &campaign)?;
    // A job that failed or was cancelled before it charged has given back what it held.
    let released = campaign.state == State::PreparingLinks && standing(cx, &campaign).is_over()
        || campaign.state == State::Stopped;
    let job = &campaign.prepare_job;
    let line = |(at, url): (usize, &String)| {
        let known = links.iter().find(|link| link.seq as usize == at).map(|link| link.charge);
        let state = match known.unwrap_or(Charge::Reserved) {
            Charge::Reserved if released => Charge::Released,
            state => state,
        };
        let (milli, ledger_ref) = match state {
            Charge::Reserved => (PER_URL_MILLI, format!("{job}:hold:c")),
            Charge::Charged => (PER_URL_MILLI, format!("{job}:hold:c!")),
            Charge::Refunded => (0, format!("{job}:refund")),
            Charge::Released | Charge::Free => (0, format!("{job}:hold:c!")),
        };
        Line { url: url.clone(), state, credits: credits(milli), ledger_ref: ledger_ref.into() }
    };
    let charges: Vec<Line> = campaign.terms.urls.iter().enumerate().map(line).collect();
    let rows = charges.len() as u64;
    Ok(Answer::new(Charges { charges, total: charged(&campaign) }).units(rows))
}
