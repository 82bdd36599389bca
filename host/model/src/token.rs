//! Secrets that clients hold: made here, shown once, stored only as SHA-256.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::clock::Entropy;

/// What a secret is for; its prefix lets secret scanners recognise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// An access token.
    Access,
    /// A refresh token.
    Refresh,
    /// An authorization code.
    Code,
    /// A portal session cookie.
    Session,
    /// A form's anti-forgery token.
    Form,
    /// The right to hand over one file.
    Upload,
    /// The right to see one blob.
    Share,
    /// The right to want no more mail.
    Unsubscribe,
    /// The right to say yes or no to mail.
    Confirm,
    /// The parameter `state` of a trip to a provider.
    Consent,
}

impl Purpose {
    /// The recognisable start.
    pub fn prefix(self) -> &'static str {
        match self {
            Purpose::Access => "esp_at_",
            Purpose::Refresh => "esp_rt_",
            Purpose::Code => "esp_ac_",
            Purpose::Session => "esp_se_",
            Purpose::Form => "esp_ft_",
            Purpose::Upload => "esp_up_",
            Purpose::Share => "esp_sh_",
            Purpose::Unsubscribe => "esp_un_",
            Purpose::Confirm => "esp_cf_",
            Purpose::Consent => "esp_cs_",
        }
    }
}

/// 256 random bits with a prefix. Has no `Debug` that shows it and no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one.
    pub fn new(purpose: Purpose, entropy: &dyn Entropy) -> Self {
        Self(format!("{}{}", purpose.prefix(), URL_SAFE_NO_PAD.encode(entropy.array::<32>())))
    }

    /// One that came from outside.
    pub fn received(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, to be handed to its holder once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored and looked up.
    pub fn hash(&self) -> SecretHash {
        SecretHash(hex(&Sha256::digest(self.0.as_bytes())))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// SHA-256 of a secret, in lower-case hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SecretHash(String);

impl SecretHash {
    /// One that was stored.
    pub fn stored(hex: impl Into<String>) -> Self {
        Self(hex.into())
    }

    /// The hex text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What [`hex`] wrote; none when it is something else.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    // Signs and separators, which number parsers take, are no digits.
    let digits = text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect::<Option<Vec<_>>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        text.push(char::from_digit(u32::from(byte >> 4), 16).expect("four bits"));
        text.push(char::from_digit(u32::from(byte & 15), 16).expect("four bits"));
        text
    })
}
