//! What the host itself reads of a website: its domain, and whether its ownership is proven.

use model::id::CustomerId;
use serde::Deserialize;
use store::{Store, StoreError};

/// The collection of websites, and what is public of a website in it: see `modules/websites/src/stored.rs`.
const WEBSITES: &str = "websites.sites";

/// A website of a customer.
#[derive(Deserialize)]
pub(crate) struct Website {
    /// The host that it was added by.
    pub(crate) domain: String,
    verification: Option<Verification>,
}

#[derive(Deserialize)]
struct Verification {
    verified: bool,
}

impl Website {
    /// The website of this reference; none when the customer has no such one.
    pub(crate) async fn find(store: &Store, customer: &CustomerId, site: &str) -> Result<Option<Self>, StoreError> {
        let body = store.records.row_body(customer, WEBSITES, site).await?;
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
    }

    /// Whether the customer has proven to own it.
    pub(crate) fn is_owned(&self) -> bool {
        self.verification.as_ref().is_some_and(|it| it.verified)
    }
}
