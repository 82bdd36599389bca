//! Answers under idempotency keys: kept with the call that made them, found again by its twins.

use std::collections::HashMap;
use std::time::Duration;

use model::clock::Moment;
use model::id::CustomerId;
use model::usage::Usage;
use sqlx::AnyConnection;
use sqlx::Row as _;
use sqlx::any::AnyRow;

use crate::StoreError;
use crate::calls::settlement::{Earlier, KeyedAnswer, Settlement, Stored};
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::Listed;
use crate::tables::Calls;

/// How long a key is remembered.
pub const ANSWER_LIFE: Duration = Duration::from_secs(72 * 3_600);

const FOUND: Listed = Listed {
    before: "SELECT customer, key, fingerprint, request, refused, body, usage, api_version, at, expires_at, untrusted \
             FROM answer WHERE (customer, key) IN (",
    columns: &[Text, Text],
    after: ")",
};
const KEPT: Listed = Listed {
    before: "INSERT INTO answer (customer, key, fingerprint, request, refused, body, usage, api_version, at, expires_at, untrusted) \
             ",
    columns: &[Text, Text, Text, Text, Whole, Text, Text, Text, Whole, Whole, Text],
    after: " ON CONFLICT (customer, key) DO UPDATE SET fingerprint = excluded.fingerprint, request = excluded.request, \
            refused = excluded.refused, body = excluded.body, usage = excluded.usage, \
            api_version = excluded.api_version, at = excluded.at, expires_at = excluded.expires_at, untrusted = excluded.untrusted",
};

/// An answer and the moment at which it is forgotten.
pub(crate) type Remembered = (Earlier, Moment);

impl Calls {
    /// The answer of an earlier call of this customer under this key, as long as it is remembered.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn earlier(&self, customer: &CustomerId, key: &str) -> Result<Option<Earlier>, StoreError> {
        let asked = (customer.clone(), key.to_owned());
        let found = self
            .database
            .ask_together(
                asked,
                |inner| &inner.earlier,
                |database, keys| Box::pin(Self::of(&database).earlier_of(keys)),
            )
            .await?;
        let now = self.database.clock().now();
        Ok(found.filter(|(_, expires_at)| *expires_at > now).map(|(earlier, _)| earlier))
    }

    async fn earlier_of(
        self,
        keys: Vec<(CustomerId, String)>,
    ) -> Result<HashMap<(CustomerId, String), Remembered>, StoreError> {
        let mut found = HashMap::with_capacity(keys.len());
        for question in FOUND.questions(self.database.0.dialect, &keys, |key| key)? {
            for row in self.database.reader().fetch_all(question).await? {
                found.insert(key_of(&row)?, read(&row)?);
            }
        }
        Ok(found)
    }
}

/// Reads what is stored under these keys, expired or not.
pub(crate) async fn load(
    connection: &mut AnyConnection,
    keys: &[(CustomerId, String)],
) -> Result<HashMap<(CustomerId, String), Remembered>, StoreError> {
    let mut found = HashMap::with_capacity(keys.len());
    for row in FOUND.fetch(connection, keys, |key| key).await? {
        found.insert(key_of(&row)?, read(&row)?);
    }
    Ok(found)
}

fn key_of(row: &AnyRow) -> Result<(CustomerId, String), StoreError> {
    Ok((CustomerId::from(row.try_get::<String, _>("customer")?), row.try_get("key")?))
}

/// The answer of a call, to be kept.
pub(crate) fn keep(settlement: &Settlement, answer: &KeyedAnswer, usage: &Usage) -> ((CustomerId, String), Remembered) {
    let earlier = Earlier {
        fingerprint: answer.fingerprint.clone(),
        request: settlement.request.clone(),
        outcome: answer.outcome.clone(),
        usage: usage.clone(),
        api_version: settlement.api_version.clone(),
        at: settlement.now,
    };
    ((settlement.customer.clone(), answer.key.clone()), (earlier, settlement.now.plus(ANSWER_LIFE)))
}

/// Writes the answers of these keys.
pub(crate) async fn flush(
    connection: &mut AnyConnection,
    keys: &[(CustomerId, String)],
    answers: &HashMap<(CustomerId, String), Remembered>,
) -> Result<(), StoreError> {
    let kept = keys.iter().filter_map(|key| Some((key, answers.get(key)?)));
    let kept = kept.map(|(key, (earlier, expires_at))| {
        let (refused, body, untrusted) = match &earlier.outcome {
            Stored::Done { data, untrusted } => (0_i64, data.to_string(), untrusted.as_deref().unwrap_or_default()),
            Stored::Refused(refusal) => (1, serde_json::to_string(refusal).map_err(|_| UNWRITABLE)?, ""),
        };
        let usage = serde_json::to_string(&earlier.usage).map_err(|_| UNWRITABLE)?;
        Ok((key, earlier, refused, body, usage, expires_at, untrusted))
    });
    let kept = kept.collect::<Result<Vec<_>, StoreError>>()?;
    KEPT.execute(connection, &kept, |((customer, key), earlier, refused, body, usage, expires_at, untrusted)| {
        let Earlier { fingerprint, request, api_version, at, .. } = earlier;
        (customer, key, fingerprint, request, refused, body, usage, api_version, at, expires_at, untrusted)
    })
    .await?;
    Ok(())
}

const UNWRITABLE: StoreError = StoreError::Inconsistent("an answer that cannot be written");
const UNREADABLE: StoreError = StoreError::Inconsistent("an answer that cannot be read");

fn read(row: &AnyRow) -> Result<Remembered, StoreError> {
    let body: String = row.try_get("body")?;
    let outcome = match row.try_get::<i64, _>("refused")? {
        0 => {
            let untrusted = Some(row.try_get::<String, _>("untrusted")?).filter(|it| !it.is_empty());
            Stored::Done { data: body.into(), untrusted: untrusted.map(Into::into) }
        }
        _ => Stored::Refused(serde_json::from_str(&body).map_err(|_| UNREADABLE)?),
    };
    let earlier = Earlier {
        fingerprint: row.try_get("fingerprint")?,
        request: row.try_get::<String, _>("request")?.into(),
        outcome,
        usage: serde_json::from_str(&row.try_get::<String, _>("usage")?).map_err(|_| UNREADABLE)?,
        api_version: row.try_get::<String, _>("api_version")?.into(),
        at: Moment(row.try_get("at")?),
    };
    Ok((earlier, Moment(row.try_get("expires_at")?)))
}
