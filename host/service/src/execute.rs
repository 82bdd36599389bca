//! The spine: the only way product code is ever reached, the same for both transports.
//!
//! Each step consumes the proof of the one before: resolve (404), authorize (403), the contract as it was read
//! (409), validate (422), admit (429), open (409, 402, 503), run, settle. A rule that stands in a transport alone is a bug.

mod admit;
mod authorize;
pub(crate) mod claims;
mod contract;
pub(crate) mod invocation;
mod keep;
mod key;
mod open;
mod record;
mod run;
mod settle;
mod uses;
pub(crate) mod validate;

use std::sync::Arc;

use model::call::{Call, Outcome};
use model::grant::Grant;
use model::id::RequestId;
use model::refusal::{Refusal, codes};
use model::scope::ScopeSet;
use sandbox::Stop;
use serde_json::{Map, Value};

use crate::Core;
use crate::capabilities::Search;
use crate::generation::{Generation, Operation};
use authorize::Permit;
use open::Opening;

/// How often a run is repeated when another call changed what it read.
const RERUNS: usize = 3;

/// Runs operations: the only way to the code of a module.
#[derive(Clone)]
pub struct Spine {
    pub(crate) core: Core,
}

impl Spine {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Runs one catalog operation.
    ///
    /// # Errors
    /// Every failure that a client can see; nothing is written then, except what the refusal says.
    pub async fn execute(&self, grant: &Grant, call: Call) -> Result<Outcome, Refusal> {
        let generation = self.core.catalog().current();
        let operation = generation.operation(&call.operation).cloned();
        self.spine(generation, grant, call, operation).await
    }

    /// Runs what a fixed route shows of a module, on the same spine.
    ///
    /// # Errors
    /// As [`Self::execute`]; 404 when no module offers the route.
    pub async fn execute_route(
        &self,
        grant: &Grant,
        request: RequestId,
        route: &str,
        arguments: Map<String, Value>,
    ) -> Result<Outcome, Refusal> {
        let generation = self.core.catalog().current();
        let operation = generation.route(route).cloned();
        let call = Call { request, operation: route.to_owned(), arguments, key: None, intent: None, contract: None };
        self.spine(generation, grant, call, operation).await
    }

    /// The scopes that an operation needs, for a transport that must answer 403 before it dispatches.
    pub fn required_scopes(&self, operation: &str) -> Option<ScopeSet> {
        self.core.catalog().current().operation(operation).map(|operation| operation.contract.scopes.clone())
    }

    /// The scopes that a fixed route needs.
    pub fn required_route_scopes(&self, route: &str) -> Option<ScopeSet> {
        self.core.catalog().current().route(route).map(|operation| operation.contract.scopes.clone())
    }

    /// Whether a grant may run an operation now: what a call and a round of scheduled work have to pass.
    pub(crate) fn permit(&self, grant: &Grant, operation: &Arc<Operation>) -> Result<Permit, Refusal> {
        let permit = authorize::authorize(grant, operation)?;
        authorize::offered(&permit, &self.core.config().off)?;
        Ok(permit)
    }

    async fn spine(
        &self,
        generation: Arc<Generation>,
        grant: &Grant,
        call: Call,
        operation: Option<Arc<Operation>>,
    ) -> Result<Outcome, Refusal> {
        let request = call.request.clone();
        let subject = operation.as_ref().map(|operation| operation.contract.id.clone());
        match self.steps(generation, grant, call, operation).await {
            Ok(outcome) => Ok(outcome),
            Err(Ended::Settled(refusal)) => Err(refusal),
            Err(Ended::Before(refusal)) => {
                self.record_refusal(grant, &request, subject.as_deref(), &refusal).await;
                Err(refusal)
            }
        }
    }

    async fn steps(
        &self,
        generation: Arc<Generation>,
        grant: &Grant,
        mut call: Call,
        operation: Option<Arc<Operation>>,
    ) -> Result<Outcome, Ended> {
        let operation = operation.ok_or_else(|| generation.not_served(&call.operation))?;
        let permit = self.permit(grant, &operation)?;
        contract::unchanged(&permit, &call)?;
        let keys = self.core.config().keys.current();
        let arguments = validate::validate(&permit, &mut call, &keys, self.core.entropy())?;
        Search::of(&self.core).check_intent(grant, &call).await?;
        self.admit(&permit)?;
        let opened = match self.open(&generation, permit, arguments, call).await? {
            Opening::Answered(outcome) => return Ok(outcome),
            Opening::Refused(refusal) => return Err(Ended::Settled(refusal)),
            Opening::Fresh(opened) => opened,
        };
        for _ in 0..RERUNS {
            let settling = match self.run(&opened).await {
                Ok(mut run) => {
                    let uses = std::mem::take(&mut run.receipt.uses);
                    let spent = std::mem::take(&mut run.receipt.spent);
                    let journal = run.receipt.journal.take();
                    let recording = run.recording.take();
                    let faulted = run.outcome.as_ref().is_err_and(Stop::is_fault);
                    let (grant, contract) = (&opened.permit.grant, &opened.permit.operation.contract);
                    self.count_spent(&grant.customer, &contract.id, journal, spent).await;
                    let settling = self.settle(&opened, run).await;
                    self.keep_call(&opened, recording, faulted, &settling);
                    self.count_uses(&grant.customer, &contract.id, uses).await;
                    settling
                }
                Err(error) => self.unread(&opened, &error),
            };
            match settling {
                settle::Settling::Done(outcome) => return Ok(outcome),
                settle::Settling::Refused(refusal) => return Err(Ended::Settled(refusal)),
                settle::Settling::Again => {}
            }
        }
        let refusal =
            Refusal::of(&codes::CONTENTION, "other calls kept changing the same records; nothing was done, try again")
                .retry_after(1);
        self.abandon(&opened, &refusal).await;
        Err(Ended::Settled(refusal))
    }
}

/// How a call that fails has ended: with its audit line written, or before anything was opened.
enum Ended {
    Settled(Refusal),
    Before(Refusal),
}

impl From<Refusal> for Ended {
    fn from(refusal: Refusal) -> Self {
        Self::Before(refusal)
    }
}
