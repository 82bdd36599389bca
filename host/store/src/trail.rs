//! The audit trail: a chain for each customer, extended in the transaction that it tells of.

pub mod activity;
pub(crate) mod checkpoints;
pub mod disclosures;
pub mod transcripts;

use std::collections::HashMap;

use model::audit::Audit;
use model::canonical;
use model::id::CustomerId;
use model::token::hex;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::database::rows::Column::{Text, Whole};
use crate::database::rows::{Listed, Script};
use crate::tables::Trail;

const HEADS: Listed =
    Listed { before: "SELECT customer, seq, hash FROM audit_head WHERE customer IN (", columns: &[Text], after: ")" };
const LINES: Listed = Listed {
    before: "INSERT INTO audit (customer, seq, prev, hash, body) ",
    columns: &[Text, Whole, Text, Text, Text],
    after: "",
};
const MOVED: Listed = Listed {
    before: "INSERT INTO audit_head (customer, seq, hash) ",
    columns: &[Text, Whole, Text],
    after: " ON CONFLICT (customer) DO UPDATE SET seq = excluded.seq, hash = excluded.hash",
};

/// What stands before the first line.
pub(crate) const START: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The ends of the chains of some customers, and the lines that go there.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    heads: HashMap<CustomerId, Head>,
    lines: Vec<Line>,
}

/// The end of a customer's chain.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    seq: i64,
    hash: String,
}

#[derive(Debug)]
struct Line {
    customer: CustomerId,
    seq: i64,
    prev: String,
    hash: String,
    body: String,
}

impl Chains {
    /// Reads the ends of the chains.
    pub(crate) async fn load(connection: &mut AnyConnection, customers: &[CustomerId]) -> Result<Self, StoreError> {
        Self::go_on(connection, HashMap::new(), customers).await
    }

    /// Goes on from the ends that are known, and reads the others.
    pub(crate) async fn go_on(
        connection: &mut AnyConnection,
        mut heads: HashMap<CustomerId, Head>,
        customers: &[CustomerId],
    ) -> Result<Self, StoreError> {
        let unknown: Vec<&CustomerId> = customers.iter().filter(|customer| !heads.contains_key(*customer)).collect();
        for row in HEADS.fetch(connection, &unknown, |customer| (customer,)).await? {
            let head = Head { seq: row.try_get("seq")?, hash: row.try_get("hash")? };
            heads.insert(CustomerId::from(row.try_get::<String, _>("customer")?), head);
        }
        Ok(Self { heads, lines: Vec::new() })
    }

    /// Adds a line whose canonical body is already written.
    pub(crate) fn add(&mut self, customer: &CustomerId, body: String) {
        let head = match self.heads.get_mut(customer) {
            Some(head) => head,
            None => self.heads.entry(customer.clone()).or_insert_with(|| Head { seq: 0, hash: START.to_owned() }),
        };
        let hash = link(&head.hash, &body);
        head.seq += 1;
        let prev = std::mem::replace(&mut head.hash, hash.clone());
        self.lines.push(Line { customer: customer.clone(), seq: head.seq, prev, hash, body });
    }

    /// Writes the lines and the new ends.
    pub(crate) async fn flush(self, connection: &mut AnyConnection) -> Result<(), StoreError> {
        let mut script = Script::default();
        self.add_to(&mut script)?;
        script.run(connection).await.map(drop)
    }

    /// Leaves writing the lines and the new ends to a script, and returns the ends.
    pub(crate) fn add_to(self, script: &mut Script) -> Result<HashMap<CustomerId, Head>, StoreError> {
        script
            .add(&LINES, &self.lines, |Line { customer, seq, prev, hash, body }| (customer, seq, prev, hash, body))?;
        let mut moved: HashMap<&CustomerId, &Head> = HashMap::new();
        for line in &self.lines {
            if let Some(head) = self.heads.get(&line.customer) {
                moved.insert(&line.customer, head);
            }
        }
        let moved: Vec<(&CustomerId, &Head)> = moved.into_iter().collect();
        script.add(&MOVED, &moved, |(customer, head)| (customer, head.seq, &head.hash))?;
        Ok(self.heads)
    }
}

/// Adds one line to a customer's chain, in a transaction that has locked the customer.
pub(crate) async fn append(connection: &mut AnyConnection, line: &Audit) -> Result<(), StoreError> {
    let mut chains = Chains::load(connection, std::slice::from_ref(&line.customer)).await?;
    chains.add(&line.customer, body(line));
    chains.flush(connection).await
}

/// The canonical body of a line (RFC 8785). Every call writes one, and the general way takes ten times as long.
pub(crate) fn body(audit: &Audit) -> String {
    let body = serde_json::to_string(audit).expect("a line has nothing that JSON lacks");
    debug_assert_eq!(body.as_bytes(), canonical::write(audit), "members in order, whole numbers only");
    body
}

