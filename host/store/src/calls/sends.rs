//! The journal of what one run changes outside: written before it is handed to a provider, and read by the next run
//! of the same call or step, so that nothing is done twice.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use model::clock::Moment;
use model::id::{Claim, CustomerId, JobId, base32};
use model::token::{hex, unhex};
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Row as _};

use crate::calls::claims::KeyClaim;
use crate::tables::Calls;
use crate::{Store, StoreError, Tx};

/// How much longer a claim is good after each send: longer than any exchange with a provider.
const LEASE: Duration = Duration::from_secs(60);
/// How long lines of a job are kept that nobody has finished.
pub(crate) const JOURNAL_LIFE: Duration = Duration::from_secs(7 * 24 * 3_600);

/// By what right a run sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// It holds the key of its call.
    Key(KeyClaim),
    /// It holds the claim of its job.
    Job {
        /// The job.
        job: JobId,
        /// As claimed.
        claim: Claim,
    },
}

impl Right {
    /// What lines of the journal are found under.
    fn run(&self) -> &str {
        match self {
            Right::Key(claim) => claim.run.as_str(),
            Right::Job { job, .. } => job.as_str(),
        }
    }
}

/// Whether a change may be handed over again when nobody knows whether it arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// The provider knows its own keys, and does a thing once under one.
    Key,
    /// Doing it again changes nothing more (RFC 9110 section 9.2.2).
    Idempotent,
    /// It would be done twice.
    Never,
}

/// A change that is to be handed to a provider.
#[derive(Clone, Copy, Debug)]
pub struct SendIntent<'a> {
    /// Through which connection.
    pub connection: &'a str,
    /// Over method, path and body, without credentials.
    pub digest: &'a str,
    /// Whether it may be handed over again.
    pub repeat: Repeat,
    /// When.
    pub now: Moment,
}

/// What is to be done about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// Hand it over, under this key. It is in the journal.
    Send {
        /// Its line.
        number: u64,
        /// The same at every try.
        provider_key: String,
    },
    /// An earlier run had this answer.
    Answered(String),
    /// An earlier run may have handed it over, and it must not be handed over again.
    Unknown,
    /// The right to send is lost: another run has it, or the job was cancelled.
    Lost,
}

/// What a run has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SendTally {
    /// Handed over by this run.
    pub sent: u64,
    /// Answered from the journal.
    pub repeated: u64,
    /// Nobody knows whether they arrived.
    pub unknown: u64,
}

/// The journal of one run; cheap to clone.
#[derive(Clone)]
pub struct Sends(Arc<Inner>);

struct Inner {
    store: Store,
    customer: CustomerId,
    right: Right,
    /// What the guest sees as now, in every run.
    run_at: Moment,
    seed: [u8; 32],
    earlier: BTreeMap<u64, Line>,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    number: u64,
    tally: SendTally,
}

/// A line of an earlier run.
struct Line {
    connection: String,
    digest: String,
    provider_key: String,
    answer: Option<String>,
}

