//! Revocation, RFC 7009: a refresh token takes its family with it, an access token goes alone.

use model::token::Secret;
use store::identity::grants::Ended;
use store::identity::tokens::TokenKind;

use crate::oauth::Authority;
use crate::oauth::fault::{Code, Fault};
use crate::oauth::form::Parameters;

impl Authority {
    /// Revokes the token of a request. An unknown token is as good as a revoked one (RFC 7009 2.2). `address` is where
    /// it came from; it is counted, not stored.
    ///
    /// # Errors
    /// `invalid_request`, `invalid_client`, `unauthorized_client` for somebody else's token, or a wait.
    pub async fn revoke(&self, form: &str, address: &str) -> Result<(), Fault> {
        let parameters = Parameters::read(form);
        self.admit_caller(address)?;
        let revoked = self.give_up(&parameters).await;
        self.note_failure(address, revoked.as_ref().err());
        revoked
    }

    async fn give_up(&self, parameters: &Parameters) -> Result<(), Fault> {
        if let Some(name) = parameters.repeated() {
            return Err(Fault::new(Code::InvalidRequest, format!("{name} is given more than once")));
        }
        let secret = Secret::received(parameters.required("token")?);
        let client = match parameters.one("client_id")? {
            Some(_) => Some(self.public_client(parameters).await?),
            None => None,
        };
        let now = self.clock().now();
        let hash = secret.hash();
        let Some(stored) = self.store().identity.token(&hash, now).await? else { return Ok(()) };
        // Whoever holds the token may give it up; a client that names itself may give up its own only.
        if let Some(client) = client
            && stored.grant.client.as_ref() != Some(&client.id)
        {
            return Err(Fault::new(Code::UnauthorizedClient, "the token was issued to another client"));
        }
        let line = self.line(
            "oauth.token.revoked",
            &stored.grant.customer,
            Some(&stored.grant.id),
            stored.grant.client.as_ref().map_or("", |client| client.as_str()),
            now,
        );
        match (stored.kind, &stored.grant.client) {
            (TokenKind::Access, Some(_)) => self.store().identity.revoke_token(hash, now).await?,
            (TokenKind::Refresh, _) | (TokenKind::Access, None) => {
                self.store().identity.end_grant(stored.grant.customer, stored.grant.id, Ended::Revoked, now).await?;
            }
        }
        Ok(self.store().calls.audit(line).await?)
    }
}
