//! Storing figures: replacing days of a month.

use kit::pack::{Packed, Reader, Search, Writer, merge};
use sdk::prelude::*;

use crate::index::{Entry, Index};
use crate::{Cut, Figures, Month};

/// Bytes of a pack.
pub const MAX_PACK: usize = 1 << 20;
/// The largest pack that is read back.
const MAX_BLOB: u32 = 8 << 20;

/// A key with its days, numbered from the first of the month.
pub type Row = (Vec<u8>, Vec<(u8, Search)>);

/// What a month has after it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// Days of all keys.
    pub rows: u64,
    /// Bytes of all packs.
    pub bytes: u64,
}

/// Replaces the days of the mask `days` in a month and cut with `rows`, whose keys ascend. `capped` are the days among them
/// on which Google may have left out rows. Writing the same days twice leaves the same packs.
///
/// # Errors
/// 503 `storage_damaged` when a stored pack cannot be read; 409 `blob_refused` when the host refuses a blob.
pub fn replace(
    figures: &Figures<'_>,
    month: Month,
    cut: Cut,
    (days, capped): (u32, u32),
    rows: impl IntoIterator<Item = Row>,
) -> Result<Written> {
    let blobs = figures.cx().blobs();
    let before = figures.index(month, cut).unwrap_or_default();
    let first = u32::try_from(month.first().since_epoch()).unwrap_or(0);
    let name = |written: u32, kind: &str, at: usize| figures.blob(month, cut, &format!("{written}/{kind}{at}"));
    // A pack that is missing is an error of `merge`: to leave it out would lose its days.
    let read = |at: usize| blobs.read(&name(before.written, "", at), 0, MAX_BLOB).unwrap_or_default();
    let old: Vec<Vec<u8>> = (0..before.packs.len()).map(read).collect();
    let mut writer = Writer::<Search>::new(first, MAX_PACK);
    merge(&old, days, rows, &mut writer).map_err(|why| {
        Fault::unavailable("storage_damaged", format!("the stored figures of {month} cannot be replaced: {why:?}"))
    })?;
    drop(old);
    let packs = writer.finish();
    let sums = summed(&packs, first);
    let index = Index {
        written: before.written + 1,
        days: before.days | days,
        capped: (before.capped & !days) | (capped & days),
        packs: packs.iter().map(Entry::of).collect(),
        sums: sums.iter().map(Entry::of).collect(),
        stale: u32::try_from(before.packs.len()).unwrap_or(u32::MAX),
        stale_sums: u32::try_from(before.sums.len()).unwrap_or(u32::MAX),
    };
    for (kind, packs) in [("", &packs), ("s", &sums)] {
        for (at, pack) in packs.iter().enumerate() {
            blobs.write(&name(index.written, kind, at), &pack.bytes)?;
        }
    }
    // A reader that began before the last writing has ended by now.
    for (kind, count) in [("", before.stale), ("s", before.stale_sums)] {
        for at in 0..count as usize {
            blobs.write(&name(before.written.saturating_sub(1), kind, at), b"")?;
        }
    }
    blobs.write(&figures.blob(month, cut, "index"), &serde_json::to_vec(&index).unwrap_or_default())?;
    let all = |count: fn(&Packed) -> u64| packs.iter().map(count).sum();
    Ok(Written { rows: all(|pack| pack.rows), bytes: all(|pack| pack.bytes.len() as u64) })
}

/// The same keys with the sum of all their days as day 0.
fn summed(packs: &[Packed], first: u32) -> Vec<Packed> {
    let mut writer = Writer::<Search>::new(first, MAX_PACK);
    for pack in packs {
        let Ok(mut reader) = Reader::<Search>::open(&pack.bytes) else { continue };
        while let Ok(true) = reader.advance() {
            if let Some(sum) = reader.sum(u32::MAX) {
                // The keys come from a pack, so they ascend.
                let _ = writer.push(reader.key(), &[(0, sum)]);
            }
        }
    }
    writer.finish()
}
