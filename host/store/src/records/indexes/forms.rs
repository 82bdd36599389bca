//! Records of several forms in one collection: who brings older ones into a later form, and what is kept of their keys.

use std::fmt;

use model::manifest::FIRST_FORM;
use serde::{Deserialize, Serialize};

use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::Listed;
use crate::database::writer::BoxFuture;
use crate::{Store, StoreError};

/// Remembers a key that only the module could compute.
pub(crate) const KEY_OF_FORM: Listed = Listed {
    before: "INSERT INTO record_key (customer, collection, id, place, key) ",
    columns: &[Text, Text, Text, Text, Text],
    after: " ON CONFLICT (customer, collection, id, place) DO UPDATE SET key = excluded.key",
};

/// Takes such keys of changed records out of the indexes.
pub(crate) const FORGOTTEN: Listed = Listed {
    before: "DELETE FROM record_index WHERE (customer, place, key, id) IN (SELECT customer, place, key, id FROM record_key \
             WHERE (customer, collection, id) IN (",
    columns: &[Text, Text, Text],
    after: "))",
};

/// Forgets them.
pub(crate) const KEYLESS: Listed = Listed {
    before: "DELETE FROM record_key WHERE (customer, collection, id) IN (",
    columns: &[Text, Text, Text],
    after: ")",
};

/// Notes records whose keys in the indexes over a later form have to be found.
pub(crate) const UNKEYED: Listed = Listed {
    before: "INSERT INTO record_unkeyed (customer, collection, form, id) ",
    columns: &[Text, Text, Whole, Text],
    after: " ON CONFLICT (customer, collection, form, id) DO NOTHING",
};

/// Takes such notes away.
pub(crate) const KNOWN_AGAIN: Listed = Listed {
    before: "DELETE FROM record_unkeyed WHERE (customer, collection, form, id) IN (",
    columns: &[Text, Text, Whole, Text],
    after: ")",
};

/// A record of an older form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Older {
    /// Its form.
    pub form: u32,
    /// The record, as it is stored.
    pub record: String,
}

/// Brings older records into the form that the collection of a revision has.
pub trait Upgrades: fmt::Debug + Send + Sync {
    /// The form that records of a collection, `module.name`, are brought into.
    fn form(&self, collection: &str) -> Option<u32>;

    /// The records in that form, in the same order. The store is there for a run that needs one to begin with; nothing of it is
    /// read or written.
    ///
    /// # Errors
    /// Why it cannot be done, in words for the operator: nothing of a record is in them.
    fn upgrade<'a>(
        &'a self,
        store: &'a Store,
        collection: &'a str,
        records: Vec<Older>,
    ) -> BoxFuture<'a, Result<Vec<String>, String>>;
}

/// The fields of an index as they are written down, with the form where it is not the first. Hosts of before forms existed
/// cannot read the latter and stop: they would write records without keys in that index.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Fields {
    First(Vec<String>),
    Later { fields: Vec<String>, form: u32 },
}

pub(super) fn written(fields: &[String], form: u32) -> String {
    let fields = fields.to_vec();
    let fields = if form == FIRST_FORM { Fields::First(fields) } else { Fields::Later { fields, form } };
    serde_json::to_string(&fields).expect("texts and a number can be written")
}

pub(super) fn read(json: &str) -> Result<(Vec<String>, u32), StoreError> {
    match serde_json::from_str(json).map_err(|_| StoreError::Inconsistent("the fields of an index"))? {
        Fields::First(fields) => Ok((fields, FIRST_FORM)),
        Fields::Later { fields, form } => Ok((fields, form)),
    }
}
