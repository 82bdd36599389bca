//! Ids of records: made ones grow with time and cannot be guessed; given ones are checked.

use model::clock::{Entropy, Moment};

use super::RecordsError;

/// The longest id that a module may give.
const LONGEST: usize = 200;

/// A new id: 48 bits of milliseconds, 16 bits that count within one call, 70 random bits, in digits and letters that
/// sort like the numbers they stand for.
pub(crate) fn make(now: Moment, count: u16, entropy: &dyn Entropy) -> String {
    let ordered = (u64::try_from(now.0).unwrap_or(0) & 0xffff_ffff_ffff) << 16 | u64::from(count);
    let mut id = String::with_capacity(27);
    push(&mut id, u128::from(ordered), 13);
    push(&mut id, u128::from_be_bytes(entropy.array::<16>()), 14);
    id
}

/// What every id made before this moment is below, and none made at it or later.
pub(crate) fn before(moment: Moment) -> String {
    let mut id = String::with_capacity(13);
    push(&mut id, u128::from((u64::try_from(moment.0).unwrap_or(0) & 0xffff_ffff_ffff) << 16), 13);
    id
}

/// Base 32 with the alphabet in ASCII order, most significant first.
fn push(id: &mut String, value: u128, digits: u32) {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghijklmnopqrstuv";
    for digit in (0..digits).rev() {
        id.push(char::from(ALPHABET[(value >> (5 * digit)) as usize & 31]));
    }
}

/// An id that a module gives: it stands in packed rows and in cursors, so no control characters.
pub(crate) fn check(id: &str) -> Result<(), RecordsError> {
    if id.is_empty() || id.len() > LONGEST || id.chars().any(char::is_control) {
        return Err(RecordsError::Malformed(format!("an id has 1 to {LONGEST} bytes and no control characters")));
    }
    Ok(())
}
