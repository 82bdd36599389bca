//! Revocation of a grant at the provider (RFC 7009), when its connection is removed.

use http::header::CONTENT_TYPE;
use oauth2::basic::BasicErrorResponse;

use super::address::at;
use super::door::Door;
use super::{Consented, Tokens};
use crate::egress::Decision;
use crate::provider::credential::{ACCESS_TOKEN, Credential, REFRESH_TOKEN};

impl Tokens {
    /// Revokes a consent that cannot be stored.
    pub async fn give_back(&self, kind: &str, consented: &Consented, trail: &mut Vec<Decision>) -> bool {
        self.revoke(kind, &consented.credential, trail).await
    }

    /// Revokes a grant, if the provider documents how. True if the token is no longer valid there.
    pub(crate) async fn revoke(&self, kind: &str, credential: &Credential, trail: &mut Vec<Decision>) -> bool {
        let Ok((oauth, client)) = self.asked(kind) else { return false };
        let address = oauth.revoke.as_ref().and_then(|revoke| at(client.endpoint.as_deref(), revoke));
        // Revoking a refresh token also revokes its access tokens (RFC 7009 2.1).
        let token = credential.field(REFRESH_TOKEN).map(|token| (token, REFRESH_TOKEN));
        let token = token.or_else(|| credential.field(ACCESS_TOKEN).map(|token| (token, ACCESS_TOKEN)));
        let (Some(address), Some((token, hint))) = (address, token) else { return false };
        let secret = client.secret.as_ref().map(|secret| ("client_secret", secret.reveal()));
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("token", token), ("token_type_hint", hint), ("client_id", &client.id)])
            .extend_pairs(secret)
            .finish();
        let request = http::Request::post(address.as_str()).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let Ok(request) = request.body(form.into_bytes()) else { return false };
        let door = Door::new(&self.guard);
        let answer = door.ask(request).await;
        trail.extend(door.into_trail());
        let Ok(answer) = answer else { return false };
        // Some providers report an already revoked token as invalid, where the RFC requires 200.
        let is_gone = || {
            serde_json::from_slice::<BasicErrorResponse>(answer.body())
                .is_ok_and(|said| said.error().as_ref() == "invalid_token")
        };
        answer.status().is_success() || (answer.status().as_u16() == 400 && is_gone())
    }
}
