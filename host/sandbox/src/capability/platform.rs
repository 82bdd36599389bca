//! `platform` and `platform-write`: account data and actions of the service, for the module `account` only.

use std::sync::Arc;

use crate::bindings::{platform, platform_write, types};
use crate::platform::{Platform, Untold};
use crate::state::State;
use crate::stop::{Denial, Stop};

type Told = wasmtime::Result<Result<String, types::Fault>>;

impl platform::Host for State {
    async fn ask(&mut self, question: platform::Question) -> Told {
        self.enter()?;
        let desk = self.desk()?;
        let answer = self.span.bound(desk.ask(question, self.now)).await;
        match self.told(answer)? {
            Ok(known) => {
                self.workspace.count_seen(known.rows, known.document.len() as u64);
                self.settle()?;
                Ok(Ok(known.document))
            }
            Err(fault) => Ok(Err(fault)),
        }
    }
}

impl platform_write::Host for State {
    async fn act(&mut self, action: platform_write::Action) -> Told {
        self.enter_changing()?;
        let desk = self.desk()?;
        let deed = self.span.bound(desk.act(action, self.now)).await;
        let deed = match self.told(deed)? {
            Ok(deed) => deed,
            Err(fault) => return Ok(Err(fault)),
        };
        for change in deed.changes {
            self.workspace.want_account(change);
        }
        for (module, collection, row) in deed.purged {
            let purged = self.workspace.purge_row(&module, &collection, row).await;
            if self.known(Ok(purged))?.is_err() {
                tracing::error!(module, collection = collection.name, "a stored row is not what its collection says");
            }
        }
        self.settle()?;
        Ok(Ok(deed.document))
    }
}

impl State {
    fn desk(&mut self) -> wasmtime::Result<Arc<dyn Platform>> {
        match &self.platform {
            Some(desk) => Ok(Arc::clone(desk)),
            None => Err(self.end(Stop::Denied(Denial::Platform))),
        }
    }

    /// A failure of the database ends the run; any other fault goes to the guest.
    fn told<T>(&mut self, answer: Result<Result<T, Untold>, Stop>) -> wasmtime::Result<Result<T, types::Fault>> {
        match answer {
            Ok(Ok(told)) => Ok(Ok(told)),
            Ok(Err(Untold::Fault(fault))) => Ok(Err(fault)),
            Ok(Err(Untold::Store(error))) => Err(self.end(Stop::Unavailable(error))),
            Err(stop) => Err(self.end(stop)),
        }
    }
}
