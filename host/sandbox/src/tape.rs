//! The host of a replay: it answers as the transcript says, as long as the guest asks what it asked then.

use model::clock::Moment;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::limiter::Limiter;
use crate::linker::Inert;
use crate::recorder::digest;
use crate::replay::Divergence;
use crate::transcript::{Exchange, Transcript};

/// What a replayed guest asks, and what it is told.
pub(crate) struct Tape {
    pub(crate) limiter: Limiter,
    pub(crate) now: Moment,
    pub(crate) seed: [u8; 32],
    /// Made when a component of another toolchain first asks.
    pub(crate) wasi: Option<Inert>,
    exchanges: Vec<Exchange>,
    /// Calls answered so far.
    pub(crate) made: usize,
    /// Why the tape ended the run, if it did.
    pub(crate) ended: Option<Ended>,
}

/// Why a tape ends a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The host did so then.
    AsRecorded,
    /// The guest asks something else than it did then.
    Diverged(Divergence),
}

/// Raised through wasm to end a replay; the reason is in the tape.
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

    /// The answer that this question had.
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
