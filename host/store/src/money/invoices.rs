//! Invoices: what a customer is asked to pay, and whether it was.

use model::clock::Moment;
use model::id::{CustomerId, OrderId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::tables::Money;

/// One line: so many of something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvoiceLine {
    /// What it is for.
    pub words: String,
    /// How many.
    pub quantity: u64,
    /// Hundredths of the currency for one.
    pub unit_cents: i64,
    /// Hundredths of the currency for all.
    pub amount_cents: i64,
}

/// An invoice, or the pro-forma that becomes one when it is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// Its number.
    pub reference: String,
    /// The order that it asks money for.
    pub order: Option<OrderId>,
    /// The calendar month that it is for: `2026-11`.
    pub period: Option<String>,
    /// What is asked for.
    pub lines: Vec<InvoiceLine>,
    /// ISO 4217.
    pub currency: String,
    /// Sum of the lines, in hundredths.
    pub net: i64,
    /// Whole percent.
    pub tax_percent: u32,
    /// In hundredths.
    pub tax: i64,
    /// The customer's own reference.
    pub note: Option<String>,
    /// When it was issued.
    pub issued_at: Moment,
    /// When it was paid.
    pub paid_at: Option<Moment>,
    /// When it was taken back.
    pub void_at: Option<Moment>,
}

/// Which invoices; what is none does not narrow.
#[derive(Clone, Debug, Default)]
pub struct InvoiceFilter {
    /// The one of this number.
    pub reference: Option<String>,
    /// `open`, `paid` or `void`.
    pub state: Option<String>,
    /// Not issued before this.
    pub from: Option<Moment>,
    /// Issued before this.
    pub until: Option<Moment>,
}

const COLUMNS: &str = "SELECT invoice, credit_order, period, lines, currency, net, tax_percent, tax, reference, \
                       issued_at, paid_at, void_at FROM invoice ";

impl Invoice {
    /// Where it stands.
    pub fn state(&self) -> &'static str {
        match (self.paid_at, self.void_at) {
            (_, Some(_)) => "void",
            (Some(_), None) => "paid",
            (None, None) => "open",
        }
    }

    /// Whether it is not to be booked yet: it asks for an order to be paid.
    pub fn is_pro_forma(&self) -> bool {
        self.order.is_some() && self.paid_at.is_none()
    }

    /// Writes it; one of the same number is there already: nothing changes.
    pub(crate) async fn insert(&self, connection: &mut AnyConnection, customer: &CustomerId) -> Result<(), StoreError> {
        let sql = "INSERT INTO invoice (customer, invoice, credit_order, period, lines, currency, net, tax_percent, tax, \
                   reference, issued_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
                   ON CONFLICT (customer, invoice) DO NOTHING";
        let lines =
            serde_json::to_string(&self.lines).map_err(|_| StoreError::Inconsistent("the lines of an invoice"))?;
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(self.reference.as_str());
        let query = query.bind(self.order.as_ref().map(OrderId::as_str)).bind(self.period.as_deref()).bind(lines);
        let query = query.bind(self.currency.as_str()).bind(self.net).bind(i64::from(self.tax_percent)).bind(self.tax);
        query.bind(self.note.as_deref()).bind(self.issued_at.0).execute(connection).await?;
        Ok(())
    }
}

/// Marks the invoice of an order as paid.
pub(crate) async fn order_paid(
    connection: &mut AnyConnection,
    customer: &CustomerId,
    order: &OrderId,
    now: Moment,
) -> Result<(), StoreError> {
    let sql = "UPDATE invoice SET paid_at = $3 WHERE customer = $1 AND credit_order = $2 AND paid_at IS NULL";
    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(order.as_str());
    query.bind(now.0).execute(connection).await?;
    Ok(())
}

impl Money {
    /// A customer's invoices, newest first, after `after` (issued at, number), at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn invoices(
        &self,
        customer: &CustomerId,
        filter: &InvoiceFilter,
        after: Option<(Moment, &str)>,
        limit: u32,
    ) -> Result<Vec<Invoice>, StoreError> {
        let sql = format!(
            "{COLUMNS} WHERE customer = $1 AND (issued_at, invoice) < ($2, $3) \
             AND ($4 = '' OR invoice = $4) AND issued_at >= $5 AND issued_at < $6 \
             AND ($7 = '' OR ($7 = 'open' AND paid_at IS NULL AND void_at IS NULL) \
             OR ($7 = 'paid' AND paid_at IS NOT NULL AND void_at IS NULL) OR ($7 = 'void' AND void_at IS NOT NULL)) \
             ORDER BY issued_at DESC, invoice DESC LIMIT $8"
        );
        let (at, invoice) = after.map_or((i64::MAX, ""), |(at, invoice)| (at.0, invoice));
        let query = sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)).bind(customer.as_str()).bind(at).bind(invoice);
        let query = query.bind(filter.reference.as_deref().unwrap_or_default());
        let query = query.bind(filter.from.map_or(i64::MIN, |from| from.0));
        // Nothing is newer than the cursor: one end of the range in the index, however late the page.
        let until = filter.until.map_or(i64::MAX, |until| until.0).min(at.saturating_add(1));
        let query = query.bind(until);
        let query = query.bind(filter.state.as_deref().unwrap_or_default()).bind(i64::from(limit.min(500)));
        self.database.reader().fetch_all(query).await?.iter().map(read).collect()
    }

    /// Issues an invoice; one of the same number is there already: nothing changes.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn issue(&self, customer: &CustomerId, invoice: Invoice) -> Result<(), StoreError> {
        let customer = customer.clone();
        self.database.write(move |tx| Box::pin(async move { invoice.insert(tx.connection(), &customer).await })).await
    }
}

fn read(row: &AnyRow) -> Result<Invoice, StoreError> {
    let lines: String = row.try_get("lines")?;
    let percent: i64 = row.try_get("tax_percent")?;
    let moment = |column: &str| Ok::<_, StoreError>(row.try_get::<Option<i64>, _>(column)?.map(Moment));
    Ok(Invoice {
        reference: row.try_get("invoice")?,
        order: row.try_get::<Option<String>, _>("credit_order")?.map(OrderId::from),
        period: row.try_get("period")?,
        lines: serde_json::from_str(&lines).map_err(|_| StoreError::Inconsistent("the lines of an invoice"))?,
        currency: row.try_get("currency")?,
        net: row.try_get("net")?,
        tax_percent: u32::try_from(percent).unwrap_or_default(),
        tax: row.try_get("tax")?,
        note: row.try_get("reference")?,
        issued_at: Moment(row.try_get("issued_at")?),
        paid_at: moment("paid_at")?,
        void_at: moment("void_at")?,
    })
}
