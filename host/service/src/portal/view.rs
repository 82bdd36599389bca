//! A view of what modules keep for a customer, for the customer's own pages.

use model::contract::Kind;
use model::id::CustomerId;
use sandbox::Stop;
use serde_json::Value;

use crate::execute::Spine;
use crate::execute::invocation::Turn;
use crate::portal::Portal;

/// Why there is nothing to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// The module says no: there is no such thing of this customer's, or not yet.
    Refused,
    /// The run did not come to an answer; another try may.
    Failed,
}

impl Portal {
    /// The answer of a read of the catalog, or of a fixed route, for the customer who is signed in to the portal. It
    /// costs nothing, changes nothing and asks nobody outside: other operations are not run.
    ///
    /// # Errors
    /// See [`Unseen`].
    pub async fn view(&self, customer: &CustomerId, name: &str, arguments: &Value) -> Result<Value, Unseen> {
        let generation = self.core.catalog().current();
        let operation =
            generation.operation(name).or_else(|| generation.route(name)).cloned().ok_or(Unseen::Refused)?;
        if operation.contract.kind != Kind::Read || operation.reaches_outside() {
            return Err(Unseen::Refused);
        }
        let turn = Turn { customer, grant: None, now: self.core.clock().now(), seed: self.core.entropy().array() };
        let mut run = Spine::of(&self.core).invocation(
            operation.module.clone(),
            operation.export.clone(),
            operation.limits.clone(),
            &turn,
        );
        run.arguments = arguments.to_string();
        match self.core.sandbox().run(run).await.outcome {
            Ok(answer) => serde_json::from_str(&answer.data).map_err(|_| Unseen::Failed),
            Err(Stop::Fault(_)) => Err(Unseen::Refused),
            Err(_) => Err(Unseen::Failed),
        }
    }
}
