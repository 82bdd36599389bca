//! The writer of packs.

use super::{Figures, HEAD, MAGIC, MAX_DAYS, varint};

/// The most bytes of the count of keys.
const COUNT: usize = 10;

/// A finished pack with its index entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// The pack itself.
    pub bytes: Vec<u8>,
    /// Its first key.
    pub first_key: Vec<u8>,
    /// Its last key.
    pub last_key: Vec<u8>,
    /// Its number of keys.
    pub keys: u64,
    /// Its number of days, summed over the keys.
    pub rows: u64,
}

/// A key or day that does not ascend, or a day of [`MAX_DAYS`] or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unordered;

/// Writes keys in ascending order into packs of bounded size.
#[derive(Debug)]
pub struct Writer<F> {
    first_day: u32,
    max_bytes: usize,
    body: Vec<u8>,
    key: Vec<u8>,
    first_key: Vec<u8>,
    keys: u64,
    rows: u64,
    done: Vec<Packed>,
    figures: std::marker::PhantomData<F>,
}

impl<F: Figures> Writer<F> {
    /// A writer for packs whose day 0 is `first_day` (days since 1970-01-01), of at most `max_bytes` each. A single key that
    /// is larger gets a pack of its own.
    #[must_use]
    pub fn new(first_day: u32, max_bytes: usize) -> Self {
        let (body, key, first_key) = (Vec::new(), Vec::new(), Vec::new());
        let figures = std::marker::PhantomData;
        Self { first_day, max_bytes, body, key, first_key, keys: 0, rows: 0, done: Vec::new(), figures }
    }

    /// Appends a key with its days, numbered from the first day. A key without days is skipped.
    ///
    /// # Errors
    /// [`Unordered`]; nothing is appended.
    pub fn push(&mut self, key: &[u8], days: &[(u8, F)]) -> Result<(), Unordered> {
        let ascending = days.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let inside = days.last().is_none_or(|last| last.0 < MAX_DAYS);
        let after = (self.keys == 0 && self.done.is_empty()) || self.key.as_slice() < key;
        if !ascending || !inside || !after {
            return Err(Unordered);
        }
        if days.is_empty() {
            return Ok(());
        }
        let before = self.body.len();
        self.append(key, days);
        if self.keys > 0 && HEAD + COUNT + self.body.len() > self.max_bytes {
            self.body.truncate(before);
            self.end();
            self.append(key, days);
        }
        if self.keys == 0 {
            self.first_key = key.to_vec();
        }
        self.keys += 1;
        self.rows += days.len() as u64;
        key.clone_into(&mut self.key);
        Ok(())
    }

    fn append(&mut self, key: &[u8], days: &[(u8, F)]) {
        let shared = if self.keys == 0 { 0 } else { self.key.iter().zip(key).take_while(|(a, b)| a == b).count() };
        varint::write(shared as u64, &mut self.body);
        varint::write((key.len() - shared) as u64, &mut self.body);
        self.body.extend_from_slice(&key[shared..]);
        let bits = days.iter().fold(0_u32, |bits, (day, _)| bits | (1 << day));
        self.body.extend_from_slice(&bits.to_le_bytes());
        days.iter().for_each(|(_, figures)| figures.write(&mut self.body));
    }

    /// Takes the packs that are complete.
    pub fn finished(&mut self) -> Vec<Packed> {
        std::mem::take(&mut self.done)
    }

    /// Completes the last pack and returns those not yet taken.
    #[must_use]
    pub fn finish(mut self) -> Vec<Packed> {
        self.end();
        self.done
    }

    fn end(&mut self) {
        if self.keys == 0 {
            return;
        }
        let mut bytes = Vec::with_capacity(HEAD + COUNT + self.body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(F::KIND);
        bytes.extend_from_slice(&self.first_day.to_le_bytes());
        varint::write(self.keys, &mut bytes);
        bytes.append(&mut self.body);
        let first_key = std::mem::take(&mut self.first_key);
        self.done.push(Packed { bytes, first_key, last_key: self.key.clone(), keys: self.keys, rows: self.rows });
        (self.keys, self.rows) = (0, 0);
    }
}
