//! The operation `account.budget.set`, and a cap on spending as it is shown.

use sdk::prelude::*;
use sdk::{PlatformAction, PlatformBudget};

use crate::amount::of_unit;
use crate::known;
use crate::platform::balance::Budgets;

/// What a cap is for.
#[value]
pub(crate) enum Scope {
    /// Everything.
    Workspace,
    /// The operations of a module.
    Module,
    /// What is done for a website.
    Site,
    /// What an application does.
    Client,
}

impl Scope {
    const fn word(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Module => "module",
            Self::Site => "site",
            Self::Client => "client",
        }
    }
}

/// What is capped.
#[value]
pub(crate) enum Unit {
    Points,
    Credits,
}

impl Unit {
    const fn word(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::Credits => "credits",
        }
    }
}

#[args]
pub(crate) struct Set {
    /// What the cap is for.
    scope: Scope,
    /// The module's name, the website's `site_id`, or the `grant_ref` of the application, as `account.grant.list` has it;
    /// nothing for the workspace.
    target: Option<Text<1, 128>>,
    /// What is capped.
    unit: Unit,
    /// In a UTC day, whole points or credits; no daily cap when left out.
    daily: Option<Count<0, 1_000_000_000>>,
    /// In a month of the calendar; no monthly cap when left out.
    monthly: Option<Count<0, 1_000_000_000>>,
}

/// The caps as they are now.
#[value]
pub(crate) struct Budget {
    budgets: Vec<Cap>,
    /// Spent today under this cap; null when it was taken away.
    used_today: Option<f64>,
    /// Spent this month under this cap; null when it was taken away.
    used_month: Option<f64>,
}

/// A cap on spending.
#[value]
pub(crate) struct Cap {
    /// `workspace`, `module`, `site` or `client`.
    scope: String,
    /// Which one; null for the workspace.
    target: Option<String>,
    /// `points` or `credits`.
    unit: String,
    /// In a UTC day; null: no cap.
    daily: Option<f64>,
    /// In a month of the calendar; null: no cap.
    monthly: Option<f64>,
    used_today: f64,
    used_month: f64,
}

/// Sets daily and monthly caps on points or credits for the workspace, a module, a website or one OAuth client; calls over a cap fail with 402 before any work.
///
/// A cap replaces the one before of the same scope, target and unit; without `daily` and `monthly` it is taken away.
/// What is set aside for running jobs counts as used.
#[operation(
    write,
    scope = "billing:manage",
    cost = write,
    needs = ["store", "credits"],
    side_effects = ["calls over the cap are refused from now on"],
    phrasings = [
        "limit what the agent may spend",
        "set a monthly budget of 100 credits",
        "cap the daily points of one app",
        "remove a spending limit",
        "stop the crawler from using too many credits",
    ],
    examples = [
        { "scope": "workspace", "unit": "credits", "daily": 20, "monthly": 300 },
        { "scope": "module", "target": "crawl", "unit": "credits", "monthly": 50 },
        { "scope": "site", "target": "4503599627370496", "unit": "points" }
    ]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Budget> {
    let target = match (args.scope, args.target) {
        (Scope::Workspace, None) => String::new(),
        (Scope::Workspace, Some(_)) => {
            let message = "a cap on the workspace is for everything; leave `target` out";
            return Err(Fault::invalid("/target", "target_not_wanted", message));
        }
        (scope, None) => {
            let message = format!("a cap on a {0} needs the {0} as `target`", scope.word());
            return Err(Fault::invalid("/target", "target_required", message));
        }
        (Scope::Site, Some(target)) => known::site(cx, &Id::new(target.as_str()), "/target")?.id.to_string(),
        (Scope::Module | Scope::Client, Some(target)) => target.into_string(),
    };
    let wanted = PlatformBudget {
        scope: args.scope.word().to_owned(),
        target: target.clone(),
        unit: args.unit.word().to_owned(),
        daily: args.daily.map(u64::from),
        monthly: args.monthly.map(u64::from),
    };
    let known: Budgets = cx.platform().act(&PlatformAction::SetBudget(wanted))?;
    let budgets = caps(known);
    let own = budgets.iter().find(|it| {
        it.scope == args.scope.word()
            && it.target.as_deref().unwrap_or_default() == target
            && it.unit == args.unit.word()
    });
    let (used_today, used_month) = (own.map(|it| it.used_today), own.map(|it| it.used_month));
    Ok(Budget { used_today, used_month, budgets })
}

/// The caps as they are shown.
pub(crate) fn caps(known: Budgets) -> Vec<Cap> {
    let shown = known.budgets.into_iter().map(|it| Cap {
        target: it.target.filter(|target| !target.is_empty()),
        daily: it.daily.map(|amount| of_unit(&it.unit, amount)),
        monthly: it.monthly.map(|amount| of_unit(&it.unit, amount)),
        used_today: of_unit(&it.unit, it.used_today),
        used_month: of_unit(&it.unit, it.used_month),
        scope: it.scope,
        unit: it.unit,
    });
    shown.collect()
}
