//! The answer to `invoices`.

use serde::Deserialize;

/// A page of invoices, the newest first.
#[derive(Debug, Deserialize)]
pub(crate) struct Invoices {
    /// The invoices.
    pub(crate) invoices: Vec<Invoice>,
    /// Where the page ended.
    pub(crate) next: Option<String>,
}

/// An invoice, or a pro-forma for one.
#[derive(Debug, Deserialize)]
pub(crate) struct Invoice {
    /// The invoice.
    pub(crate) invoice_ref: String,
    /// `pro_forma` or `invoice`.
    pub(crate) kind: String,
    /// `open`, `paid` or `void`.
    pub(crate) state: String,
    /// When it was written.
    pub(crate) issued_at: u64,
    /// When it was paid.
    pub(crate) paid_at: Option<u64>,
    /// What it is for in time, in words.
    pub(crate) period: Option<String>,
    /// Of all amounts.
    pub(crate) currency: String,
    /// What it is for.
    pub(crate) lines: Vec<Line>,
    /// Without tax.
    pub(crate) net_cents: i64,
    /// The rate of tax.
    pub(crate) tax_percent: f64,
    /// The tax.
    pub(crate) tax_cents: i64,
    /// To be paid.
    pub(crate) total_cents: i64,
    /// The customer's own.
    pub(crate) reference: Option<String>,
    /// Where it is as a file.
    pub(crate) pdf_url: Option<String>,
}

/// A thing that is paid for.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    /// What it is.
    pub(crate) words: String,
    /// How many.
    pub(crate) quantity: f64,
    /// Of one.
    pub(crate) unit_cents: i64,
    /// Of all.
    pub(crate) amount_cents: i64,
}
