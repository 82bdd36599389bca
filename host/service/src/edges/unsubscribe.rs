//! `/u/{token}`: somebody wants no more mail. Anybody with the address may say so, and nobody takes it back.

use model::refusal::Refusal;
use model::token::Secret;
use store::edges::unsubscribes::Way;

use crate::edges::Edges;
use crate::execute::Spine;

impl Edges {
    /// Whether a token is one by which somebody can unsubscribe. Asking changes nothing: mail scanners follow links.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn is_unsubscribe(&self, token: &str) -> Result<bool, Refusal> {
        let known = self.core.store().edges.is_unsubscribe(&Secret::received(token).hash()).await;
        known.map_err(|error| Spine::of(&self.core).store_failed(&error))
    }

    /// Unsubscribes; `one_click`: a mail program did it (RFC 8058). Again is no error. False: nobody has the token.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn unsubscribe(&self, token: &str, one_click: bool) -> Result<bool, Refusal> {
        let way = if one_click { Way::OneClick } else { Way::Page };
        let done =
            self.core.store().edges.unsubscribe(Secret::received(token).hash(), way, self.core.clock().now()).await;
        done.map_err(|error| Spine::of(&self.core).store_failed(&error))
    }
}
