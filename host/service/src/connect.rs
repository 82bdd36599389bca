//! Connecting an account by a consent at its provider: a page of ours, a trip to the provider, its answer.
//!
//! Whoever asked for a consent could send somebody else through it, to have that person's account connected to their
//! own. So a trip begins only where its customer is signed in, and its answer is taken only in the session that it began
//! in. `state` and the PKCE verifier are random, one is kept as a hash and the other sealed, and both are good once.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use catalog::kinds;
use model::clock::Moment;
use model::id::{ConnectionId, ConsentId, CustomerId};
use model::token::{Purpose, Secret};
use sandbox::egress::{Decision, Verdict};
use sandbox::tokens::{Answer, Consented, Denied, NoConsent};
use serde_json::json;
use store::identity::consents::{Completed, Completion, Consent, ConsentState, Returned, Trip, trip_place};
use store::{Place, SealError, Sealed, StoreError};
use url::Url;
use zeroize::Zeroizing;

use crate::Core;
use crate::oauth::Session;
use crate::oauth::form::Parameters;

/// What a customer is asked before they go to the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    /// The kind, for people.
    pub title: String,
    /// What the connection will be called.
    pub name: String,
    /// What is asked for, in the provider's words.
    pub scopes: Vec<String>,
    /// Scheme, host and port that the browser goes to.
    pub origin: String,
    /// The host of it, for people.
    pub host: String,
    /// Whether a connection that has expired is renewed.
    pub renews: bool,
    /// Until when it can be given.
    pub expires_at: Moment,
}

/// What came of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connected {
    /// The kind, for people.
    pub title: String,
    /// What the connection is called.
    pub name: String,
}

/// Why nothing was connected, in words for a page.
#[derive(Debug, thiserror::Error)]
pub enum NotConnected {
    /// Nobody asked for it, or not this customer, or so long ago that it is forgotten.
    #[error("There is no such consent in your account. It may be too old: ask for another one.")]
    Unknown,
    /// Its ten minutes are over.
    #[error("The time for this consent is over. Nothing was connected; ask for another one.")]
    Expired,
    /// It was answered before.
    #[error("This consent was answered before. What came of it then stands; nothing was changed now.")]
    Used,
    /// Another browser, another customer, or nobody.
    #[error(
        "This browser is not signed in as the customer who began to connect this account, or not in the same session. \
         Nothing was connected. If somebody sent you here, do not go on."
    )]
    NotYours,
    /// The person said no.
    #[error("You did not allow it, so nothing was connected.")]
    Declined,
    /// The answer is of another provider.
    #[error("The answer came from another provider than the one that was asked. Nothing was connected.")]
    Issuer,
    /// The provider refused, or what it said cannot be used. Details are in the log.
    #[error("The provider did not give access, so nothing was connected. Try again later.")]
    Provider,
    /// The operator has no client there, or the wrong one.
    #[error("This service is not set up at that provider. Whoever runs it has to mend that; nothing was connected.")]
    NoClient,
    /// There are as many connections as there can be.
    #[error("Your account has as many connections as it can have. Remove one, and ask again.")]
    Full,
    /// What was to be renewed is another one by now.
    #[error("The connection was changed or removed meanwhile. Ask again.")]
    Changed,
    /// The store cannot be reached.
    #[error("The service cannot answer at the moment. Try again in a few seconds.")]
    Store(#[from] StoreError),
}

impl NotConnected {
    /// How its consent ends, and the word for it; none: it stays as it is.
    fn end(&self) -> Option<(ConsentState, &'static str)> {
        Some(match self {
            NotConnected::Declined => (ConsentState::Refused, "access_denied"),
            NotConnected::Issuer => (ConsentState::Failed, "wrong_issuer"),
            NotConnected::Provider => (ConsentState::Failed, "provider_refused"),
            NotConnected::NoClient => (ConsentState::Failed, "invalid_client"),
            NotConnected::Full => (ConsentState::Failed, "too_many_connections"),
            NotConnected::Changed => (ConsentState::Failed, "connection_changed"),
            NotConnected::Store(_) => (ConsentState::Failed, "provider_unreachable"),
            NotConnected::Unknown | NotConnected::Expired | NotConnected::Used | NotConnected::NotYours => return None,
        })
    }
}

/// Consents at a provider, from the link to the stored account.
#[derive(Clone)]
pub struct Consents {
    pub(crate) core: Core,
}

impl Consents {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Where providers send browsers back to; what an operator registers there.
    pub fn consent_redirect(&self) -> String {
        format!("{}/connect/callback", self.core.config().public_url)
    }

