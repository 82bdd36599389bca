//! The transcript of a run. Together with the component that it names, it is enough to replay the run.
//!
//! It contains the guest's input (arguments, moment, seed), the host's answer to each call, the limits, the ending and
//! the fuel. It contains no secrets: for an argument that a contract marks secret, both the guest and the transcript
//! only have a handle. It does contain customer data, so it is sealed wherever it is stored.
//!
//! The encoding is one byte for the version, then deflated postcard of [`Transcript`].

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
use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::export::{Answer, Export};
use crate::stop::{Fault, Stop};

/// The version of the encoding, its first byte.
const FORM: u8 = 1;
/// Bytes of the host's answers of one run. A larger transcript is discarded, never truncated.
pub(crate) const MAX_ANSWER_BYTES: usize = 16 << 20;
/// Bytes of a transcript before compression: the host's answers, the arguments, the run's own answer, and names and
/// digests of calls.
const MOST_INFLATED: u64 = MAX_ANSWER_BYTES as u64 + (16 << 20);

/// SHA-256 of the arguments as they cross the boundary, and how many bytes they are. No copy is made of them.
pub(crate) fn digest<T: Serialize>(question: &T) -> Option<([u8; 32], u64)> {
    postcard::serialize_with_flavor(question, Digesting::default()).ok()
}

/// Hashes what is serialized, a piece at a time.
struct Digesting {
    hash: Sha256,
    piece: [u8; 1024],
    filled: usize,
    bytes: u64,
}

impl Default for Digesting {
    fn default() -> Self {
        Self { hash: Sha256::new(), piece: [0; 1024], filled: 0, bytes: 0 }
    }
}

impl Digesting {
    fn flush(&mut self) {
        self.hash.update(&self.piece[..self.filled]);
        self.filled = 0;
    }
}

impl Flavor for Digesting {
    type Output = ([u8; 32], u64);

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.piece[self.filled] = byte;
        self.filled += 1;
        self.bytes += 1;
        if self.filled == self.piece.len() {
            self.flush();
        }
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.flush();
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn finalize(mut self) -> postcard::Result<Self::Output> {
        self.flush();
        Ok((self.hash.finalize().into(), self.bytes))
    }
}

/// The recording of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recording {
    /// The whole transcript.
    Whole(Box<Transcript>),
    /// Nothing: the host's answers exceeded the limit.
    TooLarge,
}

/// One run as its guest saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transcript {
    /// The module's name.
    pub module: Arc<str>,
    /// `sha256:` and the hex digest of the component's bytes.
    pub digest: Arc<str>,
    /// Engine, version and architecture.
    pub engine: String,
    /// Whether the component was linked with the inert WASI of other toolchains.
    pub inert: bool,
    /// The function that ran.
    pub export: Export,
    /// What it was allowed to do.
    pub kind: Kind,
    /// Its limits.
    pub limits: Limits,
    /// The arguments as the guest got them.
    pub arguments: String,
    /// The current time that the guest saw.
    pub now: Moment,
    /// The seed of the randomness that the guest saw.
    pub seed: [u8; 32],
    /// The host calls in order.
    pub exchanges: Vec<Exchange>,
    /// How the run ended.
    pub ending: Ending,
    /// The fuel taken, in the engine's units.
    pub fuel: u64,
}

/// One host call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The interface and its function: `records.get`.
    pub function: Cow<'static, str>,
    /// SHA-256 of the arguments.
    pub asked: [u8; 32],
    /// The host's answer as postcard of the boundary's type; `None` if the host ended the run here.
    #[serde(with = "serde_bytes")]
    pub told: Option<Vec<u8>>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// With an answer.
    Answered {
        /// The JSON object.
        data: String,
        /// The units of work that it reports.
        units: u64,
    },
    /// With a refusal by the guest.
    Refused(Fault),
    /// In any other way; the stable code of [`Stop::code`].
    Stopped(String),
}

impl Ending {
    /// The ending of a run with this outcome.
    pub fn of(outcome: &Result<Answer, Stop>) -> Self {
        match outcome {
            Ok(answer) => Ending::Answered { data: answer.data.clone(), units: answer.units },
            Err(Stop::Fault(fault)) => Ending::Refused(fault.clone()),
            Err(stop) => Ending::Stopped(stop.code().to_owned()),
        }
    }

    /// The code: `ok`, `guest.fault`, or why the run was stopped.
    pub fn word(&self) -> &str {
        match self {
            Ending::Answered { .. } => "ok",
            Ending::Refused(_) => "guest.fault",
            Ending::Stopped(code) => code,
        }
    }
}

/// Why bytes are not a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// A version that is not supported.
    #[error("the transcript was written by a newer version of espalier: use that one")]
    Form,
    /// Truncated, too long, or not a transcript.
    #[error("these bytes are no transcript")]
    Damaged,
}

impl Transcript {
    /// Encodes the transcript for sealing. Takes a fraction of a second for the largest, so never call it on an async
    /// thread.
    ///
    /// # Errors
    /// The encoder fails. Never for a recorded run.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Unreadable> {
        let plain = postcard::to_stdvec(self).map_err(|_| Unreadable::Damaged)?;
        let mut deflated = DeflateEncoder::new(vec![FORM], Compression::fast());
        deflated.write_all(&plain).map_err(|_| Unreadable::Damaged)?;
        deflated.finish().map_err(|_| Unreadable::Damaged)
    }

    /// Decodes what [`Transcript::to_bytes`] encoded.
    ///
    /// # Errors
    /// The bytes have another version, or are not complete.
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

    /// The number of calls of each function.
    pub fn calls(&self) -> BTreeMap<&str, u64> {
        let mut calls = BTreeMap::new();
        for exchange in &self.exchanges {
            *calls.entry(&*exchange.function).or_default() += 1;
        }
        calls
    }
}
