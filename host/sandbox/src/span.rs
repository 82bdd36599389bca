//! The time of a run: from its start, and without the time in which the machine had no processor for it.
//!
//! A limit of time is a promise about the guest: it bounds what it computes and what it waits for. On a machine that is
//! busy with something else a run that is ready has to wait too, and guests more than all, since their threads have a lower
//! priority ([`crate::long`]). That time is not the guest's, and a call must not fail for it: the limit moves by as much, up
//! to [`PATIENCE`] times. What ends then was ended by the machine, and the answer says so.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

use crate::cancel::Cancel;
use crate::slot::Slot;
use crate::stop::{LimitKind, Stop};

/// How often the limit of a run may pass again while the machine has no processor for it.
const PATIENCE: u32 = 3;

/// The start and limit of the run, its cancellation, and the slot that it computes in.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) began: Instant,
    limit: Duration,
    lost: Arc<Lost>,
    cancel: Cancel,
    /// A step shares those of all jobs, a call those of its customer.
    slot: Option<Slot>,
}

impl Span {
    /// One that begins now.
    pub(crate) fn new(limit: Duration, cancel: Cancel, slot: Option<Slot>) -> Self {
        Self { began: Instant::now(), limit, lost: Arc::default(), cancel, slot }
    }

    /// When the run has to end, as far as is known now.
    pub(crate) fn deadline(&self) -> Instant {
        self.began + self.limit + self.lost().min(self.limit * PATIENCE)
    }

    /// When it has ended for certain.
    pub(crate) fn end(&self) -> Instant {
        self.began + self.limit * (PATIENCE + 1)
    }

    /// As [`Span::bound`], for what may take long and needs nothing of this host meanwhile: another host's answer, or
    /// time. The run gives its slot to others until then.
    pub(crate) async fn outside<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Stop> {
        let waiting = self.waits(waiting);
        match &self.slot {
            // That no slot is free is the machine's doing.
            Some(slot) => self.ended(slot.aside(waiting)).await,
            None => self.ended(waiting).await,
        }
    }

    /// Waits for something external, but not beyond the run's end. The guest's own future is never dropped for that: it
    /// gets an error from the host function and unwinds.
    pub(crate) async fn bound<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Stop> {
        self.ended(self.waits(waiting)).await
    }

    async fn ended<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Stop> {
        let out_of_time = async {
            loop {
                tokio::time::sleep_until(self.deadline()).await;
                if let Some(stop) = self.out_of_time() {
                    return stop;
                }
            }
        };
        tokio::select! {
            biased;
            value = waiting => Ok(value),
            () = self.cancel.cancelled() => Err(Stop::Cancelled),
            stop = out_of_time => Err(stop),
        }
    }

    /// Why the run must end now, if it must.
    pub(crate) fn over(&self) -> Option<Stop> {
        if self.cancel.is_cancelled() { Some(Stop::Cancelled) } else { self.out_of_time() }
    }

    fn out_of_time(&self) -> Option<Stop> {
        if Instant::now() < self.deadline() {
            return None;
        }
        let by_machine = self.lost() >= self.limit * PATIENCE;
        Some(if by_machine { Stop::Starved } else { Stop::Limit(LimitKind::Wall) })
    }

    /// Polls the run, and counts what it loses.
    pub(crate) fn counts<F: Future>(&self, run: F) -> Counted<F> {
        Counted { run: Box::pin(run), lost: Arc::clone(&self.lost), left: None }
    }

    /// Time that the run was ready and had no processor.
    fn lost(&self) -> Duration {
        Duration::from_nanos(self.lost.nanoseconds.load(Ordering::Relaxed))
    }

    /// Time until this is there is the guest's own. It stands on the heap: a guest's stack is small, and each future
    /// around it would keep room for it again.
    fn waits<T>(&self, waiting: impl Future<Output = T>) -> impl Future<Output = T> {
        let waiting = Box::pin(waiting);
        async {
            let _waits = Waits::new(&self.lost.waits);
            waiting.await
        }
    }
}

/// What the machine did not give a run.
#[derive(Debug, Default)]
struct Lost {
    nanoseconds: AtomicU64,
    /// Whether the run waits for something that is not a processor.
    waits: AtomicBool,
}

/// Says that a run waits, for as long as it lives.
struct Waits<'a>(&'a AtomicBool);

