//! A credential, opened for one request: the fields that the customer entered or the tokens of a consent, and the host
//! that it is for.

use std::collections::BTreeMap;
use std::time::Duration;

use catalog::kinds::{Auth, Kind};
use model::clock::Moment;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use crate::mail::address;
use crate::tokens::{Received, is_key_file};

/// Bytes of one field; the key file of a service account is the longest.
const LONGEST: usize = 8 * 1024;
/// Bytes of a secret. A shorter one could not be distinguished from ordinary text when a response is redacted.
const SHORTEST: usize = 6;
/// The fields of a consent, which are never entered by hand.
pub(crate) const ACCESS_TOKEN: &str = "access_token";
/// See [`ACCESS_TOKEN`].
pub(crate) const REFRESH_TOKEN: &str = "refresh_token";
/// The expiry of the access token in milliseconds since 1970, as text. Missing if the provider does not state it.
const EXPIRES_AT: &str = "expires_at";
/// The requested and the granted scopes, separated by spaces.
const ASKED: &str = "asked";
/// See [`ASKED`].
const GRANTED: &str = "granted";
/// A token is not used this close to its expiry. It is longer than any exchange.
pub(crate) const LEEWAY: Duration = Duration::from_secs(120);

/// The plaintext of a sealed secret. Deliberately without `Debug`, and zeroed on drop.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credential {
    fields: BTreeMap<String, String>,
    /// Scheme, host and port of the endpoint that it was entered for; `None` for the provider's own addresses.
    origin: Option<String>,
}

impl Drop for Credential {
    fn drop(&mut self) {
        self.fields.values_mut().for_each(Zeroize::zeroize);
    }
}

/// What is wrong with a credential: the field, and why. Never contains the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub(crate) field: Option<String>,
    pub(crate) message: String,
}

impl Invalid {
    pub(crate) fn new(field: Option<&str>, message: impl Into<String>) -> Self {
        Self { field: field.map(str::to_owned), message: message.into() }
    }
}

impl Credential {
    /// Parses a credential as entered: a JSON object with the fields of the kind.
    pub(crate) fn entered(kind: &Kind, text: &str, origin: Option<String>) -> Result<Self, Invalid> {
        let names = || kind.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
        let Ok(fields) = serde_json::from_str::<BTreeMap<String, String>>(text) else {
            return Err(Invalid::new(None, format!("credentials are an object of texts: {}", names())));
        };
        let credential = Self { fields, origin };
        if credential.fields.keys().any(|name| kind.field(name).is_none()) {
            return Err(Invalid::new(None, format!("credentials of this kind have {} and nothing else", names())));
        }
        for field in &kind.fields {
            let name = Some(field.name.as_str());
            match credential.fields.get(&field.name) {
                Some(value) if value.len() > LONGEST => {
                    return Err(Invalid::new(name, format!("it has at most {LONGEST} bytes")));
                }
                Some(value) if field.secret && value.len() < SHORTEST => {
                    return Err(Invalid::new(name, format!("it has at least {SHORTEST} characters")));
                }
                Some(value) if value.chars().any(|it| it.is_control() && !matches!(it, '\n' | '\r' | '\t')) => {
                    return Err(Invalid::new(name, "it has a control character in it"));
                }
                Some(_) => {}
                None if field.optional || kind.auth.len() > 1 => {}
                None => return Err(Invalid::new(name, format!("it is missing: {}", field.words))),
            }
        }
        if kind.takes_mail() && credential.sender().is_none() {
            return Err(Invalid::new(Some("from"), "mail comes from an address: the login name is none, so give one"));
        }
        for auth in &kind.auth {
            if let Auth::ServiceAccount { key, .. } = auth
                && !credential.field(key).is_none_or(is_key_file)
            {
                return Err(Invalid::new(Some(key), "it is not the JSON key file of a service account"));
            }
        }
        if credential.auth(kind).is_none() {
            return Err(Invalid::new(None, format!("credentials of this kind have {}", names())));
        }
        Ok(credential)
    }

