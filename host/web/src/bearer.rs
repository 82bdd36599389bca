//! From the `Authorization` header to a grant: the header only, never the address (RFC 6750 2.1, RFC 9700 4.3.2).

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue, Uri};
use model::grant::Grant;
use model::refusal::{About, Class, Refusal, codes};
use model::scope::ScopeSet;
use model::token::Secret;
use service::Service;
use service::config::Config;

use crate::oauth::challenge::{self, Challenge};
use crate::oauth::metadata::resource_metadata_url;

/// What the bearer of this request may do.
///
/// # Errors
/// 400 for a token in the address or a second header; 401 for no token or one that is not good;
/// 403 `access_inactive`; 503. [`challenge`] makes the header that goes with the 401.
pub(crate) async fn authenticate(service: &Service, headers: &HeaderMap, uri: &Uri) -> Result<Grant, Refusal> {
    service.bearer(&token(headers, uri)?).await
}

/// The `WWW-Authenticate` that goes with a refusal, if any does: with 401 always, with 403 for a missing scope only.
/// `held` are scopes that a client would lose by asking for what this operation needs alone.
pub(crate) fn challenge(config: &Config, refusal: &Refusal, held: &ScopeSet) -> Option<HeaderValue> {
    let address = resource_metadata_url(config);
    let text = match (refusal.class, refusal.about.as_deref()) {
        (Class::Unauthenticated, _) if refusal.code == codes::UNAUTHENTICATED.name => {
            challenge::challenge(&address, Challenge::NoToken)
        }
        (Class::Unauthenticated, _) => challenge::challenge(&address, Challenge::InvalidToken),
        (Class::Forbidden, Some(About::Scopes { required, .. })) => {
            challenge::challenge(&address, Challenge::InsufficientScope { wanted: &required.with(held) })
        }
        _ => return None,
    };
    HeaderValue::from_str(&text).ok()
}

/// The token of the one `Authorization` header; the scheme's case does not matter (RFC 9110 11.1).
fn token(headers: &HeaderMap, uri: &Uri) -> Result<Secret, Refusal> {
    if is_token_in_address(uri) {
        return Err(Refusal::malformed("a token in the address is not accepted; send it in the Authorization header"));
    }
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Err(Refusal::unauthenticated()) };
    if values.next().is_some() {
        return Err(Refusal::malformed("there is more than one Authorization header"));
    }
    let text = value.to_str().map_err(|_| Refusal::invalid_token())?;
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty() => {
            Ok(Secret::received(token.trim()))
        }
        _ => Err(Refusal::unauthenticated()),
    }
}

fn is_token_in_address(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    query.contains("access_token") && query.split('&').any(|pair| pair.split('=').next() == Some("access_token"))
}

#[cfg(test)]
mod tests;
