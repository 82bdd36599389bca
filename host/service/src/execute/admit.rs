//! 429: whether there is room for this call now.

use model::refusal::Refusal;

use super::authorize::Permit;
use crate::Service;

impl Service {
    /// Applies the heavy limit; the request limit stands where a bearer becomes a grant, and the sandbox keeps
    /// its own queue.
    pub(super) fn admit(&self, permit: &Permit) -> Result<(), Refusal> {
        if permit.operation.heavy() {
            self.limiter().heavy(&permit.grant, self.clock().now())?;
        }
        Ok(())
    }
}
