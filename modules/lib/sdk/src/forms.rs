//! Rows of several versions in one collection: each is written with its own, and an older one is brought into the present one
//! whenever it is read.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Fault, Readable, Record, Result, entry};

/// The member of a row that says its version, where it is not the first one; the first member where it stands.
const FORM: &str = "_form";

/// The version of a row that does not say its own.
pub(crate) const FIRST: u32 = 1;

/// A row that an earlier version of the module wrote.
#[derive(Debug, Clone)]
pub struct Before {
    /// The version that wrote it, from 1.
    pub version: u32,
    members: Map<String, Value>,
}

impl Before {
    /// The row as the type that it was written from.
    ///
    /// # Errors
    /// `not_upgraded` when it was written from another one.
    pub fn read<T: DeserializeOwned>(self) -> Result<T> {
        let version = self.version;
        let read = serde_json::from_value(Value::Object(self.members));
        read.map_err(|_| not_upgraded(format!("a row of version {version} is not what it was written from")))
    }

    /// Its members, for a row that is best taken apart by hand.
    pub fn members(self) -> Map<String, Value> {
        self.members
    }
}

fn not_upgraded(message: String) -> Fault {
    Fault::conflict("not_upgraded", message)
}

/// The collection of a type whose rows have more than one version.
#[derive(Debug, Clone, Copy)]
pub struct Upgraded {
    /// Its name within the module.
    pub(crate) name: &'static str,
    pub(crate) row: fn(&str) -> Result<String>,
}

impl Upgraded {
    /// Where the records of type `T` are kept.
    pub const fn of<T: Record>() -> Self {
        Self { name: T::COLLECTION, row: row::<T> }
    }
}

/// A row of any version as one of the present version is written.
pub(crate) fn row<T: Readable>(body: &str) -> Result<String> {
    Ok(written(&read::<T>(body.to_owned())?))
}

/// A row as JSON text, with its version where that is not the first.
pub(crate) fn written<T: Readable>(row: &T) -> String {
    let text = entry::written(row);
    match text.strip_prefix('{').filter(|_| T::VERSION > FIRST) {
        Some("}") => format!("{{\"{FORM}\":{}}}", T::VERSION),
        Some(rest) => format!("{{\"{FORM}\":{},{rest}", T::VERSION),
        None => text,
    }
}

/// A row from its text, whatever its version.
pub(crate) fn read<T: Readable>(body: String) -> Result<T> {
    let (version, body) = parted(body);
    let not = |what: &str| not_upgraded(format!("a row of {} {what}", T::COLLECTION));
    if version == T::VERSION {
        return T::read(body).map_err(|error| not(&format!("does not read as {}: {error}", T::THING)));
    }
    if version > T::VERSION {
        return Err(not(&format!("has version {version}, and {} is known here", T::VERSION)));
    }
    let members = serde_json::from_str(&body).map_err(|_| not("is no JSON object"))?;
    T::upgrade(Before { version, members })
}

/// The version of a row, and the row without it.
fn parted(body: String) -> (u32, String) {
    let Some(rest) = body.strip_prefix("{\"_form\":") else { return (FIRST, body) };
    let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
    let version = rest[..end].parse().unwrap_or(FIRST);
    let members = rest[end..].strip_prefix(',').unwrap_or(&rest[end..]);
    (version, format!("{{{members}"))
}

#[cfg(test)]
mod tests;
