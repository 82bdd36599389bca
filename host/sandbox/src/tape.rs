//! The host of a replay: answers from the transcript as long as the guest makes the recorded calls.

use std::collections::{BTreeMap, BTreeSet};

use model::clock::Moment;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use crate::limiter::Limiter;
use crate::memory::Held;
use crate::transcript::{Exchange, Transcript, digest};
use crate::wasi::Inert;

/// The state of a replay.
pub(crate) struct Tape {
    pub(crate) limiter: Limiter,
    pub(crate) now: Moment,
    pub(crate) seed: [u8; 32],
    /// Created on first use by a component of another toolchain.
    pub(crate) wasi: Option<Inert>,
    exchanges: Vec<Exchange>,
    /// The number of calls answered so far.
    pub(crate) made: usize,
    pub(crate) ended: Option<Ended>,
    /// What another component asks than the one that was recorded; `None` where it is that one.
    pub(crate) other: Option<Other>,
}

/// The calls of another component, held against those that were recorded.
#[derive(Debug, Default)]
pub(crate) struct Other {
    /// The recorded calls that it made too, by their places.
    made: BTreeSet<usize>,
    /// Calls that were not recorded: the function, and the host of the address where it asks for one.
    pub(crate) added: BTreeMap<String, usize>,
}

/// Where a replay diverged from the transcript. Names functions, and never arguments or answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Divergence {
    /// The guest called another function.
    #[error("diverged at call {number}: asked {asked}, recorded {recorded}")]
    Function {
        /// The number of the host call, from 1.
        number: usize,
        /// The function called.
        asked: String,
        /// The recorded function.
        recorded: String,
    },
    /// The guest called the same function with other arguments.
    #[error("diverged at call {number}: asked {asked}, recorded {asked} with other arguments")]
    Question {
        /// The number of the host call, from 1.
        number: usize,
        /// The function called.
        asked: String,
    },
    /// The recorded answer does not have the function's type: it is from another version of the boundary.
    #[error("diverged at call {number}: the answer of {asked} that was recorded is not of this version's boundary")]
    Answer {
        /// The number of the host call, from 1.
        number: usize,
        /// The function called.
        asked: String,
    },
    /// The guest made more calls than recorded.
    #[error("diverged at call {number}: asked {asked}, recorded no more calls")]
    Unrecorded {
        /// The number of the host call, from 1.
        number: usize,
        /// The function called.
        asked: String,
    },
    /// The guest ended before it made a recorded call.
    #[error("diverged at call {number}: asked nothing more, recorded {recorded}")]
    Unasked {
        /// The number of the host call, from 1.
        number: usize,
        /// The recorded function.
        recorded: String,
    },
    /// The guest ended in another way.
    #[error("diverged at the end: ended with {ended}, recorded {recorded}")]
    Ending {
        /// The code of the ending.
        ended: String,
        /// The recorded code.
        recorded: String,
    },
    /// The guest ended in the same way, but with another answer or refusal.
    #[error("diverged at the end: the answer is another one than was recorded")]
    Result,
    /// Only the fuel differs.
    #[error("diverged in fuel: took {taken}, recorded {recorded}")]
    Fuel {
        /// The fuel of the replay.
        taken: u64,
        /// The recorded fuel.
        recorded: u64,
    },
}

/// Why a tape ended a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The host ended the recorded run here.
    AsRecorded,
    /// The guest made another call than recorded.
    Diverged(Divergence),
}

/// Functions that leave something behind: what they answer says nothing that the guest did not know.
const LEAVES: [&str; 4] = ["log.", "records_write.", "blobs_write.", "cache.put"];

/// The host of the address that a call is about.
fn address<Q: Serialize>(question: &Q) -> Option<String> {
    fn named(value: &Value) -> Option<String> {
        match value {
            Value::Object(members) => match members.get("url") {
                Some(Value::String(url)) => Url::parse(url).ok()?.host_str().map(str::to_owned),
                _ => members.values().find_map(named),
            },
            Value::Array(items) => items.iter().find_map(named),
            _ => None,
        }
    }
    named(&serde_json::to_value(question).ok()?)
}

/// The error that ends a replay by unwinding it. The reason is in the tape.
#[derive(Debug, thiserror::Error)]
#[error("the replay was ended by its tape")]
struct Wound;

impl Tape {
    pub(crate) fn of(transcript: &Transcript) -> Self {
        Self {
            limiter: Limiter::new(transcript.limits.memory, Held::default()),
            now: transcript.now,
            seed: transcript.seed,
            wasi: None,
            exchanges: transcript.exchanges.clone(),
            made: 0,
            ended: None,
            other: None,
        }
    }

    /// For another component than the recorded one: a call is answered wherever it was recorded. One that only leaves
    /// something behind goes on with the answer of its kind, and anything else that was not recorded ends the run.
    pub(crate) fn for_another(transcript: &Transcript) -> Self {
        Self { other: Some(Other::default()), ..Self::of(transcript) }
    }

    /// Recorded calls that it did not make, by function.
    pub(crate) fn missing(&self) -> BTreeMap<String, usize> {
        let mut missing = BTreeMap::new();
        let made = self.other.as_ref().map(|other| &other.made);
        for (at, exchange) in self.exchanges.iter().enumerate() {
            if made.is_some_and(|made| !made.contains(&at)) {
                *missing.entry(exchange.function.clone().into_owned()).or_default() += 1;
            }
        }
        missing
    }

