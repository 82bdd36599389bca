//! What a module may touch: its own collections, and those of others that its lock lets it read.

use std::collections::BTreeMap;

use model::manifest::{Collection, Index};

use super::RecordsError;
use crate::records::indexes::Named;

/// The collections of one module, as declared and granted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleSchema {
    /// The module's name.
    pub module: String,
    /// Its own collections.
    pub collections: Vec<Collection>,
    /// Collections of other modules that it may read, by `module.collection`; a name that ends in `/` is no collection
    /// but the beginning of keys, `crawl.text/` for the blobs `text/…` of `crawl`.
    pub foreign: BTreeMap<String, Collection>,
}

/// Whether a name among the granted reads stands for blobs.
const fn is_blobs(name: &str) -> bool {
    matches!(name.as_bytes(), [.., b'/'])
}

impl ModuleSchema {
    /// A collection to read, with its full name: an own one, or a granted one written `module.collection`.
    pub(crate) fn readable(&self, name: &str) -> Result<(String, &Collection), RecordsError> {
        match self.foreign.get(name).filter(|_| !is_blobs(name)) {
            Some(collection) => Ok((name.to_owned(), collection)),
            None => self.writable(name),
        }
    }

    /// Every collection with its module, those of others too.
    pub(crate) fn named(&self) -> Vec<Named<'_>> {
        let own = self.collections.iter().map(|it| (self.module.as_str(), it.name.as_str(), it));
        let foreign = self.foreign.iter().filter(|(name, _)| !is_blobs(name));
        let foreign = foreign.filter_map(|(name, it)| name.split_once('.').map(|(module, name)| (module, name, it)));
        own.chain(foreign).collect()
    }

    /// Whose blob a key means, and its key there: another module's where that is granted, else the own one of this key.
    pub(crate) fn blob<'k>(&'k self, key: &'k str) -> (&'k str, &'k str) {
        let granted = self.foreign.keys().any(|name| is_blobs(name) && key.starts_with(name.as_str()));
        key.split_once('.').filter(|_| granted).unwrap_or((&self.module, key))
    }

    /// A collection to change, with its full name: an own one.
    pub(crate) fn writable(&self, name: &str) -> Result<(String, &Collection), RecordsError> {
        let own = self.collections.iter().find(|collection| collection.name == name);
        let collection = own.ok_or_else(|| RecordsError::Undeclared(format!("collection {name}")))?;
        Ok((format!("{}.{}", self.module, collection.name), collection))
    }
}

/// A declared index of a collection.
pub(crate) fn index<'a>(collection: &'a Collection, name: &str) -> Result<&'a Index, RecordsError> {
    let found = collection.indexes.iter().find(|index| index.name == name);
    found.ok_or_else(|| RecordsError::Undeclared(format!("index {name} of {}", collection.name)))
}
