//! The token endpoint, RFC 6749 3.2: a code or a refresh token in, a pair of tokens out.

use std::time::Duration;

use model::clock::Moment;
use model::id::ClientId;
use model::scope::ScopeSet;
use model::token::{Purpose, Secret};
use store::identity::clients::Client;
use store::identity::codes::{Code as StoredCode, CodeState, Redemption};
use store::identity::grants::Ended;
use store::identity::tokens::{NewToken, TokenKind};

use crate::oauth::Authority;
use crate::oauth::authorize::check_resource;
use crate::oauth::fault::{Code, Fault};
use crate::oauth::form::Parameters;
use crate::oauth::pkce::Verifier;
use crate::oauth::token_request::{Brought, GrantType};

/// An access token lasts an hour.
pub const ACCESS_LIFE: Duration = Duration::from_secs(60 * 60);
/// A refresh token lasts thirty days, counted anew at each rotation.
pub const REFRESH_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A successful answer (RFC 6749 5.1).
#[derive(Clone, Debug)]
pub struct Issued {
    /// To be shown with each request.
    pub access_token: Secret,
    /// Seconds.
    pub expires_in: u64,
    /// To be exchanged for the next pair, if the client has registered for that.
    pub refresh_token: Option<Secret>,
    /// What the access token permits; always said.
    pub scopes: ScopeSet,
}

impl Authority {
    /// Answers a token request. `address` is where it came from; it is counted, not stored.
    ///
    /// # Errors
    /// The faults of RFC 6749 5.2, `invalid_target` of RFC 8707, or a wait.
    pub async fn exchange(&self, form: &str, address: &str) -> Result<Issued, Fault> {
        let parameters = Parameters::read(form);
        self.admit_caller(address)?;
        let answer = match Brought::read(&parameters) {
            Ok(Brought::Refresh { token, scope }) => self.refresh_together(parameters, (token, scope)).await,
            Ok(Brought::Code { code, verifier, redirect_uri }) => {
                self.redeem(&parameters, code, &verifier, redirect_uri.as_deref()).await
            }
            Err(fault) => Err(fault),
        };
        self.note_failure(address, answer.as_ref().err());
        answer
    }

    /// The client of a token request, if it has registered for this way.
    pub(super) async fn client_for(&self, parameters: &Parameters, grant_type: GrantType) -> Result<Client, Fault> {
        let client = self.public_client(parameters).await?;
        if grant_type.is_registered(&client) {
            return Ok(client);
        }
        let what = format!("the client has not registered for {}", grant_type.name());
        Err(Fault::new(Code::UnauthorizedClient, what))
    }

    /// The client that a request names. There are no secrets: one that comes is an error, not ignored.
    pub(crate) async fn public_client(&self, parameters: &Parameters) -> Result<Client, Fault> {
        if parameters.one("client_secret")?.is_some() || parameters.one("client_assertion")?.is_some() {
            return Err(Fault::new(Code::InvalidClient, "clients are public here; do not send a client secret"));
        }
        let id = ClientId::from(parameters.required("client_id")?);
        let found = self.find_client(&id).await?;
        found.ok_or_else(|| Fault::new(Code::InvalidClient, "the client is not registered; register again"))
    }

    /// Spends a code for the first pair.
    async fn redeem(
        &self,
        parameters: &Parameters,
        code: Secret,
        verifier: &Verifier,
        redirect_uri: Option<&str>,
    ) -> Result<Issued, Fault> {
        let client = self.client_for(parameters, GrantType::AuthorizationCode).await?;
        let now = self.clock().now();
        let hash = code.hash();
        let refused = || Fault::new(Code::InvalidGrant, "the code is unknown, expired, used, or not for this client");
        let code = self.store().identity.code(&hash).await?.ok_or_else(refused)?;
        match code.state {
            CodeState::Used { .. } => {
                self.code_came_again(&code, now).await?;
                return Err(refused());
            }
            CodeState::Fresh { until } if until <= now => return Err(refused()),
            CodeState::Fresh { .. } => {}
        }
        if code.client != client.id || !is_redirect_same(&code, redirect_uri) {
            return Err(refused());
        }
        check_resource(parameters, &code.resource)?;
        if !verifier.answers(&code.challenge) {
            self.store().identity.spoil_code(hash, code.grant, now).await?;
            return Err(Fault::new(
                Code::InvalidGrant,
                "code_verifier does not answer the challenge; the code is spent",
            ));
        }
        let (issued, tokens) = self.pair(&client, &code.scopes, &code.scopes, now);
        match self.store().identity.redeem_code(hash, code.grant.clone(), tokens, now).await? {
            Redemption::Done => Ok(issued),
            Redemption::Reused => {
                self.code_came_again(&code, now).await?;
                Err(refused())
            }
        }
    }

    /// A used code is a leaked code: nothing that came of it is good any more (RFC 6749 4.1.2).
    async fn code_came_again(&self, code: &StoredCode, now: Moment) -> Result<(), Fault> {
        let grant = code.grant.clone();
        self.store().identity.end_grant(code.customer.clone(), grant, Ended::CodeReused, now).await?;
        let line = self.line("oauth.code.reused", &code.customer, Some(&code.grant), code.client.as_str(), now);
        Ok(self.store().calls.audit(line).await?)
    }

    /// A new pair: the access token with what was asked, the refresh token with all that was granted.
    pub(super) fn pair(
        &self,
        client: &Client,
        asked: &ScopeSet,
        granted: &ScopeSet,
        now: Moment,
    ) -> (Issued, Vec<NewToken>) {
        let access = Secret::new(Purpose::Access, self.entropy());
        let mut tokens = vec![NewToken {
            hash: access.hash(),
            kind: TokenKind::Access,
            scopes: asked.clone(),
            expires_at: now.plus(ACCESS_LIFE),
        }];
        let refresh =
            GrantType::RefreshToken.is_registered(client).then(|| Secret::new(Purpose::Refresh, self.entropy()));
        tokens.extend(refresh.as_ref().map(|refresh| NewToken {
            hash: refresh.hash(),
            kind: TokenKind::Refresh,
            scopes: granted.clone(),
            expires_at: now.plus(REFRESH_LIFE),
        }));
        let issued = Issued {
            access_token: access,
            expires_in: ACCESS_LIFE.as_secs(),
            refresh_token: refresh,
            scopes: asked.clone(),
        };
        (issued, tokens)
    }
}

/// RFC 6749 4.1.3: the same address, if the authorization request named one; else none, or the one that was used.
fn is_redirect_same(code: &StoredCode, redirect_uri: Option<&str>) -> bool {
    match redirect_uri {
        Some(text) => text == code.redirect_uri,
        None => !code.redirect_given,
    }
}
