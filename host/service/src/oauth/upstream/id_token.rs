//! Verifying an ID token: every check of OpenID Connect Core 1.0, 3.1.3.7.

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use model::clock::Moment;
use serde::Deserialize;
use serde_json::Value;
use subtle::ConstantTimeEq as _;

/// Signatures that are accepted: by a key pair, so that nobody but the provider can make one.
const ACCEPTED: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// How far clocks may be apart, in seconds.
const LEEWAY: i64 = 60;
/// How old a token may be, in seconds: it was made for the sign-in that is under way.
const OLDEST: i64 = 10 * 60;

/// What a token has to say.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
    pub(super) now: Moment,
}

/// Who has signed in.
#[derive(Debug)]
pub(super) struct Person {
    /// `sub`.
    pub(super) subject: String,
    /// `email`, if the provider has verified that it is theirs.
    pub(super) verified_email: Option<String>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: Value,
    exp: i64,
    iat: i64,
    azp: Option<String>,
    nonce: Option<String>,
    email: Option<String>,
    // Some providers write it as text.
    #[serde(default)]
    email_verified: Value,
}

/// The key that signed this token: by its id, or the only one that it can be.
pub(super) fn key<'a>(token: &str, keys: &'a [Jwk]) -> Option<&'a Jwk> {
    let header = jsonwebtoken::decode_header(token).ok()?;
    let fits = |key: &&Jwk| !matches!(key.common.public_key_use, Some(PublicKeyUse::Encryption));
    let mut candidates = keys.iter().filter(fits).filter(|key| header.kid.is_none() || key.common.key_id == header.kid);
    match (candidates.next(), candidates.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Who the token speaks of.
///
/// # Errors
/// Which check it did not pass, in words of ours.
pub(super) fn verify(token: &str, keys: &[Jwk], expected: &Expected<'_>) -> Result<Person, &'static str> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| "the ID token is not a JWT")?;
    if !ACCEPTED.contains(&header.alg) {
        return Err("the ID token is not signed by a key pair");
    }
    let key = key(token, keys).ok_or("the ID token is signed by a key that the provider does not have")?;
    let decoding = DecodingKey::from_jwk(key).map_err(|_| "the provider's key cannot be used")?;
    let mut validation = Validation::new(header.alg);
    // The claims are checked below, by our clock.
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let claims = jsonwebtoken::decode::<Claims>(token, &decoding, &validation)
        .map_err(|_| "the signature of the ID token does not hold, or a claim is missing")?
        .claims;
    if claims.iss != expected.issuer {
        return Err("the ID token is of another issuer");
    }
    if !is_for(&claims, expected.client_id) {
        return Err("the ID token is for another client");
    }
    let now = expected.now.0.div_euclid(1_000);
    if claims.exp.saturating_add(LEEWAY) <= now {
        return Err("the ID token has expired");
    }
    if claims.iat.saturating_sub(LEEWAY) > now || claims.iat.saturating_add(OLDEST) < now {
        return Err("the ID token was not made now");
    }
    let nonce = claims.nonce.unwrap_or_default();
    if !bool::from(nonce.as_bytes().ct_eq(expected.nonce.as_bytes())) {
        return Err("the ID token belongs to another sign-in");
    }
    if claims.sub.is_empty() || claims.sub.len() > 255 {
        return Err("the ID token names nobody");
    }
    let is_verified = claims.email_verified == Value::Bool(true) || claims.email_verified == "true";
    Ok(Person { subject: claims.sub, verified_email: claims.email.filter(|_| is_verified) })
}

/// Whether we are the audience, and, where there are others too, the one it was made for.
fn is_for(claims: &Claims, client_id: &str) -> bool {
    let several = match &claims.aud {
        Value::String(only) => return only == client_id && claims.azp.as_deref().is_none_or(|azp| azp == client_id),
        Value::Array(several) => several,
        _ => return false,
    };
    let named = several.iter().any(|one| one == client_id);
    let authorized = match claims.azp.as_deref() {
        Some(azp) => azp == client_id,
        None => several.len() == 1,
    };
    named && authorized
}

#[cfg(test)]
mod tests;
