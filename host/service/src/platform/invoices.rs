//! Invoices as their customer reads them.

use sandbox::platform::{InvoiceFilter, Untold};
use serde_json::{Value, json};
use store::money::invoices::Invoice;

use super::paging::{cursor, limit, page, place, span};
use super::{Desk, not_found};

impl Desk {
    /// Invoices that fit, newest first.
    pub(super) async fn invoices(&self, asked: &InvoiceFilter) -> Result<Value, Untold> {
        let (from, until) = span(&asked.span);
        let filter = store::money::invoices::InvoiceFilter {
            reference: asked.reference.clone(),
            state: asked.state.clone(),
            from,
            until,
        };
        let (after, most) = (place(&asked.paging)?, limit(&asked.paging));
        let after = after.as_ref().map(|(at, name)| (*at, name.as_str()));
        let invoices = self.service.core.store().money.invoices(&self.customer, &filter, after, most + 1).await?;
        if invoices.is_empty() && asked.reference.is_some() {
            return Err(not_found("invoice_not_found", "there is no such invoice"));
        }
        let (invoices, next) = page(invoices, most, |it| cursor(it.issued_at, &it.reference));
        Ok(json!({ "invoices": invoices.iter().map(|it| self.shown_invoice(it)).collect::<Vec<_>>(), "next": next }))
    }

    fn shown_invoice(&self, invoice: &Invoice) -> Value {
        json!({
            "invoice_ref": invoice.reference,
            "kind": if invoice.is_pro_forma() { "pro_forma" } else { "invoice" },
            "state": invoice.state(),
            "issued_at": invoice.issued_at.0,
            "paid_at": invoice.paid_at.map(|at| at.0),
            "period": invoice.period,
            "currency": invoice.currency,
            "lines": invoice.lines,
            "net_cents": invoice.net,
            "tax_percent": invoice.tax_percent,
            "tax_cents": invoice.tax,
            "total_cents": invoice.net + invoice.tax,
            "reference": invoice.note,
            "pdf_url": format!("{}/invoices/{}.pdf", self.service.core.config().public_url, invoice.reference),
        })
    }
}
