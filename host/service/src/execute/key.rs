//! The durable claim of a key: for calls that may change something outside, where two runs must never send at once,
//! on whichever node they are.

use std::time::Duration;

use model::call::Call;
use model::id::CustomerId;
use model::refusal::Refusal;
use store::{Claimed, Earlier, KeyClaim, Wanted};
use tokio::time::Instant;

use super::authorize::Permit;
use super::claims::PATIENCE;
use super::open::{in_progress, key_conflict};
use super::validate::Keyed;
use crate::execute::Spine;

/// How long a run has the key, beyond which another may go on from what it sent: longer than the longest call with
/// its repetitions. Each send makes it last longer.
const LEASE: Duration = Duration::from_secs(60);
/// How often it is looked whether a twin on another node has ended.
const LOOK: Duration = Duration::from_millis(100);

impl Spine {
    /// Claims the key where the operation needs it; the answer of a twin that ended meanwhile is an error here.
    pub(super) async fn claim_key(
        &self,
        permit: &Permit,
        keyed: &Keyed,
        call: &Call,
    ) -> Result<Option<Result<KeyClaim, Box<Earlier>>>, Refusal> {
        if !permit.operation.changes_outside() {
            return Ok(None);
        }
        let began = Instant::now();
        loop {
            let wanted = Wanted {
                customer: permit.grant.customer.clone(),
                key: keyed.key.clone(),
                fingerprint: keyed.fingerprint.clone(),
                operation: permit.operation.contract.id.clone(),
                request: call.request.clone(),
                now: self.core.clock().now(),
                lease: LEASE,
            };
            match self.core.store().calls.claim(wanted).await.map_err(|error| self.store_failed(&error))? {
                Claimed::Ours(claim) => return Ok(Some(Ok(claim))),
                Claimed::Ended(earlier) => return Ok(Some(Err(earlier))),
                Claimed::Other { first } => return Err(key_conflict(&first)),
                Claimed::Running if began.elapsed() >= PATIENCE => return Err(in_progress()),
                Claimed::Running => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// Gives the key back; what was sent under it stays with it.
    pub(super) async fn unclaim(&self, customer: &CustomerId, key: Option<&KeyClaim>) {
        let Some(key) = key else { return };
        if let Err(error) = self.core.store().calls.unclaim(customer, key).await {
            tracing::error!(error = %error, "a key could not be given back; its lease will end");
        }
    }
}
