//! Fetching result pages as tasks: ordered once, collected until they are done. The state is kept between the steps of a job.

use dataforseo::{Account, Collected, MAX_TASKS, Ordered, Refusal, Task, collect, order, ready};
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

/// Orders of one step, and pages that one step collects.
const ORDERS: usize = 5;
const TOGETHER: usize = 40;
/// Milliseconds between two steps that moved something, and the longest wait between two that did not.
const PACE_MS: u32 = 1_200;
const LONGEST_MS: u32 = 60_000;
/// How long pages are waited for: tasks of the standard queue are done within 45 minutes.
const PATIENCE_MS: u64 = 6 * 3_600_000;
/// How long an order that may not have arrived is looked for.
const UNHEARD_MS: u64 = 3_600_000;
/// Failed keywords that are told.
const MAX_TOLD: usize = 100;
/// Steps in a row in which the provider cannot be asked before the job goes on with what it has.
const MAX_REFUSALS: u32 = 6;

/// A page that was ordered.
#[value]
struct Waiting {
    keyword: String,
    task: String,
}

/// How pages are asked for.
pub struct Asked<'a> {
    /// The endpoint, such as `serp/google/organic`.
    pub endpoint: &'a str,
    /// The task of a keyword, without its tag.
    pub task: &'a dyn Fn(&str) -> Value,
    /// What tells a keyword's order from all others of the account.
    pub tag: &'a dyn Fn(&str) -> String,
    /// The argument that asks for pages.
    pub pointer: &'a str,
}

/// Pages on their way.
#[value]
#[derive(Default)]
#[serde(default)]
pub struct Fetching {
    started_ms: u64,
    /// Keywords whose pages are to be ordered, the first one last.
    to_order: Vec<String>,
    waiting: Vec<Waiting>,
    /// Keywords whose order may not have arrived, and since when.
    lost: Vec<String>,
    lost_ms: u64,
    idle: u32,
    refused: u32,
    /// Pages that came.
    pub fetched: u64,
    /// Pages that never will.
    pub failed: u64,
    /// What the provider says that they cost, in millionths of a US dollar.
    pub cost_micros: u64,
    /// Why the provider could not be asked; none when it always could.
    pub stopped_by: Option<String>,
    /// Keywords that failed, at most 100.
    pub failed_keywords: Vec<String>,
}

impl Fetching {
    /// The pages of these keywords, the first ones first.
    #[must_use]
    pub fn of(keywords: Vec<String>, now_ms: u64) -> Self {
        Self { started_ms: now_ms, to_order: keywords.into_iter().rev().collect(), ..Self::default() }
    }

    /// Pages that are not here.
    #[must_use]
    pub fn open(&self) -> u64 {
        (self.to_order.len() + self.waiting.len() + self.lost.len()) as u64
    }

