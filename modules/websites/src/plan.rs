//! `websites.plan.*`, what to do next, week by week; here what is kept of a plan.

mod causes;
pub(crate) mod generate;
pub(crate) mod get;
mod order;
mod pieces;
mod sources;

use sdk::Degraded;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use crate::stored::Website;

/// The most steps of one plan.
const MOST_STEPS: usize = 60;

/// How steps are valued and ordered, as answers print it.
const FORMULA: &str = "value = impact (0 to 100) x confidence / hours of effort (low 1, medium 4, high 12); impact is the \
audit's, with the share of clicks in place of the share of pages where search data is stored; findings of one root cause \
are one step; prerequisites come first; each week takes the best that fits its hours, then pairs of steps are swapped \
while that brings more impact sooner";

/// What to plan for.
#[value]
pub(crate) enum Focus {
    /// What keeps pages from being fetched, understood and shown.
    Technical,
    /// Titles, descriptions, texts, pictures.
    Content,
    /// Links, inside and from outside.
    Authority,
    /// Nearby searchers.
    Local,
    /// Assistants and AI answers.
    Ai,
    /// Everything.
    All,
}

/// How much work a step is.
#[value]
pub(crate) enum Effort {
    /// About an hour: one setting or one template.
    Low,
    /// About four hours: a change on each page, which an operation can make in bulk.
    Medium,
    /// About twelve hours: writing or development.
    High,
}

impl Effort {
    /// Hours of work.
    pub(crate) const fn hours(self) -> u32 {
        match self {
            Self::Low => 1,
            Self::Medium => 4,
            Self::High => 12,
        }
    }
}

/// A plan. It changes once: when its job has filled it.
#[record(collection = "plans", index(site_id, created_ms))]
pub(crate) struct Plan {
    /// The website.
    pub(crate) site_id: Id<Website>,
    /// Milliseconds since 1970 UTC: when it was asked for.
    pub(crate) created_ms: u64,
    /// When its steps were laid down; null until its job has ended.
    pub(crate) finished_ms: Option<u64>,
    /// The job that fills it.
    pub(crate) job_ref: Option<Id<Job>>,
    /// Weeks planned for.
    pub(crate) horizon_weeks: u32,
    /// Hours of work in a week.
    pub(crate) weekly_hours: u32,
    /// What it is for.
    pub(crate) focus: Focus,
    /// The audit that its findings are of; absent before the first.
    pub(crate) audit_ref: Option<String>,
    /// The steps by rank.
    #[serde(default)]
    pub(crate) steps: Vec<PlanStep>,
    /// What was found and does not fit the hours, in words, the most valuable first; at most 50.
    #[serde(default)]
    pub(crate) left_over: Vec<String>,
    /// What could not be considered, in words.
    #[serde(default)]
    pub(crate) degraded: Vec<Degraded>,
}

/// One step of a plan.
#[value]
pub(crate) struct PlanStep {
    /// Its place in the plan, from 1.
    pub(crate) rank: u32,
    /// The week it begins in, from 1.
    pub(crate) week: u32,
    /// The week it ends in; another one only when it takes more hours than a week has.
    pub(crate) last_week: u32,
    /// What is to be done.
    pub(crate) title: String,
    /// What was found, each with its number of pages.
    pub(crate) why: Vec<String>,
    /// What is at the bottom of it: findings with the same root cause are one step.
    pub(crate) root_cause: String,
    /// The operation that carries it out, or prepares that.
    pub(crate) operation_id: String,
    /// Arguments that the operation takes as they are.
    pub(crate) args: Map<String, Value>,
    /// From 0 to 100.
    pub(crate) impact: u32,
    /// Clicks of the last 28 days with search data on the pages at fault; null without such data.
    pub(crate) clicks: Option<u64>,
    /// How sure it is that this is a real fault, in percent.
    pub(crate) confidence: u32,
    /// How much work it is.
    pub(crate) effort: Effort,
    /// Hours of work.
    pub(crate) hours: u32,
    /// Ranks of the steps that come before it.
    pub(crate) depends_on: Vec<u32>,
    /// The first pages at fault.
    pub(crate) urls: Vec<String>,
    /// Pages at fault, of the finding that concerns the most.
    pub(crate) affected: u32,
    /// The findings behind it, each as `source_ref` of `websites.task.create` takes it.
    pub(crate) sources: Vec<String>,
}

/// The reference of a step, as a task names it: the plan, a number sign, the rank.
pub(crate) fn step_ref(plan: &Id<Plan>, rank: u32) -> String {
    format!("{plan}#{rank}")
}

/// The step that a reference names, of a plan of this website.
pub(crate) fn find_step(cx: &Cx, site: &Id<Website>, reference: &str) -> Option<PlanStep> {
    let (plan, rank) = reference.split_once('#')?;
    let rank: u32 = rank.parse().ok()?;
    let plan = cx.records::<Plan>().find(&Id::new(plan)).filter(|plan| plan.site_id == *site)?;
    plan.into_inner().steps.into_iter().find(|step| step.rank == rank)
}

#[cfg(test)]
mod tests;
