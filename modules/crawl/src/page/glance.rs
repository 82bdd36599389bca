//! Kept here: a few members of a row, read without making values of the others.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::stored::Written;

/// The wanted fields of a row; one that it does not have is left out.
pub(super) fn glance(row: &Written, wanted: &[&'static str]) -> Map<String, Value> {
    let mut json = serde_json::Deserializer::from_str(row.text());
    Members(wanted).deserialize(&mut json).unwrap_or_else(|error| panic!("a row does not read: {error}"))
}

/// All of a row.
pub(super) fn whole(row: &Written) -> Map<String, Value> {
    serde_json::from_str(row.text()).unwrap_or_else(|error| panic!("a row does not read: {error}"))
}

/// Reads an object and keeps these members.
struct Members<'w>(&'w [&'static str]);

impl<'de> DeserializeSeed<'de> for Members<'_> {
    type Value = Map<String, Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut kept = Map::new();
        while let Some(name) = members.next_key_seed(Name(self.0))? {
            match name {
                Some(name) => drop(kept.insert(name.to_owned(), members.next_value()?)),
                None => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(kept)
    }
}

/// Reads a member's name: the wanted one, or nothing.
struct Name<'w>(&'w [&'static str]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().find(|wanted| **wanted == name).copied())
    }
}
