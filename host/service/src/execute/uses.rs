//! What a run asked of providers, counted for the customer: also when the run itself came to nothing.

use model::id::CustomerId;
use store::{Spent, Use};

use crate::execute::Spine;

impl Spine {
    /// Counts requests to providers. What cannot be counted is lost, and the call is not.
    pub(crate) async fn count_uses(&self, customer: &CustomerId, operation: &str, uses: Vec<Use>) {
        let counted = self
            .core
            .0
            .store
            .connections
            .count_uses(customer.clone(), operation.to_owned(), uses, self.core.clock().now())
            .await;
        if let Err(error) = counted {
            tracing::warn!(error = %error, operation, "requests to a provider could not be counted");
        }
    }

    /// Counts what an attempt of a run spent at providers, before its journal ends with it. What cannot be counted is
    /// lost, and the call is not.
    pub(crate) async fn count_spent(
        &self,
        customer: &CustomerId,
        operation: &str,
        run: Option<String>,
        spent: Vec<Spent>,
    ) {
        let now = self.core.clock().now();
        if let Err(error) = self.core.0.store.connections.count_spent(customer.clone(), run, spent, now).await {
            tracing::warn!(error = %error, operation, "spending at a provider could not be counted");
        }
    }
}
