//! Writes what a group of changes comes to, in few statements.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use model::token::hex;
use sqlx::AnyConnection;

use super::decide::Starter;
use super::load::{Batch, RecordKey};
use crate::StoreError;
use crate::calls::answers;
use crate::calls::claims::KeyClaim;
use crate::calls::noted::NotedWrites;
use crate::connections::change::ConnectionWrites;
use crate::database::rows::Column::{Bytes, Text, Whole};
use crate::database::rows::{Listed, Script};
use crate::database::seen::Touched;
use crate::database::writer::{Progress, Tx};
use crate::edges::change::EdgeChange;
use crate::identity::notices::Notice;
use crate::jobs::schedules::ScheduleChange;
use crate::jobs::{self, JobInsert, Next, StepSettlement, StepUpdate};
use crate::money::account::AccountChange;
use crate::money::book::{Purse, all_written};
use crate::money::usage::{Count, Used};
use crate::records::changes::Content;
use crate::records::indexes::{FORGOTTEN, INDEXED, KEYLESS, UNKEYED};
use crate::records::{Changes, Row, RowKey};
use crate::trail::Head;

const RECORDS: Listed = Listed {
    before: "INSERT INTO record (customer, collection, id, version, body) ",
    columns: &[Text, Text, Text, Whole, Text],
    after: " ON CONFLICT (customer, collection, id) DO UPDATE SET version = excluded.version, body = excluded.body",
};
const GONE: Listed = Listed {
    before: "DELETE FROM record WHERE (customer, collection, id) IN (",
    columns: &[Text, Text, Text],
    after: ")",
};
const UNINDEXED: Listed = Listed {
    before: "DELETE FROM record_index WHERE (customer, place, key, id) IN (",
    columns: &[Text, Text, Text, Text],
    after: ")",
};
const CONTENTS: Listed = Listed {
    before: "INSERT INTO blob_content (customer, content, size, deflated) ",
    columns: &[Text, Text, Whole, Bytes],
    after: " ON CONFLICT (customer, content) DO NOTHING",
};
const BLOBS: Listed = Listed {
    before: "INSERT INTO blob (customer, module, key, content) ",
    columns: &[Text, Text, Text, Text],
    after: " ON CONFLICT (customer, module, key) DO UPDATE SET content = excluded.content",
};
const UNKEPT: Listed =
    Listed { before: "DELETE FROM blob WHERE (customer, module, key) IN (", columns: &[Text, Text, Text], after: ")" };
const CACHED: Listed = Listed {
    before: "INSERT INTO cache (customer, module, key, value, expires_at) ",
    columns: &[Text, Text, Text, Bytes, Whole],
    after: " ON CONFLICT (customer, module, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at",
};

const UNCLAIMED: Listed =
    Listed { before: "DELETE FROM claim WHERE (customer, key) IN (", columns: &[Text, Text], after: ")" };
const JOURNALED: Listed =
    Listed { before: "DELETE FROM send WHERE (customer, run) IN (", columns: &[Text, Text], after: ")" };
const SPENT: Listed =
    Listed { before: "DELETE FROM spending_noted WHERE (customer, run) IN (", columns: &[Text, Text], after: ")" };

/// Rows between two signs of life: whoever waits behind a large commit goes on waiting while it moves.
const TOGETHER: usize = 1_000;

/// An index entry of a customer: place, key, id.
type IndexKey = (CustomerId, Arc<str>, String, String);

/// What a module keeps under a key of its own.
type Kept = (CustomerId, String, String);

/// What a group writes beside the ledger and the trail. Each thing is here once, in its last state.
#[derive(Default)]
pub(super) struct Writes {
    records: HashMap<RecordKey, Option<(u64, Arc<str>)>>,
    /// Whether an index entry is to be there.
    index: BTreeMap<IndexKey, bool>,
    /// Records whose keys over later forms are known to the database only.
    older: BTreeSet<RecordKey>,
    /// Records that have no keys over a form yet.
    unkeyed: BTreeSet<(CustomerId, Arc<str>, u32, String)>,
    blobs: BTreeMap<Kept, Option<Content>>,
    cached: BTreeMap<Kept, (Arc<[u8]>, Moment)>,
    jobs: Vec<JobInsert>,
    steps: Vec<StepUpdate>,
    /// By customer and module.
    edges: Vec<(CustomerId, String, EdgeChange)>,
    account: Vec<(CustomerId, AccountChange, Moment)>,
    schedules: Vec<(CustomerId, String, Option<GrantId>, ScheduleChange)>,
    notices: Vec<(Notice, Moment)>,
    noted: NotedWrites,
    used: Used,
    connections: ConnectionWrites,
    /// Claims of keys that end, and journals of runs that are over.
    claims: Vec<(CustomerId, String)>,
    journals: Vec<(CustomerId, String)>,
    pub(super) answers: Vec<(CustomerId, String)>,
}

