//! An order from its price to the registry: each state is written before what it stands for is done.

use sdk::prelude::*;
use sdk::{Connection, Money, Progress};

use crate::rdap;
use crate::registrar::{Action, Registrar, Told, dollars};

/// Milliseconds between two looks at an order: an hour, the longest that a step waits.
const HOUR: u32 = 3_600_000;
/// Hours after which an order in doubt stays in doubt.
const DOUBT: u64 = 24;
/// Days after which a transfer is given up: registries take five to seven, with a pause for the holder's word.
const LONGEST: u64 = 30;

/// An order.
#[record(collection = "orders", index(domain, at_ms))]
pub(crate) struct Order {
    pub(crate) domain: String,
    pub(crate) connection_ref: String,
    pub(crate) action: Action,
    pub(crate) years: u64,
    pub(crate) cents: u64,
    /// The quote that it was ordered by: each is good for one order.
    pub(crate) quote_hash: String,
    pub(crate) state: State,
    /// The registrar's number.
    pub(crate) number: Option<String>,
    /// What the registrar says that it took, in cents.
    pub(crate) paid: Option<u64>,
    /// The end of the registration before it.
    pub(crate) expires_before: Option<Moment>,
    pub(crate) submitted_ms: Option<u64>,
    pub(crate) at_ms: u64,
    pub(crate) job_ref: Option<Id<Job>>,
    /// What the registrar said last.
    pub(crate) said: Option<String>,
}

/// How far an order is.
#[value]
pub(crate) enum State {
    /// The price holds; nothing was sent.
    Checking,
    /// It was sent, and nobody knows yet what came of it.
    Submitted,
    /// The registrar took it; the registry does not show it yet.
    Pending,
    /// The registry, or the registrar's account, shows it.
    Confirmed,
    /// The registrar refused it; nothing was paid.
    Failed,
    /// Nobody knows whether it was done: look into the account at the registrar. It is never ordered again.
    Unknown,
}

impl State {
    /// The stage for people.
    const fn words(self) -> &'static str {
        match self {
            Self::Checking => "sending the order",
            Self::Submitted => "looking whether the order was taken",
            Self::Pending => "waiting for the registry",
            Self::Confirmed => "confirmed",
            Self::Failed => "refused",
            Self::Unknown => "in doubt",
        }
    }

    pub(crate) fn is_over(self) -> bool {
        matches!(self, Self::Confirmed | Self::Failed | Self::Unknown)
    }
}

/// What the job follows.
#[value]
pub(crate) struct Payload {
    pub(crate) order_ref: Id<Order>,
}

/// How often it looked.
#[value]
pub(crate) struct Looks {
    looks: u32,
}

/// Where an order stands.
#[value]
pub(crate) struct Followed {
    order_ref: Id<Order>,
    domain: String,
    action: Action,
    state: State,
    /// The registrar's number of the order.
    registrar_order: Option<String>,
    /// What the registrar says that it took; null until it did.
    paid: Option<Money>,
    /// The end of the registration as the registrar shows it.
    expires_at: Option<Moment>,
    /// What showed that it is done.
    proof: Option<Proof>,
    /// What the registrar said against it, or of the transfer.
    said: Option<String>,
}

/// What shows that an order is done.
#[value]
pub(crate) enum Proof {
    /// The registry's own data (RDAP).
    Registry,
    /// The registrar's account alone.
    Registrar,
}

/// Whether nobody knows what came of a request.
pub(crate) fn is_unknown(fault: &Fault) -> bool {
    fault.code == "provider_error" && fault.detail.as_deref().is_some_and(|it| it.contains("\"unknown_outcome\""))
}

/// Sends an order once, and follows it until the registry shows it.
///
/// That it is sent is written down before it is sent. A step that is tried again after a crash sends under the same key, and a
/// step that ended without an answer is never followed by another order.
#[step]
pub(crate) fn follow(cx: &Cx, payload: Payload, checkpoint: Option<Looks>) -> Result<Step<Looks, Progress, Followed>> {
    let looks = checkpoint.map_or(0, |it| it.looks);
    let orders = cx.records::<Order>();
    let mut order = orders.get(&payload.order_ref)?;
    let connection = Id::<Connection>::new(order.connection_ref.clone());
    let Ok(mut accounts) = Registrar::all(cx, Some(&connection), "/domain") else {
        // Without its account nobody can look; what was not sent was not paid.
        let state = if order.state == State::Checking { State::Failed } else { State::Unknown };
        let said = "the connection to the registrar was removed";
        return end(cx, order, state, None, None, Some(said.to_owned()));
    };
    let registrar = accounts.swap_remove(0);
    match order.state {
        State::Checking if order.submitted_ms.is_none() => {
            order.submitted_ms = Some(cx.now().millis());
            again(orders.save(order)?, looks, 0)
        }
        State::Checking => send(cx, &registrar, order, looks),
        State::Submitted | State::Pending => look(cx, &registrar, order, looks),
        State::Confirmed | State::Failed | State::Unknown => {
            let (state, said) = (order.state, order.said.clone());
            end(cx, order, state, None, None, said)
        }
    }
}

fn again(order: Stored<Order>, looks: u32, after: u32) -> Result<Step<Looks, Progress, Followed>> {
    Ok(Step::next(Looks { looks: looks + 1 }, progress(&order)).after(after))
}

