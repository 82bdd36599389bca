//! What an operator does with customers.

use model::clock::Moment;
use model::id::{CustomerId, OrderId};
use store::StoreError;
use store::identity::approvals::Approval;
use store::identity::customers::{Customer, CustomerFilter, CustomerState, EmailTaken};
use store::identity::lockout::EndedAccess;
use store::money::orders::{Order, Payment};

use crate::oauth::Authority;
use crate::oauth::by_hand::milli;
use crate::oauth::password::Password;
use crate::oauth::session::normal_email;
use crate::platform::{plan_of, pro_forma};

/// Credits of one order, at most.
pub const LARGEST_ORDER: u64 = 1_000_000;

/// Why an operator's command did nothing.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// Not an e-mail address.
    #[error("{0} is not an e-mail address")]
    Email(String),
    /// Somebody else has it.
    #[error("there is a customer with the e-mail {0}")]
    EmailTaken(String),
    /// No such customer, or an erased one.
    #[error("there is no customer {0}")]
    NoCustomer(CustomerId),
    /// No such order, or its customer is gone.
    #[error("there is no order {0}; `espalier order list` shows them")]
    NoOrder(OrderId),
    /// Nothing, or more than an order may have.
    #[error("an order is of 1 to 1000000 credits")]
    Order,
    /// The credits do not suffice.
    #[error("activation costs {} credits and the account has {}; add {} credits", milli(*.needed_milli), milli(*.available_milli), milli(needed_milli - available_milli))]
    Short {
        /// Thousandths of a credit it costs.
        needed_milli: u64,
        /// Thousandths of a credit that the customer has.
        available_milli: u64,
    },
    /// The store cannot be reached.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Authority {
    /// Adds a customer with so many credits; without a password they cannot sign in, but tokens can be issued.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn add_customer(
        &self,
        email: &str,
        password: Option<Password>,
        credits: u64,
    ) -> Result<Customer, NotDone> {
        let email = normal_email(email);
        let is_address = email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
        if !is_address || email.len() > 254 || email.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(NotDone::Email(email));
        }
        let hash = match password {
            Some(password) => Some(self.passwords().hash(password, self.entropy()).await),
            None => None,
        };
        let now = self.clock().now();
        let id = CustomerId::new(self.entropy());
        let added = self.store().identity.add_customer(id.clone(), email.clone(), hash, now).await?;
        let customer = added.map_err(|EmailTaken| NotDone::EmailTaken(email))?;
        self.store().calls.audit(self.line("customer.added", &id, None, id.as_str(), now)).await?;
        if credits > 0 {
            self.credit(&id, credits.saturating_mul(1_000), &format!("opening:{id}")).await?;
        }
        Ok(customer)
    }

    /// All customers.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn customers(&self) -> Result<Vec<Customer>, StoreError> {
        self.store().identity.customers().await
    }

    /// Adds credits, in thousandths; the same reference counts once.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn credit(&self, customer: &CustomerId, credits_milli: u64, reference: &str) -> Result<(), NotDone> {
        self.known(customer).await?;
        self.store().money.credit(customer, credits_milli, reference).await?;
        Ok(())
    }

    /// Sets a password and ends the customer's portal sessions.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn set_password(&self, customer: &CustomerId, password: Password) -> Result<(), NotDone> {
        let hash = self.passwords().hash(password, self.entropy()).await;
        if !self.store().identity.set_password(customer.clone(), hash).await? {
            return Err(NotDone::NoCustomer(customer.clone()));
        }
        self.trail("customer.password_set", customer).await
    }

    /// Opens external access: lifts a suspension and, the first time, charges 100 credits.
    ///
    /// # Errors
    /// Says what is missing.
    pub async fn activate(&self, customer: &CustomerId) -> Result<Moment, NotDone> {
        let now = self.clock().now();
        match self.store().identity.activate_customer(customer.clone(), now).await? {
            Approval::Done => {}
            Approval::Short { needed_milli, available_milli } => {
                return Err(NotDone::Short { needed_milli, available_milli });
            }
            Approval::Closed => return Err(NotDone::NoCustomer(customer.clone())),
        }
        self.trail("customer.activated", customer).await?;
        Ok(self.known(customer).await?.activated_at.unwrap_or(now))
    }

    /// Closes the account: sign-in is refused and every token gets 403 until it is activated again.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn deactivate(&self, customer: &CustomerId) -> Result<(), NotDone> {
        self.known(customer).await?;
        self.store().identity.suspend(customer.clone(), self.clock().now()).await?;
        self.trail("customer.deactivated", customer).await
    }

    /// Ends all apps, tokens, portal sessions and public addresses of a customer, who may sign in again.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn lock_out(&self, customer: &CustomerId) -> Result<EndedAccess, NotDone> {
        self.known(customer).await?;
        let ended = self.store().identity.end_access(customer.clone(), self.clock().now()).await?;
        self.trail("customer.locked_out", customer).await?;
        Ok(ended)
    }

    /// Forgets the person and all they made, and ends all access. What the ledger and the trail say stays, without a
    /// person to it.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn erase(&self, customer: &CustomerId) -> Result<(), NotDone> {
        if !self.store().identity.erase(customer.clone(), self.clock().now()).await? {
            return Err(NotDone::NoCustomer(customer.clone()));
        }
        self.trail("customer.erased", customer).await
    }

    /// Some customers, in the order they came: those that fit, after this one.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn customers_like(
        &self,
        filter: &CustomerFilter,
        after: Option<&CustomerId>,
        limit: u32,
    ) -> Result<Vec<Customer>, StoreError> {
        self.store().identity.customers_like(filter, after, limit).await
    }

    /// Places an order of credits, to be paid outside with its reference.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn place_order(&self, customer: &CustomerId, credits: u64) -> Result<Order, NotDone> {
        if !(1..=LARGEST_ORDER).contains(&credits) {
            return Err(NotDone::Order);
        }
        self.known(customer).await?;
        let reference = OrderId::new(self.entropy());
        let placed_at = self.clock().now();
        let billing = &self.config().billing;
        let (present, _) = self.store().money.subscription(customer, placed_at).await?;
        let invoice = pro_forma(billing, plan_of(billing, present.as_ref()), &reference, credits, placed_at);
        let order = Order { reference, customer: customer.clone(), credits, placed_at, paid_at: None };
        self.store().money.place_order(order.clone(), invoice).await?;
        Ok(order)
    }

    /// Credits an order that was paid: once, however often it is told.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn order_paid(&self, reference: &OrderId) -> Result<Payment, NotDone> {
        match self.store().money.pay_order(reference.clone(), self.clock().now()).await? {
            Payment::Unknown => Err(NotDone::NoOrder(reference.clone())),
            paid => Ok(paid),
        }
    }

    async fn known(&self, customer: &CustomerId) -> Result<Customer, NotDone> {
        let found = self.store().identity.customer(customer).await?;
        let living = found.filter(|found| !matches!(found.state, CustomerState::Erased { .. }));
        living.ok_or_else(|| NotDone::NoCustomer(customer.clone()))
    }

    async fn trail(&self, event: &str, customer: &CustomerId) -> Result<(), NotDone> {
        let line = self.line(event, customer, None, customer.as_str(), self.clock().now());
        Ok(self.store().calls.audit(line).await?)
    }
}
