//! Finding rows: one index range of the database, with the run's own changes merged into its order.

use std::sync::Arc;

use model::id::CustomerId;
use model::manifest::Collection;
use serde_json::Value;
use sqlx::{Any, Row as _};

use super::cursor::{self, Position};
use super::key::{self, Range};
use super::overlay::Overlay;
use super::{PAGE, Page, Query, RecordsError, Row, schema};
use crate::records::indexes::Indexes;
use crate::tables::Records;

/// A page of rows as one text: moving a row out of the driver costs more than finding it. The limit is a sum because
/// SQLite looks at a bare parameter there when it plans, and would plan anew for every call. The second statement first
/// sums up the sizes, which needs no body, and gives no rows above the bound in its last parameter.
macro_rules! page {
    ($line:literal, $rows:literal, $bound:literal) => {
        [
            concat!("SELECT string_agg(line, '\u{1e}'), 0 FROM (SELECT ", $line, " AS line ", $rows, ") AS page"),
            concat!(
                "SELECT CASE WHEN size <= ",
                $bound,
                " THEN (SELECT string_agg(line, '\u{1e}') FROM (SELECT ",
                $line,
                " AS line ",
                $rows,
                ") AS page) END, size FROM (SELECT CAST(COALESCE(SUM(octet_length(body)), 0) AS BIGINT) AS size \
                 FROM (SELECT r.body AS body ",
                $rows,
                ") AS bodies) AS sizes"
            ),
        ]
    };
}

// Each statement has one bound at either end of its range, and the cursor is one of them: with a second bound at that end a
// database may walk from the other, and a late page then reads all the pages before it.
const BY_INDEX: [&str; 2] = page!(
    "r.id || '\u{1f}' || r.version || '\u{1f}' || i.key || '\u{1f}' || r.body",
    "FROM record_index i JOIN record r ON r.customer = i.customer AND r.collection = $3 AND r.id = i.id \
     WHERE i.customer = $1 AND i.place = $2 AND (i.key, i.id) > ($4, $5) AND i.key < $6 \
     ORDER BY i.key, i.id LIMIT $7 + 0",
    "$8"
);
const BY_INDEX_DESCENDING: [&str; 2] = page!(
    "r.id || '\u{1f}' || r.version || '\u{1f}' || i.key || '\u{1f}' || r.body",
    "FROM record_index i JOIN record r ON r.customer = i.customer AND r.collection = $3 AND r.id = i.id \
     WHERE i.customer = $1 AND i.place = $2 AND (i.key, i.id) < ($4, $5) AND i.key >= $6 \
     ORDER BY i.key DESC, i.id DESC LIMIT $7 + 0",
    "$8"
);
const BY_ID: [&str; 2] = page!(
    "r.id || '\u{1f}' || r.version || '\u{1f}\u{1f}' || r.body",
    "FROM record r WHERE r.customer = $1 AND r.collection = $2 AND r.id >= $3 AND r.id < $4 \
     ORDER BY r.id LIMIT $5 + 0",
    "$6"
);
const BY_ID_DESCENDING: [&str; 2] = page!(
    "r.id || '\u{1f}' || r.version || '\u{1f}\u{1f}' || r.body",
    "FROM record r WHERE r.customer = $1 AND r.collection = $2 AND r.id >= $3 AND r.id < $4 \
     ORDER BY r.id DESC LIMIT $5 + 0",
    "$6"
);
/// Rows that are read without asking for their sizes first: of the largest, [`AT_ONCE`] bytes.
const SURE: usize = 32;
/// Bytes of rows that one statement reads.
const AT_ONCE: u64 = 8 * 1024 * 1024;
const COUNT_INDEX: &str =
    "SELECT COUNT(*) FROM record_index WHERE customer = $1 AND place = $2 AND key >= $3 AND key < $4";
const COUNT_IDS: &str = "SELECT COUNT(*) FROM record WHERE customer = $1 AND collection = $2 AND id >= $3 AND id < $4";

/// Above every key and every id.
const HIGHEST: &str = "\u{10ffff}";

/// A query, understood: which rows it selects and in which order.
pub(super) struct Selection<'a> {
    full_name: &'a str,
    place: Option<Arc<str>>,
    range: Range,
    after: Option<Position>,
    descending: bool,
    limit: usize,
    seal: [u8; 8],
}