    /// The credential of a consent. `origin` is the origin of the provider's stand-in, if there is one.
    pub(crate) fn consented(received: Received, asked: &[String], origin: Option<String>, now: Moment) -> Self {
        let before = Self { fields: BTreeMap::from([(ASKED.to_owned(), asked.join(" "))]), origin };
        before.refreshed(received, now)
    }

    /// The same consent with newly issued tokens. A refresh token or scopes that the provider did not send keep their
    /// values.
    pub(crate) fn refreshed(&self, received: Received, now: Moment) -> Self {
        let mut fields = self.fields.clone();
        fields.insert(ACCESS_TOKEN.to_owned(), (*received.access).clone());
        if let Some(refresh) = received.refresh {
            fields.insert(REFRESH_TOKEN.to_owned(), (*refresh).clone());
        }
        match received.life {
            Some(life) => fields.insert(EXPIRES_AT.to_owned(), now.plus(life).0.to_string()),
            None => fields.remove(EXPIRES_AT),
        };
        let granted = received.scopes.map(|scopes| scopes.join(" "));
        if let Some(granted) = granted.or_else(|| self.field(GRANTED).or(self.field(ASKED)).map(str::to_owned)) {
            fields.insert(GRANTED.to_owned(), granted);
        }
        Self { fields, origin: self.origin.clone() }
    }

    /// Adds an access token that was minted for this credential. For use in a request; never stored.
    pub(crate) fn with_access(mut self, token: &str) -> Self {
        self.fields.insert(ACCESS_TOKEN.to_owned(), token.to_owned());
        self
    }

    /// Whether the access token has expired, or will before a request is done.
    pub(crate) fn is_stale(&self, now: Moment) -> bool {
        let until = self.field(EXPIRES_AT).and_then(|text| text.parse().ok());
        until.is_some_and(|until| Moment(until) <= now.plus(LEEWAY))
    }

    /// The scopes that were requested but not granted.
    pub(crate) fn lacking(&self) -> Vec<String> {
        let granted: Vec<&str> = self.field(GRANTED).unwrap_or_default().split_whitespace().collect();
        let asked = self.field(ASKED).unwrap_or_default().split_whitespace();
        asked.filter(|scope| !granted.contains(scope)).map(str::to_owned).collect()
    }

    /// Parses an unsealed credential.
    pub(crate) fn opened(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Serialises the credential for sealing.
    pub(crate) fn bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(serde_json::to_vec(self).expect("texts can be written"))
    }

    /// Whether the credential was entered for this origin. Write access to the database is therefore not enough to have
    /// it sent elsewhere.
    pub(crate) fn is_for(&self, origin: Option<&str>) -> bool {
        self.origin.as_deref() == origin
    }

    /// The sender address of mail: the one that was entered, or else the login name (RFC 6409, 6.1).
    pub(crate) fn sender(&self) -> Option<lettre::Address> {
        address::parse(self.field("from").or_else(|| self.field("username"))?)
    }

    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// The authentication scheme: the first whose fields are all present.
    pub(crate) fn auth<'a>(&self, kind: &'a Kind) -> Option<&'a Auth> {
        kind.auth.iter().find(|auth| match auth {
            Auth::Oauth(_) => self.fields.contains_key(ACCESS_TOKEN),
            other => other.fields().iter().all(|field| self.fields.contains_key(*field)),
        })
    }

    /// All secret values: every field except those that the kind declares public and the metadata of a consent.
    pub(crate) fn secrets<'a>(&'a self, kind: &'a Kind) -> impl Iterator<Item = &'a str> {
        let of_consent = |name: &str| matches!(name, EXPIRES_AT | ASKED | GRANTED);
        let public = move |name: &str| kind.field(name).map_or_else(|| of_consent(name), |field| !field.secret);
        self.fields.iter().filter(move |(name, _)| !public(name)).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests;
