//! Orders of credits: placed by a customer, paid outside, and credited once.

use model::clock::Moment;
use model::id::{CustomerId, OrderId};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::money::invoices::{self, Invoice};
use crate::money::ledger;
use crate::tables::Money;

/// One order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// What the customer writes on the payment.
    pub reference: OrderId,
    /// Whose.
    pub customer: CustomerId,
    /// How many credits.
    pub credits: u64,
    /// When it was placed.
    pub placed_at: Moment,
    /// When it was paid, if it was.
    pub paid_at: Option<Moment>,
}

/// What became of the news that an order was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payment {
    /// The credits are there now.
    Credited(Order),
    /// They were there before; nothing was changed.
    Before(Order),
    /// No such order, or its customer is gone.
    Unknown,
}

const COLUMNS: &str = "SELECT reference, customer, credits, placed_at, paid_at FROM credit_order ";

impl Money {
    /// Places an order, with what is to be paid for it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn place_order(&self, order: Order, invoice: Invoice) -> Result<(), StoreError> {
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let Order { customer, reference, credits, placed_at, .. } = order;
                    insert(tx.connection(), &customer, &reference, credits, placed_at).await?;
                    invoice.insert(tx.connection(), &customer).await
                })
            })
            .await
    }

    /// The latest orders, of one customer or of all.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn orders(&self, customer: Option<&CustomerId>, limit: u32) -> Result<Vec<Order>, StoreError> {
        let sql = format!("{COLUMNS} WHERE $1 = '' OR customer = $1 ORDER BY placed_at DESC, reference LIMIT $2");
        let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(customer.map_or("", CustomerId::as_str));
        self.database.reader().fetch_all(query.bind(i64::from(limit))).await?.iter().map(read).collect()
    }

    /// Credits what was ordered, once, however often it is told that the order was paid.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn pay_order(&self, reference: OrderId, now: Moment) -> Result<Payment, StoreError> {
        let sql = format!(
            "{COLUMNS} WHERE reference = $1 AND EXISTS (SELECT 1 FROM customer \
             WHERE customer.customer = credit_order.customer AND customer.erased_at IS NULL)"
        );
        let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(reference.as_str());
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(Payment::Unknown) };
        let order = read(&row)?;
        self.database.write(move |tx| {
            Box::pin(async move {
                // The customer is locked by this, and the reference counts once.
                let milli = order.credits.saturating_mul(1_000);
                let source = format!("order:{}", order.reference);
                let credited = ledger::credit(tx, &order.customer, milli, &source, now).await?;
                let sql = "UPDATE credit_order SET paid_at = COALESCE(paid_at, $3) \
                           WHERE customer = $1 AND reference = $2 RETURNING reference, customer, credits, placed_at, paid_at";
                let update = sqlx::query::<Any>(sql).bind(order.customer.as_str()).bind(order.reference.as_str());
                let order = read(&update.bind(now.0).fetch_one(tx.connection()).await?)?;
                invoices::order_paid(tx.connection(), &order.customer, &order.reference, now).await?;
                Ok(if credited { Payment::Credited(order) } else { Payment::Before(order) })
            })
        })
        .await
    }
}

/// Writes an order.
pub(crate) async fn insert(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    reference: &OrderId,
    credits: u64,
    placed_at: Moment,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO credit_order (customer, reference, credits, placed_at) VALUES ($1, $2, $3, $4)";
    let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(reference.as_str());
    let credits = i64::try_from(credits).map_err(|_| StoreError::Inconsistent("an order"))?;
    insert.bind(credits).bind(placed_at.0).execute(connection).await?;
    Ok(())
}

fn read(row: &AnyRow) -> Result<Order, StoreError> {
    Ok(Order {
        reference: OrderId::from(row.try_get::<String, _>("reference")?),
        customer: CustomerId::from(row.try_get::<String, _>("customer")?),
        credits: row.try_get::<i64, _>("credits")?.unsigned_abs(),
        placed_at: Moment(row.try_get("placed_at")?),
        paid_at: row.try_get::<Option<i64>, _>("paid_at")?.map(Moment),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};
    use crate::money::invoices::{InvoiceFilter, InvoiceLine};

    #[tokio::test]
    async fn an_order_is_credited_once_however_often_it_is_paid() {
        let fixture = fixture().await;
        let order = Order {
            reference: OrderId::from("ord_a"),
            customer: fixture.customer.clone(),
            credits: 250,
            placed_at: NOON,
            paid_at: None,
        };
        let invoice = Invoice {
            reference: "inv_a".to_owned(),
            order: Some(order.reference.clone()),
            period: None,
            lines: vec![InvoiceLine {
                words: "credits".to_owned(),
                quantity: 250,
                unit_cents: 90,
                amount_cents: 22_500,
            }],
            currency: "EUR".to_owned(),
            net: 22_500,
            tax_percent: 19,
            tax: 4_275,
            note: None,
            issued_at: NOON,
            paid_at: None,
            void_at: None,
        };
        fixture.store.money.place_order(order.clone(), invoice.clone()).await.unwrap();
        let invoices = async || {
            let all = InvoiceFilter::default();
            fixture.store.money.invoices(&fixture.customer, &all, None, 9).await.unwrap()
        };
        assert_eq!(invoices().await, std::slice::from_ref(&invoice));
        let listed = fixture.store.money.orders(Some(&fixture.customer), 10).await.unwrap();
        assert_eq!(listed.as_slice(), std::slice::from_ref(&order));
        let paid = Order { paid_at: Some(NOON), ..order };
        let pay = || fixture.store.money.pay_order(OrderId::from("ord_a"), NOON);
        assert_eq!(pay().await.unwrap(), Payment::Credited(paid.clone()));
        assert_eq!(pay().await.unwrap(), Payment::Before(paid));
        let unknown = fixture.store.money.pay_order(OrderId::from("ord_b"), NOON).await.unwrap();
        assert_eq!(unknown, Payment::Unknown);
        assert_eq!(fixture.store.money.balance(&fixture.customer, NOON).await.unwrap().credits_milli, 250_000);
        assert_eq!(
            invoices().await,
            [Invoice { paid_at: Some(NOON), ..invoice }],
            "the invoice is paid with its order"
        );
        let open = InvoiceFilter { state: Some("open".to_owned()), ..InvoiceFilter::default() };
        assert_eq!(fixture.store.money.invoices(&fixture.customer, &open, None, 9).await.unwrap(), []);
    }
}