impl<'a> Selection<'a> {
    pub(super) fn read(
        indexes: &Indexes,
        full_name: &'a str,
        collection: &Collection,
        query: &Query,
    ) -> Result<Self, RecordsError> {
        let (place, range) = match &query.index {
            Some(name) => {
                let index = schema::index(collection, name)?;
                let range = key::range(index, &query.equals, query.at_least.as_ref(), query.below.as_ref())?;
                // Rows that are older than the index would be missing.
                (Some(indexes.place(full_name, index, collection.form).ok_or(RecordsError::Preparing)?), range)
            }
            None => (None, ids(query)?),
        };
        if query.limit > PAGE {
            return Err(RecordsError::Malformed(format!("a page has at most {PAGE} rows")));
        }
        let seal = cursor::seal(full_name, query);
        let after = query.after.as_deref().map(|after| cursor::read(seal, after)).transpose()?;
        let limit = if query.limit == 0 { PAGE } else { query.limit } as usize;
        Ok(Self { full_name, place, range, after, descending: query.descending, limit, seal })
    }

    /// Whether a position is within the range, and after the cursor.
    fn selects(&self, position: &Position) -> bool {
        let within =
            if self.place.is_some() { self.range.holds(&position.key) } else { self.range.holds(&position.id) };
        within
            && self.after.as_ref().is_none_or(|after| if self.descending { position < after } else { position > after })
    }
}

/// Without an index the bounds are ids.
fn ids(query: &Query) -> Result<Range, RecordsError> {
    let bound = |value: &Option<Value>, otherwise: &str| match value {
        None => Ok(otherwise.to_owned()),
        Some(Value::String(id)) => Ok(id.clone()),
        Some(_) => Err(RecordsError::Malformed("an id is a string".to_owned())),
    };
    if !query.equals.is_empty() {
        return Err(RecordsError::Malformed("equals needs an index".to_owned()));
    }
    Ok(Range { from: bound(&query.at_least, "")?, to: bound(&query.below, HIGHEST)? })
}

impl Records {
    /// One page of a selection. More than `may_read` bytes are refused before they are read.
    pub(super) async fn find(
        &self,
        customer: &CustomerId,
        selection: &Selection<'_>,
        overlay: &Overlay,
        may_read: u64,
    ) -> Result<Page, RecordsError> {
        let Selection { full_name, place, limit, .. } = selection;
        let touched = overlay.touches(full_name);
        let hidden = if touched { overlay.hidden(full_name, place.as_deref(), |at| selection.selects(at)) } else { 0 };
        let hidden = usize::try_from(hidden).unwrap_or(usize::MAX);
        let mut found = self.fetch(customer, selection, *limit + 1 + hidden, may_read).await?;
        if touched {
            found.retain(|(position, _)| overlay.get(full_name, &position.id).is_none());
            found.extend(overlay.shown(full_name, place.as_deref(), |at| selection.selects(at)));
        }
        // The database promises the rows of the page, not their order in the text.
        found.sort_unstable_by(|(a, _), (b, _)| if selection.descending { b.cmp(a) } else { a.cmp(b) });
        let more = found.len() > *limit;
        found.truncate(*limit);
        let next = found.last().filter(|_| more).map(|(position, _)| cursor::write(selection.seal, position));
        Ok(Page { rows: found.into_iter().map(|(_, row)| row).collect(), next })
    }

    /// How many rows a selection has; its cursor and limit do not matter.
    pub(super) async fn count(
        &self,
        customer: &CustomerId,
        selection: &Selection<'_>,
        overlay: &Overlay,
    ) -> Result<u64, RecordsError> {
        let Selection { full_name, place, range, .. } = selection;
        let query = match place {
            Some(place) => sqlx::query::<Any>(COUNT_INDEX).bind(customer.as_str()).bind(&**place),
            None => sqlx::query::<Any>(COUNT_IDS).bind(customer.as_str()).bind(*full_name),
        };
        let query = query.bind(range.from.as_str()).bind(range.to.as_str());
        let stored: i64 = self.database.reader().of_runs(customer).fetch_one(query).await?.try_get(0)?;
        let within = |at: &Position| range.holds(if place.is_some() { &at.key } else { &at.id });
        let hidden = overlay.hidden(full_name, place.as_deref(), within);
        let shown = overlay.shown(full_name, place.as_deref(), within).len() as u64;
        Ok((stored.unsigned_abs() + shown).saturating_sub(hidden))
    }

