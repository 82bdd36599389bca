//! What a month of search figures of a large property takes: bytes, and the time to write, to sum up and to replace a day.
//!
//!     cargo run --release -p kit --example packs

use std::collections::BTreeMap;
use std::time::Instant;

use kit::chance::Chance;
use kit::pack::{Figures as _, Reader, Search, Writer, merge};

/// Pairs of page and query, and how many of a month's days each is shown on.
const KEYS: usize = 240_000;
const DAYS_OF_KEY: usize = 8;

fn main() {
    let mut chance = Chance::of("a month");
    let mut rows: BTreeMap<Vec<u8>, Vec<(u8, Search)>> = BTreeMap::new();
    while rows.len() < KEYS {
        let (page, query) = (chance.below(20_000), chance.below(191_000));
        let key = format!("https://shop.example/products/{}/{page}\0words of query {query}", page % 40);
        let mut days: BTreeMap<u8, Search> = BTreeMap::new();
        for _ in 0..=chance.below(2 * DAYS_OF_KEY) {
            let impressions = 1 + chance.below(30) as u64;
            let clicks = u64::from(chance.below(8) == 0);
            let figures = Search { impressions, clicks, positions: impressions * (1 + chance.below(40) as u64) };
            days.insert(u8::try_from(chance.below(31)).unwrap_or(0), figures);
        }
        rows.insert(key.into_bytes(), days.into_iter().collect());
    }
    let days: usize = rows.values().map(Vec::len).sum();
    let begun = Instant::now();
    let mut writer = Writer::new(20_000, 1 << 20);
    for (key, days) in &rows {
        writer.push(key, days).expect("in order");
    }
    let packs: Vec<Vec<u8>> = writer.finish().into_iter().map(|pack| pack.bytes).collect();
    let bytes: usize = packs.iter().map(Vec::len).sum();
    println!("{days} days of {KEYS} keys: {bytes} bytes in {} packs, written in {:?}", packs.len(), begun.elapsed());
    let begun = Instant::now();
    let mut total = Search::default();
    for pack in &packs {
        let mut reader = Reader::<Search>::open(pack).expect("a pack");
        while reader.advance().expect("whole") {
            total.add(&reader.sum(u32::MAX).unwrap_or_default());
        }
    }
    println!("{} clicks of {} impressions, summed up in {:?}", total.clicks, total.impressions, begun.elapsed());
    let begun = Instant::now();
    let new: Vec<_> = rows.iter().step_by(4).map(|(key, days)| (key.clone(), vec![(30, days[0].1)])).collect();
    let mut writer = Writer::new(20_000, 1 << 20);
    merge(&packs, 1 << 30, new, &mut writer).expect("packs");
    println!("one day of it replaced in {:?}: {} packs", begun.elapsed(), writer.finish().len());
}