    /// The place of the recorded call that answers this one of another component.
    fn found<Q: Serialize>(&mut self, function: &str, question: &Q) -> Option<usize> {
        let asked = digest(question).map(|(asked, _)| asked);
        let other = self.other.as_mut()?;
        let free = |at: &usize| !other.made.contains(at);
        let of_function = || self.exchanges.iter().enumerate().filter(|(at, it)| free(at) && it.function == function);
        let same = of_function().find(|(_, it)| Some(it.asked) == asked).map(|(at, _)| at);
        let found = same.or_else(|| {
            let like = of_function().find(|_| LEAVES.iter().any(|it| function.starts_with(it)));
            like.map(|(at, _)| at)
        });
        if same.is_none() {
            let to = address(question).map(|host| format!(" of {host}")).unwrap_or_default();
            *other.added.entry(format!("{function}{to}")).or_default() += 1;
        }
        other.made.extend(found);
        found
    }

    /// The recorded answer to this call.
    pub(crate) fn told<Q: Serialize, A: DeserializeOwned>(
        &mut self,
        function: &'static str,
        question: &Q,
    ) -> wasmtime::Result<A> {
        let number = self.made + 1;
        if self.other.is_some() {
            let Some(at) = self.found(function, question) else {
                return Err(self.end(Ended::Diverged(Divergence::Unrecorded { number, asked: function.to_owned() })));
            };
            return self.answer(at, number, function);
        }
        let Some(exchange) = self.exchanges.get(self.made) else {
            return Err(self.end(Ended::Diverged(Divergence::Unrecorded { number, asked: function.to_owned() })));
        };
        if exchange.function != function {
            let (asked, recorded) = (function.to_owned(), exchange.function.clone().into_owned());
            return Err(self.end(Ended::Diverged(Divergence::Function { number, asked, recorded })));
        }
        if digest(question).map(|(asked, _)| asked) != Some(exchange.asked) {
            return Err(self.end(Ended::Diverged(Divergence::Question { number, asked: function.to_owned() })));
        }
        self.answer(self.made, number, function)
    }

    /// The answer that was recorded at this place.
    fn answer<A: DeserializeOwned>(&mut self, at: usize, number: usize, function: &'static str) -> wasmtime::Result<A> {
        let Some(told) = &self.exchanges[at].told else {
            self.made = number;
            return Err(self.end(Ended::AsRecorded));
        };
        match postcard::from_bytes(told) {
            Ok(answer) => {
                self.made = number;
                Ok(answer)
            }
            Err(_) => Err(self.end(Ended::Diverged(Divergence::Answer { number, asked: function.to_owned() }))),
        }
    }

    fn end(&mut self, why: Ended) -> wasmtime::Error {
        self.ended.get_or_insert(why);
        wasmtime::Error::new(Wound)
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `tape`.

    use std::sync::Arc;

    use model::contract::Kind;
    use model::limits::Limits;
    use serde_json::json;

    use super::*;
    use crate::export::Export;
    use crate::transcript::Ending;

    fn exchange(function: &'static str, question: &Value, told: u64) -> Exchange {
        let (asked, _) = digest(question).expect("it is encoded");
        Exchange { function: function.into(), asked, told: Some(postcard::to_stdvec(&told).expect("a number")) }
    }

    fn tape(exchanges: Vec<Exchange>) -> Tape {
        Tape::for_another(&Transcript {
            module: Arc::from("notes"),
            digest: Arc::from("sha256:0"),
            engine: String::new(),
            inert: false,
            export: Export::Operation("notes.list".to_owned()),
            kind: Kind::Read,
            limits: Limits::step(),
            arguments: "{}".to_owned(),
            now: Moment(0),
            seed: [0; 32],
            exchanges,
            ending: Ending::Stopped("limit.fuel".to_owned()),
            fuel: 0,
        })
    }

    fn asks(tape: &mut Tape, function: &'static str, question: &Value) -> Option<u64> {
        tape.told(function, question).ok()
    }

    #[test]
    fn another_component_is_answered_wherever_the_same_was_recorded() {
        let (one, two) = (json!(["a"]), json!(["b"]));
        let mut tape = tape(vec![exchange("records.get", &one, 1), exchange("records.get", &two, 2)]);
        assert_eq!(asks(&mut tape, "records.get", &two), Some(2));
        assert_eq!(asks(&mut tape, "records.get", &one), Some(1));
        assert_eq!(asks(&mut tape, "records.get", &one), None, "it asked once");
        assert_eq!(tape.other.unwrap().added.into_iter().collect::<Vec<_>>(), [("records.get".to_owned(), 1)]);
    }

    #[test]
    fn what_it_asks_elsewhere_is_named_by_its_host_and_what_it_leaves_behind_goes_on() {
        let page = json!([{ "url": "https://shop.example/" }]);
        let elsewhere = json!([{ "url": "https://evil.example/?row=secret" }]);
        let mut tape = tape(vec![
            exchange("web.fetch", &page, 1),
            exchange("log.write", &json!("a"), 2),
            exchange("clock.now", &json!([]), 3),
        ]);
        assert_eq!(asks(&mut tape, "log.write", &json!("b")), Some(2));
        assert_eq!(asks(&mut tape, "web.fetch", &elsewhere), None, "nobody knows what would be answered there");
        assert_eq!(
            tape.ended,
            Some(Ended::Diverged(Divergence::Unrecorded { number: 2, asked: "web.fetch".to_owned() }))
        );
        assert_eq!(tape.missing().into_keys().collect::<Vec<_>>(), ["clock.now", "web.fetch"]);
        let added = tape.other.unwrap().added;
        assert_eq!(added.into_keys().collect::<Vec<_>>(), ["log.write", "web.fetch of evil.example"]);
    }
}
