//! Who was asked whether they want a customer's mail, and what they said. An answer of no is for good.

use std::time::Duration;

use model::clock::Moment;
use model::id::CustomerId;
use model::token::{Purpose, Secret, SecretHash};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use super::unsubscribes::{Way, recipient};
use crate::StoreError;
use crate::tables::Edges;

/// How long nobody is asked again who has not answered.
pub const QUIET: Duration = Duration::from_secs(7 * 24 * 3_600);
/// For how long a letter's address takes a first answer.
pub const OPEN: Duration = Duration::from_secs(30 * 24 * 3_600);

/// What is known of a recipient, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Never asked.
    Unknown,
    /// Asked, and has not answered; since the last letter.
    Invited(Moment),
    /// Wants the mail.
    Confirmed(Moment),
    /// Said no when asked.
    Declined(Moment),
    /// Wanted it, or never was asked, and wants no more.
    Left(Moment),
}

/// A letter that asks.
#[derive(Clone, Debug)]
pub struct Asking {
    /// Whom.
    pub address: String,
    /// The module that asks.
    pub module: String,
    /// The address that the letter comes from.
    pub sender: String,
    /// What for.
    pub words: String,
    /// When.
    pub at: Moment,
}

/// A letter that may go out.
#[derive(Debug)]
pub struct Asked {
    /// For its address.
    pub secret: Secret,
    /// When the same recipient was asked before.
    before: Option<Moment>,
}

/// What the page of a letter shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inquiry {
    /// What the recipient has said so far.
    pub standing: Standing,
    /// The address that the letter came from.
    pub sender: String,
    /// What for.
    pub words: String,
}

/// A recipient, with the address in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// Whom.
    pub address: String,
    /// What is known of them.
    pub standing: Standing,
}

/// Columns by which a standing is read, of the tables `r` and `u`.
const COLUMNS: &str = "r.state, r.asked_at, r.said_at, u.at AS left_at";
/// The same of one recipient to one module.
const KNOWN: &str = "SELECT r.state, r.asked_at, r.said_at, (SELECT u.at FROM unsubscribed u \
                     WHERE u.customer = $1 AND u.module = $2 AND u.recipient = $3) AS left_at \
                     FROM (SELECT 1 AS one) it LEFT JOIN recipient r ON r.customer = $1 AND r.recipient = $3";

fn standing(row: &AnyRow) -> Result<Standing, StoreError> {
    if let Some(at) = row.try_get::<Option<i64>, _>("left_at")? {
        return Ok(Standing::Left(Moment(at)));
    }
    let Some(state) = row.try_get::<Option<String>, _>("state")? else { return Ok(Standing::Unknown) };
    let said = row.try_get::<Option<i64>, _>("said_at")?;
    let asked = Moment(row.try_get("asked_at")?);
    let said = said.map_or(asked, Moment);
    match state.as_str() {
        "invited" => Ok(Standing::Invited(asked)),
        "confirmed" => Ok(Standing::Confirmed(said)),
        "declined" => Ok(Standing::Declined(said)),
        "left" => Ok(Standing::Left(said)),
        _ => Err(StoreError::Inconsistent("the state of a recipient")),
    }
}

