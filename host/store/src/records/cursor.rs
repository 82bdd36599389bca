//! Cursors: where a page ended, bound to the query that it is a page of.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::{Query, RecordsError};

/// A place in an order: an index key (empty without an index) and an id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) key: String,
    pub(crate) id: String,
}

/// What a query is, without its page: eight bytes are enough to notice a cursor of another query.
pub(crate) fn seal(full_name: &str, query: &Query) -> [u8; 8] {
    let asked = (full_name, &query.index, &query.equals, &query.at_least, &query.below, query.descending);
    let bytes = serde_json::to_vec(&asked).expect("JSON scalars can be written");
    let mut seal = [0; 8];
    seal.copy_from_slice(&Sha256::digest(bytes)[..8]);
    seal
}

/// As handed to the guest: base64url, so that the longest key and id fit the 1,024 characters of a cursor.
pub(crate) fn write(seal: [u8; 8], position: &Position) -> String {
    let mut bytes = Vec::with_capacity(9 + position.key.len() + position.id.len());
    bytes.extend_from_slice(&seal);
    bytes.extend_from_slice(position.key.as_bytes());
    // Neither keys nor ids hold a zero byte.
    bytes.push(0);
    bytes.extend_from_slice(position.id.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

/// As given back.
pub(crate) fn read(seal: [u8; 8], text: &str) -> Result<Position, RecordsError> {
    let refuse = || RecordsError::Malformed("the cursor is not one of this query".to_owned());
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| refuse())?;
    let rest = bytes.strip_prefix(seal.as_slice()).ok_or_else(refuse)?;
    let split = rest.iter().position(|byte| *byte == 0).ok_or_else(refuse)?;
    let part = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| refuse());
    Ok(Position { key: part(&rest[..split])?, id: part(&rest[split + 1..])? })
}

#[cfg(test)]
mod tests;
