//! Arguments that nobody but the host sees: a handler has a handle in their place.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Characters of one secret.
const LONGEST: u32 = 8_192;

/// A secret text. The contract lists it under `secrets` by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

/// A secret object of texts, such as a user name with a password. The contract lists it under `secrets` by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Credentials(String);

impl Secret {
    /// What the host knows it by, within this call.
    pub fn handle(&self) -> &str {
        &self.0
    }
}

impl Credentials {
    /// What the host knows them by, within this call.
    pub fn handle(&self) -> &str {
        &self.0
    }
}

impl JsonSchema for Secret {
    fn schema_name() -> Cow<'static, str> {
        "Secret".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "password", "writeOnly": true, "minLength": 1, "maxLength": LONGEST })
    }
}

impl JsonSchema for Credentials {
    fn schema_name() -> Cow<'static, str> {
        "Credentials".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "writeOnly": true,
            "minProperties": 1,
            "maxProperties": 16,
            "additionalProperties": { "type": "string", "format": "password", "minLength": 1, "maxLength": LONGEST }
        })
    }
}
