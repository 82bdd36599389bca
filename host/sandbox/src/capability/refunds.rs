//! `refunds-write`: refunds the native price of work that produced no result.

use store::Refundable;

use crate::bindings::refunds_write::{self, RefundError};
use crate::export::Export;
use crate::state::State;

impl refunds_write::Host for State {
    async fn refund(&mut self, job: String, units: u64) -> wasmtime::Result<Result<u64, RefundError>> {
        self.enter_changing()?;
        let found = self.span.bound(self.workspace.refundable(&job)).await;
        let refundable = match self.known(found)? {
            Ok(Some(refundable)) => refundable,
            Ok(None) | Err(_) => return Ok(Err(RefundError::Missing)),
        };
        if !refundable.ended {
            return Ok(Err(RefundError::NotEnded));
        }
        if refundable.refunded {
            return Ok(Err(RefundError::Refunded));
        }
        Ok(Ok(self.give_back(refundable, units)))
    }
}

impl State {
    /// The price comes from the contract, never from the guest.
    fn give_back(&mut self, refundable: Refundable, units: u64) -> u64 {
        let contract = self.module.contract(&Export::Operation(refundable.operation.clone()));
        let price = contract.and_then(|contract| contract.native_price.as_ref()).map_or(0, |price| price.milli(units));
        self.workspace.refund(refundable, price)
    }
}
