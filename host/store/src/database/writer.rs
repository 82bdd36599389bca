//! The one writer: it gathers what waits, runs each entry in a savepoint of its own, and commits them together.
//!
//! One commit is one wait for the disk, however many calls it carries. Nobody is answered before the commit
//! is known; a commit that breaks off is answered as unavailable to all of them, because nobody can tell.
//!
//! Nobody waits for ever either: when the database stands still for [`CALLER`], a caller hears that the outcome is
//! unknown, while the commit may still take place. The writer itself goes on as soon as the database does.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use sqlx::AnyConnection;
use sqlx::Executor as _;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::StoreError;
use crate::calls::group::{self, Known, Mark, Member};
use crate::database::dialect::{Address, Dialect};
use crate::database::seen::{Seen, Touched};
use crate::records::indexes::Registry;

/// Entries of one commit.
const BATCH: usize = 256;
/// Entries that may wait; beyond, callers wait to be let in.
const QUEUE: usize = 4096;

/// How long the database may stand still where a client waits: it is to have its 503 within two seconds. A large
/// commit that goes on is no standstill. The database's own limits are shorter, so that most of the time the answer
/// is a certain one.
pub(crate) const CALLER: Duration = Duration::from_millis(1_800);
/// The same where only a worker waits, for whom a long commit is better than one given up.
pub(crate) const WORKER: Duration = Duration::from_secs(30);
/// How long a client waits at most for a writer that goes on and on.
const LONGEST: Duration = Duration::from_secs(30);
/// How often who waits looks whether the writer goes on.
const LOOK: Duration = Duration::from_millis(100);
/// How long a server that says nothing is believed to be at work. A file cannot go away like that: there, waiting
/// is all that helps.
const SILENCE: Duration = Duration::from_secs(40);
/// How long a new connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// A future that is boxed and can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An open transaction of the writer.
pub struct Tx {
    connection: AnyConnection,
    pub(crate) dialect: Dialect,
    pub(crate) known: Known,
    pub(crate) mark: Mark,
    pub(crate) progress: Progress,
    pub(crate) indexes: Arc<Registry>,
    seen: Arc<Seen>,
    /// What this transaction changes of it.
    pub(crate) touched: Touched,
    /// As [`Dialect::open`] gave it.
    pub(crate) generation: Option<i64>,
}

/// How far the writer has come: moves with each thing that the database has done for somebody. Beginning a
/// transaction is none, nor is ending an empty one: both work where everything between them is locked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress(Arc<AtomicU64>);

impl Progress {
    /// The database has done something.
    pub(crate) fn step(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn steps(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Tx {
    /// Opens a transaction.
    pub(crate) async fn open(&mut self) -> Result<(), StoreError> {
        self.generation = self.dialect.open(&mut self.connection).await?;
        self.seen.opened();
        self.touched = Touched::default();
        Ok(())
    }

    /// Commits it.
    async fn commit(&mut self) -> Result<(), StoreError> {
        self.seen.closing(&self.touched);
        self.connection.execute("COMMIT").await?;
        self.seen.closed(std::mem::take(&mut self.touched));
        Ok(())
    }

    /// The connection, inside the entry's savepoint.
    pub fn connection(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

/// Where changes are handed in.
#[derive(Clone)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Entry>,
    progress: Progress,
}

/// One change that waits.
pub(crate) enum Entry {
    /// Any statements.
    Work(Box<dyn Work>),
    /// A change that the group applies together with others of its kind.
    Member(Member),
}

/// What an entry wants to hear once the commit is known.
pub(crate) type Told = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// Statements with an answer of any type.
pub(crate) trait Work: Send {
    fn run(self: Box<Self>, tx: &mut Tx) -> BoxFuture<'_, Ran>;
    /// Says why it was never run.
    fn fail(self: Box<Self>, error: &StoreError);
}

/// How a piece of work ended.
pub(crate) struct Ran {
    pub(crate) keep: Keep,
    pub(crate) told: Told,
}

/// What becomes of a savepoint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    Changes,
    Nothing,
}

impl Writer {
    /// Starts the writer's task.
    pub(crate) fn start(address: Address, connection: AnyConnection, seen: Arc<Seen>, indexes: Arc<Registry>) -> Self {
        let (queue, entries) = mpsc::channel(QUEUE);
        let progress = Progress::default();
        let tx = Tx {
            connection,
            dialect: address.dialect,
            known: Known::default(),
            mark: Mark::default(),
            progress: progress.clone(),
            indexes,
            seen,
            touched: Touched::default(),
            generation: None,
        };
        tokio::spawn(work(address, tx, entries));
        Self { queue, progress }
    }

    /// Runs statements in the next commit, and waits this long for it.
    pub(crate) async fn write<T, E, F>(&self, patience: Duration, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'a> FnOnce(&'a mut Tx) -> BoxFuture<'a, Result<T, E>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        self.heard(patience, Entry::Work(Box::new(Statements { work, answer })), answered).await?
    }

    /// Hands an entry in and waits for its answer, which comes over a channel of its own.
    pub(crate) async fn heard<T>(
        &self,
        patience: Duration,
        entry: Entry,
        answered: oneshot::Receiver<T>,
    ) -> Result<T, StoreError> {
        let heard = async {
            self.queue.send(entry).await.map_err(|_| stopped())?;
            answered.await.map_err(|_| stopped())
        };
        tokio::pin!(heard);
        let begun = Instant::now();
        let (mut steps, mut moved) = (self.progress.steps(), begun);
        loop {
            if let Ok(heard) = tokio::time::timeout(LOOK, &mut heard).await {
                return heard;
            }
            let now = Instant::now();
            if self.progress.steps() != steps {
                (steps, moved) = (self.progress.steps(), now);
            }
            if now - moved >= patience || now - begun >= LONGEST {
                return Err(late());
            }
        }
    }
}

/// What a caller hears who cannot wait any longer.
pub(crate) fn late() -> StoreError {
    StoreError::Unavailable("the commit did not end in time; it may still take place".to_owned())
}

/// What a caller hears whose entry was lost.
pub(crate) fn stopped() -> StoreError {
    StoreError::Unavailable("the writer stopped before it could answer".to_owned())
}

struct Statements<F, T, E> {
    work: F,
    answer: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F> Work for Statements<F, T, E>
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
    F: for<'a> FnOnce(&'a mut Tx) -> BoxFuture<'a, Result<T, E>> + Send + 'static,
{
    fn run(self: Box<Self>, tx: &mut Tx) -> BoxFuture<'_, Ran> {
        let Self { work, answer } = *self;
        Box::pin(async move {
            let result = work(tx).await;
            let keep = if result.is_ok() { Keep::Changes } else { Keep::Nothing };
            let told: Told = Box::new(move |committed: Result<(), StoreError>| {
                // A caller that has gone away is no reason to do anything else.
                let _gone = answer.send(match committed {
                    Ok(()) => result,
                    Err(error) => Err(error.into()),
                });
            });
            Ran { keep, told }
        })
    }

    fn fail(self: Box<Self>, error: &StoreError) {
        let _gone = self.answer.send(Err(error.clone().into()));
    }
}

async fn work(address: Address, mut tx: Tx, mut entries: mpsc::Receiver<Entry>) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut broken = false;
    while entries.recv_many(&mut batch, BATCH).await > 0 {
        for unit in units(address.dialect, batch.drain(..)) {
            if broken {
                match connect(&address).await {
                    Ok(fresh) => {
                        tx.seen.end();
                        tx.connection = fresh;
                    }
                    Err(error) => {
                        tracing::error!(error = %error, "the database cannot be reached");
                        unit.fail(&error);
                        continue;
                    }
                }
                broken = false;
            }
            let mut told = Vec::with_capacity(unit.members.len() + unit.works.len());
            let outcome = commit_within(&mut tx, unit, &mut told).await;
            if let Err(error) = &outcome {
                tracing::error!(error = %error, entries = told.len(), "a commit failed");
                tx.known.forget();
                tx.mark.forget();
                tx.seen.forget();
                // Whatever state it is in, a new connection is not.
                broken = true;
            }
            for tell in told {
                tell(outcome.clone());
            }
        }
    }
}

