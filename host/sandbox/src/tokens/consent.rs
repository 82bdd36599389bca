//! The authorization code flow with PKCE at a provider (RFC 6749 4.1, RFC 7636), and the credential made from its
//! tokens.

use std::time::Duration;

use catalog::kinds::{Kind, Oauth};
use model::clock::{Entropy, Moment};
use model::keys::KeyRing;
use oauth2::basic::{BasicClient, BasicErrorResponseType, BasicTokenResponse};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RefreshToken, RequestTokenError, Scope, TokenResponse as _,
    TokenUrl,
};
use store::{Place, SealError, Sealed};
use zeroize::Zeroizing;

use super::address::{at, origin};
use super::door::{Door, NoAnswer};
use super::{Client, Tokens};
use crate::egress::{Decision, Failure, Lost};
use crate::provider::credential::Credential;
use crate::provider::request;

/// Why no consent can be requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoConsent {
    /// The kind is not connected by consent.
    #[error("accounts of this kind are not connected by a consent")]
    NotByConsent,
    /// The operator has no client at the provider.
    #[error("this service has no client at the provider")]
    NoClient,
}

/// Why a provider issued no token. Contains nothing from its response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// No consent can be requested: see [`NoConsent`].
    #[error(transparent)]
    Nobody(#[from] NoConsent),
    /// The grant is no longer valid: withdrawn, expired or used up (RFC 6749 5.2, `invalid_grant`).
    #[error("invalid_grant")]
    Grant,
    /// The provider rejects this service as a client. The operator must fix that.
    #[error("invalid_client")]
    Client,
    /// The provider refuses for another reason.
    #[error("the provider refuses")]
    Refused,
    /// There was no response. Says whether the request was sent.
    #[error("no answer: {}", .0.failure)]
    Lost(Lost),
    /// The response is not that of a token endpoint.
    #[error("the answer is not the one of a token endpoint")]
    Malformed,
}

/// An authorization code from a provider, with the parameters of the request that it answers.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    /// The kind of the account.
    pub kind: &'a str,
    /// The requested scopes.
    pub scopes: &'a [String],
    /// The code.
    pub code: &'a str,
    /// The PKCE verifier.
    pub verifier: &'a str,
    /// The redirect URI.
    pub redirect: &'a str,
}

/// Tokens of a consent. Deliberately without `Debug`.
pub struct Consented {
    pub(super) credential: Credential,
    /// The endpoint of the connection, if it is not the provider's.
    pub endpoint: Option<String>,
}

/// The response of a token endpoint.
pub(crate) struct Received {
    pub(crate) access: Zeroizing<String>,
    pub(crate) refresh: Option<Zeroizing<String>>,
    pub(crate) life: Option<Duration>,
    /// `None` means the requested ones (RFC 6749 5.1).
    pub(crate) scopes: Option<Vec<String>>,
}

impl Consented {
    /// Seals the tokens for their connection.
    ///
    /// # Errors
    /// The cryptographic library fails.
    pub fn seal(&self, ring: &KeyRing, place: Place<'_>, entropy: &dyn Entropy) -> Result<Sealed, SealError> {
        Sealed::seal(ring, place, &self.credential.bytes(), entropy)
    }
}

type Ready = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

