//! A reader that owns its pack, for merging many of them.

use super::Figures;
use super::read::{Damaged, Days, Reader};

/// A pack with the place that it is read at.
#[derive(Debug)]
pub struct Owned<F> {
    bytes: Vec<u8>,
    at: usize,
    first_day: u32,
    left: u64,
    begun: bool,
    key: Vec<u8>,
    days: (u32, usize),
    figures: std::marker::PhantomData<F>,
}

impl<F: Figures> Owned<F> {
    /// Opens a pack.
    ///
    /// # Errors
    /// [`Damaged`], as [`Reader::open`].
    pub fn open(bytes: Vec<u8>) -> Result<Self, Damaged> {
        let reader = Reader::<F>::open(&bytes)?;
        let (first_day, left, at) = (reader.first_day, reader.left, bytes.len() - reader.rest.len());
        let figures = std::marker::PhantomData;
        Ok(Self { bytes, at, first_day, left, begun: false, key: Vec::new(), days: (0, 0), figures })
    }

    /// Advances to the next key; `false` at the end.
    ///
    /// # Errors
    /// [`Damaged`], as [`Reader::advance`].
    pub fn advance(&mut self) -> Result<bool, Damaged> {
        let mut reader = Reader::<F> {
            rest: &self.bytes[self.at..],
            first_day: self.first_day,
            left: self.left,
            begun: self.begun,
            key: std::mem::take(&mut self.key),
            days: Days::none(),
        };
        let moved = reader.advance();
        let (bits, figures) = (reader.days.bits, self.bytes.len() - reader.days.bytes.len());
        (self.at, self.left, self.begun) = (self.bytes.len() - reader.rest.len(), reader.left, reader.begun);
        self.key = reader.key;
        self.days = (bits, figures);
        moved
    }

    /// The current key.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// The days of the current key, ascending.
    #[must_use]
    pub fn days(&self) -> Days<'_, F> {
        Days { bits: self.days.0, bytes: &self.bytes[self.days.1..], figures: std::marker::PhantomData }
    }
}
