//! What a transcript holds. With the component it names, it is all that is needed to have the run again.
//!
//! It holds what the guest was given (arguments, moment, seed), what the host answered to each call, the bounds, how it
//! ended and how much fuel it took. It holds no secret: where a contract marks an argument so, the guest has a handle,
//! and so has this. It does hold customers' data, and is therefore sealed wherever it is put down.
//!
//! As bytes it is one byte for the form, then postcard of [`Transcript`], deflated.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use model::clock::Moment;
use model::contract::Kind;
use model::limits::Limits;
use serde::{Deserialize, Serialize};

use crate::invocation::{Answer, Export};
use crate::recorder::MOST_BYTES;
use crate::stop::{Fault, Stop};

/// The first byte: which fields follow.
const FORM: u8 = 1;
/// Bytes of a transcript before deflating: its answers, arguments, the run's own answer, and names and digests of calls.
const MOST_INFLATED: u64 = MOST_BYTES as u64 + (16 << 20);

/// What was kept of a run that was to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// All of it.
    Whole(Box<Transcript>),
    /// Nothing: the host's answers were more than is kept.
    TooLarge,
}

/// One run, as its guest saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The module's name.
    pub module: Arc<str>,
    /// `sha256:` and the hex of the component's bytes.
    pub digest: Arc<str>,
    /// Engine, version and machine.
    pub engine: String,
    /// Whether the component was linked with the inert WASI of other toolchains.
    pub inert: bool,
    /// Which function ran.
    pub export: Export,
    /// What it was allowed to do.
    pub kind: Kind,
    /// How much it was allowed to use.
    pub limits: Limits,
    /// The arguments, as the guest got them.
    pub arguments: String,
    /// The moment that the guest saw.
    pub now: Moment,
    /// The chance that the guest saw.
    pub seed: [u8; 32],
    /// The host calls, in order.
    pub exchanges: Vec<Exchange>,
    /// How it ended.
    pub ending: Ending,
    /// Fuel taken, in the engine's units.
    pub fuel: u64,
}

/// One host call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The interface and its function: `records.get`.
    pub function: Cow<'static, str>,
    /// SHA-256 of what was asked.
    pub asked: [u8; 32],
    /// What the host answered, as postcard of the boundary's type; none: the host ended the run here.
    pub told: Option<Vec<u8>>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// With an answer.
    Answered {
        /// The JSON object.
        data: String,
        /// The work that it reports.
        units: u64,
    },
    /// With a refusal in the guest's own words.
    Refused(Fault),
    /// In any other way; the stable code of [`Stop::code`].
    Stopped(String),
}

impl Ending {
    /// How this outcome is kept.
    pub fn of(outcome: &Result<Answer, Stop>) -> Self {
        match outcome {
            Ok(answer) => Ending::Answered { data: answer.data.clone(), units: answer.units },
            Err(Stop::Fault(fault)) => Ending::Refused(fault.clone()),
            Err(stop) => Ending::Stopped(stop.code().to_owned()),
        }
    }

    /// In a word: `ok`, `guest.fault`, or why it was stopped.
    pub fn word(&self) -> &str {
        match self {
            Ending::Answered { .. } => "ok",
            Ending::Refused(_) => "guest.fault",
            Ending::Stopped(code) => code,
        }
    }
}

/// Why bytes are no transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// They are of a form that this version does not know.
    #[error("the transcript was written by a newer version of espalier: use that one")]
    Form,
    /// They are cut off, too many, or none of ours.
    #[error("these bytes are no transcript")]
    Damaged,
}

impl Transcript {
    /// As bytes to be sealed. Takes a part of a second for the largest: not for threads that others wait for.
    ///
    /// # Errors
    /// Never for what a run has made; the writers' own errors, in general.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Unreadable> {
        let plain = postcard::to_stdvec(self).map_err(|_| Unreadable::Damaged)?;
        let mut deflated = DeflateEncoder::new(vec![FORM], Compression::fast());
        deflated.write_all(&plain).map_err(|_| Unreadable::Damaged)?;
        deflated.finish().map_err(|_| Unreadable::Damaged)
    }

    /// Reads what [`Transcript::to_bytes`] wrote.
    ///
    /// # Errors
    /// When the bytes are of another form, or not whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Unreadable> {
        let (form, deflated) = bytes.split_first().ok_or(Unreadable::Damaged)?;
        if *form != FORM {
            return Err(Unreadable::Form);
        }
        let mut plain = Vec::new();
        let read = DeflateDecoder::new(deflated).take(MOST_INFLATED + 1).read_to_end(&mut plain);
        read.map_err(|_| Unreadable::Damaged)?;
        if plain.len() as u64 > MOST_INFLATED {
            return Err(Unreadable::Damaged);
        }
        postcard::from_bytes(&plain).map_err(|_| Unreadable::Damaged)
    }

    /// How often each function was called.
    pub fn calls(&self) -> BTreeMap<&str, u64> {
        let mut calls = BTreeMap::new();
        for exchange in &self.exchanges {
            *calls.entry(&*exchange.function).or_default() += 1;
        }
        calls
    }
}
