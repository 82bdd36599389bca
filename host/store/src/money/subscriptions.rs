//! Subscriptions: which plan a customer has, and from when on.

use model::clock::Moment;
use model::id::CustomerId;
use sqlx::{Any, AnyConnection, Row as _};

use crate::StoreError;
use crate::tables::Money;

/// A plan that is chosen from a moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// From when on.
    pub since: Moment,
    /// The plan's reference.
    pub plan: String,
    /// Of the change that chose it.
    pub reference: String,
    /// When it was chosen.
    pub placed_at: Moment,
}

impl Subscription {
    /// Writes it in place of every other choice that has not begun by `since`.
    pub(crate) async fn insert(&self, connection: &mut AnyConnection, customer: &CustomerId) -> Result<(), StoreError> {
        let sql = "DELETE FROM subscription WHERE customer = $1 AND since >= $2";
        let later = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(self.since.0);
        later.execute(&mut *connection).await?;
        let sql = "INSERT INTO subscription (customer, since, plan, reference, placed_at) VALUES ($1, $2, $3, $4, $5)";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(self.since.0).bind(self.plan.as_str());
        query.bind(self.reference.as_str()).bind(self.placed_at.0).execute(connection).await?;
        Ok(())
    }
}

impl Money {
    /// The choice in force at `now`, and the one that comes next.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn subscription(
        &self,
        customer: &CustomerId,
        now: Moment,
    ) -> Result<(Option<Subscription>, Option<Subscription>), StoreError> {
        let sql = "SELECT since, plan, reference, placed_at FROM subscription WHERE customer = $1 ORDER BY since";
        let rows = self.database.reader().fetch_all(sqlx::query::<Any>(sql).bind(customer.as_str())).await?;
        let (mut present, mut next) = (None, None);
        for row in rows {
            let choice = Subscription {
                since: Moment(row.try_get("since")?),
                plan: row.try_get("plan")?,
                reference: row.try_get("reference")?,
                placed_at: Moment(row.try_get("placed_at")?),
            };
            if choice.since <= now {
                present = Some(choice);
            } else if next.is_none() {
                next = Some(choice);
            }
        }
        Ok((present, next))
    }

    /// Customers who have ever chosen a plan, in the order of their names, after this one.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn subscribers(&self, after: Option<&CustomerId>, limit: u32) -> Result<Vec<CustomerId>, StoreError> {
        let sql = "SELECT DISTINCT customer FROM subscription WHERE customer > $1 ORDER BY customer LIMIT $2";
        let query = sqlx::query::<Any>(sql).bind(after.map_or("", CustomerId::as_str)).bind(i64::from(limit));
        let rows = self.database.reader().fetch_all(query).await?;
        rows.iter().map(|row| Ok(CustomerId::from(row.try_get::<String, _>(0)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture::{NOON, fixture};

    fn choice(plan: &str, since: Moment) -> Subscription {
        Subscription { since, plan: plan.to_owned(), reference: format!("chg_{plan}"), placed_at: NOON }
    }

    #[tokio::test]
    async fn the_latest_choice_that_has_begun_is_in_force_and_a_new_one_replaces_what_was_to_come() {
        let fixture = fixture().await;
        let choose = async |choice: Subscription| {
            let customer = fixture.customer.clone();
            let written = fixture
                .store
                .database
                .write(move |tx| Box::pin(async move { choice.insert(tx.connection(), &customer).await }));
            written.await.unwrap();
        };
        let later = NOON.plus(Duration::from_secs(86_400));
        assert_eq!(fixture.store.money.subscription(&fixture.customer, NOON).await.unwrap(), (None, None));
        choose(choice("studio", NOON)).await;
        choose(choice("agency", later)).await;
        let (present, next) = fixture.store.money.subscription(&fixture.customer, NOON).await.unwrap();
        assert_eq!((present.unwrap().plan, next.unwrap().plan), ("studio".to_owned(), "agency".to_owned()));
        let (present, next) = fixture.store.money.subscription(&fixture.customer, later).await.unwrap();
        assert_eq!((present.unwrap().plan, next), ("agency".to_owned(), None));
        choose(choice("pay_as_you_go", later)).await;
        let (_, next) = fixture.store.money.subscription(&fixture.customer, NOON).await.unwrap();
        assert_eq!(next.unwrap().plan, "pay_as_you_go");
        let other = CustomerId::from("cus_other");
        assert_eq!(fixture.store.money.subscription(&other, later).await.unwrap(), (None, None));
    }
}
