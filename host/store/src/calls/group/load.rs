//! Reads once what a group of changes is decided on.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use model::clock::Moment;
use model::id::{Claim, CustomerId};
use sqlx::AnyConnection;
use sqlx::Row as _;

use super::{Change, Known, Mark, Member};
use crate::StoreError;
use crate::calls::answers;
use crate::calls::group::apply::Writes;
use crate::calls::settlement::Earlier;
use crate::connections::change::{self, ConnectionKey};
use crate::database::rows::Column::Text;
use crate::database::rows::Listed;
use crate::database::writer::Tx;
use crate::money::account::AccountChange;
use crate::money::book::Book;
use crate::money::refunds;
use crate::records::Changes;
use crate::trail::Chains;

const VERSIONS: Listed = Listed {
    before: "SELECT customer, collection, id, version FROM record WHERE (customer, collection, id) IN (",
    columns: &[Text, Text, Text],
    after: ")",
};
const CLAIMS: Listed = Listed {
    before: "SELECT customer, key, token FROM claim WHERE (customer, key) IN (",
    columns: &[Text, Text],
    after: ")",
};
const JOBS: Listed = Listed {
    before: "SELECT customer, job, state, claim, due_at, steps, operation, site, background FROM job WHERE (customer, job) IN (",
    columns: &[Text, Text],
    after: ")",
};

/// Everything that a group reads and writes, while it is decided.
pub(super) struct Batch {
    pub(super) book: Book,
    pub(super) trail: Chains,
    /// Answers by customer and key, with the moment at which each expires.
    pub(super) answers: HashMap<(CustomerId, String), (Earlier, Moment)>,
    /// Who holds which key durably.
    pub(super) claims: HashMap<(CustomerId, String), Claim>,
    /// Versions of stored records.
    pub(super) versions: HashMap<RecordKey, u64>,
    /// Which indexes a record must have its keys in, where any is written.
    pub(super) indexes: Option<i64>,
    /// Versions of stored connections.
    pub(super) connections: HashMap<ConnectionKey, u64>,
    pub(super) jobs: HashMap<(CustomerId, String), Running>,
    /// Refunds that were given, by their transfers.
    pub(super) refunded: HashSet<(CustomerId, String)>,
    pub(super) writes: Writes,
    /// The earliest moment at which anything may be charged.
    pub(super) floor: Moment,
}

/// A record of a customer.
pub(super) type RecordKey = (CustomerId, Arc<str>, String);

/// What decides whether a step may commit.
pub(super) struct Running {
    pub(super) claim: Option<Claim>,
    pub(super) lease_until: Option<Moment>,
    /// Steps that were committed.
    pub(super) steps: u64,
    pub(super) operation: String,
    pub(super) site: Option<String>,
    /// Whether a schedule began it.
    pub(super) background: bool,
}

