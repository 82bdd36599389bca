//! The first page: what is missing before anything works, what is left, what goes on, and how to connect.

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use model::usage::{ACTIVATION_CREDITS, INCLUDED_POINTS};
use service::oauth::Authority;
use service::oauth::by_hand::milli;
use service::portal::activity::Filter;

use super::activity::{Line, lines};
use super::figures::{grouped, until};
use super::frame::Frame;
use super::jobs::{Job, job};
use super::page::{Leads, page};
use super::{broken, either, enter};

#[derive(Template)]
#[template(path = "overview.html")]
struct Page {
    frame: Frame,
    activation: Activation,
    included: u64,
    included_remaining: u64,
    renews_in: String,
    paid_points: String,
    credits: String,
    rest: String,
    mcp: String,
    running: Vec<Job>,
    recent: Vec<Line>,
}

/// Where a customer is on the way to external access.
pub(super) enum Activation {
    /// It is open, since a day.
    Since(String),
    /// The credits are there.
    Ready { credits: u64, left: String },
    /// They are not.
    Short { credits: u64, has: String, missing: String },
}

impl Activation {
    pub(super) fn of(balance: &service::oauth::Balance) -> Self {
        let (credits, needed) = (ACTIVATION_CREDITS, ACTIVATION_CREDITS * 1_000);
        match (balance.activated_at, balance.credits_milli.checked_sub(needed)) {
            (Some(at), _) => Self::Since(at.day()),
            (None, Some(left)) => Self::Ready { credits, left: milli(left) },
            (None, None) => Self::Short {
                credits,
                has: milli(balance.credits_milli),
                missing: milli(needed - balance.credits_milli),
            },
        }
    }
}

/// Lines and jobs on the first page.
const FEW: usize = 6;

pub(super) async fn get(State(authority): State<Authority>, headers: HeaderMap) -> Response {
    either(show(&authority, &headers).await)
}

async fn show(authority: &Authority, headers: &HeaderMap) -> Result<Response, Response> {
    let inside = enter(authority, headers, "/").await?;
    let (customer, now) = (&inside.session.customer, authority.clock().now());
    let balance = authority.balance(customer).await.map_err(broken)?;
    let open = authority.jobs(customer, true, None).await.map_err(broken)?;
    let running = &open.jobs[..open.jobs.len().min(FEW)];
    let domains = authority.domains(customer, running).await.map_err(broken)?;
    let recent = authority.activity(customer, &Filter::default(), None).await.map_err(broken)?;
    let names = authority.grant_names(customer).await.map_err(broken)?;
    let mut recent = lines(&recent, &names, now);
    recent.truncate(FEW);
    let template = Page {
        activation: Activation::of(&balance),
        included: INCLUDED_POINTS,
        included_remaining: balance.included_remaining,
        renews_in: until(now.next_day(), now),
        paid_points: grouped(balance.paid_points),
        credits: milli(balance.credits_milli),
        rest: authority.config().base_url(),
        mcp: authority.config().mcp_url(),
        running: running.iter().map(|entry| job(entry, now, &domains)).collect(),
        recent,
        frame: inside.frame("/"),
    };
    Ok(page(StatusCode::OK, &template, &Leads::Inside))
}