async fn connect(address: &Address) -> Result<AnyConnection, StoreError> {
    let silent = || StoreError::Unavailable("the database does not answer".to_owned());
    tokio::time::timeout(CONNECT, address.writer()).await.unwrap_or_else(|_| Err(silent()))
}

/// What is committed together.
#[derive(Default)]
struct Unit {
    members: Vec<Member>,
    works: Vec<Box<dyn Work>>,
}

impl Unit {
    fn fail(self, error: &StoreError) {
        self.members.into_iter().for_each(|member| member.fail(error));
        self.works.into_iter().for_each(|work| work.fail(error));
    }
}

/// One unit where there is one writer. Where nodes meet, statements that lock on their own go one by one after the
/// group, or two nodes could wait for each other.
fn units(dialect: Dialect, entries: impl Iterator<Item = Entry>) -> Vec<Unit> {
    let mut together = Unit::default();
    let mut alone = Vec::new();
    for entry in entries {
        match entry {
            Entry::Member(member) => together.members.push(member),
            Entry::Work(work) if dialect.has_one_writer() => together.works.push(work),
            Entry::Work(work) => alone.push(Unit { works: vec![work], ..Unit::default() }),
        }
    }
    let first = (!together.members.is_empty() || !together.works.is_empty()).then_some(together);
    first.into_iter().chain(alone).collect()
}

async fn commit_within(tx: &mut Tx, unit: Unit, told: &mut Vec<Told>) -> Result<(), StoreError> {
    if tx.dialect.has_one_writer() {
        return commit(tx, unit, told).await;
    }
    tokio::time::timeout(SILENCE, commit(tx, unit, told)).await.unwrap_or_else(|_| Err(late()))
}

/// Runs and commits a unit. Each entry that is to hear of the commit is in `told`, whatever happens.
async fn commit(tx: &mut Tx, unit: Unit, told: &mut Vec<Told>) -> Result<(), StoreError> {
    if let Err(error) = tx.open().await {
        unit.fail(&error);
        return Err(error);
    }
    let Unit { members, works } = unit;
    if !members.is_empty() {
        group::run(tx, members, told).await?;
    }
    for work in works {
        // It may move what the group believes to know.
        tx.known.forget();
        tx.touched.all = true;
        tx.connection.execute("SAVEPOINT entry").await?;
        // A panic must not take the writer with it; the caller hears that it got no answer.
        let ran = std::panic::AssertUnwindSafe(work.run(tx)).catch_unwind().await;
        let keep = match ran {
            Ok(Ran { keep, told: tell }) => {
                told.push(tell);
                keep
            }
            Err(_) => {
                tracing::error!("a piece of work panicked");
                Keep::Nothing
            }
        };
        if keep == Keep::Nothing {
            tx.connection.execute("ROLLBACK TO SAVEPOINT entry").await?;
        }
        tx.connection.execute("RELEASE SAVEPOINT entry").await?;
        tx.progress.step();
    }
    tx.commit().await?;
    if !told.is_empty() {
        tx.progress.step();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
