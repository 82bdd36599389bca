//! Inputs of a bounded run: what is real, broken a little, the same in each run.

/// Chance that a seed decides, by the generator xorshift64* (Vigna, 2016).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// Of this seed; 0 is none and becomes 1.
    pub fn new(seed: u64) -> Self {
        Self(seed.max(1))
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`; 0 when that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX).max(1);
        usize::try_from((self.next() >> 11) % bound).unwrap_or(0)
    }
}

/// Pieces that readers are sensitive to.
const PIECES: [&[u8]; 18] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\u0000",
    b"\n",
    b"=",
    b"null",
    b"-0",
    b"1e400",
    b"18446744073709551616",
    b"{\"$ref\":\"#\"}",
    b"\xff",
    b"\0",
    b"\x80\x80\x80\x80\x10",
    b"[[[[[[[[[[[[[[[[",
    b"\xf0\x9f\x8c\xb3",
];

/// One to four changes of an input.
pub fn mutated(input: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=chance.below(4) {
        let (at, length) = (chance.below(bytes.len()), chance.below(16));
        let end = (at + length).min(bytes.len());
        match chance.below(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << chance.below(8),
            1 if !bytes.is_empty() => bytes[at] = u8::try_from(chance.below(256)).unwrap_or(0),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let copy = bytes[at..end].to_vec();
                let there = chance.below(bytes.len());
                bytes.splice(there..there, copy);
            }
            4 => bytes.truncate(at),
            _ => {
                let piece = PIECES[chance.below(PIECES.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
    bytes
}
