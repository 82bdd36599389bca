//! JSON in one form: strict reading of what clients send, and RFC 8785 writing for fingerprints and hashes.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

use crate::limits::JSON_DEPTH;
use crate::token::hex;

/// Reads a JSON object as RFC 7493 (I-JSON) allows: no member twice, no number that a double cannot hold,
/// no nesting beyond [`JSON_DEPTH`].
///
/// # Errors
/// The message says what is wrong and where (line and column), never what was sent.
pub fn read_object(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    match read(bytes)? {
        Value::Object(members) => Ok(members),
        _ => Err("the body must be a JSON object".to_owned()),
    }
}

/// Reads any JSON value under the same rules.
///
/// # Errors
/// As [`read_object`].
pub fn read(bytes: &[u8]) -> Result<Value, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { depth: 0 }.deserialize(&mut deserializer).map_err(say)?;
    deserializer.end().map_err(say)?;
    Ok(value)
}

fn say(error: serde_json::Error) -> String {
    let text = error.to_string();
    match error.classify() {
        serde_json::error::Category::Data => text,
        _ => format!("the body is not JSON at line {} column {}", error.line(), error.column()),
    }
}

/// The RFC 8785 form of a value.
pub fn write(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).expect("a JSON value can be written")
}

/// `sha256:` and the hex of the canonical form.
pub fn digest(value: &impl serde::Serialize) -> String {
    format!("sha256:{}", hex(&Sha256::digest(write(value))))
}

/// The fingerprint under which an idempotency key is held: the operation and its arguments as sent.
pub fn fingerprint(operation: &str, arguments: &Map<String, Value>) -> String {
    let hash = Sha256::new()
        .chain_update(b"esp1\0")
        .chain_update(operation.as_bytes())
        .chain_update(b"\0")
        .chain_update(write(arguments))
        .finalize();
    hex(&hash)
}

#[derive(Clone, Copy)]
struct Strict {
    depth: usize,
}

impl Strict {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth >= JSON_DEPTH {
            return Err(E::custom(format!("JSON is nested deeper than {JSON_DEPTH}")));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// The largest integer that every JSON reader keeps exact.
const SAFE: i64 = (1 << 53) - 1;
/// From here on ECMA-262 writes a number with an exponent.
const IN_DIGITS_BELOW: f64 = 1e21;
const UNSAFE: &str = "an integer is outside ±(2^53 − 1); write it as a string";

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Value, E> {
        if value < -SAFE {
            return Err(E::custom(UNSAFE));
        }
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        if value > SAFE.unsigned_abs() {
            return Err(E::custom(UNSAFE));
        }
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        // A number with a fraction of zero is the integer it equals, so that 1, 1.0 and 1e0 are one argument.
        if value.fract() == 0.0 && value.abs() <= SAFE as f64 {
            return Ok(Value::Number((value as i64).into()));
        }
        // What is left between them is whole as well, and written in digits (ECMA-262, Number::toString): the integer
        // that is refused above, and the same for two that were sent as different ones.
        if value.abs() > SAFE as f64 && value.abs() < IN_DIGITS_BELOW {
            return Err(E::custom(UNSAFE));
        }
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut members = Map::new();
        while let Some(name) = map.next_key_seed(Name)? {
            let value = map.next_value_seed(inner)?;
            if members.insert(name, value).is_some() {
                return Err(A::Error::custom("a member of an object is given twice"));
            }
        }
        Ok(Value::Object(members))
    }
}

struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        String::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests;
