//! `/c/{token}`: somebody was asked whether they want a customer's mail. Anybody with the address may answer.

use model::refusal::Refusal;
use model::token::Secret;
pub use store::edges::recipients::{Inquiry, Standing};

use crate::edges::Edges;
use crate::execute::Spine;

impl Edges {
    /// What was asked, and what was said so far. Asking changes nothing: mail scanners follow links. None: nothing is
    /// there, or its time is over.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn inquiry(&self, token: &str) -> Result<Option<Inquiry>, Refusal> {
        let now = self.core.clock().now();
        let found = self.core.store().edges.inquiry(&Secret::received(token).hash(), now).await;
        found.map_err(|error| Spine::of(&self.core).store_failed(&error))
    }

    /// Says yes or no; what is known from then on. Again is no error.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn answer_inquiry(&self, token: &str, yes: bool) -> Result<Option<Inquiry>, Refusal> {
        let (hash, now) = (Secret::received(token).hash(), self.core.clock().now());
        let said = self.core.store().edges.answer_inquiry(hash, yes, now).await;
        said.map_err(|error| Spine::of(&self.core).store_failed(&error))
    }
}
