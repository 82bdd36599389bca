//! `espalier budget`: a customer's caps on spending.

use model::budget::{Budget as Cap, BudgetScope, Unit};
use model::id::CustomerId;
use serde_json::{Value, json};
use service::oauth::by_hand::milli;
use store::BudgetUse;

use super::Say;
use crate::assembly;
use crate::cli::{Budget, Place};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: Budget, say: Say) -> anyhow::Result<()> {
    let (store, clock) = assembly::store(&Settings::read(place)?).await?;
    let customer = match command {
        Budget::List { customer } => CustomerId::from(customer),
        Budget::Set { customer, scope, target, unit, daily, monthly } => {
            let scope = known("--scope", &scope, BudgetScope::named(&scope), "workspace, module, site or client")?;
            let unit = known("--unit", &unit, Unit::named(&unit), "points or credits")?;
            if (scope == BudgetScope::Workspace) != target.is_empty() {
                anyhow::bail!("--target names the module, website or grant; the workspace has none");
            }
            let customer = CustomerId::from(customer);
            if store.identity.customer(&customer).await?.is_none() {
                anyhow::bail!("there is no customer {customer}; see `espalier customer list`");
            }
            let whole = |amount: u64| if unit == Unit::Credits { amount.saturating_mul(1_000) } else { amount };
            let cap = Cap { scope, target, unit, daily: daily.map(whole), monthly: monthly.map(whole) };
            store.money.set_budget(&customer, cap, clock.now()).await?;
            customer
        }
    };
    let budgets: Vec<Value> = store.money.budgets(&customer, clock.now()).await?.iter().map(shown).collect();
    let words: Vec<String> = budgets.iter().map(Value::to_string).collect();
    say.value(&json!(budgets), &if words.is_empty() { "no budgets".to_owned() } else { words.join("\n") });
    Ok(())
}

fn known<T>(flag: &str, word: &str, found: Option<T>, allowed: &str) -> anyhow::Result<T> {
    found.ok_or_else(|| anyhow::anyhow!("{flag}: {word} is not {allowed}"))
}

fn shown(used: &BudgetUse) -> Value {
    let BudgetUse { budget, used_today, used_month } = used;
    let amount = |amount: u64| match budget.unit {
        Unit::Points => json!(amount),
        Unit::Credits => json!(milli(amount)),
    };
    json!({
        "scope": budget.scope,
        "target": budget.target,
        "unit": budget.unit,
        "daily": budget.daily.map(amount),
        "monthly": budget.monthly.map(amount),
        "used_today": amount(*used_today),
        "used_month": amount(*used_month),
    })
}
