//! Proves the ledger against the trail and the stored answers: what was charged is what was told, and told once.

use std::collections::{BTreeMap, BTreeSet};

use model::audit::Audit;
use model::usage::Usage;
use sqlx::{Any, Row as _};

use super::Violation;
use crate::StoreError;
use crate::tables::Money;

/// Since this migration every movement is told of in its own transaction; what began before is not asked for.
const SINCE: &str = "SELECT applied_at FROM migration WHERE name = '0300_checkpoints'";

/// What one request, job or payment came to, in the three places that speak of it.
#[derive(Debug, Default)]
struct Matter {
    /// Points that were charged.
    posted: i64,
    /// Whether anything was charged or given, in points or credits.
    moved: bool,
    /// Points that the trail speaks of.
    told: i64,
    lines: u32,
    /// Lines of an operation that ended well.
    executed: u32,
    /// Steps of a job that were committed, by their numbers.
    steps: BTreeSet<u64>,
    /// A number of a step that came twice.
    twice: bool,
    answer: Option<Answered>,
    /// The earliest moment that any of it names.
    began: Option<i64>,
}

#[derive(Debug)]
struct Answered {
    refused: bool,
    points: Option<u64>,
}

impl Money {
    /// Looks for violations of I5 and I9 to I11.
    pub(super) async fn verify_audited(&self) -> Result<Vec<Violation>, StoreError> {
        let since = self.database.reader().fetch_optional(sqlx::query::<Any>(SINCE)).await?;
        let since: i64 = since.map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
        let sql =
            "SELECT customer FROM account UNION SELECT customer FROM audit_head UNION SELECT customer FROM answer";
        let mut violations = Vec::new();
        for row in self.database.reader().fetch_at_length(sqlx::query::<Any>(sql)).await? {
            let customer: String = row.try_get(0)?;
            let mut found = self.compare(&customer, since).await?;
            if !found.is_empty() {
                // The places are read one after the other, so a call that was committed in between looks wrong once.
                let again = self.compare(&customer, since).await?;
                found.retain(|violation| again.contains(violation));
            }
            violations.extend(found);
        }
        Ok(violations)
    }

    async fn compare(&self, customer: &str, since: i64) -> Result<BTreeSet<Violation>, StoreError> {
        let mut matters: BTreeMap<String, Matter> = BTreeMap::new();
        self.read_transfers(customer, &mut matters).await?;
        self.read_lines(customer, &mut matters).await?;
        self.read_answers(customer, &mut matters).await?;
        matters.retain(|_, matter| matter.began.is_none_or(|began| began >= since));
        Ok(matters.iter().flat_map(|(name, matter)| matter.wrong(customer, name)).collect())
    }

    async fn read_transfers(&self, customer: &str, matters: &mut BTreeMap<String, Matter>) -> Result<(), StoreError> {
        // What is only held, given back, or the day's grant has moved nothing that a customer paid for.
        let sql = "SELECT transfer, credit, amount, kind, at FROM transfer WHERE customer = $1 AND transfer > $2 \
                   ORDER BY transfer LIMIT 5000";
        let mut last = String::new();
        loop {
            let query = sqlx::query::<Any>(sql).bind(customer).bind(last.as_str());
            let rows = self.database.reader().fetch_at_length(query).await?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = end.try_get("transfer")?;
            for row in rows {
                let (transfer, kind): (String, String) = (row.try_get("transfer")?, row.try_get("kind")?);
                if matches!(kind.as_str(), "single" | "post") && !transfer.starts_with("grant:") {
                    let matter = matters.entry(stem(&transfer).to_owned()).or_default();
                    matter.moved = true;
                    matter.begin(row.try_get("at")?);
                    if row.try_get::<String, _>("credit")? == "points.used" {
                        matter.posted += row.try_get::<i64, _>("amount")?;
                    }
                }
            }
        }
    }

