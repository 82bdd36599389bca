//! The seed: every number that a simulator makes up comes from here, so that two worlds of one seed are equal.

/// What a world is made from. Equal seeds give equal data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Seed {
    /// Dice that depend on the seed and on what they are thrown for, and on nothing that was thrown before: the clicks
    /// of one page on one day are the same in whatever order a client asks.
    pub(crate) fn dice(self, about: &[&str]) -> Dice {
        // FNV-1a over the words, with a mark after each so that ("ab", "c") and ("a", "bc") differ.
        let mut state = 0xcbf2_9ce4_8422_2325_u64 ^ self.0;
        for word in about {
            for byte in word.bytes().chain([0xff]) {
                state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Dice(state)
    }
}

/// A stream of numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, not including, the bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// A number between both, each included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// A number from 0 up to, not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of several.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// So many lower-case hexadecimal digits, for identifiers.
    pub(crate) fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| char::from_digit(self.below(16) as u32, 16).unwrap_or('0')).collect()
    }
}
