//! A record with its id and version: what a collection gives back.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::Readable;
use crate::value::Id;

/// A record as it is stored. In results it is written flat: its id under the record's reference
/// name (`author_ref`), then its own members.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored<T> {
    /// Opaque; growing in the order of insertion when the host made it.
    pub id: Id<T>,
    /// The version that was read; an update names it.
    pub version: u64,
    /// The record.
    pub it: T,
}

impl<T> Stored<T> {
    /// The record alone.
    pub fn into_inner(self) -> T {
        self.it
    }
}

impl<T> Deref for Stored<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.it
    }
}

impl<T> DerefMut for Stored<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.it
    }
}

impl<T: Readable> Serialize for Stored<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = serde_json::to_value(&self.it).map_err(serde::ser::Error::custom)?;
        if let Value::Object(object) = &mut value {
            object.insert(T::REFERENCE.to_owned(), Value::String(self.id.as_str().to_owned()));
        }
        value.serialize(serializer)
    }
}

impl<'de, T: Readable> Deserialize<'de> for Stored<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let id =
            value.get(T::REFERENCE).and_then(Value::as_str).ok_or_else(|| D::Error::missing_field(T::REFERENCE))?;
        let id = Id::new(id);
        Ok(Self { id, version: 0, it: serde_json::from_value(value).map_err(D::Error::custom)? })
    }
}

impl<T: Readable + JsonSchema> JsonSchema for Stored<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Stored{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let id = Id::<T>::json_schema(generator);
        let mut schema = T::json_schema(generator);
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.insert(T::REFERENCE.to_owned(), id.to_value());
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.push(T::REFERENCE.into());
        }
        schema
    }
}
