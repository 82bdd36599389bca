//! Which indexes are kept of what modules store: declared before the first record is written or asked for, given the keys
//! of older records before the first answer, and kept up by every writer from then on.
//!
//! A revision may declare an index that the one before it did not have, or the same name over other fields. The database
//! therefore knows them all, and a run writes the keys of each record in every index that is known, whatever its own
//! revision declares. A run that began before an index was declared does not commit: it meets a conflict, and runs anew.
//!
//! A revision may also give the records of a collection another form. Its indexes are over that form, and are others than
//! those over the form before. The records that are there stay as they are: their keys are computed from what the module
//! makes of them ([`Upgrades`]), and so are those of records that a run of an older revision writes later.

mod building;
mod forms;
mod unkeyed;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use model::manifest::{Collection, Index};
use model::token::hex;
use sha2::{Digest as _, Sha256};
use sqlx::{Any, AnyConnection, Executor as _, Row as _};

use crate::StoreError;
use crate::database::dialect::Dialect;
use crate::database::rows::Column::{Same, Text, Whole};
use crate::database::rows::Listed;
use crate::tables::Records;

pub use building::Indexing;
pub(crate) use building::start;
pub(crate) use forms::{FORGOTTEN, KEY_OF_FORM, KEYLESS, KNOWN_AGAIN, UNKEYED};
pub use forms::{Older, Upgrades};
pub(crate) use unkeyed::begins;

/// Adds keys.
pub(crate) const INDEXED: Listed = Listed {
    before: "INSERT INTO record_index (customer, place, key, id) ",
    columns: &[Text, Text, Text, Text],
    after: " ON CONFLICT (customer, place, key, id) DO NOTHING",
};

const ADDED: Listed = Listed {
    before: "INSERT INTO stored_index (place, number, collection, name, fields, ready_at, rows_done) ",
    columns: &[Text, Whole, Text, Text, Text, Whole, Same("0")],
    after: "",
};

/// An index as the database knows it.
#[derive(Debug)]
pub(crate) struct Known {
    /// Its name and its fields.
    pub(crate) index: Index,
    /// The form of the records that its keys are computed from.
    pub(crate) form: u32,
    /// Where its keys are.
    pub(crate) place: Arc<str>,
    /// Whether records that are older than the index have their keys.
    ready: bool,
}

/// All indexes at one time.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    /// Rises with every index that is declared.
    pub(crate) number: i64,
    /// By module and collection.
    known: HashMap<String, HashMap<String, Vec<Known>>>,
}

/// A collection with its module and its name.
pub(crate) type Named<'a> = (&'a str, &'a str, &'a Collection);

impl Indexes {
    /// The indexes of a collection, named `module.name`.
    pub(crate) fn of(&self, collection: &str) -> &[Known] {
        collection.split_once('.').map(|(module, name)| self.of_module(module, name)).unwrap_or_default()
    }

    /// Where the keys of an index over records of this form are; none while older records have none yet.
    pub(crate) fn place(&self, collection: &str, index: &Index, form: u32) -> Option<Arc<str>> {
        let known = self.of(collection).iter().find(|it| it.ready && it.form == form && it.index == *index);
        known.map(|it| it.place.clone())
    }

    /// The forms above this one that indexes of a collection are over: a record of this form has no keys there but those
    /// which its module found.
    pub(crate) fn forms_above(&self, collection: &str, form: u32) -> BTreeSet<u32> {
        self.of(collection).iter().map(|it| it.form).filter(|it| *it > form).collect()
    }

    fn of_module(&self, module: &str, collection: &str) -> &[Known] {
        let known = self.known.get(module).and_then(|it| it.get(collection));
        known.map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether every index that a collection declares is known.
    fn covers(&self, (module, name, declared): &Named<'_>) -> bool {
        let known = self.of_module(module, name);
        declared.indexes.iter().all(|index| known.iter().any(|it| it.form == declared.form && it.index == *index))
    }

    /// Whether every index that a collection declares can be asked.
    fn answers(&self, (module, name, declared): &Named<'_>) -> bool {
        let known = self.of_module(module, name);
        let answers = |it: &Known, index: &Index| it.ready && it.form == declared.form && it.index == *index;
        declared.indexes.iter().all(|index| known.iter().any(|it| answers(it, index)))
    }
}

/// What this host knows of the indexes, and whether the database was seen to know others.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    known: RwLock<Arc<Indexes>>,
    stale: AtomicBool,
    upgrades: RwLock<Option<Arc<dyn Upgrades>>>,
}

impl Registry {
    fn now(&self) -> Arc<Indexes> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn learn(&self, indexes: Indexes) -> Arc<Indexes> {
        let indexes = Arc::new(indexes);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = indexes.clone();
        indexes
    }

    fn upgrade_with(&self, upgrades: Arc<dyn Upgrades>) {
        *self.upgrades.write().unwrap_or_else(PoisonError::into_inner) = Some(upgrades);
    }