impl Writes {
    pub(super) fn take(&mut self, starter: &Starter<'_>, changes: &Changes, now: Moment) {
        let customer = starter.customer;
        for change in &changes.records {
            let entry =
                |(place, key): &(Arc<str>, String)| (customer.clone(), place.clone(), key.clone(), change.id.clone());
            self.index.extend(change.unindex.iter().map(|key| (entry(key), false)));
            self.index.extend(change.index.iter().map(|key| (entry(key), true)));
            let key = (customer.clone(), change.collection.clone(), change.id.clone());
            if change.was_older {
                self.older.insert(key.clone());
            }
            let unkeyed = |form: &u32| (customer.clone(), change.collection.clone(), *form, change.id.clone());
            self.unkeyed.extend(change.unkeyed.iter().map(unkeyed));
            self.records.insert(key, change.becomes.clone());
        }
        let kept = |key: &String| (customer.clone(), changes.module.clone(), key.clone());
        self.blobs.extend(changes.blobs.iter().map(|(key, content)| (kept(key), content.clone())));
        self.cached.extend(changes.cached.iter().map(|(key, value)| (kept(key), value.clone())));
        for change in &changes.connections {
            self.connections.take(customer, change);
        }
        self.edges
            .extend(changes.edges.iter().map(|change| (customer.clone(), changes.module.clone(), change.clone())));
        self.jobs.extend(changes.jobs.iter().map(|job| JobInsert::of(starter, &changes.module, job, now)));
        self.schedules.extend(
            changes
                .schedules
                .iter()
                .map(|change| (customer.clone(), changes.module.clone(), starter.grant.cloned(), change.clone())),
        );
        for notice in &changes.notices {
            self.tell(Some(notice.clone()), now);
        }
        self.noted.take(&changes.noted);
        self.account.extend(changes.account.iter().map(|change| (customer.clone(), change.clone(), now)));
    }

    pub(super) fn step(&mut self, step: &StepSettlement) {
        // A step that runs once more has to know what it has sent.
        let over = !matches!(step.next, Next::Retry { .. } | Next::Wait { .. });
        if step.journaled && over {
            self.journals.push((step.customer.clone(), step.job.to_string()));
        }
        self.steps.push(StepUpdate::of(step));
    }

    /// Tells something to a customer who wishes to be told.
    pub(super) fn tell(&mut self, notice: Option<Notice>, now: Moment) {
        self.notices.extend(notice.map(|notice| (notice, now)));
    }

    /// Ends the claim of a key, with the journal of what was sent under it.
    pub(super) fn claim_ends(&mut self, customer: &CustomerId, claim: &KeyClaim) {
        self.claims.push((customer.clone(), claim.key.clone()));
        self.journals.push((customer.clone(), claim.run.to_string()));
    }

    /// Counts what a call or a job has used.
    pub(super) fn used(&mut self, starter: &Starter<'_>, count: Count, now: Moment) {
        self.used.add(starter.customer, &starter.used_for(), now, count);
    }
}

impl Batch {
    /// Writes everything, and returns what is known of the customers afterwards.
    pub(super) async fn apply(
        self,
        tx: &mut Tx,
    ) -> Result<(HashMap<CustomerId, Purse>, HashMap<CustomerId, Head>), StoreError> {
        let Batch { book, trail, answers, writes, .. } = self;
        let progress = tx.progress.clone();
        writes.touch(&mut tx.touched);
        let connection = tx.connection();
        let mut script = Script::default();
        let mut purses = book.write(connection, &mut script).await?;
        writes.used.add_to(&mut script)?;
        let heads = trail.add_to(&mut script)?;
        all_written(script.run(connection).await?)?;
        writes.records(connection, &progress).await?;
        writes.stash(connection, &progress).await?;
        writes.connections.write(connection).await?;
        for (customer, module, change) in &writes.edges {
            change.apply(connection, customer, module).await?;
            progress.step();
        }
        for (customer, change, now) in &writes.account {
            change.apply(connection, customer, *now).await?;
            // A cap may be another one now.
            purses.remove(customer);
            progress.step();
        }
        for (customer, module, grant, change) in &writes.schedules {
            change.apply(connection, customer, module, grant.as_ref()).await?;
            progress.step();
        }
        for (notice, now) in &writes.notices {
            notice.insert(connection, *now).await?;
            progress.step();
        }
        writes.noted.write(connection).await?;
        jobs::insert(connection, &writes.jobs).await?;
        jobs::advance(connection, &writes.steps).await?;
        answers::flush(connection, &writes.answers, &answers).await?;
        UNCLAIMED.execute(connection, &writes.claims, |key| key).await?;
        JOURNALED.execute(connection, &writes.journals, |key| key).await?;
        SPENT.execute(connection, &writes.journals, |key| key).await?;
        progress.step();
        Ok((purses, heads))
    }
}

