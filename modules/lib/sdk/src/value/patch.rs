//! Members of a change: left alone, taken away, or set.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A member of a change: left out it keeps what there is, `null` takes it away, a value sets it. A field of this type is
/// written `#[serde(default, skip_serializing_if = "Patch::is_keep")]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Nothing is said.
    #[default]
    Keep,
    /// There is no value from now on.
    Clear,
    /// This is the value from now on.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether nothing is said.
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// The value after the change.
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Clear => serializer.serialize_none(),
            Self::Set(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("PatchOf{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        // Not `anyOf`: that is how an optional argument is written, where null is not taken.
        json_schema!({ "oneOf": [generator.subschema_for::<T>(), { "type": "null" }] })
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::Patch;

    #[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
    struct Change {
        #[serde(default, skip_serializing_if = "Patch::is_keep")]
        name: Patch<String>,
    }

    #[test]
    fn left_out_keeps_null_takes_away_and_a_value_sets() {
        let read = |text: &str| serde_json::from_str::<Change>(text).expect("a change").name;
        assert_eq!(read("{}").apply(Some("a".to_owned())).as_deref(), Some("a"));
        assert_eq!(read(r#"{"name":null}"#).apply(Some("a".to_owned())), None);
        assert_eq!(read(r#"{"name":"b"}"#).apply(None).as_deref(), Some("b"));
        let schema = schemars::schema_for!(Change).to_value();
        assert!(
            schema["properties"]["name"]["default"].is_null() && schema["properties"]["name"].get("default").is_none()
        );
        assert!(schema.get("required").is_none());
        assert_eq!(serde_json::to_string(&Change { name: Patch::Keep }).expect("JSON"), "{}");
    }
}
