//! The last phase of a large crawl, which writes its fields by columns, a shelf a step.

use sdk::prelude::*;

use super::Phase;
use super::crawl::Crawl;
use crate::columns::{FEWEST, Shelf, Shelves, blob};
use crate::stored::Row;

/// Rows read at once.
const CHUNK: u64 = 250;

impl Crawl<'_> {
    /// Rows are about to say something else than the columns.
    pub(super) fn forget_columns(&mut self) -> Result<()> {
        let run = self.reference();
        self.budget.call();
        if Shelves::read(self.cx, &run).is_some() {
            Shelves::default().write(self.cx, &run)?;
        }
        Ok(())
    }

    /// Writes one shelf; ends the phase when every page stands on one.
    pub(super) fn write_columns(&mut self) -> Result<()> {
        self.budget.call();
        let rows = || self.cx.records::<Row>().by("run_seq").equals(&self.run.id);
        if self.point.cursor.is_none() && rows().count() <= FEWEST {
            self.point.phase = Phase::Ended;
            return Ok(());
        }
        if !self.budget.is_fresh() {
            self.budget.end();
            return Ok(());
        }
        let run = self.reference();
        let first = self.point.cursor.is_none();
        let mut shelves = Shelves::read(self.cx, &run).filter(|_| !first).unwrap_or_default();
        let mut shelf = Shelf::new();
        let mut cursor = self.point.cursor.take().map(Cursor::new);
        loop {
            let page = rows().page(CHUNK, cursor)?;
            for row in page.items {
                shelf.push(&row.0);
                shelves.count(&row.0);
            }
            cursor = page.next;
            if cursor.is_none() || shelf.is_full() {
                break;
            }
        }
        let (at, pages) = (shelves.pages.len(), shelf.pages());
        for (field, bytes) in shelf.finish() {
            self.cx.blobs().write(&blob(&run, at, field), &bytes)?;
        }
        shelves.pages.push(pages);
        match cursor {
            Some(cursor) => self.point.cursor = Some(cursor.as_str().to_owned()),
            None => {
                shelves.whole = true;
                self.point.phase = Phase::Ended;
            }
        }
        self.budget.end();
        shelves.write(self.cx, &run)
    }
}
