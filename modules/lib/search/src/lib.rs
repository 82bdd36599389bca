//! Search figures: how the module `search_console` stores what Google Search Console reports, and how every module reads it.
//!
//! Totals of a day are records. Figures by page, query, country and device are packs (`kit::pack`) in blobs, one set for each
//! month and cut:
//!
//! ```text
//! gsc_daily/{site}/{type}/{yyyy-mm}/{cut}/index          which packs there are, and which days are in them
//! gsc_daily/{site}/{type}/{yyyy-mm}/{cut}/{written}/{n}  the packs: keys with their days
//! gsc_daily/{site}/{type}/{yyyy-mm}/{cut}/{written}/s{n} the same keys with the sum of the month
//! ```
//!
//! A module reads them when its lock lists `search_console.days` and `search_console.gsc_daily/`.

mod clicks;
mod counts;
mod cut;
mod day;
mod figures;
mod index;
mod measurement;
mod period;
mod property;
mod queries;
mod write;

#[cfg(not(target_arch = "wasm32"))]
pub mod trial;

pub use clicks::Clicks;
pub use counts::{Count, Counts, POSITIONS};
pub use cut::{Cut, SearchType, key, parts};
pub use day::{DayRecord, DayState, Days, days, first_day, last_day};
pub use figures::{Figures, MAX_BYTES, ReadError};
pub use index::{Entry, Index};
pub use measurement::{Measurement, comparable, is_wrong, measurement};
pub use period::{Month, Period};
pub use property::{NEED, Reached, covers, property};
pub use queries::{PageQuery, page_queries};
pub use write::{MAX_PACK, Row, Written, replace};

#[cfg(test)]
mod tests;
