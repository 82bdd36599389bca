//! Customers: who they are, and whether the door is open to them.

use model::clock::Moment;
use model::grant::Access;
use model::id::{CustomerId, GrantId};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Identity;

/// A customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    /// The name of the row; never shown to a guest.
    pub id: CustomerId,
    /// Trimmed, in lower case; empty once erased.
    pub email: String,
    /// Whether an operator has closed the account.
    pub state: CustomerState,
    /// Since when.
    pub created_at: Moment,
    /// When external access was paid for.
    pub activated_at: Option<Moment>,
}

/// Whether a customer may come in at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CustomerState {
    /// Yes.
    Active,
    /// Closed by an operator; can be opened again.
    Suspended {
        /// Since when.
        at: Moment,
    },
    /// The person is gone.
    Erased {
        /// Since when.
        at: Moment,
    },
}

/// How a customer stands, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// External access is open.
    Active,
    /// It was never paid for.
    Inactive,
    /// Closed by an operator.
    Suspended,
    /// The person is gone.
    Erased,
}

impl Standing {
    /// As written and as asked for.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Active => "active",
            Standing::Inactive => "inactive",
            Standing::Suspended => "suspended",
            Standing::Erased => "erased",
        }
    }

    /// The standing of this word.
    pub fn read(text: &str) -> Option<Self> {
        [Self::Active, Self::Inactive, Self::Suspended, Self::Erased].into_iter().find(|it| it.as_str() == text)
    }
}

/// Which customers are asked for.
#[derive(Clone, Debug, Default)]
pub struct CustomerFilter {
    /// What the e-mail contains; empty: anything.
    pub email: String,
    /// How they stand; none: anyhow.
    pub standing: Option<Standing>,
}

impl Customer {
    /// How the customer stands.
    pub fn standing(&self) -> Standing {
        match (self.state, self.activated_at) {
            (CustomerState::Active, Some(_)) => Standing::Active,
            (CustomerState::Active, None) => Standing::Inactive,
            (CustomerState::Suspended { .. }, _) => Standing::Suspended,
            (CustomerState::Erased { .. }, _) => Standing::Erased,
        }
    }

    /// Whether tokens of this customer do anything.
    pub fn access(&self) -> Access {
        match (self.state, self.activated_at) {
            (CustomerState::Active, Some(_)) => Access::Open,
            (CustomerState::Active, None) | (CustomerState::Suspended { .. } | CustomerState::Erased { .. }, _) => {
                Access::Closed
            }
        }
    }
}

/// What is kept of a customer for signing in.
#[derive(Clone)]
pub struct Credentials {
    /// Who.
    pub customer: Customer,
    /// A PHC string; none: no sign-in by password.
    pub password: Option<String>,
}

/// An e-mail that another customer has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailTaken;

/// Every column of a customer, before a `WHERE`.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT customer, email, password, created_at, activated_at, suspended_at, erased_at FROM customer ",
            $rest
        )
    };
}