    /// What a customer is asked before they go to the provider.
    ///
    /// # Errors
    /// It is not theirs, its time is over, or it was answered.
    pub async fn asked_consent(&self, customer: &CustomerId, id: &str) -> Result<Asking, NotConnected> {
        let consent = self.open_consent(customer, id).await?;
        let origin = self.core.sandbox().tokens().consent_origin(&consent.kind).map_err(|_| NotConnected::NoClient)?;
        let host = Url::parse(&origin).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        Ok(Asking {
            title: title(&consent.kind),
            name: consent.name,
            scopes: consent.scopes,
            origin,
            host,
            renews: consent.connection.is_some(),
            expires_at: consent.expires_at,
        })
    }

    /// Begins the trip of this session; the provider's address that its browser is sent to.
    ///
    /// # Errors
    /// As [`Self::asked_consent`].
    pub async fn leave_for_consent(&self, session: &Session, id: &str) -> Result<String, NotConnected> {
        let (customer, now) = (&session.customer, self.core.clock().now());
        let consent = self.open_consent(customer, id).await?;
        let state = Secret::new(Purpose::Consent, self.core.entropy());
        let verifier = Zeroizing::new(URL_SAFE_NO_PAD.encode(self.core.entropy().array::<32>()));
        let place = ConnectionId::from(consent.id.as_str());
        let keys = self.core.config().keys.current();
        let sealed =
            Sealed::seal(&keys, trip_place(customer, &place, &consent.kind), verifier.as_bytes(), self.core.entropy());
        let sealed = sealed.map_err(|error| locked(&error))?;
        let tokens = self.core.sandbox().tokens();
        let redirect = self.consent_redirect();
        let address = tokens.consent_address(&consent.kind, &consent.scopes, state.reveal(), &verifier, &redirect);
        let address = address.map_err(|_| NotConnected::NoClient)?;
        let trip = Trip { session: session.id.clone(), state: state.hash(), verifier: sealed };
        match self.core.store().identity.leave_for_consent(customer, &consent.id, trip, now).await? {
            true => Ok(address),
            false => Err(NotConnected::Used),
        }
    }

