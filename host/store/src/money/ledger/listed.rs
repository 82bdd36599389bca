//! The ledger's lines as a customer reads them.

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Money;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Points or credits for a call or a job.
    Charge,
    /// What was held and given back, or charged and given back.
    Refund,
    /// Credits that were bought or given.
    Order,
    /// Points that were bought with credits.
    Points,
    /// The activation.
    Activation,
}

/// One movement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerLine {
    /// Its name in the ledger.
    pub transfer: String,
    /// When.
    pub at: Moment,
    /// What it is about.
    pub kind: LineKind,
    /// `single`, `pending`, `post` or `void`.
    pub movement: String,
    /// The account that gives, and the one that takes.
    pub from: String,
    /// The account that takes.
    pub to: String,
    /// Whole points, or thousandths of a credit.
    pub amount: u64,
    /// The operation, or the reason in a word.
    pub code: String,
}

/// Which lines; what is none does not narrow.
#[derive(Clone, Debug, Default)]
pub struct LineFilter {
    /// What they are about.
    pub kind: Option<LineKind>,
    /// The first segment of their operations.
    pub module: Option<String>,
    /// Not before this.
    pub since: Option<Moment>,
    /// Before this.
    pub until: Option<Moment>,
}

/// Sums over all lines that fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineTotals {
    /// Points that were charged.
    pub points_charged: u64,
    /// Thousandths of a credit that were charged, for work, points and the activation.
    pub credits_charged_milli: u64,
    /// Thousandths of a credit that were added.
    pub credits_added_milli: u64,
    /// Points that were bought.
    pub points_bought: u64,
}

impl LineKind {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Charge, "charge"),
        (Self::Refund, "refund"),
        (Self::Order, "order"),
        (Self::Points, "points"),
        (Self::Activation, "activation"),
    ];

    /// Its name in answers.
    pub fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }

    /// The one of this name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, name)| *name == word).map(|(kind, _)| kind)
    }
}

/// What a transfer is about, in SQL.
macro_rules! about {
    () => {
        "CASE WHEN kind = 'void' OR debit = 'credits.spent' THEN 'refund' WHEN code = 'activation' THEN 'activation' \
         WHEN code = 'points_bought' THEN 'points' WHEN code = 'credits_added' THEN 'order' ELSE 'charge' END"
    };
}

/// Which lines fit, over the parameters 1 to 5; the daily allowance is no movement of the customer's.
const FITS: &str = concat!(
    "customer = $1 AND amount > 0 AND debit <> 'points.granted' AND at >= $2 AND at < $3 \
     AND ($4 = '' OR substr(code, 1, length($4) + 1) = $4 || '.') AND ($5 = '' OR $5 = ",
    about!(),
    ")"
);

impl Money {
    /// A customer's lines, newest first, after `after` (moment, transfer), at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn ledger_lines(
        &self,
        customer: &CustomerId,
        filter: &LineFilter,
        after: Option<(Moment, &str)>,
        limit: u32,
    ) -> Result<Vec<LedgerLine>, StoreError> {
        let sql = format!(
            "SELECT transfer, at, {} AS about, kind, debit, credit, amount, code FROM transfer WHERE {FITS} \
             AND (at, transfer) < ($6, $7) ORDER BY at DESC, transfer DESC LIMIT $8",
            about!()
        );
        let (at, transfer) = after.map_or((i64::MAX, ""), |(at, transfer)| (at.0, transfer));
        // Nothing is newer than the cursor: one end of the range in the index, however late the page.
        let until = filter.until.map_or(i64::MAX, |until| until.0).min(at.saturating_add(1));
        let filter = LineFilter { until: Some(Moment(until)), ..filter.clone() };
        let query = fitting(sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)), customer, &filter);
        let query = query.bind(at).bind(transfer).bind(i64::from(limit.min(500)));
        self.database.reader().fetch_all(query).await?.iter().map(read).collect()
    }

    /// Sums over all lines that fit.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn ledger_totals(&self, customer: &CustomerId, filter: &LineFilter) -> Result<LineTotals, StoreError> {
        let sum = |of: &str| format!("CAST(COALESCE(SUM(CASE WHEN {of} THEN amount ELSE 0 END), 0) AS BIGINT)");
        let moved = "kind IN ('single', 'post')";
        let sql = format!(
            "SELECT {}, {}, {}, {} FROM transfer WHERE {FITS}",
            sum(&format!("{moved} AND credit = 'points.used'")),
            sum(&format!("{moved} AND credit = 'credits.spent'")),
            sum(&format!("{moved} AND debit = 'credits.bought'")),
            sum(&format!("{moved} AND debit = 'points.bought'")),
        );
        let query = fitting(sqlx::query::<Any>(sqlx::AssertSqlSafe(sql)), customer, filter);
        let row = self.database.reader().fetch_one(query).await?;
        let whole = |column: usize| Ok::<_, StoreError>(row.try_get::<i64, _>(column)?.unsigned_abs());
        Ok(LineTotals {
            points_charged: whole(0)?,
            credits_charged_milli: whole(1)?,
            credits_added_milli: whole(2)?,
            points_bought: whole(3)?,
        })
    }
}

