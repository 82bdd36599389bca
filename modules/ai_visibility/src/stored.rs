//! What this module stores: prompts, runs, answers, the sources they cite, and the tallies that reports read.

mod answer;
mod prompt;
mod run;
mod tally;

pub(crate) use answer::{ANSWER_TEXTS, Answer, Citation, Finish, Mention, SourceKind, Zone, answer_id, text_key};
pub(crate) use prompt::{Prompt, Question, Stage, questions_key};
pub(crate) use run::{Asked, EndedBy, Measured, OfConnection, Run, State};
pub(crate) use tally::{OfBrand, Tally, tally_id};

/// How answers are read; counts up when detection changes, so that figures of two ways are told apart.
pub(crate) const DETECTION: u32 = 1;
