//! Intents: one search and what followed from it. A reference is the grant's own for a day.

use std::time::Duration;

use model::call::Call;
use model::grant::Grant;
use model::id::IntentRef;
use model::refusal::Refusal;
use store::calls::intents::{Intent, IntentLink};

use crate::capabilities::Search;
use crate::execute::Spine;
use crate::feedback::redact::redact;

/// How long a reference can be used.
pub const LIFE: Duration = Duration::from_secs(24 * 60 * 60);

impl Search {
    /// A new intent, which the search's settlement keeps. The goal is kept without credentials.
    pub(crate) fn intent(
        &self,
        grant: &Grant,
        reference: IntentRef,
        query: Option<&str>,
        best: Option<String>,
    ) -> Intent {
        let now = self.core.clock().now();
        Intent {
            reference,
            customer: grant.customer.clone(),
            grant: grant.id.clone(),
            query: query.map(redact),
            best,
            at: now,
            expires_at: now.plus(LIFE),
        }
    }

    /// Whether the reference is this grant's own and still alive.
    ///
    /// # Errors
    /// 422 when it is not: an unknown one, a foreign one and an expired one look the same.
    pub(crate) async fn follow_intent(&self, grant: &Grant, intent: &IntentRef) -> Result<(), Refusal> {
        let alive = self
            .core
            .store()
            .calls
            .intent_lives(&grant.customer, &grant.id, intent, self.core.clock().now())
            .await
            .map_err(|error| Spine::of(&self.core).store_failed(&error))?;
        if alive {
            return Ok(());
        }
        Err(Refusal::invalid_arguments(
            "/intent_ref",
            "this is not an intent reference of this grant, or it is older than a day; search again or leave it out",
        ))
    }

    /// What a reference was used for, which the settlement of that use keeps.
    pub(crate) fn led_to(&self, grant: &Grant, reference: IntentRef, what: &'static str, subject: &str) -> IntentLink {
        let (customer, at) = (grant.customer.clone(), self.core.clock().now());
        IntentLink { customer, reference, what, subject: subject.to_owned(), at }
    }

    /// The same check for a call. The link itself is the call's audit line, which names the intent and commits
    /// with the effect.
    pub(crate) async fn check_intent(&self, grant: &Grant, call: &Call) -> Result<(), Refusal> {
        match &call.intent {
            Some(intent) => self.follow_intent(grant, intent).await,
            None => Ok(()),
        }
    }
}
