//! The demo shop: a website that never was, with faults that a crawl and an audit should find.
//!
//! Each planted fault is listed in [`FAULTS`], so that a test can ask for every one of them.

mod pages;

use std::net::SocketAddr;

use axum::Router;
use axum::http::{HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

/// The name under which the shop is known; the operator's configuration maps it to the address it listens on.
pub const HOST: &str = "shop.example";

/// What is wrong with the shop: a path and what is wrong there.
pub const FAULTS: &[(&str, &str)] = &[
    ("/about", "title is missing"),
    ("/contact", "meta description is missing"),
    ("/sale", "two pages share one title"),
    ("/products/lamp-3", "canonical points to a page that is gone"),
    ("/products/lamp-5", "noindex although it is in the sitemap"),
    ("/products/lamp-7", "images have no alternative text"),
    ("/products/lamp-9", "two first-level headings"),
    ("/old-catalog", "a chain of three redirects"),
    ("/loop-a", "a circle of redirects"),
    ("/missing", "an internal link leads to a page that is not there"),
    ("/error", "a page answers 500"),
    ("/orphan", "in the sitemap, linked from nowhere"),
    ("/products/lamp-11", "a script is loaded over http"),
    ("/products/lamp-13", "hardly any text"),
    ("/private/stock", "disallowed by robots.txt"),
];

/// Serves the shop until the process ends; returns where it listens.
///
/// # Errors
/// When the address cannot be bound.
pub async fn serve(listen: SocketAddr) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(listen).await?;
    let address = listener.local_addr()?;
    let router = Router::new().fallback(answer);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

async fn answer(uri: Uri) -> Response {
    let html = |body: String| ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body).into_response();
    let moved = |status: StatusCode, to: &'static str| (status, [(header::LOCATION, to)]).into_response();
    match uri.path() {
        "/robots.txt" => plain(pages::robots()),
        "/sitemap.xml" => ([(header::CONTENT_TYPE, "application/xml")], pages::sitemap()).into_response(),
        "/old-catalog" => moved(StatusCode::MOVED_PERMANENTLY, "/older-catalog"),
        "/older-catalog" => moved(StatusCode::FOUND, "/oldest-catalog"),
        "/oldest-catalog" => moved(StatusCode::MOVED_PERMANENTLY, "/products"),
        "/loop-a" => moved(StatusCode::FOUND, "/loop-b"),
        "/loop-b" => moved(StatusCode::FOUND, "/loop-a"),
        "/error" => (StatusCode::INTERNAL_SERVER_ERROR, "something broke").into_response(),
        path => match pages::page(path) {
            Some(body) => html(body),
            None => (
                StatusCode::NOT_FOUND,
                [(HeaderName::from_static("content-type"), "text/html; charset=utf-8")],
                "<!doctype html><html lang=\"en\"><head><title>Not found</title></head><body><h1>Not found</h1></body></html>",
            )
                .into_response(),
        },
    }
}

fn plain(body: String) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], body).into_response()
}