/// The hash of a line: SHA-256(0x00 ‖ prev ‖ body), in hex. `prev` goes in as the 32 bytes it stands for.
pub(crate) fn link(prev: &str, body: &str) -> String {
    let bytes = prev.as_bytes().chunks_exact(2).map(|pair| nibble(pair[0]) << 4 | nibble(pair[1]));
    let prev: Vec<u8> = bytes.collect();
    hex(&Sha256::new().chain_update([0]).chain_update(prev).chain_update(body.as_bytes()).finalize())
}

fn nibble(digit: u8) -> u8 {
    char::from(digit).to_digit(16).map_or(0, |value| value as u8)
}

/// One line, read back.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditLine {
    /// Counts up from 1 for each customer.
    pub seq: u64,
    /// Its hash, in hex.
    pub hash: String,
    /// What happened.
    pub audit: Audit,
}

/// Where a chain does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// Whose chain.
    pub customer: CustomerId,
    /// The first line that does not follow from the one before, or is missing.
    pub seq: u64,
    /// What is wrong.
    pub what: &'static str,
}

impl Trail {
    /// The latest lines of a customer's trail before `below` (none: from the end), newest first.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn audit_lines(
        &self,
        customer: &CustomerId,
        below: Option<u64>,
        limit: u32,
    ) -> Result<Vec<AuditLine>, StoreError> {
        let sql = "SELECT seq, hash, body FROM audit WHERE customer = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";
        let below = below.and_then(|seq| i64::try_from(seq).ok()).unwrap_or(i64::MAX);
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(below).bind(i64::from(limit.min(1_000)));
        let rows = self.database.reader().fetch_all(query).await?;
        rows.iter()
            .map(|row| {
                let audit = serde_json::from_str(&row.try_get::<String, _>("body")?);
                Ok(AuditLine {
                    seq: row.try_get::<i64, _>("seq")?.unsigned_abs(),
                    hash: row.try_get("hash")?,
                    audit: audit.map_err(|_| StoreError::Inconsistent("an audit line that is not one"))?,
                })
            })
            .collect()
    }

    /// Walks every chain and says where one does not hold.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn verify_audit(&self) -> Result<Vec<Break>, StoreError> {
        let heads = sqlx::query::<Any>("SELECT customer, seq, hash FROM audit_head ORDER BY customer");
        let mut breaks = Vec::new();
        for head in self.database.reader().fetch_at_length(heads).await? {
            let customer: String = head.try_get("customer")?;
            let end = Head { seq: head.try_get("seq")?, hash: head.try_get("hash")? };
            if let Some((seq, what)) = self.walk(&customer, &end).await? {
                breaks.push(Break { customer: customer.into(), seq: seq.unsigned_abs(), what });
            }
        }
        let headless = "SELECT DISTINCT customer FROM audit WHERE customer NOT IN (SELECT customer FROM audit_head)";
        for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(headless)).await? {
            let customer: String = row.try_get(0)?;
            breaks.push(Break { customer: customer.into(), seq: 0, what: "the chain has no end on record" });
        }
        Ok(breaks)
    }

    async fn walk(&self, customer: &str, end: &Head) -> Result<Option<(i64, &'static str)>, StoreError> {
        let sql = "SELECT seq, prev, hash, body FROM audit WHERE customer = $1 AND seq > $2 ORDER BY seq LIMIT 1000";
        let mut last = Head { seq: 0, hash: START.to_owned() };
        loop {
            let rows =
                self.database.reader().fetch_at_length(sqlx::query::<Any>(sql).bind(customer).bind(last.seq)).await?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                let seq: i64 = row.try_get("seq")?;
                let (prev, hash): (String, String) = (row.try_get("prev")?, row.try_get("hash")?);
                if seq != last.seq + 1 {
                    return Ok(Some((last.seq + 1, "a line is missing")));
                }
                if prev != last.hash || hash != link(&prev, &row.try_get::<String, _>("body")?) {
                    return Ok(Some((seq, "a line is not what was written")));
                }
                last = Head { seq, hash };
                // A line that came after the end was read is not a fault.
                if seq == end.seq && last.hash != end.hash {
                    return Ok(Some((seq, "the end on record is another")));
                }
            }
        }
        if last.seq < end.seq {
            return Ok(Some((last.seq + 1, "lines are missing at the end")));
        }
        // A line and the end on record are written at once, so the end has come as far as the lines that were seen.
        let end = sqlx::query::<Any>("SELECT seq FROM audit_head WHERE customer = $1").bind(customer);
        let row = self.database.reader().fetch_optional(end).await?;
        let end: i64 = row.map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
        Ok((end < last.seq).then_some((end + 1, "lines stand behind the end on record")))
    }
}
