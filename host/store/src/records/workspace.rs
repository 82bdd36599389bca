//! What one run sees and changes: the records of one customer as one module may touch them.

use std::collections::HashMap;
use std::sync::Arc;

use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use model::manifest::{Collection, FIRST_FORM};
use serde_json::Value;

use super::changes::{Changes, NewJob};
use super::find::Selection;
use super::overlay::{Overlay, State, Touched};
use super::stash::Stash;
use super::{ModuleSchema, PAGE, Page, Query, RecordsError, Row, Tally, identify};
use crate::database::readers::OfRuns;
use crate::edges::change::EdgeChange;
use crate::identity::notices::Notice;
use crate::jobs::schedules::ScheduleChange;
use crate::money::account::AccountChange;
use crate::money::refunds::Refund;
use crate::records::indexes::Indexes;
use crate::{Store, connections};

/// The records of one customer and one module, with what this run has changed. Dropping it drops the changes.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) store: Store,
    pub(crate) customer: CustomerId,
    pub(crate) schema: Arc<ModuleSchema>,
    pub(super) now: Moment,
    pub(super) grant: Option<GrantId>,
    indexes: Option<Arc<Indexes>>,
    pub(super) overlay: Overlay,
    pub(super) remembered: HashMap<String, HashMap<String, Row>>,
    pub(super) stash: Stash,
    pub(super) jobs: Vec<NewJob>,
    pub(super) edges: Vec<EdgeChange>,
    pub(super) account: Vec<AccountChange>,
    pub(super) schedules: Vec<ScheduleChange>,
    pub(super) refunds: Vec<Refund>,
    pub(crate) notices: Vec<Notice>,
    pub(super) tally: Tally,
    connections: connections::Touched,
    made: u16,
    pub(super) most_read: u64,
    pub(super) most_changed: u64,
    /// Bytes of stored rows that are kept to be replaced.
    pub(super) bases: u64,
}

impl Workspace {
    /// Binds a workspace. Nothing is read yet.
    pub fn open(store: &Store, customer: CustomerId, schema: Arc<ModuleSchema>, now: Moment) -> Self {
        Self {
            store: store.clone(),
            customer,
            schema,
            now,
            grant: None,
            indexes: None,
            overlay: Overlay::default(),
            remembered: HashMap::new(),
            stash: Stash::default(),
            jobs: Vec::new(),
            edges: Vec::new(),
            account: Vec::new(),
            schedules: Vec::new(),
            refunds: Vec::new(),
            notices: Vec::new(),
            tally: Tally::default(),
            connections: connections::Touched::new(),
            made: 0,
            most_read: u64::MAX,
            most_changed: u64::MAX,
            bases: 0,
        }
    }

    /// One record.
    ///
    /// # Errors
    /// When the collection is not readable or the database is not there.
    pub async fn get(&mut self, collection: &str, id: &str) -> Result<Option<Row>, RecordsError> {
        let schema = self.schema.clone();
        let (full_name, _) = schema.readable(collection)?;
        let row = match self.overlay.get(&full_name, id) {
            Some(touched) => touched.wanted.as_ref().map(|state| row_of(id, state)),
            None => self.stored(&full_name, id).await?,
        };
        self.tally.rows_read += 1;
        self.tally.bytes_read += row.as_ref().map_or(0, |row| row.body.len() as u64);
        Ok(row)
    }

    /// One page of rows.
    ///
    /// # Errors
    /// When the collection or index is not readable, a value or cursor is malformed, or the database is not there.
    pub async fn find(&mut self, collection: &str, query: &Query) -> Result<Page, RecordsError> {
        let schema = self.schema.clone();
        let (full_name, declared) = schema.readable(collection)?;
        let indexes = self.indexes().await?;
        let selection = Selection::read(&indexes, &full_name, declared, query)?;
        self.is_keyed(&full_name, declared, query).await?;
        let may_read = self.may_read();
        let page = self.store.records.find(&self.customer, &selection, &self.overlay, may_read).await?;
        self.tally.rows_read += page.rows.len() as u64;
        for row in &page.rows {
            self.tally.bytes_read += row.body.len() as u64;
            if self.overlay.get(&full_name, &row.id).is_none() {
                self.remember(&full_name, row.clone());
            }
        }
        Ok(page)
    }

    /// How many rows a query selects; its cursor and limit do not matter.
    ///
    /// # Errors
    /// As [`Workspace::find`].
    pub async fn count(&mut self, collection: &str, query: &Query) -> Result<u64, RecordsError> {
        let schema = self.schema.clone();
        let (full_name, declared) = schema.readable(collection)?;
        let indexes = self.indexes().await?;
        let selection = Selection::read(&indexes, &full_name, declared, query)?;
        self.is_keyed(&full_name, declared, query).await?;
        self.tally.rows_read += 1;
        self.store.records.count(&self.customer, &selection, &self.overlay).await
    }

