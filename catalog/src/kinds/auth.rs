//! How a request to a provider says who it is from.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A way to authorise. Names are those of the kind's fields.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Auth {
    /// `Authorization: Bearer` (RFC 6750, 2.1).
    Bearer {
        /// The field with the token.
        token: String,
    },
    /// `Authorization: Basic` (RFC 7617).
    Basic {
        /// The field with the user.
        user: String,
        /// The field with the password.
        password: String,
    },
    /// A header of the provider's own.
    Header {
        /// Its name, in small letters.
        name: String,
        /// The field with its value.
        value: String,
    },
    /// A parameter of the query.
    Query {
        /// Its name.
        parameter: String,
        /// The field with its value.
        value: String,
    },
    /// Members of the JSON object that is the body.
    Body {
        /// The field for each member.
        members: BTreeMap<String, String>,
    },
    /// An access token that the customer consented to (RFC 6749, 4.1, with RFC 7636), refreshed by the host.
    Oauth(Oauth),
    /// An access token for a signed assertion (RFC 7523).
    ServiceAccount {
        /// The field with the key file.
        key: String,
        /// The token endpoint.
        token: String,
        /// What is asked for.
        scopes: Vec<String>,
    },
    /// `AUTH` of a submission (RFC 4954); mail is not sent by HTTP.
    Smtp {
        /// The field with the user.
        user: String,
        /// The field with the password.
        password: String,
    },
    /// A signature over identifier, time and body, as Standard Webhooks writes it.
    StandardWebhooks {
        /// The field with the key.
        secret: String,
    },
}

/// How customers consent at a provider, and how the host goes on from there.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oauth {
    /// The authorization endpoint.
    pub authorize: String,
    /// The token endpoint.
    pub token: String,
    /// The revocation endpoint (RFC 7009), where there is one.
    #[serde(default)]
    pub revoke: Option<String>,
    /// How the provider names itself in its answers (RFC 9207); none: by the origin of `authorize`.
    #[serde(default)]
    pub issuer: Option<String>,
    /// What is asked for when a customer says nothing else.
    pub scopes: Vec<String>,
    /// What may be asked for beside or instead.
    #[serde(default)]
    pub other_scopes: Vec<String>,
    /// What the authorization request says beside, as the provider documents.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
}

impl Oauth {
    /// Everything that may be asked for.
    pub fn may_ask(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().chain(&self.other_scopes).map(String::as_str)
    }
}

impl Auth {
    /// The method in one word, for lists.
    pub fn as_str(&self) -> &'static str {
        match self {
            Auth::Bearer { .. } => "bearer",
            Auth::Basic { .. } => "basic",
            Auth::Header { .. } => "header",
            Auth::Query { .. } => "query",
            Auth::Body { .. } => "body",
            Auth::Oauth(_) => "oauth",
            Auth::ServiceAccount { .. } => "service_account",
            Auth::Smtp { .. } => "smtp",
            Auth::StandardWebhooks { .. } => "hmac",
        }
    }

    /// The fields of the credential that it takes.
    pub fn fields(&self) -> Vec<&str> {
        match self {
            Auth::Bearer { token } => vec![token],
            Auth::Basic { user, password } | Auth::Smtp { user, password } => vec![user, password],
            Auth::Header { value, .. } | Auth::Query { value, .. } => vec![value],
            Auth::Body { members } => members.values().map(String::as_str).collect(),
            Auth::Oauth(_) => Vec::new(),
            Auth::ServiceAccount { key, .. } => vec![key],
            Auth::StandardWebhooks { secret } => vec![secret],
        }
    }
}
