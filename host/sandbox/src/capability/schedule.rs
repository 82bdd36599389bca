//! `schedule` and `schedule-write`: recurring calls that the host makes for the customer, and recurring work of the module.

use model::clock::Moment;
use model::id::CustomerId;
use model::schedule::{Cadence, Calls, Every, INTERVALS, Once, Plan, Planned, Watch, Work};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use store::jobs::schedules::{MOST_SCHEDULES, Schedule};

use super::since_1970;
use crate::bindings::{schedule, schedule_write};
use crate::state::State;

const LONGEST_NAME: usize = 64;
/// Calls of one run of a schedule.
const MOST_CALLS: usize = 5;
/// How far ahead calls may be planned: 400 days, in milliseconds.
const FURTHEST: i64 = 400 * 86_400_000;
const MOST_ARGUMENTS: usize = 64 * 1024;
const LONGEST_POINTER: usize = 512;
const LONGEST_TITLE: usize = 80;

impl schedule::Host for State {
    async fn get(&mut self, name: String) -> wasmtime::Result<Option<schedule::Entry>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.schedule(&name)).await;
        Ok(self.known(found)?.ok().flatten().and_then(shown))
    }

    async fn get_once(&mut self, name: String) -> wasmtime::Result<Option<schedule::OnceEntry>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.schedule(&name)).await;
        Ok(self.known(found)?.ok().flatten().and_then(shown_once))
    }

    async fn get_work(&mut self, name: String) -> wasmtime::Result<Option<schedule::WorkEntry>> {
        self.enter()?;
        let found = self.span.bound(self.workspace.schedule(&name)).await;
        Ok(self.known(found)?.ok().flatten().and_then(shown_work))
    }
}

