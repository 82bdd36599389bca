//! Runs the guest: a fresh instance over a workspace that names one customer and one module.

use model::clock::Entropy;
use sandbox::{Cancel, Invocation, Run};
use store::Workspace;

use super::open::Opened;
use crate::Service;

impl Service {
    /// Runs an opened call; nothing it does is visible before it is settled.
    pub(super) async fn run(&self, opened: &Opened) -> Run {
        let operation = &opened.permit.operation;
        let contract = &operation.contract;
        let customer = &opened.permit.grant.customer;
        let now = self.clock().now();
        let entropy: &dyn Entropy = self.entropy();
        self.0
            .sandbox
            .run(Invocation {
                module: operation.module.clone(),
                export: operation.export.clone(),
                kind: contract.kind,
                queued: contract.mode == model::contract::Mode::Queued,
                limits: operation.limits.clone(),
                arguments: opened.arguments.text.clone(),
                workspace: Workspace::open(&self.0.store, customer.clone(), operation.module.schema.clone(), now),
                now,
                seed: entropy.array(),
                customer: customer.clone(),
                keys: self.config().keys.current(),
                cancel: Cancel::default(),
            })
            .await
    }
}
