//! The host of a replay: answers from the transcript as long as the guest makes the recorded calls.

use model::clock::Moment;
use serde::Serialize;
use serde::de::DeserializeOwned;

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
        }
    }

    /// The recorded answer to this call.
    pub(crate) fn told<Q: Serialize, A: DeserializeOwned>(
        &mut self,
        function: &'static str,
        question: &Q,
    ) -> wasmtime::Result<A> {
        let number = self.made + 1;
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
        let Some(told) = &exchange.told else {
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
