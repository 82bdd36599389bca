//! Keeps transcripts of runs: of every fault, and of a share of the others. A run is recorded in memory, and only here
//! it is decided whether that stays.
//!
//! All of it happens beside the call: sealing and writing have their own tasks, few at a time. What cannot be kept, as it
//! is too large or too much at once, leaves a line in the trail in its place, so that nobody looks for it in vain.

use std::sync::Arc;

use model::audit::Audit;
use model::clock::Entropy;
use model::id::{CustomerId, RequestId};
use sandbox::transcript::{Recording, Transcript};
use serde_json::json;
use store::trail::transcripts::{MOST_BYTES, SealedTranscript, seal};
use tokio::sync::Semaphore;

use crate::Core;

/// Transcripts that are being sealed and written at once.
const TOGETHER: usize = 8;

/// Places for what is being written.
pub(crate) struct Transcripts(Arc<Semaphore>);

impl Default for Transcripts {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(TOGETHER)))
    }
}

/// Which run a transcript is of.
pub(crate) struct Ran {
    pub(crate) customer: CustomerId,
    /// By which it is asked for: the request, or the job with its step and attempt.
    pub(crate) run: String,
    pub(crate) request: Option<RequestId>,
    pub(crate) operation: String,
}

/// Why there is no transcript where there should be one, as the trail says it.
#[derive(Clone, Copy, Debug)]
enum Dropped {
    /// More was told to the guest than is kept.
    TooLarge,
    /// Too many ended badly at once.
    Busy,
    /// It could not be sealed or written.
    Unwritten,
}

impl Dropped {
    fn code(self) -> &'static str {
        match self {
            Dropped::TooLarge => "too_large",
            Dropped::Busy => "busy",
            Dropped::Unwritten => "unwritten",
        }
    }
}

/// Keeps transcripts of runs.
#[derive(Clone)]
pub(crate) struct Recorder {
    pub(crate) core: Core,
}

impl Recorder {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Keeps the transcript of a run, if it faulted or is one of the sample. Does not wait for that.
    pub(crate) fn keep_transcript(&self, ran: Ran, recording: Option<Recording>, faulted: bool) {
        let Some(recording) = recording else { return };
        if !faulted && !self.is_sampled() {
            return;
        }
        let service = self.clone();
        let place = Arc::clone(&self.core.0.transcripts.0).try_acquire_owned();
        tokio::spawn(async move {
            let kept = match (recording, &place) {
                (Recording::TooLarge, _) => Err(Dropped::TooLarge),
                (Recording::Whole(_), Err(_)) => Err(Dropped::Busy),
                (Recording::Whole(transcript), Ok(_)) => service.write_transcript(&ran, *transcript).await,
            };
            if let Err(dropped) = kept {
                service.record_dropped(ran, dropped).await;
            }
        });
    }

    fn is_sampled(&self) -> bool {
        let share = self.core.config().replay.sample;
        if share <= 0.0 {
            return false;
        }
        let entropy: &dyn Entropy = self.core.entropy();
        f64::from(u32::from_be_bytes(entropy.array())) < share * (f64::from(u32::MAX) + 1.0)
    }

    async fn write_transcript(&self, ran: &Ran, transcript: Transcript) -> Result<(), Dropped> {
        let unwritten = |what: &dyn std::fmt::Display| {
            tracing::warn!(run = ran.run, error = %what, "a transcript could not be kept");
            Dropped::Unwritten
        };
        let (digest, engine) = (transcript.digest.to_string(), transcript.engine.clone());
        let ending = transcript.ending.word().to_owned();
        let plain = tokio::task::spawn_blocking(move || transcript.to_bytes()).await;
        let plain = plain.map_err(|error| unwritten(&error))?.map_err(|error| unwritten(&error))?;
        if plain.len() > MOST_BYTES {
            return Err(Dropped::TooLarge);
        }
        let ring = self.core.config().keys.current();
        let sealed = seal(&ring, &ran.customer, &ran.run, &plain, self.core.store().database.chance());
        let kept = SealedTranscript {
            customer: ran.customer.clone(),
            run: ran.run.clone(),
            operation: ran.operation.clone(),
            digest,
            engine,
            ending,
            made_at: self.core.clock().now(),
            sealed: sealed.map_err(|error| unwritten(&error))?,
        };
        self.core.store().trail.keep_transcript(kept).await.map_err(|error| unwritten(&error))
    }

    async fn record_dropped(&self, ran: Ran, dropped: Dropped) {
        let audit = Audit {
            at: self.core.clock().now(),
            customer: ran.customer,
            request: ran.request,
            grant: None,
            event: "transcript.dropped".to_owned(),
            subject: ran.operation,
            outcome: dropped.code().to_owned(),
            points: 0,
            detail: json!({ "run": ran.run }),
        };
        if let Err(error) = self.core.store().calls.audit(audit).await {
            tracing::error!(error = %error, "a transcript that is missing could not be recorded");
        }
    }
}
