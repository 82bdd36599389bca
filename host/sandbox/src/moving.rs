//! A future that starts on the caller's thread and moves to the guests' own threads if it computes for long.
//!
//! Most calls take less time than waking another thread and being woken by it. A call that has computed for longer than
//! [`SLICE`] moves to the guests' runtime before the next poll. Guests yield by fuel and by the engine's tick,
//! whichever comes first. A single instruction that fills or copies memory is not interrupted, so the longest delay for
//! others on the caller's thread is one pass over the guest's memory.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// How long a guest may compute on the caller's thread, all polls together.
const SLICE: Duration = Duration::from_millis(1);

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A future that moves to another runtime if it computes for long. If it is dropped, it is completed there.
pub(crate) struct Moving<T: Send + 'static> {
    stage: Stage<T>,
    own: Handle,
    computed: Duration,
}

enum Stage<T> {
    Here(Boxed<T>),
    Moved(JoinHandle<T>),
    Ended,
}

impl<T: Send + 'static> Moving<T> {
    /// Starts on the thread that first polls it.
    pub(crate) fn from_here(future: impl Future<Output = T> + Send + 'static, own: Handle) -> Self {
        Self { stage: Stage::Here(Box::pin(future)), own, computed: Duration::ZERO }
    }

    /// Starts on the guests' runtime.
    pub(crate) fn at_once(future: impl Future<Output = T> + Send + 'static, own: Handle) -> Self {
        Self { stage: Stage::Moved(own.spawn(future)), own, computed: Duration::ZERO }
    }
}

impl<T: Send + 'static> Future for Moving<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let this = &mut *self;
        if let Stage::Here(future) = &mut this.stage {
            let begun = Instant::now();
            let polled = future.as_mut().poll(context);
            if polled.is_ready() {
                this.stage = Stage::Ended;
                return polled;
            }
            this.computed += begun.elapsed();
            if this.computed <= SLICE {
                return Poll::Pending;
            }
            if let Stage::Here(future) = std::mem::replace(&mut this.stage, Stage::Ended) {
                this.stage = Stage::Moved(this.own.spawn(future));
            }
        }
        match &mut this.stage {
            Stage::Moved(task) => Pin::new(task)
                .poll(context)
                .map(|ended| ended.expect("the runtime lives as long as the sandbox, and a run catches its panics")),
            Stage::Here(_) | Stage::Ended => unreachable!("an ended run is not polled again"),
        }
    }
}

impl<T: Send + 'static> Drop for Moving<T> {
    fn drop(&mut self) {
        // Complete it even without a caller: it may have started external requests.
        if let Stage::Here(future) = std::mem::replace(&mut self.stage, Stage::Ended) {
            drop(self.own.spawn(future));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use tokio::runtime::{Builder, Runtime};
    use tokio::sync::Notify;

    fn own() -> Runtime {
        Builder::new_multi_thread().worker_threads(1).thread_name("own").enable_all().build().unwrap()
    }

    fn thread() -> String {
        std::thread::current().name().unwrap_or_default().to_owned()
    }

    async fn turns(count: u32, each: Duration) -> Vec<String> {
        let mut names = Vec::new();
        for _ in 0..count {
            names.push(thread());
            std::thread::sleep(each);
            tokio::task::yield_now().await;
        }
        names
    }

    #[test]
    fn what_is_short_stays_and_what_computes_long_moves_after_its_first_turn() {
        let (here, own) = (Builder::new_current_thread().enable_all().build().unwrap(), own());
        let home = thread();
        let short = here.block_on(Moving::from_here(turns(2, Duration::ZERO), own.handle().clone()));
        assert_eq!(short, [home.clone(), home.clone()]);
        let long = here.block_on(Moving::from_here(turns(3, Duration::from_millis(3)), own.handle().clone()));
        assert_eq!(long, [home, "own".to_owned(), "own".to_owned()]);
        let step = here.block_on(Moving::at_once(turns(1, Duration::ZERO), own.handle().clone()));
        assert_eq!(step, ["own"]);
        own.shutdown_background();
    }

    #[test]
    fn a_run_that_nobody_waits_for_any_more_comes_to_its_end() {
        let (here, own) = (Builder::new_current_thread().enable_all().build().unwrap(), own());
        let (go, ended) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
        let run = {
            let (go, ended) = (go.clone(), ended.clone());
            async move {
                go.notified().await;
                ended.store(true, Ordering::SeqCst);
            }
        };
        here.block_on(async {
            let mut moving = Box::pin(Moving::from_here(run, own.handle().clone()));
            assert!(futures_util::poll!(moving.as_mut()).is_pending());
            drop(moving);
        });
        go.notify_one();
        for _ in 0..200 {
            if ended.load(Ordering::SeqCst) {
                return own.shutdown_background();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it was dropped with its caller");
    }
}
