//! How much work the bytes of a page are: where no spaces are written, words are found by a dictionary, and a letter takes
//! several times as long as one between spaces.

/// Walks over the units of a body, a byte or a letter that counts more, as its bytes and what it counts for.
fn units(body: &[u8], letter: u64) -> impl Iterator<Item = (usize, u64)> {
    // A page that was cut ends within a letter, and is UTF-8 all the same.
    let is_utf8 = std::str::from_utf8(body).map_or_else(|error| error.error_len().is_none(), |_| true);
    let mut at = 0;
    std::iter::from_fn(move || {
        let byte = *body.get(at)?;
        let (bytes, counts) = match byte {
            // Thai, Chinese, Japanese, Korean and their neighbours have three bytes a letter, and little else has.
            0xE0..=0xEF if is_utf8 => (3, letter),
            // Their older encodings have two.
            0x80.. if !is_utf8 => (2, letter),
            _ => (1, 1),
        };
        let bytes = bytes.min(body.len() - at);
        at += bytes;
        Some((bytes, counts))
    })
}

/// What a body counts for, in bytes of ASCII; a letter of a script without spaces counts for `letter` of them.
pub fn of(body: &[u8], letter: u64) -> u64 {
    units(body, letter).map(|(_, counts)| counts).sum()
}

/// How many bytes of a body count for at most `most`: its beginning.
pub fn within(body: &[u8], most: u64, letter: u64) -> usize {
    let (mut left, mut read) = (most, 0);
    for (bytes, counts) in units(body, letter) {
        match left.checked_sub(counts) {
            Some(rest) => left = rest,
            None => break,
        }
        read += bytes;
    }
    read
}

#[cfg(test)]
mod tests {
    //! Tests of `weight`.

    use super::*;

    #[test]
    fn a_letter_without_spaces_counts_more_and_one_between_spaces_as_its_bytes() {
        assert_eq!(of(b"bread", 5), 5);
        assert_eq!(of("хлеб".as_bytes(), 5), 8, "Cyrillic is written with spaces");
        assert_eq!(of("ขนมปัง".as_bytes(), 5), 30);
        assert_eq!(of(&[0x83, 0x70, 0x83, 0x93], 5), 10, "Shift_JIS has two bytes a letter");
        assert_eq!(of(&"ขนม".as_bytes()[..8], 5), 15, "cut within its last letter");
    }

    #[test]
    fn the_beginning_is_read_as_far_as_it_counts_for_no_more() {
        assert_eq!(within(b"bread", 9, 5), 5);
        assert_eq!(within(b"bread", 3, 5), 3);
        let text = "ขนมปัง".repeat(1_000);
        let read = within(text.as_bytes(), 1_004, 5);
        assert_eq!((read, text.is_char_boundary(read)), (600, true));
        assert_eq!(within(&[], 0, 5), 0);
    }
}
