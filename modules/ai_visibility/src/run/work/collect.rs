//! Collects answers that providers were at work on.

use dataforseo::{Collected, Refusal};
use sdk::prelude::*;
use sdk::{Conversation, SendFailure, TalkFailure, Turn};

use super::{Waiting, Work, product};
use crate::stored::Measured;

/// Answers that are asked for in one step.
const TOGETHER: usize = 24;
/// Milliseconds between two looks at one answer: of a model, of a product.
const LOOK_MS: (u64, u64) = (1_500, 20_000);
/// Milliseconds after which an answer is given up: of a model, of a product.
const GIVE_UP_MS: (u64, u64) = (15 * 60_000, 90 * 60_000);

impl Work<'_> {
    /// Looks after answers that are due for it.
    pub(super) fn collect(&mut self) -> Result<()> {
        let now = self.cx.now().millis();
        let mut due: Vec<Waiting> = Vec::new();
        let mut rest: Vec<Waiting> = Vec::new();
        for it in std::mem::take(&mut self.point.waiting) {
            let is_due = self.next_look(&it) <= now && due.len() < TOGETHER;
            if is_due { due.push(it) } else { rest.push(it) }
        }
        self.point.waiting = rest;
        let (products, models): (Vec<Waiting>, Vec<Waiting>) = due.into_iter().partition(|it| self.is_product(it.turn));
        self.collect_models(models)?;
        self.collect_products(products)
    }

    /// When an answer is looked after next.
    pub(super) fn next_look(&self, it: &Waiting) -> u64 {
        it.looked_ms + if self.is_product(it.turn) { LOOK_MS.1 } else { LOOK_MS.0 }
    }

    fn is_product(&self, turn: u64) -> bool {
        self.run.asked[self.of_turn(turn).1].measured == Measured::Product
    }

    fn collect_models(&mut self, due: Vec<Waiting>) -> Result<()> {
        let send = |it: &Waiting| Conversation::collect(&self.run.asked[self.of_turn(it.turn).1].connection, &it.id);
        let answers = self.cx.connections().send_many(due.iter().map(send).collect::<Vec<_>>());
        let mut kept = Vec::new();
        for (it, sent) in due.into_iter().zip(answers) {
            match Conversation::responded(sent) {
                Ok(Turn::Answered(answer)) => kept.push((it.turn, *answer)),
                Ok(Turn::Waiting(_)) => self.wait_on(it, GIVE_UP_MS.0),
                Err(TalkFailure::Unsent(failure)) => self.not_collected(it, failure),
                Err(TalkFailure::Refused(500.., _)) => self.wait_on(it, GIVE_UP_MS.0),
                Err(TalkFailure::Failed(code)) => self.try_again(it.turn, code.as_deref().unwrap_or("failed")),
                Err(failure) => self.lose(it.turn, &failure.code()),
            }
        }
        self.keep(kept)
    }

    fn collect_products(&mut self, due: Vec<Waiting>) -> Result<()> {
        let mut kept = Vec::new();
        for it in due {
            let asked = self.run.asked[self.of_turn(it.turn).1].clone();
            let path = format!("{}/task_get/advanced", product::endpoint(&asked.model));
            match dataforseo::collect(self.cx, &asked.connection, &path, &[&it.id]).pop() {
                Some(Collected::Done(results)) => match product::said(&asked.model, &results) {
                    Some(answer) => kept.push((it.turn, answer)),
                    None => self.lose(it.turn, "nothing_shown"),
                },
                Some(Collected::Failed(code)) => self.lose(it.turn, &format!("provider_{code}")),
                Some(Collected::NotAsked(Refusal::Unsent(failure))) => self.not_collected(it, failure),
                Some(Collected::Waiting | Collected::NotAsked(_)) | None => self.wait_on(it, GIVE_UP_MS.1),
            }
        }
        self.keep(kept)
    }

    /// It is looked after again, unless it takes too long.
    fn wait_on(&mut self, it: Waiting, give_up_ms: u64) {
        let now = self.cx.now().millis();
        if now.saturating_sub(it.since_ms) > give_up_ms {
            self.lose(it.turn, "timeout");
        } else {
            self.point.waiting.push(Waiting { looked_ms: now, ..it });
        }
    }

    /// The provider could not be asked for an answer that it has.
    fn not_collected(&mut self, it: Waiting, failure: SendFailure) {
        match failure {
            SendFailure::ExpiredCredential | SendFailure::NotConnected | SendFailure::Refused => {
                self.lose(it.turn, &TalkFailure::Unsent(failure).code());
            }
            SendFailure::RateLimited(seconds) => {
                self.pause(u64::from(seconds.unwrap_or(2)) * 1_000);
                self.wait_on(it, GIVE_UP_MS.1);
            }
            _ => self.wait_on(it, GIVE_UP_MS.0),
        }
    }
}
