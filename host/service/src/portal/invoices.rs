//! A customer's invoices, for the portal.

use model::id::CustomerId;
use store::StoreError;
use store::money::invoices::InvoiceFilter;
pub use store::money::invoices::{Invoice, InvoiceLine};

use crate::oauth::Authority;

/// Invoices that the portal lists.
const LISTED: u32 = 12;

impl Authority {
    /// The latest invoices, newest first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn invoices(&self, customer: &CustomerId) -> Result<Vec<Invoice>, StoreError> {
        self.store().money.invoices(customer, &InvoiceFilter::default(), None, LISTED).await
    }

    /// The invoice of this number.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn invoice(&self, customer: &CustomerId, reference: &str) -> Result<Option<Invoice>, StoreError> {
        if reference.is_empty() {
            return Ok(None);
        }
        let filter = InvoiceFilter { reference: Some(reference.to_owned()), ..InvoiceFilter::default() };
        Ok(self.store().money.invoices(customer, &filter, None, 1).await?.pop())
    }
}