    /// Ends a consent because its customer does not want it any more.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn cancel_consent(&self, customer: &CustomerId, id: &str) -> Result<(), StoreError> {
        let id = ConsentId::from(id);
        self.core.store().identity.end_consent(customer, &id, ConsentState::Refused, "cancelled").await
    }

    /// Takes the provider's answer, if it is one to a trip of this session.
    ///
    /// # Errors
    /// Says why nothing was connected.
    pub async fn return_from_consent(&self, query: &str, session: Option<&Session>) -> Result<Connected, NotConnected> {
        let parameters = Parameters::read(query);
        if parameters.repeated().is_some() {
            return Err(NotConnected::Unknown);
        }
        let said = |name: &str| parameters.one(name).ok().flatten();
        let state = said("state").map(|state| Secret::received(state).hash()).ok_or(NotConnected::Unknown)?;
        let now = self.core.clock().now();
        let returned = self.core.store().identity.returned_from_consent(&state).await?.ok_or(NotConnected::Unknown)?;
        let is_here = |session: &&Session| session.customer == returned.customer && session.id == returned.session;
        if session.filter(is_here).is_none() {
            return Err(NotConnected::NotYours);
        }
        if returned.consent.is_expired(now) {
            return Err(NotConnected::Expired);
        }
        // From here on the state is used up, whatever comes of it.
        if returned.consent.state != ConsentState::Away
            || !self.core.store().identity.take_consent(&returned, now).await?
        {
            return Err(NotConnected::Used);
        }
        let connected = self.answered(&returned, said("iss"), said("error"), said("code"), now).await;
        let outcome = match &connected {
            Ok(_) => "ok",
            Err(reason) => {
                let (state, word) = reason.end().unwrap_or((ConsentState::Failed, "provider_refused"));
                self.core.store().identity.end_consent(&returned.customer, &returned.consent.id, state, word).await?;
                word
            }
        };
        let mut line = self.core.authority().line(
            "connection.consent",
            &returned.customer,
            None,
            returned.consent.id.as_str(),
            now,
        );
        outcome.clone_into(&mut line.outcome);
        line.detail = json!({ "kind": returned.consent.kind });
        self.core.store().calls.audit(line).await?;
        connected
    }

    async fn answered(
        &self,
        returned: &Returned,
        issuer: Option<&str>,
        error: Option<&str>,
        code: Option<&str>,
        now: Moment,
    ) -> Result<Connected, NotConnected> {
        let Returned { customer, consent, verifier, .. } = returned;
        let tokens = self.core.sandbox().tokens();
        if !tokens.is_issuer(&consent.kind, issuer) {
            return Err(NotConnected::Issuer);
        }
        let code = match (error, code) {
            (None, Some(code)) => code,
            (Some("access_denied"), _) => return Err(NotConnected::Declined),
            _ => return Err(NotConnected::Provider),
        };
        let place = ConnectionId::from(consent.id.as_str());
        let keys = self.core.config().keys.current();
        let verifier = verifier.as_ref().ok_or(NotConnected::Used)?;
        let verifier = verifier.open(&keys, trip_place(customer, &place, &consent.kind));
        let verifier = verifier.map_err(|error| locked(&error))?;
        let verifier = Zeroizing::new(String::from_utf8_lossy(&verifier).into_owned());
        let redirect = self.consent_redirect();
        let mut trail = Vec::new();
        let answer =
            Answer { kind: &consent.kind, scopes: &consent.scopes, code, verifier: &verifier, redirect: &redirect };
        let exchanged = tokens.exchange(answer, now, &mut trail).await;
        refused(&trail);
        let consented = exchanged.map_err(|denied| {
            tracing::warn!(kind = consent.kind, error = %denied, "a code could not be exchanged at a provider");
            match denied {
                Denied::Nobody(NoConsent::NoClient | NoConsent::NotByConsent) | Denied::Client => {
                    NotConnected::NoClient
                }
                Denied::Grant | Denied::Refused | Denied::Lost(_) | Denied::Malformed => NotConnected::Provider,
            }
        })?;
        let kept = self.keep(customer, consent, &consented, now).await;
        if kept.is_err() {
            let mut trail = Vec::new();
            tokens.give_back(&consent.kind, &consented, &mut trail).await;
            refused(&trail);
        }
        kept.map(|()| Connected { title: title(&consent.kind), name: consent.name.clone() })
    }

    /// Makes the connection, or renews the one whose credential has expired.
    async fn keep(
        &self,
        customer: &CustomerId,
        consent: &Consent,
        consented: &Consented,
        now: Moment,
    ) -> Result<(), NotConnected> {
        let (connection, secret) = match &consent.connection {
            None => (ConnectionId::new(self.core.entropy()), 0),
            Some(id) => {
                let found = self
                    .core
                    .store()
                    .connections
                    .connection(customer, id.as_str())
                    .await?
                    .ok_or(NotConnected::Changed)?;
                (found.id, found.secret)
            }
        };
        let place = Place { customer, connection: &connection, kind: &consent.kind, version: secret + 1 };
        let sealed = consented.seal(&self.core.config().keys.current(), place, self.core.entropy());
        let completion = Completion {
            customer: customer.clone(),
            consent: consent.id.clone(),
            connection: connection.clone(),
            kind: consent.kind.clone(),
            name: consent.name.clone(),
            endpoint: consented.endpoint.clone(),
            secret,
            sealed: sealed.map_err(|error| locked(&error))?,
        };
        match self.core.store().identity.complete_consent(completion, now).await? {
            Completed::Done => Ok(()),
            Completed::Full => Err(NotConnected::Full),
            Completed::Gone => Err(NotConnected::Changed),
        }
    }

    async fn open_consent(&self, customer: &CustomerId, id: &str) -> Result<Consent, NotConnected> {
        let consent = self.core.store().identity.consent(customer, id).await?.ok_or(NotConnected::Unknown)?;
        if consent.is_expired(self.core.clock().now()) {
            return Err(NotConnected::Expired);
        }
        match consent.state {
            ConsentState::Started | ConsentState::Away => Ok(consent),
            ConsentState::Answered | ConsentState::Completed | ConsentState::Refused | ConsentState::Failed => {
                Err(NotConnected::Used)
            }
        }
    }
}

fn title(kind: &str) -> String {
    kinds::kind(kind).map_or_else(|| kind.to_owned(), |kind| kind.title.clone())
}

/// The ring does not have the key, or somebody was at the database.
fn locked(error: &SealError) -> NotConnected {
    tracing::error!(error = %error, "a trip to a provider could not be sealed or opened");
    NotConnected::Provider
}

/// An operator's client that leads to a place of the inside is a mistake of the operator's.
fn refused(trail: &[Decision]) {
    for decision in trail.iter().filter(|decision| decision.verdict != Verdict::Permitted) {
        tracing::warn!(host = decision.host, code = decision.verdict.code(), "a token endpoint was not asked");
    }
}
