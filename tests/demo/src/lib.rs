//! The demo shop: a website that never was, in two languages, with faults that a crawl and an audit should find.
//!
//! Every page is made once, in memory, from a fixed seed: two starts serve the same bytes. Each planted fault is a line
//! of [`FAULTS`], which is the truth that tests go by; what is not listed there is meant to be right.

mod articles;
mod catalog;
mod document;
mod faults;
pub mod log;
mod pages;
mod places;
mod plant;
mod sitemaps;
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::OnceLock;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri};
use axum::response::Response;
use tokio::net::TcpListener;

pub use faults::{Evidence, FAULTS, Fault};

/// The name under which the shop is known; the operator's configuration maps it to the address it listens on.
pub const HOST: &str = "shop.example";
/// The key that the shop shows for IndexNow, at `/{key}.txt`.
pub const INDEXNOW_KEY: &str = "0c1a57b9lampshop4f2e8d7136a5b0c9";

/// What the shop answers at one address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A page that is meant to be found, as a list of them shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// From the root on.
    pub path: String,
    /// `en` or `de`.
    pub language: &'static str,
    /// The title without the shop's name.
    pub title: String,
    /// The meta description.
    pub description: String,
}

/// Everything that has an address.
struct Site {
    answers: BTreeMap<String, Answer>,
    listed: Vec<Listed>,
}

fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let made = plant::all();
        let listed = made.iter().filter(|page| page.listed()).map(document::Page::as_listed).collect();
        let mut answers: BTreeMap<String, Answer> =
            made.iter().map(|page| (page.path.clone(), page.answer())).collect();
        answers.extend(sitemaps::all(&made));
        answers.extend(plant::others());
        Site { answers, listed }
    })
}

/// The pages that answer 200 with something to read and want to be in an index, in a fixed order.
#[must_use]
pub fn pages() -> &'static [Listed] {
    &site().listed
}

/// Every address of the shop, with its query where it has one.
pub fn addresses() -> impl Iterator<Item = &'static str> {
    site().answers.keys().map(String::as_str)
}

/// What the shop answers at a path, with its query if any.
#[must_use]
pub fn answer(path: &str) -> Answer {
    let answers = &site().answers;
    // A query that the shop does not know changes nothing, as on most sites.
    let plain = path.split('?').next().unwrap_or(path);
    answers.get(path).or_else(|| answers.get(plain)).cloned().unwrap_or_else(document::not_found)
}

/// Serves the shop until the process ends; returns where it listens.
///
/// # Errors
/// When the address cannot be bound.
pub async fn serve(listen: SocketAddr) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(listen).await?;
    let address = listener.local_addr()?;
    let router = Router::new().fallback(respond);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

async fn respond(uri: Uri) -> Response {
    let answer = answer(uri.path_and_query().map_or(uri.path(), |it| it.as_str()));
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in answer.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().append(HeaderName::from_static(name), value);
        }
    }
    response
}
