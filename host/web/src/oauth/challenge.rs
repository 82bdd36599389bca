//! `WWW-Authenticate` of a 401 or 403: exactly one Bearer challenge, RFC 6750 3 and RFC 9728 5.1.

use model::scope::ScopeSet;

/// What a client is told about why its token, or the lack of one, did not do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Challenge<'a> {
    /// None came. Clients ask for the scopes they read here.
    NoToken,
    /// One came and is expired, revoked, unknown, or for another audience.
    InvalidToken,
    /// It is good, and permits less than is needed.
    InsufficientScope {
        /// All that the client should ask for.
        wanted: &'a ScopeSet,
    },
}

/// The header's value. `resource_metadata` is the address of the protected-resource document.
pub(crate) fn challenge(resource_metadata: &str, why: Challenge<'_>) -> String {
    match why {
        Challenge::NoToken => {
            format!("Bearer resource_metadata=\"{resource_metadata}\", scope=\"{}\"", ScopeSet::default_grant())
        }
        Challenge::InvalidToken => format!(
            "Bearer error=\"invalid_token\", error_description=\"the token is expired, revoked or unknown\", \
             resource_metadata=\"{resource_metadata}\", scope=\"{}\"",
            ScopeSet::default_grant()
        ),
        Challenge::InsufficientScope { wanted } => format!(
            "Bearer error=\"insufficient_scope\", scope=\"{wanted}\", resource_metadata=\"{resource_metadata}\", \
             error_description=\"this needs more than the token permits; connect again and ask for {wanted}\""
        ),
    }
}
