//! Why the store could not do what it was asked.

/// A failure that is nobody's fault but ours; a client sees 503 or 500, never the text.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database could not be reached, was full, was too slow, or broke off. Whether a commit that broke off
    /// took place is unknown: look before doing it again.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The clock is behind what was already recorded by more than clocks are set. Nothing was done; nothing is charged
    /// until the clock is right again.
    #[error("the clock is more than five minutes behind what was already recorded; set it right")]
    ClockRegressed,
    /// A row that no code of ours writes.
    #[error("the database holds an impossible row: {0}")]
    Inconsistent(&'static str),
    /// The module cannot bring older records of a collection into the form that its revision has.
    #[error("records of {0} cannot be brought into the form of this revision: {1}")]
    NotUpgraded(String, String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unavailable(error.to_string())
    }
}
