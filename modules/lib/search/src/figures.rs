//! Reading stored figures.

use kit::pack::{Reader, Search};
use sdk::prelude::*;
use site::Site;

use crate::index::{Entry, Index};
use crate::{Cut, Month, Period, SearchType};

/// Bytes that one call reads; the lock of its operation allows as much.
pub const MAX_BYTES: u64 = 96 << 20;
/// The largest index.
const MAX_INDEX: u32 = 1 << 20;
/// The largest pack, which has a single key.
const MAX_BLOB: u32 = 8 << 20;

/// The figures of one website and search type.
pub struct Figures<'a> {
    cx: &'a Cx,
    folder: String,
}

/// Why figures could not be read. A sum of a part is never returned for the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// The question reads more than [`MAX_BYTES`].
    TooMuch {
        /// The first day of the longest period with the same end that fits; `None` when not even one month does.
        fits_from: Option<Day>,
    },
    /// A pack of this month is missing or damaged, or was replaced twice while it was read.
    Damaged(Month),
}

impl ReadError {
    /// The refusal, at the argument that sets the beginning of the period.
    #[must_use]
    pub fn at(self, pointer: &str) -> Fault {
        let fits_from = match self {
            Self::TooMuch { fits_from } => fits_from,
            Self::Damaged(month) => {
                let message =
                    format!("the stored figures of {month} cannot be read; try again, then import the month again");
                return Fault::unavailable("storage_damaged", message);
            }
        };
        let message = match fits_from {
            Some(day) => {
                format!("these figures are too many for one answer; the longest period that fits begins on {day}")
            }
            None => "these figures are too many for one answer, even of one month".to_owned(),
        };
        Fault::invalid(pointer, "period_too_wide", message)
    }
}

impl<'a> Figures<'a> {
    /// Those of another module's customer: what every module but `search_console` uses.
    #[must_use]
    pub fn of(cx: &'a Cx, site: &Id<Site>, kind: SearchType) -> Self {
        Self { cx, folder: format!("search_console.gsc_daily/{site}/{}", kind.name()) }
    }

    /// Those of the module `search_console` itself.
    #[must_use]
    pub fn own(cx: &'a Cx, site: &Id<Site>, kind: SearchType) -> Self {
        Self { cx, folder: format!("gsc_daily/{site}/{}", kind.name()) }
    }

    /// The key of a blob of a month and cut.
    pub(crate) fn blob(&self, month: Month, cut: Cut, name: &str) -> String {
        format!("{}/{month}/{}/{name}", self.folder, cut.name())
    }

    /// The key of the blob of a month's counts by position.
    pub(crate) fn counts_blob(&self, month: Month) -> String {
        format!("{}/{month}/counts", self.folder)
    }

