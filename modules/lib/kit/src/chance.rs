//! Chance that is the same at every run: numbers drawn from a seed.

/// A generator of 64-bit numbers: SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators"). Good for resampling; never for secrets.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// Begins at a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Begins at what a text comes to, so that the same question has the same answer.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let hash = crate::text::sha256(text.as_bytes());
        let mut first = [0; 8];
        first.copy_from_slice(&hash[..8]);
        Self(u64::from_be_bytes(first))
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to and without `end`; 0 when that is 0. Lemire's multiplication, whose bias is below 2^-32 here.
    #[expect(clippy::cast_possible_truncation, reason = "the high half of the product is below `end`")]
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.draw()) * end as u128) >> 64) as usize
    }

    /// A number from 0 up to and without 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Chance;

    #[test]
    fn the_first_numbers_are_those_of_the_reference_implementation() {
        let mut chance = Chance::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| chance.draw()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn every_number_below_the_end_is_drawn_about_as_often() {
        let (mut chance, mut counts) = (Chance::of("a question"), [0_u32; 7]);
        (0..70_000).for_each(|_| counts[chance.below(7)] += 1);
        assert!(counts.iter().all(|it| (9_600..10_400).contains(it)), "{counts:?}");
        assert_eq!((chance.below(0), chance.below(1)), (0, 0));
        assert!((0..1_000).map(|_| chance.unit()).all(|it| (0.0..1.0).contains(&it)));
    }
}