    /// Adds a record; without an id it gets a made one that grows with time.
    ///
    /// # Errors
    /// `Conflict` when the id is taken, `Malformed` when the body is not a JSON object.
    pub async fn insert(&mut self, collection: &str, id: Option<String>, body: String) -> Result<Row, RecordsError> {
        let schema = self.schema.clone();
        let (full_name, declared) = schema.writable(collection)?;
        let (id, base) = match id {
            None => (self.make_id(), None),
            Some(id) => {
                identify::check(&id)?;
                let touched = self.touch(&full_name, &id).await?;
                if touched.wanted.is_some() {
                    return Err(RecordsError::Conflict);
                }
                (id, touched.base)
            }
        };
        self.want(&full_name, declared, id, base, None, body).await
    }

    /// Adds or replaces many; an absent id means a made one. Returns how many.
    ///
    /// # Errors
    /// `Malformed` when an id or a body is; nothing of the call is kept then.
    pub async fn put_many(
        &mut self,
        collection: &str,
        rows: Vec<(Option<String>, String)>,
    ) -> Result<u32, RecordsError> {
        let schema = self.schema.clone();
        let (full_name, declared) = schema.writable(collection)?;
        let given: Vec<&String> = rows.iter().filter_map(|(id, _)| id.as_ref()).collect();
        given.iter().try_for_each(|id| identify::check(id))?;
        let mut stored = self.stored_many(&full_name, &given).await?;
        let indexes = self.indexes().await?;
        let mut wanted = Vec::with_capacity(rows.len());
        for (id, body) in rows {
            let id = id.unwrap_or_else(|| self.make_id());
            let state = State::wanted(&indexes, (&full_name, declared), 1, body.into())?;
            wanted.push((id, state));
        }
        let count = wanted.len() as u32;
        for (id, mut state) in wanted {
            let touched = match self.overlay.get(&full_name, &id) {
                Some(touched) => touched.clone(),
                None => {
                    let base = match stored.remove(&id) {
                        Some(row) => Some(self.state(&indexes, &full_name, row).await?),
                        None => None,
                    };
                    Touched { wanted: base.clone(), base }
                }
            };
            state.version = 1 + touched.wanted.as_ref().or(touched.base.as_ref()).map_or(0, |state| state.version);
            self.tally.rows_written += 1;
            self.tally.bytes_written += state.body.len() as u64;
            self.overlay.put(&full_name, id, Touched { base: touched.base, wanted: Some(state) });
        }
        Ok(count)
    }

    /// Replaces the body of a record.
    ///
    /// # Errors
    /// `Missing`, or `Conflict` when the version is not the one given.
    pub async fn update(
        &mut self,
        collection: &str,
        id: &str,
        version: u64,
        body: String,
    ) -> Result<Row, RecordsError> {
        let schema = self.schema.clone();
        let (full_name, declared) = schema.writable(collection)?;
        let touched = self.touch(&full_name, id).await?;
        let current = touched.wanted.as_ref().ok_or(RecordsError::Missing)?.version;
        if current != version {
            return Err(RecordsError::Conflict);
        }
        self.want(&full_name, declared, id.to_owned(), touched.base, Some(current), body).await
    }

    /// Takes a record away.
    ///
    /// # Errors
    /// `Missing`, or `Conflict` when the version is not the one given.
    pub async fn remove(&mut self, collection: &str, id: &str, version: u64) -> Result<(), RecordsError> {
        let schema = self.schema.clone();
        let (full_name, _) = schema.writable(collection)?;
        let touched = self.touch(&full_name, id).await?;
        if touched.wanted.as_ref().ok_or(RecordsError::Missing)?.version != version {
            return Err(RecordsError::Conflict);
        }
        self.tally.rows_written += 1;
        self.overlay.put(&full_name, id.to_owned(), Touched { base: touched.base, wanted: None });
        Ok(())
    }

    /// Takes away every record whose leading index fields equal these values; returns how many.
    ///
    /// # Errors
    /// When the collection or index is not declared, a value is malformed, or the database is not there.
    pub async fn remove_where(
        &mut self,
        collection: &str,
        index: &str,
        equals: Vec<Value>,
    ) -> Result<u64, RecordsError> {
        let mut query = Query { index: Some(index.to_owned()), equals, limit: PAGE, ..Query::default() };
        let mut removed = 0;
        loop {
            let page = self.find(collection, &query).await?;
            for row in page.rows {
                self.remove(collection, &row.id, row.version).await?;
                removed += 1;
            }
            if self.tally.rows_written > self.most_changed {
                return Err(RecordsError::TooMuchWritten);
            }
            match page.next {
                Some(next) => query.after = Some(next),
                None => return Ok(removed),
            }
        }
    }

