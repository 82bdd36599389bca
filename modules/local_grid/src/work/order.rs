//! Ordering the tasks of pins, each once.

use dataforseo::{Ordered, Refusal, Task};
use sdk::prelude::*;
use sdk::{Need, SendFailure};

use super::state::Work;
use crate::provider::{self, Order};
use crate::stored::{Pin, Stage};

/// Tasks in one order; the provider takes no more.
const TOGETHER: u64 = 100;
/// Orders in one step.
const ORDERS: u32 = 10;
/// Times that a task may come to nothing.
pub(super) const TRIES: u32 = 3;
/// Steps in a row in which the provider cannot be asked before the scan ends with what it has.
const REFUSALS: u32 = 8;
/// How long an order may be absent from the provider's list before it counts as never received, in milliseconds. Standard
/// tasks are done within 45 minutes.
const UNHEARD: u64 = 60 * 60_000;

impl Work<'_> {
    /// Orders up to 1,000 tasks.
    pub(super) fn order(&mut self) -> Result<()> {
        let Some(account) = self.account() else { return Ok(()) };
        let mut waiting = self.some(Stage::Waiting, TOGETHER * u64::from(ORDERS))?;
        while !waiting.is_empty() && self.pause_ms == 0 {
            let rest = waiting.split_off(waiting.len().min(TOGETHER as usize));
            let batch = std::mem::replace(&mut waiting, rest);
            let tasks: Vec<_> = batch.iter().map(|pin| self.task(pin)).collect();
            self.ordered(batch, provider::order(self.cx, &account, &tasks));
        }
        Ok(())
    }

    /// What is ordered for a pin.
    fn task(&self, pin: &Pin) -> Order<'_> {
        let number = usize::try_from(pin.keyword).unwrap_or(0);
        let spot = usize::try_from(pin.number).ok().and_then(|it| self.spots.get(it));
        Order {
            keyword: self.run.keywords.get(number).map_or("", String::as_str),
            point: spot.map_or(self.run.centre, |it| it.point),
            spacing_m: self.run.grid.spacing_m,
            language: &self.run.language,
            depth: self.run.depth,
            tag: tag(pin),
        }
    }

    /// What becomes of pins whose tasks were ordered.
    fn ordered(&mut self, batch: Vec<Pin>, ordered: Ordered) {
        let now = self.cx.now().millis();
        match ordered {
            Ordered::Taken(answers) => {
                self.point.refused = 0;
                for (pin, answer) in batch.into_iter().zip(answers) {
                    match answer {
                        Ok(Task { id, cost_micros }) => {
                            self.run.provider_cost_micros += cost_micros;
                            self.pins.push(Pin { stage: Stage::Posted, task: Some(id), looked_ms: now, ..pin });
                        }
                        Err(code) => self.again(pin, &format!("provider_{code}")),
                    }
                }
            }
            Ordered::Unknown => {
                let lost = |pin| Pin { stage: Stage::Lost, looked_ms: now, ..pin };
                self.pins.extend(batch.into_iter().map(lost));
            }
            Ordered::NotTaken(refusal) => self.put_off(&refusal),
        }
    }

    /// The provider could not be asked: later, or never.
    pub(super) fn put_off(&mut self, refusal: &Refusal) {
        self.point.refused += 1;
        self.wait();
        if let Refusal::Unsent(SendFailure::RateLimited(Some(seconds))) = refusal {
            self.pause_ms = self.pause_ms.max(seconds.saturating_mul(1_000).min(600_000));
        }
        let fault = refusal.fault("/keywords");
        let is_final = matches!(refusal, Refusal::Unsent(SendFailure::ExpiredCredential | SendFailure::NotConnected));
        if is_final || self.point.refused >= REFUSALS || self.is_late() {
            self.tell(format!("{}: {}", fault.code, fault.message));
            self.finish();
        }
    }

    /// The account that is asked. When it is gone the scan ends with what it has.
    pub(super) fn account(&mut self) -> Option<String> {
        let reason = "map results are asked from DataForSEO";
        match self.cx.connections().required(Need::DATAFORSEO, "/keywords", reason) {
            Ok(connection) => Some(connection.reference),
            Err(fault) => {
                self.tell(format!("{}: {}", fault.code, fault.message));
                self.finish();
                None
            }
        }
    }

    /// A task came to nothing: it is ordered anew a few times.
    pub(super) fn again(&mut self, pin: Pin, why: &str) {
        if pin.tries + 1 >= TRIES {
            self.give_up(pin, why);
        } else {
            let pin = Pin { stage: Stage::Waiting, tries: pin.tries + 1, task: None, ..pin };
            self.pins.push(pin);
        }
    }

    /// Looks for orders that nobody knows of among the tasks that the provider has finished.
    pub(super) fn look_for_lost(&mut self) -> Result<()> {
        let Some(account) = self.account() else { return Ok(()) };
        let ready = match provider::ready(self.cx, &account) {
            Ok(ready) => ready,
            Err(refusal) => {
                self.put_off(&refusal);
                return Ok(());
            }
        };
        self.point.refused = 0;
        let now = self.cx.now().millis();
        let mut found = false;
        for pin in self.some(Stage::Lost, 1_000)? {
            if let Some(task) = ready.get(&tag(&pin)) {
                found = true;
                let task = Some(task.clone());
                self.pins.push(Pin { stage: Stage::Posted, task, looked_ms: now, ..pin });
            } else if now.saturating_sub(pin.looked_ms) > UNHEARD {
                found = true;
                self.again(pin, "order_lost");
            }
        }
        if found {
            self.point.idle = 0
        } else {
            self.wait()
        }
        Ok(())
    }
}

/// What tells a pin's order from all others of the account.
fn tag(pin: &Pin) -> String {
    format!("{}-{}-{}-{}", pin.run, pin.keyword, pin.number, pin.tries)
}