type Asked<'q> = sqlx::query::Query<'q, Any, sqlx::any::AnyArguments>;

fn fitting<'q>(query: Asked<'q>, customer: &CustomerId, filter: &LineFilter) -> Asked<'q> {
    let query = query.bind(customer.as_str().to_owned());
    let query = query.bind(filter.since.map_or(i64::MIN, |since| since.0));
    let query = query.bind(filter.until.map_or(i64::MAX, |until| until.0));
    let query = query.bind(filter.module.clone().unwrap_or_default());
    query.bind(filter.kind.map_or("", LineKind::word))
}

fn read(row: &AnyRow) -> Result<LedgerLine, StoreError> {
    let about: String = row.try_get("about")?;
    Ok(LedgerLine {
        transfer: row.try_get("transfer")?,
        at: Moment(row.try_get("at")?),
        kind: LineKind::named(&about).ok_or(StoreError::Inconsistent("what a line of the ledger is about"))?,
        movement: row.try_get("kind")?,
        from: row.try_get("debit")?,
        to: row.try_get("credit")?,
        amount: row.try_get::<i64, _>("amount")?.unsigned_abs(),
        code: row.try_get("code")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};

    #[tokio::test]
    async fn lines_come_newest_first_page_by_page_and_their_totals_are_of_all_that_fit() {
        let fixture = fixture().await;
        fixture.store.money.credit(&fixture.customer, 9_000, "gift").await.unwrap();
        fixture.store.money.buy_points(&fixture.customer, 2, "first").await.unwrap();
        for number in 0..3 {
            fixture.store.calls.settle(fixture.call(&format!("req_{number}"), 3)).await.unwrap();
        }
        let all = LineFilter::default();
        let first = fixture.store.money.ledger_lines(&fixture.customer, &all, None, 4).await.unwrap();
        let last = first.last().unwrap();
        let after = Some((last.at, last.transfer.as_str()));
        let rest = fixture.store.money.ledger_lines(&fixture.customer, &all, after, 9).await.unwrap();
        let kinds: Vec<_> = first.iter().chain(&rest).map(|line| line.kind).collect();
        assert_eq!(kinds.len(), 6, "three charges, both sides of the purchase, and the gift: {kinds:?}");
        let totals = fixture.store.money.ledger_totals(&fixture.customer, &all).await.unwrap();
        let expected = LineTotals {
            points_charged: 9,
            credits_charged_milli: 2_000,
            credits_added_milli: 9_000,
            points_bought: 2_000,
        };
        assert_eq!(totals, expected);
        let bought = LineFilter { kind: Some(LineKind::Points), ..LineFilter::default() };
        assert_eq!(fixture.store.money.ledger_lines(&fixture.customer, &bought, None, 9).await.unwrap().len(), 2);
        let authors = LineFilter { module: Some("authors".to_owned()), since: Some(NOON), ..LineFilter::default() };
        assert_eq!(
            fixture.store.money.ledger_totals(&fixture.customer, &authors).await.unwrap().credits_added_milli,
            0
        );
        let other = CustomerId::from("cus_other");
        assert_eq!(fixture.store.money.ledger_lines(&other, &all, None, 9).await.unwrap(), []);
    }
}