impl Edges {
    /// What is known of a recipient to a module of the customer: what they said when asked, by whichever module, and
    /// whether they unsubscribed from this module's mail.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn standing(&self, customer: &CustomerId, module: &str, address: &str) -> Result<Standing, StoreError> {
        let query = sqlx::query::<Any>(KNOWN).bind(customer.as_str()).bind(module);
        let row = self.database.reader().fetch_optional(query.bind(recipient(customer, address))).await?;
        row.map_or(Ok(Standing::Unknown), |row| standing(&row))
    }

    /// The customer's recipients whom a module sees, by address, after one; at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn recipients(
        &self,
        customer: &CustomerId,
        module: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Recipient>, StoreError> {
        let sql = format!(
            "SELECT r.address, {COLUMNS} FROM recipient r LEFT JOIN unsubscribed u \
             ON u.customer = r.customer AND u.module = $2 AND u.recipient = r.recipient \
             WHERE r.customer = $1 AND r.address > $3 ORDER BY r.address LIMIT $4"
        );
        let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(customer.as_str()).bind(module);
        let rows = self.database.reader().fetch_all(query.bind(after).bind(i64::from(limit))).await?;
        let read = |row: &AnyRow| Ok(Recipient { address: row.try_get("address")?, standing: standing(row)? });
        rows.iter().map(read).collect()
    }

    /// Notes a letter before it is handed over, so that of two at once one goes out. The standing, if none may.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn ask_recipient(
        &self,
        customer: &CustomerId,
        asking: Asking,
    ) -> Result<Result<Asked, Standing>, StoreError> {
        let secret = Secret::new(Purpose::Confirm, self.database.entropy());
        let (hash, id) = (secret.hash(), recipient(customer, &asking.address));
        let customer = customer.clone();
        let noted = self.database.write(move |tx| {
            Box::pin(async move {
                let dialect = tx.dialect;
                let connection = tx.connection();
                // Two hosts that ask the same recipient go one after the other.
                dialect.lock(connection, std::slice::from_ref(&customer)).await?;
                let before = match known(connection, &customer, &asking.module, &id).await? {
                    Standing::Unknown => None,
                    Standing::Invited(at) if at.plus(QUIET).0 <= asking.at.0 => Some(at),
                    other => return Ok(Err(other)),
                };
                let sql = "INSERT INTO recipient (customer, recipient, address, state, asked_at) \
                           VALUES ($1, $2, $3, 'invited', $4) \
                           ON CONFLICT (customer, recipient) DO UPDATE SET asked_at = excluded.asked_at";
                let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id.as_str());
                let insert = insert.bind(asking.address.trim().to_lowercase()).bind(asking.at.0);
                insert.execute(&mut *connection).await?;
                let sql = "INSERT INTO recipient_token (customer, token, recipient, module, sender, words, created_at) \
                           VALUES ($1, $2, $3, $4, $5, $6, $7)";
                let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(hash.as_str()).bind(id.as_str());
                let insert = insert.bind(asking.module).bind(asking.sender).bind(asking.words).bind(asking.at.0);
                insert.execute(&mut *connection).await?;
                Ok::<_, StoreError>(Ok(before))
            })
        });
        Ok(noted.await?.map(|before| Asked { secret, before }))
    }

    /// Takes back what was noted of a letter that certainly never left.
    ///
    /// # Errors
    /// When the store cannot be reached; the recipient then counts as asked.
    pub async fn unask_recipient(&self, customer: &CustomerId, address: &str, asked: &Asked) -> Result<(), StoreError> {
        let (customer, id) = (customer.clone(), recipient(customer, address));
        let (hash, before) = (asked.secret.hash(), asked.before);
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let connection = tx.connection();
                    let sql = "DELETE FROM recipient_token WHERE customer = $1 AND token = $2";
                    let delete = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(hash.as_str());
                    delete.execute(&mut *connection).await?;
                    let rest = "WHERE customer = $1 AND recipient = $2 AND state = 'invited'";
                    let sql = match before {
                        Some(_) => format!("UPDATE recipient SET asked_at = $3 {rest}"),
                        None => format!("DELETE FROM recipient {rest}"),
                    };
                    let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(customer.as_str()).bind(id);
                    let query = if let Some(before) = before { query.bind(before.0) } else { query };
                    query.execute(connection).await?;
                    Ok(())
                })
            })
            .await
    }

    /// What a letter's address shows; none: nothing is there, or its time was over before an answer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn inquiry(&self, token: &SecretHash, now: Moment) -> Result<Option<Inquiry>, StoreError> {
        let sql = inquiring();
        let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(token.as_str());
        let row = self.database.reader().fetch_optional(query).await?;
        Ok(row.as_ref().map(|row| inquiry(row, now)).transpose()?.flatten())
    }

    /// Answers a letter; what its address shows from then on. Yes counts where nothing was said before; no declines, or
    /// leaves what was confirmed, which unsubscribes from the mail of the module that asked, too. Neither is taken back.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn answer_inquiry(
        &self,
        token: SecretHash,
        yes: bool,
        now: Moment,
    ) -> Result<Option<Inquiry>, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let dialect = tx.dialect;
                    let connection = tx.connection();
                    let find = || sqlx::query::<Any>(sqlx::AssertSqlSafe(inquiring())).bind(token.as_str().to_owned());
                    let Some(row) = find().fetch_optional(&mut *connection).await? else { return Ok(None) };
                    let customer = CustomerId::from(row.try_get::<String, _>("customer")?);
                    dialect.lock(connection, std::slice::from_ref(&customer)).await?;
                    let Some(row) = find().fetch_optional(&mut *connection).await? else { return Ok(None) };
                    let Some(inquiry) = inquiry(&row, now)? else { return Ok(None) };
                    let (state, standing) = match (inquiry.standing, yes) {
                        (Standing::Invited(_), true) => ("confirmed", Standing::Confirmed(now)),
                        (Standing::Invited(_), false) => ("declined", Standing::Declined(now)),
                        (Standing::Confirmed(_), false) => ("left", Standing::Left(now)),
                        _ => return Ok(Some(inquiry)),
                    };
                    let id: String = row.try_get("recipient")?;
                    let sql = "UPDATE recipient SET state = $3, said_at = $4 WHERE customer = $1 AND recipient = $2";
                    let update = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(id.as_str());
                    update.bind(state).bind(now.0).execute(&mut *connection).await?;
                    if let Standing::Left(at) = standing {
                        let sql = "INSERT INTO unsubscribed (customer, module, recipient, at, way) \
                                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (customer, module, recipient) DO NOTHING";
                        let insert = sqlx::query::<Any>(sql).bind(customer.as_str());
                        let insert = insert.bind(row.try_get::<String, _>("module")?).bind(id.as_str());
                        insert.bind(at.0).bind(Way::Page.word()).execute(connection).await?;
                    }
                    Ok::<_, StoreError>(Some(Inquiry { standing, ..inquiry }))
                })
            })
            .await
    }

    /// Forgets the addresses of letters that nobody answered in time.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub(crate) async fn sweep_recipients(&self, now: Moment) -> Result<(), StoreError> {
        let sql = "DELETE FROM recipient_token WHERE created_at <= $1 AND EXISTS (SELECT 1 FROM recipient r \
                   WHERE r.customer = recipient_token.customer AND r.recipient = recipient_token.recipient \
                   AND r.state = 'invited')";
        let over = now.0 - i64::try_from(OPEN.as_millis()).unwrap_or(i64::MAX);
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    sqlx::query::<Any>(sql).bind(over).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Finds what the address of a letter shows, by its token.
fn inquiring() -> String {
    format!(
        "SELECT t.customer, t.recipient, t.module, t.sender, t.words, t.created_at, {COLUMNS} FROM recipient_token t \
         JOIN recipient r ON r.customer = t.customer AND r.recipient = t.recipient \
         LEFT JOIN unsubscribed u ON u.customer = t.customer AND u.module = t.module AND u.recipient = t.recipient \
         WHERE t.token = $1"
    )
}

fn inquiry(row: &AnyRow, now: Moment) -> Result<Option<Inquiry>, StoreError> {
    let standing = standing(row)?;
    let closes = Moment(row.try_get("created_at")?).plus(OPEN);
    if matches!(standing, Standing::Invited(_)) && closes.0 <= now.0 {
        return Ok(None);
    }
    Ok(Some(Inquiry { standing, sender: row.try_get("sender")?, words: row.try_get("words")? }))
}

async fn known(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    module: &str,
    id: &str,
) -> Result<Standing, StoreError> {
    let query = sqlx::query::<Any>(KNOWN).bind(customer.as_str()).bind(module).bind(id);
    query.fetch_optional(connection).await?.map_or(Ok(Standing::Unknown), |row| standing(&row))
}

#[cfg(test)]
mod tests;