    /// The first rows of a selection, in pieces of at most [`AT_ONCE`] bytes.
    async fn fetch(
        &self,
        customer: &CustomerId,
        selection: &Selection<'_>,
        limit: usize,
        may_read: u64,
    ) -> Result<Vec<(Position, Row)>, RecordsError> {
        let (mut found, mut read) = (Vec::new(), 0_u64);
        let (mut after, mut piece) = (selection.after.clone(), limit);
        loop {
            let wanted = piece.min(limit - found.len());
            match self.piece(customer, selection, after.as_ref(), wanted).await? {
                Piece::Rows(rows) => {
                    let last = rows.len() < wanted;
                    read += rows.iter().map(|(_, row)| row.body.len() as u64).sum::<u64>();
                    if read > may_read {
                        return Err(RecordsError::TooMuchRead);
                    }
                    found.extend(rows);
                    if last || found.len() >= limit {
                        return Ok(found);
                    }
                    // The database promises the rows of a piece, not their order in the text.
                    let edge = |(a, _): &&(Position, Row), (b, _): &&(Position, Row)| a.cmp(b);
                    let end = if selection.descending { found.iter().min_by(edge) } else { found.iter().max_by(edge) };
                    after = end.map(|(position, _)| position.clone());
                }
                // The whole of what was asked for is too much, also in pieces.
                Piece::TooLarge(size) if wanted + found.len() == limit && read + size > may_read => {
                    return Err(RecordsError::TooMuchRead);
                }
                Piece::TooLarge(_) => piece = (wanted / 4).max(SURE),
            }
        }
    }

    async fn piece(
        &self,
        customer: &CustomerId,
        selection: &Selection<'_>,
        after: Option<&Position>,
        wanted: usize,
    ) -> Result<Piece, RecordsError> {
        let Selection { full_name, place, range, descending, .. } = selection;
        let limit = i64::try_from(wanted).unwrap_or(i64::MAX);
        let measured = wanted > SURE;
        let bound = i64::try_from(AT_ONCE).unwrap_or(i64::MAX);
        let (from, to) = (range.from.as_str(), range.to.as_str());
        let row = match place {
            Some(place) => {
                // No id is empty: `(from, "")` is before every row of that key, and `(to, "")` too.
                let edge = if *descending { (to, "") } else { (from, "") };
                let cursor = after.map_or(edge, |after| (&after.key, &after.id));
                // A cursor comes from outside, and leads nowhere that the range does not.
                let (key, id) = if *descending { cursor.min(edge) } else { cursor.max(edge) };
                let (sql, other) = if *descending { (BY_INDEX_DESCENDING, from) } else { (BY_INDEX, to) };
                let query = sqlx::query::<Any>(sql[usize::from(measured)]).bind(customer.as_str()).bind(&**place);
                let query = query.bind(*full_name).bind(key).bind(id).bind(other).bind(limit);
                let query = if measured { query.bind(bound) } else { query };
                self.database.reader().of_runs(customer).fetch_one(query).await?
            }
            None => {
                // The first text after an id: no id holds a zero byte.
                let next = after.map(|after| format!("{}\u{1}", after.id));
                let (from, to) = match after {
                    Some(after) if *descending => (from, to.min(&after.id)),
                    _ => (next.as_deref().map_or(from, |next| from.max(next)), to),
                };
                let sql = if *descending { BY_ID_DESCENDING } else { BY_ID }[usize::from(measured)];
                let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(*full_name);
                let query = query.bind(from).bind(to).bind(limit);
                let query = if measured { query.bind(bound) } else { query };
                self.database.reader().of_runs(customer).fetch_one(query).await?
            }
        };
        let page: Option<String> = row.try_get(0)?;
        if page.is_none() && measured {
            let size = row.try_get::<i64, _>(1)?.unsigned_abs();
            if size > AT_ONCE {
                return Ok(Piece::TooLarge(size));
            }
        }
        let lines = page.iter().flat_map(|page| page.split('\u{1e}'));
        let rows = lines.map(|line| {
            let (key, row) = super::stored::read_packed(line)?;
            Ok::<_, RecordsError>((Position { key, id: row.id.clone() }, row))
        });
        Ok(Piece::Rows(rows.collect::<Result<_, _>>()?))
    }
}

/// What one statement found.
enum Piece {
    Rows(Vec<(Position, Row)>),
    /// More than [`AT_ONCE`] bytes: so many.
    TooLarge(u64),
}

#[cfg(test)]
mod tests;
