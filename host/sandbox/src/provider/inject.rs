//! Injects a credential into a request, in the one place that its kind defines.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::kinds::Auth;
use hmac::{Hmac, KeyInit as _, Mac as _};
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use model::clock::Moment;
use serde_json::Value;
use sha2::Sha256;
use url::Url;
use zeroize::Zeroizing;

use super::credential::{ACCESS_TOKEN, Credential};

/// The parts of a request that a credential can go into.
pub(super) struct Parts<'a> {
    pub(super) url: &'a mut Url,
    pub(super) headers: &'a mut HeaderMap,
    pub(super) body: &'a mut Vec<u8>,
    pub(super) now: Moment,
    /// The id of a webhook message, the same on every retry.
    pub(super) message: &'a str,
}

/// Authorises a request. `None` if the credential does not fit the request.
pub(super) fn inject(auth: &Auth, credential: &Credential, parts: Parts<'_>) -> Option<()> {
    let field = |name: &str| credential.field(name);
    match auth {
        Auth::Bearer { token } => bearer(field(token)?, parts.headers),
        Auth::Oauth(_) => bearer(field(ACCESS_TOKEN)?, parts.headers),
        Auth::ServiceAccount { .. } => bearer(field(ACCESS_TOKEN)?, parts.headers),
        Auth::Basic { user, password } => {
            let pair = Zeroizing::new(format!("{}:{}", field(user)?, field(password)?));
            let value = Zeroizing::new(format!("Basic {}", STANDARD.encode(pair.as_bytes())));
            put(AUTHORIZATION, &value, parts.headers)
        }
        Auth::Header { name, value } => {
            put(HeaderName::from_bytes(name.as_bytes()).ok()?, field(value)?, parts.headers)
        }
        Auth::Query { parameter, value } => {
            parts.url.query_pairs_mut().append_pair(parameter, field(value)?);
            Some(())
        }
        Auth::Body { members } => {
            let mut object =
                serde_json::from_slice::<Value>(if parts.body.is_empty() { b"{}" } else { parts.body }).ok()?;
            let object = object.as_object_mut()?;
            for (member, name) in members {
                if object.insert(member.clone(), Value::String(field(name)?.to_owned())).is_some() {
                    return None;
                }
            }
            *parts.body = serde_json::to_vec(object).ok()?;
            Some(())
        }
        Auth::StandardWebhooks { secret } => {
            let secret = field(secret)?;
            let key = Zeroizing::new(STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret)).ok()?);
            let at = parts.now.0.div_euclid(1_000).to_string();
            let mut code = Hmac::<Sha256>::new_from_slice(&key).ok()?;
            code.update(format!("{}.{at}.", parts.message).as_bytes());
            code.update(parts.body);
            let signature = format!("v1,{}", STANDARD.encode(code.finalize().into_bytes()));
            put(HeaderName::from_static("webhook-id"), parts.message, parts.headers)?;
            put(HeaderName::from_static("webhook-timestamp"), &at, parts.headers)?;
            put(HeaderName::from_static("webhook-signature"), &signature, parts.headers)
        }
        // Mail is not sent over HTTP.
        Auth::Smtp { .. } => None,
    }
}

fn bearer(token: &str, headers: &mut HeaderMap) -> Option<()> {
    put(AUTHORIZATION, &Zeroizing::new(format!("Bearer {token}")), headers)
}

fn put(name: HeaderName, value: &str, headers: &mut HeaderMap) -> Option<()> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Some(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use catalog::kinds::kind;

    use super::*;

    /// The request of a kind with this credential and body.
    fn injected(name: &str, credential: &str, body: &str) -> Option<(Url, HeaderMap, String)> {
        let kind = kind(name).unwrap();
        let credential = Credential::entered(kind, credential, None).unwrap();
        let (mut url, mut headers, mut body) =
            (Url::parse("https://a.example/x?b=c").unwrap(), HeaderMap::new(), body.into());
        let parts = Parts {
            url: &mut url,
            headers: &mut headers,
            body: &mut body,
            now: Moment(1_674_087_231_000),
            message: "msg_p5jXN8AQM9LWM0D4loKWxJek",
        };
        inject(credential.auth(kind).unwrap(), &credential, parts)?;
        Some((url, headers, String::from_utf8(body).unwrap()))
    }

    #[test]
    fn each_way_puts_it_at_its_place() {
        let (_, headers, _) = injected("llm", r#"{"api_key":"sk-123456"}"#, "{}").unwrap();
        assert_eq!(headers[AUTHORIZATION], "Bearer sk-123456");
        // RFC 7617, 2.
        let basic = r#"{"username":"Aladdin","application_password":"open sesame"}"#;
        let (_, headers, _) = injected("wordpress", basic, "").unwrap();
        assert_eq!(headers[AUTHORIZATION], "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        let (_, headers, _) = injected("powerdns", r#"{"api_key":"changeme"}"#, "").unwrap();
        assert_eq!(headers["x-api-key"], "changeme");
        assert!(headers["x-api-key"].is_sensitive());
        let (url, _, _) = injected("pagespeed", r#"{"api_key":"a&b=c/1"}"#, "").unwrap();
        assert_eq!(url.as_str(), "https://a.example/x?b=c&key=a%26b%3Dc%2F1");
        let keys = r#"{"api_key":"pk1_123","secret_api_key":"sk1_123"}"#;
        let (_, _, body) = injected("porkbun", keys, r#"{"start":"1"}"#).unwrap();
        let body: BTreeMap<String, String> = serde_json::from_str(&body).unwrap();
        assert_eq!(
            body,
            BTreeMap::from(
                [("apikey", "pk1_123"), ("secretapikey", "sk1_123"), ("start", "1")]
                    .map(|(k, v)| (k.to_owned(), v.to_owned()))
            )
        );
    }

    #[test]
    fn a_body_that_brings_its_own_credential_or_is_no_object_is_refused() {
        let keys = r#"{"api_key":"pk1_123","secret_api_key":"sk1_123"}"#;
        for body in [r#"{"apikey":"mine"}"#, "[]", "1", "no json"] {
            assert!(injected("porkbun", keys, body).is_none(), "{body}");
        }
    }

    #[test]
    fn a_webhook_is_signed_as_its_standard_shows() {
        // The example of the Standard Webhooks specification.
        let secret = r#"{"signing_secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}"#;
        let (_, headers, _) = injected("signed_webhook", secret, r#"{"test": 2432232314}"#).unwrap();
        let mut code =
            Hmac::<Sha256>::new_from_slice(&STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap()).unwrap();
        code.update(br#"msg_p5jXN8AQM9LWM0D4loKWxJek.1674087231.{"test": 2432232314}"#);
        let signature = headers["webhook-signature"].to_str().unwrap().strip_prefix("v1,").unwrap();
        code.verify_slice(&STANDARD.decode(signature).unwrap()).unwrap();
        assert_eq!(headers["webhook-timestamp"], "1674087231");
    }
}
