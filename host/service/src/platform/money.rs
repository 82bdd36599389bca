//! The ledger and the budgets, and turning credits into points.

use model::budget::{Budget, BudgetScope, Unit};
use model::clock::Moment;
use model::usage::POINTS_PER_CREDIT;
use sandbox::platform::{Deed, LedgerFilter, Untold};
use serde_json::{Value, json};
use store::money::account::AccountChange;
use store::{BudgetUse, LedgerLine, LineFilter, LineKind};

use super::paging::{cursor, limit, page, place, span};
use super::{Desk, deed, invalid};

/// Credits that one call turns into points, at most.
const MOST_CREDITS: u32 = 1_000_000;
/// A cap, at most: far above what anybody has.
const HIGHEST_CAP: u64 = 1_000_000_000;

impl Desk {
    /// Lines of the ledger that fit, newest first, with sums over all that fit.
    pub(super) async fn ledger(&self, asked: &LedgerFilter) -> Result<Value, Untold> {
        let (since, until) = span(&asked.span);
        let kind = asked.kind.as_deref().and_then(LineKind::named);
        let filter = LineFilter { kind, module: asked.module.clone(), since, until };
        let (after, most) = (place(&asked.paging)?, limit(&asked.paging));
        let after = after.as_ref().map(|(at, name)| (*at, name.as_str()));
        let store = self.service.core.store();
        let lines = store.money.ledger_lines(&self.customer, &filter, after, most + 1).await?;
        let totals = store.money.ledger_totals(&self.customer, &filter).await?;
        let (lines, next) = page(lines, most, |line| cursor(line.at, &line.transfer));
        Ok(json!({
            "lines": lines.iter().map(line).collect::<Vec<_>>(),
            "totals": {
                "points_charged": totals.points_charged,
                "credits_charged_milli": totals.credits_charged_milli,
                "credits_added_milli": totals.credits_added_milli,
                "points_bought": totals.points_bought,
            },
            "next": next,
        }))
    }

    /// The caps and what counts towards them.
    pub(super) async fn budgets(&self, now: Moment) -> Result<Value, Untold> {
        let budgets = self.service.core.store().money.budgets(&self.customer, now).await?;
        Ok(listed(&budgets))
    }

    /// Puts a cap, or takes one away.
    pub(super) async fn set_budget(&self, asked: &sandbox::platform::Budget, now: Moment) -> Result<Deed, Untold> {
        let budget = self.budget(asked).await?;
        let mut budgets = self.service.core.store().money.budgets(&self.customer, now).await?;
        let same = |it: &Budget| it.scope == budget.scope && it.target == budget.target && it.unit == budget.unit;
        let before = budgets.iter().position(|it| same(&it.budget)).map(|at| budgets.remove(at));
        if budget.daily.is_some() || budget.monthly.is_some() {
            let (used_today, used_month) = match before {
                Some(before) => (before.used_today, before.used_month),
                None => self.service.core.store().money.spent_before(&self.customer, &budget, now).await?,
            };
            budgets.push(BudgetUse { budget: budget.clone(), used_today, used_month });
        }
        Ok(deed(&listed(&budgets), vec![AccountChange::SetBudget(budget)]))
    }

    async fn budget(&self, asked: &sandbox::platform::Budget) -> Result<Budget, Untold> {
        let wrong = |pointer: &str, message: &str| invalid(pointer, "invalid_budget", message);
        let scope = BudgetScope::named(&asked.scope);
        let scope = scope.ok_or_else(|| wrong("/scope", "scope is workspace, module, site or client"))?;
        let unit = Unit::named(&asked.unit).ok_or_else(|| wrong("/unit", "unit is points or credits"))?;
        let known = match scope {
            BudgetScope::Workspace if asked.target.is_empty() => true,
            BudgetScope::Workspace => return Err(wrong("/target", "a budget of the workspace has no target")),
            BudgetScope::Module => {
                self.service.core.catalog().current().operations().any(|it| it.contract.module() == asked.target)
            }
            BudgetScope::Client => self.has_grant(&asked.target).await?,
            // Whether there is such a website is for the module to know.
            BudgetScope::Site => !asked.target.is_empty(),
        };
        if !known {
            return Err(wrong("/target", "there is no such module, website or client"));
        }
        let each = if unit == Unit::Credits { 1_000 } else { 1 };
        let cap = |pointer: &str, cap: Option<u64>| match cap {
            Some(cap) if cap > HIGHEST_CAP => Err(wrong(pointer, "a cap is at most 1000000000")),
            cap => Ok(cap.map(|cap| cap * each)),
        };
        let (daily, monthly) = (cap("/daily", asked.daily)?, cap("/monthly", asked.monthly)?);
        Ok(Budget { scope, target: asked.target.clone(), unit, daily, monthly })
    }

    /// Turns credits into points with the commit, which refuses what is not there.
    pub(super) async fn buy_points(&self, credits: u32, now: Moment) -> Result<Deed, Untold> {
        if !(1..=MOST_CREDITS).contains(&credits) {
            return Err(invalid("/credits", "invalid_credits", "credits are 1 to 1000000"));
        }
        let balance = self.service.core.store().money.balance(&self.customer, now).await?;
        let credits = u64::from(credits);
        let document = json!({
            "points_added": credits * POINTS_PER_CREDIT,
            "points": balance.paid_points + credits * POINTS_PER_CREDIT,
            "credits_milli": balance.credits_milli.saturating_sub(credits * 1_000),
        });
        Ok(deed(&document, vec![AccountChange::BuyPoints { credits }]))
    }
}

fn listed(budgets: &[BudgetUse]) -> Value {
    let shown = |it: &BudgetUse| {
        json!({
            "scope": it.budget.scope.word(),
            "target": it.budget.target,
            "unit": it.budget.unit.word(),
            "daily": it.budget.daily,
            "monthly": it.budget.monthly,
            "used_today": it.used_today,
            "used_month": it.used_month,
        })
    };
    json!({ "budgets": budgets.iter().map(shown).collect::<Vec<_>>() })
}

fn line(line: &LedgerLine) -> Value {
    let state = match line.movement.as_str() {
        "pending" => "reserved",
        "post" => "settled",
        "void" => "released",
        _ => "posted",
    };
    let unit = if line.from.starts_with("credits") { "credits_milli" } else { "points" };
    let matter = line
        .transfer
        .trim_end_matches('!')
        .split(':')
        .find(|part| part.starts_with("req_") || part.starts_with("job_"));
    json!({
        "line_ref": line.transfer,
        "at": line.at.0,
        "type": line.kind.word(),
        "state": state,
        "operation": line.code.contains('.').then_some(&line.code),
        "request_or_job": matter,
        "unit": unit,
        "amount": line.amount,
        "from": line.from,
        "to": line.to,
    })
}
