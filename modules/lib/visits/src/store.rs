//! What is stored of a website's access logs, as every module reads it.

use std::collections::HashMap;

use kit::pack::Visits;
use sdk::prelude::*;
use search::{Month, Period};
use site::Site;

use crate::key::{Key, Verdict};
use crate::shelf::{Damaged, Shelf};

/// Bytes that one call reads; the locks of its operations allow as much.
pub const MAX_BYTES: u64 = 96 << 20;

/// Why nothing was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TooMuch {
    /// The period has more than [`MAX_BYTES`]; the first day of the longest one with the same end that fits.
    FitsFrom(Option<Day>),
    /// A pack is missing or damaged.
    Damaged,
}

impl TooMuch {
    /// The refusal, at the argument that sets the beginning of the period.
    #[must_use]
    pub fn at(self, pointer: &str) -> Fault {
        let message = match self {
            Self::Damaged => return Damaged.fault(),
            Self::FitsFrom(Some(day)) => {
                format!("these requests are too many for one answer; the longest period that fits begins on {day}")
            }
            Self::FitsFrom(None) => "these requests are too many for one answer, even of one month".to_owned(),
        };
        Fault::invalid(pointer, "period_too_wide", message)
    }
}

/// The first and the last visit of a bot at an address, in seconds since 1970 UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Newest {
    /// Visits under its name, but for those that were not its own.
    pub first: u64,
    /// The last of them.
    pub last: u64,
    /// The first that is its operator's for certain; 0 without one.
    pub first_verified: u64,
    /// The last of them.
    pub last_verified: u64,
}

/// The stored requests of one website.
pub struct Store<'a> {
    cx: &'a Cx,
    prefix: &'static str,
    site: String,
}

impl<'a> Store<'a> {
    /// For every module but `logs`.
    #[must_use]
    pub fn of(cx: &'a Cx, site: &Id<Site>) -> Self {
        Self { cx, prefix: "logs.", site: site.to_string() }
    }

    /// For the module `logs` itself.
    #[must_use]
    pub fn own(cx: &'a Cx, site: &Id<Site>) -> Self {
        Self { cx, prefix: "", site: site.to_string() }
    }

