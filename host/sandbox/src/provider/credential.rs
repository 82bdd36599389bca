//! A credential, opened for one request: what the customer entered or consented to, and the host it is for.

use std::collections::BTreeMap;
use std::time::Duration;

use catalog::kinds::{Auth, Kind};
use model::clock::Moment;
use serde::{Deserialize, Serialize};
use zeroize::{Zeroize, Zeroizing};

use crate::mail::address;
use crate::tokens::{Received, is_key_file};

/// Bytes of one field; a service account's key file is the longest.
const LONGEST: usize = 8 * 1024;
/// Bytes of a secret: less could not be told from ordinary text where an answer is looked through.
const SHORTEST: usize = 6;
/// The fields of a consent, which nobody enters.
pub(crate) const ACCESS_TOKEN: &str = "access_token";
/// See [`ACCESS_TOKEN`].
pub(crate) const REFRESH_TOKEN: &str = "refresh_token";
/// Milliseconds since 1970 at which the access token ends, as text; none: the provider does not say.
const EXPIRES_AT: &str = "expires_at";
/// What was asked for and what was granted, with spaces between.
const ASKED: &str = "asked";
/// See [`ASKED`].
const GRANTED: &str = "granted";
/// How long before its end a token is not used any more: longer than any exchange lasts.
pub(crate) const LEEWAY: Duration = Duration::from_secs(120);

/// What is sealed. Has no `Debug`; what it held is overwritten when it is dropped.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credential {
    fields: BTreeMap<String, String>,
    /// Scheme, host and port of the endpoint that it was entered for; none: the provider's own addresses.
    origin: Option<String>,
}

impl Drop for Credential {
    fn drop(&mut self) {
        self.fields.values_mut().for_each(Zeroize::zeroize);
    }
}

/// What is wrong with a credential: which field, and why. Never says what was in it.
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
    /// A credential as it was entered: a JSON object with the kind's fields.
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

    /// What a customer has consented to. `origin`: of what stands in for the provider.
    pub(crate) fn consented(received: Received, asked: &[String], origin: Option<String>, now: Moment) -> Self {
        let before = Self { fields: BTreeMap::from([(ASKED.to_owned(), asked.join(" "))]), origin };
        before.refreshed(received, now)
    }

    /// The same consent with the tokens that a provider has just given. What it does not give stays.
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

    /// With an access token that was minted for it. That one is kept with no other.
    pub(crate) fn with_access(mut self, token: &str) -> Self {
        self.fields.insert(ACCESS_TOKEN.to_owned(), token.to_owned());
        self
    }

    /// Whether its access token is over, or so soon that a request could find it so.
    pub(crate) fn is_stale(&self, now: Moment) -> bool {
        let until = self.field(EXPIRES_AT).and_then(|text| text.parse().ok());
        until.is_some_and(|until| Moment(until) <= now.plus(LEEWAY))
    }

    /// What was asked for and not granted.
    pub(crate) fn lacking(&self) -> Vec<String> {
        let granted: Vec<&str> = self.field(GRANTED).unwrap_or_default().split_whitespace().collect();
        let asked = self.field(ASKED).unwrap_or_default().split_whitespace();
        asked.filter(|scope| !granted.contains(scope)).map(str::to_owned).collect()
    }

    /// A credential that was sealed.
    pub(crate) fn opened(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// As it is sealed.
    pub(crate) fn bytes(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(serde_json::to_vec(self).expect("texts can be written"))
    }

    /// Whether it was entered for this place. Whoever can write to the database cannot send it elsewhere.
    pub(crate) fn is_for(&self, origin: Option<&str>) -> bool {
        self.origin.as_deref() == origin
    }

    /// The address that mail comes from: the one that was entered for it, or else the login name (RFC 6409, 6.1).
    pub(crate) fn sender(&self) -> Option<lettre::Address> {
        address::parse(self.field("from").or_else(|| self.field("username"))?)
    }

    /// A field.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// How it authorises: the first way whose fields are all there.
    pub(crate) fn auth<'a>(&self, kind: &'a Kind) -> Option<&'a Auth> {
        kind.auth.iter().find(|auth| match auth {
            Auth::Oauth(_) => self.fields.contains_key(ACCESS_TOKEN),
            other => other.fields().iter().all(|field| self.fields.contains_key(*field)),
        })
    }

    /// Everything in it that nobody may see: all but what the kind calls public, and what a consent says of itself.
    pub(crate) fn secrets<'a>(&'a self, kind: &'a Kind) -> impl Iterator<Item = &'a str> {
        let of_consent = |name: &str| matches!(name, EXPIRES_AT | ASKED | GRANTED);
        let public = move |name: &str| kind.field(name).map_or_else(|| of_consent(name), |field| !field.secret);
        self.fields.iter().filter(move |(name, _)| !public(name)).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests;
