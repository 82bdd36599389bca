//! The first page: what is left, what was used, and how to connect.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::id::RequestId;
use model::usage::{ACTIVATION_CREDITS, INCLUDED_POINTS, POINTS_PER_CREDIT};
use service::oauth::Authority;
use service::oauth::BuyError;
use service::oauth::by_hand::milli;
use service::oauth::customers::NotDone;

use super::page::{Leads, page, see_other};
use super::{Inside, Sent, broken, either, enter, receive, sentence};

#[derive(Template)]
#[template(path = "overview.html")]
struct Page<'a> {
    viewer: Option<&'a str>,
    here: &'a str,
    csrf: String,
    error: Option<String>,
    activated: Option<String>,
    activation_credits: u64,
    included: u64,
    included_remaining: u64,
    used_percent: u64,
    paid_points: u64,
    points_per_credit: u64,
    credits: String,
    rest: String,
    mcp: String,
    /// Makes a form that is sent twice buy once.
    reference: String,
}

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(&authority, &headers, "/").await?;
        show(&authority, inside, StatusCode::OK, None).await
    };
    either(shown.await)
}

async fn show(
    authority: &Authority,
    inside: Inside,
    status: StatusCode,
    error: Option<String>,
) -> Result<Response, Response> {
    let balance = authority.balance(&inside.session.customer).await.map_err(broken)?;
    let template = Page {
        viewer: Some(&inside.session.email),
        here: "overview",
        csrf: inside.csrf,
        error,
        activated: balance.activated_at.map(|at| at.day()),
        activation_credits: ACTIVATION_CREDITS,
        included: INCLUDED_POINTS,
        included_remaining: balance.included_remaining,
        used_percent: 100 - balance.included_remaining.min(INCLUDED_POINTS) * 100 / INCLUDED_POINTS,
        paid_points: balance.paid_points,
        points_per_credit: POINTS_PER_CREDIT,
        credits: milli(balance.credits_milli),
        rest: authority.config().base_url(),
        mcp: authority.config().mcp_url(),
        reference: format!("portal:{}", RequestId::new(authority.entropy())),
    };
    Ok(page(status, &template, &Leads::Here))
}

/// Activates external access before anything is connected.
pub(super) async fn activate(State(authority): State<Authority>, request: Request) -> Response {
    let activated = async {
        let Sent { inside, .. } = receive(&authority, request, "/").await?;
        match authority.activate(&inside.session.customer).await {
            Ok(_) => Ok(see_other("/")),
            Err(NotDone::Store(error)) => Err(broken(error)),
            Err(refused) => {
                let error = Some(sentence(&refused.to_string()));
                show(&authority, inside, StatusCode::PAYMENT_REQUIRED, error).await
            }
        }
    };
    either(activated.await)
}

/// Turns credits into points.
pub(super) async fn buy(State(authority): State<Authority>, request: Request) -> Response {
    let bought = async {
        let Sent { inside, fields } = receive(&authority, request, "/").await?;
        let field = |name: &str| fields.one(name).ok().flatten().unwrap_or_default();
        let (credits, reference) = (field("credits").parse::<u64>().unwrap_or(0), field("reference"));
        if credits == 0 || !reference.starts_with("portal:") || reference.len() > 64 {
            let error = Some("Say how many credits, in whole numbers.".to_owned());
            return show(&authority, inside, StatusCode::UNPROCESSABLE_ENTITY, error).await;
        }
        match authority.buy_points(&inside.session.customer, credits, reference).await {
            Ok(_) => Ok(see_other("/")),
            Err(BuyError::Unavailable(error)) => Err(broken(error)),
            Err(BuyError::OutOfCredits { available_milli, .. }) => {
                let error = Some(format!("The account has {} credits.", milli(available_milli)));
                show(&authority, inside, StatusCode::PAYMENT_REQUIRED, error).await
            }
            Err(refused @ BuyError::UnknownCustomer) => {
                let error = Some(sentence(&refused.to_string()));
                show(&authority, inside, StatusCode::UNPROCESSABLE_ENTITY, error).await
            }
        }
    };
    either(bought.await)
}
