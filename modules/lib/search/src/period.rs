//! Periods of days, and the months that figures are stored by.

use std::fmt;

use sdk::prelude::*;

/// A month of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    year: i32,
    month: u32,
}

impl Month {
    /// The month of a day.
    #[must_use]
    pub fn of(day: Day) -> Self {
        let (year, month, _) = day.civil();
        Self { year, month }
    }

    /// Its first day.
    #[must_use]
    pub fn first(self) -> Day {
        Day::from_civil(self.year, self.month, 1).unwrap_or(Day::from_epoch(0))
    }

    /// Its last day.
    #[must_use]
    pub fn last(self) -> Day {
        self.next().first().plus(-1)
    }

    /// The month after it.
    #[must_use]
    pub fn next(self) -> Self {
        if self.month == 12 { Self { year: self.year + 1, month: 1 } } else { Self { month: self.month + 1, ..self } }
    }

    /// The month before it.
    #[must_use]
    pub fn previous(self) -> Self {
        if self.month == 1 { Self { year: self.year - 1, month: 12 } } else { Self { month: self.month - 1, ..self } }
    }

    /// The bits of its days that are in a period; bit 0 is its first day.
    #[must_use]
    pub fn mask(self, period: Period) -> u32 {
        let (first, last) = (self.first(), self.last());
        let (from, to) = (period.first.max(first), period.last.min(last));
        (from.since_epoch()..=to.since_epoch()).fold(0, |mask, day| mask | self.bit(Day::from_epoch(day)))
    }

    /// The bit of a day; 0 for a day of another month.
    #[must_use]
    pub fn bit(self, day: Day) -> u32 {
        if Self::of(day) == self { 1 << (day.civil().2 - 1) } else { 0 }
    }

    /// The day of a bit's number.
    #[must_use]
    pub fn day(self, bit: u8) -> Day {
        self.first().plus(i32::from(bit))
    }

    /// The bits of all its days.
    #[must_use]
    pub fn all(self) -> u32 {
        self.mask(Period { first: self.first(), last: self.last() })
    }
}

impl fmt::Display for Month {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}", self.year, self.month)
    }
}

/// Days from the first to the last, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first day.
    pub first: Day,
    /// The last day; not before the first.
    pub last: Day,
}

impl Period {
    /// The `days` days that end on `last`.
    #[must_use]
    pub fn ending(last: Day, days: i32) -> Self {
        Self { first: last.plus(1 - days.max(1)), last }
    }

    /// Its number of days.
    #[must_use]
    pub fn length(self) -> i32 {
        self.last.since_epoch() - self.first.since_epoch() + 1
    }

    /// Whether a day is in it.
    #[must_use]
    pub fn contains(self, day: Day) -> bool {
        (self.first..=self.last).contains(&day)
    }

    /// All its days.
    pub fn days(self) -> impl Iterator<Item = Day> {
        (self.first.since_epoch()..=self.last.since_epoch()).map(Day::from_epoch)
    }

    /// The months that it touches.
    pub fn months(self) -> impl DoubleEndedIterator<Item = Month> {
        let mut months = vec![Month::of(self.first)];
        while let Some(month) = months.last().map(|month| month.next()).filter(|month| month.first() <= self.last) {
            months.push(month);
        }
        months.into_iter()
    }

    /// The same number of days, moved.
    #[must_use]
    pub fn shifted(self, days: i32) -> Self {
        Self { first: self.first.plus(days), last: self.last.plus(days) }
    }

    /// The period of the same length right before it, moved back to whole weeks when it is a week or longer, so that both
    /// have the same weekdays in the same order.
    #[must_use]
    pub fn previous(self) -> Self {
        let length = self.length();
        let back = if length >= 7 { (length + 6) / 7 * 7 } else { length };
        self.shifted(-back)
    }
}
