//! Blobs that anybody with the address may see, until they are taken back or their time is over. Some ask for a passcode.
//!
//! The token of such a share is a hash of the hash of its secret: a host that knows nothing of passcodes finds none.

use model::clock::Moment;
use model::id::{CustomerId, GrantId, ShareId};
use model::token::{Secret, SecretHash};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::records::inflate;
use crate::tables::Edges;

/// A share that a run makes.
#[derive(Clone, Debug)]
pub(crate) struct NewShare {
    pub(crate) id: ShareId,
    pub(crate) token: SecretHash,
    pub(crate) blob_key: String,
    pub(crate) media_type: String,
    pub(crate) file_name: Option<String>,
    pub(crate) created_at: Moment,
    pub(crate) expires_at: Moment,
    /// The grant whose end ends the share; none: it is not bound to one.
    pub(crate) grant: Option<GrantId>,
    /// The PHC string of the passcode; none: it asks for none.
    pub(crate) passcode: Option<String>,
}

/// A share as its module sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareView {
    /// Its name.
    pub reference: ShareId,
    /// Which blob.
    pub blob_key: String,
    /// When it was made.
    pub created: Moment,
    /// Until when it can be seen.
    pub expires: Moment,
    /// When it was taken back.
    pub ended: Option<Moment>,
    /// How often it was seen.
    pub views: u64,
}

/// What a visitor meets at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The blob.
    Shown(Shown),
    /// A question for the passcode.
    Guarded(Guard),
}

/// What stands before a share.
#[derive(Clone, PartialEq, Eq)]
pub struct Guard {
    /// Which share.
    pub share: ShareId,
    /// The PHC string of its passcode.
    pub passcode: String,
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Guard({})", self.share)
    }
}

/// A shared blob as a visitor gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whose.
    pub customer: CustomerId,
    /// Which share.
    pub share: ShareId,
    /// One of those that may be shared.
    pub media_type: String,
    /// What a browser calls the file.
    pub file_name: Option<String>,
    /// The blob as it is now.
    pub bytes: Vec<u8>,
}

impl NewShare {
    pub(crate) async fn insert(
        &self,
        connection: &mut AnyConnection,
        customer: &CustomerId,
        module: &str,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO share (customer, share, module, token, blob_key, media_type, file_name, created_at, \
                   expires_at, views, grant_id, passcode) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11)";
        let token = if self.passcode.is_some() { guarded(&self.token) } else { self.token.clone() };
        let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(self.id.as_str()).bind(module);
        let insert = insert.bind(token.as_str()).bind(self.blob_key.as_str()).bind(self.media_type.as_str());
        let insert = insert.bind(self.file_name.as_deref()).bind(self.created_at.0).bind(self.expires_at.0);
        let insert = insert.bind(self.grant.as_ref().map(GrantId::as_str)).bind(self.passcode.as_deref());
        insert.execute(connection).await?;
        Ok(())
    }

    pub(crate) fn view(&self) -> ShareView {
        ShareView {
            reference: self.id.clone(),
            blob_key: self.blob_key.clone(),
            created: self.created_at,
            expires: self.expires_at,
            ended: None,
            views: 0,
        }
    }
}

/// The token of a share with a passcode.
fn guarded(token: &SecretHash) -> SecretHash {
    Secret::received(format!("guarded {}", token.as_str())).hash()
}

/// Takes a share back; one that was taken back before stays as it is.
pub(crate) async fn end(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    module: &str,
    share: &str,
    at: Moment,
) -> Result<(), StoreError> {
    let sql = "UPDATE share SET ended_at = $4 WHERE customer = $1 AND share = $2 AND module = $3 AND ended_at IS NULL";
    let update = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(share).bind(module).bind(at.0);
    update.execute(connection).await?;
    Ok(())
}

pub(crate) fn view(row: &AnyRow) -> Result<ShareView, StoreError> {
    Ok(ShareView {
        reference: ShareId::from(row.try_get::<String, _>("share")?),
        blob_key: row.try_get("blob_key")?,
        created: Moment(row.try_get("created_at")?),
        expires: Moment(row.try_get("expires_at")?),
        ended: row.try_get::<Option<i64>, _>("ended_at")?.map(Moment),
        views: row.try_get::<i64, _>("views")?.unsigned_abs(),
    })
}

/// A share of any module, as its customer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldShare {
    /// Its name.
    pub reference: ShareId,
    /// The module that published it.
    pub module: String,
    /// `text/html` or a kind of file.
    pub media_type: String,
    /// What a browser calls the file.
    pub file_name: Option<String>,
    /// When it was made.
    pub created: Moment,
    /// Until when it can be seen.
    pub expires: Moment,
    /// How often it was seen.
    pub views: u64,
    /// The name of the app or token whose end ends it, if there is one.
    pub ends_with: Option<String>,
    /// Whether it asks for a passcode.
    pub is_guarded: bool,
}

