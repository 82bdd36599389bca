//! `espalier customer`: people who may come in, and their credits.

use std::io::Read as _;

use anyhow::{Context as _, bail};
use model::id::CustomerId;
use serde_json::{Value, json};
use service::oauth::by_hand::milli;
use service::oauth::password::Password;
use store::identity::customers::{Customer as Row, CustomerFilter, Standing};

use super::Say;
use crate::assembly;
use crate::cli::{Customer, Place};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: Customer, say: Say) -> anyhow::Result<()> {
    let authority = assembly::authority(&Settings::read(place)?).await?;
    match command {
        Customer::Add { email, password_stdin, credits } => {
            let password = if password_stdin { Some(read_password()?) } else { None };
            let customer = authority.add_customer(&email, password, credits).await?;
            say.value(&json!({ "customer": customer.id }), &format!("added {} as {}", customer.email, customer.id));
        }
        Customer::List { email, state, limit, after } => {
            let standing = state.map(|text| {
                Standing::read(&text).with_context(|| format!("{text} is not active, inactive, suspended or erased"))
            });
            let filter = CustomerFilter { email, standing: standing.transpose()? };
            let after = after.map(CustomerId::from);
            if let Some(after) = &after {
                authority.customer(after).await?.with_context(|| format!("there is no customer {after}"))?;
            }
            let mut rows = Vec::new();
            for customer in authority.customers_like(&filter, after.as_ref(), limit).await? {
                let balance = authority.balance(&customer.id).await?;
                rows.push(shown(&customer, balance.credits_milli, balance.paid_points));
            }
            let words: Vec<String> = rows
                .iter()
                .map(|row| {
                    let [customer, email, state, credits] =
                        ["customer", "email", "state", "credits"].map(|name| text(row, name));
                    format!("{customer}  {email}  {state}  {credits} credits")
                })
                .collect();
            say.value(&Value::Array(rows), &words.join("\n"));
        }
        Customer::Credit { customer, credits, reference } => {
            let id = CustomerId::from(customer);
            authority.credit(&id, credits.saturating_mul(1_000), &reference).await?;
            let balance = authority.balance(&id).await?;
            say.value(
                &json!({ "customer": id, "credits": milli(balance.credits_milli) }),
                &format!("{} credits", milli(balance.credits_milli)),
            );
        }
        Customer::Points { customer, credits, reference } => {
            let id = CustomerId::from(customer);
            authority.store().money.buy_points(&id, credits, &reference).await?;
            let balance = authority.balance(&id).await?;
            say.value(
                &json!({ "customer": id, "paid_points": balance.paid_points }),
                &format!("{} paid points", balance.paid_points),
            );
        }
        Customer::Import { customer, folder, modules } => {
            let catalog = match modules {
                Some(modules) => modules.join("catalog"),
                None => crate::modules::workspace()
                    .context("name the folder of the components with --modules")?
                    .join("catalog"),
            };
            super::import::run(&authority, &catalog, &CustomerId::from(customer), &folder, say).await?;
        }
        Customer::Password { customer } => {
            authority.set_password(&CustomerId::from(customer), read_password()?).await?;
            say.value(&json!({ "changed": true }), "the password is changed; the portal sessions are ended");
        }
        Customer::Activate { customer } => {
            let at = authority.activate(&CustomerId::from(customer)).await?;
            say.value(&json!({ "activated_at": at.rfc3339() }), &format!("active since {}", at.rfc3339()));
        }
        Customer::Deactivate { customer } => {
            authority.deactivate(&CustomerId::from(customer)).await?;
            say.value(&json!({ "deactivated": true }), "shut out; activate lets them in again");
        }
        Customer::LockOut { customer } => {
            let ended = authority.lock_out(&CustomerId::from(customer)).await?;
            say.value(
                &json!({ "grants": ended.grants, "sessions": ended.sessions, "shares": ended.shares }),
                &format!(
                    "ended: {} apps and tokens, {} portal sessions, {} public addresses",
                    ended.grants, ended.sessions, ended.shares
                ),
            );
        }
        Customer::Erase { customer, yes } => {
            if !yes {
                bail!("this cannot be taken back; say --yes if {customer} is to be forgotten");
            }
            authority.erase(&CustomerId::from(customer)).await?;
            say.value(&json!({ "erased": true }), "forgotten; the books and the trail stay, and name nobody");
        }
    }
    Ok(())
}

fn read_password() -> anyhow::Result<Password> {
    let mut typed = String::new();
    std::io::stdin().read_to_string(&mut typed).context("the password is read from standard input")?;
    Password::chosen(typed.trim_end_matches(['\r', '\n'])).map_err(|reason| anyhow::anyhow!("the password {reason}"))
}

fn shown(customer: &Row, credits_milli: u64, paid_points: u64) -> Value {
    json!({
        "customer": customer.id,
        "email": customer.email,
        "state": customer.standing().as_str(),
        "activated_at": customer.activated_at.map(|at| at.rfc3339()),
        "credits": milli(credits_milli),
        "paid_points": paid_points,
    })
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap_or_default()
}
