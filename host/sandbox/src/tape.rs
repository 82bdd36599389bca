//! The host of a replay: answers from the transcript as long as the guest makes the recorded calls.

use model::clock::Moment;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::limiter::Limiter;
use crate::linker::Inert;
use crate::recorder::digest;
use crate::replay::Divergence;
use crate::transcript::{Exchange, Transcript};

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
            limiter: Limiter::new(transcript.limits.memory),
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
        if digest(question) != Some(exchange.asked) {
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
