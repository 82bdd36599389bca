//! Credits: what there is, the activation, and points for credits.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::clock::Moment;
use model::id::RequestId;
use model::usage::{INCLUDED_POINTS, POINTS_PER_CREDIT};
use service::oauth::Authority;
use service::oauth::BuyError;
use service::oauth::by_hand::milli;
use service::oauth::customers::NotDone;
use service::portal::invoices::Invoice;
use service::portal::movements::{Movement, What};

use super::figures::{When, counted, grouped, until};
use super::frame::Frame;
use super::invoice::amount;
use super::overview::Activation;
use super::page::{Leads, page, see_other};
use super::{Inside, Sent, broken, either, enter, receive, sentence};

#[derive(Template)]
#[template(path = "credits.html")]
struct Page {
    frame: Frame,
    error: Option<String>,
    activation: Activation,
    included: u64,
    included_remaining: u64,
    renews_in: String,
    paid_points: String,
    points_per_credit: String,
    credits: String,
    /// Makes a form that is sent twice buy once.
    reference: String,
    invoices: Vec<Listed>,
    history: Vec<Moved>,
}

/// A movement in the list.
struct Moved {
    words: &'static str,
    operation: String,
    /// What came or went, with its sign.
    amount: String,
    when: When,
}

impl Moved {
    fn of(movement: &Movement, now: Moment) -> Self {
        let credits = milli(movement.credits_milli);
        let unit = if movement.credits_milli == 1_000 { "credit" } else { "credits" };
        let (words, amount) = match movement.what {
            What::Added => ("Credits added", format!("+{credits} {unit}")),
            What::Bought => ("Points bought", format!("+{}, −{credits} {unit}", counted(movement.points, "point"))),
            What::Activated => ("External access activated", format!("−{credits} {unit}")),
            What::Charged => ("Work charged", format!("−{credits} {unit}")),
        };
        Self { words, operation: movement.operation.clone(), amount, when: When::new(movement.at, now) }
    }
}

/// An invoice in the list.
struct Listed {
    reference: String,
    title: &'static str,
    total: String,
    state: &'static str,
    day: String,
}

impl Listed {
    fn of(invoice: Invoice) -> Self {
        Self {
            title: if invoice.is_pro_forma() { "Pro-forma invoice" } else { "Invoice" },
            total: format!("{} {}", amount(invoice.net + invoice.tax), invoice.currency),
            state: invoice.state(),
            day: invoice.issued_at.day(),
            reference: invoice.reference,
        }
    }
}

/// Movements that are listed.
const MOVEMENTS: usize = 8;

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(&authority, &headers, "/credits").await?;
        show(&authority, &inside, StatusCode::OK, None).await
    };
    either(shown.await)
}

async fn show(
    authority: &Authority,
    inside: &Inside,
    status: StatusCode,
    error: Option<String>,
) -> Result<Response, Response> {
    let (customer, now) = (&inside.session.customer, authority.clock().now());
    let balance = authority.balance(customer).await.map_err(broken)?;
    let history = authority.movements(customer, MOVEMENTS).await.map_err(broken)?;
    let invoices = authority.invoices(customer).await.map_err(broken)?;
    let template = Page {
        frame: inside.frame("/credits"),
        invoices: invoices.into_iter().map(Listed::of).collect(),
        error,
        activation: Activation::of(&balance),
        included: INCLUDED_POINTS,
        included_remaining: balance.included_remaining,
        renews_in: until(now.next_day(), now),
        paid_points: grouped(balance.paid_points),
        points_per_credit: grouped(POINTS_PER_CREDIT),
        credits: milli(balance.credits_milli),
        reference: format!("portal:{}", RequestId::new(authority.entropy())),
        history: history.iter().map(|movement| Moved::of(movement, now)).collect(),
    };
    Ok(page(status, &template, &Leads::Inside))
}

/// Activates external access before anything is connected.
pub(super) async fn activate(State(authority): State<Authority>, request: Request) -> Response {
    let activated = async {
        let Sent { inside, fields } = receive(&authority, request, "/credits").await?;
        let then = if fields.one("then").ok().flatten() == Some("/") { "/" } else { "/credits" };
        match authority.activate(&inside.session.customer).await {
            Ok(_) => Ok(see_other(then)),
            Err(NotDone::Store(error)) => Err(broken(error)),
            Err(refused) => {
                let error = Some(sentence(&refused.to_string()));
                show(&authority, &inside, StatusCode::PAYMENT_REQUIRED, error).await
            }
        }
    };
    either(activated.await)
}

/// Turns credits into points.
pub(super) async fn buy(State(authority): State<Authority>, request: Request) -> Response {
    let bought = async {
        let Sent { inside, fields } = receive(&authority, request, "/credits").await?;
        let field = |name: &str| fields.one(name).ok().flatten().unwrap_or_default();
        let (credits, reference) = (field("credits").parse::<u64>().unwrap_or(0), field("reference"));
        if credits == 0 || !reference.starts_with("portal:") || reference.len() > 64 {
            let error = Some("Say how many credits, in whole numbers.".to_owned());
            return show(&authority, &inside, StatusCode::UNPROCESSABLE_ENTITY, error).await;
        }
        match authority.buy_points(&inside.session.customer, credits, reference).await {
            Ok(_) => Ok(see_other("/credits")),
            Err(BuyError::Unavailable(error)) => Err(broken(error)),
            Err(BuyError::OutOfCredits { available_milli, .. }) => {
                let error = format!(
                    "{} credits are too many: the account has {}. Nothing was bought.",
                    grouped(credits),
                    milli(available_milli)
                );
                show(&authority, &inside, StatusCode::PAYMENT_REQUIRED, Some(error)).await
            }
            Err(refused @ BuyError::UnknownCustomer) => {
                let error = Some(sentence(&refused.to_string()));
                show(&authority, &inside, StatusCode::UNPROCESSABLE_ENTITY, error).await
            }
        }
    };
    either(bought.await)
}
