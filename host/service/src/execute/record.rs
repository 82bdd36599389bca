//! What goes into the audit trail of a call, and how a call that came to nothing gives back what it took.

use model::audit::Audit;
use model::call::Outcome;
use model::grant::Grant;
use model::id::RequestId;
use model::refusal::{Class, Refusal};
use sandbox::Receipt;
use sandbox::egress::Verdict;
use serde_json::{Value, json};
use store::{Changes, Hold, SettleError, Settlement};

use super::open::Opened;
use crate::execute::Spine;
use crate::watch::Books;

impl Spine {
    /// Charges and records a read that the host answers itself: account, search, contract.
    ///
    /// # Errors
    /// 402 when the points are not there, 503 when the store is not.
    pub async fn run_host_read(
        &self,
        grant: &Grant,
        request: RequestId,
        name: &str,
        points: u64,
        data: Value,
    ) -> Result<Outcome, Refusal> {
        self.run_noted_read(grant, request, (name, points), data, Changes::default()).await
    }

    /// As [`Self::run_host_read`], with what the read notes: it is there exactly where the read was charged.
    ///
    /// # Errors
    /// As [`Self::run_host_read`].
    pub(crate) async fn run_noted_read(
        &self,
        grant: &Grant,
        request: RequestId,
        (name, points): (&str, u64),
        data: Value,
        changes: Changes,
    ) -> Result<Outcome, Refusal> {
        Books::of(&self.core).check_ledger(points)?;
        let now = self.core.clock().now();
        let generation = self.core.catalog().current();
        let api_version = generation.api_version.clone();
        let settlement = Settlement {
            customer: grant.customer.clone(),
            grant: Some(grant.id.clone()),
            request: request.clone(),
            operation: name.to_owned(),
            site: None,
            now,
            api_version: api_version.clone(),
            points,
            hold: None,
            hold_for_job: None,
            changes,
            answer: None,
            claim: None,
            audit: Audit {
                at: now,
                customer: grant.customer.clone(),
                request: Some(request.clone()),
                grant: Some(grant.id.clone()),
                event: "host.read".to_owned(),
                subject: name.to_owned(),
                outcome: "ok".to_owned(),
                points,
                detail: json!({ "catalog": generation.digest }),
            },
        };
        let settled = self.core.store().calls.settle(settlement).await.map_err(|error| match error {
            SettleError::Unavailable(error) => self.unconfirmed(&error),
            other => self.refuse_settle(other),
        })?;
        Ok(Outcome {
            request,
            data: data.to_string().into(),
            untrusted: None,
            usage: settled.usage,
            api_version,
            replayed: false,
        })
    }

    pub(super) fn audit_line(&self, opened: &Opened, event: &str, outcome: &str, points: u64) -> Audit {
        Audit {
            at: self.core.clock().now(),
            customer: opened.permit.grant.customer.clone(),
            request: Some(opened.call.request.clone()),
            grant: Some(opened.permit.grant.id.clone()),
            event: event.to_owned(),
            subject: opened.permit.operation.contract.id.clone(),
            outcome: outcome.to_owned(),
            points,
            detail: json!({ "catalog": opened.generation.digest }),
        }
    }

    /// Records a refusal that came before anything was opened. A subject that does not exist is not repeated:
    /// what a caller made up stays out of the trail.
    pub(crate) async fn record_refusal(
        &self,
        grant: &Grant,
        request: &RequestId,
        subject: Option<&str>,
        refusal: &Refusal,
    ) {
        let audit = Audit {
            at: self.core.clock().now(),
            customer: grant.customer.clone(),
            request: Some(request.clone()),
            grant: Some(grant.id.clone()),
            event: "operation.refused".to_owned(),
            subject: subject.unwrap_or("unknown").to_owned(),
            outcome: refusal.code.to_string(),
            points: 0,
            detail: json!({ "catalog": self.core.catalog().current().digest }),
        };
        // A store that has just failed is no reason to keep the client any longer.
        if refusal.class == Class::Unavailable {
            let service = self.clone();
            tokio::spawn(async move { service.give_back(None, audit).await });
        } else if let Err(error) = self.core.store().calls.audit(audit).await {
            tracing::error!(error = %error, "a refusal could not be recorded");
        }
    }

    /// Records the addresses that the guard refused; the guest and the client learn nothing of them.
    pub(super) async fn record_receipt(&self, opened: &Opened, receipt: &Receipt) {
        for decision in receipt.egress.iter().filter(|decision| decision.verdict != Verdict::Permitted) {
            let mut audit = self.audit_line(opened, "egress.refused", decision.verdict.code(), 0);
            if let Some(line) = &decision.line {
                tracing::warn!(operation = %audit.subject, request = %opened.call.request, line, "a request is not in the lock");
            }
            audit.add(json!({ "port": decision.port, "address": decision.address, "line": decision.line }));
            // The host may be a word about the customer; the trail itself holds no such thing.
            if let Err(error) = self.core.store().trail.audit_committed(audit, "host", decision.host.clone()).await {
                tracing::error!(error = %error, "a refused address could not be recorded");
            }
        }
    }

    /// What a run took, as an audit line has it.
    pub(super) fn taken(receipt: &Receipt) -> Value {
        json!({
            "fuel": receipt.fuel,
            "host_calls": receipt.host_calls,
            "requests": receipt.requests,
            "peak_memory": receipt.peak_memory,
        })
    }

    /// Gives back what an opened call had reserved, with an audit line of its refusal.
    pub(super) async fn abandon(&self, opened: &Opened, refusal: &Refusal) {
        self.abandon_as(opened, &refusal.code).await;
    }

    /// As [`Self::abandon`], under a code that stays inside.
    pub(super) async fn abandon_as(&self, opened: &Opened, code: &str) {
        self.abandon_with(opened, self.audit_line(opened, "operation.failed", code, 0)).await;
    }

    /// As [`Self::abandon`], with an audit line that says more.
    pub(super) async fn abandon_with(&self, opened: &Opened, audit: Audit) {
        self.give_back(opened.hold.clone(), audit).await;
        self.unclaim(&opened.permit.grant.customer, opened.key.as_ref()).await;
    }

    /// As [`Self::abandon_as`], without waiting: a store that has just failed is no reason to keep the client any
    /// longer. It queues behind the settlement, so what was committed after all stays.
    pub(super) fn abandon_later(&self, opened: &Opened, code: &str) {
        let audit = self.audit_line(opened, "operation.failed", code, 0);
        let (service, hold, key) = (self.clone(), opened.hold.clone(), opened.key.clone());
        let customer = opened.permit.grant.customer.clone();
        tokio::spawn(async move {
            service.give_back(hold, audit).await;
            service.unclaim(&customer, key.as_ref()).await;
        });
    }

    async fn give_back(&self, hold: Option<Hold>, audit: Audit) {
        let recorded = match hold {
            Some(hold) => self.core.store().calls.release(hold, audit).await,
            None => self.core.store().calls.audit(audit).await,
        };
        if let Err(error) = recorded {
            // The hold expires by itself; the customer's points come back then.
            tracing::error!(error = %error, "a failed call could not be recorded");
        }
    }
}
