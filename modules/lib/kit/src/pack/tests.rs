//! Packs: what is written is read again, a day is replaced as a whole, and bytes of anybody never panic.

use std::collections::BTreeMap;

use super::{Figures as _, Merge, Owned, Reader, Search, Unordered, Visits, Writer, merge};
use crate::chance::Chance;

type Month = BTreeMap<Vec<u8>, BTreeMap<u8, Search>>;
type Row = (Vec<u8>, Vec<(u8, Search)>);

fn made(chance: &mut Chance, keys: usize) -> Month {
    let mut month = Month::new();
    for _ in 0..keys {
        let key = format!("https://shop.example/{}/{}", chance.below(9), chance.below(keys * 4)).into_bytes();
        let days = month.entry(key).or_default();
        for _ in 0..=chance.below(12) {
            days.insert(u8::try_from(chance.below(31)).unwrap(), figures(chance));
        }
    }
    month
}

fn figures(chance: &mut Chance) -> Search {
    let impressions = 1 + chance.below(300) as u64;
    let clicks = if chance.below(4) == 0 { chance.below(1 + usize::try_from(impressions).unwrap()) as u64 } else { 0 };
    Search { impressions, clicks, positions: impressions * (1 + chance.below(40) as u64) }
}

fn rows(month: &Month) -> Vec<Row> {
    month.iter().map(|(key, days)| (key.clone(), days.iter().map(|(day, it)| (*day, *it)).collect())).collect()
}

fn packed(month: &Month, max_bytes: usize) -> Vec<Vec<u8>> {
    let mut writer = Writer::new(20_000, max_bytes);
    for (key, days) in rows(month) {
        writer.push(&key, &days).expect("in order");
    }
    writer.finish().into_iter().map(|pack| pack.bytes).collect()
}

fn read(packs: &[Vec<u8>]) -> Month {
    let mut month = Month::new();
    for pack in packs {
        let mut reader = Reader::<Search>::open(pack).expect("a pack");
        assert_eq!(reader.first_day(), 20_000);
        while reader.advance().expect("whole") {
            month.insert(reader.key().to_vec(), reader.days().collect());
        }
    }
    month
}

#[test]
fn what_is_packed_is_read_again_in_packs_of_any_size() {
    let mut chance = Chance::of("packs");
    for keys in [0, 1, 2, 300] {
        let month = made(&mut chance, keys);
        for max_bytes in [1, 64, 4_096, 1 << 20] {
            let packs = packed(&month, max_bytes);
            assert_eq!(read(&packs), month);
            assert!(packs.iter().all(|pack| pack.len() <= max_bytes.max(400)));
        }
    }
}

#[test]
fn a_day_takes_few_bytes() {
    let month = made(&mut Chance::of("bytes"), 5_000);
    let days: usize = month.values().map(BTreeMap::len).sum();
    let bytes: usize = packed(&month, 1 << 20).iter().map(Vec::len).sum();
    assert!(bytes < 8 * days, "{bytes} bytes of {days} days");
}

#[test]
fn an_index_tells_the_first_and_last_key_of_each_pack() {
    let month = made(&mut Chance::of("index"), 400);
    let mut writer = Writer::new(1, 2_000);
    let mut packs = Vec::new();
    for (key, days) in rows(&month) {
        writer.push(&key, &days).expect("in order");
        packs.extend(writer.finished());
    }
    packs.extend(writer.finish());
    assert!(packs.len() > 3);
    assert_eq!(packs[0].first_key, *month.keys().next().unwrap());
    assert_eq!(packs.last().unwrap().last_key, *month.keys().next_back().unwrap());
    assert!(packs.windows(2).all(|pair| pair[0].last_key < pair[1].first_key));
    assert_eq!(packs.iter().map(|pack| pack.keys).sum::<u64>(), month.len() as u64);
    assert_eq!(packs.iter().map(|pack| pack.rows).sum::<u64>(), month.values().map(|it| it.len() as u64).sum::<u64>());
}

#[test]
fn keys_and_days_come_in_order_or_are_refused() {
    let one = Search { impressions: 1, clicks: 0, positions: 1 };
    let mut writer = Writer::new(1, 1_000);
    writer.push(b"b", &[(3, one)]).expect("the first");
    for (key, days) in
        [(&b"a"[..], vec![(3, one)]), (b"b", vec![(3, one)]), (b"c", vec![(3, one), (3, one)]), (b"c", vec![(32, one)])]
    {
        assert_eq!(writer.push(key, &days), Err(Unordered));
    }
    writer.push(b"c", &[]).expect("a key without days is left out");
    writer.push(b"d", &[(31, one)]).expect("the last day");
    assert_eq!(writer.finish()[0].keys, 2);
}

