//! `espalier customer`: people who may come in, and their credits.

use std::io::Read as _;

use anyhow::Context as _;
use model::id::CustomerId;
use serde_json::{Value, json};
use service::oauth::by_hand::milli;
use service::oauth::password::Password;
use store::customers::{Customer as Row, CustomerState};

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
        Customer::List => {
            let mut rows = Vec::new();
            for customer in authority.customers().await? {
                let balance = authority.balance(&customer.id).await?;
                rows.push(shown(&customer, balance.credits_milli, balance.paid_points));
            }
            let words: Vec<String> = rows
                .iter()
                .map(|row| {
                    format!(
                        "{}  {}  {}  {} credits",
                        text(row, "customer"),
                        text(row, "email"),
                        text(row, "state"),
                        text(row, "credits")
                    )
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
            authority.store().buy_points(&id, credits, &reference).await?;
            let balance = authority.balance(&id).await?;
            say.value(
                &json!({ "customer": id, "paid_points": balance.paid_points }),
                &format!("{} paid points", balance.paid_points),
            );
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
    }
    Ok(())
}

fn read_password() -> anyhow::Result<Password> {
    let mut typed = String::new();
    std::io::stdin().read_to_string(&mut typed).context("the password is read from standard input")?;
    Password::chosen(typed.trim_end_matches(['\r', '\n'])).map_err(|reason| anyhow::anyhow!("the password {reason}"))
}

fn shown(customer: &Row, credits_milli: u64, paid_points: u64) -> Value {
    let state = match customer.state {
        CustomerState::Active => "active",
        CustomerState::Suspended { .. } => "suspended",
        CustomerState::Erased { .. } => "erased",
    };
    json!({
        "customer": customer.id,
        "email": customer.email,
        "state": state,
        "activated_at": customer.activated_at.map(|at| at.rfc3339()),
        "credits": milli(credits_milli),
        "paid_points": paid_points,
    })
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name].as_str().unwrap_or_default()
}