pub(super) async fn load(tx: &mut Tx, members: &[Member]) -> Result<Batch, StoreError> {
    let mut customers = Vec::with_capacity(members.len());
    let mut payers = Vec::with_capacity(members.len());
    let mut latest = Moment(i64::MIN);
    let (mut holds, mut keys, mut records, mut jobs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut claims, mut connected, mut refunds) = (Vec::new(), Vec::new(), Vec::new());
    for Member { change, .. } in members {
        let (customer, now) = change.whose();
        customers.push(customer.clone());
        latest = latest.max(now);
        if !matches!(change, Change::Audit { .. }) {
            payers.push((customer.clone(), now));
        }
        match change {
            Change::Settle(settlement) => {
                if let Some(hold) = &settlement.hold {
                    holds.push((customer.clone(), hold.request.to_string()));
                }
                if let Some(answer) = &settlement.answer {
                    keys.push((customer.clone(), answer.key.clone()));
                }
                claims.extend(settlement.claim.iter().map(|claim| (customer.clone(), claim.key.clone())));
                push_records(&mut records, customer, &settlement.changes);
                push_connections(&mut connected, customer, &settlement.changes);
                push_refunds(&mut refunds, customer, &settlement.changes);
                for change in &settlement.changes.account {
                    if let AccountChange::CancelJob(seen) = change {
                        holds.push((customer.clone(), seen.job.to_string()));
                        jobs.push((customer.clone(), seen.job.to_string()));
                    }
                }
            }
            Change::Step(step) => {
                holds.push((customer.clone(), step.job.to_string()));
                jobs.push((customer.clone(), step.job.to_string()));
                push_records(&mut records, customer, &step.changes);
                push_connections(&mut connected, customer, &step.changes);
                push_refunds(&mut refunds, customer, &step.changes);
            }
            Change::Release { hold, .. } => holds.push((customer.clone(), hold.request.to_string())),
            Change::Reserve(_) | Change::Audit { .. } => {}
        }
    }
    customers.sort_unstable();
    customers.dedup();
    let dialect = tx.dialect;
    let connection = tx.connection();
    dialect.lock(connection, &customers).await?;
    let (purses, heads) = Known::take(tx, &customers);
    let floor = Mark::floor(tx, latest).await?;
    let registry = tx.indexes.clone();
    let connection = tx.connection();
    Ok(Batch {
        indexes: if records.is_empty() { None } else { Some(registry.number(connection).await?) },
        book: Book::go_on(connection, purses, &payers, &holds).await?,
        trail: Chains::go_on(connection, heads, &customers).await?,
        answers: answers::load(connection, &keys).await?,
        claims: held(connection, &claims).await?,
        versions: versions(connection, &records).await?,
        connections: change::versions(connection, &connected).await?,
        jobs: running(connection, &jobs).await?,
        refunded: refunds::given(connection, &refunds).await?,
        writes: Writes::default(),
        floor,
    })
}

fn push_records(records: &mut Vec<RecordKey>, customer: &CustomerId, changes: &Changes) {
    records
        .extend(changes.records.iter().map(|change| (customer.clone(), change.collection.clone(), change.id.clone())));
}

fn push_connections(connections: &mut Vec<ConnectionKey>, customer: &CustomerId, changes: &Changes) {
    connections.extend(changes.connections.iter().map(|change| (customer.clone(), change.id.clone())));
}

fn push_refunds(refunds: &mut Vec<(CustomerId, String)>, customer: &CustomerId, changes: &Changes) {
    refunds.extend(changes.refunds.iter().map(|refund| (customer.clone(), refund.transfer())));
}

async fn held(
    connection: &mut AnyConnection,
    keys: &[(CustomerId, String)],
) -> Result<HashMap<(CustomerId, String), Claim>, StoreError> {
    let rows = CLAIMS.fetch(connection, keys, |key| key).await?;
    let held = rows.iter().map(|row| {
        let key = (CustomerId::from(row.try_get::<String, _>("customer")?), row.try_get("key")?);
        Ok((key, Claim::from(row.try_get::<String, _>("token")?)))
    });
    held.collect()
}

async fn versions(connection: &mut AnyConnection, keys: &[RecordKey]) -> Result<HashMap<RecordKey, u64>, StoreError> {
    let mut versions = HashMap::with_capacity(keys.len());
    for row in VERSIONS.fetch(connection, keys, |key| key).await? {
        let key = (
            CustomerId::from(row.try_get::<String, _>("customer")?),
            Arc::from(row.try_get::<String, _>("collection")?),
            row.try_get("id")?,
        );
        versions.insert(key, row.try_get::<i64, _>("version")?.unsigned_abs());
    }
    Ok(versions)
}

async fn running(
    connection: &mut AnyConnection,
    jobs: &[(CustomerId, String)],
) -> Result<HashMap<(CustomerId, String), Running>, StoreError> {
    let mut running = HashMap::with_capacity(jobs.len());
    for row in JOBS.fetch(connection, jobs, |job| job).await? {
        let key = (CustomerId::from(row.try_get::<String, _>("customer")?), row.try_get("job")?);
        let claimed = row.try_get::<String, _>("state")? == "running";
        running.insert(
            key,
            Running {
                claim: row.try_get::<Option<String>, _>("claim")?.filter(|_| claimed).map(Claim::from),
                lease_until: row.try_get::<Option<i64>, _>("due_at")?.map(Moment),
                steps: row.try_get::<i64, _>("steps")?.unsigned_abs(),
                operation: row.try_get("operation")?,
                site: row.try_get("site")?,
                background: row.try_get::<i64, _>("background")? == 1,
            },
        );
    }
    Ok(running)
}