impl<'a> Waits<'a> {
    fn new(waits: &'a AtomicBool) -> Self {
        waits.store(true, Ordering::Relaxed);
        Self(waits)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// A run that is polled: see [`Span::counts`].
pub(crate) struct Counted<F> {
    run: Pin<Box<F>>,
    lost: Arc<Lost>,
    /// When it was left ready, with more to compute.
    left: Option<Instant>,
}

impl<F: Future> Future for Counted<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        let begun = Instant::now();
        // Added before it goes on, since it may ask for its deadline.
        this.lost.add(this.left.take().map_or(Duration::ZERO, |left| begun.duration_since(left)));
        let computed = processor_time();
        let polled = this.run.as_mut().poll(context);
        let now = Instant::now();
        let computed = processor_time().saturating_sub(computed);
        this.lost.add(now.duration_since(begun).saturating_sub(computed));
        if !this.lost.waits.load(Ordering::Relaxed) {
            this.left = Some(now);
        }
        polled
    }
}

impl Lost {
    fn add(&self, time: Duration) {
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Processor time of the calling thread.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    //! Tests of time that is lost. What they compare holds on a machine of any speed.

    use super::*;
    use std::thread::sleep;
    use tokio::task::yield_now;

    const MINUTE: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(20);

    /// A run with a limit of 20 minutes that began so long ago and has lost so much.
    fn run(ago: u32, lost: u32) -> Span {
        let mut span = Span::new(MINUTE * 20, Cancel::default(), None);
        span.began -= MINUTE * ago;
        span.lost.add(MINUTE * lost);
        span
    }

    #[test]
    fn the_limit_of_a_run_moves_by_what_it_lost_and_not_for_ever() {
        assert!(run(15, 0).over().is_none());
        assert!(matches!(run(25, 0).over(), Some(Stop::Limit(LimitKind::Wall))));
        assert!(run(25, 10).over().is_none());
        assert!(run(75, 70).over().is_none());
        assert!(matches!(run(85, 10).over(), Some(Stop::Limit(LimitKind::Wall))));
        assert!(matches!(run(85, 70).over(), Some(Stop::Starved)));
        let starved = run(85, 1_000);
        assert_eq!(starved.deadline(), starved.end());
    }

    #[tokio::test]
    async fn what_is_waited_for_ends_as_the_run_does() {
        let waited = run(25, 0).bound(std::future::pending::<()>()).await;
        assert!(matches!(waited, Err(Stop::Limit(LimitKind::Wall))), "{waited:?}");
        let waited = run(85, 70).outside(std::future::pending::<()>()).await;
        assert!(matches!(waited, Err(Stop::Starved)), "{waited:?}");
        assert!(run(25, 10).bound(yield_now()).await.is_ok());
    }

    #[tokio::test]
    async fn time_without_a_processor_is_lost_in_a_turn_and_between_turns() {
        let inside = run(0, 0);
        inside.counts(async { sleep(SHORT) }).await;
        assert!(inside.lost() >= SHORT / 2, "{:?}", inside.lost());
        let between = run(0, 0);
        let mut counted = between.counts(yield_now());
        assert!(futures_util::poll!(&mut counted).is_pending());
        sleep(SHORT);
        counted.await;
        assert!(between.lost() >= SHORT, "{:?}", between.lost());
    }

    #[tokio::test]
    async fn what_a_run_waits_for_is_its_own_time() {
        let span = run(0, 0);
        let begun = Instant::now();
        let waited = span.counts(span.bound(tokio::time::sleep(SHORT))).await;
        assert!(waited.is_ok());
        assert!(span.lost() + SHORT / 2 <= begun.elapsed(), "{:?} of {:?}", span.lost(), begun.elapsed());
    }

    #[tokio::test]
    async fn what_a_run_computes_is_its_own_time() {
        let (span, begun) = (run(0, 0), Instant::now());
        let computes = async {
            let begun = processor_time();
            while processor_time().saturating_sub(begun) < SHORT {
                std::hint::spin_loop();
            }
        };
        span.counts(computes).await;
        assert!(span.lost() + SHORT / 2 <= begun.elapsed(), "{:?} of {:?}", span.lost(), begun.elapsed());
    }

    #[tokio::test]
    async fn a_slot_that_is_not_free_is_no_time_of_the_run() {
        let slots = Arc::new(tokio::sync::Semaphore::new(1));
        let slot = Slot::take(Arc::clone(&slots)).await;
        let span = Span::new(MINUTE, Cancel::default(), Some(slot));
        let taken = async {
            let taken = Slot::take(slots).await;
            tokio::time::sleep(SHORT).await;
            drop(taken);
        };
        let (got, ()) = tokio::join!(span.counts(span.outside(yield_now())), taken);
        assert!(got.is_ok(), "{got:?}");
        assert!(span.lost() >= SHORT / 2, "{:?}", span.lost());
    }
}
