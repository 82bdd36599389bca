//! 403: whether this grant may run this operation.

use std::sync::Arc;

use model::contract::Kind;
use model::grant::{Access, Grant};
use model::refusal::Refusal;

use crate::config::Off;
use crate::generation::Operation;

/// Proof that a grant may run an operation.
pub(crate) struct Permit {
    pub(super) grant: Grant,
    pub(super) operation: Arc<Operation>,
}

/// Checks access and scopes.
pub(super) fn authorize(grant: &Grant, operation: &Arc<Operation>) -> Result<Permit, Refusal> {
    if grant.access == Access::Closed {
        return Err(Refusal::access_inactive());
    }
    let missing = operation.contract.scopes.missing_from(&grant.scopes);
    if !missing.is_empty() {
        return Err(Refusal::insufficient_scope(&operation.contract.scopes, &missing));
    }
    Ok(Permit { grant: grant.clone(), operation: operation.clone() })
}

/// Checks that the operator offers the operation. Stopping is always offered.
pub(super) fn offered(permit: &Permit, off: &Off) -> Result<(), Refusal> {
    let contract = &permit.operation.contract;
    match off.family(&contract.id) {
        Some(family) if contract.kind != Kind::Destructive => Err(Refusal::operation_off(family)),
        _ => Ok(()),
    }
}
