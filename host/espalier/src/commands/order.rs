//! `espalier order`: credits that are ordered here and paid elsewhere.

use model::id::{CustomerId, OrderId};
use serde_json::{Value, json};
use store::money::orders::{Order as Row, Payment};

use super::Say;
use crate::assembly;
use crate::cli::{Order, Place};
use crate::settings::Settings;

pub(super) async fn run(place: &Place, command: Order, say: Say) -> anyhow::Result<()> {
    let authority = assembly::authority(&Settings::read(place)?).await?;
    match command {
        Order::Place { customer, credits } => {
            let order = authority.place_order(&CustomerId::from(customer), credits).await?;
            say.value(&shown(&order), &format!("{}: {credits} credits, to be paid", order.reference));
        }
        Order::List { customer, limit } => {
            let customer = customer.map(CustomerId::from);
            let orders = authority.store().money.orders(customer.as_ref(), limit).await?;
            let words: Vec<String> = orders.iter().map(line).collect();
            say.value(&Value::Array(orders.iter().map(shown).collect()), &words.join("\n"));
        }
        Order::Paid { reference } => {
            let (order, credited) = match authority.order_paid(&OrderId::from(reference)).await? {
                Payment::Credited(order) => (order, true),
                Payment::Before(order) => (order, false),
                Payment::Unknown => anyhow::bail!("there is no such order"),
            };
            let words = if credited { "credited" } else { "was credited before; nothing was changed" };
            let mut value = shown(&order);
            value["credited"] = json!(credited);
            say.value(&value, &format!("{} {words}", line(&order)));
        }
    }
    Ok(())
}

fn shown(order: &Row) -> Value {
    json!({
        "reference": order.reference,
        "customer": order.customer,
        "credits": order.credits,
        "placed_at": order.placed_at.rfc3339(),
        "paid_at": order.paid_at.map(|at| at.rfc3339()),
    })
}

fn line(order: &Row) -> String {
    let paid = order.paid_at.map_or_else(|| "not paid".to_owned(), |at| format!("paid {}", at.rfc3339()));
    format!("{}  {}  {} credits  {paid}", order.reference, order.customer, order.credits)
}
