//! Figures of requests in access logs.

use super::{Figures, varint};

/// Requests of one day, or of one hour, by one kind of visitor to one address.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Visits {
    /// Requests.
    pub hits: u64,
    /// Bytes of their answers, of those whose size is known.
    pub bytes: u64,
    /// The sum of the milliseconds that the answers took, of those whose time is known.
    pub milliseconds: u64,
    /// Requests whose time is known.
    pub timed: u64,
    /// The second since 1970 UTC of the first request; 0 without one.
    pub first: u64,
    /// The second of the last request.
    pub last: u64,
}

impl Visits {
    /// Takes away requests that were added before. The first and the last second stay, as they are those of what is left too,
    /// or of what is added in its place.
    pub fn take(&mut self, other: &Self) {
        self.hits = self.hits.saturating_sub(other.hits);
        self.bytes = self.bytes.saturating_sub(other.bytes);
        self.milliseconds = self.milliseconds.saturating_sub(other.milliseconds);
        self.timed = self.timed.saturating_sub(other.timed);
    }

    /// The mean milliseconds of the requests whose time is known.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a log are far below 2^52")]
    pub fn mean_milliseconds(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.milliseconds as f64 / self.timed as f64)
    }
}

impl Figures for Visits {
    const KIND: u8 = 2;

    fn write(&self, bytes: &mut Vec<u8>) {
        // Many logs have no times: the lowest bit says whether they follow.
        let timed = u64::from(self.timed > 0);
        varint::write((self.hits.min(u64::MAX >> 1) << 1) | timed, bytes);
        varint::write(self.bytes, bytes);
        if self.timed > 0 {
            varint::write(self.milliseconds, bytes);
            varint::write(self.timed, bytes);
        }
        varint::write(self.first, bytes);
        varint::write(self.last.saturating_sub(self.first), bytes);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let hits = varint::read(bytes)?;
        let size = varint::read(bytes)?;
        let (milliseconds, timed) = if hits & 1 == 1 { (varint::read(bytes)?, varint::read(bytes)?) } else { (0, 0) };
        let first = varint::read(bytes)?;
        let last = first.checked_add(varint::read(bytes)?)?;
        Some(Self { hits: hits >> 1, bytes: size, milliseconds, timed, first, last })
    }

    fn add(&mut self, other: &Self) {
        self.first =
            if self.hits == 0 || (other.hits > 0 && other.first < self.first) { other.first } else { self.first };
        self.last = self.last.max(other.last);
        self.hits = self.hits.saturating_add(other.hits);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.milliseconds = self.milliseconds.saturating_add(other.milliseconds);
        self.timed = self.timed.saturating_add(other.timed);
    }
}
