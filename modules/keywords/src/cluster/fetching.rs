//! Fetching result pages as tasks: ordered once, collected until they are done.

use dataforseo::{
    Account, Collected, MAX_TASKS, Ordered, Refusal, Task, collect, escaped, language_code, location_code, order, ready,
};
use sdk::prelude::*;
use sdk::serde_json::{Value, json};
use serps::{Page, SnapshotRecord};

use crate::stored::{Serp, Set, keyword_id};

const ENDPOINT: &str = "serp/google/organic";
const RESULTS: &str = "serp/google/organic/task_get/advanced";
/// Results of a page that are compared.
pub(super) const DEPTH: usize = 10;
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
/// Steps in a row in which the provider cannot be asked before the job goes on with what it has.
const MAX_REFUSALS: u32 = 6;

/// A page that was ordered.
#[value]
struct Waiting {
    keyword: String,
    task: String,
}

/// Pages on their way.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Fetching {
    started_ms: u64,
    /// Keywords whose pages are to be ordered, the first one last.
    to_order: Vec<String>,
    waiting: Vec<Waiting>,
    /// Keywords whose order may not have arrived, and since when.
    lost: Vec<String>,
    lost_ms: u64,
    idle: u32,
    refused: u32,
    pub(super) fetched: u64,
    pub(super) failed: u64,
    pub(super) cost_micros: u64,
    pub(super) stopped_by: Option<String>,
}

impl Fetching {
    /// The pages of these keywords, the first ones first.
    pub(super) fn of(keywords: Vec<String>, now_ms: u64) -> Self {
        Self { started_ms: now_ms, to_order: keywords.into_iter().rev().collect(), ..Self::default() }
    }

    /// Pages that are not here.
    pub(super) fn open(&self) -> u64 {
        (self.to_order.len() + self.waiting.len() + self.lost.len()) as u64
    }

    /// Pages that came, or never will.
    pub(super) fn done(&self) -> u64 {
        self.fetched + self.failed
    }

    /// Whether another step may bring some.
    pub(super) fn goes_on(&self, now_ms: u64) -> bool {
        let late = now_ms.saturating_sub(self.started_ms) > PATIENCE_MS;
        self.open() > 0 && !late && self.refused < MAX_REFUSALS
    }

