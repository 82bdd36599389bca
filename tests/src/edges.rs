//! What a module would ask of the public edges, asked for it and committed as its call would be.

use std::sync::Arc;
use std::time::Duration;

use model::audit::Audit;
use model::id::{CustomerId, RequestId};
use serde_json::json;
use store::{ModuleSchema, Settlement, Workspace};

use crate::customer::Customer;
use crate::host::Host;

/// The module in whose name it is asked.
pub const MODULE: &str = "edges";

impl Host {
    /// What a module has of this customer.
    pub fn workspace(&self, customer: &Customer) -> Workspace {
        let schema = ModuleSchema { module: MODULE.to_owned(), collections: Vec::new(), foreign: [].into() };
        let customer = CustomerId::from(customer.id.as_str());
        Workspace::open(self.service.core.store(), customer, Arc::new(schema), self.service.core.clock().now())
    }

    /// Commits what a workspace has collected, as a call does that costs nothing.
    ///
    /// # Panics
    /// When it cannot be committed.
    pub async fn commit(&self, customer: &Customer, workspace: Workspace) {
        let customer = CustomerId::from(customer.id.as_str());
        let now = self.service.core.clock().now();
        let request = RequestId::at(now, self.service.core.entropy());
        let audit = Audit {
            at: now,
            customer: customer.clone(),
            request: Some(request.clone()),
            grant: None,
            event: "operation.executed".to_owned(),
            subject: "edges.test".to_owned(),
            outcome: "ok".to_owned(),
            points: 0,
            detail: json!({}),
        };
        let settlement = Settlement {
            customer,
            grant: None,
            request,
            operation: "edges.test".to_owned(),
            site: None,
            now,
            api_version: "2026-09-28".into(),
            points: 0,
            hold: None,
            hold_for_job: None,
            changes: workspace.into_changes(),
            answer: None,
            claim: None,
            audit,
        };
        self.service.core.store().calls.settle(settlement).await.expect("committed");
    }
}

/// An hour.
pub const HOUR: Duration = Duration::from_secs(3_600);
