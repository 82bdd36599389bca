//! Who wants no more mail of a customer's module. Nothing here takes that back.

use model::clock::Moment;
use model::id::CustomerId;
use model::token::{Purpose, Secret, SecretHash, hex};
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Edges;

/// How somebody unsubscribed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Their mail program did it for them (RFC 8058).
    OneClick,
    /// On the page that asks whether they mean it.
    Page,
}

impl Way {
    pub(super) fn word(self) -> &'static str {
        match self {
            Way::OneClick => "one_click",
            Way::Page => "page",
        }
    }
}

/// An address of a person, as it is kept: useless without the customer, and without a guess at the address. Case does
/// not count, though RFC 5321 2.4 would let it: whoever leaves means every spelling.
pub(super) fn recipient(customer: &CustomerId, address: &str) -> String {
    let address = address.trim().to_lowercase();
    hex(&Sha256::new().chain_update(customer.as_str()).chain_update([0]).chain_update(address).finalize())
}

impl Edges {
    /// The secret of an address by which a recipient unsubscribes from a module's mail. It is made before the mail is
    /// sent and works for good.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn offer_unsubscribe(
        &self,
        customer: &CustomerId,
        module: &str,
        address: &str,
        now: Moment,
    ) -> Result<Secret, StoreError> {
        let secret = Secret::new(Purpose::Unsubscribe, self.database.entropy());
        let (customer, module, token) = (customer.clone(), module.to_owned(), secret.hash());
        let recipient = recipient(&customer, address);
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO unsubscribe_token (customer, token, module, recipient, created_at) \
                           VALUES ($1, $2, $3, $4, $5)";
                    let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(token.as_str()).bind(module);
                    insert.bind(recipient).bind(now.0).execute(tx.connection()).await?;
                    Ok::<_, StoreError>(())
                })
            })
            .await?;
        Ok(secret)
    }

    /// Whether a token is one by which somebody can unsubscribe.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn is_unsubscribe(&self, token: &SecretHash) -> Result<bool, StoreError> {
        let query = sqlx::query::<Any>("SELECT 1 FROM unsubscribe_token WHERE token = $1").bind(token.as_str());
        Ok(self.database.reader().fetch_optional(query).await?.is_some())
    }

    /// Unsubscribes whoever has the token, once and for good. False: nobody has it.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn unsubscribe(&self, token: SecretHash, way: Way, now: Moment) -> Result<bool, StoreError> {
        self.database.write(move |tx| {
            Box::pin(async move {
                let sql = "SELECT customer, module, recipient FROM unsubscribe_token WHERE token = $1";
                let found = sqlx::query::<Any>(sql).bind(token.as_str()).fetch_optional(tx.connection()).await?;
                let Some(row) = found else { return Ok(false) };
                let sql = "INSERT INTO unsubscribed (customer, module, recipient, at, way) VALUES ($1, $2, $3, $4, $5) \
                           ON CONFLICT (customer, module, recipient) DO NOTHING";
                let insert = sqlx::query::<Any>(sql).bind(row.try_get::<String, _>("customer")?);
                let insert = insert.bind(row.try_get::<String, _>("module")?);
                let insert = insert.bind(row.try_get::<String, _>("recipient")?).bind(now.0).bind(way.word());
                insert.execute(tx.connection()).await?;
                Ok(true)
            })
        })
        .await
    }

    /// When an address unsubscribed from a module's mail, and how it did; none: it did not.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn unsubscribed(
        &self,
        customer: &CustomerId,
        module: &str,
        address: &str,
    ) -> Result<Option<(Moment, Way)>, StoreError> {
        let sql = "SELECT at, way FROM unsubscribed WHERE customer = $1 AND module = $2 AND recipient = $3";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(module);
        let row = self.database.reader().fetch_optional(query.bind(recipient(customer, address))).await?;
        row.map(|row| {
            let way = if row.try_get::<String, _>("way")? == "page" { Way::Page } else { Way::OneClick };
            Ok((Moment(row.try_get("at")?), way))
        })
        .transpose()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixture::{NOON, add, fixture};

    #[tokio::test]
    async fn whoever_unsubscribes_stays_so_in_every_spelling_and_the_first_time_counts() {
        let fixture = fixture().await;
        let (store, ann) = (&fixture.store, &fixture.customer);
        let secret = store.edges.offer_unsubscribe(ann, "outreach", "Bob@Shop.Example", NOON).await.unwrap();
        assert!(store.edges.is_unsubscribe(&secret.hash()).await.unwrap());
        assert_eq!(store.edges.unsubscribed(ann, "outreach", "bob@shop.example").await.unwrap(), None);
        assert!(store.edges.unsubscribe(secret.hash(), Way::OneClick, NOON).await.unwrap());
        let later = NOON.plus(Duration::from_secs(60));
        assert!(store.edges.unsubscribe(secret.hash(), Way::Page, later).await.unwrap());
        for address in ["bob@shop.example", " BOB@SHOP.EXAMPLE "] {
            let found = store.edges.unsubscribed(ann, "outreach", address).await.unwrap();
            assert_eq!(found, Some((NOON, Way::OneClick)), "{address}");
        }
    }

    #[tokio::test]
    async fn it_counts_for_one_customer_one_module_and_one_recipient() {
        let fixture = fixture().await;
        let (store, ann) = (&fixture.store, &fixture.customer);
        let eve = CustomerId::from("cus_eve");
        add(store, &eve).await;
        let secret = store.edges.offer_unsubscribe(ann, "outreach", "bob@shop.example", NOON).await.unwrap();
        store.edges.unsubscribe(secret.hash(), Way::Page, NOON).await.unwrap();
        assert!(store.edges.unsubscribed(ann, "outreach", "bob@shop.example").await.unwrap().is_some());
        assert!(store.edges.unsubscribed(ann, "reports", "bob@shop.example").await.unwrap().is_none());
        assert!(store.edges.unsubscribed(ann, "outreach", "ada@shop.example").await.unwrap().is_none());
        assert!(store.edges.unsubscribed(&eve, "outreach", "bob@shop.example").await.unwrap().is_none());
    }

    #[tokio::test]
    async fn an_unknown_token_unsubscribes_nobody_and_a_forgotten_customers_are_unknown() {
        let fixture = fixture().await;
        let unknown = Secret::received("esp_un_unknown").hash();
        assert!(!fixture.store.edges.unsubscribe(unknown, Way::OneClick, NOON).await.unwrap());
        let customer = fixture.customer.clone();
        let secret =
            fixture.store.edges.offer_unsubscribe(&customer, "outreach", "bob@shop.example", NOON).await.unwrap();
        fixture.store.identity.erase(customer, NOON).await.unwrap();
        assert!(!fixture.store.edges.is_unsubscribe(&secret.hash()).await.unwrap());
    }
}
