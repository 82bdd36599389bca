//! The part of `vault` that requests OAuth consents. Consent is given in a browser, without the guest.

use catalog::kinds;
use model::clock::Entropy;
use model::id::{ConsentId, base32};
use store::ConnectionState;
use store::identity::consents::{Consent, ConsentState, NewConsent};

use super::since_1970;
use super::vault::name_of;
use crate::bindings::vault;
use crate::state::State;

type Asked = wasmtime::Result<Result<vault::Consent, vault::ConsentError>>;

impl State {
    pub(super) async fn consent_asked(&mut self, kind: String, name: String, mut scopes: Vec<String>) -> Asked {
        let Some(described) = kinds::kind(&kind) else { return Ok(Err(vault::ConsentError::NoSuchKind)) };
        let Some(oauth) = described.oauth() else { return Ok(Err(vault::ConsentError::NotByConsent)) };
        let invalid = |part: &str, why: String| Ok(Err(vault::ConsentError::Invalid((part.to_owned(), why))));
        if let Err(refused) = name_of(&name) {
            return invalid("name", refused.message);
        }
        if scopes.iter().any(|scope| !oauth.may_ask().any(|it| it == scope)) {
            let known = oauth.may_ask().collect::<Vec<_>>().join(" ");
            return invalid("scopes", format!("a connection of this kind can have {known}"));
        }
        if scopes.is_empty() {
            scopes.clone_from(&oauth.scopes);
        }
        if self.tokens.client(&kind).is_none() {
            return Ok(Err(vault::ConsentError::NoClient));
        }
        let found = self.span.bound(self.workspace.connections(None)).await;
        let all = self.known(found)?.unwrap_or_default();
        let is_over =
            |it: &&store::Connection| it.kind == kind && it.name == name && it.state == ConnectionState::Expired;
        let renewed = all.iter().find(is_over).map(|it| it.id.clone());
        if renewed.is_none() && all.len() >= store::MOST_CONNECTIONS {
            return Ok(Err(vault::ConsentError::Full));
        }
        let id = ConsentId::from(format!("flw_{}", base32(&(&self.entropy as &dyn Entropy).array::<16>())));
        let new = NewConsent { id, kind, name, scopes, connection: renewed, created_at: self.now };
        let asked = self.span.bound(self.workspace.ask_consent(new)).await;
        Ok(match self.known(asked)? {
            Ok(consent) => Ok(self.shown(consent)),
            Err(_) => Err(vault::ConsentError::Full),
        })
    }

    /// A consent as the guest sees it.
    pub(super) fn shown(&self, consent: Consent) -> vault::Consent {
        let state = match consent.state {
            _ if consent.is_expired(self.now) => vault::ConsentState::Expired,
            ConsentState::Started | ConsentState::Away | ConsentState::Answered => vault::ConsentState::Pending,
            ConsentState::Completed => vault::ConsentState::Completed,
            ConsentState::Refused => vault::ConsentState::Refused,
            ConsentState::Failed => vault::ConsentState::Failed,
        };
        vault::Consent {
            url: self.edges.consent(consent.id.as_str()),
            reference: consent.id.as_str().to_owned(),
            state,
            expires: since_1970(consent.expires_at),
            connection: consent.connection.map(|id| id.as_str().to_owned()),
            error: consent.error,
        }
    }
}
