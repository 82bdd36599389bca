//! The parts of an import, in the order in which they are done.

use search::{Cut, Month, Period};

/// Days of one question for totals.
const DAYS_OF_TOTALS: i32 = 500;

/// A part of an import: what one step works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The totals of these days.
    Totals(Period),
    /// A cut of a month.
    Cut(Month, Cut),
    /// The click counts of a month, from its stored cuts.
    Counts(Month),
}

/// The parts of an import of a period: totals, then each month, the newest first, so that reports can be asked early.
pub(crate) fn parts(period: Period, cuts: &[Cut]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut first = period.first;
    while first <= period.last {
        let last = first.plus(DAYS_OF_TOTALS - 1).min(period.last);
        parts.push(Part::Totals(Period { first, last }));
        first = last.plus(1);
    }
    for month in period.months().rev() {
        parts.extend(cuts.iter().map(|cut| Part::Cut(month, *cut)));
        if cuts.iter().any(|cut| matches!(cut, Cut::Details | Cut::PageMarkets)) {
            parts.push(Part::Counts(month));
        }
    }
    parts
}

impl Part {
    /// What it is, for people.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Totals(_) => "importing totals".to_owned(),
            Self::Cut(month, cut) => {
                let what = match cut {
                    Cut::Markets => "countries and devices",
                    Cut::Pages => "pages",
                    Cut::PageMarkets => "countries and devices of pages",
                    Cut::Queries => "queries",
                    Cut::Details => "queries of pages",
                    Cut::Appearances => "search appearances",
                };
                format!("importing {what} of {month}")
            }
            Self::Counts(month) => format!("counting clicks by position of {month}"),
        }
    }
}