    /// The context that it reads through.
    pub(crate) fn cx(&self) -> &'a Cx {
        self.cx
    }

    /// The index of a month and cut; `None` when nothing is stored.
    #[must_use]
    pub fn index(&self, month: Month, cut: Cut) -> Option<Index> {
        let bytes = self.cx.blobs().read(&self.blob(month, cut, "index"), 0, MAX_INDEX)?;
        serde_json::from_slice(&bytes).ok()
    }

    /// The number of days of a period that are stored in a cut.
    #[must_use]
    pub fn stored_days(&self, cut: Cut, period: Period) -> u32 {
        u32::try_from(self.days(cut, period).len()).unwrap_or(u32::MAX)
    }

    /// The days of a period that are stored in a cut, the earliest first. A day that is not among them is unknown, not zero.
    #[must_use]
    pub fn days(&self, cut: Cut, period: Period) -> Vec<Day> {
        let mut days = Vec::new();
        for month in period.months() {
            let mask = self.index(month, cut).map_or(0, |it| it.days & month.mask(period));
            days.extend((0..31_u8).filter(|bit| mask & (1 << bit) != 0).map(|bit| month.day(bit)));
        }
        days
    }

    /// Calls `each` with every key that begins with `prefix`, its days in the period and their figures. A key comes once for
    /// each month, in the order of months and then of keys.
    ///
    /// # Errors
    /// See [`ReadError`]; [`ReadError::TooMuch`] comes before anything is read.
    pub fn by_day(
        &self,
        cut: Cut,
        period: Period,
        prefix: &[u8],
        mut each: impl FnMut(&[u8], Day, Search),
    ) -> Result<(), ReadError> {
        let months = self.plan(cut, period, prefix, false)?;
        for Part { month, mask, name, .. } in months {
            self.read(month, cut, &name, prefix, |reader| {
                for (bit, figures) in reader.days().filter(|(bit, _)| mask & (1 << bit) != 0) {
                    each(reader.key(), month.day(bit), figures);
                }
            })?;
        }
        Ok(())
    }

    /// Calls `each` with every key that begins with `prefix` and the sum of its days in the period. A key comes once for each
    /// month, in the order of months and then of keys. Months that are whole in the period are read from their sums.
    ///
    /// # Errors
    /// See [`ReadError`]; [`ReadError::TooMuch`] comes before anything is read.
    pub fn sums(
        &self,
        cut: Cut,
        period: Period,
        prefix: &[u8],
        mut each: impl FnMut(&[u8], Search),
    ) -> Result<(), ReadError> {
        let months = self.plan(cut, period, prefix, true)?;
        for Part { month, mask, name, .. } in months {
            self.read(month, cut, &name, prefix, |reader| {
                if let Some(sum) = reader.sum(mask) {
                    each(reader.key(), sum);
                }
            })?;
        }
        Ok(())
    }

    /// The packs to read, with the mask of their days.
    fn plan(&self, cut: Cut, period: Period, prefix: &[u8], by_sums: bool) -> Result<Vec<Part>, ReadError> {
        let (mut parts, mut bytes) = (Vec::new(), 0);
        // The newest month first, so that the longest period that fits is known where the sum passes the bound.
        for month in period.months().rev() {
            let Some(index) = self.index(month, cut) else { continue };
            let mask = month.mask(period);
            let whole = by_sums && index.days & !mask == 0;
            let (entries, mask) = if whole { (&index.sums, 1) } else { (&index.packs, mask) };
            let of_month = needed(entries, prefix).map(|(_, entry)| entry.bytes).sum::<u64>();
            bytes += of_month;
            if bytes > MAX_BYTES {
                let fits = month.next().first();
                return Err(ReadError::TooMuch { fits_from: (fits <= period.last).then_some(fits) });
            }
            let kind = if whole { "s" } else { "" };
            let name = |at: usize| format!("{}/{kind}{at}", index.written);
            let found: Vec<Part> =
                needed(entries, prefix).map(|(at, _)| Part { month, mask, name: name(at) }).collect();
            parts.push(found);
        }
        Ok(parts.into_iter().rev().flatten().collect())
    }

    fn read(
        &self,
        month: Month,
        cut: Cut,
        name: &str,
        prefix: &[u8],
        mut each: impl FnMut(&Reader<'_, Search>),
    ) -> Result<(), ReadError> {
        let damaged = |_| ReadError::Damaged(month);
        let bytes = self.cx.blobs().read(&self.blob(month, cut, name), 0, MAX_BLOB).unwrap_or_default();
        let mut reader = Reader::<Search>::open(&bytes).map_err(damaged)?;
        while reader.advance().map_err(damaged)? {
            if reader.key().starts_with(prefix) {
                each(&reader);
            } else if reader.key() > prefix {
                break;
            }
        }
        Ok(())
    }
}

/// A pack to read.
struct Part {
    month: Month,
    mask: u32,
    name: String,
}

fn needed<'e>(entries: &'e [Entry], prefix: &'e [u8]) -> impl Iterator<Item = (usize, &'e Entry)> {
    entries.iter().enumerate().filter(move |(_, entry)| entry.may_hold(prefix))
}
