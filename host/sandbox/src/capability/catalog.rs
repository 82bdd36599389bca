//! `catalog`: what the revision that a run belongs to serves.

use crate::bindings::catalog;
use crate::state::State;

impl catalog::Host for State {
    fn serves(&mut self, operation: String) -> wasmtime::Result<bool> {
        self.enter()?;
        Ok(self.offer.as_ref().is_some_and(|offer| offer.serves(&operation)))
    }
}
