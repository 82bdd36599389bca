//! The beginning and the end of a run: answers of earlier runs that are read anew, and what the run came to.

use sdk::prelude::*;
use sdk::{Progress, Step};

use super::{Checkpoint, Outcome, Phase, Work};
use crate::figures::rate::rate;
use crate::run::{Tokens, by_prompt, current};
use crate::schedule;
use crate::stored::{DETECTION, EndedBy, OfConnection, Run, State, Tally};

/// Runs that are looked at for answers to be read anew, and the answers that are.
const RUNS: usize = 100;
const MAX_AGAIN: u64 = 5_000;

impl Work<'_> {
    /// Looks for runs whose answers were read with other brands, or were never counted.
    pub(super) fn begin(&mut self) -> Result<()> {
        let mut left = MAX_AGAIN;
        let runs = self.cx.records::<Run>().by("site_id_created_ms").equals(&self.run.site_id).descending();
        for run in runs.scan().take(RUNS).filter(|it| it.id != self.run.id) {
            let is_current = run.brands_version == Some(self.set_version) && self.is_detected(&run);
            if is_current || run.answers() == 0 || current(self.cx, &run).moves() {
                continue;
            }
            if run.answers() > left {
                break;
            }
            left -= run.answers();
            self.point.old.push(run.id.to_string());
        }
        self.point.phase = if self.point.old.is_empty() { Phase::Ask } else { Phase::Again };
        Ok(())
    }

    /// Whether the answers of a run were read in the way of now.
    fn is_detected(&self, run: &Stored<Run>) -> bool {
        let first = self.cx.records::<Tally>().by("run_n").equals(&run.id).first();
        first.is_none_or(|it| it.detection == DETECTION)
    }

    /// Counts some answers of an earlier run.
    pub(super) fn read_again(&mut self) -> Result<()> {
        let Some(id) = self.point.old.first().cloned() else {
            self.point.phase = Phase::Ask;
            return Ok(());
        };
        let Some(mut run) = self.cx.records::<Run>().find(&Id::new(id)) else {
            self.point.old.remove(0);
            return Ok(());
        };
        let domains = self.domains();
        let next = super::tally::tally(self.cx, &run, &self.brands, self.set_version, &domains, self.point.place)?;
        self.point.place = next.unwrap_or(0);
        if next.is_none() {
            self.point.old.remove(0);
            let state = current(self.cx, &run);
            run.it.brands_version = Some(self.set_version);
            run.it.mention_rate = self.mention_rate(&run);
            if run.it.state.moves() {
                // Its job ended without a word.
                run.it.state = state;
                run.it.finished_ms.get_or_insert(run.it.created_ms);
            }
            self.cx.records::<Run>().save(run)?;
        }
        Ok(())
    }

    /// Counts some answers of this run; whether all are counted.
    pub(super) fn count(&mut self) -> Result<bool> {
        let domains = self.domains();
        let next = super::tally::tally(self.cx, &self.run, &self.brands, self.set_version, &domains, self.point.place)?;
        self.point.place = next.unwrap_or(0);
        Ok(next.is_none())
    }

    /// The website's own domains.
    fn domains(&self) -> Vec<String> {
        let mut out: Vec<String> = self.brands.iter().filter(|it| it.own).flat_map(|it| it.domains.clone()).collect();
        if let Some(site) = self.cx.records::<site::Site>().find(&Id::new(self.run.site_id.clone())) {
            out.push(site.into_inner().domain);
        }
        out
    }

    fn mention_rate(&self, run: &Stored<Run>) -> Option<f64> {
        let own: Vec<String> = self.brands.iter().filter(|it| it.own).map(|it| it.name.clone()).collect();
        let tallies: Vec<Tally> =
            self.cx.records::<Tally>().by("run_n").equals(&run.id).scan().map(Stored::into_inner).collect();
        rate(&by_prompt(&tallies, &own)).map(|it| it.rate)
    }

    /// Writes down what the run came to.
    pub(super) fn finish(mut self) -> Result<Step<Checkpoint, Progress, Outcome>> {
        let (answers, failed) = (self.run.answers(), self.run.failed());
        let state = if answers == 0 { State::Failed } else { State::Succeeded };
        let ended_by = self.point.ended_by.unwrap_or(EndedBy::All);
        let mention_rate = self.mention_rate(&self.run);
        let refused: u64 = self.run.came.iter().map(|it| it.refused).sum();
        if refused > 0 {
            self.tell(
                "answers",
                format!("the models declined {refused} questions; these count as answers without a brand"),
            );
        }
        if self.run.web_search {
            for came in &self.run.it.came.clone() {
                if came.answers > 0 && came.searched == 0 {
                    let why = format!("`{}` searched the web for none of its answers, or does not tell", came.model);
                    self.tell("web_search", why);
                }
            }
        }
        {
            let run = &mut self.run.it;
            (run.state, run.mention_rate, run.ended_by) = (state, mention_rate, Some(ended_by));
            run.finished_ms = Some(self.cx.now().millis());
            run.brands_version = Some(self.set_version);
        }
        schedule::ended(self.cx, &self.run.site_id, state == State::Succeeded)?;
        let sum = |part: fn(&OfConnection) -> u64| self.run.came.iter().map(part).sum();
        let tokens = Tokens { input_tokens: sum(|it| it.tokens_in), output_tokens: sum(|it| it.tokens_out) };
        let total = self.run.total();
        let outcome = Outcome {
            run_ref: self.run.id.clone(),
            state,
            answers,
            failed,
            tokens,
            ended_by,
            mention_rate,
            degraded: self.run.degraded.clone(),
        };
        self.cx.records::<Run>().save(self.run)?;
        Ok(Step::done(outcome, Progress::new(answers + failed, total, "done")).units(answers))
    }
}
