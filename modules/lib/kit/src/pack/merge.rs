//! Replacing days of a month.

use super::{Damaged, Figures, Reader, Unordered, Writer};

/// Why a merge failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// An old pack is damaged.
    Damaged,
    /// The new rows do not ascend.
    Unordered,
}

impl From<Damaged> for Merge {
    fn from(_: Damaged) -> Self {
        Self::Damaged
    }
}

impl From<Unordered> for Merge {
    fn from(_: Unordered) -> Self {
        Self::Unordered
    }
}

/// Writes the rows of `old` without the days of the mask `replaced`, merged with `new`, whose keys ascend and whose days are
/// in `replaced`. Idempotent. Holds one key of each side in memory.
///
/// # Errors
/// See [`Merge`]; the writer keeps what was written before.
pub fn merge<F: Figures, K: AsRef<[u8]>>(
    old: &[Vec<u8>],
    replaced: u32,
    new: impl IntoIterator<Item = (K, Vec<(u8, F)>)>,
    into: &mut Writer<F>,
) -> Result<(), Merge> {
    let mut new = new.into_iter().peekable();
    for pack in old {
        let mut reader = Reader::<F>::open(pack)?;
        while reader.advance()? {
            while let Some((key, days)) = new.next_if(|(key, _)| key.as_ref() < reader.key()) {
                into.push(key.as_ref(), &days)?;
            }
            let mut days: Vec<(u8, F)> = reader.days().filter(|(day, _)| replaced & (1 << day) == 0).collect();
            if let Some((_, more)) = new.next_if(|(key, _)| key.as_ref() == reader.key()) {
                days.extend(more);
                days.sort_by_key(|(day, _)| *day);
            }
            into.push(reader.key(), &days)?;
        }
    }
    for (key, days) in new {
        into.push(key.as_ref(), &days)?;
    }
    Ok(())
}
