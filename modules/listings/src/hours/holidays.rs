//! Public holidays, so that a business does not forget them. The table is of whole countries: regional ones are not in it.
//!
//! Source: PyPI `holidays` 0.109, for twelve countries and the years 2026 to 2028. A test fails when less than twelve months
//! are left.

use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use crate::stored::Location;
use crate::week::Special;

const TABLE: &str = include_str!("holidays.tsv");

fn of(country: &str) -> impl Iterator<Item = (Day, &'static str)> {
    let country = country.to_owned();
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let mut parts = line.splitn(3, '\t');
        let is_of = parts.next()? == country;
        let (day, name) = (parts.next()?.parse().ok()?, parts.next()?);
        is_of.then_some((day, name))
    })
}

/// Holidays of the country in the days to come that have no special hours; none where the table has no such country or time.
pub(crate) fn without_hours(
    country: &str,
    today: Day,
    ahead: i32,
    special: &[Special],
) -> Option<Vec<(Day, &'static str)>> {
    let last = today.plus(ahead);
    let known = of(country).last().is_some_and(|(day, _)| day >= last);
    let is_missing = |it: &(Day, &str)| it.0 >= today && it.0 <= last && special.iter().all(|own| own.date != it.0);
    known.then(|| of(country).filter(is_missing).collect())
}

/// The call that closes on these days, beside the special days that are set.
pub(crate) fn closing(
    location: &Id<Location>,
    special: &[Special],
    missing: &[(Day, &'static str)],
    today: Day,
) -> Next {
    let kept = special.iter().filter(|it| it.date >= today).map(|it| match (it.closed, &it.open, &it.close) {
        (false, Some(open), Some(close)) => json!({ "date": it.date, "open": open, "close": close }),
        _ => json!({ "date": it.date, "closed": true }),
    });
    let closed = missing.iter().map(|(day, _)| json!({ "date": day, "closed": true }));
    let all: Vec<Value> = kept.chain(closed).take(60).collect();
    let arguments = json!({ "location_ref": location, "special": all });
    Next::new("listings.hours.update", arguments, "says that you are closed on the holidays that are not set")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    #[test]
    fn holidays_without_special_hours_are_named_and_unknown_countries_are_unknown() {
        let closed = Special { date: day("2026-12-25"), open: None, close: None, closed: true };
        let missing = without_hours("GB", day("2026-12-01"), 60, std::slice::from_ref(&closed)).unwrap();
        let days: Vec<String> = missing.iter().map(|it| it.0.to_string()).collect();
        assert_eq!(days, ["2026-12-26", "2026-12-28", "2027-01-01"]);
        assert_eq!(without_hours("JP", day("2026-12-01"), 60, &[]), None);
        assert_eq!(without_hours("GB", day("2028-12-01"), 60, &[]), None, "the table ends with its years");
        let next = closing(&Id::new("1.2.c"), &[closed], &missing, day("2026-12-01"));
        assert_eq!(next.arguments["special"].as_array().map(Vec::len), Some(4));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the age of the table is measured by the clock of the machine")]
    fn the_table_reaches_twelve_months_ahead() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
        let today = Moment::from_millis(u64::try_from(now).unwrap()).day();
        for country in ["AT", "AU", "CA", "CH", "DE", "ES", "FR", "GB", "IE", "IT", "NL", "US"] {
            assert!(without_hours(country, today, 365, &[]).is_some_and(|it| it.len() > 3), "{country}: make it anew");
        }
    }
}
