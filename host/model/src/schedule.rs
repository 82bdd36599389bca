//! What is done again and again in a customer's name: what and when, as data.

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
#[serde(untagged)]
pub enum Plan {
    /// Calls of operations.
    Calls(Calls),
    /// Calls of operations, one time.
    Once(Once),
    /// A step of the module's own.
    Work(Work),
}

/// Calls of operations, each at its own price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    /// When.
    pub cadence: Cadence,
    /// One after the other.
    pub calls: Vec<Planned>,
    /// Afterwards.
    pub watch: Option<Watch>,
}

/// Calls of operations at one moment, each at its own price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Once {
    /// When, in milliseconds since 1970 UTC.
    pub at: i64,
    /// One after the other.
    pub calls: Vec<Planned>,
}

/// A job that begins every few minutes, as if an operation of the module had started it: with that operation's rights
/// and native price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// The minutes between two rounds: one of [`INTERVALS`].
    pub minutes: u32,
    /// Milliseconds by which the rounds come after the full interval, so that those of all customers do not come at once.
    pub phase: i64,
    /// The operation.
    pub operation: String,
    /// The step.
    pub step: String,
    /// Its payload.
    pub payload: Map<String, Value>,
    /// The most units of work of one round: their price is held while it runs.
    pub units: u64,
}

/// Minutes that may lie between two rounds of [`Work`].
pub const INTERVALS: [u32; 6] = [5, 15, 60, 360, 1_440, 10_080];

impl Plan {
    /// The first moment after `now`. Rounds that were missed are not made up for; what is made once has one moment.
    pub fn next(&self, now: Moment) -> Moment {
        match self {
            Self::Calls(calls) => calls.cadence.next(now),
            Self::Once(once) => Moment(once.at),
            Self::Work(work) => work.next(now),
        }
    }
}

impl Work {
    fn next(&self, now: Moment) -> Moment {
        let period = i64::from(self.minutes.max(1)) * 60_000;
        let phase = self.phase.rem_euclid(period);
        Moment((now.0 - phase).div_euclid(period) * period + period + phase)
    }
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

    #[test]
    fn work_of_every_few_minutes_comes_once_in_each_interval_a_little_after_its_begin() {
        let work = |minutes, phase| Work {
            minutes,
            phase,
            operation: "a.b.c".to_owned(),
            step: "check".to_owned(),
            payload: Map::new(),
            units: 1,
        };
        for minutes in INTERVALS {
            let (work, period) = (work(minutes, 137_000), i64::from(minutes) * 60_000);
            let mut now = Moment(1_000_000_007);
            for _ in 0..5 {
                let next = work.next(now);
                assert!(next > now && next.0 - now.0 <= period, "{minutes}");
                assert_eq!(next.0.rem_euclid(period), 137_000, "{minutes}");
                now = next;
            }
        }
        assert_eq!(work(5, 0).next(Moment(300_000)), Moment(600_000), "a round that is due now is not the next");
    }

    #[test]
    fn a_plan_of_calls_is_written_as_before_there_were_others() {
        let cadence = Cadence { every: Every::Day, minute: 7, weekday: 0 };
        let plan = Plan::Calls(Calls { cadence, calls: Vec::new(), watch: None });
        let written = r#"{"cadence":{"every":"day","minute":7,"weekday":0},"calls":[],"watch":null}"#;
        assert_eq!(serde_json::to_string(&plan).unwrap(), written);
        assert_eq!(serde_json::from_str::<Plan>(written).unwrap(), plan);
        let once = Plan::Once(Once { at: 7, calls: Vec::new() });
        assert_eq!(serde_json::to_string(&once).unwrap(), r#"{"at":7,"calls":[]}"#, "as the sweep looks for it");
        assert_eq!(serde_json::from_str::<Plan>(r#"{"at":7,"calls":[]}"#).unwrap(), once);
    }

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