impl Identity {
    /// Adds a customer. The e-mail is normalised and the password hashed by the caller.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn add_customer(
        &self,
        id: CustomerId,
        email: String,
        password: Option<String>,
        now: Moment,
    ) -> Result<Result<Customer, EmailTaken>, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO customer (customer, email, password, created_at) VALUES ($1, $2, $3, $4) \
                           ON CONFLICT (email) DO NOTHING";
                    let insert =
                        sqlx::query::<Any>(sql).bind(id.as_str()).bind(email.as_str()).bind(password.as_deref());
                    if insert.bind(now.0).execute(tx.connection()).await?.rows_affected() == 0 {
                        return Ok(Err(EmailTaken));
                    }
                    Ok(Ok(Customer { id, email, state: CustomerState::Active, created_at: now, activated_at: None }))
                })
            })
            .await
    }

    /// One customer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn customer(&self, id: &CustomerId) -> Result<Option<Customer>, StoreError> {
        let query = sqlx::query::<Any>(select!("WHERE customer = $1")).bind(id.as_str());
        self.database.reader().fetch_optional(query).await?.as_ref().map(read).transpose()
    }

    /// The customer with this normalised e-mail, and what a password is checked against.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn credentials(&self, email: &str) -> Result<Option<Credentials>, StoreError> {
        let query = sqlx::query::<Any>(select!("WHERE email = $1 AND erased_at IS NULL")).bind(email);
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(None) };
        Ok(Some(Credentials { customer: read(&row)?, password: row.try_get("password")? }))
    }

    /// All customers, in the order they came.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn customers(&self) -> Result<Vec<Customer>, StoreError> {
        let query = sqlx::query::<Any>(select!("ORDER BY created_at, customer"));
        self.database.reader().fetch_all(query).await?.iter().map(read).collect()
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
        let sql = select!(
            "WHERE ($1 = '' OR email LIKE '%' || $1 || '%' ESCAPE '!') \
             AND ($2 = '' OR $2 = CASE WHEN erased_at IS NOT NULL THEN 'erased' WHEN suspended_at IS NOT NULL \
             THEN 'suspended' WHEN activated_at IS NULL THEN 'inactive' ELSE 'active' END) \
             AND ($3 = '' OR (created_at, customer) > \
             (SELECT c.created_at, c.customer FROM customer c WHERE c.customer = $3)) \
             ORDER BY created_at, customer LIMIT $4"
        );
        let escape = |text: &str| text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
        let query = sqlx::query::<Any>(sql).bind(escape(&filter.email.trim().to_lowercase()));
        let query = query.bind(filter.standing.map_or("", Standing::as_str));
        let query = query.bind(after.map_or("", CustomerId::as_str)).bind(i64::from(limit));
        self.database.reader().fetch_all(query).await?.iter().map(read).collect()
    }

    /// Whose grant this is.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn owner_of(&self, grant: &GrantId) -> Result<Option<CustomerId>, StoreError> {
        let query = sqlx::query::<Any>("SELECT customer FROM access_grant WHERE grant_id = $1").bind(grant.as_str());
        let row = self.database.reader().fetch_optional(query).await?;
        Ok(row.map(|row| row.try_get::<String, _>(0)).transpose()?.map(CustomerId::from))
    }

    /// Sets a password and ends every session of the portal. False: no such customer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn set_password(&self, id: CustomerId, password: String) -> Result<bool, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE customer SET password = $2 WHERE customer = $1 AND erased_at IS NULL";
                    let update = sqlx::query::<Any>(sql).bind(id.as_str()).bind(password);
                    let found = update.execute(tx.connection()).await?.rows_affected() == 1;
                    let end = sqlx::query::<Any>("DELETE FROM session WHERE customer = $1").bind(id.as_str());
                    end.execute(tx.connection()).await?;
                    Ok(found)
                })
            })
            .await
    }

    /// Closes the account: sign-in and every token stop. False: no such customer, or closed before.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn suspend(&self, id: CustomerId, now: Moment) -> Result<bool, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE customer SET suspended_at = $2 \
                           WHERE customer = $1 AND suspended_at IS NULL AND erased_at IS NULL";
                    let update = sqlx::query::<Any>(sql).bind(id.as_str()).bind(now.0);
                    let found = update.execute(tx.connection()).await?.rows_affected() == 1;
                    let end = sqlx::query::<Any>("DELETE FROM session WHERE customer = $1").bind(id.as_str());
                    end.execute(tx.connection()).await?;
                    Ok(found)
                })
            })
            .await
    }
}

fn read(row: &AnyRow) -> Result<Customer, StoreError> {
    let suspended_at: Option<i64> = row.try_get("suspended_at")?;
    let erased_at: Option<i64> = row.try_get("erased_at")?;
    let state = match (suspended_at, erased_at) {
        (_, Some(at)) => CustomerState::Erased { at: Moment(at) },
        (Some(at), None) => CustomerState::Suspended { at: Moment(at) },
        (None, None) => CustomerState::Active,
    };
    let email: String = row.try_get("email")?;
    Ok(Customer {
        id: CustomerId::from(row.try_get::<String, _>("customer")?),
        email: if erased_at.is_some() { String::new() } else { email },
        state,
        created_at: Moment(row.try_get("created_at")?),
        activated_at: row.try_get::<Option<i64>, _>("activated_at")?.map(Moment),
    })
}
