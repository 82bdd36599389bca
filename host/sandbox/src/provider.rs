//! Requests to customers' providers: what a guest asks for becomes a request with a credential in it, and what comes
//! back becomes an answer without one.

pub(crate) mod answer;
pub(crate) mod credential;
mod inject;
mod leak;
pub(crate) mod request;
