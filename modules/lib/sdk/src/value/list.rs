//! Lists between two lengths.

use std::borrow::Cow;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// A list of `MIN` to `MAX` items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct List<T, const MIN: usize, const MAX: usize>(Vec<T>);

impl<T, const MIN: usize, const MAX: usize> List<T, MIN, MAX> {
    /// The items.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

/// An empty list; `#[serde(default)]` is for lists with a `MIN` of 0, and the contract's test refuses others.
impl<T, const MIN: usize, const MAX: usize> Default for List<T, MIN, MAX> {
    fn default() -> Self {
        const { assert!(MIN == 0, "a list that needs items has no default") }
        Self(Vec::new())
    }
}

impl<T, const MIN: usize, const MAX: usize> TryFrom<Vec<T>> for List<T, MIN, MAX> {
    type Error = String;

    fn try_from(items: Vec<T>) -> Result<Self, String> {
        let length = items.len();
        if (MIN..=MAX).contains(&length) {
            Ok(Self(items))
        } else {
            Err(format!("must have {MIN} to {MAX} items, has {length}"))
        }
    }
}

impl<T, const MIN: usize, const MAX: usize> Deref for List<T, MIN, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const MIN: usize, const MAX: usize> IntoIterator for List<T, MIN, MAX> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T, const MIN: usize, const MAX: usize> IntoIterator for &'a List<T, MIN, MAX> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'de, T: Deserialize<'de>, const MIN: usize, const MAX: usize> Deserialize<'de> for List<T, MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

impl<T: JsonSchema, const MIN: usize, const MAX: usize> JsonSchema for List<T, MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("List{MIN}To{MAX}Of{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "array", "items": generator.subschema_for::<T>(), "maxItems": MAX });
        if MIN > 0 {
            schema.insert("minItems".into(), MIN.into());
        }
        schema
    }
}
