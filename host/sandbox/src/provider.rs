//! Requests to customers' providers. Adds a credential to what a guest requests, and removes it from what the guest
//! gets.

pub(crate) mod answer;
pub(crate) mod credential;
mod inject;
mod leak;
pub(crate) mod request;
