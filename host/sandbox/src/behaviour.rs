//! How another component behaves over a recorded run: what a review sees of code that changed.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::transcript::{Ending, Transcript};

/// Places of an answer that are named; more are only counted.
const PLACES: usize = 20;

/// What differs. It names functions, hosts and places of answers, and nothing that stood in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// The operation or the step.
    pub operation: String,
    /// How the run ended, and how the other component ended it; none: a call that was not recorded cut it short.
    pub outcome: (String, Option<String>),
    /// Where the answers differ: JSON pointers with `*` for every item of a list.
    pub answer: BTreeSet<String>,
    /// Units of work that were told, then and now.
    pub units: Option<(u64, u64)>,
    /// Fuel, then and now.
    pub fuel: (u64, u64),
    /// Calls that were not recorded, with the host of the address where they ask for one.
    pub added: BTreeMap<String, usize>,
    /// Recorded calls that were not made.
    pub missing: BTreeMap<String, usize>,
}

impl Behaviour {
    pub(crate) fn of(
        transcript: &Transcript,
        ending: &Ending,
        fuel: u64,
        (added, missing, cut): (BTreeMap<String, usize>, BTreeMap<String, usize>, bool),
    ) -> Self {
        let (mut answer, mut units) = (BTreeSet::new(), None);
        match (&transcript.ending, ending) {
            (Ending::Answered { data: then, units: told }, Ending::Answered { data: now, units: tells }) if !cut => {
                units = Some((*told, *tells));
                let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
                differences(&read(then), &read(now), String::new(), &mut answer);
            }
            (Ending::Refused(then), Ending::Refused(now)) if !cut && then != now => {
                answer.insert("/error".to_owned());
            }
            _ => {}
        }
        let outcome = (transcript.ending.word().to_owned(), (!cut).then(|| ending.word().to_owned()));
        let (operation, fuel) = (transcript.export.name().to_owned(), (transcript.fuel, fuel));
        Self { operation, outcome, answer, units, fuel, added, missing }
    }

    /// Whether nothing differs but the fuel.
    pub fn is_same(&self) -> bool {
        self.outcome.1.as_ref() == Some(&self.outcome.0)
            && self.answer.is_empty()
            && self.units.is_none_or(|(then, now)| then == now)
            && self.added.is_empty()
            && self.missing.is_empty()
    }
}

fn differences(then: &Value, now: &Value, place: String, found: &mut BTreeSet<String>) {
    if then == now || found.len() >= PLACES {
        return;
    }
    match (then, now) {
        (Value::Object(then), Value::Object(now)) => {
            let names: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
            for name in names {
                let (then, now) = (then.get(name), now.get(name));
                let place = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
                differences(then.unwrap_or(&Value::Null), now.unwrap_or(&Value::Null), place, found);
            }
        }
        (Value::Array(then), Value::Array(now)) if then.len() == now.len() => {
            for (then, now) in then.iter().zip(now) {
                differences(then, now, format!("{place}/*"), found);
            }
        }
        _ => _ = found.insert(place),
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `behaviour`.

    use serde_json::json;

    use super::*;

    #[test]
    fn answers_are_told_apart_by_their_places_and_never_by_what_stands_there() {
        let then = json!({ "score": 71, "rows": [{ "url": "a" }, { "url": "b" }], "note": "x" });
        let now = json!({ "score": 90, "rows": [{ "url": "a" }, { "url": "c" }], "more": 1, "note": "x" });
        let mut found = BTreeSet::new();
        differences(&then, &now, String::new(), &mut found);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["/more", "/rows/*/url", "/score"]);
        let mut found = BTreeSet::new();
        differences(&json!([1, 2]), &json!([1]), String::new(), &mut found);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [""], "a list of another length differs as a whole");
    }
}
