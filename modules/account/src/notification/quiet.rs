//! When a customer wants to be left alone.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use sdk::prelude::*;
use sdk::value::Time;

/// Minutes of a day.
const DAY: u16 = 1_440;

/// Minutes until quiet hours end; none when it is not quiet now. Both ends are times of the day in the zone (IANA).
pub(super) fn left(now: Moment, zone: &str, hours: Option<(Time, Time)>) -> Option<u16> {
    let (from, to) = hours?;
    let here = minute_of(now, zone);
    let since = |start: u16, minute: u16| (minute + DAY - start) % DAY;
    let long = since(from.minutes(), to.minutes());
    // Equal ends are no hours at all.
    let into = since(from.minutes(), here);
    (into < long).then(|| long - into)
}

/// The minute of the day in a zone; in UTC where the zone is not known.
fn minute_of(now: Moment, zone: &str) -> u16 {
    let millis = i64::try_from(now.millis()).unwrap_or(0);
    let timestamp = Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH);
    let time = timestamp.to_zoned(TimeZone::get(zone).unwrap_or(TimeZone::UTC)).time();
    u16::try_from(i32::from(time.hour()) * 60 + i32::from(time.minute())).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_at(now: &str, zone: &str, from: &str, to: &str) -> Option<u16> {
        let now: Timestamp = now.parse().unwrap();
        let now = Moment::from_millis(u64::try_from(now.as_millisecond()).unwrap());
        left(now, zone, Some((from.parse().unwrap(), to.parse().unwrap())))
    }

    #[test]
    fn a_night_goes_over_midnight_and_is_a_night_of_the_zone() {
        assert_eq!(left_at("2026-11-22T21:59:00Z", "UTC", "22:00", "07:00"), None);
        assert_eq!(left_at("2026-11-22T22:00:00Z", "UTC", "22:00", "07:00"), Some(540));
        assert_eq!(left_at("2026-11-22T06:59:00Z", "UTC", "22:00", "07:00"), Some(1));
        assert_eq!(left_at("2026-11-22T07:00:00Z", "UTC", "22:00", "07:00"), None);
        // In November Berlin is an hour ahead, in July two.
        assert_eq!(left_at("2026-11-22T21:30:00Z", "Europe/Berlin", "22:00", "07:00"), Some(510));
        assert_eq!(left_at("2026-07-22T20:30:00Z", "Europe/Berlin", "22:00", "07:00"), Some(510));
        assert_eq!(left_at("2026-11-22T20:30:00Z", "Europe/Berlin", "22:00", "07:00"), None);
        assert_eq!(left_at("2026-11-22T01:15:00Z", "Asia/Kolkata", "06:00", "08:00"), Some(75));
    }

    #[test]
    fn equal_ends_are_never_quiet() {
        assert_eq!(left_at("2026-11-22T22:00:00Z", "UTC", "22:00", "22:00"), None);
        assert_eq!(left(Moment::from_millis(0), "UTC", None), None);
    }
}
