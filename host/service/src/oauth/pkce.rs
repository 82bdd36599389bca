//! Proof Key for Code Exchange, RFC 7636, method S256 and no other.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// `code_challenge`: the base64url of a SHA-256, so 43 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge(String);

impl Challenge {
    /// Reads one; none when it is not the base64url of 32 bytes.
    pub fn read(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (text.len() == 43 && bytes.len() == 32).then(|| Self(text.to_owned()))
    }

    /// The text as sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `code_verifier`: 43 to 128 unreserved characters (RFC 7636 4.1).
#[derive(Clone)]
pub struct Verifier(String);

impl Verifier {
    /// Reads one; none when its length or a character is not allowed.
    pub fn read(text: &str) -> Option<Self> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        ((43..=128).contains(&text.len()) && text.bytes().all(allowed)).then(|| Self(text.to_owned()))
    }

    /// Whether the challenge was made from this verifier.
    pub fn answers(&self, challenge: &str) -> bool {
        let made = URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.as_bytes()));
        made.as_bytes().ct_eq(challenge.as_bytes()).into()
    }
}

impl std::fmt::Debug for Verifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Verifier(..)")
    }
}

#[cfg(test)]
mod tests;