    /// What is not here never will be.
    pub(super) fn give_up(&mut self) {
        self.failed += self.open();
        (self.to_order, self.waiting, self.lost) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// Orders pages, or collects them; how long to wait before the next step.
    pub(super) fn step(&mut self, cx: &Cx, set: &Stored<Set>) -> Result<u32> {
        let account = match Account::required(cx, "/max_fetch", "result pages are asked from DataForSEO") {
            Ok(account) => account,
            Err(fault) => {
                self.stopped_by = Some(format!("{}: {}", fault.code, fault.message));
                self.refused = MAX_REFUSALS;
                return Ok(0);
            }
        };
        if !self.to_order.is_empty() {
            for _ in 0..ORDERS {
                let batch = self.to_order.split_off(self.to_order.len().saturating_sub(MAX_TASKS));
                if !batch.is_empty() && !self.order(cx, &account, set, batch) {
                    return Ok(self.wait());
                }
            }
            return Ok(2 * PACE_MS);
        }
        if self.waiting.is_empty() {
            self.look_for_lost(cx, &account, set);
            return Ok(self.wait());
        }
        self.collect(cx, &account, set)
    }

    fn collect(&mut self, cx: &Cx, account: &Account<'_>, set: &Stored<Set>) -> Result<u32> {
        let batch: Vec<Waiting> = self.waiting.drain(..self.waiting.len().min(TOGETHER)).collect();
        let ids: Vec<&str> = batch.iter().map(|it| it.task.as_str()).collect();
        let answers = collect(cx, &account.reference, RESULTS, &ids);
        let mut rows: Vec<(Id<Serp>, Serp)> = Vec::new();
        let before = self.done();
        for (page, answer) in batch.into_iter().zip(answers) {
            match answer {
                Collected::Done(results) => {
                    self.fetched += 1;
                    let row = stored(set, &page.keyword, results.first(), cx.now().day());
                    rows.push((keyword_id(&set.id, &page.keyword), row));
                }
                Collected::Waiting => self.waiting.push(page),
                Collected::Failed(_) => self.failed += 1,
                Collected::NotAsked(refusal) => {
                    self.waiting.push(page);
                    self.refused_by(&refusal);
                }
            }
        }
        if !rows.is_empty() {
            cx.records::<Serp>().put_many_as(rows.iter().map(|(id, it)| (id, it)))?;
        }
        if self.done() > before {
            (self.idle, self.refused) = (0, 0);
            return Ok(PACE_MS);
        }
        Ok(self.wait())
    }

    /// Waits longer each time that nothing has come.
    fn wait(&mut self) -> u32 {
        self.idle += 1;
        (2_500_u32 << self.idle.min(5)).min(LONGEST_MS)
    }

    fn refused_by(&mut self, refusal: &Refusal) {
        self.refused = if refusal.passes() { self.refused + 1 } else { MAX_REFUSALS };
        let fault = refusal.fault("/max_fetch");
        self.stopped_by = Some(format!("{}: {}", fault.code, fault.message));
    }

    /// Orders pages; whether the provider could be asked.
    fn order(&mut self, cx: &Cx, account: &Account<'_>, set: &Stored<Set>, batch: Vec<String>) -> bool {
        let task = |keyword: &String| {
            json!({ "keyword": escaped(keyword), "location_code": location_code(set.country),
                "language_code": language_code(&set.language), "device": set.device.name(), "depth": DEPTH, "priority": 1,
                "tag": tag(set, keyword) })
        };
        let tasks: Vec<Value> = batch.iter().map(task).collect();
        match order(cx, &account.reference, ENDPOINT, &tasks) {
            Ordered::Taken(answers) => {
                for (keyword, answer) in batch.into_iter().zip(answers) {
                    match answer {
                        Ok(Task { id, cost_micros }) => {
                            self.cost_micros += cost_micros;
                            self.waiting.push(Waiting { keyword, task: id });
                        }
                        Err(_) => self.failed += 1,
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
                self.to_order.extend(batch);
                self.refused_by(&refusal);
                false
            }
        }
    }

    /// Looks for orders that may not have arrived among the tasks that are done.
    fn look_for_lost(&mut self, cx: &Cx, account: &Account<'_>, set: &Stored<Set>) {
        match ready(cx, &account.reference, ENDPOINT) {
            Err(refusal) => self.refused_by(&refusal),
            Ok(ready) => {
                for keyword in std::mem::take(&mut self.lost) {
                    match ready.get(&tag(set, &keyword)) {
                        Some(task) => self.waiting.push(Waiting { keyword, task: task.clone() }),
                        None => self.lost.push(keyword),
                    }
                }
                if cx.now().millis().saturating_sub(self.lost_ms) > UNHEARD_MS {
                    self.failed += self.lost.len() as u64;
                    self.lost = Vec::new();
                }
            }
        }
    }
}

/// What tells a keyword's order from all others of the account.
fn tag(set: &Stored<Set>, keyword: &str) -> String {
    serps::snapshot_id(set.id.as_str(), keyword)
}

fn stored(set: &Stored<Set>, keyword: &str, result: Option<&Value>, date: Day) -> Serp {
    let page = result.map(Page::read).unwrap_or_default();
    let (country, depth) = (set.country.to_string(), u32::try_from(DEPTH).unwrap_or(10));
    let market = format!("google|{country}|{}|{}", set.language, set.device.name());
    let it = SnapshotRecord::of(&page, &set.site_id, keyword, &market, &country, date, depth);
    Serp { set: set.id.to_string(), it }
}
