//! One collection in memory: rows by id, declared indexes, keyset pages.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::bindings::wit::records::{Page, Query, RecordsError, Row};
use crate::{Index, Result};

/// Rows of one collection.
#[derive(Clone)]
pub(super) struct Table {
    rows: BTreeMap<String, (u64, Value)>,
    /// A row of any version as one of the present version, where there are several.
    row: Option<fn(&str) -> Result<String>>,
    indexes: &'static [Index],
    /// Another module's, whose indexes a test need not know when it has no rows.
    lenient: bool,
}

/// A row's place in an index: the values of its fields, then its id.
type Key = (Vec<Value>, String);

impl Table {
    pub(super) fn new(indexes: &'static [Index], row: Option<fn(&str) -> Result<String>>) -> Self {
        Self { rows: BTreeMap::new(), row, indexes, lenient: false }
    }

    pub(super) fn foreign() -> Self {
        Self { rows: BTreeMap::new(), row: None, indexes: &[], lenient: true }
    }

    pub(super) fn get(&self, id: &str) -> Option<Row> {
        self.rows.get(id).map(|(version, body)| Row { id: id.to_owned(), version: *version, body: body.to_string() })
    }

    pub(super) fn insert(&mut self, id: &str, body: &str) -> Result<Row, RecordsError> {
        if self.rows.contains_key(id) {
            return Err(RecordsError::Conflict);
        }
        self.put(id, body)
    }

    pub(super) fn put(&mut self, id: &str, body: &str) -> Result<Row, RecordsError> {
        let body = self.object(body)?;
        let version = self.rows.get(id).map_or(1, |(version, _)| version + 1);
        self.rows.insert(id.to_owned(), (version, body));
        self.get(id).ok_or(RecordsError::Missing)
    }

    pub(super) fn update(&mut self, id: &str, version: u64, body: &str) -> Result<Row, RecordsError> {
        self.expect(id, version)?;
        self.put(id, body)
    }

    pub(super) fn remove(&mut self, id: &str, version: u64) -> Result<(), RecordsError> {
        self.expect(id, version)?;
        self.rows.remove(id);
        Ok(())
    }

    /// Takes a row away, whatever its version.
    pub(super) fn forget(&mut self, id: &str) {
        self.rows.remove(id);
    }

    pub(super) fn remove_where(&mut self, index: &str, equals: &[String]) -> Result<u64, RecordsError> {
        let query = Query {
            index: Some(index.to_owned()),
            equals: equals.to_vec(),
            at_least: None,
            below: None,
            descending: false,
            after: None,
            limit: u32::MAX,
        };
        let keys = self.select(&query)?;
        for (_, id) in &keys {
            self.rows.remove(id);
        }
        Ok(keys.len() as u64)
    }

    pub(super) fn count(&self, query: &Query) -> Result<u64, RecordsError> {
        Ok(self.select(&Query { after: None, ..query.clone() })?.len() as u64)
    }

    pub(super) fn find(&self, query: &Query) -> Result<Page, RecordsError> {
        let keys = self.select(query)?;
        let limit = query.limit as usize;
        let next = (keys.len() > limit).then(|| cursor(query, &keys[limit - 1]));
        Ok(Page { rows: keys.iter().take(limit).filter_map(|(_, id)| self.get(id)).collect(), next })
    }

