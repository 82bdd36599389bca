//! What customers tell us when a goal is blocked: kept for zero points, with credentials taken out.

pub mod redact;

use model::call::Outcome;
use model::grant::Grant;
use model::id::{FeedbackId, IntentRef, RequestId};
use model::refusal::Refusal;
use serde_json::{Map, Value, json};
use store::identity::feedback::Feedback;
use store::{Changes, Noted};

use crate::capabilities::Search;
use crate::execute::Spine;
use crate::limits::Limits;
use crate::routes::text;
use redact::redact;

/// What a record is about; closed.
pub const CATEGORIES: [&str; 6] =
    ["blocked_goal", "missing_capability", "wrong_result", "contract_defect", "access_problem", "other"];

/// How the goal ended; closed.
pub const COMPLETION_STATES: [&str; 5] = ["completed", "partial", "blocked", "failed", "wrong"];

impl Search {
    /// Stores one record of feedback. Costs nothing and has a limit of its own.
    ///
    /// # Errors
    /// 429 when too much comes, 422 for a reference that is not the grant's own, 503 when the store is away.
    pub(crate) async fn feedback(
        &self,
        grant: &Grant,
        request: RequestId,
        arguments: &Map<String, Value>,
    ) -> Result<Outcome, Refusal> {
        Limits::of(&self.core).limiter().feedback(grant, self.core.clock().now())?;
        let intent_ref = text(arguments, "intent_ref").map(IntentRef::from);
        if let Some(intent) = &intent_ref {
            self.follow_intent(grant, intent).await?;
        }
        let now = self.core.clock().now();
        let feedback = Feedback {
            id: FeedbackId::new(self.core.entropy()),
            customer: grant.customer.clone(),
            grant: grant.id.clone(),
            request: request.clone(),
            category: text(arguments, "category").unwrap_or_default(),
            completion_state: text(arguments, "completion_state").unwrap_or_default(),
            intent: redact(&text(arguments, "intent").unwrap_or_default()),
            intent_ref,
            operation: text(arguments, "operation_id"),
            message: text(arguments, "message").map(|message| redact(&message)),
            at: now,
        };
        let data = json!({
            "feedback_ref": feedback.id,
            "category": feedback.category,
            "completion_state": feedback.completion_state,
            "intent": feedback.intent,
            "intent_ref": feedback.intent_ref,
            "operation_id": feedback.operation,
            "message": feedback.message,
            "recorded_at": now.rfc3339(),
        });
        let noted = Changes::noting(Noted::Report(Box::new(feedback)));
        Spine::of(&self.core).run_noted_read(grant, request, ("feedback.submit", 0), data, noted).await
    }
}
