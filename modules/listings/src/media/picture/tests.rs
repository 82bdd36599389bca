//! Tests of pictures, against `imagehash` 4.3.2 on pictures that Pillow wrote.

use super::*;

/// Name, width, height and hash of each picture, as the reference has them.
const REFERENCE: &str = include_str!("tests/reference.tsv");
const PICTURES: &[u8] = include_bytes!("tests/pictures.bin");

fn pictures() -> Vec<(String, Picture, u64)> {
    let mut rest = PICTURES;
    let read = |line: &str| {
        let parts: Vec<&str> = line.split('\t').collect();
        let size: usize = parts[4].parse().unwrap();
        let (bytes, left) = rest.split_at(size);
        rest = left;
        let picture = Picture::read(bytes).unwrap_or_else(|why| panic!("{}: {why:?}", parts[0]));
        assert_eq!((picture.width.to_string().as_str(), picture.height.to_string().as_str()), (parts[1], parts[2]));
        (parts[0].to_owned(), picture, u64::from_str_radix(parts[3], 16).unwrap())
    };
    REFERENCE.lines().map(read).collect()
}

#[test]
fn hashes_are_those_of_the_reference_but_for_a_few_bits() {
    let all = pictures();
    assert!(all.len() >= 60, "{}", all.len());
    let bits: Vec<u32> = all.iter().map(|(_, ours, theirs)| (ours.hash ^ theirs).count_ones()).collect();
    let mean = f64::from(bits.iter().sum::<u32>()) / bits.len() as f64;
    assert!(mean <= 1.5 && bits.iter().all(|it| *it <= 6), "{bits:?}");
}

#[test]
fn copies_are_told_from_other_pictures_as_by_the_reference() {
    let all = pictures();
    let (mut ours, mut theirs, mut same, mut pairs) = (Vec::new(), Vec::new(), 0, 0);
    for (at, a) in all.iter().enumerate() {
        for b in &all[at + 1..] {
            let (one, other) = ((a.1.hash ^ b.1.hash).count_ones(), (a.2 ^ b.2).count_ones());
            ours.push(f64::from(one));
            theirs.push(f64::from(other));
            pairs += 1;
            // Just at the bound a bit decides, at the reference too.
            same += usize::from((one <= 6) == (other <= 6) || (5..=8).contains(&other));
        }
    }
    assert_eq!(same, pairs, "another verdict");
    let pairs: Vec<(f64, f64)> = ours.into_iter().zip(theirs).collect();
    let correlation = kit::statistics::spearman(&pairs).unwrap();
    assert!(correlation.value >= 0.95, "{correlation:?}");
}

#[test]
fn what_is_no_picture_is_refused() {
    assert_eq!(Picture::read(b"GIF89a"), Err(Unreadable::OtherType));
    assert_eq!(Picture::read(&[0xff, 0xd8, 0xff, 0xe0, 0, 1]), Err(Unreadable::Broken));
    assert_eq!(Picture::read(b"\x89PNG\r\n\x1a\n"), Err(Unreadable::Broken));
}
