//! The reader of packs.

use super::{Figures, HEAD, MAGIC, varint};

/// The bytes are not a pack of this type, or are truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damaged;

/// Iterates over the keys of a pack.
#[derive(Debug)]
pub struct Reader<'a, F> {
    pub(super) rest: &'a [u8],
    pub(super) first_day: u32,
    pub(super) left: u64,
    pub(super) begun: bool,
    pub(super) key: Vec<u8>,
    pub(super) days: Days<'a, F>,
}

/// Iterates over the days of a key, numbered from the first day of the pack.
#[derive(Debug, Clone)]
pub struct Days<'a, F> {
    pub(super) bits: u32,
    pub(super) bytes: &'a [u8],
    pub(super) figures: std::marker::PhantomData<F>,
}

impl<'a, F: Figures> Reader<'a, F> {
    /// Opens a pack.
    ///
    /// # Errors
    /// [`Damaged`] when the header is not that of a pack of these figures.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Damaged> {
        let (head, mut rest) = bytes.split_at_checked(HEAD).ok_or(Damaged)?;
        if !head.starts_with(MAGIC) || head[MAGIC.len()] != F::KIND {
            return Err(Damaged);
        }
        let first_day = u32::from_le_bytes(head[MAGIC.len() + 1..].try_into().map_err(|_| Damaged)?);
        let left = varint::read(&mut rest).ok_or(Damaged)?;
        Ok(Self { rest, first_day, left, begun: false, key: Vec::new(), days: Days::none() })
    }

    /// Day 0 of the pack, in days since 1970-01-01.
    #[must_use]
    pub fn first_day(&self) -> u32 {
        self.first_day
    }

    /// Advances to the next key; `false` at the end.
    ///
    /// # Errors
    /// [`Damaged`] when the pack is truncated or its keys do not ascend.
    pub fn advance(&mut self) -> Result<bool, Damaged> {
        if self.left == 0 {
            return if self.rest.is_empty() { Ok(false) } else { Err(Damaged) };
        }
        let shared = varint::read(&mut self.rest).and_then(|it| usize::try_from(it).ok()).ok_or(Damaged)?;
        let length = varint::read(&mut self.rest).and_then(|it| usize::try_from(it).ok()).ok_or(Damaged)?;
        let (added, rest) = self.rest.split_at_checked(length).ok_or(Damaged)?;
        let ascends = match self.key.get(shared) {
            Some(next) => added.first().is_some_and(|first| first > next),
            // The previous key is a prefix of this one.
            None => shared == self.key.len() && !(self.begun && added.is_empty()),
        };
        if !ascends {
            return Err(Damaged);
        }
        self.key.truncate(shared);
        self.key.extend_from_slice(added);
        let (bits, rest) = rest.split_at_checked(4).ok_or(Damaged)?;
        let bits = u32::from_le_bytes(bits.try_into().map_err(|_| Damaged)?);
        let mut after = rest;
        for _ in 0..bits.count_ones() {
            F::read(&mut after).ok_or(Damaged)?;
        }
        self.days = Days { bits, bytes: rest, figures: std::marker::PhantomData };
        self.rest = after;
        self.left -= 1;
        self.begun = true;
        Ok(true)
    }

    /// The current key.
    #[must_use]
    pub fn key(&self) -> &[u8] {
        &self.key
    }

    /// The days of the current key, ascending.
    #[must_use]
    pub fn days(&self) -> Days<'a, F> {
        self.days.clone()
    }

    /// The sum over the days of the current key whose bit is set in `mask`; `None` when it has none of them.
    #[must_use]
    pub fn sum(&self, mask: u32) -> Option<F> {
        (self.days.bits & mask != 0).then(|| {
            self.days().filter(|(day, _)| mask & (1 << day) != 0).fold(F::default(), |mut sum, (_, figures)| {
                sum.add(&figures);
                sum
            })
        })
    }
}

impl<F> Days<'_, F> {
    pub(super) fn none() -> Self {
        Self { bits: 0, bytes: &[], figures: std::marker::PhantomData }
    }
}

impl<F: Figures> Iterator for Days<'_, F> {
    type Item = (u8, F);

    fn next(&mut self) -> Option<(u8, F)> {
        if self.bits == 0 {
            return None;
        }
        let day = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some((u8::try_from(day).ok()?, F::read(&mut self.bytes)?))
    }
}
