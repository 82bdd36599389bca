//! The operation `websites.plan.get`, a plan and where its steps stand.

use std::collections::{BTreeMap, BTreeSet};

use sdk::Degraded;
use sdk::JobState;
use sdk::Progress;
use sdk::prelude::*;

use super::{FORMULA, Focus, Plan, PlanStep, pieces, step_ref};
use crate::audits;
use crate::stored::{Audit, Website};
use crate::task::state::State;
use crate::task::stored::Task;

/// The newest work items that are looked through for the states of steps.
const TASKS: usize = 1_000;

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Website>,
    /// The plan; the newest when left out.
    plan_ref: Option<Id<Plan>>,
}

/// A plan without its steps.
#[value]
pub(crate) struct Head {
    /// Its reference.
    plan_ref: Id<Plan>,
    /// The website.
    site_id: Id<Website>,
    /// Where it stands.
    state: JobState,
    /// How far its job got, while it runs.
    progress: Option<Progress>,
    /// Why it failed, when it did.
    failure: Option<String>,
    /// When it was asked for.
    created_at: Moment,
    /// When its steps were laid down.
    finished_at: Option<Moment>,
    /// Weeks planned for.
    horizon_weeks: u32,
    /// Hours of work in a week.
    weekly_hours: u32,
    /// What it is for.
    focus: Focus,
    /// The audit that its findings are of.
    audit_ref: Option<Id<Audit>>,
    /// How steps are valued and ordered.
    formula: String,
    /// Steps that are done, verified or dropped.
    steps_done: u32,
    /// Hours of all steps.
    hours: u32,
    /// Of these, of steps that are done, verified or dropped.
    hours_done: u32,
    /// What was found and does not fit the hours, the most valuable first; at most 50.
    left_over: Vec<String>,
}

/// A step and where it stands.
#[value]
pub(crate) struct Shown {
    /// Gives this step as `source_ref` of `websites.task.create`.
    step_ref: Id<PlanStep>,
    /// Where it stands.
    state: State,
    /// What says so: a work item, a newer audit, or the records of the website; null while nothing does.
    state_from: Option<String>,
    /// The step.
    #[serde(flatten)]
    step: PlanStep,
}

/// A plan.
#[value]
pub(crate) struct View {
    /// The plan.
    plan: Head,
    /// Its steps by rank; empty until its job has ended.
    steps: Vec<Shown>,
    /// What could not be considered, in words.
    degraded: Vec<Degraded>,
}

/// Returns a generated plan with its steps, evidence, expected effect, dependencies and progress.
///
/// The state of a step is that of the newest work item made from it or from a finding behind it; without one it is
/// `verified` as soon as a newer audit, or the record of the website, no longer shows what it is about.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    phrasings = [
        "show my SEO plan",
        "what is next in the plan",
        "how much of the plan is done",
        "which step of the plan comes first and why",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "plan_ref": "0000000000000001" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<View> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let plans = cx.records::<Plan>();
    let plan = match &args.plan_ref {
        Some(plan) => plans.find(plan).filter(|it| it.site_id == site.id),
        None => plans.by("site_id_created_ms").equals(&site.id).descending().first(),
    };
    let message = "this website has no such plan; websites.plan.generate makes one";
    let plan = plan.ok_or_else(|| Fault::not_found("plan_not_found", message).at("/plan_ref"))?;
    let known = Known::of(cx, &site, &plan);
    let Stored { id, it, .. } = plan;
    let steps: Vec<Shown> = it
        .steps
        .into_iter()
        .map(|step| {
            let step_ref = step_ref(&id, step.rank);
            let (state, state_from) = known.state(&step, &step_ref);
            Shown { step_ref: step_ref.into(), state, state_from, step }
        })
        .collect();
    let closed = |it: &&Shown| matches!(it.state, State::Done | State::Verified | State::Dropped);
    let job = it.job_ref.as_ref().and_then(|job| cx.jobs().find(job));
    // The plan says that it is finished in the same commit as its steps; until then its job knows best.
    let state = match (it.finished_ms, job.as_ref().map(|job| job.state)) {
        (Some(_), _) => JobState::Succeeded,
        (None, Some(JobState::Succeeded)) => JobState::Running,
        (None, state) => state.unwrap_or(JobState::Queued),
    };
    let head = Head {
        plan_ref: id,
        site_id: it.site_id,
        state,
        progress: job.as_ref().filter(|_| state == JobState::Running).and_then(Job::progress),
        failure: job.as_ref().and_then(Job::fault).map(|(code, message)| format!("{code}: {message}")),
        created_at: Moment::from_millis(it.created_ms),
        finished_at: it.finished_ms.map(Moment::from_millis),
        horizon_weeks: it.horizon_weeks,
        weekly_hours: it.weekly_hours,
        focus: it.focus,
        audit_ref: it.audit_ref.map(Id::new),
        formula: FORMULA.to_owned(),
        steps_done: u32::try_from(steps.iter().filter(closed).count()).unwrap_or(u32::MAX),
        hours: steps.iter().map(|it| it.step.hours).sum(),
        hours_done: steps.iter().filter(closed).map(|it| it.step.hours).sum(),
        left_over: it.left_over,
    };
    Ok(View { plan: head, steps, degraded: it.degraded })
}

/// What is known now of what a plan is about.
struct Known {
    /// The newest work item by what it was made from.
    tasks: BTreeMap<String, (State, String)>,
    /// A whole audit that is newer than the plan, with the rules that it finds something for.
    newer: Option<(String, BTreeSet<String>)>,
    /// Root causes that the website's record still shows.
    lacking: BTreeSet<String>,
}

impl Known {
    fn of(cx: &Cx, site: &Stored<Website>, plan: &Stored<Plan>) -> Self {
        let audit = audits::newest(cx, &site.id);
        let lacking = pieces::missing(cx, site, audit.as_ref()).into_iter().map(|it| it.cause).collect();
        let newer = audit.filter(|it| it.created_ms > plan.created_ms).map(|it| {
            let rules = audits::found(cx, &it.id);
            (it.id.to_string(), rules)
        });
        let mut tasks = BTreeMap::new();
        let refs: BTreeSet<&str> = plan.steps.iter().flat_map(|step| &step.sources).map(String::as_str).collect();
        let own = format!("{}#", plan.id);
        // The ids of work items grow with time.
        for task in cx.records::<Task>().by("site_id").equals(&site.id).descending().scan().take(TASKS) {
            if let Some(source) = &task.source
                && (source.source_ref.as_str().starts_with(&own) || refs.contains(source.source_ref.as_str()))
            {
                tasks.entry(source.source_ref.to_string()).or_insert((task.state, task.id.to_string()));
            }
        }
        Self { tasks, newer, lacking }
    }

    fn state(&self, step: &PlanStep, step_ref: &str) -> (State, Option<String>) {
        let mut named = std::iter::once(step_ref).chain(step.sources.iter().map(String::as_str));
        if let Some((state, task)) = named.find_map(|it| self.tasks.get(it)) {
            return (*state, Some(format!("task {task}")));
        }
        if step.root_cause.starts_with("reach.") {
            let there = !self.lacking.contains(&step.root_cause);
            return if there { (State::Verified, Some("website".to_owned())) } else { (State::Open, None) };
        }
        let rules: Vec<&str> = step.sources.iter().filter_map(|it| Some(it.split_once(':')?.1)).collect();
        match &self.newer {
            Some((audit, found)) if !rules.is_empty() && !rules.iter().any(|rule| found.contains(*rule)) => {
                (State::Verified, Some(format!("audit {audit}")))
            }
            _ => (State::Open, None),
        }
    }
}