    fn upgrades(&self) -> Option<Arc<dyn Upgrades>> {
        self.upgrades.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of the indexes in the database, after every lock of the transaction. Remembers when it is a new one.
    pub(crate) async fn number(&self, connection: &mut AnyConnection) -> Result<i64, StoreError> {
        let row = connection.fetch_one("SELECT COALESCE(MAX(number), 0) FROM stored_index").await?;
        let number = row.try_get(0)?;
        if number != self.now().number {
            self.stale.store(true, Ordering::Relaxed);
        }
        Ok(number)
    }
}

impl Records {
    /// Declares the indexes of these collections, each with its full name: from the return on every writer keeps them up.
    /// Those that are new give no answers before [`Records::index_more`] has come to their end. `upgrades` brings older records
    /// into the forms that these collections have.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn declare_indexes(
        &self,
        collections: &[(String, Collection)],
        upgrades: Arc<dyn Upgrades>,
    ) -> Result<(), StoreError> {
        self.upgrade_with(upgrades);
        fn named((name, declared): &(String, Collection)) -> Option<Named<'_>> {
            name.split_once('.').map(|(module, name)| (module, name, declared))
        }
        self.known_indexes(&collections.iter().filter_map(named).collect::<Vec<_>>()).await.map(drop)
    }

    /// From now on, older records are brought into another form by these.
    pub fn upgrade_with(&self, upgrades: Arc<dyn Upgrades>) {
        self.database.0.indexes.upgrade_with(upgrades);
    }

    /// All indexes, with at least those of these collections.
    pub(crate) async fn known_indexes(&self, collections: &[Named<'_>]) -> Result<Arc<Indexes>, StoreError> {
        let registry = &self.database.0.indexes;
        let mut known = registry.now();
        if registry.stale.swap(false, Ordering::Relaxed) || !collections.iter().all(|it| known.covers(it)) {
            known = self.learn_indexes().await?;
        }
        if !collections.iter().all(|it| known.covers(it)) {
            self.add_indexes(collections, known.number == 0).await?;
            // What is small is done at once; the rest by whoever activates, or by the hosts meanwhile.
            self.index_briefly().await?;
            return self.learn_indexes().await;
        }
        if !collections.iter().all(|it| known.answers(it)) {
            // Another host may have come to the end.
            known = self.learn_indexes().await?;
        }
        Ok(known)
    }

    async fn learn_indexes(&self) -> Result<Arc<Indexes>, StoreError> {
        let sql = "SELECT collection, name, fields, place, number, CASE WHEN ready_at IS NULL THEN 0 ELSE 1 END AS ready \
                   FROM stored_index ORDER BY number";
        let mut indexes = Indexes::default();
        for row in self.database.reader().fetch_all(sqlx::query::<Any>(sql)).await? {
            let (fields, form) = forms::read(&row.try_get::<String, _>("fields")?)?;
            let known = Known {
                index: Index { name: row.try_get("name")?, fields },
                form,
                place: row.try_get::<String, _>("place")?.into(),
                ready: row.try_get::<i64, _>("ready")? == 1,
            };
            indexes.number = row.try_get("number")?;
            let collection: String = row.try_get("collection")?;
            let (module, name) =
                collection.split_once('.').ok_or(StoreError::Inconsistent("the name of a collection"))?;
            let of_module = indexes.known.entry(module.to_owned()).or_default();
            of_module.entry(name.to_owned()).or_default().push(known);
        }
        Ok(self.database.0.indexes.learn(indexes))
    }

    /// Adds what the database does not know, on a connection of its own: it waits for every transaction that may have asked
    /// for the indexes before, and the writer's own would wait for itself. The first time, an index that has keys is ready:
    /// hosts of before this table kept up every index that their revision declared.
    async fn add_indexes(&self, collections: &[Named<'_>], first: bool) -> Result<(), StoreError> {
        let mut kept = HashSet::new();
        if first {
            let sql = "SELECT DISTINCT place FROM record_index";
            for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(sql)).await? {
                kept.insert(row.try_get::<String, _>(0)?);
            }
        }
        let mut connection = self.database.reader().a_writer().await?;
        self.database.0.dialect.open(&mut connection).await?;
        let ready = |place: &str| kept.contains(place).then(|| self.database.clock().now().0);
        let added = add(&mut connection, self.database.0.dialect, collections, ready).await;
        connection.execute(if added.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
        added
    }
}

async fn add(
    connection: &mut AnyConnection,
    dialect: Dialect,
    collections: &[Named<'_>],
    ready: impl Fn(&str) -> Option<i64>,
) -> Result<(), StoreError> {
    dialect.lock_indexes(connection).await?;
    let mut known: HashMap<(String, String), HashSet<String>> = HashMap::new();
    let mut number = 0_i64;
    let rows =
        connection.fetch_all("SELECT collection, name, fields, number FROM stored_index ORDER BY number").await?;
    for row in rows {
        number = row.try_get("number")?;
        known.entry((row.try_get("collection")?, row.try_get("name")?)).or_default().insert(row.try_get("fields")?);
    }
    let mut added = Vec::new();
    for (module, name, declared) in collections {
        let collection = format!("{module}.{name}");
        for index in &declared.indexes {
            let fields = forms::written(&index.fields, declared.form);
            let there = known.entry((collection.clone(), index.name.clone())).or_default();
            let mut place = format!("{collection}/{}", index.name);
            if !there.is_empty() {
                place += &format!("#{}", hex(&Sha256::digest(&fields)[..8]));
            }
            if there.insert(fields.clone()) {
                number += 1;
                let ready = ready(&place);
                added.push((place, number, collection.clone(), &index.name, fields, ready));
            }
        }
    }
    ADDED.execute(connection, &added, |row| row).await?;
    Ok(())
}

#[cfg(test)]
mod tests;
