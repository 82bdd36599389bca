//! `records` and `records-write`: the customer's records of this module.

use serde_json::Value;
use store::{Query, RecordsError};

use crate::bindings::{records, records_write};
use crate::state::State;
use crate::stop::{LimitKind, Stop};

/// Bytes of one record; larger values belong in blobs.
const MOST_BODY: usize = 256 * 1024;
/// Bytes of an id with the signs around it, at most.
const MOST_ID: u64 = 260;
/// Rows of one page or chunk.
const MOST_ROWS: u32 = 1_000;

type Outcome<T> = wasmtime::Result<Result<T, records::RecordsError>>;

impl records::Host for State {
    async fn get(&mut self, collection: String, id: String) -> Outcome<Option<records::Row>> {
        self.enter()?;
        let got = self.span.bound(self.workspace.get(&collection, &id)).await;
        Ok(self.known(got)?.map(|row| row.map(shown)).map_err(refused))
    }

    async fn find(&mut self, collection: String, query: records::Query) -> Outcome<records::Page> {
        self.enter()?;
        let query = match asked(query) {
            Ok(query) => query,
            Err(error) => return Ok(Err(error)),
        };
        let found = self.span.bound(self.workspace.find(&collection, &query)).await;
        let page = self.known(found)?;
        Ok(page
            .map(|page| records::Page { rows: page.rows.into_iter().map(shown).collect(), next: page.next })
            .map_err(refused))
    }

    async fn scan(&mut self, collection: String, query: records::Query) -> Outcome<records::Chunk> {
        self.enter()?;
        let query = match asked(query) {
            Ok(query) => query,
            Err(error) => return Ok(Err(error)),
        };
        let found = self.span.bound(self.workspace.find(&collection, &query)).await;
        Ok(self.known(found)?.map(packed).map_err(refused))
    }

    async fn count(&mut self, collection: String, query: records::Query) -> Outcome<u64> {
        self.enter()?;
        let query = match asked(query) {
            Ok(query) => query,
            Err(error) => return Ok(Err(error)),
        };
        let counted = self.span.bound(self.workspace.count(&collection, &query)).await;
        Ok(self.known(counted)?.map_err(refused))
    }
}

impl records_write::Host for State {
    async fn insert(&mut self, collection: String, id: Option<String>, body: String) -> Outcome<records::Row> {
        self.enter_changing()?;
        if let Err(error) = measured(&body) {
            return Ok(Err(error));
        }
        let inserted = self.span.bound(self.workspace.insert(&collection, id, body)).await;
        Ok(self.known(inserted)?.map(shown).map_err(refused))
    }

    async fn put_many(&mut self, collection: String, rows: Vec<u8>) -> Outcome<u32> {
        self.enter_changing()?;
        // Before anything is made of them: a row of three bytes becomes hundreds.
        let tally = self.workspace.tally();
        let lines = rows.iter().filter(|byte| **byte == b'\n').count() as u64;
        if tally.rows_written.saturating_add(lines) > self.limits.rows_written {
            return Err(self.end(Stop::Limit(LimitKind::RowsWritten)));
        }
        if rows.len() as u64 > self.limits.bytes_written.saturating_add(lines * MOST_ID) {
            return Err(self.end(Stop::Limit(LimitKind::BytesWritten)));
        }
        self.weigh_with(rows.len())?;
        let rows = match unpacked(&rows) {
            Ok(rows) => rows,
            Err(error) => return Ok(Err(error)),
        };
        let put = self.span.bound(self.workspace.put_many(&collection, rows)).await;
        Ok(self.known(put)?.map_err(refused))
    }

    async fn update(&mut self, collection: String, id: String, version: u64, body: String) -> Outcome<records::Row> {
        self.enter_changing()?;
        if let Err(error) = measured(&body) {
            return Ok(Err(error));
        }
        let updated = self.span.bound(self.workspace.update(&collection, &id, version, body)).await;
        Ok(self.known(updated)?.map(shown).map_err(refused))
    }

    async fn remove(&mut self, collection: String, id: String, version: u64) -> Outcome<()> {
        self.enter_removing(&collection)?;
        let removed = self.span.bound(self.workspace.remove(&collection, &id, version)).await;
        Ok(self.known(removed)?.map_err(refused))
    }

