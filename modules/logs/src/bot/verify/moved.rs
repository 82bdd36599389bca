//! Requests that were verified after their import: they move from unverified to verified or spoofed.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;

use sdk::prelude::*;
use search::Month;
use site::Site;
use visits::{Entry, Figures as _, Index, Key, Shelf, Verdict, Visits, writer};

use super::{Claim, shelf, waiting};
use crate::import::merge::Change;
use crate::import::tally::mark;
use crate::import::{hours, state};
use crate::stored::{Import, Ip, Source};

/// Rows that one verification moves; the others wait for the next one.
const MOST_ROWS: usize = 300_000;

/// Rows by key: the hours of each.
type Rows = BTreeMap<Vec<u8>, BTreeMap<u8, Visits>>;

/// What is added to a month, and what is taken from it.
#[derive(Default)]
struct Moved {
    added: Rows,
    taken: Rows,
}

/// Writes what moves and takes the claims that are decided away; the first days of the months that change.
pub(super) fn build(cx: &Cx, site: &Id<Site>, known: &[(String, String, bool)]) -> Result<Vec<i32>> {
    let known: HashMap<(&str, &str), bool> =
        known.iter().map(|(address, family, verdict)| ((address.as_str(), family.as_str()), *verdict)).collect();
    let mut months: BTreeMap<i32, Moved> = BTreeMap::new();
    let mut rows = 0;
    for import in waiting(cx, site) {
        if rows > MOST_ROWS {
            break;
        }
        let source = cx.records::<Source>().find(&Id::new(import.source_ref.clone()));
        let mut taken: HashMap<Month, [u32; 31]> = HashMap::new();
        let mut all = true;
        for at in 0..import.pending {
            let shelf = shelf(cx, &import.id, at);
            let mut left: Rows = BTreeMap::new();
            let mut decided = false;
            let read = shelf.read::<Visits>(&shelf.index(), b"", |reader| {
                let Some(claim) = Claim::read(reader.key()) else { return true };
                let verdict = known.get(&(claim.address, claim.family)).copied();
                let Some(verdict) = verdict.filter(|_| rows <= MOST_ROWS) else {
                    left.insert(reader.key().to_vec(), reader.days().collect());
                    return true;
                };
                decided = true;
                let month = Month::of(claim.day);
                let of_month = taken.entry(month).or_insert_with(|| counted(cx, &import, month));
                let day = usize::try_from(claim.day.civil().2).unwrap_or(1) - 1;
                let moved = months.entry(month.first().since_epoch()).or_default();
                for (hour, figures) in reader.days().filter(|(hour, _)| of_month[day.min(30)] & (1 << hour) != 0) {
                    rows += 1;
                    moved.put(&claim, verdict, hour, &figures, source.as_deref());
                }
                true
            });
            read.map_err(visits::Damaged::fault)?;
            all &= left.is_empty();
            if decided {
                shelf.clear()?;
                write(&shelf, &left)?;
            }
        }
        if all {
            cx.records::<Import>().update(&import.id, |it| it.pending = 0)?;
        }
    }
    for (first, moved) in &months {
        write(&out(cx, site, *first, "in"), &moved.added)?;
        write(&out(cx, site, *first, "out"), &moved.taken)?;
    }
    Ok(months.into_keys().collect())
}

/// The hours of an import in a month that were counted.
fn counted(cx: &Cx, import: &Stored<Import>, month: Month) -> [u32; 31] {
    let mut days = [0; 31];
    let first = u32::try_from(month.first().since_epoch()).unwrap_or(0) * 24;
    for part in hours::read(cx, &Id::new(import.source_ref.clone()), &import.stream, month) {
        if part.import == import.id.as_str() && part.hour >= first {
            let of_month = part.hour - first;
            if let Some(day) = days.get_mut((of_month / 24) as usize) {
                *day |= 1 << (of_month % 24);
            }
        }
    }
    days
}

impl Moved {
    fn put(&mut self, claim: &Claim<'_>, is_own: bool, hour: u8, it: &Visits, source: Option<&Source>) {
        let day = claim.day.civil().2;
        let key = |key: Key<'_>| {
            let mut bytes = key.bytes();
            bytes.extend_from_slice(format!("\0{day:02}").as_bytes());
            bytes
        };
        let (url, family, status) = (claim.url, claim.family, claim.status);
        let verdict = if is_own { Verdict::Verified } else { Verdict::Spoofed };
        add(&mut self.taken, key(Key::Bot { url, family, verdict: Verdict::Unverified, status }), hour, it);
        add(&mut self.added, key(Key::Bot { url, family, verdict, status }), hour, it);
        if is_own {
            return;
        }
        let Ok(address) = claim.address.parse::<IpAddr>() else { return };
        let network = bots::network(address);
        let key_of = |source: &Source| source.marks.last().map(|it| it.key.clone());
        let mark = match source.filter(|it| it.ip == Ip::Hash).and_then(key_of) {
            Some(key) => mark(key.as_bytes(), address),
            None => String::new(),
        };
        add(&mut self.added, key(Key::Impostor { family, network: &network, mark: &mark }), hour, it);
    }
}

fn add(rows: &mut Rows, key: Vec<u8>, hour: u8, it: &Visits) {
    rows.entry(key).or_default().entry(hour).or_default().add(it);
}

fn out<'a>(cx: &'a Cx, site: &Id<Site>, first: i32, name: &str) -> Shelf<'a> {
    Shelf::of(cx, format!("verify/{site}/{}/{name}", state::month(first)))
}

/// What changes a month.
pub(super) fn changes<'a>(cx: &'a Cx, site: &Id<Site>, first: i32) -> Vec<Change<'a>> {
    let change = |name: &str, is_taken_back: bool| Change {
        shelf: out(cx, site, first, name),
        hours: [u32::MAX; 31],
        is_taken_back,
    };
    vec![change("in", false), change("out", true)]
}

/// What is added, for the newest visits.
pub(super) fn added<'a>(cx: &'a Cx, site: &Id<Site>, months: &[i32]) -> Vec<(Shelf<'a>, [u32; 31])> {
    months.iter().map(|first| (out(cx, site, *first, "in"), [u32::MAX; 31])).collect()
}

/// Empties what moved.
pub(super) fn clear(cx: &Cx, site: &Id<Site>, months: &[i32]) -> Result<()> {
    months.iter().try_for_each(|first| ["in", "out"].iter().try_for_each(|name| out(cx, site, *first, name).clear()))
}

fn write(shelf: &Shelf<'_>, rows: &Rows) -> Result<()> {
    let mut packs = writer::<Visits>(0);
    let mut entries: Vec<Entry> = Vec::new();
    for (key, hours) in rows {
        let hours: Vec<(u8, Visits)> = hours.iter().map(|(hour, it)| (*hour, *it)).collect();
        packs.push(key, &hours).map_err(|_| visits::Damaged.fault())?;
    }
    for pack in packs.finish() {
        shelf.put(1, entries.len(), &pack)?;
        entries.push(Entry::of(&pack));
    }
    shelf.commit(&Index::default(), entries, 0)
}
