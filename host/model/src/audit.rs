//! One line of the audit trail: decisions and outcomes, never arguments, bodies or secrets.

use serde::{Deserialize, Serialize};

use crate::clock::Moment;
use crate::id::{CustomerId, GrantId, RequestId};

/// What happened, for whom, and how it ended. Its members stand in the order of their names, so that plain JSON of it
/// is canonical already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audit {
    /// When.
    pub at: Moment,
    /// Whose trail.
    pub customer: CustomerId,
    /// Measures and names for a reviewer: a JSON object with whole numbers, without values that a customer sent.
    pub detail: serde_json::Value,
    /// Dotted and stable: `operation.executed`, `operation.refused`, `sandbox.limit`, `oauth.consent.approved`.
    pub event: String,
    /// Under which grant.
    pub grant: Option<GrantId>,
    /// `ok`, or the stable code of the refusal.
    pub outcome: String,
    /// Points charged.
    pub points: u64,
    /// The request, if there was one.
    pub request: Option<RequestId>,
    /// The operation, client or job it is about.
    pub subject: String,
}

impl Audit {
    /// Adds members to the detail; one that is there already is replaced.
    pub fn add(&mut self, detail: serde_json::Value) {
        match (&mut self.detail, detail) {
            (serde_json::Value::Object(had), serde_json::Value::Object(more)) => had.extend(more),
            (had, more) => *had = more,
        }
    }
}
