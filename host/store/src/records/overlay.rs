//! A run's own changes, laid over what is stored: what it wrote is what it reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use model::manifest::{Collection, FIRST_FORM, form_of};
use serde_json::{Map, Value};

use super::changes::RecordChange;
use super::cursor::Position;
use super::{RecordsError, Row, key};
use crate::records::indexes::{Indexes, begins};

/// A stored or wanted state of a record, with its index keys by place.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) version: u64,
    pub(crate) body: Arc<str>,
    keys: Vec<(Arc<str>, String)>,
    /// The forms above its own that indexes of its collection are over.
    above: BTreeSet<u32>,
    /// Its keys there, which its module found and the database knows.
    found: Vec<(Arc<str>, String)>,
}

impl State {
    /// A state as it is stored, with its keys in every index that is kept.
    pub(crate) fn of(indexes: &Indexes, full_name: &str, version: u64, body: Arc<str>) -> Result<Self, RecordsError> {
        let record = read(&body)?;
        Ok(Self::new(indexes, full_name, version, body, &record))
    }

    fn new(indexes: &Indexes, full_name: &str, version: u64, body: Arc<str>, record: &Map<String, Value>) -> Self {
        let form = form_of(record);
        let known = indexes.of(full_name).iter().filter(|it| it.form <= form);
        let keys = known.map(|known| (known.place.clone(), key::of_record(&known.index, record))).collect();
        Self { version, body, keys, above: indexes.forms_above(full_name, form), found: Vec::new() }
    }

    /// Whether the database knows keys of it that cannot be computed from it.
    pub(crate) fn is_older(&self) -> bool {
        !self.above.is_empty()
    }

    /// With the keys that the database knows.
    pub(crate) fn with(self, found: Vec<(Arc<str>, String)>) -> Self {
        Self { found, ..self }
    }

    /// As [`State::of`], for a state that is to be stored: what its collection indexes has to be a scalar.
    pub(crate) fn wanted(
        indexes: &Indexes,
        (full_name, declared): (&str, &Collection),
        version: u64,
        body: Arc<str>,
    ) -> Result<Self, RecordsError> {
        let record = read(&body)?;
        key::check(declared, &record)?;
        let says_it = declared.form == FIRST_FORM || body.starts_with(&begins(declared.form));
        if form_of(&record) != declared.form || !says_it {
            let words = format!("records of {full_name} are written in form {}, and say it first", declared.form);
            return Err(RecordsError::Malformed(words));
        }
        Ok(Self::new(indexes, full_name, version, body, &record))
    }

    fn position(&self, place: Option<&str>, id: &str) -> Option<Position> {
        let key = match place {
            None => String::new(),
            Some(place) => self.keys.iter().chain(&self.found).find(|(at, _)| **at == *place)?.1.clone(),
        };
        Some(Position { key, id: id.to_owned() })
    }
}

fn read(body: &str) -> Result<Map<String, Value>, RecordsError> {
    serde_json::from_str(body).map_err(|_| RecordsError::Malformed("a record is a JSON object".to_owned()))
}

/// One record that the run has touched.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    /// As stored when it was first touched.
    pub(crate) base: Option<State>,
    /// As the run wants it.
    pub(crate) wanted: Option<State>,
}

/// All records that the run has touched, by collection and id.
#[derive(Debug, Default)]
pub(crate) struct Overlay {
    collections: BTreeMap<Arc<str>, BTreeMap<String, Touched>>,
}

impl Overlay {
    pub(crate) fn get(&self, full_name: &str, id: &str) -> Option<&Touched> {
        self.collections.get(full_name)?.get(id)
    }

    pub(crate) fn put(&mut self, full_name: &str, id: String, touched: Touched) {
        match self.collections.get_mut(full_name) {
            Some(records) => records.insert(id, touched),
            None => self.collections.entry(full_name.into()).or_default().insert(id, touched),
        };
    }

    pub(crate) fn touches(&self, full_name: &str) -> bool {
        self.collections.contains_key(full_name)
    }

    /// How many stored rows that a query selects are not as stored any more.
    pub(crate) fn hidden(&self, full_name: &str, place: Option<&str>, selects: impl Fn(&Position) -> bool) -> u64 {
        self.positions(full_name, place, |touched| touched.base.as_ref())
            .filter(|(position, _)| selects(position))
            .count() as u64
    }

    /// The changed or added rows that a query selects.
    pub(crate) fn shown(
        &self,
        full_name: &str,
        place: Option<&str>,
        selects: impl Fn(&Position) -> bool,
    ) -> Vec<(Position, Row)> {
        self.positions(full_name, place, |touched| touched.wanted.as_ref())
            .filter(|(position, _)| selects(position))
            .map(|(position, state)| {
                let row = Row { id: position.id.clone(), version: state.version, body: state.body.clone() };
                (position, row)
            })
            .collect()
    }

    fn positions<'a>(
        &'a self,
        full_name: &str,
        place: Option<&'a str>,
        state: impl Fn(&'a Touched) -> Option<&'a State> + 'a,
    ) -> impl Iterator<Item = (Position, &'a State)> {
        self.collections.get(full_name).into_iter().flatten().filter_map(move |(id, touched)| {
            let state = state(touched)?;
            Some((state.position(place, id)?, state))
        })
    }

    /// What is to be committed. A record that is in the end as it was is not in it.
    pub(crate) fn into_changes(self) -> Vec<RecordChange> {
        let mut changes = Vec::new();
        for (collection, records) in self.collections {
            for (id, Touched { base, wanted }) in records {
                let was_older = base.as_ref().is_some_and(State::is_older);
                let unkeyed = wanted.as_ref().map(|wanted| wanted.above.clone()).unwrap_or_default();
                let (expects, old_keys) = base.map_or((None, Vec::new()), |base| (Some(base.version), base.keys));
                let (becomes, new_keys) =
                    wanted.map_or((None, Vec::new()), |wanted| (Some((wanted.version, wanted.body)), wanted.keys));
                if expects.is_none() && becomes.is_none() {
                    continue;
                }
                let unindex = old_keys.iter().filter(|key| !new_keys.contains(key)).cloned().collect();
                let index = new_keys.into_iter().filter(|key| !old_keys.contains(key)).collect();
                let collection = collection.clone();
                let change = RecordChange { collection, id, expects, becomes, unindex, index, was_older, unkeyed };
                changes.push(change);
            }
        }
        changes
    }
}
