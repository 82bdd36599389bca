//! Service accounts: an access token in exchange for an assertion signed with the account's own key (RFC 7523 2.1), as
//! Google documents it under "Using OAuth 2.0 for Server to Server Applications".

use std::sync::Arc;
use std::time::Duration;

use catalog::kinds::Auth;
use http::header::{ACCEPT, CONTENT_TYPE};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use model::clock::Moment;
use oauth2::basic::{BasicErrorResponse, BasicTokenResponse};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use store::Connection;
use zeroize::{Zeroize, Zeroizing};

use super::address::at;
use super::consent::{Denied, Received, received, refused};
use super::door::{Door, NoAnswer};
use super::{Minted, Tokens};
use crate::egress::Decision;
use crate::provider::credential::{Credential, LEEWAY};

const GRANT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/// The lifetime of an assertion: the longest that Google accepts.
const LIFE: Duration = Duration::from_secs(60 * 60);
/// The lifetime of a token if the provider does not state it.
const USUAL: Duration = Duration::from_secs(10 * 60);

/// A key file as the provider's console issues it. Other members are ignored.
#[derive(Deserialize)]
struct KeyFile {
    client_email: String,
    private_key: String,
    #[serde(default)]
    private_key_id: Option<String>,
}

impl Drop for KeyFile {
    fn drop(&mut self) {
        self.private_key.zeroize();
    }
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    scope: &'a str,
    /// The endpoint that receives the assertion, so that no other can use it.
    aud: &'a str,
    iat: i64,
    exp: i64,
}

/// Whether a text is a key file with a usable key.
pub(crate) fn is_key_file(text: &str) -> bool {
    serde_json::from_str::<KeyFile>(text).is_ok_and(|file| {
        !file.client_email.is_empty() && EncodingKey::from_rsa_pem(file.private_key.as_bytes()).is_ok()
    })
}

impl Tokens {
    /// The access token of a service account, cached or new. `refused` is a token that the provider no longer accepts.
    pub(crate) async fn minted(
        &self,
        connection: &Connection,
        auth: &Auth,
        credential: &Credential,
        refused: Option<&str>,
        now: Moment,
        trail: &mut Vec<Decision>,
    ) -> Result<Zeroizing<String>, Denied> {
        let Auth::ServiceAccount { key, token, scopes } = auth else { return Err(Denied::Malformed) };
        let file = credential.field(key).ok_or(Denied::Grant)?;
        let address = at(connection.endpoint.as_deref(), token).ok_or(Denied::Malformed)?;
        let mut digest = Sha256::new();
        for part in [connection.id.as_str(), address.as_str(), file] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        let place: [u8; 32] = digest.finalize().into();
        if let Some(kept) = self.minted.get(&place).await
            && (kept.until <= now || refused.is_some_and(|it| it == kept.token.as_str()))
        {
            self.minted.invalidate(&place).await;
        }
        // Concurrent callers wait for one request.
        let fresh = self.minted.try_get_with(place, async {
            let received = self.assert(address.as_str(), file, &scopes.join(" "), now, trail).await?;
            let until = now.plus(received.life.unwrap_or(USUAL).saturating_sub(LEEWAY));
            Ok::<_, Denied>(Minted { token: Arc::new(received.access), until })
        });
        let minted = fresh.await.map_err(|denied| (*denied).clone())?;
        Ok((*minted.token).clone())
    }

    async fn assert(
        &self,
        address: &str,
        file: &str,
        scope: &str,
        now: Moment,
        trail: &mut Vec<Decision>,
    ) -> Result<Received, Denied> {
        let assertion = signed(file, scope, address, now).ok_or(Denied::Grant)?;
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", GRANT)
            .append_pair("assertion", &assertion)
            .finish();
        let request = http::Request::post(address)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ACCEPT, "application/json")
            .body(form.into_bytes())
            .map_err(|_| Denied::Malformed)?;
        let door = Door::new(&self.guard);
        let answer = door.ask(request).await;
        trail.extend(door.into_trail());
        let answer = answer.map_err(|NoAnswer(lost)| Denied::Lost(lost))?;
        if answer.status().as_u16() != 200 {
            let said = serde_json::from_slice::<BasicErrorResponse>(answer.body()).map_err(|_| Denied::Malformed)?;
            return Err(refused(said.error()));
        }
        let answer = serde_json::from_slice::<BasicTokenResponse>(answer.body()).map_err(|_| Denied::Malformed)?;
        Ok(received(&answer))
    }
}

fn signed(file: &str, scope: &str, audience: &str, now: Moment) -> Option<Zeroizing<String>> {
    let file: KeyFile = serde_json::from_str(file).ok()?;
    let key = EncodingKey::from_rsa_pem(file.private_key.as_bytes()).ok()?;
    let header = Header { kid: file.private_key_id.clone(), ..Header::new(Algorithm::RS256) };
    let (iat, exp) = (now.0.div_euclid(1_000), now.plus(LIFE).0.div_euclid(1_000));
    let claims = Claims { iss: &file.client_email, scope, aud: audience, iat, exp };
    jsonwebtoken::encode(&header, &claims, &key).ok().map(Zeroizing::new)
}
