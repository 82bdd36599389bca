//! Cursors bound to their list: each `next_cursor` of an answer ends with a digest of the arguments it was made for.
//!
//! This happens on the way to and from the handler, so that no operation can forget it and none sees the digest.

use std::any::type_name;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::invalid_cursor;
use crate::Result;

/// What separates a cursor from the digest of its list.
const MARK: char = '~';

/// The arguments of the handler: those of the call, with the cursor as the handler wrote it.
///
/// # Errors
/// 422 `invalid_cursor` at `/cursor` for a cursor of another list, of other arguments, or that is none.
pub(crate) fn unbind<A: Serialize + DeserializeOwned>(text: &str, arguments: A) -> Result<A> {
    #[derive(Deserialize)]
    struct Paged {
        cursor: Option<String>,
    }
    let Ok(Paged { cursor: Some(cursor) }) = serde_json::from_str(text) else { return Ok(arguments) };
    let Ok(mut value) = serde_json::to_value(&arguments) else { return Ok(arguments) };
    let Some(own) = value.get_mut("cursor") else { return Ok(arguments) };
    let (cursor, list) = cursor.rsplit_once(MARK).ok_or_else(invalid_cursor)?;
    *own = cursor.into();
    if cursor.is_empty() || list != digest::<A>(&value) {
        return Err(invalid_cursor());
    }
    serde_json::from_value(value).map_err(|_| invalid_cursor())
}

/// The answer with its `next_cursor` bound to the arguments of the call; any other answer as it is.
pub(crate) fn bind<A: Serialize + DeserializeOwned>(text: &str, mut answer: String) -> String {
    #[derive(Deserialize)]
    struct Paged<'a> {
        #[serde(borrow)]
        next_cursor: Option<&'a RawValue>,
    }
    if !answer.contains("\"next_cursor\":\"") {
        return answer;
    }
    let Ok(Paged { next_cursor: Some(next) }) = serde_json::from_str(&answer) else { return answer };
    let arguments = serde_json::from_str::<A>(text).and_then(serde_json::to_value);
    let Some(arguments) = arguments.ok().filter(|value| value.get("cursor").is_some()) else { return answer };
    // Where the text of the cursor ends in the answer: before its closing quotation mark.
    let end = next.get().as_ptr() as usize - answer.as_ptr() as usize + next.get().len() - 1;
    answer.insert_str(end, &format!("{MARK}{}", digest::<A>(&arguments)));
    answer
}

/// The first 64 bits of SHA-256 over the name of the arguments' type and the arguments without `limit` and `cursor`, in
/// hexadecimal. Not a secret: a cursor grants nothing that its arguments do not.
fn digest<A>(arguments: &Value) -> String {
    let mut others = arguments.clone();
    if let Value::Object(members) = &mut others {
        members.remove("limit");
        members.remove("cursor");
    }
    let hash = Sha256::new().chain_update(type_name::<A>()).chain_update([0]).chain_update(others.to_string());
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
