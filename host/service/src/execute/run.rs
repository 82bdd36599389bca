//! Runs the guest: a fresh instance over a workspace that names one customer and one module.

use model::clock::Entropy;
use sandbox::{Cancel, Invocation, Run};
use store::{Right, Sends, StoreError, Workspace};

use super::open::Opened;
use crate::Service;

impl Service {
    /// Runs an opened call; nothing it does is visible before it is settled, but what it sends outside.
    ///
    /// # Errors
    /// When the journal of an earlier run cannot be read.
    pub(super) async fn run(&self, opened: &Opened) -> Result<Run, StoreError> {
        let operation = &opened.permit.operation;
        let contract = &operation.contract;
        let customer = &opened.permit.grant.customer;
        let entropy: &dyn Entropy = self.entropy();
        let (mut now, mut seed) = (self.clock().now(), entropy.array());
        let mut sends = None;
        if let Some(key) = &opened.key {
            let right = Right::Key(key.clone());
            let journal = Sends::open(&self.0.store, customer, right, now, seed).await?;
            // What an earlier run has sent is found again only by a run that sees what that one saw.
            (now, seed) = (journal.run_at(), journal.seed());
            sends = Some(journal);
        }
        Ok(self
            .0
            .sandbox
            .run(Invocation {
                module: operation.module.clone(),
                export: operation.export.clone(),
                started_by: None,
                kind: contract.kind,
                queued: contract.mode == model::contract::Mode::Queued,
                limits: operation.limits.clone(),
                arguments: opened.arguments.text.clone(),
                workspace: Workspace::open(&self.0.store, customer.clone(), operation.module.schema.clone(), now)
                    .under(Some(&opened.permit.grant.id)),
                now,
                seed,
                sends,
                secrets: opened.arguments.secrets.clone(),
                slot: None,
                owned: None,
                customer: customer.clone(),
                keys: self.config().keys.current(),
                edges: self.0.edges.clone(),
                platform: self.desk(&operation.module, customer, Some(&opened.permit.grant.id)),
                record: true,
                cancel: Cancel::default(),
            })
            .await)
    }
}
