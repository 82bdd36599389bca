//! Runs the guest: a fresh instance over a workspace that names one customer and one module.

use model::clock::Entropy;
use model::contract::Mode;
use sandbox::{Invocation, Run};
use store::{Right, Sends, StoreError};

use super::invocation::Turn;
use super::open::Opened;
use crate::execute::Spine;

impl Spine {
    /// Runs an opened call; nothing it does is visible before it is settled, but what it sends outside.
    ///
    /// # Errors
    /// When the journal of an earlier run cannot be read.
    pub(super) async fn run(&self, opened: &Opened) -> Result<Run, StoreError> {
        let operation = &opened.permit.operation;
        let contract = &operation.contract;
        let customer = &opened.permit.grant.customer;
        let entropy: &dyn Entropy = self.core.entropy();
        let (mut now, mut seed) = (self.core.clock().now(), entropy.array());
        let mut sends = None;
        if let Some(key) = &opened.key {
            let right = Right::Key(key.clone());
            let journal = Sends::open(&self.core.0.store, customer, right, now, seed).await?;
            // What an earlier run has sent is found again only by a run that sees what that one saw.
            (now, seed) = (journal.run_at(), journal.seed());
            sends = Some(journal);
        }
        let turn = Turn { customer, grant: Some(&opened.permit.grant.id), now, seed };
        let run = self.invocation(operation.module.clone(), operation.export.clone(), operation.limits.clone(), &turn);
        let run = Invocation {
            kind: contract.kind,
            queued: contract.mode == Mode::Queued,
            arguments: opened.arguments.text.clone(),
            sends,
            secrets: opened.arguments.secrets.clone(),
            record: true,
            ..run
        };
        Ok(self.core.sandbox().run(run).await)
    }
}