impl Writes {
    /// Says which answers of the database are others from now on.
    fn touch(&self, touched: &mut Touched) {
        // A grant may end with it.
        touched.all |= !self.account.is_empty();
        touched.rows.extend(self.records.iter().map(|((customer, collection, id), becomes)| {
            let key = RowKey::new(customer.clone(), collection.to_string(), id.clone());
            (key, becomes.as_ref().map(|(version, body)| Row { id: id.clone(), version: *version, body: body.clone() }))
        }));
    }

    async fn records(&self, connection: &mut AnyConnection, progress: &Progress) -> Result<(), StoreError> {
        let (mut kept, mut gone) = (Vec::new(), Vec::new());
        for (key, becomes) in &self.records {
            match becomes {
                Some((version, body)) => kept.push((key, *version as i64, body)),
                None => gone.push(key),
            }
        }
        let (indexed, unindexed): (Vec<_>, Vec<_>) = self.index.iter().partition(|(_, there)| **there);
        for kept in kept.chunks(TOGETHER) {
            RECORDS
                .execute(connection, kept, |((customer, collection, id), version, body)| {
                    (customer, collection, id, version, body)
                })
                .await?;
            progress.step();
        }
        for gone in gone.chunks(TOGETHER) {
            GONE.execute(connection, gone, |key| key).await?;
            progress.step();
        }
        let older: Vec<_> = self.older.iter().collect();
        for older in older.chunks(TOGETHER) {
            FORGOTTEN.execute(connection, older, |key| *key).await?;
            KEYLESS.execute(connection, older, |key| *key).await?;
            progress.step();
        }
        let unkeyed: Vec<_> = self.unkeyed.iter().collect();
        for unkeyed in unkeyed.chunks(TOGETHER) {
            UNKEYED.execute(connection, unkeyed, |key| *key).await?;
            progress.step();
        }
        for (statement, entries) in [(UNINDEXED, unindexed), (INDEXED, indexed)] {
            for entries in entries.chunks(TOGETHER) {
                statement.execute(connection, entries, |(entry, _)| entry).await?;
                progress.step();
            }
        }
        Ok(())
    }

    async fn stash(&self, connection: &mut AnyConnection, progress: &Progress) -> Result<(), StoreError> {
        let (blobs, gone): (Vec<_>, Vec<_>) = self.blobs.iter().partition(|(_, content)| content.is_some());
        let blobs: Vec<_> = blobs.into_iter().filter_map(|(key, content)| Some((key, content.as_ref()?))).collect();
        let contents: BTreeMap<(&CustomerId, &str), &Content> =
            blobs.iter().map(|((customer, _, _), content)| ((customer, content.hash.as_str()), *content)).collect();
        let contents: Vec<_> = contents.into_iter().collect();
        CONTENTS
            .execute(connection, &contents, |((customer, hash), content)| {
                (customer, hash, content.size, hex(&content.deflated))
            })
            .await?;
        progress.step();
        BLOBS
            .execute(connection, &blobs, |((customer, module, key), content)| (customer, module, key, &content.hash))
            .await?;
        progress.step();
        for gone in gone.chunks(TOGETHER) {
            UNKEPT.execute(connection, gone, |((customer, module, key), _)| (customer, module, key)).await?;
            progress.step();
        }
        let cached: Vec<_> = self.cached.iter().collect();
        CACHED
            .execute(connection, &cached, |((customer, module, key), (value, expires_at))| {
                (customer, module, key, hex(value), expires_at)
            })
            .await?;
        progress.step();
        Ok(())
    }
}
