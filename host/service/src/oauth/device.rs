//! Known devices: a browser that has signed in to an account before is not kept out by what strangers try.
//!
//! Tries are counted per account, so a stranger with wrong passwords would lock the owner out. A browser that once
//! proved the password holds a sealed cookie, and its tries are counted apart (OWASP, "Slow Down Online Guessing Attacks
//! with Device Cookies"). The cookie opens nothing: whoever has it still has to know the password, and has no more tries
//! with it than an account has without.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use model::keys::Key;
use model::token::hex;
use sha2::Sha256;

use crate::oauth::Authority;

/// How long a device is known after its last sign-in.
pub const LIFE: Duration = Duration::from_secs(180 * 24 * 60 * 60);

impl Authority {
    /// The cookie of a device that has signed in to this account just now.
    pub fn device_token(&self, account: &str) -> String {
        let device: [u8; 16] = self.entropy().array();
        let until = self.clock().now().plus(LIFE).0.to_be_bytes();
        let seal = mac(self.config().keys.current().newest(), account, device, until).finalize().into_bytes();
        URL_SAFE_NO_PAD.encode([&device[..], &until[..], &seal[..]].concat())
    }

    /// The name of the device, if the cookie was made for this account.
    pub(crate) fn device(&self, account: &str, token: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (device, rest) = bytes.split_first_chunk::<16>()?;
        let (until, seal) = rest.split_first_chunk::<8>()?;
        let sealed = |key: &Key| mac(key, account, *device, *until).verify_slice(seal).is_ok();
        let is_ours = self.config().keys.current().newest_first().any(sealed);
        (is_ours && self.clock().now().0 < i64::from_be_bytes(*until)).then(|| hex(device))
    }
}

fn mac(key: &Key, account: &str, device: [u8; 16], until: [u8; 8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.reveal()).expect("HMAC takes a key of any length");
    for part in [b"espalier device".as_slice(), account.as_bytes(), &device, &until] {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac
}
