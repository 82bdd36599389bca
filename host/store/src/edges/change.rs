//! What a run wants of the public edges: uploads it opens, links and shares it makes or ends, consents it asks for.

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::AnyConnection;

use crate::StoreError;
use crate::edges::links::{LinkState, NewLink};
use crate::edges::shares::NewShare;
use crate::edges::uploads::NewUpload;
use crate::identity::consents::NewConsent;

/// One of them, committed with everything else of its run.
#[derive(Clone, Debug)]
pub(crate) enum EdgeChange {
    OpenUpload(NewUpload),
    CreateLink(NewLink),
    SetLink { code: String, state: LinkState },
    Publish(NewShare),
    EndShare { share: String, at: Moment },
    AskConsent(NewConsent),
}

impl EdgeChange {
    /// Writes it for one customer and module. A code that somebody took meanwhile fails the commit of this run alone.
    pub(crate) async fn apply(
        &self,
        connection: &mut AnyConnection,
        customer: &CustomerId,
        module: &str,
    ) -> Result<(), StoreError> {
        match self {
            EdgeChange::OpenUpload(upload) => upload.insert(connection, customer, module).await,
            EdgeChange::CreateLink(link) => link.insert(connection, customer, module).await,
            EdgeChange::SetLink { code, state } => state.set(connection, customer, module, code).await,
            EdgeChange::Publish(share) => share.insert(connection, customer, module).await,
            EdgeChange::EndShare { share, at } => {
                crate::edges::shares::end(connection, customer, module, share, *at).await
            }
            EdgeChange::AskConsent(consent) => consent.insert(connection, customer).await,
        }
    }
}
