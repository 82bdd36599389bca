//! When schedules of this module come.

use sdk::{Cadence, Every};

/// A time of its own for each schedule, always the same, so that not all come together.
pub(crate) fn of(name: &str, every: Every) -> Cadence {
    let drawn = kit::chance::Chance::of(name).draw();
    let part = |of: u64, below: u64| u32::try_from(of % below).unwrap_or(0);
    Cadence { every, minute: part(drawn, 1_440), weekday: part(drawn >> 32, 7) }
}
