//! The account as its customer sees it: access, what this grant may do, usage, and the catalog in force.

use model::call::Outcome;
use model::grant::{Access, Grant};
use model::id::RequestId;
use model::refusal::Refusal;
use model::scope::Scope;
use serde_json::json;

use crate::Core;
use crate::execute::Spine;
use crate::usage;

/// Points of a snapshot.
const POINTS: u64 = 1;

/// What a customer has and has used, as both doors and modules may ask.
#[derive(Clone)]
pub struct Account {
    pub(crate) core: Core,
}

impl Account {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// One snapshot.
    ///
    /// # Errors
    /// 402 and 503 of metering.
    pub(crate) async fn account(&self, grant: &Grant, request: RequestId) -> Result<Outcome, Refusal> {
        let now = self.core.clock().now();
        let failed = |error| Spine::of(&self.core).store_failed(&error);
        let balance = self.core.store().money.balance(&grant.customer, now).await.map_err(failed)?;
        let customer = self.core.store().identity.customer(&grant.customer).await.map_err(failed)?;
        let generation = self.core.catalog().current();
        let lacking: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| !grant.scopes.contains(*scope)).collect();
        let data = json!({
            "account": {
                "email": customer.as_ref().map(|customer| customer.email.as_str()),
                "created_at": customer.as_ref().map(|customer| customer.created_at.rfc3339()),
                "access": match grant.access { Access::Open => "open", Access::Closed => "closed" },
            },
            "grant": {
                "kind": if grant.client.is_some() { "oauth" } else { "bearer" },
                "scopes": grant.scopes,
                "not_granted": lacking,
            },
            "usage": usage::state(&balance, now),
            "catalog": {
                "revision": &*generation.api_version,
                "operations": generation.operations().count(),
                "modules": generation.search().modules(),
            },
        });
        Spine::of(&self.core).run_host_read(grant, request, "account.get", POINTS, data).await
    }
}
