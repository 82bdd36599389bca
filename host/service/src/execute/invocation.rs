//! What every run of a module for a customer begins with.

use std::sync::Arc;

use model::clock::Moment;
use model::contract::Kind;
use model::id::{CustomerId, GrantId};
use model::limits::Limits;
use sandbox::{Cancel, Export, Invocation, Module, Secrets};
use store::Workspace;

use crate::account::Account;
use crate::execute::Spine;

/// Whose run it is, and when it runs.
pub(crate) struct Turn<'a> {
    pub(crate) customer: &'a CustomerId,
    /// The grant that the call or the job came by, if any did.
    pub(crate) grant: Option<&'a GrantId>,
    pub(crate) now: Moment,
    pub(crate) seed: [u8; 32],
}

impl Spine {
    /// A run that may read what the module keeps for the customer, and nothing more; a call and a step add what they
    /// may.
    pub(crate) fn invocation(
        &self,
        module: Arc<Module>,
        export: Export,
        limits: Limits,
        turn: &Turn<'_>,
    ) -> Invocation {
        let Turn { customer, grant, now, seed } = *turn;
        Invocation {
            started_by: None,
            kind: Kind::Read,
            queued: false,
            limits,
            arguments: "{}".to_owned(),
            workspace: Workspace::open(&self.core.0.store, customer.clone(), module.schema.clone(), now).under(grant),
            offer: Some(self.core.catalog().current()),
            platform: Account::of(&self.core).desk(&module, customer, grant),
            module,
            export,
            now,
            seed,
            sends: None,
            secrets: Secrets::default(),
            slot: None,
            owned: None,
            customer: customer.clone(),
            keys: self.core.config().keys.current(),
            edges: self.core.0.edges.clone(),
            record: false,
            cancel: Cancel::default(),
        }
    }
}
