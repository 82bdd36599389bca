//! Fingerprints sorted so that those a few bits apart are found without comparing all with all.
//!
//! Four tables, one for each 16 bits (Manku, Jain, Das Sarma 2007). Two fingerprints that differ in three bits or fewer
//! agree in one of the four; those that differ in up to seven have one in which a single bit differs at most, and each
//! lookup probes the 16 neighbours of its own 16 bits too. So nothing up to [`MOST`] bits apart is missed.

use super::distance;

/// The most bits between two fingerprints that are surely found.
pub const MOST: u32 = 7;

/// Fingerprints, in four tables.
#[derive(Debug)]
pub struct Tables<'a> {
    prints: &'a [u64],
    blocks: [Block; 4],
}

/// Two fingerprints near each other, by their places: `a` comes before `b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near {
    /// The earlier.
    pub a: usize,
    /// The later.
    pub b: usize,
    /// Bits that differ.
    pub distance: u32,
}

/// Places of fingerprints by 16 of their bits: those of value `v` stand from `starts[v]` to `starts[v + 1]`.
#[derive(Debug)]
struct Block {
    starts: Vec<u32>,
    places: Vec<u32>,
}

impl Block {
    fn new(prints: &[u64], block: u32) -> Self {
        let mut starts = vec![0_u32; (1 << 16) + 1];
        for print in prints {
            starts[part(*print, block) + 1] += 1;
        }
        for value in 1..starts.len() {
            starts[value] += starts[value - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![0_u32; prints.len()];
        for (place, print) in (0..).zip(prints) {
            let at = &mut next[part(*print, block)];
            places[*at as usize] = place;
            *at += 1;
        }
        Self { starts, places }
    }

    fn of(&self, value: usize) -> &[u32] {
        &self.places[self.starts[value] as usize..self.starts[value + 1] as usize]
    }
}

/// The 16 bits of a fingerprint that a table goes by.
fn part(print: u64, block: u32) -> usize {
    (print >> (16 * block) & 0xffff) as usize
}

impl<'a> Tables<'a> {
    /// Tables of at most four billion fingerprints.
    #[must_use]
    pub fn new(prints: &'a [u64]) -> Self {
        Self { prints, blocks: [0, 1, 2, 3].map(|block| Block::new(prints, block)) }
    }

    /// Every pair that differs in at most `most` bits, each once, by the place of its earlier fingerprint; `most` above
    /// [`MOST`] counts as that. None when more than `budget` fingerprints would have to be compared: with many that are
    /// alike, the pairs grow with the square of their number.
    #[must_use]
    pub fn pairs(&self, most: u32, budget: usize) -> Option<Vec<Near>> {
        let most = most.min(MOST);
        let mut left = budget;
        let mut found = Vec::new();
        for (a, print) in self.prints.iter().enumerate() {
            for (number, block) in (0..).zip(&self.blocks) {
                let own = part(*print, number);
                for value in std::iter::once(own).chain((0..16).map(|bit| own ^ 1 << bit)) {
                    let places = block.of(value);
                    left = left.checked_sub(places.len())?;
                    let near = places.iter().filter_map(|place| {
                        let b = *place as usize;
                        let differs = distance(*print, self.prints[b]);
                        (b > a && differs <= most && first(*print ^ self.prints[b]) == number).then_some(Near {
                            a,
                            b,
                            distance: differs,
                        })
                    });
                    found.extend(near);
                }
            }
        }
        Some(found)
    }
}

/// The first table that two fingerprints meet in: one in which they differ by a bit at most.
fn first(difference: u64) -> u32 {
    (0..4).find(|block| part(difference, *block).count_ones() <= 1).unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::{MOST, Near, Tables};
    use crate::simhash::distance;

    /// SplitMix64.
    fn next(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = *seed;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    #[test]
    fn every_pair_up_to_seven_bits_apart_is_found_once_and_no_other() {
        let mut seed = 7;
        let mut prints: Vec<u64> = (0..200).map(|_| next(&mut seed)).collect();
        for at in 0..800 {
            // Neighbours of all distances up to eleven bits, at random places.
            let flips = (0..at % 12).fold(0_u64, |all, _| all | 1 << (next(&mut seed) % 64));
            prints.push(prints[at % 200] ^ flips);
        }
        for most in [0, 3, 6, MOST] {
            let mut found = Tables::new(&prints).pairs(most, usize::MAX).expect("no bound");
            found.sort();
            let mut expected = Vec::new();
            for a in 0..prints.len() {
                for b in a + 1..prints.len() {
                    let distance = distance(prints[a], prints[b]);
                    if distance <= most {
                        expected.push(Near { a, b, distance });
                    }
                }
            }
            assert!(expected.len() >= 60);
            assert_eq!(found, expected, "{most} bits");
        }
    }

    #[test]
    fn too_many_that_are_alike_are_said_and_not_compared() {
        let prints = vec![5; 1_000];
        assert_eq!(Tables::new(&prints).pairs(6, 100_000), None);
        assert_eq!(Tables::new(&prints[..2]).pairs(6, 100), Some(vec![Near { a: 0, b: 1, distance: 0 }]));
        assert_eq!(Tables::new(&[]).pairs(6, 0), Some(Vec::new()));
    }
}