    /// The store behind it, for what is shared by all customers.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// What was used so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Everything that this run wants to leave behind.
    pub fn into_changes(self) -> Changes {
        let (blobs, cached) = self.stash.into_changes();
        Changes {
            module: self.schema.module.clone(),
            indexes: self.indexes.map_or(0, |it| it.number),
            records: self.overlay.into_changes(),
            blobs,
            cached,
            jobs: self.jobs,
            connections: connections::changes(self.connections),
            edges: self.edges,
            account: self.account,
            schedules: self.schedules,
            refunds: self.refunds,
            notices: self.notices,
            noted: Vec::new(),
            hands_over: false,
        }
    }

    /// The indexes in which this run writes the keys of its records, the same from its first record to its last.
    pub(super) async fn indexes(&mut self) -> Result<Arc<Indexes>, RecordsError> {
        if let Some(indexes) = &self.indexes {
            return Ok(indexes.clone());
        }
        let schema = self.schema.clone();
        let indexes = self.store.records.known_indexes(&schema.named()).await?;
        self.indexes = Some(indexes.clone());
        Ok(indexes)
    }

    /// Of which module.
    pub(super) fn module(&self) -> &str {
        &self.schema.module
    }

    /// The connections that this run reads with.
    pub(super) fn reader(&self) -> OfRuns<'_> {
        self.store.database.reader().of_runs(&self.customer)
    }

    /// Whose records and connections these are.
    pub(crate) fn customer(&self) -> &CustomerId {
        &self.customer
    }

    pub(crate) fn moment(&self) -> Moment {
        self.now
    }

    pub(crate) fn vault(&self) -> &connections::Touched {
        &self.connections
    }

    pub(crate) fn vault_mut(&mut self) -> &mut connections::Touched {
        &mut self.connections
    }

    pub(crate) fn want_edge(&mut self, change: EdgeChange) {
        self.edges.push(change);
    }

    pub(crate) fn count_read(&mut self, rows: usize) {
        self.tally.rows_read += rows as u64;
    }

    pub(crate) fn count_written(&mut self, bytes: usize) {
        self.tally.rows_written += 1;
        self.tally.bytes_written += bytes as u64;
    }

    fn make_id(&mut self) -> String {
        self.made = self.made.wrapping_add(1);
        identify::make(self.now, self.made, self.store.database.entropy())
    }

    async fn want(
        &mut self,
        full_name: &str,
        declared: &Collection,
        id: String,
        base: Option<State>,
        current: Option<u64>,
        body: String,
    ) -> Result<Row, RecordsError> {
        // A record that was removed and comes back goes on counting, so that its old versions stay old.
        let version = 1 + current.or(base.as_ref().map(|base| base.version)).unwrap_or(0);
        let indexes = self.indexes().await?;
        let state = State::wanted(&indexes, (full_name, declared), version, body.into())?;
        let row = row_of(&id, &state);
        self.tally.rows_written += 1;
        self.tally.bytes_written += state.body.len() as u64;
        self.overlay.put(full_name, id, Touched { base, wanted: Some(state) });
        Ok(row)
    }

    /// What is stored, with its keys.
    pub(super) async fn state(&self, indexes: &Indexes, full_name: &str, row: Row) -> Result<State, RecordsError> {
        let state = State::of(indexes, full_name, row.version, row.body)?;
        if !state.is_older() {
            return Ok(state);
        }
        let found = self.store.records.keys_of_form(&self.customer, full_name, &row.id).await?;
        Ok(state.with(found))
    }

    /// An index over a later form than the first is not asked while a record that an older revision wrote has no key in it.
    async fn is_keyed(&self, full_name: &str, declared: &Collection, query: &Query) -> Result<(), RecordsError> {
        let asks = query.index.is_some() && declared.form > FIRST_FORM;
        if asks && self.store.records.has_unkeyed(&self.customer, full_name, declared.form).await? {
            return Err(RecordsError::Preparing);
        }
        Ok(())
    }

    async fn touch(&mut self, full_name: &str, id: &str) -> Result<Touched, RecordsError> {
        if let Some(touched) = self.overlay.get(full_name, id) {
            return Ok(touched.clone());
        }
        let stored = self.stored(full_name, id).await?;
        let indexes = self.indexes().await?;
        let base = match stored {
            Some(row) => Some(self.state(&indexes, full_name, row).await?),
            None => None,
        };
        Ok(Touched { wanted: base.clone(), base })
    }
}

fn row_of(id: &str, state: &State) -> Row {
    Row { id: id.to_owned(), version: state.version, body: state.body.clone() }
}

#[cfg(test)]
mod tests;
