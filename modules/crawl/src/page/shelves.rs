//! The pages of a list, found by the columns of a large crawl that has ended.

use filter::Sort;
use sdk::prelude::*;
use serde_json::{Map, Value};

use super::glance::whole;
use super::selection::{Asked, Selection, too_wide};
use crate::columns::{ALWAYS, Column};
use crate::stored::Written;

/// Pages that one call looks through; the shelf on which the last stands is looked through to its end.
const LOOKED_AT: u64 = 25_000;
/// Bytes of columns after which a call goes on with the cursor even so: with the last shelf, of ten fields at worst, that
/// is what the fuel of a read is good for.
const LOOKED_BYTES: usize = 3 << 20;
/// The same where a pattern is asked about: some need a hundred units of fuel for a byte.
const MATCHED_BYTES: usize = 768 << 10;
/// Pages are read together when the next is at most so many further on.
const GAP: u64 = 3;

/// Where a page stands: its shelf, and the pages before it there.
type Place = (usize, usize);

/// Whether a cursor is one of these lists.
pub(super) fn is_own(cursor: &Cursor) -> bool {
    place(cursor).is_some()
}

fn place(cursor: &Cursor) -> Option<Place> {
    let (shelf, page) = cursor.as_str().strip_prefix("c:")?.split_once(':')?;
    Some((shelf.parse().ok()?, page.parse().ok()?))
}

/// Goes through the shelves; a cursor is the place of the next page that passes, or of the first that was not looked at.
pub(super) fn looked_through(asked: &Asked<'_>, shelves: &[u32]) -> Result<Selection> {
    let (first, mut done) = match &asked.cursor {
        Some(cursor) => place(cursor).ok_or_else(sdk::invalid_cursor)?,
        None => (0, 0),
    };
    let all: u64 = shelves.iter().copied().map(u64::from).sum();
    let to_count = asked.cursor.is_none() && all <= LOOKED_AT;
    let most_bytes = if asked.filter.has_pattern() { MATCHED_BYTES } else { LOOKED_BYTES };
    let limit = usize::try_from(asked.limit).unwrap_or(usize::MAX);
    let (mut places, mut matched, mut looked, mut bytes) = (Vec::new(), 0, 0, 0);
    let mut next = None;
    for (shelf, pages) in shelves.iter().enumerate().skip(first) {
        if looked >= LOOKED_AT || bytes >= most_bytes || (next.is_some() && !to_count) {
            next = next.or(Some((shelf, 0)));
            break;
        }
        let columns = Columns::read(asked, shelf, &asked.filter.fields());
        for page in done..*pages as usize {
            if !asked.filter.holds(|name| columns.value(name, page)) {
                continue;
            }
            matched += 1;
            if places.len() < limit {
                places.push((shelf, page));
            } else {
                next = next.or(Some((shelf, page)));
            }
        }
        looked += u64::from(*pages);
        bytes += columns.bytes();
        done = 0;
    }
    // What was cut short by its bytes was not counted to the end.
    let counted = to_count && looked == all;
    let next = next.map(|(shelf, page)| Cursor::new(format!("c:{shelf}:{page}")));
    Ok(Selection { rows: shown(asked, &places)?, total: counted.then_some(matched), next })
}

/// All that pass, in the order of a field.
pub(super) fn sorted(asked: &Asked<'_>, shelves: &[u32], (field, greatest_first): Sort) -> Result<Selection> {
    if shelves.iter().copied().map(u64::from).sum::<u64>() > LOOKED_AT {
        return Err(too_wide(LOOKED_AT));
    }
    let wanted = [asked.filter.fields(), vec![field]].concat();
    let mut found: Vec<(Option<Value>, Place)> = Vec::new();
    let mut bytes = 0;
    for (shelf, pages) in shelves.iter().enumerate() {
        let columns = Columns::read(asked, shelf, &wanted);
        bytes += columns.bytes();
        if bytes >= 2 * LOOKED_BYTES {
            return Err(too_wide(found.len() as u64));
        }
        let passing = (0..*pages as usize).filter(|page| asked.filter.holds(|name| columns.value(name, *page)));
        found.extend(passing.map(|page| (columns.value(field, page).cloned(), (shelf, page))));
    }
    // Pages with the same value stay in the order of fetching.
    found.sort_by(|(a, _), (b, _)| filter::sorted(a.as_ref(), b.as_ref(), greatest_first));
    let (range, next) = asked.part_of(found.len())?;
    let places: Vec<Place> = found[range].iter().map(|(_, place)| *place).collect();
    Ok(Selection { rows: shown(asked, &places)?, total: Some(found.len() as u64), next })
}

/// The columns of one shelf that are asked about.
struct Columns(Vec<(&'static str, Column)>);

impl Columns {
    fn read(asked: &Asked<'_>, shelf: usize, wanted: &[&'static str]) -> Self {
        let mut wanted = wanted.to_vec();
        wanted.sort_unstable();
        wanted.dedup();
        let read = |name| (name, Column::read(asked.cx, asked.run.as_str(), shelf, name));
        Self(wanted.into_iter().map(read).collect())
    }

    fn value(&self, name: &str, page: usize) -> Option<&Value> {
        self.0.iter().find(|(column, _)| *column == name).and_then(|(_, column)| column.value(page))
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|(_, column)| column.bytes).sum()
    }
}

/// The rows of these pages, in their order: neighbours are read together.
fn shown(asked: &Asked<'_>, places: &[Place]) -> Result<Vec<Map<String, Value>>> {
    let mut shelves: Vec<(usize, Column)> = Vec::new();
    let mut wanted: Vec<(u64, usize)> = Vec::with_capacity(places.len());
    for (at, (shelf, page)) in places.iter().enumerate() {
        let known = shelves.iter().position(|(known, _)| known == shelf).unwrap_or_else(|| {
            shelves.push((*shelf, Column::read(asked.cx, asked.run.as_str(), *shelf, ALWAYS)));
            shelves.len() - 1
        });
        wanted.extend(shelves[known].1.value(*page).and_then(Value::as_u64).map(|seq| (seq, at)));
    }
    wanted.sort_unstable();
    let mut rows: Vec<(usize, Map<String, Value>)> = Vec::with_capacity(wanted.len());
    for together in wanted.chunk_by(|a, b| b.0 - a.0 <= GAP) {
        let (first, last) = (together[0].0, together[together.len() - 1].0);
        let range = asked.cx.records::<Written>().by("run_seq").equals(asked.run).at_least(first).below(last + 1);
        for row in range.scan() {
            let row = whole(&row.it);
            let seq = row.get("seq").and_then(Value::as_u64);
            let place = seq.and_then(|seq| together.binary_search_by_key(&seq, |(seq, _)| *seq).ok());
            rows.extend(place.map(|place| (together[place].1, row)));
        }
    }
    rows.sort_by_key(|(at, _)| *at);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}