impl Edges {
    /// The shares of a customer that can be seen at this moment, newest first, at most `limit` older than `before`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn open_shares(
        &self,
        customer: &CustomerId,
        now: Moment,
        before: Option<&(Moment, ShareId)>,
        limit: u32,
    ) -> Result<Vec<HeldShare>, StoreError> {
        let sql = "SELECT s.share, s.module, s.media_type, s.file_name, s.created_at, s.expires_at, s.views, g.name, \
                   CAST(CASE WHEN s.passcode IS NULL THEN 0 ELSE 1 END AS BIGINT) AS guarded \
                   FROM share s LEFT JOIN access_grant g ON g.grant_id = s.grant_id \
                   WHERE s.customer = $1 AND s.ended_at IS NULL AND s.expires_at > $2 \
                   AND (s.grant_id IS NULL OR g.ended_at IS NULL) \
                   AND (s.created_at, s.share) < ($3, $4) \
                   ORDER BY s.created_at DESC, s.share DESC LIMIT $5";
        let (at, share) = before.map_or((i64::MAX, ""), |(at, share)| (at.0, share.as_str()));
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(now.0).bind(at).bind(share);
        let rows = self.database.reader().fetch_all(query.bind(i64::from(limit))).await?;
        let read = |row: &AnyRow| {
            Ok(HeldShare {
                reference: ShareId::from(row.try_get::<String, _>("share")?),
                module: row.try_get("module")?,
                media_type: row.try_get("media_type")?,
                file_name: row.try_get("file_name")?,
                created: Moment(row.try_get("created_at")?),
                expires: Moment(row.try_get("expires_at")?),
                views: row.try_get::<i64, _>("views")?.unsigned_abs(),
                ends_with: row.try_get("name")?,
                is_guarded: row.try_get::<i64, _>("guarded")? == 1,
            })
        };
        rows.iter().map(read).collect()
    }

    /// Ends a share of this customer, of whatever module. False: there is none of this name that can still be seen.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn end_share(&self, customer: CustomerId, share: ShareId, now: Moment) -> Result<bool, StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE share SET ended_at = $3 WHERE customer = $1 AND share = $2 AND ended_at IS NULL \
                           AND expires_at > $3";
                    let update = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(share.as_str()).bind(now.0);
                    Ok(update.execute(tx.connection()).await?.rows_affected() == 1)
                })
            })
            .await
    }

    /// What a token leads to at this moment; none: nothing, for whatever reason. The blob of a share that asks for a
    /// passcode is not read.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn show(&self, token: &SecretHash, now: Moment) -> Result<Option<Found>, StoreError> {
        let Some(row) = self.at(token, now, None).await? else { return Ok(None) };
        if let Some(passcode) = row.try_get("passcode")? {
            let share = ShareId::from(row.try_get::<String, _>("share")?);
            return Ok(Some(Found::Guarded(Guard { share, passcode })));
        }
        Ok(shown(&row)?.map(Found::Shown))
    }

    /// What a token shows at this moment to who knew the passcode of this guard; none: nothing, for whatever reason.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn show_past(&self, guard: &Guard, token: &SecretHash, now: Moment) -> Result<Option<Shown>, StoreError> {
        let row = self.at(token, now, Some(guard.passcode.as_str())).await?;
        row.map_or(Ok(None), |row| shown(&row))
    }

    /// The share of a token, with its blob where it asks for no passcode or for the one that is known.
    async fn at(&self, token: &SecretHash, now: Moment, known: Option<&str>) -> Result<Option<AnyRow>, StoreError> {
        let sql = "SELECT s.customer, s.share, s.media_type, s.file_name, s.passcode, \
                   CASE WHEN s.passcode IS NULL OR s.passcode = $4 THEN c.deflated END AS deflated FROM share s \
                   JOIN blob b ON b.customer = s.customer AND b.module = s.module AND b.key = s.blob_key \
                   JOIN blob_content c ON c.customer = b.customer AND c.content = b.content \
                   WHERE ((s.token = $1 AND s.passcode IS NULL) OR (s.token = $2 AND s.passcode IS NOT NULL)) \
                   AND s.ended_at IS NULL AND s.expires_at > $3 AND (s.grant_id IS NULL OR EXISTS \
                   (SELECT 1 FROM access_grant g WHERE g.grant_id = s.grant_id AND g.ended_at IS NULL))";
        let guarded = guarded(token);
        let query = sqlx::query::<Any>(sql).bind(token.as_str()).bind(guarded.as_str()).bind(now.0);
        self.database.reader().fetch_optional(query.bind(known.unwrap_or_default())).await
    }

    /// Counts that shares were seen.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn add_views(&self, views: Vec<(CustomerId, ShareId, u64)>) -> Result<(), StoreError> {
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    for (customer, share, seen) in views {
                        let sql = "UPDATE share SET views = views + $3 WHERE customer = $1 AND share = $2";
                        let update = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(share.as_str());
                        update.bind(crate::edges::uploads::whole(seen)).execute(tx.connection()).await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// None: the row has no blob, because it asks for a passcode that was not known.
fn shown(row: &AnyRow) -> Result<Option<Shown>, StoreError> {
    let Some(deflated) = row.try_get::<Option<Vec<u8>>, _>("deflated")? else { return Ok(None) };
    Ok(Some(Shown {
        customer: CustomerId::from(row.try_get::<String, _>("customer")?),
        share: ShareId::from(row.try_get::<String, _>("share")?),
        media_type: row.try_get("media_type")?,
        file_name: row.try_get("file_name")?,
        bytes: inflate(&deflated)?,
    }))
}

#[cfg(test)]
mod tests;
