//! Paging over rows that a module computed: the arguments `limit` and `cursor`, and windows bound to them.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{Cursor, Fault, Page, Result};

/// Arguments with `limit` and `cursor`; `#[args(paged)]` adds both and implements this.
pub trait Paged: Serialize {
    /// Names the list, so that a cursor of another list with equal arguments is refused.
    const LIST: &'static str;

    /// The most rows of one page.
    fn limit(&self) -> usize;

    /// The `next_cursor` of the page before; none for the first page.
    fn cursor(&self) -> Option<&Cursor>;

    /// The rows of this page out of all rows, and the cursor of the next.
    ///
    /// The cursor holds a position and a digest of the other arguments, so it continues only the list it was made for.
    /// `limit` may change between pages. Rows that vanished since the last page leave an empty last page.
    ///
    /// # Errors
    /// 422 `invalid_cursor` at `/cursor` for a cursor of another list, of other arguments, or that is no cursor.
    fn window<T>(&self, rows: Vec<T>) -> Result<Page<T>> {
        let list = digest(self);
        let from = self.cursor().map_or(Ok(0), |it| position(it, &list))?;
        let end = from.saturating_add(self.limit());
        let next = (end < rows.len()).then(|| Cursor::new(format!("{end}.{list}")));
        Ok(Page { items: rows.into_iter().skip(from).take(self.limit()).collect(), next })
    }
}

/// The refusal of a cursor that does not continue this list.
#[must_use]
pub fn invalid_cursor() -> Fault {
    Fault::invalid("/cursor", "invalid_cursor", "the cursor is not one of this list; start without it")
}

fn position(cursor: &Cursor, list: &str) -> Result<usize> {
    let (position, of) = cursor.as_str().split_once('.').ok_or_else(invalid_cursor)?;
    let canonical = |it: &usize| it.to_string() == position;
    let position = position.parse().ok().filter(canonical).ok_or_else(invalid_cursor)?;
    if of == list { Ok(position) } else { Err(invalid_cursor()) }
}

/// The first 64 bits of SHA-256 over the list's name and its arguments without `limit` and `cursor`, in hexadecimal.
fn digest<A: Paged + ?Sized>(arguments: &A) -> String {
    let mut value = serde_json::to_value(arguments).unwrap_or_default();
    if let Value::Object(members) = &mut value {
        members.remove("limit");
        members.remove("cursor");
    }
    let hash = Sha256::new().chain_update(A::LIST).chain_update([0]).chain_update(value.to_string()).finalize();
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
