//! Values that carry their bounds: into serde, into the JSON Schema and into the refusal at once.

mod count;
mod country;
mod day;
mod decimal;
mod domain;
mod id;
mod language;
mod list;
mod moment;
mod patch;
mod secret;
mod text;
mod time;
mod url;

pub use self::count::Count;
pub use self::country::Country;
pub use self::day::Day;
pub use self::decimal::Decimal;
pub use self::domain::Domain;
pub use self::id::Id;
pub use self::language::Language;
pub use self::list::List;
pub use self::moment::Moment;
pub use self::patch::Patch;
pub use self::secret::{Credentials, Secret};
pub use self::text::Text;
pub use self::time::Time;
pub use self::url::{GivenUrl, Url};

use schemars::JsonSchema;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Serialize};

/// The arguments of an operation that takes none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// A literal as a value: what `#[default(…)]` makes of its argument.
pub fn literal<'de, T: DeserializeOwned, L: IntoDeserializer<'de, Error>>(literal: L) -> T {
    T::deserialize(literal.into_deserializer())
        .unwrap_or_else(|error| panic!("a default is outside its type's bounds: {error}"))
}

/// The serde and schema sides of a value that is written as one string.
macro_rules! string_value {
    ($type:ident, $schema:expr) => {
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&self.to_text())
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.to_text())
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = ::std::borrow::Cow::<str>::deserialize(deserializer)?;
                text.parse().map_err(::serde::de::Error::custom)
            }
        }

        impl ::schemars::JsonSchema for $type {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                $schema
            }
        }
    };
}
pub(crate) use string_value;

#[cfg(test)]
mod tests;
