//! Connections as they are to be, written with everything else that a call leaves.

use std::collections::{BTreeMap, HashMap};

use model::id::CustomerId;
use model::token::hex;
use sqlx::{AnyConnection, Row as _};

use super::{Connection, Sealed};
use crate::StoreError;
use crate::database::rows::Column::{Bytes, Text, Whole};
use crate::database::rows::Listed;

/// One connection as it is to be.
#[derive(Debug)]
pub(crate) struct ConnectionChange {
    pub(crate) id: String,
    /// The version that must be stored now; none: there must be none.
    pub(crate) expects: Option<u64>,
    /// None: nothing is to be stored.
    pub(crate) becomes: Option<Connection>,
    /// A secret that takes the place of the stored one.
    pub(crate) secret: Option<Sealed>,
}

/// A connection of a customer.
pub(crate) type ConnectionKey = (CustomerId, String);

const VERSIONS: Listed = Listed {
    before: "SELECT customer, connection, version FROM connection WHERE (customer, connection) IN (",
    columns: &[Text, Text],
    after: ")",
};
const KEPT: Listed = Listed {
    before: "INSERT INTO connection (customer, connection, version, kind, name, endpoint, state, pace, settings, \
             secret, created_at, changed_at, answered_at) ",
    columns: &[Text, Text, Whole, Text, Text, Text, Text, Whole, Text, Whole, Whole, Whole, Whole],
    after: " ON CONFLICT (customer, connection) DO UPDATE SET version = excluded.version, name = excluded.name, \
            endpoint = excluded.endpoint, state = excluded.state, pace = excluded.pace, settings = excluded.settings, \
            secret = excluded.secret, changed_at = excluded.changed_at, \
            answered_at = COALESCE(excluded.answered_at, connection.answered_at)",
};
const SECRETS: Listed = Listed {
    before: "INSERT INTO connection_secret (customer, connection, version, kek, wrapped, sealed) ",
    columns: &[Text, Text, Whole, Text, Bytes, Bytes],
    after: " ON CONFLICT (customer, connection) DO UPDATE SET version = excluded.version, kek = excluded.kek, \
            wrapped = excluded.wrapped, sealed = excluded.sealed",
};
const GONE: [Listed; 5] = [
    Listed { before: "DELETE FROM connection WHERE (customer, connection) IN (", columns: &[Text, Text], after: ")" },
    Listed {
        before: "DELETE FROM connection_secret WHERE (customer, connection) IN (",
        columns: &[Text, Text],
        after: ")",
    },
    Listed {
        before: "DELETE FROM connection_usage WHERE (customer, connection) IN (",
        columns: &[Text, Text],
        after: ")",
    },
    Listed {
        before: "DELETE FROM connection_spending WHERE (customer, connection) IN (",
        columns: &[Text, Text],
        after: ")",
    },
    Listed { before: "DELETE FROM refresh_turn WHERE (customer, connection) IN (", columns: &[Text, Text], after: ")" },
];

/// The stored versions of these connections.
pub(crate) async fn versions(
    connection: &mut AnyConnection,
    keys: &[ConnectionKey],
) -> Result<HashMap<ConnectionKey, u64>, StoreError> {
    let mut versions = HashMap::with_capacity(keys.len());
    for row in VERSIONS.fetch(connection, keys, |key| key).await? {
        let key = (CustomerId::from(row.try_get::<String, _>("customer")?), row.try_get("connection")?);
        versions.insert(key, row.try_get::<i64, _>("version")?.unsigned_abs());
    }
    Ok(versions)
}

/// What a group writes of connections: each once, in its last state.
#[derive(Default)]
pub(crate) struct ConnectionWrites {
    rows: BTreeMap<ConnectionKey, Option<Connection>>,
    secrets: BTreeMap<ConnectionKey, (u64, Sealed)>,
}

impl ConnectionWrites {
    pub(crate) fn take(&mut self, customer: &CustomerId, change: &ConnectionChange) {
        let key = (customer.clone(), change.id.clone());
        match (&change.becomes, &change.secret) {
            (Some(connection), Some(secret)) => {
                self.secrets.insert(key.clone(), (connection.secret, secret.clone()));
            }
            (Some(_), None) => {}
            (None, _) => {
                self.secrets.remove(&key);
            }
        }
        self.rows.insert(key, change.becomes.clone());
    }

    pub(crate) async fn write(&self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for (key, becomes) in &self.rows {
            match becomes {
                Some(becomes) => kept.push((key, becomes)),
                None => gone.push(key),
            }
        }
        KEPT.execute(connection, &kept, |((customer, id), it)| {
            let Connection { version, kind, name, endpoint, state, pace, settings, secret, .. } = it;
            let times = (it.created_at, it.changed_at, it.answered_at);
            let (created, changed, answered) = times;
            (
                customer,
                id,
                version,
                kind,
                name,
                endpoint,
                state.as_str(),
                pace,
                settings,
                secret,
                created,
                changed,
                answered,
            )
        })
        .await?;
        let secrets: Vec<_> = self.secrets.iter().collect();
        SECRETS
            .execute(connection, &secrets, |((customer, id), (version, it))| {
                (customer, id, version, &it.kek, hex(&it.wrapped), hex(&it.sealed))
            })
            .await?;
        for statement in GONE {
            statement.execute(connection, &gone, |key| key).await?;
        }
        Ok(())
    }
}
