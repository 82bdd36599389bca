//! Proves the ledger: the invariants that hold after every commit, looked up in the tables themselves.

use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Money;
use crate::tables::Trail;

/// Something that no code of ours does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Which invariant: I1 to I10 of the ledger; I11: a step of a job is committed once.
    pub invariant: &'static str,
    /// Where, in a few words.
    pub subject: String,
}

/// Each invariant as a question whose every row is a violation.
const QUESTIONS: [(&str, &str); 14] = [
    // What is debited is credited, pending and posted.
    (
        "I1",
        "SELECT customer FROM (SELECT customer, SUM(debits_pending) - SUM(credits_pending) AS pending, \
         SUM(debits_posted) - SUM(credits_posted) AS posted FROM account GROUP BY customer) AS sums \
         WHERE pending <> 0 OR posted <> 0",
    ),
    // Every balance is the fold of its transfers.
    (
        "I2",
        "SELECT account.customer || ' ' || account.account FROM account LEFT JOIN ( \
           SELECT customer, account, SUM(dp) AS dp, SUM(dt) AS dt, SUM(cp) AS cp, SUM(ct) AS ct FROM ( \
             SELECT t.customer, t.debit AS account, \
               CASE WHEN t.kind = 'pending' AND r.transfer IS NULL THEN t.amount ELSE 0 END AS dp, \
               CASE WHEN t.kind IN ('single', 'post') THEN t.amount ELSE 0 END AS dt, 0 AS cp, 0 AS ct \
               FROM transfer t LEFT JOIN transfer r ON r.customer = t.customer AND r.resolves = t.transfer \
             UNION ALL SELECT t.customer, t.credit AS account, 0 AS dp, 0 AS dt, \
               CASE WHEN t.kind = 'pending' AND r.transfer IS NULL THEN t.amount ELSE 0 END AS cp, \
               CASE WHEN t.kind IN ('single', 'post') THEN t.amount ELSE 0 END AS ct \
               FROM transfer t LEFT JOIN transfer r ON r.customer = t.customer AND r.resolves = t.transfer \
           ) AS sides GROUP BY customer, account \
         ) AS fold ON fold.customer = account.customer AND fold.account = account.account \
         WHERE account.debits_pending <> COALESCE(fold.dp, 0) OR account.debits_posted <> COALESCE(fold.dt, 0) \
            OR account.credits_pending <> COALESCE(fold.cp, 0) OR account.credits_posted <> COALESCE(fold.ct, 0)",
    ),
    // No transfer without its accounts.
    (
        "I2",
        "SELECT t.customer || ' ' || t.transfer FROM transfer t WHERE NOT EXISTS \
         (SELECT 1 FROM account a WHERE a.customer = t.customer AND a.account = t.debit) OR NOT EXISTS \
         (SELECT 1 FROM account a WHERE a.customer = t.customer AND a.account = t.credit)",
    ),
    // Nobody owes.
    (
        "I3",
        "SELECT customer || ' ' || account FROM account \
         WHERE limited = 1 AND debits_pending + debits_posted > credits_posted",
    ),
    // What a customer has is what can run out, and nothing else is.
    (
        "I3",
        "SELECT customer || ' ' || account FROM account WHERE limited <> \
         CASE WHEN account LIKE 'allowance:%' OR account IN ('points', 'credits') THEN 1 ELSE 0 END",
    ),
    // What is held resolves at most once, and not for more.
    (
        "I4",
        "SELECT r.customer || ' ' || r.resolves FROM transfer r LEFT JOIN transfer p ON p.customer = r.customer \
         AND p.transfer = r.resolves WHERE r.resolves IS NOT NULL AND \
         (p.transfer IS NULL OR p.kind <> 'pending' OR r.amount > p.amount OR r.debit <> p.debit OR r.credit <> p.credit)",
    ),
    (
        "I4",
        "SELECT customer || ' ' || resolves FROM transfer WHERE resolves IS NOT NULL \
         GROUP BY customer, resolves HAVING COUNT(*) > 1",
    ),
    // What is given back of a job was charged for it.
    (
        "I4",
        "SELECT r.customer || ' ' || r.transfer FROM transfer r LEFT JOIN transfer c ON c.customer = r.customer \
         AND c.transfer = substr(r.transfer, 1, length(r.transfer) - 7) || ':hold:c!' AND c.kind = 'post' \
         WHERE r.debit = 'credits.spent' AND (r.transfer NOT LIKE '%:refund' OR c.transfer IS NULL OR r.amount > c.amount)",
    ),
    // What is pending has an open hold, so that it will resolve.
    (
        "I4",
        "SELECT p.customer || ' ' || p.transfer FROM transfer p WHERE p.kind = 'pending' AND NOT EXISTS \
         (SELECT 1 FROM transfer r WHERE r.customer = p.customer AND r.resolves = p.transfer) AND NOT EXISTS \
         (SELECT 1 FROM hold h WHERE h.customer = p.customer AND p.transfer IN (h.hold || ':hold:a', h.hold || ':hold:p', h.hold || ':hold:c'))",
    ),
    // A hold is what is pending for it.
    (
        "I4",
        "SELECT h.customer || ' ' || h.hold FROM hold h \
         LEFT JOIN transfer a ON a.customer = h.customer AND a.transfer = h.hold || ':hold:a' \
         LEFT JOIN transfer p ON p.customer = h.customer AND p.transfer = h.hold || ':hold:p' \
         LEFT JOIN transfer c ON c.customer = h.customer AND c.transfer = h.hold || ':hold:c' \
         WHERE h.allowance <> COALESCE(a.amount, 0) OR h.points <> COALESCE(p.amount, 0) \
            OR h.credits <> COALESCE(c.amount, 0) OR EXISTS (SELECT 1 FROM transfer r WHERE r.customer = h.customer \
               AND r.resolves IN (h.hold || ':hold:a', h.hold || ':hold:p', h.hold || ':hold:c'))",
    ),
    // A hold ends: by the sweep once its time is over, or with a job that has not ended yet.
    (
        "I4",
        "SELECT h.customer || ' ' || h.hold FROM hold h WHERE h.expires_at IS NULL AND NOT EXISTS \
         (SELECT 1 FROM job j WHERE j.customer = h.customer AND j.job = h.hold AND j.due_at IS NOT NULL)",
    ),
    // A day grants a hundred points, once.
    ("I6", "SELECT customer || ' ' || account FROM account WHERE account LIKE 'allowance:%' AND credits_posted <> 100"),
    // An activation is paid once.
    (
        "I7",
        "SELECT customer FROM transfer WHERE code = 'activation' GROUP BY customer HAVING COUNT(*) > 1 \
         OR SUM(amount) <> 100000",
    ),
    // Whoever is let in has paid, and whoever has paid is let in.
    (
        "I7",
        "SELECT c.customer FROM customer c LEFT JOIN transfer t ON t.customer = c.customer \
         AND t.transfer = 'activation' WHERE (c.activated_at IS NULL) <> (t.transfer IS NULL)",
    ),
];

impl Money {
    /// Looks for violations of the ledger's invariants. None is the only good answer.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn verify_ledger(&self) -> Result<Vec<Violation>, StoreError> {
        let mut violations = Vec::new();
        for (invariant, question) in QUESTIONS {
            for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(question)).await? {
                violations.push(Violation { invariant, subject: row.try_get(0)? });
            }
        }
        for broken in Trail::of(&self.database).verify_audit().await? {
            let subject = format!("{} seq {}: {}", broken.customer, broken.seq, broken.what);
            violations.push(Violation { invariant: "I8", subject });
        }
        violations.extend(self.verify_audited().await?);
        Ok(violations)
    }
}
