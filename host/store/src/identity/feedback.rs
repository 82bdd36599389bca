//! What customers report of their goals: kept as it came, without credentials.

use model::clock::Moment;
use model::id::{CustomerId, FeedbackId, GrantId, IntentRef, RequestId};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Identity;

/// One report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// Its name.
    pub id: FeedbackId,
    /// Who reports.
    pub customer: CustomerId,
    /// Under which grant.
    pub grant: GrantId,
    /// The request that brought it.
    pub request: RequestId,
    /// What it is about.
    pub category: String,
    /// How the goal ended.
    pub completion_state: String,
    /// The stated goal, without credentials.
    pub intent: String,
    /// The search it began with.
    pub intent_ref: Option<IntentRef>,
    /// The operation it is about.
    pub operation: Option<String>,
    /// What happened, without credentials.
    pub message: Option<String>,
    /// When.
    pub at: Moment,
}

const COLUMNS: &str = "SELECT customer, feedback, grant_id, request, category, completion_state, goal, intent, \
                       operation, message, created_at FROM feedback";

impl Identity {
    /// The newest reports of everybody, for the people who run the service.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn feedback(&self, limit: u32) -> Result<Vec<Feedback>, StoreError> {
        let sql = format!("{COLUMNS} ORDER BY created_at DESC, feedback LIMIT $1");
        let rows = self
            .database
            .reader()
            .fetch_all(sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(i64::from(limit)))
            .await?;
        rows.iter().map(read).collect()
    }
}

fn read(row: &AnyRow) -> Result<Feedback, StoreError> {
    Ok(Feedback {
        id: row.try_get::<String, _>("feedback")?.into(),
        customer: row.try_get::<String, _>("customer")?.into(),
        grant: row.try_get::<String, _>("grant_id")?.into(),
        request: row.try_get::<String, _>("request")?.into(),
        category: row.try_get("category")?,
        completion_state: row.try_get("completion_state")?,
        intent: row.try_get("goal")?,
        intent_ref: row.try_get::<Option<String>, _>("intent")?.map(IntentRef::from),
        operation: row.try_get("operation")?,
        message: row.try_get("message")?,
        at: Moment(row.try_get("created_at")?),
    })
}