    /// Pages that came, or never will.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.fetched + self.failed
    }

    /// Whether another step may bring some.
    #[must_use]
    pub fn goes_on(&self, now_ms: u64) -> bool {
        let late = now_ms.saturating_sub(self.started_ms) > PATIENCE_MS;
        self.open() > 0 && !late && self.refused < MAX_REFUSALS
    }

    /// What is not here never will be.
    pub fn give_up(&mut self) {
        self.failed += self.open();
        (self.to_order, self.waiting, self.lost) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// Orders pages, or collects them; how long to wait before the next step.
    ///
    /// `sink` gets every page that came: the keyword, the provider's result, and the id of its task.
    pub fn step(&mut self, cx: &Cx, asked: &Asked<'_>, sink: &mut dyn FnMut(&str, Option<&Value>, &str)) -> u32 {
        let account = match Account::required(cx, asked.pointer, "result pages are asked from DataForSEO") {
            Ok(account) => account,
            Err(fault) => {
                self.stopped_by = Some(format!("{}: {}", fault.code, fault.message));
                self.refused = MAX_REFUSALS;
                return 0;
            }
        };
        if !self.to_order.is_empty() {
            for _ in 0..ORDERS {
                let mut batch = self.to_order.split_off(self.to_order.len().saturating_sub(MAX_TASKS));
                batch.reverse();
                if !batch.is_empty() && !self.order(cx, &account, asked, batch) {
                    return self.wait();
                }
            }
            return 2 * PACE_MS;
        }
        if self.waiting.is_empty() {
            self.look_for_lost(cx, &account, asked);
            return self.wait();
        }
        self.collect(cx, &account, asked, sink)
    }

    fn collect(
        &mut self,
        cx: &Cx,
        account: &Account<'_>,
        asked: &Asked<'_>,
        sink: &mut dyn FnMut(&str, Option<&Value>, &str),
    ) -> u32 {
        let batch: Vec<Waiting> = self.waiting.drain(..self.waiting.len().min(TOGETHER)).collect();
        let ids: Vec<&str> = batch.iter().map(|it| it.task.as_str()).collect();
        let answers = collect(cx, &account.reference, &format!("{}/task_get/advanced", asked.endpoint), &ids);
        let before = self.done();
        for (page, answer) in batch.into_iter().zip(answers) {
            match answer {
                Collected::Done(results) => {
                    self.fetched += 1;
                    sink(&page.keyword, results.first(), &page.task);
                }
                Collected::Waiting => self.waiting.push(page),
                Collected::Failed(_) => self.fail(page.keyword),
                Collected::NotAsked(refusal) => {
                    self.waiting.push(page);
                    self.refused_by(&refusal, asked.pointer);
                }
            }
        }
        if self.done() > before {
            (self.idle, self.refused) = (0, 0);
            return PACE_MS;
        }
        self.wait()
    }

    fn fail(&mut self, keyword: String) {
        self.failed += 1;
        if self.failed_keywords.len() < MAX_TOLD {
            self.failed_keywords.push(keyword);
        }
    }

    /// Waits longer each time that nothing has come.
    fn wait(&mut self) -> u32 {
        self.idle += 1;
        (2_500_u32 << self.idle.min(5)).min(LONGEST_MS)
    }

    fn refused_by(&mut self, refusal: &Refusal, pointer: &str) {
        self.refused = if refusal.passes() { self.refused + 1 } else { MAX_REFUSALS };
        let fault = refusal.fault(pointer);
        self.stopped_by = Some(format!("{}: {}", fault.code, fault.message));
    }

    /// Orders pages; whether the provider could be asked.
    fn order(&mut self, cx: &Cx, account: &Account<'_>, asked: &Asked<'_>, batch: Vec<String>) -> bool {
        let task = |keyword: &String| {
            let mut task = (asked.task)(keyword);
            task["tag"] = json!((asked.tag)(keyword));
            task
        };
        let tasks: Vec<Value> = batch.iter().map(task).collect();
        match order(cx, &account.reference, asked.endpoint, &tasks) {
            Ordered::Taken(answers) => {
                for (keyword, answer) in batch.into_iter().zip(answers) {
                    match answer {
                        Ok(Task { id, cost_micros }) => {
                            self.cost_micros += cost_micros;
                            self.waiting.push(Waiting { keyword, task: id });
                        }
                        Err(_) => self.fail(keyword),
                    }
                }
                self.refused = 0;
                true
            }
            Ordered::Unknown => {
                self.lost.extend(batch);
                self.lost_ms = cx.now().millis();
                true
            }
            Ordered::NotTaken(refusal) => {
                self.to_order.extend(batch.into_iter().rev());
                self.refused_by(&refusal, asked.pointer);
                false
            }
        }
    }

    /// Looks for orders that may not have arrived among the tasks that are done.
    fn look_for_lost(&mut self, cx: &Cx, account: &Account<'_>, asked: &Asked<'_>) {
        match ready(cx, &account.reference, asked.endpoint) {
            Err(refusal) => self.refused_by(&refusal, asked.pointer),
            Ok(ready) => {
                for keyword in std::mem::take(&mut self.lost) {
                    match ready.get(&(asked.tag)(&keyword)) {
                        Some(task) => self.waiting.push(Waiting { keyword, task: task.clone() }),
                        None => self.lost.push(keyword),
                    }
                }
                if cx.now().millis().saturating_sub(self.lost_ms) > UNHEARD_MS {
                    std::mem::take(&mut self.lost).into_iter().for_each(|keyword| self.fail(keyword));
                }
            }
        }
    }
}
