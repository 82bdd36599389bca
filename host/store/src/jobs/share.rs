//! Who is next: the order in which due jobs of different customers are taken, and how much one may hold.
//!
//! A job's place is the number of its customer's jobs that run at this moment on any node, plus its number among the
//! customer's due jobs. The lowest place is taken first, the longest due one at equal places. So free slots go round the
//! customers one by one (max-min fairness, of which round robin is the case of equal demand), and whoever has a thousand
//! jobs waiting has a turn as often as whoever has one.

use std::time::Duration;

/// Jobs of one customer that may be open at once, those that wait included.
pub const MOST_OPEN: u64 = 2_000;

/// Jobs that one call, or one step of a job, may start.
pub const MOST_STARTED: usize = 16;

/// What a node takes of the jobs that are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many now.
    pub free: u32,
    /// Of one customer's jobs at most this many run on the node at once.
    pub per_customer: u32,
    /// Of one module's jobs at most this many run on the node at once.
    pub per_module: u32,
    /// How long a job belongs to the node that takes it, unless the node renews it.
    pub lease: Duration,
}

/// Due jobs by their place, those left out that would be one too many of a customer or a module on this node.
/// `$1` is the node, `$2` the present, `$3` and `$4` the bounds per customer and per module.
pub(super) const BY_TURN: &str = "\
SELECT customer, job, place, due_at FROM ( \
  SELECT customer, job, place, due_at, module, \
    ROW_NUMBER() OVER (PARTITION BY module ORDER BY place, due_at, job) \
      + (SELECT COUNT(*) FROM job r WHERE r.state = 'running' AND r.due_at > $2 AND r.node = $1 AND r.module = o.module) \
      AS of_module \
  FROM ( \
    SELECT customer, job, module, due_at, \
      turn + (SELECT COUNT(*) FROM job r WHERE r.state = 'running' AND r.due_at > $2 AND r.customer = d.customer) AS place, \
      turn + (SELECT COUNT(*) FROM job r WHERE r.state = 'running' AND r.due_at > $2 AND r.customer = d.customer \
              AND r.node = $1) AS of_customer \
    FROM ( \
      SELECT customer, job, module, due_at, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY due_at, job) AS turn \
      FROM job WHERE due_at <= $2 \
    ) d WHERE turn <= $3 \
  ) o WHERE of_customer <= $3 \
) m WHERE of_module <= $4";

#[cfg(test)]
mod tests;
