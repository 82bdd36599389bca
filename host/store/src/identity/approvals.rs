//! Letting something in: the grant, what is handed out for it, and the one activation charge, all or nothing.

use model::audit::Audit;
use model::clock::Moment;
use model::id::{ClientId, CustomerId};
use sqlx::Any;

use crate::identity::grants::{self, NewCode, NewGrant};
use crate::identity::tokens::{self, NewToken};
use crate::money::ledger::{self, Activation, BuyError};
use crate::tables::Identity;
use crate::{StoreError, Tx, trail};

/// What an approval hands out.
#[derive(Clone, Debug)]
pub enum Handout {
    /// A code to this client.
    Code(ClientId, NewCode),
    /// A token that its holder made by hand.
    Token(NewToken),
}

/// Whether external access is open now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Yes, and what came with it stands.
    Done,
    /// The credits do not suffice; nothing was changed.
    Short {
        /// Thousandths of a credit it costs.
        needed_milli: u64,
        /// Thousandths of a credit there are.
        available_milli: u64,
    },
    /// There is no such customer, or the account is closed; nothing was changed.
    Closed,
}

impl Identity {
    /// Approves: activates the customer if this is the first time, adds the grant and what is handed out for it,
    /// and writes the line, in one transaction.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn approve(
        &self,
        grant: NewGrant,
        handout: Handout,
        line: Audit,
        now: Moment,
    ) -> Result<Approval, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    match open(tx, &grant.customer, now).await? {
                        Approval::Done => {}
                        refused @ (Approval::Short { .. } | Approval::Closed) => return Ok(refused),
                    }
                    grants::insert(tx.connection(), &grant, now).await?;
                    match &handout {
                        Handout::Code(client, code) => {
                            grants::insert_code(tx.connection(), &grant, client, code).await?
                        }
                        Handout::Token(token) => tokens::insert(tx.connection(), &grant.id, token, now).await?,
                    }
                    // The customer is locked by now: `pay` came first.
                    trail::append(tx.connection(), &line).await?;
                    Ok(Approval::Done)
                })
            })
            .await
    }

    /// Lifts a suspension and, the first time, charges the activation. An erased customer stays closed.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn activate_customer(&self, customer: CustomerId, now: Moment) -> Result<Approval, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT customer FROM customer WHERE customer = $1 AND erased_at IS NULL";
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str());
                    if query.fetch_optional(tx.connection()).await?.is_none() {
                        return Ok(Approval::Closed);
                    }
                    let approval = pay(tx, &customer, now).await?;
                    if approval == Approval::Done {
                        let lift = sqlx::query::<Any>("UPDATE customer SET suspended_at = NULL WHERE customer = $1");
                        lift.bind(customer.as_str()).execute(tx.connection()).await?;
                    }
                    Ok(approval)
                })
            })
            .await
    }
}

/// Makes sure that the account is open and external access is paid for.
async fn open(tx: &mut Tx, customer: &CustomerId, now: Moment) -> Result<Approval, StoreError> {
    let sql = "SELECT customer FROM customer WHERE customer = $1 AND suspended_at IS NULL AND erased_at IS NULL";
    let query = sqlx::query::<Any>(sql).bind(customer.as_str());
    match query.fetch_optional(tx.connection()).await? {
        Some(_) => pay(tx, customer, now).await,
        None => Ok(Approval::Closed),
    }
}

async fn pay(tx: &mut Tx, customer: &CustomerId, now: Moment) -> Result<Approval, StoreError> {
    match ledger::activate(tx, customer, now).await {
        Ok(Activation::Charged | Activation::Before) => Ok(Approval::Done),
        Err(BuyError::OutOfCredits { needed_milli, available_milli }) => {
            Ok(Approval::Short { needed_milli, available_milli })
        }
        Err(BuyError::UnknownCustomer) => Ok(Approval::Closed),
        Err(BuyError::Unavailable(error)) => Err(error),
    }
}
