//! What a run wants beside its own records: changes of the account, refunds, and rows of any module that are purged.

use model::id::JobId;
use model::manifest::Collection;

use super::overlay::Touched;
use super::workspace::Workspace;
use super::{RecordsError, Row};
use crate::money::account::AccountChange;
use crate::money::refunds::{self, Refund, Refundable};

impl Workspace {
    /// Wants something of the customer's own account.
    pub fn want_account(&mut self, change: AccountChange) {
        self.count_written(0);
        self.account.push(change);
    }

    /// What can be given back of a job of this module; nothing without such a job.
    ///
    /// # Errors
    /// When the database is not there.
    pub async fn refundable(&mut self, job: &str) -> Result<Option<Refundable>, RecordsError> {
        self.tally.rows_read += 1;
        let mut found =
            refunds::refundable(&self.store, &self.customer, &self.schema.module, &JobId::from(job)).await?;
        if let Some(it) = &mut found {
            it.refunded |= self.refunds.iter().any(|refund| refund.job == it.job);
        }
        Ok(found)
    }

    /// Gives back up to this many thousandths of a credit, at most what was charged; returns how many.
    pub fn refund(&mut self, of: Refundable, credits_milli: u64) -> u64 {
        self.count_written(0);
        let refund = Refund::of(of, credits_milli);
        let given = refund.credits_milli;
        self.refunds.push(refund);
        given
    }

    /// Takes a row of any module away, as it was read with its collection; for the purge of raw data.
    ///
    /// # Errors
    /// When the stored row is no record, or the database is not there.
    pub async fn purge_row(&mut self, module: &str, declared: &Collection, row: Row) -> Result<(), RecordsError> {
        let full_name = format!("{module}.{}", declared.name);
        let indexes = self.indexes().await?;
        let id = row.id.clone();
        let base = Some(self.state(&indexes, &full_name, row).await?);
        self.tally.rows_written += 1;
        self.overlay.put(&full_name, id, Touched { base, wanted: None });
        Ok(())
    }

    /// Counts rows that were read beside the workspace, with their bytes.
    pub fn count_seen(&mut self, rows: u64, bytes: u64) {
        self.tally.rows_read += rows;
        self.tally.bytes_read += bytes;
    }
}
