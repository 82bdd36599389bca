//! Where credentials are put, replaced and destroyed: for the module `connections` alone.

use crate::bindings::wit::vault as wit;
use crate::connections::{SendFailure, Sent};
use crate::host::Host;
use crate::{Credentials, Cx};

/// What is to be different of a connection.
pub use crate::bindings::wit::vault::Change as ConnectionChange;
/// A consent at a provider, which the customer gives in a browser.
pub use crate::bindings::wit::vault::Consent;
/// Why no consent is asked for.
pub use crate::bindings::wit::vault::ConsentError;
/// How far a consent is.
pub use crate::bindings::wit::vault::ConsentState;
/// All that may be shown of a connection.
pub use crate::bindings::wit::vault::Details as ConnectionDetails;
/// A part of a kind's credential.
pub use crate::bindings::wit::vault::Field as ConnectionField;
/// A kind of account that can be connected.
pub use crate::bindings::wit::vault::Kind as ConnectionKind;
/// Whose endpoint a kind has.
pub use crate::bindings::wit::vault::Place as EndpointPlace;
/// What was spent at a provider in one day.
pub use crate::bindings::wit::vault::Spent as ConnectionSpending;
/// How often a connection was asked with one outcome within one span of latency.
pub use crate::bindings::wit::vault::Used as ConnectionUse;
/// Why a credential is not put.
pub use crate::bindings::wit::vault::VaultError;

/// The vault. Made by `Cx::vault`.
pub struct Vault<'a> {
    pub(crate) cx: &'a Cx,
}

impl Vault<'_> {
    /// Every kind that can be connected.
    pub fn kinds(&self) -> Vec<ConnectionKind> {
        self.cx.host.vault_kinds()
    }

    /// The customer's connections.
    pub fn all(&self) -> Vec<ConnectionDetails> {
        self.cx.host.vault_all()
    }

    /// One of them.
    pub fn get(&self, reference: &str) -> Option<ConnectionDetails> {
        self.cx.host.vault_get(reference)
    }

    /// Adds one; returns its reference, which works within this call.
    ///
    /// # Errors
    /// The kind, the endpoint or the credential is not what it must be, or there are too many.
    pub fn put(
        &self,
        kind: &str,
        name: &str,
        endpoint: Option<&str>,
        credentials: &Credentials,
    ) -> Result<String, VaultError> {
        self.cx.host.vault_put(kind, name, endpoint, credentials.handle())
    }

    /// Puts another credential in place; requests of this call use it already.
    ///
    /// # Errors
    /// As [`Vault::put`], or there is no such connection.
    pub fn replace(
        &self,
        reference: &str,
        endpoint: Option<&str>,
        credentials: &Credentials,
    ) -> Result<(), VaultError> {
        self.cx.host.vault_replace(reference, endpoint, credentials.handle())
    }

    /// Takes back what `replace` did in this call.
    ///
    /// # Errors
    /// Nothing was replaced in this call.
    pub fn withdraw(&self, reference: &str) -> Result<(), VaultError> {
        self.cx.host.vault_withdraw(reference)
    }

    /// Changes what is not secret.
    ///
    /// # Errors
    /// There is no such connection, or a value is not what it must be.
    pub fn update(&self, reference: &str, change: &ConnectionChange) -> Result<ConnectionDetails, VaultError> {
        self.cx.host.vault_update(reference, change)
    }

    /// Takes a connection and its secret away.
    ///
    /// # Errors
    /// There is no such connection.
    pub fn remove(&self, reference: &str) -> Result<(), VaultError> {
        self.cx.host.vault_remove(reference)
    }

    /// The cheapest request that tells whether the credential is good.
    ///
    /// # Errors
    /// There is no answer, or one that says that the account is at fault.
    pub fn probe(&self, reference: &str) -> Result<Sent, SendFailure> {
        self.cx.host.vault_probe(reference)
    }

    /// Asks for a consent; no scopes: those of the kind. The host makes the connection when it is given.
    ///
    /// # Errors
    /// The kind is not connected by one, the operator has no client there, an argument is not what it must be, or there
    /// are too many.
    pub fn ask_consent(&self, kind: &str, name: &str, scopes: &[String]) -> Result<Consent, ConsentError> {
        self.cx.host.vault_ask_consent(kind, name, scopes)
    }

    /// A consent of the customer's.
    pub fn get_consent(&self, reference: &str) -> Option<Consent> {
        self.cx.host.vault_get_consent(reference)
    }

    /// What a connection's consent was asked to permit and does not.
    pub fn lacking(&self, reference: &str) -> Vec<String> {
        self.cx.host.vault_lacking(reference)
    }

    /// Gives a connection's consent back at the provider. True: it is worth nothing there any more.
    pub fn revoke(&self, reference: &str) -> bool {
        self.cx.host.vault_revoke(reference)
    }

    /// What was counted from one UTC day since 1970 to another, both included.
    pub fn usage(&self, reference: &str, from_day: i64, to_day: i64) -> Vec<wit::Used> {
        self.cx.host.vault_usage(reference, from_day, to_day)
    }

    /// What was spent from one UTC day since 1970 to another, both included.
    pub fn spending(&self, reference: &str, from_day: i64, to_day: i64) -> Vec<ConnectionSpending> {
        self.cx.host.vault_spending(reference, from_day, to_day)
    }
}
