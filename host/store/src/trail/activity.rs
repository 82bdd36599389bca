//! Looking things up in a customer's trail: by what happened, to what, by whom, how it ended and when.
//!
//! The trail has no index but its own order: one that serves every filter would cost each call more than the line
//! itself. A search therefore reads a bounded stretch of the chain from the newest line back, and says how far it came.

use model::audit::Audit;
use model::clock::Moment;
use model::id::{CustomerId, GrantId};
use sqlx::any::AnyRow;
use sqlx::{Any, Row as _};

use crate::StoreError;
use crate::tables::Trail;
use crate::trail::AuditLine;

/// Lines that one search reads, at most.
pub const STRETCH: u64 = 20_000;

/// What somebody looks for; what is none does not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The event, or the beginning of one that ends in a dot: `oauth.`.
    pub event: Option<String>,
    /// The operation, client or job, or the beginning of one that ends in a dot: `authors.`.
    pub subject: Option<String>,
    /// Under which grant.
    pub grant: Option<GrantId>,
    /// How it ended.
    pub outcome: Option<Ended>,
    /// Not before this.
    pub from: Option<Moment>,
    /// Before this.
    pub until: Option<Moment>,
}

/// How what is looked for has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Well.
    Well,
    /// In any other way.
    Badly,
    /// With this code.
    With(String),
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// Newest first.
    pub lines: Vec<AuditLine>,
    /// Where the next search goes on; none at the end of the trail.
    pub next: Option<u64>,
    /// The time of the oldest line that was read, when the search stopped before the page was full.
    pub stopped_at: Option<Moment>,
}

impl Trail {
    /// The latest lines before `below` (none: from the end) that fit, at most `limit`.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn search_trail(
        &self,
        customer: &CustomerId,
        filter: &Filter,
        below: Option<u64>,
        limit: u32,
    ) -> Result<Lines, StoreError> {
        let whole = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        let end = match filter.until {
            Some(until) => self.first_since(customer, until).await?,
            None => self.length(customer).await? + 1,
        };
        let below = below.map_or(end, |below| end.min(whole(below)));
        let floor = match filter.from {
            Some(from) => self.first_since(customer, from).await?,
            None => 1,
        };
        let least = floor.max(below.saturating_sub(whole(STRETCH)));
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let mut lines = Vec::new();
        for row in self.candidates(customer, filter, (least, below), limit).await? {
            let line = read(&row)?;
            if filter.fits(&line.audit) {
                lines.push(line);
            }
        }
        if lines.len() > most {
            lines.truncate(most);
            let next = lines.last().map(|line| line.seq);
            return Ok(Lines { lines, next, stopped_at: None });
        }
        if least <= floor {
            return Ok(Lines { lines, next: None, stopped_at: None });
        }
        let stopped_at = self.moment_of(customer, least).await?;
        Ok(Lines { lines, next: Some(least.unsigned_abs()), stopped_at })
    }

    /// Lines of a stretch that the database finds fitting by their text: one more than asked for, to see that there
    /// are more.
    async fn candidates(
        &self,
        customer: &CustomerId,
        filter: &Filter,
        (least, below): (i64, i64),
        limit: u32,
    ) -> Result<Vec<AnyRow>, StoreError> {
        let sql = "SELECT seq, hash, body FROM audit WHERE customer = $1 AND seq >= $2 AND seq < $3 \
                   AND body LIKE $4 ESCAPE '!' AND body LIKE $5 ESCAPE '!' AND body LIKE $6 ESCAPE '!' \
                   AND body LIKE $7 ESCAPE '!' AND body NOT LIKE $8 ESCAPE '!' ORDER BY seq DESC LIMIT $9";
        let (with, without) = match &filter.outcome {
            None => ("%".to_owned(), String::new()),
            Some(Ended::Well) => (member("outcome", Some("ok")), String::new()),
            Some(Ended::Badly) => ("%".to_owned(), member("outcome", Some("ok"))),
            Some(Ended::With(code)) => (member("outcome", Some(code)), String::new()),
        };
        let query = sqlx::query::<Any>(sql)
            .bind(customer.as_str())
            .bind(least)
            .bind(below)
            .bind(member("event", filter.event.as_deref()))
            .bind(member("subject", filter.subject.as_deref()))
            .bind(member("grant", filter.grant.as_ref().map(GrantId::as_str)))
            .bind(with)
            .bind(without)
            .bind(i64::from(limit) + 1);
        self.database.reader().fetch_all(query).await
    }

    async fn length(&self, customer: &CustomerId) -> Result<i64, StoreError> {
        let query = sqlx::query::<Any>("SELECT seq FROM audit_head WHERE customer = $1").bind(customer.as_str());
        Ok(self.database.reader().fetch_optional(query).await?.map(|row| row.try_get(0)).transpose()?.unwrap_or(0))
    }

    /// The first line that is not older than `moment`, or the one after the last. A trail is in the order of its
    /// times but for the milliseconds between two nodes, so it is found by halving.
    async fn first_since(&self, customer: &CustomerId, moment: Moment) -> Result<i64, StoreError> {
        let (mut low, mut high) = (1, self.length(customer).await? + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.moment_of(customer, middle).await? {
                Some(at) if at >= moment => high = middle,
                Some(_) | None => low = middle + 1,
            }
        }
        Ok(low)
    }

    async fn moment_of(&self, customer: &CustomerId, seq: i64) -> Result<Option<Moment>, StoreError> {
        let sql = "SELECT seq, hash, body FROM audit WHERE customer = $1 AND seq = $2";
        let row =
            self.database.reader().fetch_optional(sqlx::query::<Any>(sql).bind(customer.as_str()).bind(seq)).await?;
        row.as_ref().map(|row| Ok(read(row)?.audit.at)).transpose()
    }
}

impl Filter {
    /// Whether a line is what is looked for; the database looks at its text only.
    fn fits(&self, line: &Audit) -> bool {
        let begins = |wanted: &Option<String>, text: &str| {
            wanted.as_ref().is_none_or(|wanted| match wanted.ends_with('.') {
                true => text.starts_with(wanted.as_str()),
                false => text == wanted,
            })
        };
        begins(&self.event, &line.event)
            && begins(&self.subject, &line.subject)
            && self.grant.as_ref().is_none_or(|grant| line.grant.as_ref() == Some(grant))
            && self.outcome.as_ref().is_none_or(|ended| match ended {
                Ended::Well => line.outcome == "ok",
                Ended::Badly => line.outcome != "ok",
                Ended::With(code) => line.outcome == *code,
            })
    }
}

/// The pattern of a line whose member is this; anything, when nothing is looked for.
fn member(name: &str, value: Option<&str>) -> String {
    let Some(value) = value else { return "%".to_owned() };
    let mut pattern = format!("%\"{name}\":\"");
    for letter in value.chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    if !value.ends_with('.') {
        pattern.push('"');
    }
    pattern.push('%');
    pattern
}

fn read(row: &AnyRow) -> Result<AuditLine, StoreError> {
    let audit = serde_json::from_str(&row.try_get::<String, _>("body")?);
    Ok(AuditLine {
        seq: row.try_get::<i64, _>("seq")?.unsigned_abs(),
        hash: row.try_get("hash")?,
        audit: audit.map_err(|_| StoreError::Inconsistent("an audit line that is not one"))?,
    })
}

#[cfg(test)]
mod tests;