impl schedule_write::Host for State {
    async fn put(
        &mut self,
        name: String,
        cadence: schedule::Cadence,
        calls: Vec<schedule::Planned>,
        watch: Option<schedule::Watch>,
    ) -> wasmtime::Result<Result<schedule::Entry, String>> {
        self.enter_changing()?;
        let plan = match self.plan(&name, cadence, calls, watch) {
            Ok(plan) => plan,
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(self
            .put_plan(name, plan)
            .await?
            .and_then(|put| shown(put).ok_or_else(|| "not a schedule of calls".to_owned())))
    }

    async fn put_once(
        &mut self,
        name: String,
        at: u64,
        calls: Vec<schedule::Planned>,
    ) -> wasmtime::Result<Result<schedule::OnceEntry, String>> {
        self.enter_changing()?;
        let plan = match self.once(&name, at, calls) {
            Ok(once) => Plan::Once(once),
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(self
            .put_plan(name, plan)
            .await?
            .and_then(|put| shown_once(put).ok_or_else(|| "not calls at a moment".to_owned())))
    }

    async fn put_work(&mut self, wanted: schedule::Work) -> wasmtime::Result<Result<schedule::WorkEntry, String>> {
        self.enter_changing()?;
        let name = wanted.name.clone();
        let plan = match self.work(wanted) {
            Ok(work) => Plan::Work(work),
            Err(reason) => return Ok(Err(reason)),
        };
        Ok(self.put_plan(name, plan).await?.and_then(|put| shown_work(put).ok_or_else(|| "not work".to_owned())))
    }

    async fn remove(&mut self, name: String) -> wasmtime::Result<bool> {
        self.enter_changing()?;
        let found = self.span.bound(self.workspace.schedule(&name)).await;
        let there = self.known(found)?.ok().flatten().is_some();
        if there {
            self.workspace.remove_schedule(name);
        }
        self.settle()?;
        Ok(there)
    }
}

impl State {
    /// Wants a valid plan put; what will be stored.
    async fn put_plan(&mut self, name: String, plan: Plan) -> wasmtime::Result<Result<Schedule, String>> {
        let counted = self.span.bound(self.workspace.count_schedules()).await;
        if self.known(counted)?.is_ok_and(|count| count >= MOST_SCHEDULES) {
            return Ok(Err(format!("a module has at most {MOST_SCHEDULES} schedules")));
        }
        let next_at = plan.next(self.now);
        let schedule = Schedule {
            name: name.clone(),
            plan: plan.clone(),
            next_at: Some(next_at),
            stage: None,
            stopped: None,
            last_at: None,
            outcome: None,
            watched: None,
            version: 1,
        };
        self.workspace.put_schedule(name, plan, next_at);
        self.settle()?;
        Ok(Ok(schedule))
    }

    /// Validates calls at a moment.
    fn once(&self, name: &str, at: u64, calls: Vec<schedule::Planned>) -> Result<Once, String> {
        fits_name(name)?;
        let Moment(now) = self.now;
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        if at <= now || at - now > FURTHEST {
            return Err("a moment is to come, within 400 days".to_owned());
        }
        Ok(Once { at, calls: self.calls(calls)? })
    }

    fn calls(&self, calls: Vec<schedule::Planned>) -> Result<Vec<Planned>, String> {
        if calls.is_empty() || calls.len() > MOST_CALLS {
            return Err(format!("a schedule makes 1 to {MOST_CALLS} calls"));
        }
        calls.into_iter().map(|call| self.planned(call)).collect()
    }

    /// Validates work. Its operation must be one that the lock file lets this module schedule, and the module's own.
    fn work(&self, wanted: schedule::Work) -> Result<Work, String> {
        let schedule::Work { name, minutes, operation, step, payload, units } = wanted;
        fits_name(&name)?;
        if !INTERVALS.contains(&minutes) {
            return Err(format!("the minutes between two rounds are one of {INTERVALS:?}"));
        }
        let planned = self.planned(schedule::Planned { operation, arguments: payload })?;
        if planned.operation.split('.').next() != Some(&*self.module.name) {
            return Err("work is started in the name of an operation of the own module".to_owned());
        }
        if !self.module.manifest.steps.iter().any(|declared| declared.name == step) {
            return Err(format!("the module declares no step {step}"));
        }
        let Planned { operation, arguments: payload } = planned;
        let phase = phase(&self.customer, &self.module.name, &name);
        Ok(Work { minutes, phase, operation, step, payload, units })
    }

    /// Validates a plan. Its operations must be ones that the lock file lets this module schedule.
    fn plan(
        &self,
        name: &str,
        cadence: schedule::Cadence,
        calls: Vec<schedule::Planned>,
        watch: Option<schedule::Watch>,
    ) -> Result<Plan, String> {
        fits_name(name)?;
        if cadence.minute > 1_439 || cadence.weekday > 6 {
            return Err("a minute is 0 to 1,439 and a weekday 0 to 6".to_owned());
        }
        let calls = self.calls(calls)?;
        let watch = match watch {
            None => None,
            Some(watch) if watch.pointer.len() > LONGEST_POINTER => {
                return Err(format!("a pointer has at most {LONGEST_POINTER} bytes"));
            }
            Some(watch) if watch.falls_by == 0 || !fits(&watch.title, LONGEST_TITLE) => {
                return Err(format!("a fall is at least 1, and its title has 1 to {LONGEST_TITLE} characters"));
            }
            Some(schedule::Watch { read, pointer, falls_by, title }) => {
                Some(Watch { read: self.planned(read)?, pointer, falls_by, title })
            }
        };
        let every = match cadence.every {
            schedule::Every::Day => Every::Day,
            schedule::Every::Week => Every::Week,
            schedule::Every::Month => Every::Month,
        };
        let cadence = Cadence { every, minute: cadence.minute, weekday: cadence.weekday };
        Ok(Plan::Calls(Calls { cadence, calls, watch }))
    }

    fn planned(&self, call: schedule::Planned) -> Result<Planned, String> {
        let lock = &self.module.lock;
        if !lock.schedules.contains(&call.operation) {
            let line = lock.line_of(None, "schedules");
            return Err(format!("{}:{line}: schedules does not name {}", lock.file(), call.operation));
        }
        let fits = call.arguments.len() <= MOST_ARGUMENTS;
        match serde_json::from_str::<Map<String, Value>>(if fits { &call.arguments } else { "" }) {
            Ok(arguments) => Ok(Planned { operation: call.operation, arguments }),
            Err(_) => Err("the arguments of a call are a JSON object of at most 64 KiB".to_owned()),
        }
    }
}

fn fits(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.chars().count()) && !text.chars().any(char::is_control)
}

fn fits_name(name: &str) -> Result<(), String> {
    let is_name = fits(name, LONGEST_NAME);
    is_name.then_some(()).ok_or_else(|| format!("the name of a schedule has 1 to {LONGEST_NAME} characters"))
}

/// Where in the interval the rounds of a customer's work come: spread evenly over customers, the same at every setting.
fn phase(customer: &CustomerId, module: &str, name: &str) -> i64 {
    let digest = Sha256::digest(format!("{customer}:{module}:{name}").as_bytes());
    let number = digest.iter().take(4).fold(0_i64, |sum, byte| (sum << 8) | i64::from(*byte));
    // Of a day's milliseconds: `Work` takes the rest of its own interval.
    number % 86_400_000
}

fn shown_work(schedule: Schedule) -> Option<schedule::WorkEntry> {
    let Plan::Work(Work { minutes, operation, step, payload, units, .. }) = schedule.plan else { return None };
    let payload = Value::Object(payload).to_string();
    Some(schedule::WorkEntry {
        work: schedule::Work { name: schedule.name, minutes, operation, step, payload, units },
        next: schedule.next_at.map(since_1970),
        stopped: schedule.stopped,
        last: schedule.last_at.map(since_1970),
        outcome: schedule.outcome,
    })
}

fn planned(it: Planned) -> schedule::Planned {
    schedule::Planned { operation: it.operation, arguments: Value::Object(it.arguments).to_string() }
}

fn shown_once(schedule: Schedule) -> Option<schedule::OnceEntry> {
    let Plan::Once(Once { at, calls }) = schedule.plan else { return None };
    Some(schedule::OnceEntry {
        name: schedule.name,
        at: since_1970(Moment(at)),
        calls: calls.into_iter().map(planned).collect(),
        next: schedule.next_at.map(since_1970),
        stopped: schedule.stopped,
        outcome: schedule.outcome,
    })
}

fn shown(schedule: Schedule) -> Option<schedule::Entry> {
    let Plan::Calls(Calls { cadence, calls, watch }) = schedule.plan else { return None };
    Some(schedule::Entry {
        name: schedule.name,
        cadence: schedule::Cadence {
            every: match cadence.every {
                Every::Day => schedule::Every::Day,
                Every::Week => schedule::Every::Week,
                Every::Month => schedule::Every::Month,
            },
            minute: cadence.minute,
            weekday: cadence.weekday,
        },
        calls: calls.into_iter().map(planned).collect(),
        watch: watch.map(|it| schedule::Watch {
            read: planned(it.read),
            pointer: it.pointer,
            falls_by: it.falls_by,
            title: it.title,
        }),
        next: schedule.next_at.map(since_1970),
        stopped: schedule.stopped,
        last: schedule.last_at.map(since_1970),
        outcome: schedule.outcome,
    })
}
