//! The operation `websites.plan.generate` and its job: collecting, weighing, laying down.

use sdk::Degraded;
use sdk::JobState;
use sdk::Progress;
use sdk::prelude::*;

use super::order::{self, Item};
use super::sources::{self, Finding};
use super::{Focus, MOST_STEPS, Plan, PlanStep, causes, pieces};
use crate::audits;
use crate::stored::Website;

/// Findings that one plan weighs.
const MOST_FINDINGS: usize = 500;
/// Titles kept of what does not fit.
const LEFT: usize = 50;

#[args]
pub(crate) struct Generate {
    /// The website, as listed.
    site_id: Id<Website>,
    /// Weeks to plan for.
    #[default(8)]
    horizon_weeks: Count<1, 26>,
    /// Hours of work in a week.
    #[default(8)]
    weekly_hours: Count<1, 80>,
    /// What to plan for. What everything stands on, such as a crawl, is part of every plan.
    #[default("all")]
    focus: Focus,
}

/// A queued plan.
#[value]
pub(crate) struct Started {
    /// Always `queued`; follow it with `websites.plan.get`.
    state: JobState,
    /// The job.
    job_ref: Id<Job>,
    /// The plan.
    plan_ref: Id<Plan>,
    /// Always empty here; `websites.plan.get` has the steps once the job has ended.
    steps: Vec<PlanStep>,
}

/// What the job is given.
#[value]
pub(crate) struct Work {
    /// The plan.
    plan: Id<Plan>,
}

/// A part of the work.
#[value]
pub(crate) enum Phase {
    /// Collecting findings.
    Collecting,
    /// Weighing them by clicks.
    Weighing,
    /// Laying steps into weeks.
    Laying,
    /// Ended.
    Done,
}

impl Phase {
    /// The part in words.
    const fn step(self) -> &'static str {
        match self {
            Self::Collecting => "collecting findings",
            Self::Weighing => "weighing findings by clicks",
            Self::Laying => "laying steps into weeks",
            Self::Done => "done",
        }
    }
}

/// What one part hands to the next.
#[value]
pub(crate) struct Checkpoint {
    phase: Phase,
    audit: Option<String>,
    findings: Vec<Finding>,
    degraded: Vec<Degraded>,
}

/// What the job ends with.
#[value]
pub(crate) struct Outcome {
    plan_ref: Id<Plan>,
    steps: u32,
}

/// Builds a prioritised action plan from the findings of all modules, scored impact × confidence ÷ effort, de-duplicated by root cause, each step naming the operation and arguments that carry it out.
///
/// Findings are the opportunities of the newest whole audit, work items whose fix did not hold, and what the website lacks
/// before more can be said of it: a crawl, an audit, a sitemap, a way in by robots.txt, proof of ownership, search data.
/// With search data a finding counts by the clicks on its pages. The same data gives the same plan.
#[operation(
    job,
    scope = "seo:analyze",
    cost = job(unit = "findings", every = 50, most = 500),
    queued(step = "plan"),
    result_operation = "websites.plan.get",
    side_effects = ["stores a plan"],
    needs = ["jobs"],
    phrasings = [
        "make me an SEO plan for the next two months",
        "what should I do first to grow my traffic",
        "plan my SEO work week by week",
        "prioritise everything that is wrong with my site",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "horizon_weeks": 4, "weekly_hours": 5, "focus": "technical" },
    ]
)]
pub(crate) fn generate(cx: &Cx, args: Generate) -> Result<Started> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let count = |it: i64| u32::try_from(it).unwrap_or(u32::MAX);
    let plan = cx.records::<Plan>().insert(Plan {
        site_id: site.id,
        created_ms: cx.now().millis(),
        finished_ms: None,
        job_ref: None,
        horizon_weeks: count(args.horizon_weeks.get()),
        weekly_hours: count(args.weekly_hours.get()),
        focus: args.focus,
        audit_ref: None,
        steps: Vec::new(),
        left_over: Vec::new(),
        degraded: Vec::new(),
    })?;
    let job = cx.jobs().enqueue("plan", &Work { plan: plan.id.clone() })?;
    cx.records::<Plan>().update(&plan.id, |it| it.job_ref = Some(job.clone()))?;
    Ok(Started { state: JobState::Queued, job_ref: job, plan_ref: plan.id, steps: Vec::new() })
}