#[test]
fn a_day_is_replaced_as_a_whole_and_doing_it_twice_changes_nothing() {
    let mut chance = Chance::of("merge");
    for round in 0..40 {
        let (old, new) = (made(&mut chance, 60), made(&mut chance, 60));
        let replaced = u32::try_from(chance.draw() & 0x7fff_ffff).unwrap();
        let of = |days: &BTreeMap<u8, Search>, inside: bool| -> BTreeMap<u8, Search> {
            days.iter().filter(|(day, _)| (replaced & (1 << **day) != 0) == inside).map(|(a, b)| (*a, *b)).collect()
        };
        let new: Month = new.iter().map(|(key, days)| (key.clone(), of(days, true))).collect();
        let mut wanted: Month = old.iter().map(|(key, days)| (key.clone(), of(days, false))).collect();
        for (key, days) in &new {
            wanted.entry(key.clone()).or_default().extend(days.iter().map(|(a, b)| (*a, *b)));
        }
        wanted.retain(|_, days| !days.is_empty());
        let once = merged(&packed(&old, 700), replaced, &new).expect("packs");
        assert_eq!(read(&once), wanted, "{round}");
        assert_eq!(merged(&once, replaced, &new).expect("packs"), once);
    }
}

fn merged(old: &[Vec<u8>], replaced: u32, new: &Month) -> Result<Vec<Vec<u8>>, Merge> {
    let mut writer = Writer::new(20_000, 700);
    merge(old, replaced, rows(new), &mut writer)?;
    Ok(writer.finish().into_iter().map(|pack| pack.bytes).collect())
}

#[test]
fn sums_are_of_the_days_that_are_asked_for() {
    let of = |impressions| Search { impressions, clicks: 1, positions: impressions * 2 };
    let mut writer = Writer::new(1, 1_000);
    writer.push(b"k", &[(0, of(10)), (4, of(20)), (31, of(40))]).expect("in order");
    let pack = writer.finish().remove(0).bytes;
    let mut reader = Reader::<Search>::open(&pack).expect("a pack");
    assert!(reader.advance().expect("whole"));
    let sum = |mask| reader.sum(mask).map(|it| (it.impressions, it.clicks, it.position()));
    assert_eq!(sum(u32::MAX), Some((70, 3, Some(2.0))));
    assert_eq!(sum(0b1_0001), Some((30, 2, Some(2.0))));
    assert_eq!(sum(0b10), None);
}

#[test]
fn bytes_of_anybody_are_damaged_and_never_more() {
    let mut chance = Chance::of("damage");
    let pack = packed(&made(&mut chance, 50), 1 << 20).remove(0);
    for end in 0..pack.len() {
        assert!(through(&pack[..end]).is_err(), "{end}");
    }
    for _ in 0..5_000 {
        let mut bytes = pack.clone();
        for _ in 0..=chance.below(3) {
            let at = chance.below(bytes.len());
            bytes[at] = u8::try_from(chance.below(256)).unwrap();
        }
        let _ = through(&bytes);
    }
    let mut other = pack.clone();
    other[3] = 9;
    assert!(through(&other).is_err());
    let mut longer = pack;
    longer.push(0);
    assert!(through(&longer).is_err());
}

fn through(bytes: &[u8]) -> Result<usize, super::Damaged> {
    let mut reader = Reader::<Search>::open(bytes)?;
    let mut keys = 0;
    while reader.advance()? {
        keys += reader.days().count().min(1);
    }
    Ok(keys)
}

#[test]
fn requests_are_written_and_read_again_and_added_and_taken() {
    let one = Visits { hits: 3, bytes: 700, milliseconds: 90, timed: 2, first: 1_788_000_000, last: 1_788_000_900 };
    let other = Visits { hits: 1, bytes: 0, milliseconds: 0, timed: 0, first: 1_787_000_000, last: 1_787_000_000 };
    for it in [one, other, Visits::default()] {
        let mut bytes = Vec::new();
        it.write(&mut bytes);
        let mut rest = bytes.as_slice();
        assert_eq!(Visits::read(&mut rest), Some(it));
        assert!(rest.is_empty());
        for end in 0..bytes.len() {
            assert_eq!(Visits::read(&mut &bytes[..end]), None, "a part is none");
        }
    }
    let mut sum = Visits::default();
    sum.add(&one);
    sum.add(&other);
    assert_eq!((sum.hits, sum.first, sum.last), (4, other.first, one.last));
    sum.take(&other);
    assert_eq!((sum.hits, sum.bytes, sum.mean_milliseconds()), (3, 700, Some(45.0)));
}

#[test]
fn a_reader_that_owns_its_pack_reads_the_same() {
    let mut chance = Chance::of("owned");
    let month = made(&mut chance, 200);
    for pack in packed(&month, 4_096) {
        let (mut owned, mut reader) =
            (Owned::<Search>::open(pack.clone()).unwrap(), Reader::<Search>::open(&pack).unwrap());
        loop {
            let more = reader.advance().unwrap();
            assert_eq!(owned.advance().unwrap(), more);
            if !more {
                break;
            }
            assert_eq!(owned.key(), reader.key());
            assert!(owned.days().eq(reader.days()));
        }
    }
}
