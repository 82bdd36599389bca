//! Recording of a run's host calls: the function, a digest of the arguments, and the answer. The arguments themselves
//! are not stored, since a replay runs the guest, which produces them again.

use std::borrow::Cow;

use serde::Serialize;

use crate::transcript::{Exchange, MAX_ANSWER_BYTES, digest};

/// The host calls so far.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    exchanges: Vec<Exchange>,
    bytes: usize,
    /// Bytes of the arguments, of which only digests are kept.
    digested: u64,
    given_up: bool,
}

impl Recorder {
    /// Records a call. A call without an answer is where the host ended the run.
    pub(crate) fn asks<T: Serialize>(&mut self, function: &'static str, question: &T) {
        if self.given_up {
            return;
        }
        match digest(question) {
            Some((asked, bytes)) => {
                self.digested += bytes;
                self.exchanges.push(Exchange { function: Cow::Borrowed(function), asked, told: None });
            }
            None => self.give_up(),
        }
    }

    /// Records the answer to the last call.
    pub(crate) fn told<T: Serialize>(&mut self, answer: &T) {
        if self.given_up {
            return;
        }
        let Ok(told) = postcard::to_stdvec(answer) else { return self.give_up() };
        self.bytes += told.len();
        match self.exchanges.last_mut() {
            Some(exchange) if self.bytes <= MAX_ANSWER_BYTES => exchange.told = Some(told),
            _ => self.give_up(),
        }
    }

    /// Bytes that were digested or copied for it.
    pub(crate) fn work(&self) -> u64 {
        self.digested.saturating_add(self.bytes as u64)
    }

    /// Bytes that it keeps.
    pub(crate) fn bytes(&self) -> usize {
        if self.given_up { 0 } else { self.bytes }
    }

    /// All calls, or `None` if they were too large.
    pub(crate) fn exchanges(self) -> Option<Vec<Exchange>> {
        (!self.given_up).then_some(self.exchanges)
    }

    fn give_up(&mut self) {
        self.given_up = true;
        self.exchanges = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_whole_or_it_is_none() {
        let mut recorder = Recorder::default();
        recorder.asks("cache.get", &"a");
        recorder.told(&vec![0_u8; MAX_ANSWER_BYTES / 2]);
        recorder.asks("cache.get", &"b");
        recorder.told(&vec![0_u8; MAX_ANSWER_BYTES / 2]);
        recorder.asks("cache.get", &"c");
        assert_eq!(recorder.exchanges(), None);
    }

    #[test]
    fn a_call_that_the_host_ended_has_no_answer() {
        let mut recorder = Recorder::default();
        recorder.asks("clock.now", &());
        recorder.told(&7_u64);
        recorder.asks("clock.wait", &(30_000_u32,));
        let exchanges = recorder.exchanges().unwrap();
        assert_eq!(exchanges.iter().map(|it| it.told.is_some()).collect::<Vec<_>>(), [true, false]);
    }
}
