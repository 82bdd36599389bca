//! A token request as a client sent it, read once: which grant it is, and what that brings.

use model::token::Secret;
use store::identity::clients::Client;

use crate::oauth::fault::{Code, Fault};
use crate::oauth::form::Parameters;
use crate::oauth::pkce::Verifier;

/// The ways to a token that there are here (RFC 6749 1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantType {
    /// A code from the authorization endpoint.
    AuthorizationCode,
    /// A refresh token from an earlier answer.
    RefreshToken,
}

impl GrantType {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::AuthorizationCode, Self::RefreshToken];

    /// Its name in requests, registrations and metadata.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AuthorizationCode => "authorization_code",
            Self::RefreshToken => "refresh_token",
        }
    }

    /// The names of all, as registrations and metadata list them.
    pub const fn names() -> [&'static str; 2] {
        let [first, second] = Self::ALL;
        [first.name(), second.name()]
    }

    fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|grant_type| grant_type.name() == name)
    }

    /// Whether a client has registered for it.
    pub(super) fn is_registered(self, client: &Client) -> bool {
        client.metadata.grant_types.iter().any(|registered| registered == self.name())
    }
}

/// What a request brings for a token.
#[derive(Clone)]
pub(super) enum Brought {
    /// RFC 6749 4.1.3, with the proof of RFC 7636.
    Code {
        /// From the authorization endpoint.
        code: Secret,
        /// What the challenge was made of.
        verifier: Verifier,
        /// Where the code was sent, if the client says so again.
        redirect_uri: Option<String>,
    },
    /// RFC 6749 6.
    Refresh {
        /// From an earlier answer.
        token: Secret,
        /// What the next access token shall permit; none: all that was granted.
        scope: Option<String>,
    },
}

impl Brought {
    /// # Errors
    /// `invalid_request` for what is missing, repeated or malformed, `unsupported_grant_type`.
    pub(super) fn read(parameters: &Parameters) -> Result<Self, Fault> {
        if let Some(name) = parameters.repeated() {
            return Err(Fault::new(Code::InvalidRequest, format!("{name} is given more than once")));
        }
        let given = |name: &str| Ok::<_, Fault>(parameters.one(name)?.map(str::to_owned));
        let secret = |name: &str| Ok::<_, Fault>(Secret::received(parameters.required(name)?));
        match GrantType::read(parameters.required("grant_type")?) {
            Some(GrantType::AuthorizationCode) => {
                let (code, verifier) = (secret("code")?, parameters.required("code_verifier")?);
                let verifier = Verifier::read(verifier).ok_or_else(|| {
                    Fault::new(Code::InvalidRequest, "code_verifier has to be 43 to 128 unreserved characters")
                })?;
                Ok(Self::Code { code, verifier, redirect_uri: given("redirect_uri")? })
            }
            Some(GrantType::RefreshToken) => {
                Ok(Self::Refresh { token: secret("refresh_token")?, scope: given("scope")? })
            }
            None => Err(Fault::new(
                Code::UnsupportedGrantType,
                format!("grant_type has to be {}", GrantType::names().join(" or ")),
            )),
        }
    }
}
