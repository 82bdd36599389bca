//! 409: whether the contract is still the one that the caller has read.

use model::call::Call;
use model::refusal::{Refusal, codes};

use super::authorize::Permit;

/// Refuses a call that was made for another contract. It comes before the arguments are looked at, since they were
/// written for the other one too.
pub(super) fn unchanged(permit: &Permit, call: &Call) -> Result<(), Refusal> {
    let current = &permit.operation.digest;
    if call.contract.as_deref().is_none_or(|read| *read == **current) {
        return Ok(());
    }
    let message = "the contract of this operation is not the one that was read; read it again before calling";
    Err(Refusal::of(&codes::CONTRACT_CHANGED, message)
        .with("operation_id", permit.operation.contract.id.as_str())
        .with("contract_digest", &**current))
}
