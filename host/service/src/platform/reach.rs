//! What of the customer's data a grant reaches: what it could read one operation at a time, and no more.
//!
//! An export puts together what many modules keep. It is no way round the scopes: data are in it when the grant may call
//! an operation that reads what their module keeps.

use std::collections::BTreeSet;

use model::clock::Moment;
use model::contract::{Kind, Mode};
use model::scope::{Scope, ScopeSet};
use store::identity::grants::GrantState;

use super::{Desk, Untold};
use crate::generation::Generation;

/// What a grant reaches.
pub(super) struct Reach {
    /// None: the call came without a grant, as the customer's own.
    scopes: Option<ScopeSet>,
}

impl Desk {
    /// What the grant of the call reaches now; nothing once it has ended.
    pub(super) async fn reach(&self) -> Result<Reach, Untold> {
        let Some(grant) = &self.grant else { return Ok(Reach { scopes: None }) };
        let grants = self.service.core.store().identity.grants(&self.customer, Moment(0)).await?;
        let live = grants.into_iter().find(|it| it.id == *grant && it.state == GrantState::Live);
        Ok(Reach { scopes: Some(live.map(|it| it.scopes).unwrap_or_default()) })
    }
}

impl Reach {
    /// The scopes that are missing to read this; none when it is reached. A name without a collection is a module's
    /// larger bytes.
    pub(super) fn missing(&self, generation: &Generation, module: &str, collection: &str) -> Option<BTreeSet<Scope>> {
        let granted = self.scopes.as_ref()?;
        let needed: Vec<ScopeSet> = match (module, collection) {
            ("connections", _) => vec![[Scope::AccountRead, Scope::ConnectionsManage].into_iter().collect()],
            ("account", _) => vec![[Scope::AccountRead].into_iter().collect()],
            ("websites", "sites") => vec![[Scope::WebsitesRead].into_iter().collect()],
            _ => {
                let reads = generation.operations().filter(|it| {
                    let contract = &it.contract;
                    let is_stored = contract.kind == Kind::Read && contract.mode == Mode::Immediate;
                    contract.module() == module && is_stored && !it.reaches_outside()
                });
                reads.map(|it| it.contract.scopes.clone()).collect()
            }
        };
        if needed.iter().any(|needed| granted.covers(needed)) {
            return None;
        }
        let fewest = needed.iter().map(|needed| needed.missing_from(granted)).min_by_key(|it| it.iter().count());
        Some(fewest.unwrap_or_default().iter().collect())
    }
}