/// One part of the work.
#[step]
pub(crate) fn work(cx: &Cx, work: Work, checkpoint: Option<Checkpoint>) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut plan = cx.records::<Plan>().get(&work.plan)?;
    let site = cx.records::<Website>().get(&plan.site_id)?;
    let state = checkpoint.unwrap_or(Checkpoint {
        phase: Phase::Collecting,
        audit: None,
        findings: Vec::new(),
        degraded: Vec::new(),
    });
    let next = |state: Checkpoint, units: u64| {
        let progress = Progress::new(state.findings.len() as u64, None, state.phase.step());
        Ok(Step::next(state, progress).units(units))
    };
    match state.phase {
        Phase::Collecting => {
            let state = collect(cx, &site, plan.focus);
            let units = state.findings.len() as u64;
            next(state, units)
        }
        Phase::Weighing => {
            let Checkpoint { audit, mut findings, mut degraded, .. } = state;
            let id = audit.as_ref().map(|it| Id::new(it.as_str()));
            degraded.extend(sources::weigh(cx, &site.id, id.as_ref(), &mut findings)?);
            next(Checkpoint { phase: Phase::Laying, audit, findings, degraded }, 0)
        }
        Phase::Laying | Phase::Done => {
            let findings = state.findings.len() as u64;
            let (steps, left_over) = lay(sources::merge(state.findings), plan.horizon_weeks, plan.weekly_hours);
            plan.it.finished_ms = Some(cx.now().millis());
            plan.it.audit_ref = state.audit;
            plan.it.degraded = state.degraded;
            (plan.it.steps, plan.it.left_over) = (steps, left_over);
            let count = u32::try_from(plan.steps.len()).unwrap_or(u32::MAX);
            let plan = cx.records::<Plan>().save(plan)?;
            Ok(Step::done(
                Outcome { plan_ref: plan.id, steps: count },
                Progress::new(findings, findings, Phase::Done.step()),
            ))
        }
    }
}

fn collect(cx: &Cx, site: &Stored<Website>, focus: Focus) -> Checkpoint {
    let audit = audits::newest(cx, &site.id);
    let mut degraded = Vec::new();
    let mut findings = pieces::missing(cx, site, audit.as_ref());
    findings.extend(sources::of_tasks(cx, site));
    match &audit {
        Some(audit) => findings.extend(sources::of_audit(cx, audit, focus)),
        None => degraded.push(Degraded::new(
            "audit",
            "no whole audit has ended yet, so nothing is known of pages; audit.run.start makes one",
        )),
    }
    if focus == Focus::Local {
        degraded
            .push(Degraded::new("local", "no local finding is stored; local_grid.run.start measures nearby results"));
    }
    findings.truncate(MOST_FINDINGS);
    let audit = audit.map(|it| it.id.to_string());
    Checkpoint { phase: Phase::Weighing, audit, findings, degraded }
}

/// Steps by rank, and the titles of what does not fit.
fn lay(mut findings: Vec<Finding>, weeks: u32, weekly: u32) -> (Vec<PlanStep>, Vec<String>) {
    let worth = |it: &Finding| it.value() / f64::from(it.effort.hours());
    findings.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then_with(|| a.cause.cmp(&b.cause)));
    let place = |cause: &str| findings.iter().position(|it| it.cause == cause);
    let item = |it: &Finding| {
        let (value, hours) = (it.value(), it.effort.hours());
        Item { value, hours, critical: it.critical, needs: Vec::new() }
    };
    let mut items: Vec<Item> = findings.iter().map(item).collect();
    for (first, then) in causes::BEFORE {
        if let (Some(first), Some(then)) = (place(first), place(then)) {
            items[then].needs.push(first);
        }
    }
    let slots = order::schedule(&items, weeks, weekly);
    let mut placed: Vec<(usize, order::Slot)> =
        slots.iter().enumerate().filter_map(|(at, slot)| Some((at, (*slot)?))).collect();
    placed.sort_by_key(|(_, slot)| slot.order);
    placed.truncate(MOST_STEPS);
    let rank = |at: usize| placed.iter().position(|(it, _)| *it == at).and_then(|it| u32::try_from(it + 1).ok());
    let steps = placed.iter().map(|(at, slot)| step(&findings[*at], slot, &items[*at].needs, rank, *at)).collect();
    let left = (0..findings.len()).filter(|at| rank(*at).is_none());
    (steps, left.take(LEFT).map(|at| findings[at].title.clone()).collect())
}

fn step(
    finding: &Finding,
    slot: &order::Slot,
    needs: &[usize],
    rank: impl Fn(usize) -> Option<u32>,
    at: usize,
) -> PlanStep {
    let mut depends_on: Vec<u32> = needs.iter().filter_map(|need| rank(*need)).collect();
    depends_on.sort_unstable();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
    let impact = finding.impact.round().clamp(0.0, 100.0) as u32;
    PlanStep {
        rank: rank(at).unwrap_or_default(),
        week: slot.first + 1,
        last_week: slot.last + 1,
        title: finding.title.clone(),
        why: finding.why.clone(),
        root_cause: finding.cause.clone(),
        operation_id: finding.operation_id.clone(),
        args: finding.args.clone(),
        impact,
        clicks: finding.clicks,
        confidence: finding.confidence,
        effort: finding.effort,
        hours: finding.effort.hours(),
        depends_on,
        urls: finding.urls.clone(),
        affected: finding.affected,
        sources: finding.sources.clone(),
    }
}
