//! Stored requests of logs, for the native tests of modules.

use std::collections::BTreeMap;

use kit::pack::Visits;
use sdk::prelude::*;
use search::Month;
use site::Site;

use crate::key::{Key, Verdict};
use crate::shelf::{Entry, Index, Shelf, writer};
use crate::store::Store;

/// A visit of a bot: address, family, whether it is verified, and the second since 1970 UTC.
pub type Visit<'a> = (&'a str, &'a str, bool, u64);

/// Stores visits of a website as an import does.
///
/// # Panics
/// When the host refuses a blob.
pub fn store(cx: &Cx, site: &str, visits: &[Visit<'_>]) {
    let store = Store::of(cx, &Id::<Site>::new(site));
    let mut months: BTreeMap<Month, BTreeMap<Vec<u8>, BTreeMap<u8, Visits>>> = BTreeMap::new();
    let mut newest: BTreeMap<Vec<u8>, BTreeMap<u8, Visits>> = BTreeMap::new();
    for (url, family, verified, second) in visits {
        let day = Moment::from_millis(second * 1_000).day();
        let of_month = u8::try_from(day.civil().2 - 1).unwrap_or(0);
        let verdict = if *verified { Verdict::Verified } else { Verdict::Unverified };
        let key = Key::Bot { url, family, verdict, status: 200 }.bytes();
        let it = Visits { hits: 1, first: *second, last: *second, ..Visits::default() };
        let add = |days: &mut BTreeMap<u8, Visits>, day: u8| kit::pack::Figures::add(days.entry(day).or_default(), &it);
        add(months.entry(Month::of(day)).or_default().entry(key).or_default(), of_month);
        let of_url = newest.entry(format!("b\0{url}\0{family}").into_bytes()).or_default();
        add(of_url, 0);
        if *verified {
            add(of_url, 1);
        }
    }
    for (month, rows) in months {
        write(&store.month(month), &rows);
    }
    write(&store.newest(), &newest);
}

fn write(shelf: &Shelf<'_>, rows: &BTreeMap<Vec<u8>, BTreeMap<u8, Visits>>) {
    let (mut packs, mut days) = (writer::<Visits>(0), 0);
    for (key, of_key) in rows {
        let of_key: Vec<(u8, Visits)> = of_key.iter().map(|(day, it)| (*day, *it)).collect();
        days |= of_key.iter().fold(0, |days, (day, _)| days | 1 << day);
        packs.push(key, &of_key).expect("keys in their order");
    }
    let packs = packs.finish();
    for (at, pack) in packs.iter().enumerate() {
        shelf.put(1, at, pack).expect("a blob");
    }
    shelf.commit(&Index::default(), packs.iter().map(Entry::of).collect(), days).expect("a blob");
}
