//! The operation `domains.register.order`.

use sdk::prelude::*;
use sdk::{Connection, JobState, Secret, json};

use super::quarter;
use super::quote::{account, prices, terms};
use super::work::{Order, Payload, State};
use crate::name::registrable;
use crate::registrar::{Action, Contacts};

#[args]
pub(crate) struct Place {
    /// A domain.
    domain: Text<3, 253>,
    action: Action,
    /// Years, as they were quoted.
    #[default(1)]
    years: Count<1, 10>,
    /// The hash of the quote: at another price nothing is ordered.
    expected_quote_hash: Text<10, 200>,
    /// The registrar's account, as it was quoted.
    connection_ref: Option<Id<Connection>>,
    /// A set of contacts that the registrar keeps. Neither Name.com nor Porkbun takes one: the account's own contacts hold.
    contact_ref: Option<Id<Contacts>>,
    /// Of a transfer: the code of the registrar that is left.
    auth_code: Option<Secret>,
}

/// An order that was taken on.
#[value]
pub(crate) struct Placed {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    order_ref: Id<Order>,
    /// Always `queued`.
    state: JobState,
}

/// Registers, renews or transfers a domain at the price that was quoted, and follows the order until the registry shows it.
///
/// It is paid from the account at the registrar. The price is asked again before: another one is 409 `quote_changed`, and
/// nothing is ordered. An order whose answer is lost is asked for under the same key, so that it is paid once; what stays in
/// doubt ends as `unknown` and is never ordered a second time.
#[operation(
    job,
    scope = "domains:manage",
    cost = job(unit = "orders", every = 1, most = 1),
    queued(step = "order"),
    result_operation = "account.job.get",
    side_effects = ["orders at your registrar, paid from your account there"],
    needs = ["store", "jobs", "web", "connection:registrar"],
    outside = [
        "name_com GET /core/v1/domains/*",
        "name_com GET /core/v1/domains/*:getPricing",
        "name_com GET /core/v1/transfers/*",
        "name_com POST /core/v1/domains:checkAvailability query",
        "name_com POST /core/v1/domains change",
        "name_com POST /core/v1/domains/*:renew change",
        "name_com POST /core/v1/transfers change",
        "porkbun POST /api/json/v3/domain/listAll query",
        "porkbun POST /api/json/v3/domain/getNs/* query",
        "porkbun POST /api/json/v3/domain/checkDomain/* query",
        "porkbun POST /api/json/v3/domain/getTransfer/* query",
        "porkbun POST /api/json/v3/pricing/get query",
        "porkbun POST /api/json/v3/domain/create/* change",
        "porkbun POST /api/json/v3/domain/renew/* change",
        "porkbun POST /api/json/v3/domain/transfer/* change",
    ],
    phrasings = [
        "register this domain",
        "buy the domain at my registrar",
        "renew my domain for two years",
        "transfer a domain to my registrar",
    ],
    examples = [{ "domain": "lamps-of-bristol.com", "action": "register", "expected_quote_hash": "q1_0123456789abcdef" }]
)]
pub(crate) fn place(cx: &Cx, args: Place) -> Result<Placed> {
    let (domain, _) = registrable(args.domain.as_str(), "/domain")?;
    let years = u64::from(args.years);
    if args.contact_ref.is_some() {
        let message = "neither registrar takes a set of contacts over its interface; the contacts of the account hold";
        return Err(Fault::invalid("/contact_ref", "contact_not_supported", message));
    }
    if (args.action == Action::Transfer) != args.auth_code.is_some() {
        let message = "a transfer needs auth_code, the code of the registrar that is left; nothing else takes one";
        return Err(Fault::invalid("/auth_code", "transfer_and_code", message));
    }
    let orders = cx.records::<Order>();
    let is_followed = |it: &Stored<Order>| {
        let job = it.job_ref.as_ref().and_then(|job| cx.jobs().get(job).ok());
        job.is_some_and(|job| matches!(job.state, JobState::Queued | JobState::Running))
    };
    let all = orders.by("domain_at_ms").equals(&domain).descending().scan();
    // One that nobody follows any more is a person's to look after.
    let open = all.take(20).find(|it| !it.state.is_over() && is_followed(it));
    if let Some(open) = open {
        let message = "an order of this domain is under way; wait until it has ended";
        let detail = json!({ "order_ref": open.id, "job_ref": open.job_ref });
        return Err(Fault::conflict("order_running", message).at("/domain").detail(detail));
    }
    let spent = orders.by("domain_at_ms").equals(&domain).descending().scan().take(20);
    if let Some(spent) = spent.into_iter().find(|it| it.quote_hash == args.expected_quote_hash.as_str()) {
        let message = "this quote was ordered by already; ask for a new one to order once more";
        let detail = json!({ "order_ref": spent.id, "job_ref": spent.job_ref });
        return Err(Fault::conflict("quote_spent", message).at("/expected_quote_hash").detail(detail));
    }
    let registrar = account(cx, &domain, args.action, args.connection_ref.as_ref())?;
    let prices = prices(&registrar, cx, &domain, args.action, years)?;
    let Some(cents) = prices.cents else {
        let message = format!("the registrar does not sell this: {}", prices.blocked.join("; "));
        return Err(Fault::conflict("not_for_sale", message)
            .at("/domain")
            .detail(json!({ "blocked_by": prices.blocked })));
    };
    let check = |quarter: u64| {
        let sealed = terms(&registrar, &domain, args.action, years, cents, &prices, quarter);
        cx.quotes().check(&sealed, args.expected_quote_hash.as_str())
    };
    let now = quarter(cx);
    check(now)
        .or_else(|fault| check(now.saturating_sub(1)).map_err(|_| fault))
        .map_err(|fault| fault.at("/expected_quote_hash"))?;
    let before = registrar.find(&domain)?;
    let mut order = Order {
        domain: domain.clone(),
        connection_ref: registrar.connection.reference.clone(),
        action: args.action,
        years,
        cents,
        quote_hash: args.expected_quote_hash.as_str().to_owned(),
        state: State::Checking,
        number: None,
        paid: None,
        expires_before: before.and_then(|it| it.expires_at),
        submitted_ms: None,
        at_ms: cx.now().millis(),
        job_ref: None,
        said: None,
    };
    // The code of a transfer is known within this call alone, so that it is sent from here; everything else is a step of the job.
    if let Some(code) = &args.auth_code {
        order.submitted_ms = Some(cx.now().millis());
        match registrar.order(&domain, args.action, years, cents, Some(code.handle())) {
            Ok(made) => {
                (order.number, order.paid) = (made.number, made.paid);
                order.state = State::Pending;
            }
            Err(fault) if super::work::is_unknown(&fault) => order.state = State::Submitted,
            Err(fault) => return Err(fault),
        }
    }
    let stored = orders.insert(order)?;
    let job_ref = cx.jobs().enqueue("order", &Payload { order_ref: stored.id.clone() })?;
    let order_ref = stored.id.clone();
    orders.update(&order_ref, |it| it.job_ref = Some(job_ref.clone()))?;
    Ok(Placed { job_ref, order_ref, state: JobState::Queued })
}