    async fn read_lines(&self, customer: &str, matters: &mut BTreeMap<String, Matter>) -> Result<(), StoreError> {
        let sql = "SELECT seq, body FROM audit WHERE customer = $1 AND seq > $2 ORDER BY seq LIMIT 5000";
        let mut last = 0_i64;
        loop {
            let query = sqlx::query::<Any>(sql).bind(customer).bind(last);
            let rows = self.database.reader().fetch_at_length(query).await?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = end.try_get("seq")?;
            for row in rows {
                // A body that is no line breaks its chain, which is told elsewhere.
                let Ok(line) = serde_json::from_str::<Audit>(&row.try_get::<String, _>("body")?) else { continue };
                let named = |member: &str| line.detail.get(member).and_then(|name| name.as_str());
                let name = line.request.as_ref().map(|request| request.as_str());
                let Some(name) = name.or_else(|| named("job")).or_else(|| named("transfer")) else { continue };
                let matter = matters.entry(name.to_owned()).or_default();
                matter.lines += 1;
                matter.begin(line.at.0);
                matter.told += i64::try_from(line.points).unwrap_or(i64::MAX);
                if line.event == "job.step"
                    && let Some(step) = line.detail.get("step").and_then(|step| step.as_u64())
                {
                    matter.twice |= !matter.steps.insert(step);
                }
                // A round of scheduled work is kept under a key, as the answer of a call is.
                let answered = matches!(line.event.as_str(), "operation.executed" | "schedule.round");
                matter.executed += u32::from(answered && line.outcome == "ok");
            }
        }
    }

    async fn read_answers(&self, customer: &str, matters: &mut BTreeMap<String, Matter>) -> Result<(), StoreError> {
        let sql = "SELECT key, request, refused, usage, at FROM answer WHERE customer = $1 AND key > $2 ORDER BY key LIMIT 5000";
        let mut last = String::new();
        loop {
            let query = sqlx::query::<Any>(sql).bind(customer).bind(last.as_str());
            let rows = self.database.reader().fetch_at_length(query).await?;
            let Some(end) = rows.last() else { return Ok(()) };
            last = end.try_get("key")?;
            for row in rows {
                let usage: Option<Usage> = serde_json::from_str(&row.try_get::<String, _>("usage")?).ok();
                let answer = Answered {
                    refused: row.try_get::<i64, _>("refused")? != 0,
                    points: usage.map(|usage| usage.points),
                };
                let matter = matters.entry(row.try_get("request")?).or_default();
                matter.answer = Some(answer);
                matter.begin(row.try_get("at")?);
            }
        }
    }
}

impl Matter {
    fn begin(&mut self, at: i64) {
        self.began = Some(self.began.map_or(at, |began| began.min(at)));
    }

    fn wrong(&self, customer: &str, name: &str) -> Vec<Violation> {
        let mut wrong = Vec::new();
        let mut say = |invariant| wrong.push(Violation { invariant, subject: format!("{customer} {name}") });
        if self.moved && self.lines == 0 {
            say("I10");
        } else if self.posted != self.told {
            say("I5");
        }
        if self.twice {
            say("I11");
        }
        if let Some(answer) = &self.answer {
            if answer.points.and_then(|points| i64::try_from(points).ok()) != Some(self.posted) {
                say("I5");
            }
            if self.executed != u32::from(!answer.refused) || self.lines == 0 {
                say("I9");
            }
        }
        wrong
    }
}

/// The request, job or payment that a transfer is for: its id without the mark of its leg.
fn stem(transfer: &str) -> &str {
    if transfer.starts_with("credit:") {
        return transfer;
    }
    let transfer = transfer.strip_suffix('!').unwrap_or(transfer);
    let leg = transfer.strip_suffix(":a").or(transfer.strip_suffix(":p")).or(transfer.strip_suffix(":c"));
    let leg = leg.unwrap_or(transfer);
    leg.strip_suffix(":hold").unwrap_or(leg)
}
