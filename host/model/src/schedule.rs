//! Calls that are made again and again: what and when, as data.

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clock::Moment;

/// How often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Every {
    /// Each day.
    Day,
    /// Each week.
    Week,
    /// Each month, on its first day.
    Month,
}

/// When, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cadence {
    /// How often.
    pub every: Every,
    /// Of the day: 0 to 1,439.
    pub minute: u32,
    /// 0 is Monday; for weeks.
    pub weekday: u32,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Planned {
    /// The operation.
    pub operation: String,
    /// Its arguments; `{"$result": "run_ref"}` stands for that member of what the calls before answered.
    pub arguments: Map<String, Value>,
}

/// A number that must not fall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watch {
    /// How it is read.
    pub read: Planned,
    /// Its JSON pointer in the answer.
    pub pointer: String,
    /// The fall that is told.
    pub falls_by: u32,
    /// What has fallen, in a few words.
    pub title: String,
}

/// A whole plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// When.
    pub cadence: Cadence,
    /// One after the other.
    pub calls: Vec<Planned>,
    /// Afterwards.
    pub watch: Option<Watch>,
}

impl Cadence {
    /// The first moment after `now`. Rounds that were missed are not made up for.
    pub fn next(&self, now: Moment) -> Moment {
        let first = now.start_of_day().0;
        // A month has at most 31 days, so one of the next 32 fits.
        let fitting = (0..=32).map(|days| Moment(first + days * 86_400_000)).find_map(|day| {
            let at = Moment(day.0 + i64::from(self.minute.min(1_439)) * 60_000);
            (at > now && self.falls_on(day)).then_some(at)
        });
        fitting.unwrap_or_else(|| now.next_day())
    }

    fn falls_on(&self, day: Moment) -> bool {
        let timestamp = jiff::Timestamp::from_millisecond(day.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        let date = timestamp.to_zoned(TimeZone::UTC).date();
        match self.every {
            Every::Day => true,
            Every::Week => u32::from(date.weekday().since(Weekday::Monday).unsigned_abs()) == self.weekday,
            Every::Month => date.day() == 1,
        }
    }
}

impl Planned {
    /// The arguments with what the calls before answered; the name of what is missing otherwise.
    ///
    /// # Errors
    /// No call before answered a member of that name.
    pub fn filled(&self, results: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        self.arguments.iter().map(|(name, value)| Ok((name.clone(), put(value, results)?))).collect()
    }
}

fn put(value: &Value, results: &Map<String, Value>) -> Result<Value, String> {
    match value {
        Value::Object(members) => {
            if let (1, Some(Value::String(name))) = (members.len(), members.get("$result")) {
                return results.get(name).cloned().ok_or_else(|| name.clone());
            }
            let filled = members.iter().map(|(name, value)| Ok((name.clone(), put(value, results)?)));
            Ok(Value::Object(filled.collect::<Result<_, String>>()?))
        }
        Value::Array(items) => items.iter().map(|item| put(item, results)).collect::<Result<_, _>>().map(Value::Array),
        plain => Ok(plain.clone()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn next(every: Every, minute: u32, weekday: u32, now: &str) -> String {
        let now: jiff::Timestamp = now.parse().unwrap();
        Cadence { every, minute, weekday }.next(Moment(now.as_millisecond())).rfc3339()
    }

    #[test]
    fn the_next_round_is_the_first_that_is_still_to_come() {
        assert_eq!(next(Every::Day, 90, 0, "2026-11-22T01:29:59Z"), "2026-11-22T01:30:00Z");
        assert_eq!(next(Every::Day, 90, 0, "2026-11-22T01:30:00Z"), "2026-11-23T01:30:00Z");
        // 22 November 2026 is a Sunday.
        assert_eq!(next(Every::Week, 0, 0, "2026-11-22T12:00:00Z"), "2026-11-23T00:00:00Z");
        assert_eq!(next(Every::Week, 0, 6, "2026-11-22T12:00:00Z"), "2026-11-29T00:00:00Z");
        assert_eq!(next(Every::Week, 780, 6, "2026-11-22T12:00:00Z"), "2026-11-22T13:00:00Z");
        assert_eq!(next(Every::Month, 5, 0, "2026-11-01T00:04:00Z"), "2026-11-01T00:05:00Z");
        assert_eq!(next(Every::Month, 5, 0, "2026-11-01T00:05:00Z"), "2026-12-01T00:05:00Z");
        assert_eq!(next(Every::Month, 0, 0, "2027-01-31T23:59:00Z"), "2027-02-01T00:00:00Z");
    }

    #[test]
    fn what_a_call_before_answered_stands_wherever_it_is_named() {
        let arguments = json!({ "run_ref": { "$result": "run_ref" }, "list": [{ "a": { "$result": "n" } }], "x": 1 });
        let Value::Object(arguments) = arguments else { unreachable!() };
        let planned = Planned { operation: "audit.run.start".to_owned(), arguments };
        let Value::Object(results) = json!({ "run_ref": "run_7", "n": 3 }) else { unreachable!() };
        let filled = planned.filled(&results).unwrap();
        assert_eq!(Value::Object(filled), json!({ "run_ref": "run_7", "list": [{ "a": 3 }], "x": 1 }));
        assert_eq!(planned.filled(&Map::new()), Err("n".to_owned()), "the first that is missing");
    }
}
