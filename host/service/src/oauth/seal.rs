//! Anti-forgery tokens of forms: bound to the browser's cookie, to the form and to what it asks, good for an hour.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use model::keys::Key;
use model::token::Secret;
use sha2::Sha256;

use crate::oauth::Authority;

/// A form that somebody could want to forge.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// E-mail and password.
    SignIn,
    /// Approval or denial of this authorization request (its query).
    Consent(&'a str),
    /// Everything in the portal.
    Portal,
}

impl<'a> Form<'a> {
    fn parts(self) -> (&'static str, &'a str) {
        match self {
            Form::SignIn => ("sign-in", ""),
            Form::Consent(query) => ("consent", query),
            Form::Portal => ("portal", ""),
        }
    }
}

/// How long a page may lie open before it is sent.
const LIFE: Duration = Duration::from_secs(60 * 60);

impl Authority {
    /// The token that a form carries, for the browser that holds this cookie.
    pub fn form_token(&self, cookie: &Secret, form: Form<'_>) -> String {
        let until = self.clock().now().plus(LIFE).0.to_be_bytes();
        let mut token = until.to_vec();
        token.extend(mac(self.config().keys.current().newest(), cookie, form, until).finalize().into_bytes());
        URL_SAFE_NO_PAD.encode(token)
    }

    /// Whether the token was made for this browser and this form, less than an hour ago.
    pub fn is_form_token(&self, cookie: &Secret, form: Form<'_>, token: &str) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(token) else { return false };
        let Some((until, mac)) = bytes.split_first_chunk::<8>() else { return false };
        let sealed = |key: &Key| self::mac(key, cookie, form, *until).verify_slice(mac).is_ok();
        self.config().keys.current().newest_first().any(sealed) && self.clock().now().0 < i64::from_be_bytes(*until)
    }
}

fn mac(key: &Key, cookie: &Secret, form: Form<'_>, until: [u8; 8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.reveal()).expect("HMAC takes a key of any length");
    let (name, about) = form.parts();
    for part in ["espalier form", name, cookie.hash().as_str(), about] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac.update(&until);
    mac
}
