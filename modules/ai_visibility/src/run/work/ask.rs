//! Asks questions, as many at a time as the caps and the connections take.

use dataforseo::{Ordered, Refusal, Task};
use sdk::prelude::*;
use sdk::{Conversation, SendFailure, TalkFailure, Turn};

use super::{Again, Phase, Waiting, Work, product};
use crate::stored::{EndedBy, Measured};

/// Questions that are sent in one step.
const TOGETHER: usize = 24;
/// Questions that providers are at work on at a time.
const UNDER_WAY: usize = 64;
/// Times that a question may come to nothing.
const TRIES: u32 = 3;
/// Milliseconds of the first wait after a failure.
const WAIT_MS: u64 = 4_000;
/// Milliseconds between two steps in which nothing moves, at least and at most.
const REST_MS: (u64, u64) = (1_500, 600_000);
/// Seconds that a provider may ask to wait; beyond, its connection takes no more of this run.
const MAX_WAIT_SECONDS: u32 = 900;
/// Steps in a row in which nothing moves and nothing is waited for, before the run ends with what it has. Before each a
/// provider is given the time that it asks for, else twice the time of the one before.
const MAX_IDLE: u32 = 16;

impl Work<'_> {
    /// Collects what was answered, and asks on.
    pub(super) fn ask(&mut self) -> Result<()> {
        let before = self.standing();
        self.collect()?;
        let turns = self.turns();
        let (models, products): (Vec<u64>, Vec<u64>) =
            turns.into_iter().partition(|turn| self.run.asked[self.of_turn(*turn).1].measured == Measured::Api);
        self.ask_models(&models)?;
        self.ask_products(&products);
        let is_idle = self.standing() == before;
        self.point.idle = if is_idle { self.point.idle + 1 } else { 0 };
        if self.point.waiting.is_empty() && self.point.again.is_empty() && self.is_through() {
            self.point.phase = Phase::Tally;
            self.point.ended_by = self.point.ended_by.or(Some(self.natural_end()));
            return Ok(());
        }
        // What providers are at work on has a time limit of its own.
        if self.point.idle > MAX_IDLE && self.point.waiting.is_empty() {
            self.give_up("no_answer");
        } else if is_idle {
            self.pause(self.until_due());
        }
        Ok(())
    }

    /// What changes when anything moves: answers, questions without one, and those that providers are at work on.
    fn standing(&self) -> (u64, u64, usize) {
        (self.run.answers(), self.run.failed(), self.point.waiting.len())
    }

    /// Milliseconds until the next question may be asked again, or the next answer looked after.
    fn until_due(&self) -> u64 {
        let now = self.cx.now().millis();
        let again = self.point.again.iter().map(|it| it.not_before_ms).filter(|it| *it != u64::MAX);
        let looks = self.point.waiting.iter().map(|it| self.next_look(it));
        let first = again.chain(looks).min().unwrap_or(now);
        first.saturating_sub(now).clamp(REST_MS.0, REST_MS.1)
    }

    fn is_through(&self) -> bool {
        self.point.ended_by.is_some() || self.point.next >= self.run.total()
    }

    fn natural_end(&self) -> EndedBy {
        let all_dead = !self.point.dead.is_empty() && self.point.dead.iter().all(Option::is_some);
        if all_dead { EndedBy::Connections } else { EndedBy::All }
    }

    /// The turns that are asked now.
    fn turns(&mut self) -> Vec<u64> {
        let now = self.cx.now().millis();
        let mut out: Vec<u64> = Vec::new();
        while out.len() < TOGETHER && self.point.waiting.len() + out.len() < UNDER_WAY {
            let under_way = self.point.waiting.len() + out.len();
            if self.alone() && under_way > 0 {
                break;
            }
            let due = self.point.again.iter().position(|it| it.not_before_ms <= now);
            let turn = match due {
                Some(at) => self.point.again[at].turn,
                None if self.point.ended_by.is_none() && self.point.next < self.run.total() => self.point.next,
                None => break,
            };
            let (_, connection, _) = self.of_turn(turn);
            if let Some(code) = self.point.dead[connection].clone() {
                self.take(turn, due);
                self.fail(turn, &code);
                continue;
            }
            if let Some(end) = self.beyond(connection, under_way) {
                self.stop(end);
                break;
            }
            self.take(turn, due);
            out.push(turn);
        }
        out
    }

    /// A turn is no longer to be asked.
    fn take(&mut self, turn: u64, due: Option<usize>) {
        match due {
            // Its number of tries stays with it until it is answered.
            Some(at) => self.point.again[at].not_before_ms = u64::MAX,
            None => self.point.next = turn + 1,
        }
    }

    /// Asks no more; what is under way is waited for.
    fn stop(&mut self, end: EndedBy) {
        let cap = if end == EndedBy::CostCap { "cost_cap" } else { "token_cap" };
        let left = self.run.total() - self.run.answers() - self.run.failed() - self.point.waiting.len() as u64;
        self.tell("answers", format!("{left} questions were not asked: the next answer might have gone beyond {cap}"));
        self.point.ended_by = Some(end);
        self.point.again.retain(|it| it.not_before_ms == u64::MAX);
    }

    /// Nothing moves for long: what is open has no answer.
    fn give_up(&mut self, code: &str) {
        for it in std::mem::take(&mut self.point.again) {
            self.fail(it.turn, code);
        }
        self.tell("answers", "the providers gave no answer for long".to_owned());
        self.point.ended_by = self.point.ended_by.or(Some(EndedBy::Connections));
    }

    fn ask_models(&mut self, turns: &[u64]) -> Result<()> {
        let mut sends = Vec::with_capacity(turns.len());
        let mut chats = Vec::with_capacity(turns.len());
        for turn in turns {
            let (prompt, connection, _) = self.of_turn(*turn);
            let (question, asked) = (&self.questions[prompt], &self.run.asked[connection]);
            let talk = Conversation {
                model: &asked.model,
                prompt: &question.text,
                web_search: self.run.web_search,
                country: question.country.as_deref(),
            };
            let chat = self.point.chats[connection];
            sends.push(if chat { talk.chat(&asked.connection) } else { talk.respond(&asked.connection) });
            chats.push(chat);
        }
        let answers = self.cx.connections().send_many(sends);
        let mut kept = Vec::new();
        for ((turn, chat), sent) in turns.iter().zip(chats).zip(answers) {
            let outcome = if chat {
                Conversation::chatted(sent).map(|it| Turn::Answered(Box::new(it)))
            } else {
                Conversation::responded(sent)
            };
            match outcome {
                Ok(Turn::Answered(answer)) => kept.push((*turn, *answer)),
                Ok(Turn::Waiting(id)) => self.wait_for(*turn, id),
                Err(failure) => self.refused(*turn, &failure, chat),
            }
        }
        self.keep(kept)
    }

    pub(super) fn wait_for(&mut self, turn: u64, id: String) {
        let now = self.cx.now().millis();
        self.point.waiting.push(Waiting { turn, id, since_ms: now, looked_ms: now });
    }

    /// A model gave no answer: asked again, over the other interface, or never.
    fn refused(&mut self, turn: u64, failure: &TalkFailure, chat: bool) {
        let (_, connection, _) = self.of_turn(turn);
        match failure {
            TalkFailure::NoResponses => {
                self.point.chats[connection] = true;
                self.put_back(turn, 0);
            }
            // A model without this search: the older interface asks without one.
            TalkFailure::Refused(400, _) if !chat && self.run.web_search => {
                self.point.chats[connection] = true;
                self.put_back(turn, 0);
            }
            TalkFailure::Refused(401..=404, _) => self.die(turn, &failure.code()),
            TalkFailure::Refused(500.., _) | TalkFailure::Failed(_) => self.try_again(turn, &failure.code()),
            TalkFailure::Refused(..) => self.lose(turn, &failure.code()),
            TalkFailure::Unsent(unsent) => self.unsent(turn, *unsent, &failure.code()),
        }
    }

    /// A question was not sent, or its answer did not come.
    pub(super) fn unsent(&mut self, turn: u64, failure: SendFailure, code: &str) {
        match failure {
            SendFailure::RateLimited(Some(seconds)) if seconds > MAX_WAIT_SECONDS => {
                let (_, connection, _) = self.of_turn(turn);
                let reference = self.run.asked[connection].connection.clone();
                let about = self.cx.accounts().about(&reference);
                #[expect(clippy::cast_precision_loss, reason = "money of a day is far below 2^52 millionths")]
                let capped =
                    about.is_some_and(|it| it.daily_cost_cap.is_some_and(|cap| it.spent_micros as f64 >= cap * 1e6));
                self.die(turn, if capped { "daily_cost_cap" } else { code });
            }
            SendFailure::RateLimited(seconds) => {
                let wait = u64::from(seconds.unwrap_or(0)).max(2 << self.point.idle.min(6)) * 1_000;
                self.put_back(turn, wait);
                self.pause(wait);
            }
            SendFailure::ExpiredCredential | SendFailure::NotConnected | SendFailure::Refused => self.die(turn, code),
            // It may have been answered, and paid: a second question would not be the same one.
            SendFailure::UnknownOutcome => self.lose(turn, code),
            _ => self.try_again(turn, code),
        }
    }

    /// The connection takes no more questions.
    fn die(&mut self, turn: u64, code: &str) {
        let (_, connection, _) = self.of_turn(turn);
        self.point.dead[connection] = Some(code.to_owned());
        let why = format!("`{}` takes no more questions: {code}", self.run.asked[connection].model);
        self.tell("answers", why);
        self.lose(turn, code);
    }

    /// The question has no answer.
    pub(super) fn lose(&mut self, turn: u64, code: &str) {
        self.point.again.retain(|it| it.turn != turn);
        self.fail(turn, code);
    }

    /// Asked again a few times.
    pub(super) fn try_again(&mut self, turn: u64, code: &str) {
        let tries = self.point.again.iter().find(|it| it.turn == turn).map_or(0, |it| it.tries) + 1;
        if tries >= TRIES {
            return self.lose(turn, code);
        }
        self.point.again.retain(|it| it.turn != turn);
        let not_before_ms = self.cx.now().millis() + (WAIT_MS << tries.min(4));
        self.point.again.push(Again { turn, tries, not_before_ms });
    }

    /// Asked again, and it does not count.
    fn put_back(&mut self, turn: u64, wait_ms: u64) {
        let not_before_ms = self.cx.now().millis() + wait_ms;
        match self.point.again.iter_mut().find(|it| it.turn == turn) {
            Some(known) => known.not_before_ms = not_before_ms,
            None => self.point.again.push(Again { turn, tries: 0, not_before_ms }),
        }
    }

    fn ask_products(&mut self, turns: &[u64]) {
        for connection in 0..self.run.asked.len() {
            let mine: Vec<u64> = turns.iter().copied().filter(|turn| self.of_turn(*turn).1 == connection).collect();
            if mine.is_empty() {
                continue;
            }
            let asked = self.run.asked[connection].clone();
            let country = crate::prompt::country_of(self.cx, &self.run.site_id);
            let tag = |turn: u64| format!("{}-{}", self.run.id, self.place(turn));
            let task = |turn: &u64| {
                let question = &self.questions[self.of_turn(*turn).0];
                product::task(question, &self.run, country.as_deref(), &tag(*turn))
            };
            let tasks: Vec<_> = mine.iter().map(task).collect();
            match dataforseo::order(self.cx, &asked.connection, product::endpoint(&asked.model), &tasks) {
                Ordered::Taken(answers) => {
                    for (turn, answer) in mine.into_iter().zip(answers) {
                        match answer {
                            Ok(Task { id, cost_micros }) => {
                                self.paid(connection, cost_micros);
                                self.wait_for(turn, id);
                            }
                            Err(code) => self.try_again(turn, &format!("provider_{code}")),
                        }
                    }
                }
                Ordered::Unknown => mine.into_iter().for_each(|turn| self.lose(turn, "unknown_outcome")),
                Ordered::NotTaken(refusal) => {
                    for turn in mine {
                        match &refusal {
                            Refusal::Unsent(failure) => {
                                self.unsent(turn, *failure, &refusal.fault("/connections").code)
                            }
                            other if other.passes() => self.try_again(turn, &other.fault("/connections").code),
                            other => self.die(turn, &other.fault("/connections").code),
                        }
                    }
                }
            }
        }
    }

    /// A product's answer is paid when it is ordered.
    fn paid(&mut self, connection: usize, micros: u64) {
        self.spent(micros, 0);
        if let Some(came) = self.run.it.came.get_mut(connection) {
            came.spent_micros += micros;
            came.currency = Some("USD".to_owned());
        }
    }
}
