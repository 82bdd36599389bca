//! The bounds of a workspace: what its run may read, and what it keeps in memory.

use model::id::GrantId;
use model::limits::Limits;

use super::workspace::Workspace;

impl Workspace {
    /// The same under this grant, which what it publishes may be bound to.
    #[must_use]
    pub fn under(mut self, grant: Option<&GrantId>) -> Self {
        self.grant = grant.cloned();
        self
    }

    /// The same without anything that was read or is to be written.
    #[must_use]
    pub fn emptied(self) -> Self {
        Self::open(&self.store, self.customer, self.schema, self.now)
    }

    /// The same within these limits: what would exceed them is not read at all.
    #[must_use]
    pub fn within(mut self, limits: &Limits) -> Self {
        (self.most_read, self.most_changed) = (limits.bytes_read, limits.rows_written);
        self
    }

    /// Bytes that it keeps in memory: what was read and is remembered, and what is to be written, twice: as it was given
    /// and as it will be stored.
    pub fn kept(&self) -> u64 {
        let written = self.tally.bytes_written.saturating_mul(2);
        self.tally.bytes_read.saturating_add(written).saturating_add(self.bases)
    }

    /// Bytes that may still be read.
    pub(super) fn may_read(&self) -> u64 {
        self.most_read.saturating_sub(self.tally.bytes_read)
    }

    /// Bytes of stored rows that may still be kept to be replaced.
    pub(super) fn may_replace(&self) -> u64 {
        self.most_read.saturating_sub(self.bases)
    }
}
