//! Signing in with an upstream OpenID provider: OpenID Connect Core 1.0, the code flow, with PKCE, `state` and
//! `nonce`; we are the client here.
//!
//! Nothing is stored between leaving and coming back. `state` is sealed to the browser's cookie and good for ten
//! minutes; the verifier and the nonce are derived from it with a key of ours, so only this service, and only for this
//! browser, can make them again.

mod id_token;
mod provider;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use model::clock::Moment;
use model::id::CustomerId;
use model::keys::Key;
use model::token::Secret;
use sha2::Sha256;
use store::StoreError;
use store::identity::customers::CustomerState;
use store::identity::identities::LinkedIdentity;

use crate::oauth::Authority;
use crate::oauth::form::Parameters;
use crate::oauth::session::normal_email;
use id_token::Person;

pub use provider::Provider;

/// How long somebody may be away at the provider, in milliseconds.
const AWAY: i64 = 10 * 60 * 1000;

/// The provider of this deployment, as its operator has set it up.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// What the button says.
    pub name: String,
    /// Exactly as its discovery document says it.
    pub issuer: String,
    /// Our name at the provider.
    pub client_id: String,
    /// Our secret there; none for a public client.
    pub client_secret: Option<Secret>,
    /// Whether somebody who is not known becomes a customer.
    pub add_customers: bool,
}

/// Why nobody was signed in.
#[derive(Debug, thiserror::Error)]
pub enum NotSignedIn {
    /// No provider is set up.
    #[error("There is no other way to sign in here.")]
    NotOffered,
    /// The answer does not belong to this browser, or came too late.
    #[error("This answer does not belong to a sign-in of this browser, or it came too late. Start again.")]
    Stale,
    /// The person or the provider said no.
    #[error("The sign-in was not completed at the provider.")]
    Declined,
    /// The provider cannot be reached, or says what it may not say. Details are in the log.
    #[error("The provider's answer could not be verified, so nobody was signed in. Try again later.")]
    Unverified,
    /// Nobody here goes by that identity.
    #[error("There is no account for this identity here. Ask the operator to add one for your e-mail address.")]
    NoAccount,
    /// The account is closed.
    #[error("This account is closed.")]
    Closed,
    /// The store cannot be reached.
    #[error("The service cannot answer at the moment. Try again in a few seconds.")]
    Store(#[from] StoreError),
}

/// What is derived for one trip to the provider.
struct Trip {
    state: String,
    verifier: String,
    nonce: String,
}

impl Authority {
    /// The provider, if one is set up.
    pub fn upstream(&self) -> Option<&Arc<Provider>> {
        self.config().upstream.as_ref()
    }

    /// The address to come back to, as it is registered at the provider.
    pub fn upstream_redirect(&self) -> String {
        format!("{}/sign-in/callback", self.config().public_url)
    }

    /// The provider's address that this browser is sent to.
    ///
    /// # Errors
    /// When there is no provider, or it does not answer.
    pub async fn leave_for_upstream(&self, cookie: &Secret) -> Result<String, NotSignedIn> {
        let provider = self.upstream().ok_or(NotSignedIn::NotOffered)?;
        let mut opening = (self.clock().now().0 + AWAY).to_be_bytes().to_vec();
        opening.extend(self.entropy().array::<16>());
        let trip = trip(self.config().keys.current().newest(), cookie, &opening);
        provider.address(trip.state, trip.verifier, trip.nonce, &self.upstream_redirect()).await
    }

    /// Finds out from the provider's answer who has come back, and opens a session for them.
    ///
    /// # Errors
    /// Says why nobody was signed in.
    pub async fn return_from_upstream(&self, query: &str, cookie: &Secret) -> Result<Secret, NotSignedIn> {
        let provider = self.upstream().ok_or(NotSignedIn::NotOffered)?;
        let parameters = Parameters::read(query);
        if parameters.repeated().is_some() {
            return Err(NotSignedIn::Stale);
        }
        let said = |name: &str| parameters.one(name).ok().flatten();
        let trip = said("state").and_then(|state| self.resume(state, cookie)).ok_or(NotSignedIn::Stale)?;
        provider.check_issuer(said("iss")).await?;
        let Some(code) = said("code").filter(|_| said("error").is_none()) else { return Err(NotSignedIn::Declined) };
        let now = self.clock().now();
        let person = provider.person(code, trip.verifier, &trip.nonce, &self.upstream_redirect(), now).await?;
        let customer = self.whose(provider, person, now).await?;
        Ok(self.open_session(customer, Some(cookie), "provider", now).await?)
    }

    /// The trip that this state belongs to, if it began in this browser and is not too old.
    fn resume(&self, state: &str, cookie: &Secret) -> Option<Trip> {
        let bytes = URL_SAFE_NO_PAD.decode(state).ok()?;
        let (opening, seal) = bytes.split_at_checked(24)?;
        let until = i64::from_be_bytes(*opening.first_chunk()?);
        let keys = self.config().keys.current();
        let made_with = |key: &Key| derive(key, "state", cookie, opening).verify_slice(seal).is_ok();
        let key = keys.newest_first().find(|key| made_with(key)).filter(|_| self.clock().now() < Moment(until))?;
        Some(trip(key, cookie, opening))
    }

    /// The customer of this person: linked before, or found by an e-mail that the provider has verified.
    async fn whose(&self, provider: &Provider, person: Person, now: Moment) -> Result<CustomerId, NotSignedIn> {
        let identity = LinkedIdentity { issuer: provider.settings().issuer.clone(), subject: person.subject };
        let known = match self.store().identity.identified(&identity).await? {
            Some(customer) => customer,
            None => {
                let email = person.verified_email.as_deref().map(normal_email).ok_or(NotSignedIn::NoAccount)?;
                let customer = match self.store().identity.credentials(&email).await? {
                    Some(credentials) => credentials.customer.id,
                    None if provider.settings().add_customers => {
                        let added = self.add_customer(&email, None, 0).await;
                        added.map_err(|_| NotSignedIn::NoAccount)?.id
                    }
                    None => return Err(NotSignedIn::NoAccount),
                };
                let linked = self.store().identity.link_identity(identity, customer, now).await?;
                let line = self.line("customer.identity_linked", &linked, None, linked.as_str(), now);
                self.store().calls.audit(line).await?;
                linked
            }
        };
        match self.store().identity.customer(&known).await?.map(|customer| customer.state) {
            Some(CustomerState::Active) => Ok(known),
            Some(CustomerState::Suspended { .. } | CustomerState::Erased { .. }) | None => Err(NotSignedIn::Closed),
        }
    }
}

fn trip(key: &Key, cookie: &Secret, opening: &[u8]) -> Trip {
    let made = |what| derive(key, what, cookie, opening).finalize().into_bytes();
    let state = [opening, &made("state")[..]].concat();
    let [verifier, nonce] = ["verifier", "nonce"].map(|what| URL_SAFE_NO_PAD.encode(made(what)));
    Trip { state: URL_SAFE_NO_PAD.encode(state), verifier, nonce }
}

fn derive(key: &Key, what: &str, cookie: &Secret, opening: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.reveal()).expect("HMAC takes a key of any length");
    for part in [b"espalier upstream", what.as_bytes(), cookie.hash().as_str().as_bytes(), opening] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac
}
