//! `/r/{share}`: a blob that its module lets anybody see who has the address.

use model::refusal::Refusal;
use model::token::Secret;

use crate::edges::Edges;
use crate::execute::Spine;

/// What a visitor gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// `text/html` or a kind of file.
    pub media_type: String,
    /// What a browser calls the file.
    pub file_name: Option<String>,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Edges {
    /// What a token shows; none: nothing, and nobody learns why. `seen`: it counts as a view.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn shared(&self, token: &str, seen: bool) -> Result<Option<Shared>, Refusal> {
        let token = Secret::received(token).hash();
        let shown = self
            .core
            .store()
            .edges
            .show(&token, self.core.clock().now())
            .await
            .map_err(|error| Spine::of(&self.core).store_failed(&error))?;
        let Some(shown) = shown else { return Ok(None) };
        if seen {
            self.core.0.visits.view(shown.customer, shown.share);
        }
        Ok(Some(Shared { media_type: shown.media_type, file_name: shown.file_name, bytes: shown.bytes }))
    }
}
