//! `clock`: the current time and sleeping.

use std::time::Duration;

use tokio::time::Instant;

use crate::bindings::clock;
use crate::state::State;

/// The longest sleep, in milliseconds.
const LONGEST: u32 = 30_000;

impl clock::Host for State {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.enter()?;
        Ok(u64::try_from(self.now.0).unwrap_or(0))
    }

    fn elapsed(&mut self) -> wasmtime::Result<u64> {
        self.enter()?;
        Ok(u64::try_from(Instant::now().duration_since(self.span.began).as_millis()).unwrap_or(u64::MAX))
    }

    async fn wait(&mut self, milliseconds: u32) -> wasmtime::Result<()> {
        self.enter()?;
        let wait = Duration::from_millis(u64::from(milliseconds.min(LONGEST)));
        let waited = self.span.outside(tokio::time::sleep(wait)).await;
        waited.map_err(|stop| self.end(stop))
    }
}
