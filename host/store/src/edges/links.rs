//! Tracked redirects: where each leads and whether it still does.

use model::clock::{Entropy, Moment};
use model::id::CustomerId;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::tables::Edges;

/// Letters of a made code: 59 bits, so that trying codes finds none.
const LETTERS: usize = 10;

/// A link that a run makes.
#[derive(Clone, Debug)]
pub(crate) struct NewLink {
    pub(crate) code: String,
    pub(crate) target: String,
    pub(crate) context: String,
    pub(crate) keeps_query: bool,
    pub(crate) created_at: Moment,
    pub(crate) expires_at: Option<Moment>,
}

/// Whether a link leads to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// It does.
    Active,
    /// Not for now.
    Paused,
    /// Never again.
    Expired,
}

/// A link as its module sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkView {
    /// What stands in its address.
    pub code: String,
    /// Where it leads.
    pub target: String,
    /// The module's own reference.
    pub context: String,
    /// Whether it leads there at this moment.
    pub state: LinkState,
    /// When it was made.
    pub created: Moment,
    /// Until when it leads there; none: for good.
    pub expires: Option<Moment>,
}

/// A link as a visitor meets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Whose it is.
    pub customer: CustomerId,
    /// Where it leads.
    pub target: String,
    /// Whether the visitor's query goes on to the target.
    pub keeps_query: bool,
}

impl NewLink {
    pub(crate) async fn insert(
        &self,
        connection: &mut AnyConnection,
        customer: &CustomerId,
        module: &str,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO link (customer, code, module, target, context, keeps_query, state, created_at, expires_at) \
                   VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $8)";
        let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(self.code.as_str()).bind(module);
        let insert = insert.bind(self.target.as_str()).bind(self.context.as_str()).bind(i64::from(self.keeps_query));
        let insert = insert.bind(self.created_at.0).bind(self.expires_at.map(|moment| moment.0));
        insert.execute(connection).await?;
        Ok(())
    }

    pub(crate) fn view(&self, now: Moment) -> LinkView {
        LinkView {
            code: self.code.clone(),
            target: self.target.clone(),
            context: self.context.clone(),
            state: LinkState::Active.at(self.expires_at, now),
            created: self.created_at,
            expires: self.expires_at,
        }
    }
}

impl LinkState {
    fn word(self) -> &'static str {
        match self {
            LinkState::Active => "active",
            LinkState::Paused => "paused",
            LinkState::Expired => "expired",
        }
    }

    fn named(word: &str) -> Self {
        match word {
            "active" => LinkState::Active,
            "paused" => LinkState::Paused,
            _ => LinkState::Expired,
        }
    }

    /// The state that shows: what was set, until its time is over.
    pub(crate) fn at(self, expires: Option<Moment>, now: Moment) -> Self {
        if expires.is_some_and(|expires| expires <= now) { LinkState::Expired } else { self }
    }

    /// Sets it; one that is expired stays so.
    pub(crate) async fn set(
        self,
        connection: &mut AnyConnection,
        customer: &CustomerId,
        module: &str,
        code: &str,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE link SET state = $4 WHERE customer = $1 AND code = $2 AND module = $3 AND state <> 'expired'";
        let update = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(code).bind(module).bind(self.word());
        update.execute(connection).await?;
        Ok(())
    }
}

impl Edges {
    /// Where a code leads a visitor at this moment; none: nowhere, for whatever reason.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn follow(&self, code: &str, now: Moment) -> Result<Option<Followed>, StoreError> {
        let sql = "SELECT customer, target, keeps_query FROM link \
                   WHERE code = $1 AND state = 'active' AND (expires_at IS NULL OR expires_at > $2)";
        let row = self.database.reader().fetch_optional(sqlx::query::<Any>(sql).bind(code).bind(now.0)).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Followed {
            customer: CustomerId::from(row.try_get::<String, _>("customer")?),
            target: row.try_get("target")?,
            keeps_query: row.try_get::<i64, _>("keeps_query")? != 0,
        }))
    }

    /// Whether somebody has this code.
    pub(crate) async fn has_code(&self, code: &str) -> Result<bool, StoreError> {
        let query = sqlx::query::<Any>("SELECT 1 FROM link WHERE code = $1").bind(code);
        Ok(self.database.reader().fetch_optional(query).await?.is_some())
    }
}

pub(crate) fn view(row: &AnyRow, now: Moment) -> Result<LinkView, StoreError> {
    let expires = row.try_get::<Option<i64>, _>("expires_at")?.map(Moment);
    Ok(LinkView {
        code: row.try_get("code")?,
        target: row.try_get("target")?,
        context: row.try_get("context")?,
        state: LinkState::named(&row.try_get::<String, _>("state")?).at(expires, now),
        created: Moment(row.try_get("created_at")?),
        expires,
    })
}

/// A code of random letters and digits, each as likely as any other.
pub(crate) fn make_code(entropy: &dyn Entropy) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut code = String::with_capacity(LETTERS);
    while code.len() < LETTERS {
        let bytes = entropy.array::<16>();
        // Six bits have two values too many; those are drawn again.
        let letters = bytes.iter().filter_map(|byte| ALPHABET.get(usize::from(byte & 63)));
        code.extend(letters.take(LETTERS - code.len()).map(|letter| char::from(*letter)));
    }
    code
}

#[cfg(test)]
mod tests;
