//! Says which transcript belongs to a call, and whether the call has failed by our fault.

use model::refusal::Class;
use sandbox::transcript::Recording;

use super::open::Opened;
use super::settle::Settling;
use crate::execute::Spine;
use crate::transcripts::Ran;
use crate::transcripts::Recorder;

impl Spine {
    /// Keeps the transcript of a call that was settled. What the service itself had to refuse as its own failure, such
    /// as an answer against its schema, is a fault too. A run that is repeated is none: the last one counts.
    pub(super) fn keep_call(&self, opened: &Opened, recording: Option<Recording>, faulted: bool, settling: &Settling) {
        let ours = match settling {
            Settling::Done(_) => false,
            Settling::Refused(refusal) => refusal.class == Class::Internal,
            Settling::Again => return,
        };
        let ran = Ran {
            customer: opened.permit.grant.customer.clone(),
            run: opened.call.request.as_str().to_owned(),
            request: Some(opened.call.request.clone()),
            operation: opened.permit.operation.contract.id.clone(),
        };
        Recorder::of(&self.core).keep_transcript(ran, recording, faulted || ours);
    }
}