/// Sends an order that was not sent yet.
fn send(
    cx: &Cx,
    registrar: &Registrar<'_>,
    mut order: Stored<Order>,
    looks: u32,
) -> Result<Step<Looks, Progress, Followed>> {
    let orders = cx.records::<Order>();
    // It was refused for now before: what took effect all the same is not ordered again.
    if order.said.is_some() {
        match registrar.find(&order.domain) {
            Ok(told) if !order.is_there(told.as_ref()) => {}
            Ok(_) => {
                order.state = State::Submitted;
                return again(orders.save(order)?, looks, 0);
            }
            Err(_) => return again(order, looks, 300_000),
        }
    }
    match registrar.order(&order.domain, order.action, order.years, order.cents, None) {
        Ok(made) => {
            (order.number, order.paid) = (made.number, made.paid);
            order.state = State::Pending;
            again(orders.save(order)?, looks, 1_000)
        }
        Err(fault) if fault.code == "registrar_refused" => {
            end(cx, order, State::Failed, None, None, Some(fault.message))
        }
        // These are said before anything is done.
        Err(fault) if is_not_sent(&fault) => {
            let waited = cx.now().millis().saturating_sub(order.at_ms) / 3_600_000;
            if waited >= DOUBT {
                return end(cx, order, State::Failed, None, None, Some(fault.message));
            }
            order.said = Some(fault.message);
            again(orders.save(order)?, looks, 300_000)
        }
        Err(fault) => {
            order.state = State::Submitted;
            order.said = Some(fault.message);
            again(orders.save(order)?, looks, 1_000)
        }
    }
}

/// Whether a registrar, or the way to it, refused before anything was done.
fn is_not_sent(fault: &Fault) -> bool {
    let is_unreached =
        fault.detail.as_deref().is_some_and(|it| it.contains("\"unreachable\"") || it.contains("\"tls\""));
    matches!(fault.code.as_str(), "provider_quota_exhausted" | "connection_expired" | "missing_permission")
        || is_unreached
}

/// Looks whether an order is done.
fn look(
    cx: &Cx,
    registrar: &Registrar<'_>,
    mut order: Stored<Order>,
    looks: u32,
) -> Result<Step<Looks, Progress, Followed>> {
    let age = order.submitted_ms.map_or(0, |it| cx.now().millis().saturating_sub(it) / 3_600_000);
    let told = registrar.find(&order.domain).ok().flatten();
    let expires_at = told.as_ref().and_then(|it| it.expires_at);
    let is_renewal = order.action == Action::Renew;
    if order.is_there(told.as_ref()) {
        let is_shown = rdap::shows(cx, &order.domain, registrar.title(), expires_at.filter(|_| is_renewal));
        // The registry shows it within minutes; after some looks the account's word has to do.
        if is_shown || looks >= 4 {
            let proof = if is_shown { Proof::Registry } else { Proof::Registrar };
            return end(cx, order, State::Confirmed, expires_at, Some(proof), None);
        }
    }
    if order.action == Action::Transfer {
        let said = registrar.transfer(&order.domain).ok().flatten();
        order.said = said.or_else(|| order.said.clone());
        let words = order.said.clone().unwrap_or_default().to_ascii_lowercase();
        if ["cancel", "reject", "fail"].iter().any(|word| words.contains(word)) {
            let said = order.said.clone();
            return end(cx, order, State::Failed, None, None, said);
        }
    }
    let longest = if order.action == Action::Transfer { LONGEST * 24 } else { DOUBT };
    if age >= longest {
        let said = order.said.clone();
        return end(cx, order, State::Unknown, expires_at, None, said);
    }
    let after = match looks {
        0..4 => 20_000,
        4..10 => 60_000,
        _ => HOUR,
    };
    again(cx.records::<Order>().save(order)?, looks, after)
}

impl Order {
    /// Whether the account shows what was ordered.
    fn is_there(&self, told: Option<&Told>) -> bool {
        if self.action != Action::Renew {
            return told.is_some();
        }
        let ends = told.and_then(|it| it.expires_at);
        // A year, less what calendars differ by.
        let moved = |before: Moment| ends.is_some_and(|it| it.millis() > before.millis() + 300 * 86_400_000);
        self.expires_before.is_some_and(moved)
    }
}

fn end(
    cx: &Cx,
    mut order: Stored<Order>,
    state: State,
    expires_at: Option<Moment>,
    proof: Option<Proof>,
    said: Option<String>,
) -> Result<Step<Looks, Progress, Followed>> {
    order.state = state;
    order.said = said;
    let order = cx.records::<Order>().save(order)?;
    let units = u64::from(state == State::Confirmed);
    Ok(Step::done(shown(&order, expires_at, proof), Progress::new(1, 1, state.words())).units(units))
}

fn progress(order: &Stored<Order>) -> Progress {
    Progress::new(0, 1, order.state.words())
}

fn shown(order: &Stored<Order>, expires_at: Option<Moment>, proof: Option<Proof>) -> Followed {
    Followed {
        order_ref: order.id.clone(),
        domain: order.domain.clone(),
        action: order.action,
        state: order.state,
        registrar_order: order.number.clone(),
        paid: order.paid.map(|cents| Money { amount: dollars(cents), currency: "USD".to_owned() }),
        expires_at,
        proof,
        said: order.said.clone(),
    }
}