    fn select(&self, query: &Query) -> Result<Vec<Key>, RecordsError> {
        let fields = match &query.index {
            None => &[][..],
            Some(name) => match self.indexes.iter().find(|it| it.name == name) {
                Some(index) => index.fields,
                None if self.lenient => return Ok(Vec::new()),
                None => return Err(RecordsError::Undeclared(name.clone())),
            },
        };
        let equals = query.equals.iter().map(|it| scalar(it)).collect::<Result<Vec<_>, _>>()?;
        let at_least = query.at_least.as_deref().map(scalar).transpose()?;
        let below = query.below.as_deref().map(scalar).transpose()?;
        let ranged = usize::from(at_least.is_some() || below.is_some());
        if equals.len() + ranged > fields.len() {
            return Err(RecordsError::Malformed("more values than the index has fields".to_owned()));
        }
        let after = query.after.as_deref().map(|it| position(query, it)).transpose()?;
        let mut keys: Vec<Key> = self
            .rows
            .iter()
            .map(|(id, (_, body))| {
                let body = self.present(body);
                (fields.iter().map(|it| body.get(it).cloned().unwrap_or_default()).collect(), id.clone())
            })
            .filter(|(values, _): &Key| {
                let next = values.get(equals.len());
                values.iter().zip(&equals).all(|(it, wanted)| order(it, wanted).is_eq())
                    && at_least.as_ref().zip(next).is_none_or(|(bound, it)| order(it, bound).is_ge())
                    && below.as_ref().zip(next).is_none_or(|(bound, it)| order(it, bound).is_lt())
            })
            .collect();
        keys.sort_by(compare);
        if query.descending {
            keys.reverse();
        }
        if let Some(after) = after {
            keys.retain(|it| if query.descending { compare(it, &after).is_lt() } else { compare(it, &after).is_gt() });
        }
        Ok(keys)
    }

    /// A row in the present version: an index is over that.
    fn present<'a>(&self, body: &'a Value) -> Cow<'a, Value> {
        let present =
            self.row.and_then(|row| row(&body.to_string()).ok()).and_then(|it| serde_json::from_str(&it).ok());
        present.map_or(Cow::Borrowed(body), Cow::Owned)
    }

    fn expect(&self, id: &str, version: u64) -> Result<(), RecordsError> {
        match self.rows.get(id) {
            None => Err(RecordsError::Missing),
            Some((stored, _)) if *stored != version => Err(RecordsError::Conflict),
            Some(_) => Ok(()),
        }
    }

    /// A body is an object, and what an index holds of it is a scalar.
    fn object(&self, body: &str) -> Result<Value, RecordsError> {
        let malformed = |what: String| RecordsError::Malformed(what);
        let body: Value = serde_json::from_str(body).map_err(|error| malformed(error.to_string()))?;
        if !body.is_object() {
            return Err(malformed("a body is a JSON object".to_owned()));
        }
        let field = self
            .indexes
            .iter()
            .flat_map(|it| it.fields)
            .find(|it| matches!(body.get(**it), Some(Value::Array(_) | Value::Object(_))));
        match field {
            Some(field) => Err(malformed(format!("{field} is indexed and not a scalar"))),
            None => Ok(body),
        }
    }
}

fn scalar(text: &str) -> Result<Value, RecordsError> {
    match serde_json::from_str(text) {
        Ok(Value::Array(_) | Value::Object(_)) | Err(_) => {
            Err(RecordsError::Malformed(format!("{text} is not a JSON scalar")))
        }
        Ok(scalar) => Ok(scalar),
    }
}

/// Nothing before truth before numbers before text.
fn order(one: &Value, other: &Value) -> Ordering {
    let rank = |it: &Value| match it {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) | Value::Array(_) | Value::Object(_) => 3,
    };
    match (one, other) {
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (Value::Number(one), Value::Number(other)) => {
            one.as_f64().unwrap_or_default().total_cmp(&other.as_f64().unwrap_or_default())
        }
        (Value::String(one), Value::String(other)) => one.cmp(other),
        _ => rank(one).cmp(&rank(other)),
    }
}

fn compare(one: &Key, other: &Key) -> Ordering {
    let values = one.0.iter().zip(&other.0).map(|(one, other)| order(one, other)).find(|it| it.is_ne());
    values.unwrap_or_else(|| one.1.cmp(&other.1))
}

/// A cursor says which question it belongs to, so that another list's is refused.
fn cursor(query: &Query, key: &Key) -> String {
    serde_json::json!([query.index, query.equals, query.descending, key.0, key.1]).to_string()
}

fn position(query: &Query, cursor: &str) -> Result<Key, RecordsError> {
    let read = || {
        let (index, equals, descending, values, id): (Option<String>, Vec<String>, bool, Vec<Value>, String) =
            serde_json::from_str(cursor).ok()?;
        (index == query.index && equals == query.equals && descending == query.descending).then_some((values, id))
    };
    read().ok_or_else(|| RecordsError::Malformed("the cursor is not ours".to_owned()))
}
