//! One line of an export, as JSON and as the cells of a table.

use std::collections::BTreeMap;

use sdk::json;
use sdk::serde_json::{Map, Value};

use crate::platform::stored::{Blob, Row};

/// The most signs of base64 in one piece of a blob: a multiple of four, so that each piece stands for whole bytes.
const PIECE: usize = 2 << 20;

/// A row, or a piece of a blob.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line {
    /// A row of a collection.
    Row { id: String, version: u64, body: Map<String, Value> },
    /// Bytes of a blob, from an offset on.
    Piece { key: String, bytes: u64, offset: u64, base64: String },
}

impl From<Row> for Line {
    fn from(row: Row) -> Self {
        Self::Row { id: row.id, version: row.version, body: row.body }
    }
}

/// A blob in pieces, most often one.
pub(super) fn pieces(blob: Blob) -> Vec<Line> {
    let Blob { key, bytes, base64 } = blob;
    if base64.len() <= PIECE {
        return vec![Line::Piece { key, bytes, offset: 0, base64 }];
    }
    let mut pieces = Vec::new();
    let mut rest = base64.as_str();
    let mut offset = 0;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_checked(PIECE).unwrap_or((rest, ""));
        pieces.push(Line::Piece { key: key.clone(), bytes, offset, base64: piece.to_owned() });
        offset += (piece.len() / 4 * 3) as u64;
        rest = after;
    }
    pieces
}

impl Line {
    /// As a line of JSON, without its end.
    pub(super) fn json(&self) -> String {
        match self {
            Self::Row { id, version, body } => json!({ "id": id, "version": version, "body": body }).to_string(),
            Self::Piece { key, bytes, offset, base64 } => {
                json!({ "key": key, "bytes": bytes, "offset": offset, "base64": base64 }).to_string()
            }
        }
    }

    /// Heads of the columns that every line of its kind has.
    pub(super) const fn lead(&self) -> &'static [&'static str] {
        match self {
            Self::Row { .. } => &["id", "version"],
            Self::Piece { .. } => &["key", "bytes", "offset", "base64"],
        }
    }

    /// The cells of these columns, then the others by their heads, all as they are written.
    pub(super) fn cells(&self) -> (Vec<String>, BTreeMap<String, String>) {
        match self {
            Self::Row { id, version, body } => {
                let taken = |name: &str| matches!(name, "id" | "version");
                let head = |name: &String| if taken(name) { format!("body.{name}") } else { name.clone() };
                let cells = body.iter().map(|(name, value)| (head(name), cell(value)));
                (vec![quoted(id), version.to_string()], cells.collect())
            }
            Self::Piece { key, bytes, offset, base64 } => {
                (vec![quoted(key), bytes.to_string(), offset.to_string(), base64.clone()], BTreeMap::new())
            }
        }
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    }
}

/// A field by RFC 4180: in quotation marks where it has a comma, a mark or the end of a line. An empty one has them too,
/// to be told from none.
pub(super) fn quoted(text: &str) -> String {
    if text.is_empty() || text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
