//! `/bot`: who asks other people's sites for pages from here, and how they say no. The name of every request leads here.

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::portal::page::{Leads, page};

#[derive(Template)]
#[template(path = "bot.html")]
struct Bot {
    product: &'static str,
}

pub(super) async fn get() -> Response {
    page(StatusCode::OK, &Bot { product: service::PRODUCT }, &Leads::Here)
}
