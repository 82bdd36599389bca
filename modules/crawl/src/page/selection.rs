//! The pages of a list, found through an index and row by row.

use filter::{Filter, Sort};
use sdk::prelude::*;
use serde_json::{Map, Value};

use super::glance::{glance, whole};
use crate::columns::{self, Shelves};
use crate::stored::{Run, Written};

/// Rows that one call looks through: all of a crawl that has no columns.
pub(super) const LOOKED_AT: u64 = columns::FEWEST;
/// Bytes of rows after which a call goes on with the cursor even so: rows may be long, and a read has its bounds.
const LOOKED_BYTES: usize = 8 << 20;
/// Rows asked for at once while looking.
const CHUNK: u64 = 250;

/// A condition that an index answers: the field is this.
pub(super) struct Base {
    pub(super) index: &'static str,
    pub(super) field: &'static str,
    pub(super) value: Value,
}

/// What is asked of a crawl.
pub(super) struct Asked<'a> {
    pub(super) cx: &'a Cx,
    pub(super) run: &'a Id<Run>,
    /// The condition that an index answers.
    pub(super) base: Option<Base>,
    /// All conditions, that one too.
    pub(super) filter: Filter,
    pub(super) limit: u64,
    pub(super) cursor: Option<Cursor>,
}

/// What is shown of it.
pub(super) struct Selection {
    pub(super) rows: Vec<Map<String, Value>>,
    /// How many there are in all, when that is known.
    pub(super) total: Option<u64>,
    pub(super) next: Option<Cursor>,
}

impl Asked<'_> {
    /// The rows that the index leaves; without one all of the crawl's, in the order of fetching.
    pub(super) fn rows(&self) -> sdk::Query<'_, Written> {
        let rows = self.cx.records::<Written>();
        match &self.base {
            Some(Base { index, value, .. }) => rows.by(index).equals(self.run).equals(value),
            None => rows.by("run_seq").equals(self.run),
        }
    }

    /// How many rows the index leaves.
    pub(super) fn count(&self, shelves: Option<&Shelves>) -> u64 {
        let known = shelves.and_then(|shelves| match &self.base {
            Some(base) => shelves.counted(base.field, &base.value),
            None => Some(shelves.pages.iter().copied().map(u64::from).sum()),
        });
        known.unwrap_or_else(|| self.rows().count())
    }

    /// What the index alone answers.
    pub(super) fn by_index(&self, shelves: Option<&Shelves>) -> Result<Selection> {
        let total = Some(self.count(shelves));
        let page = self.rows().page(self.limit, self.cursor.clone())?;
        let rows = page.items.iter().map(|row| whole(&row.it)).collect();
        Ok(Selection { rows, total, next: page.next })
    }

    /// All that pass, in the order of a field.
    pub(super) fn sorted(&self, (field, greatest_first): Sort) -> Result<Selection> {
        if self.rows().count() > LOOKED_AT {
            return Err(too_wide(LOOKED_AT));
        }
        let wanted = [self.filter.fields(), vec![field, "seq"]].concat();
        let seen = self.rows().scan().map(|row| (glance(&row.it, &wanted), row.it));
        let mut rows: Vec<(Map<String, Value>, Written)> =
            seen.filter(|(seen, _)| self.filter.holds(|name| seen.get(name))).collect();
        rows.sort_by(|(a, _), (b, _)| {
            let order = filter::sorted(a.get(field), b.get(field), greatest_first);
            order.then_with(|| filter::order(a.get("seq"), b.get("seq")))
        });
        let (range, next) = self.part_of(rows.len())?;
        let shown = rows[range].iter().map(|(_, row)| whole(row)).collect();
        Ok(Selection { rows: shown, total: Some(rows.len() as u64), next })
    }

    /// What is shown of so many sorted pages; its cursor counts those before.
    pub(super) fn part_of(&self, total: usize) -> Result<(std::ops::Range<usize>, Option<Cursor>)> {
        let from = match &self.cursor {
            Some(cursor) => {
                cursor.as_str().strip_prefix("o:").and_then(|text| text.parse().ok()).ok_or_else(sdk::invalid_cursor)?
            }
            None => 0_usize,
        };
        let end = from.saturating_add(usize::try_from(self.limit).unwrap_or(usize::MAX)).min(total);
        Ok((from.min(end)..end, (end < total).then(|| Cursor::new(format!("o:{end}")))))
    }

    /// Goes through the rows in chunks; a cursor is where a chunk began and how many of its rows are done.
    pub(super) fn looked_through(&self) -> Result<Selection> {
        let to_count = self.cursor.is_none() && self.rows().count() <= LOOKED_AT;
        let (mut chunk, mut done) = match &self.cursor {
            None => (None, 0),
            Some(cursor) => {
                let (done, chunk) = cursor.as_str().split_once(':').ok_or_else(sdk::invalid_cursor)?;
                let done: usize = done.parse().map_err(|_| sdk::invalid_cursor())?;
                ((!chunk.is_empty()).then(|| Cursor::new(chunk)), done)
            }
        };
        let (mut found, mut matched, mut looked, mut bytes) = (Vec::new(), 0_u64, 0_u64, 0);
        let (mut next, wanted) = (None, self.filter.fields());
        loop {
            let page = self.rows().page(CHUNK, chunk.clone())?;
            for (at, row) in page.items.into_iter().enumerate().skip(done) {
                looked += 1;
                bytes += row.it.text().len();
                let seen = glance(&row.it, &wanted);
                if !self.filter.holds(|name| seen.get(name)) {
                    continue;
                }
                matched += 1;
                if (found.len() as u64) < self.limit {
                    found.push(whole(&row.it));
                } else if next.is_none() {
                    next = Some(position(at, chunk.as_ref()));
                }
            }
            let at_end = page.next.is_none();
            let full = next.is_some() && !to_count;
            if at_end || looked >= LOOKED_AT || bytes >= LOOKED_BYTES || full {
                let total = (to_count && at_end).then_some(matched);
                let next = next.or_else(|| page.next.as_ref().map(|chunk| position(0, Some(chunk))));
                return Ok(Selection { rows: found, total, next });
            }
            (chunk, done) = (page.next, 0);
        }
    }
}

/// 422 for a crawl of which not all can be sorted.
pub(super) fn too_wide(most: u64) -> Fault {
    let message = format!("only {most} pages can be sorted at once; narrow them by status, depth or indexability");
    Fault::invalid("/sort", "sort_too_wide", message)
}

fn position(done: usize, chunk: Option<&Cursor>) -> Cursor {
    Cursor::new(format!("{done}:{}", chunk.map_or("", Cursor::as_str)))
}
