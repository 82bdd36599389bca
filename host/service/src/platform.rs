//! The service as one customer's module `account` sees it: answers to `platform`, and what `platform-write` commits.
//!
//! Each file answers some questions of `wit/v1/platform.wit` with the documents of `wit/platform.md`.

mod about;
mod access;
mod activity;
mod billing;
mod estimate;
mod holdings;
mod invoices;
mod jobs;
mod money;
mod paging;
mod reach;
mod spending;

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use sandbox::Module;
use sandbox::platform::{Action, Deed, Known, Platform, PlatformFault, PlatformFaultKind, Question, Untold};
use serde_json::{Value, json};
use store::identity::notices::Wish;
use store::money::account::AccountChange;

use crate::Service;
use crate::account::Account;

pub(crate) use billing::{invoice, plan_of, pro_forma};

/// The grant of the lock that opens it.
const GRANT: &str = "platform";

/// Bound to one customer, for one run.
pub(crate) struct Desk {
    service: Service,
    customer: CustomerId,
    /// The grant of the call, or of the one that started the job.
    grant: Option<GrantId>,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Desk")
    }
}

impl Account {
    /// What a run of this module may ask of the service; none: nothing.
    pub(crate) fn desk(
        &self,
        module: &Module,
        customer: &CustomerId,
        grant: Option<&GrantId>,
    ) -> Option<Arc<dyn Platform>> {
        let desk = || Desk { service: Service::of(&self.core), customer: customer.clone(), grant: grant.cloned() };
        module.lock.grants.contains(GRANT).then(|| Arc::new(desk()) as Arc<dyn Platform>)
    }
}

impl Platform for Desk {
    fn ask(&self, question: Question, now: Moment) -> BoxFuture<'_, Result<Known, Untold>> {
        Box::pin(async move {
            let answer = match question {
                Question::Account => self.account(now).await?,
                Question::Connected => self.connected().await?,
                Question::Grants(paging) => self.grants(&paging, now).await?,
                Question::Activity(filter) => self.activity(&filter).await?,
                Question::Jobs(filter) => self.jobs(&filter).await?,
                Question::Job(reference) => self.job(&reference).await?,
                Question::Balance => self.balance(now).await?,
                Question::Ledger(filter) => self.ledger(&filter).await?,
                Question::Budgets => self.budgets(now).await?,
                Question::Plans => self.plans(now).await?,
                Question::PlanChange(change) => self.plan_change(&change, now).await?.document(),
                Question::Invoices(filter) => self.invoices(&filter).await?,
                Question::Estimate(estimate) => self.estimate(&estimate, now).await?,
                Question::Spending(spending) => self.spending(&spending).await?,
                Question::Held => self.held().await?,
                Question::Rows(stored) => self.rows(&stored).await?,
                Question::Blobs(stored) => self.blobs(&stored).await?,
                Question::RawData(raw) => self.raw_data(&raw).await?.document(),
            };
            Ok(Known { rows: rows_of(&answer), document: answer.to_string() })
        })
    }

    fn act(&self, action: Action, now: Moment) -> BoxFuture<'_, Result<Deed, Untold>> {
        Box::pin(async move {
            match action {
                Action::RevokeGrant(reference) => self.revoke_grant(&reference).await,
                Action::CancelJob(reference) => self.cancel_job(&reference).await,
                Action::SetBudget(budget) => self.set_budget(&budget, now).await,
                Action::OrderCredits(order) => self.order_credits(&order, now).await,
                Action::BuyPoints(credits) => self.buy_points(credits, now).await,
                Action::ChangePlan(change) => self.change_plan(&change, now).await,
                Action::Purge(raw) => self.purge(&raw).await,
                Action::TellJobs(wanted) => Ok(tell_jobs(wanted)),
            }
        })
    }
}

/// Who is told of ended jobs is told by this step of the module that may ask here.
fn tell_jobs(wanted: bool) -> Deed {
    let wish = wanted.then(|| Wish {
        module: "account".to_owned(),
        step: "notify".to_owned(),
        operation: "account.notification.update".to_owned(),
    });
    deed(&json!({}), vec![AccountChange::WishNotices(wish)])
}

/// What counts against the run's bounds: the items of the answer's lists.
fn rows_of(answer: &Value) -> u64 {
    let lists = answer.as_object().into_iter().flat_map(|members| members.values());
    1 + lists.filter_map(Value::as_array).map(|list| list.len() as u64).sum::<u64>()
}

/// An action with nothing but changes to commit.
fn deed(document: &Value, changes: Vec<AccountChange>) -> Deed {
    Deed { document: document.to_string(), changes, purged: Vec::new() }
}

/// 404.
fn not_found(code: &str, message: &str) -> Untold {
    fault(PlatformFaultKind::NotFound, code, message, None)
}

/// 409.
fn conflict(code: &str, message: &str) -> Untold {
    fault(PlatformFaultKind::Conflict, code, message, None)
}

/// 422 with the pointer of what is wrong.
fn invalid(pointer: &str, code: &str, message: &str) -> Untold {
    fault(PlatformFaultKind::Invalid, code, message, Some(pointer.to_owned()))
}

fn fault(kind: PlatformFaultKind, code: &str, message: &str, pointer: Option<String>) -> Untold {
    let (code, message) = (code.to_owned(), message.to_owned());
    Untold::Fault(PlatformFault { kind, code, message, pointer, detail: None })
}
