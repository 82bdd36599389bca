//! Grants: who may come in, and ending that.

use model::clock::Moment;
use model::id::GrantId;
use sandbox::platform::{Deed, Paging, Untold};
use serde_json::{Value, json};
use store::identity::grants::{GrantState, StoredGrant};
use store::money::account::AccountChange;

use super::paging::{cursor, limit, page, place};
use super::{Desk, deed, not_found};

impl Desk {
    /// The live grants, newest first.
    pub(super) async fn grants(&self, paging: &Paging, now: Moment) -> Result<Value, Untold> {
        let after = place(paging)?;
        let live = self.live_grants(now).await?;
        let later = |grant: &StoredGrant| match &after {
            None => true,
            Some((at, name)) => (grant.created_at, grant.id.as_str()) < (*at, name.as_str()),
        };
        let mut left: Vec<StoredGrant> = live.into_iter().filter(later).collect();
        left.sort_by(|one, other| (other.created_at, other.id.as_str()).cmp(&(one.created_at, one.id.as_str())));
        let (grants, next) = page(left, limit(paging), |grant| cursor(grant.created_at, grant.id.as_str()));
        Ok(json!({ "grants": grants.iter().map(shown).collect::<Vec<_>>(), "next": next }))
    }

    /// Ends a grant with all its tokens.
    pub(super) async fn revoke_grant(&self, reference: &str) -> Result<Deed, Untold> {
        let live = self.live_grants(self.service.core.clock().now()).await?;
        let found = live.iter().find(|grant| grant.id.as_str() == reference);
        let grant = found.ok_or_else(|| not_found("grant_not_found", "there is no such live grant"))?;
        let tokens = self.service.core.store().identity.live_tokens(&grant.id, self.service.core.clock().now()).await?;
        Ok(deed(&json!({ "tokens_revoked": tokens }), vec![AccountChange::EndGrant(grant.id.clone())]))
    }

    /// Whether the customer has this grant, live or not.
    pub(super) async fn has_grant(&self, reference: &str) -> Result<bool, Untold> {
        let all = self.service.core.store().identity.grants(&self.customer, Moment(0)).await?;
        Ok(all.iter().any(|grant| grant.id == GrantId::from(reference)))
    }

    async fn live_grants(&self, now: Moment) -> Result<Vec<StoredGrant>, Untold> {
        let all = self.service.core.store().identity.grants(&self.customer, now).await?;
        Ok(all.into_iter().filter(|grant| grant.state == GrantState::Live).collect())
    }
}

fn shown(grant: &StoredGrant) -> Value {
    json!({
        "grant_ref": grant.id,
        "client_name": grant.name,
        "kind": if grant.client.is_some() { "oauth" } else { "bearer" },
        "scopes": grant.scopes,
        "created_at": grant.created_at.0,
        "last_used_at": grant.used_at.map(|at| at.0),
        "expires_at": grant.expires_at.map(|at| at.0),
    })
}
