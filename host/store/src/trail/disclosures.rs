//! What the trail says as a commitment only: a word that may be about a person, with a salt. While the disclosure is
//! there a reviewer can read it and check it; when it is erased, the line proves as much as before and tells nothing.

use model::audit::Audit;
use model::id::CustomerId;
use model::token::hex;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Row as _};

use crate::tables::Trail;
use crate::{StoreError, trail};

/// How a commitment begins in a line.
pub const COMMITTED: &str = "sha256:";

impl Trail {
    /// Writes a line of which this member of the detail is a commitment to `text`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn audit_committed(&self, mut line: Audit, member: &str, text: String) -> Result<(), StoreError> {
        let salt = hex(&self.database.entropy().array::<16>());
        let commitment = commitment(&salt, &text);
        line.detail[member] = Value::from(format!("{COMMITTED}{commitment}"));
        self.database
            .write(move |tx| {
                Box::pin(async move {
                    let (dialect, connection) = (tx.dialect, tx.connection());
                    dialect.lock(connection, std::slice::from_ref(&line.customer)).await?;
                    let sql = "INSERT INTO audit_disclosure (customer, commitment, salt, text) VALUES ($1, $2, $3, $4)";
                    let insert = sqlx::query::<Any>(sql).bind(line.customer.as_str()).bind(commitment);
                    insert.bind(salt).bind(text).execute(&mut *connection).await?;
                    trail::append(connection, &line).await
                })
            })
            .await
    }

    /// What a commitment of this customer's trail stands for; none when it was erased, or is not what was committed to.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn disclosed(&self, customer: &CustomerId, committed: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT salt, text FROM audit_disclosure WHERE customer = $1 AND commitment = $2";
        let wanted = committed.strip_prefix(COMMITTED).unwrap_or(committed);
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(wanted);
        let Some(row) = self.database.reader().fetch_optional(query).await? else { return Ok(None) };
        let (salt, text): (String, String) = (row.try_get("salt")?, row.try_get("text")?);
        Ok((commitment(&salt, &text) == wanted).then_some(text))
    }
}

fn commitment(salt: &str, text: &str) -> String {
    hex(&Sha256::new().chain_update(salt).chain_update(text).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{NOON, fixture};

    #[tokio::test]
    async fn a_disclosure_can_be_read_until_it_is_erased_and_the_chain_holds_all_the_same() {
        let fixture = fixture().await;
        let line = Audit { detail: serde_json::json!({ "port": 80 }), ..fixture.line("address") };
        fixture.store.trail.audit_committed(line, "host", "intranet.example".to_owned()).await.unwrap();
        let written = fixture.store.trail.audit_lines(&fixture.customer, None, 1).await.unwrap().remove(0).audit;
        let committed = written.detail["host"].as_str().unwrap().to_owned();
        assert!(committed.starts_with(COMMITTED) && !written.detail.to_string().contains("intranet"));
        let read = || fixture.store.trail.disclosed(&fixture.customer, &committed);
        assert_eq!(read().await.unwrap().as_deref(), Some("intranet.example"));
        fixture.store.identity.erase(fixture.customer.clone(), NOON).await.unwrap();
        assert_eq!(read().await.unwrap(), None);
        assert_eq!(fixture.store.trail.verify_audit().await.unwrap(), []);
    }
}