    /// The shelf of a month.
    #[must_use]
    pub fn month(&self, month: Month) -> Shelf<'a> {
        Shelf::of(self.cx, format!("{}hits/{}/{month}", self.prefix, self.site))
    }

    /// The shelf of newest visits.
    #[must_use]
    pub fn newest(&self) -> Shelf<'a> {
        Shelf::of(self.cx, format!("{}urls/{}", self.prefix, self.site))
    }

    /// Calls `each` with the keys that begin with `prefix`, each day in the period and its figures. A key comes once for each
    /// month, in the order of months and then of keys.
    ///
    /// # Errors
    /// See [`TooMuch`]; a period that is too wide is refused before anything is read.
    pub fn days(
        &self,
        period: Period,
        prefix: &[u8],
        mut each: impl FnMut(Key<'_>, Day, Visits),
    ) -> Result<(), TooMuch> {
        let (mut months, mut bytes) = (Vec::new(), 0);
        // The newest month first, so that the longest period that fits is known where the sum passes the bound.
        for month in period.months().rev() {
            let shelf = self.month(month);
            let index = shelf.index();
            bytes += Shelf::bytes(&index, prefix);
            if bytes > MAX_BYTES {
                let fits = month.next().first();
                return Err(TooMuch::FitsFrom((fits <= period.last).then_some(fits)));
            }
            months.push((month, shelf, index));
        }
        for (month, shelf, index) in months.into_iter().rev() {
            let mask = month.mask(period);
            let read = shelf.read::<Visits>(&index, prefix, |reader| {
                if let Some(key) = Key::read(reader.key()) {
                    reader
                        .days()
                        .filter(|(day, _)| mask & (1 << day) != 0)
                        .for_each(|(day, it)| each(key, month.day(day), it));
                }
                true
            });
            read.map_err(|Damaged| TooMuch::Damaged)?;
        }
        Ok(())
    }

    /// Calls `each` with every address, family and its first and last visits.
    ///
    /// # Errors
    /// [`TooMuch`].
    pub fn all_newest(&self, mut each: impl FnMut(&str, &str, Newest)) -> Result<(), TooMuch> {
        let shelf = self.newest();
        let index = shelf.index();
        if Shelf::bytes(&index, Key::BOTS) > MAX_BYTES {
            return Err(TooMuch::FitsFrom(None));
        }
        let read = shelf.read::<Visits>(&index, Key::BOTS, |reader| {
            if let Some((url, family)) = split(reader.key()) {
                each(url, family, newest(reader.days()));
            }
            true
        });
        read.map_err(|Damaged| TooMuch::Damaged)
    }

    /// The families that came to one address, with their first and last visits.
    ///
    /// # Errors
    /// [`TooMuch`].
    pub fn newest_of(&self, url: &str) -> Result<Vec<(String, Newest)>, TooMuch> {
        let shelf = self.newest();
        let mut found = Vec::new();
        let prefix = format!("b\0{url}\0");
        let read = shelf.read::<Visits>(&shelf.index(), prefix.as_bytes(), |reader| {
            found.extend(split(reader.key()).map(|(_, family)| (family.to_owned(), newest(reader.days()))));
            true
        });
        read.map_err(|Damaged| TooMuch::Damaged)?;
        Ok(found)
    }

    /// The first and last visits of one family at each of these addresses; those without a visit are left out.
    ///
    /// # Errors
    /// [`TooMuch`].
    pub fn newest_among<'u>(
        &self,
        urls: impl IntoIterator<Item = &'u str>,
        family: &str,
    ) -> Result<HashMap<String, Newest>, TooMuch> {
        let mut prefixes: Vec<Vec<u8>> = urls.into_iter().map(|url| format!("b\0{url}\0").into_bytes()).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        let shelf = self.newest();
        let mut found = HashMap::new();
        let read = shelf.read_many::<Visits>(&shelf.index(), &prefixes, |reader| {
            if let Some((url, _)) = split(reader.key()).filter(|it| it.1 == family) {
                found.insert(url.to_owned(), newest(reader.days()));
            }
        });
        read.map_err(|Damaged| TooMuch::Damaged)?;
        Ok(found)
    }

    /// The last day that has lines, among the 13 months up to this day.
    #[must_use]
    pub fn last_day(&self, today: Day) -> Option<Day> {
        let mut month = Month::of(today.plus(1));
        for _ in 0..13 {
            let days = self.month(month).index().days;
            if days != 0 {
                return Some(month.day(u8::try_from(31 - days.leading_zeros()).unwrap_or(0)));
            }
            month = month.previous();
        }
        None
    }

    /// Requests of search engines by address in a period, those under a name that was not theirs left out.
    ///
    /// # Errors
    /// [`TooMuch`].
    pub fn of_search_engines(&self, period: Period) -> Result<HashMap<String, u64>, TooMuch> {
        let mut found: HashMap<String, u64> = HashMap::new();
        self.days(period, Key::BOTS, |key, _, it| {
            let Key::Bot { url, family, verdict, .. } = key else { return };
            let is_search = bots::family(family).is_some_and(|bot| bot.purpose == bots::Purpose::Search);
            if is_search && verdict != Verdict::Spoofed {
                match found.get_mut(url) {
                    Some(hits) => *hits += it.hits,
                    None => {
                        found.insert(url.to_owned(), it.hits);
                    }
                }
            }
        })?;
        Ok(found)
    }

    /// Whether anything is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.newest().index().packs.is_empty()
    }
}

fn split(key: &[u8]) -> Option<(&str, &str)> {
    std::str::from_utf8(key).ok()?.strip_prefix("b\0")?.split_once('\0')
}

fn newest(days: impl Iterator<Item = (u8, Visits)>) -> Newest {
    let mut out = Newest::default();
    for (day, it) in days {
        if day == 0 {
            (out.first, out.last) = (it.first, it.last);
        } else {
            (out.first_verified, out.last_verified) = (it.first, it.last);
        }
    }
    out
}
