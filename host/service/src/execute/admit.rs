//! 429: whether there is room for this call now.

use model::refusal::Refusal;

use super::authorize::Permit;
use crate::execute::Spine;
use crate::limits::Limits;

impl Spine {
    /// Applies the heavy limit; the request limit stands where a bearer becomes a grant, and the sandbox keeps
    /// its own queue.
    pub(super) fn admit(&self, permit: &Permit) -> Result<(), Refusal> {
        if permit.operation.heavy() {
            Limits::of(&self.core).limiter().heavy(&permit.grant, self.core.clock().now())?;
        }
        Ok(())
    }
}