impl Sends {
    /// Opens the journal for a run. An earlier run decides which moment and which chance the guest sees.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub async fn open(
        store: &Store,
        customer: &CustomerId,
        right: Right,
        now: Moment,
        seed: [u8; 32],
    ) -> Result<Self, StoreError> {
        let sql = "SELECT number, connection, digest, provider_key, answer, run_at, seed FROM send \
                   WHERE customer = $1 AND run = $2 ORDER BY number";
        let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(right.run());
        let rows = store.database.reader().fetch_all(query).await?;
        let (mut run_at, mut first_seed) = (now, seed);
        let mut earlier = BTreeMap::new();
        for row in &rows {
            run_at = Moment(row.try_get("run_at")?);
            let seed = unhex(&row.try_get::<String, _>("seed")?).and_then(|bytes| bytes.try_into().ok());
            first_seed = seed.ok_or(StoreError::Inconsistent("the seed of a run"))?;
            let line = Line {
                connection: row.try_get("connection")?,
                digest: row.try_get("digest")?,
                provider_key: row.try_get("provider_key")?,
                answer: row.try_get("answer")?,
            };
            earlier.insert(row.try_get::<i64, _>("number")?.unsigned_abs(), line);
        }
        Ok(Self(Arc::new(Inner {
            store: store.clone(),
            customer: customer.clone(),
            right,
            run_at,
            seed: first_seed,
            earlier,
            progress: Mutex::default(),
        })))
    }

    /// What its lines are found under, and what the run has noted as spent.
    pub fn run(&self) -> &str {
        self.0.right.run()
    }

    /// The moment that the guest has to see.
    pub fn run_at(&self) -> Moment {
        self.0.run_at
    }

    /// The chance that the guest has to see.
    pub fn seed(&self) -> [u8; 32] {
        self.0.seed
    }

    /// Twenty bytes that name a change to whoever receives it: the same in every run under one key, or of one step, and
    /// never those of another change. They say nothing of the customer.
    pub fn name(&self, number: u64, digest: &str) -> [u8; 20] {
        let inner = &self.0;
        let (right, at) = match &inner.right {
            Right::Key(claim) => (claim.key.as_str(), 0),
            // The steps of a job share its id, and each sees a moment of its own.
            Right::Job { job, .. } => (job.as_str(), inner.run_at.0),
        };
        let mut hash = Sha256::new();
        for part in [inner.customer.as_str(), right, digest] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.update(at.to_be_bytes());
        hash.update(number.to_be_bytes());
        let mut name = [0; 20];
        name.copy_from_slice(&hash.finalize()[..20]);
        name
    }

    /// What this run has sent so far.
    pub fn tally(&self) -> SendTally {
        self.progress().tally
    }

    /// Whether this run or an earlier one has written a line.
    pub fn used(&self) -> bool {
        !self.0.earlier.is_empty() || self.progress().number > 0
    }

    /// Says what to do about the next change of this run. A line is committed before [`Begun::Send`] is returned.
    ///
    /// # Errors
    /// When the store cannot be reached; then nothing may be handed over.
    pub async fn begin(&self, intent: SendIntent<'_>) -> Result<Begun, StoreError> {
        let number = {
            let mut progress = self.progress();
            progress.number += 1;
            progress.number
        };
        let inner = &self.0;
        let line = inner.earlier.get(&number);
        let same = |line: &&Line| line.connection == intent.connection && line.digest == intent.digest;
        let key = match (line, line.filter(same)) {
            (None, _) => None,
            // What the guest asks for now is not what it asked for before: neither answer would be the right one.
            (Some(_), None) => return Ok(self.unknown_line()),
            (_, Some(Line { answer: Some(answer), .. })) => {
                self.progress().tally.repeated += 1;
                return Ok(Begun::Answered(answer.clone()));
            }
            (_, Some(_)) if intent.repeat == Repeat::Never => return Ok(self.unknown_line()),
            (_, Some(line)) => Some(line.provider_key.clone()),
        };
        let provider_key =
            key.unwrap_or_else(|| format!("esp_{}", base32(&inner.store.database.entropy().array::<20>())));
        if !self.write_line(number, &provider_key, intent).await? {
            return Ok(Begun::Lost);
        }
        self.progress().tally.sent += 1;
        Ok(Begun::Send { number, provider_key })
    }

    /// Keeps what the provider answered.
    ///
    /// # Errors
    /// When the store cannot be reached; the line then stays open.
    pub async fn answered(&self, number: u64, answer: &str) -> Result<(), StoreError> {
        let answer = answer.to_owned();
        self.mark(
            number,
            "UPDATE send SET state = 'answered', answer = $4 WHERE customer = $1 AND run = $2 AND number = $3",
            Some(answer),
        )
        .await
    }

    /// Takes the line back of a change that certainly never left: no connection was made.
    ///
    /// # Errors
    /// When the store cannot be reached; the line then stays open.
    pub async fn not_sent(&self, number: u64) -> Result<(), StoreError> {
        self.progress().tally.sent -= 1;
        self.mark(number, "DELETE FROM send WHERE customer = $1 AND run = $2 AND number = $3", None).await
    }

    /// Notes that nobody knows whether the change arrived.
    ///
    /// # Errors
    /// When the store cannot be reached; the line then stays open, which says the same.
    pub async fn unknown(&self, number: u64) -> Result<(), StoreError> {
        self.progress().tally.unknown += 1;
        self.mark(number, "UPDATE send SET state = 'unknown' WHERE customer = $1 AND run = $2 AND number = $3", None)
            .await
    }

    fn unknown_line(&self) -> Begun {
        self.progress().tally.unknown += 1;
        Begun::Unknown
    }

    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.0.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the line, if the right to send is still ours. The update that asks makes the claim last longer and
    /// keeps a run that would take it over waiting.
    async fn write_line(&self, number: u64, provider_key: &str, intent: SendIntent<'_>) -> Result<bool, StoreError> {
        let inner = &self.0;
        let (customer, right, seed) = (inner.customer.clone(), inner.right.clone(), hex(&inner.seed));
        let (run_at, now) = (inner.run_at, intent.now);
        let (connection, digest) = (intent.connection.to_owned(), intent.digest.to_owned());
        let provider_key = provider_key.to_owned();
        inner
            .store
            .database.write(move |tx| {
                Box::pin(async move {
                    if !holds(tx, &customer, &right, now).await? {
                        return Ok(false);
                    }
                    let sql = "INSERT INTO send (customer, run, number, connection, digest, provider_key, state, run_at, seed, sent_at) \
                               VALUES ($1, $2, $3, $4, $5, $6, 'sent', $7, $8, $9) \
                               ON CONFLICT (customer, run, number) DO UPDATE SET state = 'sent', sent_at = excluded.sent_at";
                    let insert = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(right.run());
                    let insert = insert.bind(whole(number)).bind(connection).bind(digest).bind(provider_key);
                    insert.bind(run_at.0).bind(seed).bind(now.0).execute(tx.connection()).await?;
                    Ok(true)
                })
            })
            .await
    }

    async fn mark(&self, number: u64, sql: &'static str, answer: Option<String>) -> Result<(), StoreError> {
        let (customer, run) = (self.0.customer.clone(), self.0.right.run().to_owned());
        self.0
            .store
            .database
            .write(move |tx| {
                Box::pin(async move {
                    let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(run).bind(whole(number));
                    let query = if let Some(answer) = answer { query.bind(answer) } else { query };
                    query.execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

impl Calls {
    /// Forgets what jobs have sent, and noted as spent, that were given up long ago. Journals under a key end with its
    /// claim.
    ///
    /// # Errors
    /// When the store cannot be reached.
    pub(crate) async fn sweep_sends(&self, now: Moment) -> Result<(), StoreError> {
        let sql = "DELETE FROM send WHERE sent_at <= $1 AND NOT EXISTS \
                   (SELECT 1 FROM claim WHERE claim.customer = send.customer AND claim.run = send.run)";
        let spent = "DELETE FROM spending_noted WHERE noted_at <= $1 AND NOT EXISTS \
                     (SELECT 1 FROM claim WHERE claim.customer = spending_noted.customer AND claim.run = spending_noted.run)";
        let long_ago = now.0 - i64::try_from(JOURNAL_LIFE.as_millis()).unwrap_or(i64::MAX);
        self.database
            .write_patiently(move |tx| {
                Box::pin(async move {
                    sqlx::query::<Any>(sql).bind(long_ago).execute(tx.connection()).await?;
                    sqlx::query::<Any>(spent).bind(long_ago).execute(tx.connection()).await?;
                    Ok(())
                })
            })
            .await
    }
}

impl std::fmt::Debug for Sends {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sends({:?})", self.tally())
    }
}

/// Whether the right is still good.
async fn holds(tx: &mut Tx, customer: &CustomerId, right: &Right, now: Moment) -> Result<bool, StoreError> {
    let query = match right {
        Right::Key(claim) => {
            let sql = "UPDATE claim SET lease_until = CASE WHEN lease_until < $4 THEN $4 ELSE lease_until END \
                       WHERE customer = $1 AND key = $2 AND token = $3 AND lease_until > $5";
            let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(claim.key.as_str());
            query.bind(claim.token.as_str()).bind(now.plus(LEASE).0).bind(now.0)
        }
        // The worker keeps this lease good; to write the row unchanged is to lock it.
        Right::Job { job, claim } => {
            let sql = "UPDATE job SET claim = claim WHERE customer = $1 AND job = $2 AND claim = $3 \
                       AND state = 'running' AND due_at > $4";
            let query = sqlx::query::<Any>(sql).bind(customer.as_str()).bind(job.as_str());
            query.bind(claim.as_str()).bind(now.0)
        }
    };
    Ok(query.execute(tx.connection()).await?.rows_affected() == 1)
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
