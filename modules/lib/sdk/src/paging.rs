//! Paging over rows that a module computed: the arguments `limit` and `cursor`, and windows over the rows.

use crate::{Cursor, Fault, Page, Result};

pub(crate) mod bound;

/// Arguments with `limit` and `cursor`; `#[args(paged)]` adds both and implements this.
pub trait Paged {
    /// The most rows of one page.
    fn limit(&self) -> usize;

    /// The `next_cursor` of the page before; none for the first page.
    fn cursor(&self) -> Option<&Cursor>;

    /// The place of the page's first row among all rows, from 0.
    ///
    /// # Errors
    /// 422 `invalid_cursor` at `/cursor` for a cursor that is no position.
    fn start(&self) -> Result<usize> {
        self.cursor().map_or(Ok(0), position)
    }

    /// The rows of this page out of all rows, and the cursor of the next.
    ///
    /// `limit` may change between pages. Rows that vanished since the last page leave an empty last page.
    ///
    /// # Errors
    /// 422 `invalid_cursor` at `/cursor` for a cursor that is no position.
    fn window<T>(&self, rows: Vec<T>) -> Result<Page<T>> {
        let from = self.start()?;
        let end = from.saturating_add(self.limit());
        let next = (end < rows.len()).then(|| Cursor::new(end.to_string()));
        Ok(Page { items: rows.into_iter().skip(from).take(self.limit()).collect(), next })
    }
}

/// The refusal of a cursor that does not continue this list.
#[must_use]
pub fn invalid_cursor() -> Fault {
    Fault::invalid("/cursor", "invalid_cursor", "the cursor is not one of this list; start without it")
}

/// The place that a cursor of a computed list stands for. None is so great that a page more would overflow.
///
/// # Errors
/// 422 `invalid_cursor` at `/cursor` for a cursor that is no position.
pub fn position(cursor: &Cursor) -> Result<usize> {
    let written = |it: &usize| *it <= i32::MAX as usize && it.to_string() == cursor.as_str();
    cursor.as_str().parse().ok().filter(written).ok_or_else(invalid_cursor)
}

#[cfg(test)]
mod tests;