impl Tokens {
    /// The provider's authorization URL.
    ///
    /// # Errors
    /// No consent can be requested.
    pub fn consent_address(
        &self,
        kind: &str,
        scopes: &[String],
        state: &str,
        verifier: &str,
        redirect: &str,
    ) -> Result<String, NoConsent> {
        let (oauth, client) = self.asked(kind)?;
        let ready = ready(oauth, client, redirect).ok_or(NoConsent::NoClient)?;
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(verifier.to_owned()));
        let mut request = ready
            .authorize_url(|| CsrfToken::new(state.to_owned()))
            .add_scopes(scopes.iter().cloned().map(Scope::new))
            .set_pkce_challenge(challenge);
        for (name, value) in &oauth.parameters {
            request = request.add_extra_param(name, value);
        }
        Ok(request.url().0.into())
    }

    /// The origin of the provider's authorization URL.
    ///
    /// # Errors
    /// No consent can be requested.
    pub fn consent_origin(&self, kind: &str) -> Result<String, NoConsent> {
        let (oauth, client) = self.asked(kind)?;
        at(client.endpoint.as_deref(), &oauth.authorize).map(|url| origin(&url)).ok_or(NoConsent::NoClient)
    }

    /// Whether a response may be the provider's: the issuer matches, if the response states one (RFC 9207 2.4).
    pub fn is_issuer(&self, kind: &str, said: Option<&str>) -> bool {
        let Some(said) = said else { return true };
        let Ok((oauth, client)) = self.asked(kind) else { return false };
        let place = client.endpoint.as_deref();
        match (&oauth.issuer, place) {
            (Some(issuer), None) => said == issuer,
            (Some(issuer), Some(_)) => at(place, issuer).is_some_and(|url| origin(&url) == said),
            (None, _) => at(place, &oauth.authorize).is_some_and(|url| origin(&url) == said),
        }
    }

    /// Exchanges a code for tokens.
    ///
    /// # Errors
    /// Why there are no tokens.
    pub async fn exchange(
        &self,
        answer: Answer<'_>,
        now: Moment,
        trail: &mut Vec<Decision>,
    ) -> Result<Consented, Denied> {
        let Answer { kind, scopes, code, verifier, redirect } = answer;
        let (oauth, client) = self.asked(kind)?;
        let ready = ready(oauth, client, redirect).ok_or(NoConsent::NoClient)?;
        let door = Door::new(&self.guard);
        let exchange = ready
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()));
        let given = exchange.request_async(&door).await;
        trail.extend(door.into_trail());
        let received = received(&given.map_err(denied)?);
        let place = client.endpoint.as_deref().and_then(request::origin);
        let credential = Credential::consented(received, scopes, place, now);
        Ok(Consented { credential, endpoint: client.endpoint.clone() })
    }

    /// Requests a new access token. The response may replace the refresh token.
    pub(super) async fn refresh(
        &self,
        kind: &str,
        refresh_token: &str,
        trail: &mut Vec<Decision>,
    ) -> Result<Received, Denied> {
        let (oauth, client) = self.asked(kind)?;
        // A refresh sends no redirect URI; the builder only needs a valid URL.
        let ready = ready(oauth, client, &oauth.token).ok_or(NoConsent::NoClient)?;
        let token = RefreshToken::new(refresh_token.to_owned());
        let door = Door::new(&self.guard);
        let answer = ready.exchange_refresh_token(&token).request_async(&door).await;
        trail.extend(door.into_trail());
        Ok(received(&answer.map_err(denied)?))
    }

    pub(super) fn asked(&self, kind: &str) -> Result<(&'static Oauth, &Client), NoConsent> {
        let oauth = catalog::kinds::kind(kind).and_then(Kind::oauth).ok_or(NoConsent::NotByConsent)?;
        Ok((oauth, self.client(kind).ok_or(NoConsent::NoClient)?))
    }
}

/// Credentials go in the body: every provider of the catalog documents that form, and not all accept the other one.
fn ready(oauth: &Oauth, client: &Client, redirect: &str) -> Option<Ready> {
    let place = client.endpoint.as_deref();
    let mut ready = BasicClient::new(ClientId::new(client.id.clone()))
        .set_auth_uri(AuthUrl::from_url(at(place, &oauth.authorize)?))
        .set_token_uri(TokenUrl::from_url(at(place, &oauth.token)?))
        .set_redirect_uri(RedirectUrl::new(redirect.to_owned()).ok()?)
        .set_auth_type(AuthType::RequestBody);
    if let Some(secret) = &client.secret {
        ready = ready.set_client_secret(ClientSecret::new(secret.reveal().to_owned()));
    }
    Some(ready)
}

pub(super) fn received(answer: &BasicTokenResponse) -> Received {
    Received {
        access: Zeroizing::new(answer.access_token().secret().clone()),
        refresh: answer.refresh_token().map(|token| Zeroizing::new(token.secret().clone())),
        life: answer.expires_in(),
        scopes: answer.scopes().map(|scopes| scopes.iter().map(|scope| scope.as_str().to_owned()).collect()),
    }
}

/// Drops the provider's text: it may contain personal data and must not be passed on.
fn denied(error: RequestTokenError<NoAnswer, oauth2::basic::BasicErrorResponse>) -> Denied {
    match error {
        RequestTokenError::ServerResponse(said) => refused(said.error()),
        RequestTokenError::Request(NoAnswer(lost)) => Denied::Lost(lost),
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => Denied::Malformed,
    }
}

pub(super) fn refused(said: &BasicErrorResponseType) -> Denied {
    match said {
        BasicErrorResponseType::InvalidGrant => Denied::Grant,
        BasicErrorResponseType::InvalidClient | BasicErrorResponseType::UnauthorizedClient => Denied::Client,
        _ => Denied::Refused,
    }
}

impl Denied {
    /// Whether the request may have taken effect although there was no usable response.
    pub(super) fn may_be_done(&self) -> bool {
        match self {
            Denied::Lost(lost) => lost.sent,
            Denied::Malformed => true,
            _ => false,
        }
    }
}

impl From<Failure> for Denied {
    fn from(failure: Failure) -> Self {
        Denied::Lost(Lost { failure, sent: false })
    }
}
