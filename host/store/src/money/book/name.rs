//! The accounts of a customer, by name.

use model::clock::Moment;

pub(super) const DAY: i64 = 86_400_000;

/// An account of a customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Name {
    /// The included points of one UTC day, in days since 1970-01-01.
    Allowance(i64),
    /// Paid points.
    Points,
    /// Credits, in thousandths.
    Credits,
    /// Where included points come from.
    PointsGranted,
    /// Where paid points come from.
    PointsBought,
    /// Where spent points go.
    PointsUsed,
    /// Where credits come from.
    CreditsBought,
    /// Where spent credits go.
    CreditsSpent,
}

impl Name {
    pub(crate) fn text(self) -> String {
        match self {
            Name::Allowance(day) => format!("allowance:{}", Moment(day * DAY).day()),
            Name::Points => "points".to_owned(),
            Name::Credits => "credits".to_owned(),
            Name::PointsGranted => "points.granted".to_owned(),
            Name::PointsBought => "points.bought".to_owned(),
            Name::PointsUsed => "points.used".to_owned(),
            Name::CreditsBought => "credits.bought".to_owned(),
            Name::CreditsSpent => "credits.spent".to_owned(),
        }
    }

    pub(super) fn limited(self) -> bool {
        matches!(self, Name::Allowance(_) | Name::Points | Name::Credits)
    }
}

/// The UTC day of a moment, counted from 1970-01-01.
pub(crate) fn day(now: Moment) -> i64 {
    now.0.div_euclid(DAY)
}