    async fn remove_where(&mut self, collection: String, index: String, equals: Vec<String>) -> Outcome<u64> {
        self.enter_removing(&collection)?;
        let equals = match scalars(&equals) {
            Ok(equals) => equals,
            Err(error) => return Ok(Err(error)),
        };
        let removed = self.span.bound(self.workspace.remove_where(&collection, &index, equals)).await;
        Ok(self.known(removed)?.map_err(refused))
    }
}

fn shown(row: store::Row) -> records::Row {
    records::Row { id: row.id, version: row.version, body: row.body.to_string() }
}

fn refused(error: RecordsError) -> records::RecordsError {
    match error {
        RecordsError::Undeclared(name) => records::RecordsError::Undeclared(name),
        RecordsError::Malformed(what) => records::RecordsError::Malformed(what),
        RecordsError::Conflict => records::RecordsError::Conflict,
        RecordsError::Missing => records::RecordsError::Missing,
        // Unreachable: `State::known` has already ended the run.
        RecordsError::Store(_)
        | RecordsError::Busy
        | RecordsError::Preparing
        | RecordsError::TooManyJobs
        | RecordsError::TooMuchRead
        | RecordsError::TooMuchWritten => records::RecordsError::Malformed("the store failed".to_owned()),
    }
}

fn malformed<T>(what: impl Into<String>) -> Result<T, records::RecordsError> {
    Err(records::RecordsError::Malformed(what.into()))
}

fn asked(query: records::Query) -> Result<Query, records::RecordsError> {
    let bound = |value: Option<String>| value.map(|text| scalar(&text)).transpose();
    Ok(Query {
        index: query.index,
        equals: scalars(&query.equals)?,
        at_least: bound(query.at_least)?,
        below: bound(query.below)?,
        descending: query.descending,
        after: query.after,
        limit: query.limit.clamp(1, MOST_ROWS),
    })
}

fn scalars(texts: &[String]) -> Result<Vec<Value>, records::RecordsError> {
    texts.iter().map(|text| scalar(text)).collect()
}

fn scalar(text: &str) -> Result<Value, records::RecordsError> {
    match serde_json::from_str(text) {
        Ok(Value::Array(_) | Value::Object(_)) | Err(_) => malformed("a value of an index is a JSON scalar"),
        Ok(value) => Ok(value),
    }
}

fn measured(body: &str) -> Result<(), records::RecordsError> {
    if body.len() > MOST_BODY { malformed("a record has at most 256 KiB; larger things are blobs") } else { Ok(()) }
}

/// Encodes each row as id, tab, version, tab, body, newline.
fn packed(page: store::Page) -> records::Chunk {
    let mut rows = Vec::with_capacity(page.rows.iter().map(|row| row.id.len() + row.body.len() + 24).sum());
    for row in &page.rows {
        rows.extend_from_slice(row.id.as_bytes());
        rows.push(b'\t');
        rows.extend_from_slice(row.version.to_string().as_bytes());
        rows.push(b'\t');
        // JSON allows a raw newline only between tokens, where a space means the same.
        rows.extend(row.body.bytes().map(|byte| if byte == b'\n' || byte == b'\r' { b' ' } else { byte }));
        rows.push(b'\n');
    }
    records::Chunk { rows, count: u32::try_from(page.rows.len()).unwrap_or(u32::MAX), next: page.next }
}

/// Decodes rows of optional id, tab, body, newline.
fn unpacked(rows: &[u8]) -> Result<Vec<(Option<String>, String)>, records::RecordsError> {
    let Ok(text) = std::str::from_utf8(rows) else { return malformed("packed rows are UTF-8") };
    let row = |line: &str| {
        let Some((id, body)) = line.split_once('\t') else {
            return malformed("a packed row is an id, a tab and a body");
        };
        measured(body)?;
        Ok(((!id.is_empty()).then(|| id.to_owned()), body.to_owned()))
    };
    text.split_terminator('\n').map(row).collect()
}

#[cfg(test)]
mod tests;
