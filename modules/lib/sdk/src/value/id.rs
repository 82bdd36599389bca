//! Opaque references.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A reference to a `T`: opaque, at most 128 characters, kept a string even when it is all digits.
pub struct Id<T> {
    text: String,
    of: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// A reference as some store gave it.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), of: PhantomData }
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same reference, to a thing that goes by another type here, such as a foreign one.
    pub fn cast<U>(&self) -> Id<U> {
        Id::new(self.text.clone())
    }
}

impl<T> From<String> for Id<T> {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl<T> From<&str> for Id<T> {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl<T> From<&String> for Id<T> {
    fn from(text: &String) -> Self {
        Self::new(text)
    }
}

impl<T> From<Id<T>> for String {
    fn from(id: Id<T>) -> Self {
        id.text
    }
}

impl<T> AsRef<str> for Id<T> {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        self.cast()
    }
}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl<T> Eq for Id<T> {}

impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() || text.len() > 128 {
            return Err(serde::de::Error::custom("a reference has 1 to 128 characters"));
        }
        Ok(Self::new(text))
    }
}

impl<T> JsonSchema for Id<T> {
    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 128, "own": true })
    }
}
